/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/calibrate/link_test.c - links with known times give their model
 *
 * The times of writes are computed, so that the model is known exactly.
 */

#include "scopes/calibrate/link_map_private.h"
#include "scopes/calibrate/link_measure_private.h"
#include "scopes/calibrate/pace_private.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

/* Two hosts with two processes each, and a third host. */
static const char map_text[] = "pathmap 1 -trust network -silence 2500ms\n"
			       "host a -address 127.0.0.1\n"
			       "host b -address 127.0.0.1\n"
			       "host c -address 127.0.0.1\n"
			       "process a0 -host a -listen tcp:0\n"
			       "process a1 -host a -listen tcp:0\n"
			       "process b0 -host b -listen tcp:0\n"
			       "process b1 -host b -listen tcp:0\n"
			       "process c0 -host c -listen tcp:0\n"
			       "thread ta0 -process a0 -core 1\n"
			       "thread ta1 -process a1\n"
			       "thread tb0 -process b0\n"
			       "element ea -process a0 -type f64\n"
			       "element ea1 -process a1 -type f64\n"
			       "element eb -process b1 -type f64\n"
			       "element ec -process c0 -type f64\n"
			       "path ta0 eb {{proxy b1} {element eb}}\n"
			       "path ta0 ea1 {{proxy a1} {element ea1}}\n"
			       "path ta0 ec {{proxy c0} {element ec}}\n"
			       "path ta0 ea {{element ea}}\n"
			       "path ta1 ea {{proxy a0} {element ea}}\n"
			       "path tb0 ea {{proxy a0} {element ea}}\n"
			       "path tb0 eb {{proxy b1} {element eb}}\n"
			       "path tb0 ec {{proxy c0} {element ec}}\n";

static struct paths_map *
map_of(const char *text)
{
	const struct paths_map_reader reader = { .plugins = NULL };
	struct paths_map *map = NULL;

	EXPECT_OK(paths_map_read_text(text, strlen(text), "m", &reader, &map));
	return map;
}

/* Expects a link from a process to another one. */
static void
expect_link(const struct paths_map *map, const struct es__link *link,
    const char *from, const char *to, enum paths_map_via via)
{
	EXPECT_STR_EQ(from, map->processes[link->from].name);
	EXPECT_STR_EQ(to, map->processes[link->to].name);
	EXPECT_EQ(via, link->via);
}

static void
links_are_those_of_hosts_and_means(void)
{
	struct es__link links[ES__LINKS_MOST];
	struct paths_map *map = map_of(map_text);
	uint32_t count;

	EXPECT_OK(es__links_find(map, links, &count));
	EXPECT_EQ(5, count);
	expect_link(map, &links[0], "a0", "b1", PATHS_MAP_VIA_TCP);
	expect_link(map, &links[1], "a0", "a1", PATHS_MAP_VIA_SHM);
	expect_link(map, &links[2], "a0", "c0", PATHS_MAP_VIA_TCP);
	expect_link(map, &links[3], "b0", "b1", PATHS_MAP_VIA_SHM);
	expect_link(map, &links[4], "b0", "c0", PATHS_MAP_VIA_TCP);
	paths_map_close(map);
}

static void
map_for_measuring_has_the_links(void)
{
	struct es__link links[ES__LINKS_MOST];
	struct paths_map *map = map_of(map_text), *made;
	uint32_t count, found = 0;
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	EXPECT_TRUE(to != NULL);
	EXPECT_OK(es__links_find(map, links, &count));
	es__link_map_print(map, links, count, to);
	EXPECT_EQ(0, fclose(to));
	made = map_of(text);
	EXPECT_EQ(map->process_count, made->process_count);
	EXPECT_EQ(PATHS_MAP_TRUST_NETWORK, made->trust);
	EXPECT_EQ(2500000000, made->silence_ns);
	EXPECT_EQ(1, made->threads[0].core);
	for (uint32_t n = 0; n < made->path_count; n++)
		found += strncmp(made->paths[n].element_name, "link", 4) == 0;
	EXPECT_EQ(5, found);
	paths_map_close(made);
	paths_map_close(map);
	free(text);
}

static void
map_without_links_is_refused(void)
{
	struct es__link links[ES__LINKS_MOST];
	struct paths_map *map =
	    map_of("pathmap 1\nhost h\nprocess p -host h\n"
		   "thread t -process p\n"
		   "element e -process p -type f64\npath t e {{element e}}\n");
	uint32_t count;

	EXPECT_EQ(PATHS_EINVAL, es__links_find(map, links, &count));
	EXPECT_STR_EQ("m: no process has a proxy to another one",
	    paths_log_last());
	paths_map_close(map);
}

/* A machine whose links have known costs. */
struct machine {
	const struct es__link *links;
	double alpha_s[8], rate[8]; /* of each link */
	double slower; /* factor of all times after some requests */
	unsigned slower_at, writes, fail_at;
};

/* Returns the times of writes: a message, and an answer without bytes. */
static paths_status
machine_write(void *self, const struct es__link_ask *ask,
    struct es__link_answer *answer)
{
	struct machine *m = self;

	m->writes++;
	if (m->writes == m->fail_at)
		return paths_log_fail(PATHS_ELOST, "gone");
	EXPECT_TRUE(ask->count > 0 && ask->count <= ES__LINK_SIZES);
	for (uint32_t n = 0; n < ask->count; n++) {
		EXPECT_TRUE(ask->turns[n] > 0 && ask->bytes[n] > 0);
		answer->seconds[n] = 2 * m->alpha_s[ask->link] +
		    (double)(ask->bytes[n] - 1) / m->rate[ask->link];
		if (m->writes > m->slower_at)
			answer->seconds[n] *= m->slower;
	}
	return PATHS_OK;
}

static struct es__links
links_of(const struct paths_map *map, struct es__link *links, struct machine *m)
{
	struct es__links l = { .map = map,
		.links = links,
		.write = machine_write,
		.self = m,
		/* Far away: no size is left out. */
		.end_s = es__pace_now() + 4e6,
		.quick = true,
		.quiet = true };

	EXPECT_OK(es__links_find(map, links, &l.count));
	return l;
}

/* Links as of links_are_those_of_hosts_and_means. */
#define MACHINE \
	{ \
		.alpha_s = { 1e-3, 1e-6, 1.1e-3, 1.2e-6, 2e-3 }, \
		.rate = { 1e8, 1e9, 1e8, 1e9, 1e7 }, .slower = 1 \
	}

static void
model_has_the_costs_of_classes(void)
{
	struct es__link links[ES__LINKS_MOST];
	struct paths_map *map = map_of(map_text);
	struct machine machine = MACHINE;
	struct es__links l = links_of(map, links, &machine);
	const struct es_model_locality *far;
	struct es_model *model;

	EXPECT_OK(es__links_measure(&l, &model));
	EXPECT_EQ(3, model->locality_count);
	EXPECT_STR_EQ("shm", model->localities[0].name);
	EXPECT_EQ(false, model->localities[0].between_hosts);
	EXPECT_EQ(2, model->localities[0].pair_count);
	EXPECT_STR_EQ("network", model->localities[1].name);
	EXPECT_EQ(true, model->localities[1].between_hosts);
	EXPECT_EQ(2, model->localities[1].pair_count);
	EXPECT_EQ(2, es_model_find_pair(model, NULL, "c", "b"));
	EXPECT_EQ(1, es_model_find_pair(model, "network", "c", "a"));
	EXPECT_EQ(0, es_model_find_pair(model, "shm", "b", "b"));
	EXPECT_EQ(PATHS_NONE, es_model_find_pair(model, "tcp", "b", "b"));
	EXPECT_EQ(PATHS_NONE, es_model_find_pair(model, NULL, "c", "c"));
	far = &model->localities[2];
	EXPECT_STR_EQ("network-2", far->name);
	EXPECT_EQ(1, far->fits[ES_MODEL_SEGMENTS].count);
	EXPECT_NEAR(2e-3, far->fits[ES_MODEL_SEGMENTS].list[0].alpha_s, 1e-6);
	EXPECT_NEAR(1e7, far->fits[ES_MODEL_SEGMENTS].list[0].rate, 1e4);
	EXPECT_NEAR(0, model->drift, 1e-9);
	es_model_free(model);
	paths_map_close(map);
}

static void
drift_is_noticed(void)
{
	struct es__link links[ES__LINKS_MOST];
	struct paths_map *map = map_of(map_text);
	struct machine machine = MACHINE;
	struct es__links l = links_of(map, links, &machine);
	struct es_model *model;

	machine.slower = 1.5;
	machine.slower_at = 20;
	EXPECT_OK(es__links_measure(&l, &model));
	EXPECT_NEAR(0.5, model->drift, 1e-9);
	EXPECT_TRUE(model->drift > model->drift_limit);
	es_model_free(model);
	paths_map_close(map);
}

static void
no_time_and_a_lost_process_are_errors(void)
{
	struct es__link links[ES__LINKS_MOST];
	struct paths_map *map = map_of(map_text);
	struct machine machine = MACHINE;
	struct es__links l = links_of(map, links, &machine);
	struct es_model *model = NULL;

	l.end_s = 0;
	EXPECT_EQ(PATHS_ETIMEDOUT, es__links_measure(&l, &model));
	EXPECT_STR_EQ("there was no time to measure the class shm: give more "
		      "with --seconds",
	    paths_log_last());
	for (unsigned n = 1; n < 30; n++) {
		machine = (struct machine)MACHINE;
		machine.fail_at = n;
		l = links_of(map, links, &machine);
		EXPECT_EQ(PATHS_ELOST, es__links_measure(&l, &model));
		EXPECT_EQ(n, machine.writes);
	}
	EXPECT_TRUE(model == NULL);
	paths_map_close(map);
}

TEST_MAIN(links_are_those_of_hosts_and_means, map_for_measuring_has_the_links,
    map_without_links_is_refused, model_has_the_costs_of_classes,
    drift_is_noticed, no_time_and_a_lost_process_are_errors)
