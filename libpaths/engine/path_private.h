/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/path_private.h - a path as the run sees it
 *
 * A path is built from the items of the map that one process carries out,
 * joins' tails included, as two arrays: the downs of all stages, and the ups
 * of those that have one.  It is driven by one of two kinds of owner:
 *
 *	an application thread, which waits for a parked operation and runs
 *	whatever follows itself;
 *	nobody in particular (`done` is set): an operation of another process,
 *	or of a stage's own inner path.  Whoever resumes it runs what follows.
 */

#ifndef LIBPATHS_ENGINE_PATH_PRIVATE_H
#define LIBPATHS_ENGINE_PATH_PRIVATE_H

#include "libpaths/engine/wait_private.h"
#include "libpaths/path.h"

#define PATHS__LINE 64 /* bytes of a cache line */

/* op->done: 0 while an operation is under way or parked. */
enum paths__done {
	PATHS__PENDING = 0,
	PATHS__SLEEPING = 1, /* its thread sleeps on op->done itself */
	PATHS__UP = 2,	     /* resumed: the up-pass follows */
	PATHS__ON = 3	     /* resumed: the next stage's down follows */
};

struct paths__client;

struct paths__link {
	enum paths_pass (
	    *down)(void *self, struct paths_op *op, uint64_t *slot);
	void *self;
	uint64_t *slot;
	uint32_t item;	/* of the map */
	uint16_t above; /* ups of the links above this one */
	uint16_t until; /* the same with this one's own */
};

struct paths__up {
	void (*up)(void *self, struct paths_op *op, uint64_t *slot);
	void *self;
	uint64_t *slot;
};

/* Called when an operation of a path without a thread has ended. */
typedef void paths__done_fn(void *to, struct paths_op *op);

struct paths_path {
	struct paths_op op;
	struct paths__link *links;
	struct paths__up *ups;
	uint64_t *slots;
	uint32_t link_count;
	uint32_t up_count;
	uint32_t seq; /* of the next operation that ends well */
	bool started;
	bool parked;
	bool draining; /* see paths__inner_drain */
	bool ended;    /* its stages have been told */
	uint32_t item; /* the first */
	uint32_t path; /* index in the map; PATHS_NONE for inner paths */
	enum paths_map_use use;
	struct paths_type type;
	uint64_t deadline_ticks; /* for each operation; 0: none */
	uint64_t missed;
	struct paths_thread *thread; /* NULL: `done` is called instead */
	struct paths_program *program;
	paths__done_fn *done;
	void *done_to;
};

struct paths_thread {
	struct paths_program *program;
	uint32_t thread; /* index in the map */
	uint32_t step;
	_Atomic bool open;
	struct paths__client *dirty; /* connections to be flushed */
	uint32_t started;	     /* operations not waited for yet */
	uint32_t path_count;
	struct paths_path **paths; /* all of this thread, open or not */
	bool *opened;
};

/*
 * Build the path that begins at an item, for this process: as far as the
 * first proxy or end.  The instances must exist.
 */
paths_status paths__path_create(struct paths_program *program, uint32_t item,
    struct paths_path **path);
void paths__path_destroy(struct paths_path *path);

/* End a thread's path: cancel what is under way, tell the stages. */
void paths__path_end(struct paths_path *path);

/* Send an operation of a path without thread down; `done` comes later, or
   before the call returns.  index: for PATHS_DELETE. */
void paths__path_run(struct paths_path *path, uint64_t index);

/*
 * Cancel the operation of a path without thread: true when it was taken out
 * and has been ended with st; false when it is moving: try again later.
 */
bool paths__path_cancel(struct paths_path *path, paths_status st,
    const char *why);

/*
 * End somebody else's operation that is parked below the link `below` of its
 * path: true when it was taken out there and resumed with st.  Not where its
 * thread waits for another process.
 */
bool paths__op_abort(struct paths_op *op, const struct paths__link *below,
    paths_status st, const char *why);

/* Tell the stages of the chain that begins at an item that it has ended. */
void paths__chain_lost(struct paths_program *program, uint32_t item,
    const char *why);

/* As paths_op_fail, without the place: for what another process said. */
enum paths_pass paths__op_failed(struct paths_op *op, paths_status st,
    const char *why);

/* As paths_op_resume, but a thread that waits is not woken yet. */
void paths__op_complete(struct paths_op *op);

/*
 * A stage's own path along the chain that is its tail (buffer, tee).  Its
 * operation's tuple is a buffer of the inner path's own.
 *
 * paths__inner_drain: nothing more comes from above, but something is still
 * to be sent; paths_program_close waits until it is.  paths__inner_end: all is
 * sent; tells the stages of the chain, and closes.  paths__inner_close: only
 * closes, when the program does.
 */
paths_status paths__inner_open(struct paths_program *program, uint32_t chain,
    paths__done_fn *done, void *to, struct paths_path **inner);
struct paths_op *paths__inner_op(struct paths_path *inner);
void paths__inner_start(struct paths_path *inner, enum paths_kind kind,
    uint32_t seq, uint32_t step);
void paths__inner_drain(struct paths_path *inner);
void paths__inner_end(struct paths_path *inner);
void paths__inner_close(struct paths_path *inner);

/* Wait until all that is drained has ended, or the server is stopped. */
void paths__inner_linger(struct paths_program *program);

#endif
