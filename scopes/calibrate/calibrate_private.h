/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/calibrate_private.h - the state of a calibration while it
 * runs
 *
 * All ranks of the job run the same steps in the same order.  In each step some
 * ranks measure, and the others sleep.  The results are sent to all ranks, so
 * that all make the same decisions without further messages.  Only rank 0
 * decides by the remaining time.
 */

#ifndef SCOPES_CALIBRATE_CALIBRATE_PRIVATE_H
#define SCOPES_CALIBRATE_CALIBRATE_PRIVATE_H

#include "scopes/calibrate/measure_private.h"
#include "scopes/calibrate/pace_private.h"
#include "scopes/job/exchange_private.h"
#include "scopes/model.h"

#include "libpaths/topology.h"

#include <limits.h>

/* Number of 64-bit words of a set of processing units. */
#define ES__CALIBRATE_SET_WORDS 16u

#define ES__CALIBRATE_HOST_BYTES 256u

/* Longest message that is measured, in bytes. */
#define ES__CALIBRATE_LONGEST (1u << 20)

/* Largest number of pairs that are active at once. */
#define ES__CALIBRATE_PAIRS_MOST 64u

/* Sizes of the reference ping-pong: one for latency, one for bandwidth. */
#define ES__CALIBRATE_REFERENCES 2u

/* Largest number of looks at the references that are kept. */
#define ES__CALIBRATE_LOOKS 4096u

/* The place of a rank.  The numbers are those of libpaths/topology.h, or
   PATHS_NONE if the rank may run on several of that kind. */
struct es__calibrate_place {
	char host[ES__CALIBRATE_HOST_BYTES];
	char cpu[ES_MODEL_TEXT_BYTES];
	uint32_t package, numa, cache, core;
	/* Processing units on which it may run, by the kernel's numbers. */
	uint64_t set[ES__CALIBRATE_SET_WORDS];
};

struct es__calibrate_pair {
	uint32_t first, second; /* ranks */
};

/* Times of streams of messages, by number and size of the messages; empty: not
   measured. */
struct es__calibrate_stream {
	uint64_t *counts, *sizes;
	size_t count_count, size_count;
	/* Seconds of a stream; index: count * size_count + size. */
	double *ordered;
	double *reversed; /* the same in reversed order; 0: not measured */
	/* Number of cells that were extrapolated for lack of time. */
	size_t extended;
};

/* A look: one measurement of the references (steady_private.h). */
struct es__calibrate_look {
	double seconds[ES__CALIBRATE_REFERENCES];
};

/* A locality, such as "same host", of which there are pairs of ranks. */
struct es__calibrate_class {
	const char *name;
	bool inside; /* of a host */
	/* Pairs without a common rank, for which there are enough cores. */
	struct es__calibrate_pair *pairs;
	uint32_t pair_count;
	/* Name of the control variable for the eager limit; NULL: none. */
	const char *asked_name;
	uint64_t eager_asked, eager_probed; /* 0: not known */
	/* Looks at the references. */
	double looks[ES__CALIBRATE_REFERENCES][ES__CALIBRATE_LOOKS];
	uint32_t look_count;
	/* The first look took too long for further looks. */
	bool slow;
	double level[ES__CALIBRATE_REFERENCES]; /* 0: not known */
	/* Excess of slow looks over the level, as a share of it. */
	double spread;
	/* Excess of the slowest measurement in use over the level, as a share
	   of it. */
	double above;
	/* Shortest and longest time of the references, if there are no looks;
	   0: none yet. */
	double least[ES__CALIBRATE_REFERENCES],
	    largest[ES__CALIBRATE_REFERENCES];
	struct es_model_sample *samples;
	struct es__calibrate_look *sample_looks;
	size_t sample_count, sample_room, sample_look_room;
	struct es__calibrate_stream stream;
};

/* Time to receive a message while many unexpected messages of another sender
   are queued. */
struct es__calibrate_queue {
	bool measured;
	uint32_t crowd; /* messages in the queue */
	/* Least time of a receive: from an empty queue, from another sender
	   than the queued messages, from the same sender. */
	double empty_s, behind_s, same_s;
	enum es_model_queue verdict;
};

struct es__calibrate {
	const struct es__exchange *exchange;
	const struct es__measure *measure;
	bool (*interrupted)(void);
	bool quick;
	bool oversubscribed;
	/* Number of phases to compare with the models. */
	uint32_t phases;
	struct es__check_work *check; /* of phases; NULL: none */
	uint32_t rank, size;
	char version[ES_MODEL_TEXT_BYTES];
	struct es__measure_memory memory;
	struct paths_topology topology; /* topology of this host */
	bool topology_known;
	struct es__calibrate_place *places; /* by rank */
	/* From the closest pairs to the most distant ones. */
	struct es__calibrate_class *classes;
	size_t class_count;
	struct es__calibrate_queue queue;
	struct es_model_burst *crowds; /* contention */
	size_t crowd_count, crowd_room;
	struct es__pace pace;
	uint64_t random;
};

/* Size of `out` and of `in` of the memory of messages, in bytes. */
#define ES__CALIBRATE_MEMORY ((size_t)64 << 20)

/* Returns the side of this rank in a pair; false: it is in none. */
static inline bool
es__calibrate_side(const struct es__calibrate *c,
    const struct es__calibrate_pair *pair, struct es__measure_side *side)
{
	side->first = c->rank == pair->first;
	side->peer = side->first ? pair->second : pair->first;
	side->silence_s = es__pace_silence(c->rank, c->pace.silence_s);
	return side->first || c->rank == pair->second;
}

#endif
