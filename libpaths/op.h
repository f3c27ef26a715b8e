/* SPDX-License-Identifier: MIT */
/*
 * libpaths/op.h - one operation on a path
 *
 * A path runs one operation at a time.  Stages see the operation twice: on the
 * down-pass toward the element and on the up-pass back.  Between the passes a
 * stage can park it, that is, keep it until another thread resumes it.  That
 * thread calls paths_op_resume (the up-pass follows) or paths_op_go_on (the
 * down-pass continues with the next stage).
 *
 * The tuple belongs to the caller of the path and may be on the stack of its
 * thread.  The thread is not canceled before the operation has ended; a stage
 * must not use the operation or its tuple after it has resumed the operation or
 * given it back (cancel).
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 4
 */

#ifndef LIBPATHS_OP_H
#define LIBPATHS_OP_H

#include "libpaths/status.h"

#include <stdint.h>

PATHS_BEGIN_DECLS

enum paths_kind {
	PATHS_WRITE = 1,    /* a tuple goes down */
	PATHS_READ = 2,	    /* a tuple comes up */
	PATHS_EXCHANGE = 3, /* a tuple goes down, a tuple comes up */
	PATHS_DELETE = 4    /* discards the tuples before op->index */
};

/* A kind as a member of a set. */
#define PATHS_KIND_BIT(kind) (1u << (kind))

/* Results of the down of a stage. */
enum paths_pass {
	PATHS_PASS_ON,	 /* continue with the next stage */
	PATHS_PASS_TURN, /* done: run the up of this stage and those above */
	PATHS_PASS_PARK, /* parked: the caller must not touch the operation */
	PATHS_PASS_FAIL	 /* failed: run the ups of the stages above */
};

struct paths_path;
struct paths__link;
struct paths__pump;
struct paths__wake;

/* Size of the reason why an operation failed. */
#define PATHS_OP_WHY_BYTES 240

struct paths_op {
	uint32_t kind;	  /* enum paths_kind */
	uint32_t seq;	  /* operations of the path that succeeded before */
	uint32_t step;	  /* see paths_thread_step */
	uint32_t element; /* index of the element in the map */
	void *tuple;	  /* goes down, up or both: see enum paths_kind */
	uint32_t bytes;	  /* of tuple, at this stage: see stage.h; delete: 0 */
	paths_status status; /* PATHS_OK until paths_op_fail */
	uint64_t index;	     /* of the tuple; see PATHS_DELETE */
	uint64_t missed;     /* tuples discarded before they were read */
	struct paths_path *path;

	/* The rest is private: stages use the functions below. */
	PATHS_ATOMIC(const struct paths__link *) at; /* link of its stage */
	paths_atomic_u32 done;	  /* enum paths__done in wait_private.h */
	uint64_t deadline;	  /* ticks; UINT64_MAX: none */
	uint64_t due;		  /* ticks, paths_op_go_on_at; 0: none */
	struct paths__wake *wake; /* of the stage that parked it, or NULL */
	const struct paths__pump *pump; /* reads the connection, or NULL */
	void *pumped;
	char why[PATHS_OP_WHY_BYTES]; /* reason when it failed; else "" */
};

/*
 * paths_op_fail - end an operation with an error
 *
 * When the operation has failed before, nothing changes.
 *
 * op	the operation, held by the caller
 * st	not PATHS_OK
 * fmt	as for printf; host, process and stage are put in front
 *
 * Returns	PATHS_PASS_FAIL, for down to return
 * Threads	the one that holds the operation
 * Since	0.1
 */
PATHS_API enum paths_pass paths_op_fail(struct paths_op *op, paths_status st,
    const char *fmt, ...) PATHS_PRINTF(3, 4);

/*
 * paths_op_resume - complete a parked operation: its up-pass follows
 *
 * Wakes the application thread of the operation, which runs the up-pass.  An
 * operation without a thread (of another process, or sent by a stage) runs the
 * up-pass in this call.
 *
 * op	parked, and out of all lists of the stage; the caller must not touch
 *	it after the call
 *
 * Returns	nothing
 * Threads	any, but without holding a lock of the stage
 * Since	0.1
 */
PATHS_API void paths_op_resume(struct paths_op *op);

/*
 * paths_op_go_on - send a parked operation further down
 *
 * As paths_op_resume, but the down-pass continues with the next stage.
 *
 * Returns	nothing
 * Threads	any, but without holding a lock of the stage
 * Since	0.1
 */
PATHS_API void paths_op_go_on(struct paths_op *op);

/*
 * paths_op_go_on_at - send an operation further down at a given time
 *
 * The thread of the operation, or the loop of the tuple server, keeps it until
 * then.  So the cancel of the stage is not called for it.
 *
 * op	on its down-pass in the calling stage
 * due	ticks
 *
 * Returns	PATHS_PASS_PARK, for down to return
 * Threads	the one that holds the operation
 * Since	0.1
 */
PATHS_API enum paths_pass paths_op_go_on_at(struct paths_op *op, uint64_t due);

PATHS_END_DECLS

#endif
