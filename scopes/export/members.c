/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/members.c - the ranks that processes have in communicators
 */

#include "scopes/export/members_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

static int
member_order(const void *left, const void *right)
{
	const struct es__export_member *a = left, *b = right;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

static paths_status
comm_fill(const struct es__export *export, uint32_t n,
    struct es__export_comm *comm)
{
	const struct es_mpi_trace_comm *from =
	    &es_mpi_trace_input(export->trace)->comms[n];

	comm->members = calloc(from->count + (size_t)1, sizeof(*comm->members));
	if (comm->members == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for communicators");
	comm->count = from->count;
	comm->known = from->count > 0 || n == ES_MPI_RUN_SELF;
	for (uint32_t m = 0; m < from->count; m++) {
		comm->known = comm->known && from->members[m] != PATHS_NONE;
		comm->members[m] =
		    (struct es__export_member){ .rank = from->members[m],
			    .place = m < from->first ? m : m - from->first };
	}
	qsort(comm->members, comm->count, sizeof(*comm->members), member_order);
	return PATHS_OK;
}

paths_status
es__export_members_open(const struct es__export *export,
    struct es__export_members *members)
{
	uint32_t number = 0;
	paths_status st = PATHS_OK;

	*members = (struct es__export_members){ .count = 0 };
	if (export->trace == NULL)
		return PATHS_OK;
	members->count = es_mpi_trace_input(export->trace)->comm_count;
	members->comms =
	    calloc(members->count + (size_t)1, sizeof(*members->comms));
	if (members->comms == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for communicators");
	for (uint32_t n = 0; st == PATHS_OK && n < members->count; n++) {
		st = comm_fill(export, n, &members->comms[n]);
		members->comms[n].number = number;
		number += members->comms[n].known;
	}
	return st;
}

void
es__export_members_close(struct es__export_members *members)
{
	for (uint32_t n = 0; members->comms != NULL && n < members->count; n++)
		free(members->comms[n].members);
	free(members->comms);
}

uint32_t
es__export_members_place(const struct es__export_members *members,
    uint32_t comm, uint32_t rank)
{
	const struct es__export_member *member;

	if (comm >= members->count || !members->comms[comm].known)
		return PATHS_NONE;
	if (comm == ES_MPI_RUN_SELF)
		return 0;
	member = bsearch(&(struct es__export_member){ .rank = rank },
	    members->comms[comm].members, members->comms[comm].count,
	    sizeof(*member), member_order);
	return member == NULL ? PATHS_NONE : member->place;
}
