/* SPDX-License-Identifier: MIT */
/*
 * scopes/reorder.h - an MPI program renumbers its ranks while it runs
 *
 * Ranks stay where they run, and get other numbers in a new communicator, so
 * that neighbours of the program are near each other in the machine.  The
 * traffic is that which the interposer counted (collectors/mpi.h), so the
 * program runs under `eventspace mpi` in mode matrix, alone or with others.
 * Other modes count no traffic between ranks, and then nothing pays.
 *
 *	#include <mpi.h>
 *	#include <scopes/reorder.h>
 *
 *	es_reorder_open(&reorder);
 *	... some steps ...
 *	es_reorder_comm(reorder, comm, &options, &result, &renumbered);
 *	if (result.pays)
 *		... the rank sends its state to the one that has its number now,
 *		goes on with that of result.rank, and calls
 *		es_reorder_restart ...
 *
 * The part with MPI calls is compiled into the program, by the MPI of the
 * program; it is there if <mpi.h> was included before.
 *
 * The predicted time of a step is that of its messages: the largest sum of
 * latency x messages + bytes / bandwidth, over the ranks and over the links of
 * the hosts.  A rank sends and receives at the same time.  Computation, queues
 * and the overlap of communication with computation are not in it.  Collectives
 * without counts per peer are not in the traffic, because their messages depend
 * on the algorithms of the MPI.
 */

#ifndef SCOPES_REORDER_H
#define SCOPES_REORDER_H

#include "collectors/api.h"

#include "libpaths/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

/* The largest message that is measured. */
#define ES_REORDER_BYTES_MOST (UINT32_C(1) << 20)

/* The closest group that two ranks share, if they also share those above it. */
enum es_reorder_level {
	ES_REORDER_NONE, /* they are on different hosts */
	ES_REORDER_HOST,
	ES_REORDER_PACKAGE,
	ES_REORDER_NUMA,
	ES_REORDER_CACHE,
	ES_REORDER_CORE,
	ES_REORDER_LEVELS
};

/* A rank: where it runs, and what it sent. */
struct es_reorder_site {
	int32_t world;	  /* rank in the world of the process */
	int32_t host;	  /* least rank of the communicator on its host */
	uint32_t package; /* of the host; PATHS_NONE: it may run on several,
				or it is not known; as for the others */
	uint32_t numa, cache, core;
	uint64_t flow_count;
	uint64_t state_bytes; /* that move when the rank changes its number */
};

/* Messages of a rank to another one, of its world. */
struct es_reorder_flow {
	int32_t peer;
	uint32_t reserved;
	uint64_t messages, bytes;
};

/* Costs of messages between two ranks. */
struct es_reorder_link {
	double latency_s;
	double byte_s;
};

/* Costs of messages on each level. */
struct es_reorder_links {
	struct es_reorder_link levels[ES_REORDER_LEVELS];
	double host_byte_s; /* of a byte from or to a host, of all its ranks */
};

/* All zeros but steps_left are useful. */
struct es_reorder_options {
	uint64_t steps;	      /* of the interval that was counted; 0: 1 */
	uint64_t steps_left;  /* for which the new numbers would be used */
	uint64_t state_bytes; /* of this rank */
	double rate; /* at which a rank sends its state, bytes/s; 0: by links */
	/* Costs, the same in all ranks; NULL: they are measured. */
	const struct es_reorder_links *links;
	/* One more than the number of the processor in the operating system on
	   which this rank counts; 0: where it is bound. */
	uint32_t processor;
	uint64_t seed;	/* of random choices, the same in all ranks */
	uint64_t moves; /* as in struct es_place_options */
};

/* The same in all ranks, but for rank. */
struct es_reorder_result {
	bool
	    pays; /* gain_s is larger than move_s; false: no new communicator */
	uint32_t rank;		  /* new number of this rank */
	uint32_t changed;	  /* ranks that get another number */
	double before_s, after_s; /* predicted communication of a step */
	double gain_s; /* in the steps that are left: predicted, not seen */
	double move_s; /* predicted time of moving the states */
	/* Bytes of the interval by the level that sender and receiver share. */
	uint64_t bytes_before[ES_REORDER_LEVELS];
	uint64_t bytes_after[ES_REORDER_LEVELS];
	uint64_t bytes_elsewhere; /* to ranks outside of the communicator */
	struct es_reorder_links links;
};

/* Counts of a process from the begin of an interval on. */
struct es_reorder;

/*
 * es_reorder_open - begin to count the traffic of this process
 *
 * reorder	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no interposer is loaded
 *		a status of es_mpi_rows
 * Ownership	the caller calls es_reorder_close
 * Threads	one at a time, as for es_mpi_rows
 * Since	0.1
 */
ES_API paths_status es_reorder_open(struct es_reorder **reorder) PATHS_CHECKED;

/*
 * es_reorder_close - free what es_reorder_open made
 *
 * reorder	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_reorder_close(struct es_reorder *reorder);

/*
 * es_reorder_flows - the traffic of this process since the interval began
 *
 * flows	out: by peer, ascending
 * count	out
 * world	out: rank of this process in its world
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 *		a status of es_mpi_rows
 * Ownership	*flows is the handle's, until the next call
 * Threads	one at a time, as for es_mpi_rows
 * Since	0.1
 */
ES_API paths_status es_reorder_flows(struct es_reorder *reorder,
    const struct es_reorder_flow **flows, size_t *count, int32_t *world)
    PATHS_CHECKED;

/*
 * es_reorder_restart - begin a new interval
 *
 * Returns	as es_reorder_flows
 * Threads	one at a time, as for es_mpi_rows
 * Since	0.1
 */
ES_API paths_status es_reorder_restart(struct es_reorder *reorder)
    PATHS_CHECKED;

/*
 * es_reorder_pause - stop recording this process, and tell how to go on
 *
 * mode		out: argument of es_mpi_mode with which recording goes on
 *
 * Returns	as es_mpi_rows
 * Threads	one at a time, as for es_mpi_rows
 * Since	0.1
 */
ES_API paths_status es_reorder_pause(uint32_t *mode) PATHS_CHECKED;

/*
 * es_reorder_find - the groups in which this thread runs
 *
 * A thread that may run on processors of several groups of a kind is in none.
 *
 * topology	of this host
 * processor	as in struct es_reorder_options
 * site		out: package, numa, cache and core
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_reorder_find(const struct paths_topology *topology,
    uint32_t processor, struct es_reorder_site *site);

/*
 * es_reorder_level - the closest group that two ranks share
 *
 * Returns	the level; ES_REORDER_CORE for a rank and itself
 * Threads	any
 * Since	0.1
 */
ES_API enum es_reorder_level es_reorder_level(const struct es_reorder_site *a,
    const struct es_reorder_site *b);

/* Pairs of ranks between which messages are measured. */
struct es_reorder_pairs {
	int32_t first[ES_REORDER_LEVELS]; /* -1: no pair shares this level */
	int32_t second[ES_REORDER_LEVELS];
	uint64_t bytes; /* of a large message: the mean of the traffic, within
			   bounds */
};

/*
 * es_reorder_pairs_choose - choose the pairs that are measured
 *
 * pairs	out: a pair for each level that is the closest of some ranks
 * partners	out: for ranks of one host, the rank of a second host that they
 *		send to; for the latter, -2 less the sender; -1 for other ranks
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_reorder_pairs_choose(const struct es_reorder_site *sites,
    uint32_t count, const struct es_reorder_flow *flows,
    struct es_reorder_pairs *pairs, int32_t *partners);

/* The input of es_reorder_plan. */
struct es_reorder_job {
	const struct es_reorder_site *sites; /* by rank */
	uint32_t count;
	const struct es_reorder_flow *flows; /* of rank 0, rank 1, ... */
	struct es_reorder_links links;
	uint64_t steps, steps_left;
	double rate;
	uint64_t seed, moves;
};

/*
 * es_reorder_plan - find new numbers for ranks, and what they would gain
 *
 * ranks	out: new number of each rank; its own if it does not pay
 * result	out: all but rank
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	a cost or rate is negative or not finite
 *		PATHS_ENOMEM
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_reorder_plan(const struct es_reorder_job *job,
    uint32_t *ranks, struct es_reorder_result *result) PATHS_CHECKED;

PATHS_END_DECLS

#include "scopes/reorder_calls.h"

#endif
