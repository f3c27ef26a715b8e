/* SPDX-License-Identifier: MIT */
/*
 * libpaths/op.h - one operation on its way along a path
 *
 * An operation belongs to the path it runs on: one at a time.  Stages see it
 * twice, on the down-pass toward the element and on the up-pass back.
 * Between the passes it may be parked in a stage: then whoever can complete
 * it calls paths_op_resume (the up-pass follows) or paths_op_go_on (the
 * down-pass follows, with the next stage).
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 4
 */

#ifndef LIBPATHS_OP_H
#define LIBPATHS_OP_H

#include "libpaths/status.h"

#include <stdatomic.h>
#include <stdint.h>

enum paths_kind {
	PATHS_WRITE = 1,    /* a tuple goes down */
	PATHS_READ = 2,	    /* a tuple comes up */
	PATHS_EXCHANGE = 3, /* a tuple goes down, a tuple comes up */
	PATHS_DELETE = 4    /* no tuple: drop those before op->index */
};

/* What a stage answers on the down-pass. */
enum paths_pass {
	PATHS_PASS_ON,	 /* go to the next stage */
	PATHS_PASS_TURN, /* done: this stage's up, then those above it */
	PATHS_PASS_PARK, /* the stage keeps the operation for now; nothing of
			    it may be touched by the caller any more */
	PATHS_PASS_FAIL	 /* as paths_op_fail answers: the ups above, not ours */
};

struct paths_path;
struct paths__link;
struct paths__pump;
struct paths__wake;

/* How long a text an operation keeps of why it failed. */
#define PATHS_OP_WHY_BYTES 240

struct paths_op {
	uint32_t kind;	     /* enum paths_kind */
	uint32_t seq;	     /* operation number on its path, from 0 */
	uint32_t step;	     /* as the application last set it */
	uint32_t element;    /* index of the element in the map */
	void *tuple;	     /* bytes down on a write, up on a read */
	uint32_t bytes;	     /* of tuple at this place of the path */
	paths_status status; /* PATHS_OK until somebody fails it */
	uint64_t index;	     /* of the tuple written or read; see DELETE */
	uint64_t missed;     /* tuples discarded before this reader came */
	struct paths_path *path;

	/* The rest is the run's own: stages use the functions below. */
	_Atomic(const struct paths__link *) at; /* that has it */
	_Atomic uint32_t done;		/* enum paths__done in wait_private.h */
	uint64_t deadline;		/* ticks; UINT64_MAX: none */
	uint64_t due;			/* ticks, paths_op_go_on_at; 0: none */
	struct paths__wake *wake;	/* of the stage it is parked in; NULL */
	const struct paths__pump *pump; /* how its thread makes progress */
	void *pumped;
	char why[PATHS_OP_WHY_BYTES]; /* set when status is not PATHS_OK */
};

/*
 * paths_op_fail - end an operation with an error
 *
 * The first failure counts; a later one changes nothing.
 *
 * op	the operation, held by the caller
 * st	not PATHS_OK
 * fmt	as for printf; the path adds process and stage in front
 *
 * Returns	PATHS_PASS_FAIL, for down to answer
 * Threads	whoever holds the operation
 * Since	0.1
 */
PATHS_API enum paths_pass paths_op_fail(struct paths_op *op, paths_status st,
    const char *fmt, ...) PATHS_PRINTF(3, 4);

/*
 * paths_op_resume - complete a parked operation: its up-pass follows
 *
 * An operation of an application thread is handed back to that thread, which
 * runs the up-pass; one that came from another process runs it here and now.
 *
 * op	parked, and taken out of all lists of the stage; not to be touched
 *	after the call
 *
 * Returns	nothing
 * Threads	any, but without holding a lock of the stage
 * Since	0.1
 */
PATHS_API void paths_op_resume(struct paths_op *op);

/*
 * paths_op_go_on - send a parked operation further down
 *
 * As paths_op_resume, but the down-pass follows, with the next stage.
 *
 * Returns	nothing
 * Threads	any, but without holding a lock of the stage
 * Since	0.1
 */
PATHS_API void paths_op_go_on(struct paths_op *op);

/*
 * paths_op_go_on_at - go on at a given time; for down to answer
 *
 * The operation is kept by its thread or by the tuple server's loop, not by
 * the stage; the stage's cancel is not asked for it.
 *
 * op	on its down-pass in the calling stage
 * due	ticks
 *
 * Returns	PATHS_PASS_PARK
 * Threads	whoever holds the operation
 * Since	0.1
 */
PATHS_API enum paths_pass paths_op_go_on_at(struct paths_op *op, uint64_t due);

#endif
