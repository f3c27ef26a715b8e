/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/merge_private.h - the state of the stage merge
 */

#ifndef SCOPES_GATHER_MERGE_PRIVATE_H
#define SCOPES_GATHER_MERGE_PRIVATE_H

#include "scopes/gather/gather_private.h"
#include "scopes/gather/order_private.h"

#include "libpaths/inner.h"
#include "libpaths/program.h"

#include <pthread.h>
#include <stdarg.h>

#define MERGE_CHILDREN 64

/* Options behind those of the chains. */
enum { MERGE_ORDER = MERGE_CHILDREN, MERGE_WAIT };

struct merge;

struct merge_child {
	struct merge *merge;
	uint32_t index;
	const char *name; /* for notes */
	struct paths_path *inner;
	/* The rest is under the lock. */
	uint64_t asked_at; /* ticks */
	bool asked;	   /* an operation is under way */
	bool late;	   /* it is not waited for */
	bool failing;	   /* its last operation failed */
	bool lost;	   /* it is not asked any more */
	bool holds;	   /* its batch has records that were not returned */
	bool fresh;	   /* the batch was not added to the order */
	bool more;	   /* the batch was not all that was there */
	bool ready;	   /* the batch behind it is in the path's memory */
	void *spare;	   /* in order: memory of the batch */
	struct es__batch batch;		    /* the rest, without an order */
	char note[PATHS_OP_WHY_BYTES + 64]; /* to be returned; "": none */
};

struct merge {
	/* Constant after open. */
	uint32_t count, room; /* room: of a batch */
	bool varies, ordered, lock_made, timer_made;
	uint64_t wait_ns;

	pthread_mutex_t lock;
	struct merge_child children[MERGE_CHILDREN];
	struct paths_op *parked; /* the read that waits for children */
	bool asking;		 /* children are being asked */
	bool ended;		 /* the chain above has ended */
	uint32_t turn;		 /* child to begin with */
	uint32_t skipped;	 /* reads since all children were asked */
	struct es__order order;
	uint64_t batches, answers, late;

	/* The thread that ends a read whose children are late. */
	void (*timer_late)(struct merge *m);
	pthread_t timer;
	pthread_cond_t timer_wake;
	uint64_t timer_due;   /* ns of CLOCK_MONOTONIC; 0: not armed */
	uint64_t timer_until; /* time at which the thread wakes; 0: it runs */
	bool timer_stop;
};

extern const struct paths_stage_ops es__stage_merge;

#endif
