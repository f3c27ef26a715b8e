/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/path_private.h - builds paths from the map
 *
 * A path consists of the items of the map that one process runs, with the tails
 * of joins.  It has two arrays: the downs of all stages, and the ups of the
 * stages that have one.  op.c and carry.c run operations over them.  A stage
 * may rest; link.c then leaves it out.
 *
 * A path of an application thread has `thread` set: the thread waits for its
 * parked operation and runs the passes that follow.  A path without a thread
 * has `done` set: it belongs to another process or to a stage, and the thread
 * that resumes its operation runs the passes that follow.
 */

#ifndef LIBPATHS_ENGINE_PATH_PRIVATE_H
#define LIBPATHS_ENGINE_PATH_PRIVATE_H

#include "libpaths/engine/wait_private.h"
#include "libpaths/inner.h"
#include "libpaths/path.h"

/* The down of one stage.  A stage that rests is left out of the list that
   `next` makes; its link stays in the array. */
struct paths__link {
	enum paths_pass (
	    *down)(void *self, struct paths_op *op, uint64_t *slot);
	void *self;
	uint64_t *slot;
	const struct paths__link *next;
	uint32_t item;	/* item of the map */
	uint16_t above; /* number of ups of the links above */
	uint16_t until; /* above, plus 1 if this link has an up */
};

/* The up of one stage. */
struct paths__up {
	void (*up)(void *self, struct paths_op *op, uint64_t *slot);
	void *self;
	uint64_t *slot;
};

/* States of the path of a thread.  In all states but IDLE it refuses a new
   operation. */
enum paths__path_state {
	PATHS__PATH_IDLE,
	PATHS__PATH_STARTED, /* an operation was started and has not ended */
	PATHS__PATH_CLOSED,
	/* It was opened by the parent of this process, before a fork. */
	PATHS__PATH_FORKED
};

/* Handles the end of an operation of a path without a thread. */
typedef paths_inner_done paths__done_fn;

struct paths_path {
	struct paths_op op;
	/* First link whose stage does not rest. */
	const struct paths__link *first;
	struct paths__link *links;
	struct paths__up *ups;
	uint64_t *slots;
	uint32_t link_count;
	uint32_t up_count;
	/* The word that changes when a stage may begin or end to rest, and its
	   value when the list of links was made. */
	const paths_atomic_u32 *rest_word;
	uint32_t rest_seen;
	uint32_t seq; /* number of the next operation; see paths_op */
	/* enum paths__path_state.  Relaxed: written by the thread of the path;
	   another thread only needs it to refuse an operation. */
	_Atomic uint32_t state;
	bool parked;
	/* paths_path_open has opened it since its thread was opened. */
	bool opened;
	_Atomic bool waiting; /* its thread waits for the operation */
	bool draining; /* paths_program_close waits for paths_inner_end */
	uint32_t item; /* its first item, an index in the map */
	uint32_t path; /* index in the map; PATHS_NONE for inner paths */
	enum paths_map_use use;
	struct paths_type type;
	bool any_bytes; /* the element has no type, and no stage needs one */
	/* An element may keep the memory of the tuple of a write, and leave
	   other memory in op.tuple; see hop.c. */
	bool gives;
	uint64_t deadline_ticks; /* for each operation; 0: none */
	uint64_t missed;	 /* tuples discarded before they were read */
	struct paths_thread *thread; /* NULL: `done` is called */
	struct paths_program *program;
	paths__done_fn *done;
	void *done_to;
};

/* Builds the path that begins at an item, as far as the first proxy or the
   end.  The states of its stages must exist. */
paths_status paths__path_create(struct paths_program *program, uint32_t item,
    struct paths_path **path);
void paths__path_destroy(struct paths_path *path);

/* Returns true when a path without a thread may give the memory of its tuples
   to the element at its end: no stage before it uses the tuple of a write on
   the up-pass. */
bool paths__path_may_give(const struct paths_path *path);

static inline uint32_t
paths__path_state(const struct paths_path *path)
{
	return atomic_load_explicit(&path->state, memory_order_relaxed);
}

static inline void
paths__path_set_state(struct paths_path *path, enum paths__path_state state)
{
	atomic_store_explicit(&path->state, state, memory_order_relaxed);
}

/* Cancels the operation of a thread's path, and calls `lost` of the stages of
   the path.  Does nothing when the path is closed, is that of another process,
   or when its thread waits for the operation. */
void paths__path_end(struct paths_path *path);

/* Opens a path again that paths__path_end has closed: calls `reopen` of its
   stages.  Does nothing when it is open. */
paths_status paths__path_reopen(struct paths_path *path) PATHS_CHECKED;

#endif
