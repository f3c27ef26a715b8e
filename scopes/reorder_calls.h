/* SPDX-License-Identifier: MIT */
/*
 * scopes/reorder_calls.h - the MPI calls of scopes/reorder.h
 *
 * Compiled into the program, by the MPI of the program.  Include
 * scopes/reorder.h instead.
 */

#ifndef SCOPES_REORDER_CALLS_H
#define SCOPES_REORDER_CALLS_H

#include "scopes/reorder.h"

#ifdef MPI_VERSION

#include "collectors/mpi.h"

#include <stdlib.h>

PATHS_BEGIN_DECLS

/* Messages of a measurement, after one that is not counted. */
#define ES__REORDER_SMALL_ROUNDS 16
#define ES__REORDER_LARGE_ROUNDS 4

/* The ranks of a communicator while they are renumbered. */
struct es__reorder {
	MPI_Comm comm; /* a copy of that of the program */
	MPI_Datatype flow;
	int rank, size;
	struct es_reorder_site site; /* of this rank */
	const struct es_reorder_flow *flows;
	struct es_reorder_pairs pairs;
	int32_t partner;
	/* In rank 0 of all ranks; elsewhere NULL. */
	struct es_reorder_site *sites;
	struct es_reorder_flow *all;
	int *counts, *offsets;
	int32_t *partners;
	/* In all ranks. */
	uint32_t *ranks;
	char *buffer; /* of the largest message */
};

/* Returns a status that is the same in all ranks: an error if one has one. */
static inline paths_status
es__reorder_agree(const struct es__reorder *r, paths_status st)
{
	paths_status all;

	PMPI_Allreduce(&st, &all, 1, MPI_INT, MPI_MIN, r->comm);
	return all;
}

static inline paths_status
es__reorder_init(struct es__reorder *r, MPI_Comm comm)
{
	size_t n;

	PMPI_Comm_dup(comm, &r->comm);
	PMPI_Comm_rank(comm, &r->rank);
	PMPI_Comm_size(comm, &r->size);
	PMPI_Type_contiguous((int)sizeof(struct es_reorder_flow), MPI_BYTE,
	    &r->flow);
	PMPI_Type_commit(&r->flow);
	n = (size_t)r->size;
	r->ranks = (uint32_t *)calloc(n, sizeof(*r->ranks));
	r->buffer = (char *)calloc(1, ES_REORDER_BYTES_MOST);
	if (r->rank == 0) {
		r->sites =
		    (struct es_reorder_site *)calloc(n, sizeof(*r->sites));
		r->counts = (int *)calloc(n, sizeof(*r->counts));
		r->offsets = (int *)calloc(n, sizeof(*r->offsets));
		r->partners = (int32_t *)calloc(n, sizeof(*r->partners));
	}
	return r->ranks == NULL || r->buffer == NULL ||
		(r->rank == 0 &&
		    (r->sites == NULL || r->counts == NULL ||
			r->offsets == NULL || r->partners == NULL)) ?
	    PATHS_ENOMEM :
	    PATHS_OK;
}

static inline void
es__reorder_fini(struct es__reorder *r)
{
	PMPI_Type_free(&r->flow);
	PMPI_Comm_free(&r->comm);
	free(r->sites);
	free(r->all);
	free(r->counts);
	free(r->offsets);
	free(r->partners);
	free(r->ranks);
	free(r->buffer);
}

/* Passes the topology that one rank of a host has read to the others of the
   host.  Without it, or memory for it, all have none. */
static inline void
es__reorder_share(struct paths_topology *topology, MPI_Comm node)
{
	int has, all;

	PMPI_Bcast(&topology->count, 1, MPI_UINT32_T, 0, node);
	if (topology->pus == NULL)
		topology->pus = (struct paths_topology_pu *)
		    calloc(topology->count + (size_t)1, sizeof(*topology->pus));
	has = topology->pus != NULL;
	PMPI_Allreduce(&has, &all, 1, MPI_INT, MPI_MIN, node);
	if (!all)
		topology->count = 0;
	PMPI_Bcast(topology->pus,
	    (int)(topology->count * sizeof(*topology->pus)), MPI_BYTE, 0, node);
}

/* Makes the communicator of the ranks of a host, which have the same processor
   name: by 62 bits of its hash. */
static inline MPI_Comm
es__reorder_node(const struct es__reorder *r)
{
	char name[MPI_MAX_PROCESSOR_NAME];
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	MPI_Comm half, node;
	int length;

	PMPI_Get_processor_name(name, &length);
	for (int n = 0; n < length; n++)
		hash =
		    (hash ^ (unsigned char)name[n]) * UINT64_C(0x100000001b3);
	PMPI_Comm_split(r->comm, (int)(hash & INT32_MAX), r->rank, &half);
	PMPI_Comm_split(half, (int)(hash >> 33), r->rank, &node);
	PMPI_Comm_free(&half);
	return node;
}

/* Finds where this rank runs.  One rank of each host reads its topology; where
   it cannot be read, only the host is known. */
static inline void
es__reorder_place(struct es__reorder *r, uint32_t processor)
{
	struct paths_topology topology = { NULL, 0, "" };
	MPI_Comm node = es__reorder_node(r);
	int rank;

	PMPI_Comm_rank(node, &rank);
	PMPI_Allreduce(&r->rank, &r->site.host, 1, MPI_INT, MPI_MIN, node);
	if (rank == 0 && paths_topology_here(&topology) != PATHS_OK)
		topology.count = 0;
	es__reorder_share(&topology, node);
	es_reorder_find(&topology, processor, &r->site);
	paths_topology_fini(&topology);
	PMPI_Comm_free(&node);
}

/* Gathers what all ranks know, in rank 0. */
static inline paths_status
es__reorder_gather(struct es__reorder *r)
{
	paths_status st = PATHS_OK;
	size_t total = 0;

	PMPI_Gather(&r->site, (int)sizeof(r->site), MPI_BYTE, r->sites,
	    (int)sizeof(r->site), MPI_BYTE, 0, r->comm);
	for (int n = 0; r->rank == 0 && n < r->size; n++) {
		r->counts[n] = (int)r->sites[n].flow_count;
		r->offsets[n] = (int)total;
		total += r->sites[n].flow_count;
	}
	if (total > INT32_MAX)
		st = PATHS_ERANGE;
	else if (r->rank == 0)
		r->all = (struct es_reorder_flow *)calloc(total + 1,
		    sizeof(*r->all));
	if (st == PATHS_OK && r->rank == 0 && r->all == NULL)
		st = PATHS_ENOMEM;
	st = es__reorder_agree(r, st);
	if (st == PATHS_OK)
		PMPI_Gatherv(r->flows, (int)r->site.flow_count, r->flow, r->all,
		    r->counts, r->offsets, r->flow, 0, r->comm);
	return st;
}

/* Returns the least time of a message between two ranks, one way. */
static inline double
es__reorder_bounce(const struct es__reorder *r, int peer, bool first, int bytes,
    int rounds)
{
	double least = -1;

	for (int n = 0; n <= rounds; n++) {
		double began = PMPI_Wtime(), took;

		if (first)
			PMPI_Send(r->buffer, bytes, MPI_BYTE, peer, 0, r->comm);
		PMPI_Recv(r->buffer, bytes, MPI_BYTE, peer, 0, r->comm,
		    MPI_STATUS_IGNORE);
		if (!first)
			PMPI_Send(r->buffer, bytes, MPI_BYTE, peer, 0, r->comm);
		took = (PMPI_Wtime() - began) / 2;
		if (n > 0 && (least < 0 || took < least))
			least = took;
	}
	return least;
}

/* Measures the messages of a level, and tells the result to all ranks. */
static inline struct es_reorder_link
es__reorder_link(const struct es__reorder *r, int level)
{
	int a = r->pairs.first[level], b = r->pairs.second[level];
	struct es_reorder_link link = { 0, 0 };
	double large;

	if (r->rank == a || r->rank == b) {
		int peer = r->rank == a ? b : a;

		link.latency_s = es__reorder_bounce(r, peer, r->rank == a, 8,
		    ES__REORDER_SMALL_ROUNDS);
		large = es__reorder_bounce(r, peer, r->rank == a,
		    (int)r->pairs.bytes, ES__REORDER_LARGE_ROUNDS);
		if (large > link.latency_s)
			link.byte_s =
			    (large - link.latency_s) / (double)r->pairs.bytes;
	}
	PMPI_Bcast(&link, 2, MPI_DOUBLE, a, r->comm);
	return link;
}

/* Returns the time of a byte between two hosts while all their ranks send, in
   one direction. */
static inline double
es__reorder_host_byte(const struct es__reorder *r,
    const struct es_reorder_link *link)
{
	int sends = r->partner >= 0, senders;
	int peer = sends ? r->partner : -2 - r->partner;
	int bytes = (int)r->pairs.bytes, count = ES__REORDER_LARGE_ROUNDS;
	double began, took = 0, most;

	PMPI_Allreduce(&sends, &senders, 1, MPI_INT, MPI_SUM, r->comm);
	if (senders < 2)
		return link->byte_s;
	began = PMPI_Wtime();
	for (int n = 0; n < count && r->partner != -1; n++) {
		if (sends)
			PMPI_Send(r->buffer, bytes, MPI_BYTE, peer, 0, r->comm);
		else
			PMPI_Recv(r->buffer, bytes, MPI_BYTE, peer, 0, r->comm,
			    MPI_STATUS_IGNORE);
	}
	if (r->partner != -1 && !sends)
		PMPI_Send(r->buffer, 0, MPI_BYTE, peer, 0, r->comm);
	if (sends) {
		PMPI_Recv(r->buffer, 0, MPI_BYTE, peer, 0, r->comm,
		    MPI_STATUS_IGNORE);
		took = PMPI_Wtime() - began - 2 * link->latency_s;
	}
	PMPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, r->comm);
	took = most / ((double)senders * count * bytes);
	if (took > link->byte_s)
		return link->byte_s;
	return took < link->byte_s / senders ? link->byte_s / senders : took;
}

/* Measures all levels.  One that no pair of ranks shares costs as the one above
   it, and is never asked for. */
static inline void
es__reorder_measure(struct es__reorder *r, struct es_reorder_links *links)
{
	if (r->rank == 0)
		es_reorder_pairs_choose(r->sites, (uint32_t)r->size, r->all,
		    &r->pairs, r->partners);
	PMPI_Bcast(&r->pairs, (int)sizeof(r->pairs), MPI_BYTE, 0, r->comm);
	PMPI_Scatter(r->partners, 1, MPI_INT, &r->partner, 1, MPI_INT, 0,
	    r->comm);
	for (int level = 0; level < ES_REORDER_LEVELS; level++) {
		if (r->pairs.first[level] >= 0)
			links->levels[level] = es__reorder_link(r, level);
		else if (level > 0)
			links->levels[level] = links->levels[level - 1];
	}
	links->host_byte_s =
	    es__reorder_host_byte(r, &links->levels[ES_REORDER_NONE]);
}

/* Finds new numbers in rank 0, and tells them to all. */
static inline paths_status
es__reorder_plan(struct es__reorder *r,
    const struct es_reorder_options *options,
    const struct es_reorder_links *links, struct es_reorder_result *result)
{
	struct es_reorder_job job;
	paths_status st = PATHS_OK;

	job.sites = r->sites;
	job.count = (uint32_t)r->size;
	job.flows = r->all;
	job.links = *links;
	job.steps = options->steps;
	job.steps_left = options->steps_left;
	job.rate = options->rate;
	job.seed = options->seed;
	job.moves = options->moves;
	if (r->rank == 0)
		st = es_reorder_plan(&job, r->ranks, result);
	st = es__reorder_agree(r, st);
	if (st != PATHS_OK)
		return st;
	PMPI_Bcast(result, (int)sizeof(*result), MPI_BYTE, 0, r->comm);
	PMPI_Bcast(r->ranks, r->size, MPI_UINT32_T, 0, r->comm);
	result->rank = r->ranks[r->rank];
	return PATHS_OK;
}

/* Does all but the new communicator; nothing of it is recorded. */
static inline paths_status
es__reorder_decide(struct es__reorder *r, struct es_reorder *reorder,
    const struct es_reorder_options *options, struct es_reorder_result *result)
{
	struct es_reorder_links links = { { { 0, 0 } }, 0 };
	size_t count = 0;
	paths_status st = es__reorder_agree(r,
	    es_reorder_flows(reorder, &r->flows, &count, &r->site.world));

	if (st != PATHS_OK)
		return st;
	r->site.flow_count = count;
	r->site.state_bytes = options->state_bytes;
	es__reorder_place(r, options->processor);
	st = es__reorder_gather(r);
	if (st != PATHS_OK)
		return st;
	if (options->links != NULL)
		links = *options->links;
	else
		es__reorder_measure(r, &links);
	return es__reorder_plan(r, options, &links, result);
}

/*
 * es_reorder_comm - renumber the ranks of a communicator, if that pays
 *
 * Collective over comm.  Decision and status are the same in all ranks.  Its
 * calls of MPI are not recorded, but the new communicator is; calls of other
 * threads of the process are not recorded meanwhile.  Errors of MPI go to the
 * error handler of comm; if that returns, the results are not defined.
 *
 * reorder	the traffic of this process; if it pays, a new interval begins
 * comm		an intracommunicator
 * result	out, if the status is PATHS_OK
 * renumbered	out: MPI_COMM_NULL if it does not pay, or on failure
 *
 * Returns	PATHS_OK	also if it does not pay
 *		PATHS_ERANGE	more pairs of ranks than MPI counts
 *		PATHS_ENOMEM
 *		a status of es_reorder_flows or es_reorder_plan, in some rank
 * Ownership	the caller frees *renumbered, by MPI_Comm_free
 * Threads	one, while no other thread uses the environment; see
 *		paths_topology_here
 * Since	0.1
 */
static inline PATHS_CHECKED paths_status
es_reorder_comm(struct es_reorder *reorder, MPI_Comm comm,
    const struct es_reorder_options *options, struct es_reorder_result *result,
    MPI_Comm *renumbered)
{
	struct es__reorder r = { 0 };
	uint32_t mode = 0;
	paths_status recorded = es_reorder_pause(&mode);
	paths_status st = es__reorder_init(&r, comm);

	st = es__reorder_agree(&r, st != PATHS_OK ? st : recorded);
	if (st == PATHS_OK)
		st = es__reorder_decide(&r, reorder, options, result);
	if (st == PATHS_OK && result->pays)
		st = es__reorder_agree(&r, es_reorder_restart(reorder));
	es__reorder_fini(&r);
	if (recorded == PATHS_OK)
		recorded = es_mpi_mode(mode);
	*renumbered = MPI_COMM_NULL;
	if (st == PATHS_OK && result->pays)
		MPI_Comm_split(comm, 0, (int)result->rank, renumbered);
	return st;
}

PATHS_END_DECLS

#endif

#endif
