/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/window.c - windows of a run, and the groups of their epochs
 */

#include "scopes/export/window_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

struct window_key {
	uint32_t comm, number; /* number 0: the slot is free */
	uint32_t index;
};

struct set_key {
	const struct es_mpi_rank_set *set;
	uint32_t group;
};

static bool
window_used(const void *item)
{
	return ((const struct window_key *)item)->number != 0;
}

static uint64_t
window_hash(const void *item)
{
	const struct window_key *k = item;

	return paths__hash_mix((uint64_t)k->comm << 32 | k->number);
}

static bool
window_equal(const void *a, const void *b)
{
	const struct window_key *one = a, *other = b;

	return one->comm == other->comm && one->number == other->number;
}

static const struct paths__hash_kind window_kind = {
	.bytes = sizeof(struct window_key),
	.used = window_used,
	.hash = window_hash,
	.equal = window_equal,
};

static bool
group_used(const void *item)
{
	return ((const struct es__export_group *)item)->number != 0;
}

static uint64_t
group_hash(const void *item)
{
	const struct es__export_group *g = item;
	uint64_t h = g->count;

	for (uint32_t n = 0; n < g->count; n++)
		h = paths__hash_mix(h + g->members[n]);
	return h;
}

static bool
group_equal(const void *a, const void *b)
{
	const struct es__export_group *one = a, *other = b;

	return one->count == other->count &&
	    (one->count == 0 ||
		memcmp(one->members, other->members,
		    one->count * sizeof(*one->members)) == 0);
}

static const struct paths__hash_kind group_kind = {
	.bytes = sizeof(struct es__export_group),
	.used = group_used,
	.hash = group_hash,
	.equal = group_equal,
};

static bool
set_used(const void *item)
{
	return ((const struct set_key *)item)->set != NULL;
}

static uint64_t
set_hash(const void *item)
{
	return paths__hash_mix((uintptr_t)((const struct set_key *)item)->set);
}

static bool
set_equal(const void *a, const void *b)
{
	return ((const struct set_key *)a)->set ==
	    ((const struct set_key *)b)->set;
}

static const struct paths__hash_kind set_kind = {
	.bytes = sizeof(struct set_key),
	.used = set_used,
	.hash = set_hash,
	.equal = set_equal,
};

static paths_status
windows_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for windows");
}

static enum es__export_rma
rma_of_window(const char *name)
{
	static const struct {
		const char *name;
		enum es__export_rma rma;
	} calls[] = {
		{ "create", ES__EXPORT_RMA_CREATE },
		{ "create_dynamic", ES__EXPORT_RMA_CREATE },
		{ "allocate", ES__EXPORT_RMA_ALLOCATE },
		{ "allocate_shared", ES__EXPORT_RMA_ALLOCATE },
		{ "free", ES__EXPORT_RMA_FREE },
		{ "fence", ES__EXPORT_RMA_FENCE },
		{ "post", ES__EXPORT_RMA_POST },
		{ "start", ES__EXPORT_RMA_START },
		{ "complete", ES__EXPORT_RMA_COMPLETE },
		{ "wait", ES__EXPORT_RMA_WAIT },
		{ "test", ES__EXPORT_RMA_TEST },
		{ "lock", ES__EXPORT_RMA_LOCK },
		{ "lock_all", ES__EXPORT_RMA_LOCK_ALL },
		{ "unlock", ES__EXPORT_RMA_UNLOCK },
		{ "unlock_all", ES__EXPORT_RMA_UNLOCK_ALL },
		{ "flush", ES__EXPORT_RMA_FLUSH },
		{ "flush_all", ES__EXPORT_RMA_FLUSH_ALL },
		{ "flush_local", ES__EXPORT_RMA_FLUSH_LOCAL },
		{ "flush_local_all", ES__EXPORT_RMA_FLUSH_LOCAL_ALL },
		{ "sync", ES__EXPORT_RMA_SYNC },
	};

	for (size_t n = 0; n < sizeof(calls) / sizeof(calls[0]); n++)
		if (strcmp(name + strlen("MPI_Win_"), calls[n].name) == 0)
			return calls[n].rma;
	return ES__EXPORT_RMA_NONE;
}

static enum es__export_rma
rma_of(uint32_t function)
{
	const struct es_mpi_function *f = es_mpi_function(function);

	if (function == ES_MPI_COMPLETED)
		return ES__EXPORT_RMA_ENDS;
	switch (f->role) {
	case ES_MPI_ROLE_PUT:
	case ES_MPI_ROLE_GET:
		return ES__EXPORT_RMA_ACCESS;
	case ES_MPI_ROLE_WINDOW:
		return rma_of_window(f->name);
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
		return ES__EXPORT_RMA_ENDS;
	case ES_MPI_ROLE_TEST:
		/* These complete no request. */
		return strcmp(f->name, "MPI_Parrived") == 0 ||
			strcmp(f->name, "MPI_Request_get_status") == 0 ?
		    ES__EXPORT_RMA_NONE :
		    ES__EXPORT_RMA_ENDS;
	default:
		return ES__EXPORT_RMA_NONE;
	}
}

paths_status
es__export_windows_open(struct es__export_windows *windows)
{
	*windows = (struct es__export_windows){ .rma = NULL };
	while (es_mpi_function(windows->function_count) != NULL)
		windows->function_count++;
	windows->rma = malloc(windows->function_count + (size_t)1);
	if (windows->rma == NULL)
		return windows_no_memory();
	for (uint32_t n = 0; n < windows->function_count; n++)
		windows->rma[n] = (uint8_t)rma_of(n);
	return PATHS_OK;
}

void
es__export_windows_close(struct es__export_windows *windows)
{
	for (size_t n = 0; n < windows->group_count; n++)
		free(windows->groups[n].members);
	free(windows->rma);
	free(windows->list);
	free(windows->groups);
	free(windows->keys.slots);
	free(windows->group_keys.slots);
	free(windows->set_keys.slots);
}

enum es__export_rma
es__export_windows_rma(const struct es__export_windows *windows,
    uint32_t function)
{
	return function < windows->function_count ? windows->rma[function] :
						    ES__EXPORT_RMA_NONE;
}

/* Returns the key of the window of a call; number 0: not known. */
static struct window_key
call_window(const struct es_mpi_trace_rank *rank,
    const struct es_tuple_mpi *call)
{
	struct window_key key = { .comm = PATHS_NONE };

	if (call->comm < rank->comm_count)
		key.comm = rank->comms[call->comm];
	if (key.comm != PATHS_NONE && call->tag > 0)
		key.number = (uint32_t)call->tag;
	return key;
}

paths_status
es__export_windows_put(struct es__export_windows *windows,
    const struct es__export_members *members,
    const struct es_mpi_trace_rank *rank, const struct es_tuple_mpi *call,
    uint32_t *index)
{
	struct window_key key = call_window(rank, call);
	const struct window_key *found;

	*index = PATHS_NONE;
	if (key.number == 0 || key.comm >= members->count ||
	    !members->comms[key.comm].known)
		return PATHS_OK;
	key.index = (uint32_t)windows->count;
	if (!paths__array_grow(&windows->list, windows->count, &windows->room,
		sizeof(*windows->list)))
		return windows_no_memory();
	found = paths__hash_put(&windows->keys, &window_kind, &key);
	if (found == NULL)
		return windows_no_memory();
	*index = found->index;
	if (found->index == windows->count)
		windows->list[windows->count++] =
		    (struct es__export_window){ key.comm, key.number, false,
			    false };
	return PATHS_OK;
}

uint32_t
es__export_windows_find(const struct es__export_windows *windows,
    const struct es_mpi_trace_rank *rank, const struct es_tuple_mpi *call)
{
	struct window_key key = call_window(rank, call);
	const struct window_key *found = NULL;

	if (key.number != 0)
		found = paths__hash_find(&windows->keys, &window_kind, &key);
	return found == NULL ? PATHS_NONE : found->index;
}

/* Adds a group, or finds an equal one; takes its members.  number: out */
static paths_status
group_put(struct es__export_windows *w, struct es__export_group *group,
    uint32_t *number)
{
	const struct es__export_group *found;

	group->number = (uint32_t)w->group_count + 1;
	if (!paths__array_grow(&w->groups, w->group_count, &w->group_room,
		sizeof(*w->groups))) {
		free(group->members);
		return windows_no_memory();
	}
	found = paths__hash_put(&w->group_keys, &group_kind, group);
	if (found != NULL && found->number == group->number)
		w->groups[w->group_count++] = *group;
	else
		free(group->members);
	if (found == NULL)
		return windows_no_memory();
	*number = found->number - 1;
	return PATHS_OK;
}

/* Counts the members of a set, and stores them unless members is NULL.  Returns
   false if one is not known. */
static bool
set_members(const struct es_mpi_trace_rank *rank,
    const struct es_mpi_rank_set *set, uint64_t *members, uint32_t *count)
{
	const struct es_mpi_ranks *runs =
	    (const struct es_mpi_ranks *)(set + 1);

	*count = 0;
	for (uint32_t r = 0; r < set->runs; r++) {
		/* A damaged run may have any ranks, without end. */
		if (runs[r].count > 1 && runs[r].stride == 0)
			return false;
		for (uint32_t n = 0; n < runs[r].count; n++) {
			int64_t peer =
			    runs[r].first + (int64_t)runs[r].stride * n;

			if (peer < 0 || peer >= rank->peer_count ||
			    rank->peers[peer] == PATHS_NONE)
				return false;
			if (members != NULL)
				members[*count] = rank->peers[peer];
			++*count;
		}
	}
	return true;
}

paths_status
es__export_windows_group(struct es__export_windows *windows,
    const struct es_mpi_trace_rank *rank, const struct es_tuple_mpi *call,
    uint32_t *number)
{
	struct set_key key = { es_mpi_trace_set(rank, call->peer), PATHS_NONE };
	struct es__export_group made;
	const struct set_key *found;
	paths_status st = PATHS_OK;

	*number = PATHS_NONE;
	if (key.set == NULL || key.set->kind != ES_MPI_RANKS_GROUP)
		return PATHS_OK;
	found = paths__hash_find(&windows->set_keys, &set_kind, &key);
	if (found != NULL) {
		*number = found->group;
		return PATHS_OK;
	}
	if (set_members(rank, key.set, NULL, &made.count)) {
		made.members =
		    calloc(made.count + (size_t)1, sizeof(*made.members));
		if (made.members == NULL)
			return windows_no_memory();
		(void)set_members(rank, key.set, made.members, &made.count);
		st = group_put(windows, &made, &key.group);
	}
	*number = key.group;
	return st != PATHS_OK ||
		paths__hash_put(&windows->set_keys, &set_kind, &key) != NULL ?
	    st :
	    windows_no_memory();
}
