/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/waits_text.h - prints the wait states of a made trace
 */

#ifndef TESTS_SCOPES_MPI_WAITS_TEXT_H
#define TESTS_SCOPES_MPI_WAITS_TEXT_H

#include "scopes/mpi/waits_private.h"

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

struct computed {
	struct es_mpi_trace *trace;
	struct es__mpi_waits waits;
	char text[4096];
};

/* quota: tuples of a window; UINT64_MAX: one window */
static inline struct computed
compute_windows(struct fake_trace *fake, uint64_t quota)
{
	struct computed c = { .trace = NULL };

	EXPECT_OK(es_mpi_trace_open(fake_trace_input(fake), 2, &c.trace));
	EXPECT_OK(es__mpi_waits_compute(fake_trace_input(fake), NULL, 2, quota,
	    &c.waits));
	return c;
}

static inline struct computed
compute(struct fake_trace *fake)
{
	return compute_windows(fake, UINT64_MAX);
}

static inline void
forget(struct computed *c)
{
	es__mpi_waits_fini(&c->waits);
	es_mpi_trace_close(c->trace);
}

/* Returns lines "rank @site Pattern instances ns" and "rank for culprit Pattern
   instances ns". */
static inline const char *
waits_text(struct computed *c)
{
	size_t used = 0;

	c->text[0] = '\0';
	for (uint32_t r = 0; r < c->waits.rank_count; r++) {
		const struct es__mpi_rank_waits *w = &c->waits.ranks[r];

		for (size_t n = 0; n < w->sites.count; n++)
			used += (size_t)snprintf(c->text + used,
			    sizeof(c->text) - used, "%u @%u %s %llu %lld\n", r,
			    w->sites.rows[n].a,
			    es__wait_pattern_name(w->sites.rows[n].b),
			    (unsigned long long)w->sites.rows[n].instances,
			    (long long)w->sites.rows[n].ns);
		for (size_t n = 0; n < w->pairs.count; n++)
			used += (size_t)snprintf(c->text + used,
			    sizeof(c->text) - used, "%u for %d %s %llu %lld\n",
			    r, (int)w->pairs.rows[n].a,
			    es__wait_pattern_name(w->pairs.rows[n].b),
			    (unsigned long long)w->pairs.rows[n].instances,
			    (long long)w->pairs.rows[n].ns);
	}
	return c->text;
}

/* The smallest windows give the same waits as one window. */
#define EXPECT_WAITS(text, fake) \
	do { \
		struct computed computed_ = compute(fake); \
		EXPECT_STR_EQ(text, waits_text(&computed_)); \
		forget(&computed_); \
		computed_ = compute_windows(fake, 1); \
		EXPECT_STR_EQ(text, waits_text(&computed_)); \
		forget(&computed_); \
	} while (0)

#endif
