/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/names.c - numbers the activities of a graph
 */

#include "scopes/graph/names_private.h"

#include "libpaths/base/array.h"
#include "libpaths/map.h"

/* The name of an activity. */
struct activity_name {
	struct es__graph_activity activity;
	uint32_t number; /* from 1; 0: no name */
};

static bool
activity_used(const void *item)
{
	return ((const struct activity_name *)item)->number != 0;
}

static uint64_t
activity_hash(const void *item)
{
	return es__graph_activity_hash(
	    &((const struct activity_name *)item)->activity);
}

static bool
activity_equal(const void *a, const void *b)
{
	return es__graph_activity_same(
	    &((const struct activity_name *)a)->activity,
	    &((const struct activity_name *)b)->activity);
}

static const struct paths__hash_kind activity_kind = {
	.bytes = sizeof(struct activity_name),
	.used = activity_used,
	.hash = activity_hash,
	.equal = activity_equal,
};

void
es__graph_names_fini(struct es__graph_names *names)
{
	free(names->list);
	free(names->numbers.slots);
}

uint32_t
es__graph_names_add(struct es__graph_names *names,
    const struct es__graph_activity *activity)
{
	struct activity_name name = { *activity, names->count + 1 };
	const struct activity_name *found;

	if (!paths__array_grow(&names->list, names->count, &names->room,
		sizeof(*names->list)))
		return PATHS_NONE;
	found = paths__hash_put(&names->numbers, &activity_kind, &name);
	if (found == NULL)
		return PATHS_NONE;
	if (found->number == name.number)
		names->list[names->count++] = *activity;
	return found->number - 1;
}
