/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waiter_unsure.c - keeps calls with sends for which it is decided
 * later whether they are matched
 */

#include "scopes/mpi/waiter_unsure_private.h"

#include "scopes/mpi/waits_cover_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* A call with sends for which it is not decided whether they are matched. */
struct unsure {
	uint32_t ring, n; /* its first tuple; ring + 1, so that 0 is none */
	uint32_t sends;	  /* number of sends that are not decided */
	bool uncovered;
};

static bool
unsure_used(const void *item)
{
	return ((const struct unsure *)item)->ring != 0;
}

static uint64_t
unsure_hash(const void *item)
{
	const struct unsure *u = item;

	return ((((uint64_t)u->ring << 32) | u->n) *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
unsure_equal(const void *a, const void *b)
{
	const struct unsure *one = a, *other = b;

	return one->ring == other->ring && one->n == other->n;
}

static const struct paths__hash_kind unsure_kind = {
	.bytes = sizeof(struct unsure),
	.used = unsure_used,
	.hash = unsure_hash,
	.equal = unsure_equal,
};

paths_status
es__waiter_unsure(struct es__waiter *w, struct es_mpi_at call)
{
	const struct unsure u = { call.ring + 1, call.n, w->unsure,
		w->uncovered };

	return paths__hash_put(&w->unsure_calls, &unsure_kind, &u) != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for messages");
}

/* Takes a decided send of a kept call. */
static void
unsure_decide(struct es__waiter *w, const struct es__mpi_late *late)
{
	static const struct es_mpi_trace_link none = { ES__MPI_NOWHERE,
		ES__MPI_NOWHERE, PATHS_NONE, PATHS_NONE };
	const struct es_mpi_trace_input *input = &w->trace->input;
	struct es_mpi_at at = late->done;
	const struct es_tuple_mpi *call;
	struct unsure *u;

	while (!es_mpi_trace_is_call(input, at))
		at.n--;
	call = es_mpi_trace_tuple(input, at);
	u = paths__hash_find(&w->unsure_calls, &unsure_kind,
	    &(struct unsure){ .ring = at.ring + 1, .n = at.n });
	if (u == NULL)
		return;
	if (!late->matched && !u->uncovered &&
	    call->op < w->trace->kind_count &&
	    !es__waits_covered(w->trace, late->done, call, &none)) {
		const struct es_timebase *base = &input->ranks[w->rank].base;
		int64_t enter_ns = es_time_ns(base, call->start);

		w->waits->functions[call->op].uncovered_ns +=
		    es__waiter_inside(w, enter_ns,
			es_time_ns(base, call->stop) - enter_ns);
		u->uncovered = true;
	}
	if (--u->sends == 0)
		paths__hash_drop(&w->unsure_calls, &unsure_kind, u);
}

void
es__waiter_unsure_decide(struct es__waiter *w)
{
	const struct es__mpi_lates *lates = &w->trace->scans[w->rank].lates;

	for (size_t n = 0; n < lates->count; n++)
		unsure_decide(w, &lates->list[n]);
}

void
es__waiter_unsure_fini(struct es__waiter *w)
{
	free(w->unsure_calls.slots);
}
