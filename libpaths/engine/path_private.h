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
	bool draining; /* paths_program_close waits for paths__inner_end */
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

/* Builds the path that begins at an item, as far as the first proxy or the
   end.  The states of its stages must exist. */
paths_status paths__path_create(struct paths_program *program, uint32_t item,
    struct paths_path **path);
void paths__path_destroy(struct paths_path *path);

/* Cancels the operation of a thread's path, and tells the stages of the path
   that it has ended. */
void paths__path_end(struct paths_path *path);

#endif
