/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_classes.c - the shares of classes in the rows of
 * timelines
 */

#include "scopes/views/run/timeline_classes_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

void
es__timeline_classes_groups(struct es__timeline_classes *c)
{
	c->first_level = es_timeline_class_level(c->rows->shape.levels);
	for (uint32_t g = 0; g < ES_GROUPS; g++)
		c->names[g] = es_operation_group_name(g);
}

paths_status
es__timeline_classes_open(struct es__timeline_classes *c)
{
	bool all = true;

	c->planes = calloc((size_t)c->rows->pyramid_count * ES_GROUPS + 1,
	    sizeof(struct es__plane *));
	c->scratch = calloc(ES__PYRAMID_BLOCK / 2, sizeof(*c->scratch));
	for (int k = ES__TIMELINE_PROCESS; k < ES__TIMELINE_KINDS; k++) {
		c->sums[k] = calloc((size_t)ES_GROUPS * ES__PYRAMID_BLOCK,
		    sizeof(*c->sums[k]));
		all = all && c->sums[k] != NULL;
	}
	return all && c->planes != NULL && c->scratch != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
}

void
es__timeline_classes_close(struct es__timeline_classes *c)
{
	size_t count = (size_t)c->rows->pyramid_count * ES_GROUPS;

	for (size_t n = 0; c->planes != NULL && n < count; n++) {
		if (c->planes[n] == NULL)
			continue;
		es__plane_close(c->planes[n]);
		free(c->planes[n]);
	}
	for (int k = 0; k < ES__TIMELINE_KINDS; k++)
		free(c->sums[k]);
	free(c->planes);
	free(c->scratch);
}

/* Receiver of the chunks of one class of a pyramid. */
struct taker {
	const struct es__timeline_classes *classes;
	uint32_t pyramid, group;
};

static paths_status
taker_take(void *context, uint32_t level, uint64_t chunk,
    const uint16_t *shares, uint32_t count)
{
	const struct taker *taker = context;
	struct es_sink *sink = taker->classes->sink;

	return sink->row(sink, taker->classes->table,
	    (struct es_value[]){ ES_INT(taker->pyramid), ES_INT(level),
		ES_INT(chunk), ES_STR(taker->classes->names[taker->group]),
		ES_BIN(shares, count * sizeof(*shares)) });
}

/* Returns the plane of a class, which the first call opens. */
static paths_status
classes_plane(struct es__timeline_classes *c, uint32_t pyramid, uint32_t group,
    struct es__plane **plane)
{
	struct es__plane **at = &c->planes[pyramid * ES_GROUPS + group];

	if (*at == NULL) {
		*at = calloc(1, sizeof(**at));
		if (*at == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a timeline");
		*plane = *at;
		(*at)->first_level = c->first_level;
		return es__plane_open(*at, &c->rows->shape,
		    c->rows->threads[pyramid]);
	}
	*plane = *at;
	return PATHS_OK;
}

/* Adds a complete block to a pyramid; the last block ends it. */
static paths_status
classes_grow(struct es__timeline_classes *c, uint32_t pyramid, uint64_t block,
    const struct es__timeline_times *times)
{
	const struct es__timeline_rows *rows = c->rows;
	bool skip = !c->all && rows->groups[pyramid] < ES_GROUPS;
	paths_status st = PATHS_OK;

	for (uint32_t g = 0; !skip && st == PATHS_OK && g < ES_GROUPS; g++) {
		struct taker taker = { c, pyramid, g };
		struct es__plane_to to = { &taker, taker_take };
		struct es__plane *plane = c->planes[pyramid * ES_GROUPS + g];

		if ((times->mask >> g & 1) != 0) {
			st = classes_plane(c, pyramid, g, &plane);
			if (st == PATHS_OK)
				st = es__plane_add(plane, block, times->ns[g],
				    c->scratch, &to);
		}
		if (st == PATHS_OK && plane != NULL &&
		    block + 1 == rows->blocks)
			st = es__plane_end(plane, &to);
	}
	return st;
}

/* Adds the times of a thread to the sums of a kind. */
static void
classes_sum(struct es__timeline_classes *c, int kind,
    const struct es__timeline_times *times)
{
	for (uint32_t g = 0; g < ES_GROUPS; g++) {
		uint64_t *sum = c->sums[kind] + (size_t)g * ES__PYRAMID_BLOCK;
		const uint64_t *ns = times->ns[g];

		if ((times->mask >> g & 1) == 0)
			continue;
		if ((c->masks[kind] >> g & 1) == 0)
			memcpy(sum, ns, ES__PYRAMID_BLOCK * sizeof(*sum));
		else
			for (uint32_t n = 0; n < ES__PYRAMID_BLOCK; n++)
				sum[n] += ns[n];
	}
	c->masks[kind] |= times->mask;
}

paths_status
es__timeline_classes_add(struct es__timeline_classes *c, uint32_t at,
    uint64_t block, const struct es__timeline_times *times)
{
	const struct es__timeline_rows *rows = c->rows;
	paths_status st = classes_grow(c,
	    rows->ranges[ES__TIMELINE_THREAD][at].pyramid, block, times);

	for (int k = ES__TIMELINE_PROCESS;
	     st == PATHS_OK && k < ES__TIMELINE_KINDS; k++) {
		const struct es__timeline_range *range = &rows->ranges[k][at];
		struct es__timeline_times sums;

		if (range->pyramid == rows->ranges[k - 1][at].pyramid)
			continue;
		if (at == range->first)
			c->masks[k] = 0;
		classes_sum(c, k, times);
		if (at != range->last)
			continue;
		sums.mask = c->masks[k];
		for (uint32_t g = 0; g < ES_GROUPS; g++)
			sums.ns[g] = c->sums[k] + (size_t)g * ES__PYRAMID_BLOCK;
		st = classes_grow(c, range->pyramid, block, &sums);
	}
	return st;
}
