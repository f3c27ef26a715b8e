/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/waves_private.h - finds idle waves: waiting that spreads from
 * thread to thread after an unusual delay
 *
 * A delay is an activity that takes at least 1.5 times as long as is typical
 * for its thread.  Its wave consists of all waits that follow from it: waits
 * for the late thread because of the delay, and waits for another thread mostly
 * because that one has waited in the same wave.  A wave crosses a thread at the
 * thread's first wait in the wave.  Waits that follow from a delay count as a
 * wave only if it crosses a thread that waits for a thread other than the late
 * one, in an operation in which not every thread waits for all others: there,
 * all threads wait at once, and nothing spreads.
 *
 * The wave stops between two threads if the second one depends on the first one
 * after the wave has crossed the first, but the wave does not cross the second.
 * Reasons are that the second thread is in another wave, or that it did not
 * arrive early enough to have to wait (slack).
 *
 * Source	Afzal, Hager, Wellein: Propagation and Decay of Injected One-Off
 *		Delays on Clusters, 2019
 */

#ifndef SCOPES_GRAPH_WAVES_PRIVATE_H
#define SCOPES_GRAPH_WAVES_PRIVATE_H

#include "scopes/graph/causes_find_private.h"
#include "scopes/graph/typical_private.h"

/* Largest number of waves that are kept; those with the most waiting are. */
#define ES__GRAPH_WAVES_MAX 100u

/* The first wait of a thread in a wave. */
struct es__graph_crossing {
	uint32_t thread, from; /* `thread` waited for `from` */
	/* Number of waits of the wave that lead here; 1: it waited for the late
	   thread. */
	uint32_t hops;
	int64_t start_ns, stop_ns;
};

enum es__graph_wave_end {
	/* No other thread depends on the thread that it crossed last. */
	ES__WAVE_ENDS,
	ES__WAVE_SLACK, /* the next thread was not early enough to wait */
	ES__WAVE_MEETS, /* the next thread is in another wave */
	ES__WAVE_FILLS	/* it crossed all threads */
};

struct es__graph_wave {
	uint64_t number;   /* from 1, in the order of their delays in the log */
	uint32_t thread;   /* the late thread */
	uint32_t activity; /* the activity that was delayed */
	int64_t start_ns, stop_ns; /* begin and end of the delayed activity */
	/* Time by which it was longer than typical. */
	int64_t delay_ns;
	int64_t wait_ns; /* sum of all waits of the wave */
	struct es__graph_crossing *crossings;
	size_t count, room;
	uint32_t hops; /* the largest number of hops */
	/* Place and reason of the end of the wave. */
	enum es__graph_wave_end end;
	/* Threads that it stops between; PATHS_NONE: none. */
	uint32_t end_from, end_at;
	int64_t end_ns;
	uint64_t met; /* ES__WAVE_MEETS: number of the other wave */
};

struct es__graph_waves {
	struct es__graph_wave *list; /* the most waiting first */
	size_t count, room;
	uint64_t all; /* number of all waves of the run */
};

/* A graph and its waits, in which waves are searched. */
struct es__graph_wave_search {
	const struct es__graph *graph; /* finished */
	const struct es__graph_classes *classes;
	const struct es__spool *waits; /* of es__graph_causes_find */
	const struct es__graph_typical *typical;
	/* Shorter delays and waits are ignored. */
	int64_t least_ns;
};

/*
 * es__graph_waves - find the idle waves of a run
 *
 * Passes over the log once.
 *
 * waves	out; all zeros
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__graph_waves_fini, also on failure
 */
paths_status es__graph_waves(const struct es__graph_wave_search *search,
    struct es__graph_waves *waves) PATHS_CHECKED;
void es__graph_waves_fini(struct es__graph_waves *waves);

/*
 * es__graph_wave_front - get the two crossings from which the speed of a wave
 * is computed
 *
 * These are the first crossing with one hop, and the one with the most hops; of
 * several, the earliest.
 *
 * Returns	false: the wave has no two such crossings
 */
bool es__graph_wave_front(const struct es__graph_wave *wave,
    const struct es__graph_crossing **first,
    const struct es__graph_crossing **last);

#endif
