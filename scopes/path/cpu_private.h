/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/cpu_private.h - reads the samples that tell how long threads had
 * no core
 */

#ifndef SCOPES_PATH_CPU_PRIVATE_H
#define SCOPES_PATH_CPU_PRIVATE_H

#include "collectors/cpu_space.h"
#include "scopes/run.h"
#include "scopes/timebase.h"

/* An interval with lost or idle time; see collectors/cpu_space.h. */
struct es__cpu_interval {
	uint64_t start, stop; /* ticks */
	uint64_t lost_ns, idle_ns;
};

/* The samples of a thread of the map. */
struct es__cpu_thread {
	uint64_t samples; /* 0: it was not sampled */
	uint64_t ticks;	  /* from its first sample to its last one */
	uint64_t cpu_ns[ES_CPU_SIDES];
	uint64_t lost_ns[ES_CPU_SIDES];
	uint64_t idle_ns;
	uint64_t inside; /* ticks that it spent in operations; 0: not known */
	/* Longest time on a core between operations in one interval; 0: not
	   known. */
	uint64_t longest_ns;
	struct es__cpu_interval *intervals; /* in no order */
	size_t interval_count, interval_room;
};

/* Returns the sampled time between operations.  If the time in operations is
   not known, this is the sum of the intervals that end at the begin of an
   operation. */
static inline uint64_t
es__cpu_outside_ns(const struct es__cpu_thread *t,
    const struct es_timebase *base)
{
	if (t->inside == 0)
		return t->cpu_ns[ES_CPU_OUTSIDE] + t->lost_ns[ES_CPU_OUTSIDE] +
		    t->idle_ns;
	return t->ticks > t->inside ?
	    (uint64_t)es_time_span(base, t->ticks - t->inside) :
	    0;
}

struct es__cpu_threads {
	struct es__cpu_thread *threads; /* of each thread of the map */
	uint32_t count;
};

/*
 * es__cpu_threads_read - read the samples of all threads of a run
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__cpu_threads_fini, also on failure
 */
paths_status es__cpu_threads_read(const struct es_run *run,
    struct es__cpu_threads *threads) PATHS_CHECKED;
void es__cpu_threads_fini(struct es__cpu_threads *threads);

#endif
