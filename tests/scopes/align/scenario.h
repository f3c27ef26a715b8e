/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/scenario.h - operations between hosts whose clocks drift,
 * with exact truth
 *
 * Scenarios have the traffic and the clocks of known measurements: global sum,
 * wind tunnel, several clusters, a mesh, an hour.  Times are in us of true
 * time.
 */

#ifndef TESTS_SCOPES_ALIGN_SCENARIO_H
#define TESTS_SCOPES_ALIGN_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#define SCENARIO_HOSTS 32u

/* A clock: an offset, a skew, a slow wave and a random walk of its rate. */
struct scenario_clock {
	double offset; /* us */
	double skew;
	double wave, period, phase; /* us, us, radians */
	double *walk;		    /* us, at each second */
	uint32_t seconds;
	/* Adversaries: from `jump_at` on it is ahead by `jump` more. */
	double jump_at, jump;
};

/* A hop of an operation: four true times, and its bytes there and back. */
struct scenario_hop {
	uint32_t from, to;
	uint32_t route;	   /* number of the pair of first and last host */
	uint32_t position; /* 0, or 1 behind a gateway */
	double t1, t2, t3, t4;
	uint32_t bytes;
	bool both; /* the answer has as many bytes; else none */
};

/* The first and last hosts of operations, and the gateway between them. */
struct scenario_route {
	uint32_t from, to;
	uint32_t gateway; /* == from: none */
};

struct scenario {
	const char *name;
	uint32_t hosts;
	struct scenario_clock clocks[SCENARIO_HOSTS];
	struct scenario_route routes[1024];
	uint32_t route_count;
	uint64_t state; /* of the random numbers */
	struct scenario_hop *hops;
	uint64_t count, room;
	double end; /* us */
};

/* Returns the number of scenarios, and the name of each. */
unsigned scenario_count(void);
const char *scenario_name(unsigned n);

/* Makes a scenario; NULL: there is no such name. */
struct scenario *scenario_create(const char *name, uint64_t seed);
void scenario_destroy(struct scenario *scenario);

/* Returns the reading of a clock at a true time, in ns. */
int64_t scenario_read(const struct scenario_clock *clock, double us);

#endif
