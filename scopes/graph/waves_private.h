/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/waves_private.h - idle waves: waiting that goes from thread to
 * thread after a delay that was not typical
 *
 * A delay is an activity that takes at least half as long again as typical, in
 * its thread.  A wave has all waits that follow from it: those that wait for
 * the late thread because of the delay, and those that wait for a thread mostly
 * because that has waited in the same wave.  A wave crosses a thread with the
 * first wait of the thread in it.  A delay makes a wave if it crosses a thread
 * that does not wait for the late one itself, in an operation that is not one
 * in which each thread waits for all: there, all of them wait at once.
 *
 * The wave stops between two threads if the second depends on the first after
 * that has waited in the wave, and the wave does not cross it: because it is in
 * another wave, or because it came no earlier by itself (slack).
 *
 * Source	Afzal, Hager, Wellein: Propagation and Decay of Injected One-Off
 *		Delays on Clusters, 2019
 */

#ifndef SCOPES_GRAPH_WAVES_PRIVATE_H
#define SCOPES_GRAPH_WAVES_PRIVATE_H

#include "scopes/graph/causes_find_private.h"
#include "scopes/graph/typical_private.h"

/* Largest number of waves that are kept: those with the most waiting. */
#define ES__GRAPH_WAVES_MAX 100u

/* The first wait of a thread in a wave. */
struct es__graph_crossing {
	uint32_t thread, from; /* it waited for the thread `from` */
	uint32_t hops;	       /* from the late thread */
	int64_t start_ns, stop_ns;
};

enum es__graph_wave_end {
	ES__WAVE_ENDS,	/* nothing depends on the threads that it crossed
			   last */
	ES__WAVE_SLACK, /* the next thread was not ahead */
	ES__WAVE_MEETS, /* the next thread is in another wave */
	ES__WAVE_FILLS	/* it crossed all threads */
};

struct es__graph_wave {
	uint64_t number;   /* from 1, in the order of their delays in the log */
	uint32_t thread;   /* that was late */
	uint32_t activity; /* that took long */
	int64_t start_ns, stop_ns; /* of the activity */
	int64_t delay_ns;	   /* by which it was longer than typical */
	int64_t wait_ns;	   /* of all its waits */
	struct es__graph_crossing *crossings;
	size_t count, room;
	uint32_t hops; /* the most */
	/* The last stop: between two threads, for a reason. */
	enum es__graph_wave_end end;
	uint32_t end_from, end_at; /* threads; PATHS_NONE: it does not stop */
	int64_t end_ns;
	uint64_t met; /* number of the other wave */
};

struct es__graph_waves {
	struct es__graph_wave *list; /* the most waiting first */
	size_t count, room;
	uint64_t all; /* waves in the run */
};

/* A graph and its waits, in which waves are searched. */
struct es__graph_wave_search {
	const struct es__graph *graph; /* finished */
	const struct es__graph_classes *classes;
	const struct es__spool *waits; /* of es__graph_causes_find */
	const struct es__graph_typical *typical;
	/* Shorter delays make no wave, and shorter waits are in none. */
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
 * es__graph_wave_front - the crossings that the speed of a wave is taken from
 *
 * These are the first crossing with one hop, and the one with the most hops; of
 * several, the earliest.
 *
 * Returns	false: there are no two
 */
bool es__graph_wave_front(const struct es__graph_wave *wave,
    const struct es__graph_crossing **first,
    const struct es__graph_crossing **last);

#endif
