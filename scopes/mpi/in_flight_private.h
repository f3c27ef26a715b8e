/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/in_flight_private.h - what is known of what somebody waits for
 *
 * From the words of threads that are inside of MPI, and from the trace, of
 * ranks of which it has everything: all calls from the first one on, and those
 * that have not come back.
 */

#ifndef SCOPES_MPI_IN_FLIGHT_PRIVATE_H
#define SCOPES_MPI_IN_FLIGHT_PRIVATE_H

#include "scopes/mpi/inside_private.h"
#include "scopes/mpi/trace_private.h"

/* Whether others did their part. */
enum es__answer { ES__NO, ES__YES, ES__UNKNOWN };

/* What is looked at. */
struct es__scene {
	const struct es_analysis *a;
	const struct es_mpi_trace *trace;
	const struct es__mpi_look *look;
	uint32_t *thread_first; /* of each rank, in the look; one more */
	bool certain;		/* believe only what the trace proves */
};

/* A message that is to come from a rank, or to go there. */
struct es__wish {
	uint32_t rank;	      /* whose wish it is */
	uint32_t other;	      /* NONE: of any source */
	uint32_t comm;	      /* NONE: not known */
	int32_t tag;	      /* negative: any */
	bool sends, receives; /* both: not known which */
	bool sure_waits; /* it does not end before the other side is there */
	/* Where it was posted.  NONE: not known; or a receive that the trace
	   does not have before it ends, as of a probe. */
	struct es_mpi_at post;
	bool unposted; /* the latter */
};

/* A collective that somebody is in. */
struct es__meeting {
	uint32_t rank; /* that is */
	uint32_t comm;
	uint32_t plan, number; /* as in a trace */
	uint32_t function;
	int32_t root; /* rank of the run; negative: none */
};

static inline const struct es__mpi_kind *
es__inside_kind(const struct es__scene *s, const struct es__mpi_inside *t)
{
	return es__mpi_kind(s->trace, t->function);
}

/* Whether the trace has all calls of a rank, the ones it is in too. */
bool es__rank_is_traced(const struct es__scene *s, uint32_t rank);

enum es__space_state es__rank_state(const struct es__scene *s, uint32_t rank);

/* What a thread sends, and what it receives; wishes that are for nothing have
   neither `sends` nor `receives`. */
struct es__wish es__wish_to_send(const struct es__scene *s,
    const struct es__mpi_inside *t);
struct es__wish es__wish_to_receive(const struct es__scene *s,
    const struct es__mpi_inside *t);

/*
 * es__wish_answer - whether the other side of a wish is under way, or done
 *
 * Of processes that live and are not traced it is UNKNOWN when their words or
 * requests may be the other side, and NO when not.
 */
enum es__answer es__wish_answer(const struct es__scene *s,
    const struct es__wish *w);

/* es__meeting_has - whether a rank has come to a collective */
enum es__answer es__meeting_has(const struct es__scene *s,
    const struct es__meeting *m, uint32_t rank);

#endif
