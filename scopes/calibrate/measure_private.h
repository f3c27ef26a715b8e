/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/measure_private.h - the table of measurements that need MPI,
 * which the plugin for each MPI exports
 *
 * The plugins of scopes/job/exchange_private.h export a second table,
 * `es__measure`.  Its functions are called after `open` of the exchange and
 * before `close`, by the thread that called `open`.  Functions that take a pair
 * are called by both of its ranks with the same arguments.
 */

#ifndef SCOPES_CALIBRATE_MEASURE_PRIVATE_H
#define SCOPES_CALIBRATE_MEASURE_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Version of struct es__measure. */
#define ES__MEASURE_ABI 2u

/* The name of the table in a plugin. */
#define ES__MEASURE_TABLE "es__measure"

/* The role of this rank in a pair. */
struct es__measure_side {
	uint32_t peer;
	bool first;	    /* begins, and measures the time */
	unsigned silence_s; /* the peer may be silent as long, in each turn */
};

/* Memory of messages, of both directions. */
struct es__measure_memory {
	char *out, *in;
};

/* A phase: the first rank sends `count` messages, which the other receives and
   answers with as many.  A message is its number, which is its tag. */
struct es__measure_phase {
	uint32_t count;
	const uint32_t *bytes; /* of each message */
	const uint64_t *at;    /* offset of each message in the memory */
	const uint32_t *order; /* order in which receives are posted */
	/* Number of measured repeats; one more comes first and is not
	   measured. */
	uint32_t repeats;
};

/* A queue with messages of one sender that nobody has received yet. */
struct es__measure_crowd {
	uint32_t receiver, sender, other; /* ranks */
	uint32_t count;			  /* messages of the sender */
	uint32_t repeats;
};

struct es__measure {
	uint32_t abi;
	/* Makes a communicator for measurements; called by all ranks. */
	void (*begin)(void);
	/* Frees it. */
	void (*end)(void);
	/* The version of the library, in one line. */
	void (*version)(char *text, size_t bytes);
	/* Reads a control variable of MPI_T; false: there is none. */
	bool (*asked)(const char *name, uint64_t *value);
	/* Sends data from one rank to all.  Ranks sleep while they wait. */
	void (*share)(void *data, size_t bytes, uint32_t from);
	/* Returns the largest value of all ranks.  They sleep, too. */
	uint32_t (*agree)(uint32_t value);
	/* Waits for the others of a list of ranks, without sleeping. */
	void (*line_up)(const uint32_t *ranks, uint32_t count);
	/* Sends a message to and fro.  seconds: out, half the time of each
	   turn. */
	void (*ping)(struct es__measure_side side,
	    struct es__measure_memory memory, uint32_t bytes, uint32_t turns,
	    double *seconds);
	/* Runs a phase.  seconds: out, half the time of each repeat. */
	void (*phase)(struct es__measure_side side,
	    struct es__measure_memory memory,
	    const struct es__measure_phase *phase, double *seconds);
	/* Returns true if a message is sent before its receive is posted,
	   within wait_ns, while the receiver makes progress.  Only the first
	   rank has the result. */
	bool (*eager)(struct es__measure_side side,
	    struct es__measure_memory memory, uint32_t bytes, uint64_t wait_ns);
	/* Measures the time to receive a message that has arrived: behind[i]
	   from another sender than the queued messages, same[i] from the same
	   sender, at the end of the queue.  Called by the three ranks; the
	   receiver gets the results. */
	void (*crowd)(const struct es__measure_crowd *crowd, uint32_t rank,
	    double *behind, double *same);
};

#endif
