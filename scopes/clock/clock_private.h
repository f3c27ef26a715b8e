/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/clock_private.h - sets the clocks of all hosts to one of them
 *
 * Processes whose spaces name the same clock domain share one clock exactly.
 * Between domains, an operation that passed a proxy has four stamps: t1 and t4
 * from the collector above the proxy, t2 and t3 from the one below.  A method
 * computes from them the offset of each domain to the reference.
 *
 * A method is one file in scopes/clock and its line in clock.def.
 */

#ifndef SCOPES_CLOCK_CLOCK_PRIVATE_H
#define SCOPES_CLOCK_CLOCK_PRIVATE_H

#include "scopes/analysis.h"

#include "libpaths/clock.h"

/* A clock that processes share. */
struct es__clock_domain {
	const char *text;
	uint32_t process; /* the first one with this clock */
	/* The two calibrations that are furthest apart. */
	struct paths_clock_pair first, last;
	uint64_t hz;
	struct es_timebase local; /* to ns of this clock */
};

/* Two clocks, measured by the operations that begin in one domain and go to the
   other. */
struct es__clock_edge {
	uint32_t from, to; /* domains */
	uint32_t *above;   /* collectors above the proxies */
	uint32_t above_count;
	uint64_t operations;
	int64_t offset_ns; /* clock of `to` minus clock of `from`: the mean */
	int64_t upper_ns;  /* upper bound of the offset: least t2 - t1 */
	int64_t lower_ns;  /* lower bound of the offset: largest t3 - t4 */
};

struct es__clock_solution {
	int64_t offset_ns; /* clock minus reference clock, at the clock's first
			      calibration */
	int64_t rate_ppb;  /* change of the offset per second */
	int64_t bound_ns;  /* largest error of the offset; -1: unknown */
	bool connected;	   /* to the reference, by operations */
};

struct es__clocks {
	struct es__clock_domain *domains;
	uint32_t domain_count;
	uint32_t *domain_of; /* of each process; PATHS_NONE: it has no space */
	struct es__clock_edge *edges; /* in order of from and to */
	uint32_t edge_count;
	uint32_t *above;    /* memory of the edges' `above` */
	uint32_t reference; /* domain that all others are aligned to */
	/* Domain that each domain is aligned to directly, or PATHS_NONE. */
	uint32_t *parent;
	uint32_t *order; /* domains connected to the reference, parents first */
	uint32_t order_count;
	const struct es__clock_method *method;
	struct es__clock_solution *solutions; /* of each domain, by `method` */
};

struct es__clock_method {
	const char *name;
	const char *about;
	bool bounds; /* computes bounds when the clocks allow it */
	/* solutions: of each domain; those of the reference and of domains not
	   connected to it are filled in already */
	void (*solve)(const struct es__clocks *clocks,
	    struct es__clock_solution *solutions);
};

/*
 * es__clock_init - find the clocks of a run and align them by a method
 *
 * Fills a->clocks from the graph and the overviews of `a`.
 *
 * method	NULL: the first
 *
 * Returns	PATHS_OK; PATHS_ENOENT no such method; PATHS_ENOMEM
 * Ownership	es__clock_fini, also on failure
 */
paths_status es__clock_init(struct es_analysis *a, const char *method)
    PATHS_CHECKED;
void es__clock_fini(struct es__clocks *clocks);

/* Returns the n-th method in the order of clock.def; NULL past the last. */
const struct es__clock_method *es__clock_method(size_t n);

/* Finds the method of a name, or the first one for NULL.  PATHS_ENOENT: the
   message has the nearest name. */
paths_status es__clock_method_find(const char *name,
    const struct es__clock_method **method) PATHS_CHECKED;

/* Solves by the method given; solutions has room for each domain. */
void es__clock_solve(const struct es__clocks *clocks,
    const struct es__clock_method *method,
    struct es__clock_solution *solutions);

/* Returns the conversion of ticks to the reference clock. */
struct es_timebase es__clock_base(const struct es__clock_domain *domain,
    const struct es__clock_solution *solution);

#endif
