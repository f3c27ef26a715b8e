/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/model/locality_test.c - two ranks have the locality of the
 * closest group that they share
 */

#include "scopes/model/locality_private.h"

#include "libpaths/map.h"

#include "tests/test.h"

/* Two packages of two caches of two cores of two processors, which the kernel
   numbers such that the second processors of cores come last. */
static struct paths_topology_pu pus[16];
static const struct paths_topology topology = { .pus = pus, .count = 16 };

static void
make(void)
{
	for (uint32_t n = 0; n < 16; n++)
		pus[n] = (struct paths_topology_pu){ .package = n / 8,
			.numa = n / 8,
			.cache = n / 4,
			.core = n / 2,
			.kernel = n / 2 + 8 * (n % 2),
			.allowed = true };
}

static struct es__rank_place
place(uint64_t mask)
{
	return es__rank_place_of(&topology, &mask, 1);
}

static void
place_is_the_group_of_all_processors(void)
{
	struct es__rank_place p;

	make();
	p = place(0x101);
	EXPECT_EQ(0, p.groups[ES__LOCALITY_CORE]);
	EXPECT_EQ(0, p.groups[ES__LOCALITY_CACHE]);
	p = place(0x0c);
	EXPECT_EQ(PATHS_NONE, p.groups[ES__LOCALITY_CORE]);
	EXPECT_EQ(1, p.groups[ES__LOCALITY_CACHE]);
	p = place(0x3c);
	EXPECT_EQ(PATHS_NONE, p.groups[ES__LOCALITY_CACHE]);
	EXPECT_EQ(PATHS_NONE, p.groups[ES__LOCALITY_PACKAGE]);
	p = place(0xf0);
	EXPECT_EQ(1, p.groups[ES__LOCALITY_PACKAGE]);
	p = es__rank_place_of(&topology, NULL, 0);
	EXPECT_EQ(PATHS_NONE, p.groups[ES__LOCALITY_PACKAGE]);
}

static void
pair_has_the_closest_locality(void)
{
	uint32_t hosts[] = { 0, 0, 0, 0, 1, 0, 0 };
	struct es__rank_place places[7];
	struct es__localities l = { .hosts = hosts,
		.host_count = 2,
		.between = 9,
		.levels = { 0, 1, 2, 3, 4 },
		.places = places };

	make();
	places[0] = place(0x001);
	places[1] = place(0x100); /* of the same core */
	places[2] = place(0x002); /* of the same cache */
	places[3] = place(0x008); /* of the same package */
	places[4] = place(0x001);
	places[5] = place(0x010); /* of the other package */
	places[6] = es__rank_place_of(&topology, NULL, 0);
	EXPECT_EQ(ES__LOCALITY_CORE, es__locality_of(&l, 0, 1));
	EXPECT_EQ(ES__LOCALITY_CACHE, es__locality_of(&l, 0, 2));
	EXPECT_EQ(ES__LOCALITY_NUMA, es__locality_of(&l, 3, 0));
	EXPECT_EQ(9, es__locality_of(&l, 0, 4));
	EXPECT_EQ(ES__LOCALITY_HOST, es__locality_of(&l, 5, 0));
	EXPECT_EQ(ES__LOCALITY_HOST, es__locality_of(&l, 6, 6));
	/* Packages of one NUMA node. */
	places[5].groups[ES__LOCALITY_NUMA] = 0;
	EXPECT_EQ(ES__LOCALITY_HOST, es__locality_of(&l, 5, 0));
}

static void
places_have_localities_of_a_model(void)
{
	const struct es_model_place core = { 0, 1, 1, 0, 0 };
	const struct es_model_place cache = { 0, 2, 1, 0, 0 };
	const struct es_model_place package = { 0, 4, 2, 0, 0 };
	const struct es_model_place other = { 0, 8, 4, 0, 1 };
	const struct es_model_place host = { 1, 1, 1, 0, 0 };
	struct es_model *model = NULL;
	uint32_t n;

	EXPECT_OK(es_model_create(&model));
	EXPECT_EQ(PATHS_NONE, es_model_place_locality(model, &core, &core));
	EXPECT_OK(es_model_add_locality(model, "package", &n));
	EXPECT_EQ(0, es_model_place_locality(model, &core, &other));
	EXPECT_OK(es_model_add_locality(model, "host", &n));
	EXPECT_EQ(0, es_model_place_locality(model, &core, &core));
	EXPECT_EQ(0, es_model_place_locality(model, &core, &cache));
	EXPECT_EQ(0, es_model_place_locality(model, &core, &package));
	EXPECT_EQ(1, es_model_place_locality(model, &core, &other));
	EXPECT_EQ(PATHS_NONE, es_model_place_locality(model, &core, &host));
	EXPECT_OK(es_model_add_locality(model, "network", &n));
	model->localities[n].between_hosts = true;
	EXPECT_EQ(2, es_model_place_locality(model, &core, &host));
	es_model_free(model);
}

TEST_MAIN(place_is_the_group_of_all_processors, pair_has_the_closest_locality,
    places_have_localities_of_a_model)
