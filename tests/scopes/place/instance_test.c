/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/place/instance_test.c - placements of known patterns
 *
 * tests/bench/place_bench has all of them.
 */

#include "tests/scopes/place/instances.h"
#include "tests/test.h"

#include <string.h>

/* The costs of rank n on slot n that other programs have found. */
static void
patterns_have_their_check_values(void)
{
	static const struct {
		const char *name;
		uint32_t size;
		double cost;
	} known[] = { { "rgg", 0, 5749888 }, { "rgg", 4, 143759382 },
		{ "amg-s", 2, 76892268 }, { "rmat", 1, 559546 },
		{ "st3d27-s", 0, 8501418 }, { "cg", 1, 12320000 },
		{ "mg", 3, 112836608 } };

	for (size_t n = 0; n < sizeof(known) / sizeof(*known); n++) {
		uint32_t size = known[n].size, slots[1024];
		struct es_place_cost cost = { .total = 0 };
		struct es_machine *m = NULL;
		struct es_traffic *t =
		    instance_traffic(known[n].name, instance_processes[size]);

		for (uint32_t p = 0; p < 1024; p++)
			slots[p] = p;
		EXPECT_OK(
		    es_machine_synthetic(instance_machines[size], NULL, &m));
		EXPECT_OK(es_place_evaluate(m, t, slots, &cost));
		EXPECT_NEAR(known[n].cost, cost.total, 0);
		es_machine_destroy(m);
		es_traffic_destroy(t);
	}
}

static void
expect_below(const struct es_machine *m, const struct es_traffic *t,
    double limit)
{
	static const struct es_place_options options = { .seed = 1 };
	struct es_place_result r = { .slots = NULL };
	struct es_place_cost cost = { .total = 0 };

	EXPECT_OK(es_place(m, t, NULL, &options, &r));
	EXPECT_OK(es_place_evaluate(m, t, r.slots, &cost));
	EXPECT_NEAR(cost.total, r.after.total, 0);
	EXPECT_TRUE(cost.total <= limit);
	EXPECT_TRUE(r.repeatable);
	es_place_fini(&r);
}

/* Bar: the best of Scotch, TreeMatch, packed and round-robin. */
static void
placements_are_below_the_bars_of_other_methods(void)
{
	static const char *const names[] = { "st3d27-s", "rgg", "bintree",
		"rmat", "amg-s", "hyper" };

	if (!es_place_has_scotch())
		TEST_SKIP("built without Scotch, which is one of the bars");
	for (size_t n = 0; n < instance_count; n++) {
		const struct instance *i = &instances[n];
		struct es_machine *m = NULL;
		struct es_traffic *t;
		bool chosen = false;

		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
			chosen |= strcmp(names[k], i->name) == 0;
		if (!chosen || i->size > 1)
			continue;
		t = instance_traffic(i->name, instance_processes[i->size]);
		EXPECT_OK(
		    es_machine_synthetic(instance_machines[i->size], NULL, &m));
		expect_below(m, t, i->best * i->bar * 1.0005);
		es_machine_destroy(m);
		es_traffic_destroy(t);
	}
}

static void
special_allocations_are_below_their_bars(void)
{
	if (!es_place_has_scotch())
		TEST_SKIP("built without Scotch, which is one of the bars");
	for (size_t n = 0; n < instance_special_count; n++) {
		const struct instance_special *i = &instance_specials[n];
		struct es_machine *m = instance_special_machine(i);
		struct es_traffic *t = instance_traffic(i->name, i->processes);

		expect_below(m, t, i->bar);
		es_machine_destroy(m);
		es_traffic_destroy(t);
	}
}

TEST_MAIN(patterns_have_their_check_values,
    placements_are_below_the_bars_of_other_methods,
    special_allocations_are_below_their_bars)
