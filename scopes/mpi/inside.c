/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/inside.c - reads the MPI calls that the threads of a run are in
 */

#include "scopes/mpi/inside_private.h"

#include "scopes/mpi/traced_private.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads a consistent copy of a row; false: the row changes all the time. */
static bool
row_read(const struct es_mpi_thread *row, struct es_mpi_thread *words)
{
	for (int n = 0; n < 3; n++) {
		words->calls =
		    atomic_load_explicit(&row->calls, memory_order_acquire);
		words->inside =
		    atomic_load_explicit(&row->inside, memory_order_acquire);
		words->comm =
		    atomic_load_explicit(&row->comm, memory_order_relaxed);
		words->peer =
		    atomic_load_explicit(&row->peer, memory_order_relaxed);
		words->tag =
		    atomic_load_explicit(&row->tag, memory_order_relaxed);
		words->site =
		    atomic_load_explicit(&row->site, memory_order_relaxed);
		words->match =
		    atomic_load_explicit(&row->match, memory_order_relaxed);
		words->since =
		    atomic_load_explicit(&row->since, memory_order_relaxed);
		words->source =
		    atomic_load_explicit(&row->source, memory_order_relaxed);
		words->source_tag = atomic_load_explicit(&row->source_tag,
		    memory_order_relaxed);
		words->requests =
		    atomic_load_explicit(&row->requests, memory_order_relaxed);
		es_space_fence(memory_order_acquire);
		if (atomic_load_explicit(&row->inside, memory_order_relaxed) ==
			words->inside &&
		    atomic_load_explicit(&row->calls, memory_order_relaxed) ==
			words->calls)
			return true;
	}
	return false;
}

/* Returns whether a thread has exited while its process runs on this host. */
static bool
thread_exited(const struct es_run *run, const struct es_mpi_rank *r,
    const struct es_mpi_thread *row)
{
	char host[HOST_NAME_MAX + 1] = "";
	struct es_space_info info;
	char file[64];

	if (run->states[r->process] != ES__SPACE_LIVE || row->tid == 0)
		return false;
	es_space_info(r->space, &info);
	gethostname(host, sizeof(host) - 1);
	if (strcmp(host, info.host_name) != 0)
		return false;
	snprintf(file, sizeof(file), "/proc/%" PRIu64 "/task/%" PRIu64,
	    info.pid, row->tid);
	return access(file, F_OK) != 0;
}

/* Finds the call in the trace: the last of the thread, if it did not return. */
static struct es_mpi_at
thread_call(const struct es__traced *traced, const struct es__inside_thread *t)
{
	for (uint32_t r = 0; r < traced->in->input.ring_count; r++) {
		struct es_mpi_at last = { r,
			(uint32_t)traced->in->rings[r].count - 1 };
		const struct es_tuple_mpi *tuple;

		if (traced->in->rings[r].thread != t->thread ||
		    traced->in->rings[r].count == 0)
			continue;
		tuple = es_mpi_trace_tuple(&traced->in->input, last);
		if (tuple->stop == 0 && tuple->op == t->function &&
		    tuple->start == t->since)
			return last;
	}
	return (struct es_mpi_at){ PATHS_NONE, 0 };
}

/* Finds the last call of a thread that is outside of MPI, in the trace. */
static void
thread_last(const struct es_mpi *mpi, const struct es__traced *traced,
    struct es__inside_thread *t)
{
	const struct es_mpi_trace_input *input = &traced->in->input;

	for (uint32_t r = 0; r < input->ring_count; r++) {
		struct es_mpi_at at = { r,
			(uint32_t)traced->in->rings[r].count - 1 };
		const struct es_tuple_mpi *call;

		if (traced->in->rings[r].thread != t->thread ||
		    traced->in->rings[r].count == 0)
			continue;
		while (at.n > 0 && !es_mpi_trace_is_call(input, at))
			at.n--;
		call = es_mpi_trace_tuple(input, at);
		if (call->stop <= t->left)
			continue;
		t->last = call->op;
		t->left = call->stop;
		t->site = es_mpi_find_site(mpi, t->rank, call->site);
	}
}

static void
thread_read(struct es_analysis *a, const struct es__traced *traced,
    uint32_t rank, const struct es_mpi_thread *row, struct es__inside_thread *t)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	struct es_mpi_thread words;

	t->rank = rank;
	t->comm = t->site = PATHS_NONE;
	t->peer = ES_MPI_PEER_NONE;
	t->at.ring = PATHS_NONE;
	t->exited = thread_exited(a->run, es_mpi_rank(mpi, rank), row);
	if (!row_read(row, &words))
		return;
	t->calls = words.calls;
	t->requests = words.requests;
	if (words.inside == 0) {
		thread_last(mpi, traced, t);
		return;
	}
	t->function = words.inside - 1;
	t->comm = es_mpi_find_comm(mpi, rank, words.comm).comm;
	t->peer = es_mpi_find_peer(mpi, rank, words.peer);
	t->tag = words.tag;
	t->site = es_mpi_find_site(mpi, rank, words.site);
	t->match = words.match;
	t->source = es_mpi_find_peer(mpi, rank, words.source);
	t->source_tag = words.source_tag;
	t->since = words.since;
	if (t->since != 0)
		t->at = thread_call(traced, t);
}

static void
rank_read(struct es_analysis *a, const struct es__traced *traced, uint32_t rank,
    struct es__inside *inside)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	const struct es_mpi_rank *r = es_mpi_rank(mpi, rank);

	for (uint32_t n = 0; n < r->thread_count; n++) {
		const struct es_mpi_thread *row =
		    es_mpi_thread_row(mpi, r->thread_first + n);
		struct es__inside_thread *t = &inside->threads[inside->count];

		if (row == NULL)
			continue;
		inside->count++;
		*t =
		    (struct es__inside_thread){ .thread = r->thread_first + n };
		thread_read(a, traced, rank, row, t);
	}
}

int64_t
es__inside_ns(const struct es_analysis *a, const struct es__inside *inside,
    uint32_t rank, uint64_t ticks)
{
	const struct es_mpi_rank *of = es_mpi_rank(es_run_mpi(a->run), rank);
	const struct es_timebase *base = &a->bases[of->process];
	uint64_t until = a->run->ends[of->process].ticks;
	struct es_space_info info;

	if (ticks == 0 || of->space == NULL)
		return -1;
	es_space_info(of->space, &info);
	if (a->run->states[of->process] == ES__SPACE_LIVE)
		until = strcmp(info.clock_domain, paths_clock_domain()) == 0 ?
		    inside->now :
		    0;
	return until < ticks ?
	    -1 :
	    es_time_ns(base, until) - es_time_ns(base, ticks);
}

paths_status
es__inside_read(struct es_analysis *a, struct es__inside *inside)
{
	struct es__traced *traced;
	paths_status st = es__traced_get(a, &traced);

	*inside = (struct es__inside){ .now = 0 };
	if (st != PATHS_OK || traced == NULL)
		return st;
	inside->threads =
	    calloc(a->map->thread_count + (size_t)1, sizeof(*inside->threads));
	if (inside->threads == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	for (uint32_t r = 0; r < traced->in->input.rank_count; r++)
		rank_read(a, traced, r, inside);
	inside->now = paths_clock_ticks();
	return PATHS_OK;
}
