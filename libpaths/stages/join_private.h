/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/join_private.h - what all joins share
 *
 * A join has inputs and one tail.  The operations of all inputs but the last
 * to arrive are parked; the last one carries what they make together down the
 * tail, and on its up-pass hands what came up to the others.  One such round
 * is a generation.
 *
 * An arrival costs a store and one atomic addition; there is no lock and no
 * memory taken.  The tuples are combined by the carrier alone, in the order
 * of the inputs, so that sums of floating point come out the same every time.
 */

#ifndef LIBPATHS_STAGES_JOIN_PRIVATE_H
#define LIBPATHS_STAGES_JOIN_PRIVATE_H

#include "libpaths/engine/wait_private.h"
#include "libpaths/map/stage_private.h"

#include <stdalign.h>

#define JOIN_LINE_BYTES 64

/* A set of kinds of operation. */
#define JOIN_KIND(kind) (1u << (kind))

struct join;

/* Put the tuple of one input into join->acc; called in order of inputs. */
typedef void join_put(struct join *j, uint32_t input, const void *tuple);

/* Combine count values of from into acc. */
typedef void join_fold(void *acc, const void *from, uint32_t count);

/* What makes one join differ from another. */
struct join_spec {
	uint32_t kinds; /* of operations it takes */
	join_put *put;	/* NULL where nothing goes down */
	join_fold *fold;
	bool sliced; /* each input has its own part of the tail's tuple */
};

/* One cache line; op is the token of ownership: who exchanges it for NULL
   has the operation and must end it. */
struct join_input {
	alignas(JOIN_LINE_BYTES) _Atomic(struct paths_op *) op;
	_Atomic uint64_t deadline; /* of op */
	struct paths_op *held;	   /* the carrier's, while it hands out */
	struct join *join;
	uint32_t index;
};

struct join {
	/* Written by open. */
	struct join_spec spec;
	uint32_t inputs;
	uint32_t values; /* in a tuple from above */
	uint32_t above_bytes;
	uint32_t below_bytes;
	uint32_t stride; /* in acc, from one input to the next; or 0 */
	struct paths_program *program;
	const char *name;   /* the map's */
	uint32_t tail;	    /* its first item; PATHS_NONE */
	unsigned char *acc; /* the tail's tuple: written by the carrier */

	/* Written by the carrier, for its up-pass. */
	void *tuple;
	uint32_t bytes;
	uint64_t deadline;
	/* Its link that is the join. */
	_Atomic(const struct paths__link *) carrier_at;
	_Atomic(struct paths_op *) carrier; /* NULL: nobody, or not yet */

	/* Written by the first lost input, before LOST is set in state. */
	uint32_t lost_input;
	bool lost_closed; /* in good order */
	char lost_why[PATHS_OP_WHY_BYTES];
	atomic_flag losing;

	/* Written by every arrival: see join.c. */
	alignas(JOIN_LINE_BYTES) _Atomic uint64_t state;
	_Atomic uint64_t generations; /* by the carrier */
	_Atomic uint64_t failures;    /* by the carrier */
	alignas(JOIN_LINE_BYTES) struct paths__wake wake;
	struct join_input input[];
};

/* The state of every join stage: the path's memory is not aligned. */
struct join_stage {
	struct join *join;
};

/*
 * join_types_same, join_types_sliced - for .types of a join with -type
 *
 * same: the tail has tuples of -type too; sliced: it has them once for each
 * input.
 *
 * Returns	PATHS_OK; PATHS_ERANGE when the tail's tuples are too large
 * Threads	any
 * Since	0.1
 */
paths_status join_types_same(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below);
paths_status join_types_sliced(const struct paths_map_item *item,
    uint32_t inputs, struct paths_type *above, struct paths_type *below);

/*
 * join_put_first - a join_put: the tuple of input 0 goes down
 *
 * Returns	nothing
 * Threads	the carrier's
 * Since	0.1
 */
void join_put_first(struct join *j, uint32_t input, const void *tuple);

/*
 * join_open - make a join; for open of a join stage
 *
 * spec		copied
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
paths_status join_open(struct join_stage *self,
    const struct paths_stage_env *env, const struct join_spec *spec);

/* The functions of a join stage that are the same for all. */
void *join_port(void *self, uint32_t input);
enum paths_pass join_down(void *self, struct paths_op *op, uint64_t *slot);
void join_up(void *self, struct paths_op *op, uint64_t *slot);
bool join_cancel(void *self, struct paths_op *op, uint64_t *slot);
void join_lost(void *self, const char *why);
void join_stat(const void *self, paths_stat_emit *emit, void *to);
void join_close(void *self);

#endif
