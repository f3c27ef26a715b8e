/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/join_private.h - parks, carries and ends the operations of a
 * join
 *
 * A join has inputs and one tail.  The operations of all inputs but the last
 * to arrive are parked.  The last operation is the carrier: it takes the
 * combined tuple down the tail, and its up-pass hands the result to the other
 * operations.  One such cycle is a generation.
 *
 * An arrival costs some stores and one atomic addition, but no lock and no
 * allocation.
 * Only the carrier combines tuples, in the order of the inputs, so sums of
 * floating-point values are the same every time.
 */

#ifndef LIBPATHS_STAGES_JOIN_PRIVATE_H
#define LIBPATHS_STAGES_JOIN_PRIVATE_H

#include "libpaths/engine/wait_private.h"
#include "libpaths/map/stage_private.h"

#include <pthread.h>
#include <stdalign.h>

#define JOIN_LINE_BYTES 64

struct join;

/* Puts the tuple of one input into join->acc, and sets join->length; is called
   in order of inputs.  Returns false if the tuple has a wrong length. */
typedef bool join_put(struct join *j, uint32_t input, const void *tuple,
    uint32_t bytes);

/* Combines count values of from with those of acc, into acc. */
typedef void join_fold(void *acc, const void *from, uint32_t count);

/* The parts in which kinds of joins differ. */
struct join_spec {
	join_put *put; /* NULL: no tuple goes down */
	join_fold *fold;
	bool sliced; /* each input has a part of the tail's tuple */
	uint32_t part_at, part_bytes; /* allgather: the part of input 0 */
	bool even; /* allgather: equal parts of each tuple instead */
};

/* One cache line.  op is a token; join.c states which thread may take it and
   then ends the operation. */
struct join_input {
	alignas(JOIN_LINE_BYTES) _Atomic(struct paths_op *) op;
	_Atomic uint64_t deadline; /* of op */
	struct paths_op *held;	   /* by the carrier, in join_hand_out */
	struct paths_op *taken;	   /* by join_lose, for join_fail_taken */
	struct join *join;
	/* The part of acc that the input gets; written by the carrier. */
	uint32_t part_at, part_bytes;
	uint32_t index;
	bool lost;   /* under join->ending, as `closed` */
	bool closed; /* the input closed; its process is not gone */
};

struct join {
	/* Written by open. */
	struct join_spec spec;
	uint32_t kinds; /* of operations it takes */
	uint32_t inputs;
	uint32_t value_bytes; /* of one value of a tuple */
	uint32_t below_bytes; /* the greatest of a tuple of the tail */
	bool varies;	      /* tuples have several lengths */
	struct paths_program *program;
	const char *name;   /* in the map */
	uint32_t tail;	    /* first item of the tail; PATHS_NONE: none */
	unsigned char *acc; /* tuple of the tail, written by the carrier */
	uint32_t length;    /* of acc, written by the carrier */

	/* Written by the carrier; the first four for its up-pass, the others
	   also for join_abort. */
	enum paths_kind kind;
	void *tuple;
	uint32_t bytes;
	uint64_t deadline;
	/* The link of the join on the carrier's path. */
	_Atomic(const struct paths__link *) carrier_at;
	_Atomic(struct paths_op *) carrier; /* NULL: no input carries */

	/* Held while an input ends or opens again.  Its order with other locks
	   is that of the stages, the first of a path first. */
	pthread_mutex_t ending;
	bool ending_made;
	uint32_t lost; /* count of lost inputs; under `ending` */
	bool failing;  /* join_fail_taken goes on; under `ending` */
	/* The cause that is reported; under `ending`. */
	uint32_t lost_input;
	bool lost_closed;
	char lost_why[PATHS_OP_WHY_BYTES]; /* of the first process gone */

	/* Written by every arrival: see join.c. */
	alignas(JOIN_LINE_BYTES) _Atomic uint64_t state;
	_Atomic uint64_t generations; /* counted by the carrier */
	_Atomic uint64_t failures;    /* counted by the carrier */
	alignas(JOIN_LINE_BYTES) struct paths__wake wake;
	struct join_input input[];
};

/* The state of every join stage.  The join is allocated apart, because the
   state of a stage is not aligned to cache lines. */
struct join_stage {
	struct join *join;
};

/*
 * join_types_same, join_types_sliced - the types of a join with -type
 *
 * same: the tail has tuples of -type too.  sliced: a tuple of the tail has one
 * tuple of -type for each input.  Without -type, which only same allows, the
 * type is that of the next stage.
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
 * join_put_first - a join_put that sends the tuple of input 0 down
 *
 * Returns	true
 * Threads	that of the carrier
 * Since	0.1
 */
bool join_put_first(struct join *j, uint32_t input, const void *tuple,
    uint32_t bytes);

/*
 * join_open - open a stage that is a join
 *
 * spec		copied
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
paths_status join_open(struct join_stage *self,
    const struct paths_stage_env *env, const struct join_spec *spec);

/* Functions that all join stages share. */
void *join_port(void *self, uint32_t input);
enum paths_pass join_down(void *self, struct paths_op *op, uint64_t *slot);
void join_up(void *self, struct paths_op *op, uint64_t *slot);
bool join_cancel(void *self, struct paths_op *op, uint64_t *slot);
void join_lost(void *self, const char *why);
paths_status join_reopen(void *self);
void join_stat(const void *self, paths_stat_emit *emit, void *to);
void join_close(void *self);

#endif
