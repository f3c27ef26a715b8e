/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/program_private.h - an open program and its items
 */

#ifndef LIBPATHS_ENGINE_PROGRAM_PRIVATE_H
#define LIBPATHS_ENGINE_PROGRAM_PRIVATE_H

#include "libpaths/base/lines.h"
#include "libpaths/program.h"

#include <sys/types.h>

#define PATHS__SECRET_BYTES 32

struct paths__client;
struct paths__loop;
struct paths__proxy;
struct paths__server;

/*
 * Functions of the room net that the engine calls; paths_program_open sets
 * them.  Only parked and remote operations reach them.
 */
struct paths__net_ops {
	/* Continues an operation without a thread at a time, in ticks. */
	void (*at)(struct paths__loop *loop, struct paths_op *op, uint64_t due);
	/* Returns true when `at` had the operation and will not resume it. */
	bool (*at_cancel)(struct paths__loop *loop, const struct paths_op *op);
	/* Sends the frames that are queued in the thread's connections. */
	void (*flush)(struct paths_thread *thread);
};

/* A thread of the map, of this process or another. */
struct paths_thread {
	_Alignas(PATHS__LINES_BYTES) struct paths_program *program;
	uint32_t thread; /* index in the map */
	uint32_t step;
	_Atomic uint32_t owner;	     /* OS thread that has it open; 0: closed */
	struct paths__client *dirty; /* list of connections to flush */
	uint32_t started;	     /* operations started, not ended */
	uint32_t path_count;
	struct paths_path **paths; /* of this thread, open or not */
};

/* A stage of the map. */
struct paths__instance {
	void *state; /* NULL: a stage of another process */
	bool served; /* operations without a thread pass here */
};

struct paths_program {
	struct paths_map *map;
	uint32_t process; /* index in the map */
	char *run;	  /* run directory; NULL */
	uint8_t secret[PATHS__SECRET_BYTES];
	bool has_secret;
	pid_t pid;			   /* process that opened it */
	bool forked;			   /* this process is a child of it */
	bool complete;			   /* all its paths are built */
	bool has_threads;		   /* the map gives it threads */
	struct paths__instance *instances; /* as the map numbers them */
	struct paths_thread *threads;	   /* as the map numbers them */
	struct paths_path **paths; /* as the map numbers them; NULL: of another
				      process */
	const struct paths__net_ops *net;
	struct paths__loop *loop;      /* NULL: no path without a thread, and
					  no beats to send */
	struct paths__server *server;  /* NULL: no path without a thread */
	_Atomic uint32_t draining;     /* inner paths with tuples to send */
	_Atomic uint32_t phase;	       /* enum paths_inner_phase */
	struct paths__client *clients; /* list of connections */
	void *client_tree;	       /* tree of clients by key */
	size_t frame_max;	       /* bytes of the longest frame */
	struct paths__proxy **proxies; /* by item; NULL: not a proxy here */
	struct paths_program *next;    /* in the list of open programs */
};

/* Writes "host h1 process p1 stage sum1: " to text, perhaps cut short.  Returns
   its length. */
int paths__program_item_text(const struct paths_program *program, uint32_t item,
    char *text, size_t bytes);

/* Returns the `self` of down and up at an item. */
void *paths__program_item_port(const struct paths_program *program,
    uint32_t item);

/* Returns true when operations without a thread pass an item of this
   process. */
bool paths__program_item_served(const struct paths_program *program,
    uint32_t item);

/* Calls `lost` of the stages of a chain, from an item up to the next process.
   why: NULL when the chain was closed, else the reason why the process above
   is gone. */
void paths__program_end_chain(struct paths_program *program, uint32_t item,
    const char *why);

/* Calls `reopen` of the stages of a chain that was closed, the last stage
   first.  When one fails, those that were reopened are closed again. */
paths_status paths__program_reopen_chain(struct paths_program *program,
    uint32_t item) PATHS_CHECKED;

/* Returns true in a child of the process that opened the program, after writing
   the reason why the child cannot use it. */
bool paths__program_fork_text(const struct paths_program *program, char *why,
    size_t bytes);

#endif
