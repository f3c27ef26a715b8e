/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/fixture.c - runs of simulated programs, and what predicts
 * them
 */

#include "tests/scopes/whatif/fixture.h"

#include "scopes/graph/mpi_private.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
same_site(const void *from, uint32_t thread, uint32_t site)
{
	(void)from;
	(void)thread;
	return site;
}

/* Call sites are named by their number. */
static const char *
place(void *from, uint32_t site)
{
	static char names[16][32];
	static unsigned next;
	char *name = names[next++ % 16];

	(void)from;
	snprintf(name, sizeof(names[0]), "main@halo.c:%u", site);
	return name;
}

void
fixture_open_lost(struct fixture *f, const struct es__cpu_curve *lost)
{
	struct es__graph_mpi of = { .input = fake_trace_input(f->program.fake),
		.threads = 2,
		.quota = 500 };
	struct es__graph *graph;

	memset(&f->classes, 0, sizeof(f->classes));
	EXPECT_OK(es__graph_mpi(&of, &graph));
	EXPECT_OK(es__graph_classes_init(graph, same_site, NULL, &f->classes));
	f->whatif = calloc(1, sizeof(*f->whatif));
	EXPECT_TRUE(f->whatif != NULL);
	for (uint32_t r = 0; r < f->program.ranks; r++)
		f->ranks[r] = r;
	f->whatif->run.place = place;
	f->whatif->run.model = (struct es__whatif_model){ .graph = graph,
		.classes = &f->classes,
		.ranks = f->ranks,
		.lost = lost };
	EXPECT_OK(es__whatif_run_init(&f->whatif->run));
	EXPECT_OK(es__whatif_begin(f->whatif));
}

void
fixture_open(struct fixture *f)
{
	fixture_open_lost(f, NULL);
}

void
fixture_close(struct fixture *f)
{
	es__graph_close((struct es__graph *)f->whatif->run.model.graph);
	es_whatif_close(f->whatif);
	es__graph_classes_fini(&f->classes);
	fake_trace_free(f->program.fake);
}

void
fixture_simulate(struct fixture *f, uint32_t ranks, uint32_t seed)
{
	f->program = (struct simulated){ .ranks = ranks,
		.rounds = 60,
		.seed = seed,
		.sites = true };
	simulate(&f->program);
	fixture_open(f);
}

void
fixture_curves_add(struct es__cpu_curve *curves, uint32_t ranks,
    const struct fixture_lost *lost)
{
	EXPECT_OK(
	    es__cpu_curve_add(&curves[lost->rank], lost->from_ns, lost->to_ns));
	EXPECT_OK(
	    es__cpu_curve_add(&curves[ranks], lost->from_ns, lost->to_ns));
}

void
fixture_curves_end(struct es__cpu_curve *curves, uint32_t ranks)
{
	for (uint32_t r = 0; r <= ranks; r++)
		es__cpu_curve_end(&curves[r]);
}

void
fixture_curves_free(struct es__cpu_curve *curves, uint32_t ranks)
{
	for (uint32_t r = 0; r <= ranks; r++)
		es__cpu_curve_fini(&curves[r]);
}

void
fixture_stepped_lost(struct fixture *f, const struct fixture_steps *of,
    struct es__cpu_curve *curves)
{
	uint32_t ranks = of->ranks;
	const int64_t *computing_ns = of->computing_ns;
	uint64_t now = 0;

	memset(f, 0, sizeof(*f));
	f->program.ranks = ranks;
	f->program.fake = fake_trace_create(ranks);
	for (uint32_t n = 1; n <= of->steps; n++) {
		uint64_t last = 0;

		for (uint32_t r = 0; r < ranks; r++)
			if (now + (uint64_t)computing_ns[r] > last)
				last = now + (uint64_t)computing_ns[r];
		for (uint32_t r = 0; curves != NULL && r < ranks; r++) {
			int64_t to_ns = (int64_t)now + computing_ns[r];

			fixture_curves_add(curves, ranks,
			    &(struct fixture_lost){ r, to_ns - of->lost_ns[r],
				to_ns });
		}
		for (uint32_t r = 0; r < ranks; r++)
			FAKE_CALL(f->program.fake, r, "Barrier",
			    now + (uint64_t)computing_ns[r], last + 10,
			    .peer = -1, .match = 2 * n - 1, .site = 7);
		for (uint32_t r = 0; r < ranks; r++)
			FAKE_CALL(f->program.fake, r, "Allreduce", last + 20,
			    last + 30, .peer = -1, .bytes = 8, .match = 2 * n,
			    .site = 8);
		now = last + 30;
	}
	if (curves != NULL)
		fixture_curves_end(curves, ranks);
	fixture_open_lost(f, curves);
}

void
fixture_stepped(struct fixture *f, uint32_t ranks, uint32_t steps,
    const int64_t *computing_ns)
{
	fixture_stepped_lost(f,
	    &(struct fixture_steps){ ranks, steps, computing_ns, NULL }, NULL);
}
