/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/picture.c - the traffic of a run in the order of its cores,
 * before and after a placement
 */

#include "scopes/placement/picture.h"

#include "scopes/model_run.h"
#include "scopes/place/traffic_private.h"
#include "scopes/placement/plan_private.h"

#include "libpaths/log.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The most ranks of a core, as of eventspace place --per-core. */
#define PER_CORE_MAX 1024u

static paths_status
picture_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a placement");
}

paths_status
es_place_picture_ready(const struct es_run *run)
{
	struct es__cluster cluster = { 0 };
	paths_status st = es__recorded_hosts(&cluster, run, NULL, 0);

	es__cluster_fini(&cluster);
	return st;
}

/* Counts the ranks of each host of a cluster; NULL: there is no memory. */
static uint32_t *
picture_ranks(const struct es_run *run, const struct es__cluster *cluster)
{
	const struct paths_map *map = es_run_map(run);
	uint32_t processes = es__recorded_processes(run);
	uint32_t *ranks = calloc(cluster->count + 1, sizeof(*ranks));

	for (uint32_t n = 0; ranks != NULL && n < processes; n++)
		ranks[es__cluster_find(cluster,
		    map->hosts[map->processes[n].host].name)]++;
	return ranks;
}

/* Finds the fewest ranks of a core with which each host holds its ranks. */
static paths_status
picture_per_core(const struct es_run *run, uint64_t *per_core)
{
	struct es__cluster cluster = { 0 };
	struct es__slots slots = { 0 };
	uint32_t *ranks = NULL;
	paths_status st = es__recorded_hosts(&cluster, run, NULL, 0);

	*per_core = 1;
	if (st == PATHS_OK)
		st = es__slots_open(&cluster,
		    &(struct es__slots_options){ .per_core = 1 }, &slots);
	if (st == PATHS_OK) {
		ranks = picture_ranks(run, &cluster);
		st = ranks == NULL ? picture_no_memory() : PATHS_OK;
	}
	for (size_t n = 0; st == PATHS_OK && n < cluster.count; n++) {
		uint32_t cores = slots.first[n + 1] - slots.first[n];

		while (*per_core < PER_CORE_MAX && cores * *per_core < ranks[n])
			++*per_core;
	}
	free(ranks);
	es__slots_close(&slots);
	es__cluster_fini(&cluster);
	return st;
}

static int
slot_order(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Sorts the ranks by their slots. */
static paths_status
side_take(const struct es_place_plan *plan, const uint32_t *slot_of,
    double cost, struct es_place_picture_side *side)
{
	const struct es__slots *slots = &plan->slots;
	uint64_t *keys = calloc(plan->ranks, sizeof(*keys));

	side->at = calloc(plan->ranks, sizeof(*side->at));
	side->order = calloc(plan->ranks, sizeof(*side->order));
	side->shared = calloc(plan->ranks, sizeof(*side->shared));
	side->host = calloc(plan->ranks, sizeof(*side->host));
	if (keys == NULL || side->at == NULL || side->order == NULL ||
	    side->shared == NULL || side->host == NULL) {
		free(keys);
		return picture_no_memory();
	}
	for (uint32_t n = 0; n < plan->ranks; n++)
		keys[n] = (uint64_t)slot_of[n] << 32 | n;
	qsort(keys, plan->ranks, sizeof(*keys), slot_order);
	for (uint32_t n = 0; n < plan->ranks; n++) {
		uint32_t slot = (uint32_t)(keys[n] >> 32);

		side->order[n] = (uint32_t)keys[n];
		side->at[side->order[n]] = n;
		side->host[n] = slots->slots[slot].host;
		if (n > 0)
			side->shared[n] = es_machine_depth(slots->machine,
			    (uint32_t)(keys[n - 1] >> 32), slot);
	}
	side->cost = cost;
	free(keys);
	return PATHS_OK;
}

/* Takes each pair once. */
static paths_status
picture_pairs(const struct es_traffic *traffic,
    struct es_place_picture *picture)
{
	size_t room = es_traffic_pairs(traffic);

	picture->pairs = calloc(room + 1, sizeof(*picture->pairs));
	if (picture->pairs == NULL)
		return picture_no_memory();
	for (uint32_t a = 0; a < traffic->count; a++)
		for (size_t n = traffic->row[a]; n < traffic->row[a + 1]; n++)
			if (traffic->partner[n] > a)
				picture->pairs[picture->pair_count++] =
				    (struct es_place_picture_pair){ a,
					    traffic->partner[n],
					    traffic->weight[n] };
	return PATHS_OK;
}

static paths_status
picture_hosts(const struct es__cluster *cluster,
    struct es_place_picture *picture)
{
	picture->hosts = calloc(cluster->count + 1, sizeof(*picture->hosts));
	if (picture->hosts == NULL)
		return picture_no_memory();
	for (size_t n = 0; n < cluster->count; n++) {
		picture->hosts[n] = strdup(cluster->hosts[n].name);
		if (picture->hosts[n] == NULL)
			return picture_no_memory();
		picture->host_count++;
	}
	return PATHS_OK;
}

static paths_status
picture_take(const struct es_place_source *source,
    const struct es_place_plan *plan, struct es_place_picture *picture)
{
	const struct es__current_notes *notes = &plan->notes;
	paths_status st = picture_hosts(&plan->cluster, picture);

	picture->ranks = plan->ranks;
	picture->unit = es_place_unit_name(source->unit, false);
	picture->units = es_place_unit_name(source->unit, true);
	picture->level_count = plan->slots.level_count;
	memcpy(picture->levels, plan->slots.levels, sizeof(picture->levels));
	picture->assumed = !plan->before_is_known ||
	    notes->unknown + notes->wide + notes->taken > 0;
	for (uint32_t n = 0; n < plan->ranks; n++)
		picture->moved += plan->before[n] != plan->after[n];
	if (st == PATHS_OK)
		st = side_take(plan, plan->before, plan->cost_before.total,
		    &picture->before);
	if (st == PATHS_OK)
		st = side_take(plan, plan->after, plan->cost_after.total,
		    &picture->after);
	return st == PATHS_OK ? picture_pairs(source->traffic, picture) : st;
}

/* Reads the model that is kept with a run. */
static paths_status
picture_model(const char *run, struct es_model **model)
{
	char file[PATH_MAX];
	struct stat about;

	/* The read of a pipe would wait. */
	if (snprintf(file, sizeof(file), "%s/" ES_MODEL_KEPT, run) >=
		PATH_MAX ||
	    stat(file, &about) != 0 || !S_ISREG(about.st_mode))
		return paths_log_fail(PATHS_ENOENT,
		    "no model is kept with the run: eventspace model RUN "
		    "--with MODEL keeps one");
	return es_model_read(file, model);
}

static paths_status
picture_make(const char *run, const struct es_place_count *count,
    const struct es_model *model, struct es_place_picture *picture)
{
	struct es_place_asked asked = { .model = model };
	struct es_place_source source;
	struct es_place_plan plan = { 0 };
	paths_status st = es_place_source_open(run, count, &source);

	if (st == PATHS_OK)
		st = picture_per_core(source.run, &asked.per_core);
	if (st == PATHS_OK)
		st = es_place_plan_open(&asked, &source, &plan);
	if (st == PATHS_OK)
		st = picture_take(&source, &plan, picture);
	picture->per_core = (uint32_t)asked.per_core;
	es_place_plan_close(&plan);
	es_place_source_close(&source);
	return st;
}

paths_status
es_place_picture_open(const char *run, enum es_place_picture_cost cost,
    struct es_place_picture **out)
{
	const bool timed = cost == ES_PLACE_PICTURE_TIME;
	const struct es_place_count count = { .messages = cost ==
		    ES_PLACE_PICTURE_MESSAGES,
		.sizes = timed,
		.collectives = timed ? ES_PLACE_NONE : ES_PLACE_PAIRS };
	struct es_place_picture *picture = calloc(1, sizeof(*picture));
	struct es_model *model = NULL;
	paths_status st;

	if (picture == NULL)
		return picture_no_memory();
	st = timed ? picture_model(run, &model) : PATHS_OK;
	if (st == PATHS_OK)
		st = picture_make(run, &count, model, picture);
	es_model_free(model);
	if (st == PATHS_OK)
		*out = picture;
	else
		es_place_picture_close(picture);
	return st;
}

static void
side_free(struct es_place_picture_side *side)
{
	free(side->at);
	free(side->order);
	free(side->shared);
	free(side->host);
}

void
es_place_picture_close(struct es_place_picture *picture)
{
	if (picture == NULL)
		return;
	for (uint32_t n = 0; n < picture->host_count; n++)
		free(picture->hosts[n]);
	free(picture->hosts);
	side_free(&picture->before);
	side_free(&picture->after);
	free(picture->pairs);
	free(picture);
}
