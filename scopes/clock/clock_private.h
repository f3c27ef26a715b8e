/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/clock_private.h - sets the clocks of all hosts to one of them
 *
 * Processes whose spaces name the same clock domain share one clock exactly.
 * Between domains, an operation that passed a proxy has four stamps: t1 and t4
 * from the collector above the proxy, t2 and t3 from the one below.  A message
 * of MPI has two (message_private.h).  A method computes from them the time of
 * each domain on the clock of the reference.
 *
 * A method is one file in scopes/clock and its line in clock.def.  Methods that
 * compute one offset for each clock share constant.c, those that need lines and
 * windows share aligned.c, which uses scopes/align.
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
   other, or by messages of MPI in this direction. */
struct es__clock_edge {
	uint32_t from, to; /* domains */
	uint32_t *above;   /* collectors above the proxies */
	uint32_t above_count;
	uint64_t operations;
	int64_t offset_ns; /* clock of `to` minus clock of `from`: the mean */
	int64_t least_ns;  /* the shortest operation, without the time below */
	int64_t least_offset_ns; /* offset by that operation */
	int64_t upper_ns;	 /* upper bound of the offset: least t2 - t1 */
	int64_t lower_ns; /* lower bound of the offset: largest t3 - t4 */
	/* Messages of MPI from `from` to `to`. */
	const struct es__clock_message *messages;
	size_t message_count;
};

/* A clock from a time on. */
struct es__clock_window {
	int64_t begin_ns;  /* on the reference clock */
	int64_t offset_ns; /* clock minus reference clock, at the begin */
	int64_t rate_ppb;  /* change of the offset per second */
	int64_t bound_ns;  /* largest error of the offset; -1: unknown */
};

/* Windows of a clock in order of time; the first one holds from the begin. */
struct es__clock_solution {
	struct es_timebase base; /* ticks to ns of the reference clock */
	struct es__clock_window *windows; /* at least 1 */
	uint32_t window_count;
	bool connected; /* to the reference, by operations */
};

/* A clock that was set, as it seems. */
struct es__clock_jump {
	uint32_t domain;
	int64_t at_ns;	  /* on the reference clock */
	int64_t ahead_ns; /* by how much more it was ahead from then on */
};

/* A message with a wrong stamp, which was left out; in ns of the own clocks of
   its sender and its receiver. */
struct es__clock_left_out {
	uint32_t from, to;
	int64_t sent_ns, received_ns;
};

/* Result of the controlled logical clock. */
struct es__clock_logical_report {
	uint64_t messages;
	uint64_t wrong;		/* received before they were sent */
	uint64_t stamps, moved; /* 0, 0: none were moved */
	double most_ns;		/* that a stamp was moved */
};

/* The clocks of a run, aligned by a method. */
struct es__clock_result {
	const struct es__clock_method *method;
	uint32_t reference;
	struct es__clock_solution *solutions; /* of each domain */
	uint32_t domain_count;
	struct es__clock_jump *jumps;
	size_t jump_count;
	struct es__clock_left_out *left_out;
	size_t left_out_count;
	struct es__clock_logical_report logical;
};

struct es__clocks {
	struct es__clock_domain *domains;
	uint32_t domain_count;
	uint32_t *domain_of; /* of each process; PATHS_NONE: it has no space */
	struct es__clock_edge *edges; /* in order of from and to */
	uint32_t edge_count;
	size_t edge_room;
	uint32_t *above;		    /* memory of the edges' `above` */
	struct es__clock_message *messages; /* and of their messages */
	size_t message_count;
	struct es__clock_message *travels; /* that sockets measured */
	size_t travel_count;
	bool measured; /* the edges and the tree are */
	/* The breadth-first tree: the domain that each domain is aligned to
	   directly, or PATHS_NONE. */
	uint32_t *parent;
	uint32_t *order; /* domains connected to the root, parents first */
	uint32_t order_count;
	uint32_t reference; /* of the result */
	struct es__clock_result result;
};

struct es__clock_method {
	const char *name;
	const char *about;
	bool bounds;   /* computes bounds when the clocks allow it */
	bool measures; /* needs the edges and the tree measured */
	bool logical;  /* aligns so well that the rest can be corrected */
	/* result: with zeros for each domain; sets the reference and the
	   solutions of the domains that operations connect to it */
	paths_status (*solve)(const struct es_analysis *a,
	    struct es__clock_result *result);
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

/*
 * es__clock_solve - align the clocks by a method
 *
 * result	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	es__clock_result_fini, also on failure
 */
paths_status es__clock_solve(struct es_analysis *a,
    const struct es__clock_method *method, struct es__clock_result *result)
    PATHS_CHECKED;
void es__clock_result_fini(struct es__clock_result *result);

/* Sets the solution of a domain to a constant offset; bound_ns -1: unknown. */
paths_status es__clock_set_offset(const struct es__clocks *clocks,
    struct es__clock_solution *solution, uint32_t domain, int64_t offset_ns,
    int64_t bound_ns) PATHS_CHECKED;

/* Returns a domain's own clock minus wall-clock time. */
int64_t es__clock_ahead(const struct es__clock_domain *domain);

#endif
