/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/clock_private.h - one clock for all hosts
 *
 * Processes whose spaces name the same clock domain share one clock exactly.
 * Between domains, operations that passed a proxy have four stamps: t1 and t4
 * by the collector above it, t2 and t3 by the one below.  A method makes of
 * them, for each domain, how far it is ahead of the reference.
 *
 * A method is one file in scopes/clocks/ and one line in clock.def.
 */

#ifndef SCOPES_CLOCK_CLOCK_PRIVATE_H
#define SCOPES_CLOCK_CLOCK_PRIVATE_H

#include "scopes/analysis.h"

#include "libpaths/clock.h"

/* One clock. */
struct es__domain {
	const char *text;
	uint32_t process;		     /* the first that stamps with it */
	struct paths_clock_pair first, last; /* calibrations, furthest apart */
	uint64_t hz;
	struct es_timebase local; /* to ns of this clock */
};

/* What operations begun in one domain tell of another's clock. */
struct es__edge {
	uint32_t from, to; /* domains */
	uint32_t *above;   /* collectors, those above the proxies */
	uint32_t above_count;
	uint64_t operations;
	int64_t offset_ns; /* to ahead of from: the mean over operations */
	int64_t upper_ns;  /* it is at most that: the least of t2 - t1 */
	int64_t lower_ns;  /* it is at least that: the largest of t3 - t4 */
};

struct es__solution {
	int64_t offset_ns; /* ahead of the reference */
	int64_t rate_ppb;  /* more, for each second from the clock's first
			      calibration */
	int64_t bound_ns;  /* the offset is right within that; -1: unknown */
	bool connected;	   /* by operations, to the reference */
};

struct es__clocks {
	struct es__domain *domains;
	uint32_t domain_count;
	uint32_t *domain_of;	/* of each process; NONE: it has no space */
	struct es__edge *edges; /* in order of from and to */
	uint32_t edge_count;
	uint32_t *above;    /* memory of the edges */
	uint32_t reference; /* domain */
	uint32_t *parent;   /* of each domain, toward the reference; NONE */
	uint32_t *order;    /* domains, parents first; those connected */
	uint32_t order_count;
	const struct es_clock_method *method;
	struct es__solution *solutions; /* of each domain, by `method` */
};

struct es_clock_method {
	const char *name;
	const char *about;
	bool bounds; /* finds bounds, where the clocks allow it */
	/* solutions: of each domain, that of the reference and those not
	   connected to it filled in already */
	void (*solve)(const struct es__clocks *clocks,
	    struct es__solution *solutions);
};

/* The four stamps of an operation, each in ns of its own clock. */
struct es__stamps {
	int64_t t1, t2, t3, t4;
};

typedef void es__stamps_do(void *context, const struct es__stamps *stamps);

/*
 * es__clocks_init - find the clocks of a run and set them by a method
 *
 * Fills a->clocks and a->bases from a->forest.
 *
 * method	NULL: the first
 *
 * Returns	PATHS_OK; PATHS_ENOENT no such method; PATHS_ENOMEM
 * Ownership	es__clocks_fini, also on failure
 */
paths_status es__clocks_init(struct es_analysis *a, const char *method)
    PATHS_CHECKED;
void es__clocks_fini(struct es__clocks *clocks);

/* The methods in the order of clock.def; NULL past the last. */
const struct es_clock_method *es__clock_method(size_t n);

/* Solve by any method; solutions has room for each domain. */
void es__clocks_solve(const struct es__clocks *clocks,
    const struct es_clock_method *method, struct es__solution *solutions);

/* The conversion to the reference's clock that a solution makes. */
struct es_timebase es__clocks_base(const struct es__domain *domain,
    const struct es__solution *solution);

/* All operations of an edge, those of one collector after another. */
paths_status es__edge_each(const struct es_analysis *a,
    const struct es__edge *edge, es__stamps_do *each, void *context)
    PATHS_CHECKED;

/* The edge between two domains in this direction; NULL. */
const struct es__edge *es__clocks_edge(const struct es__clocks *clocks,
    uint32_t from, uint32_t to);

#endif
