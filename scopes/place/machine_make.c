/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/machine_make.c - machines from a description, or from another
 */

#include "scopes/place/machine_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a description such as "8:2:4". */
struct machine_numbers {
	double n[ES_MACHINE_LEVELS + 1];
	uint32_t count;
};

static paths_status
machine_numbers(const char *text, struct machine_numbers *numbers)
{
	const char *at = text;

	for (numbers->count = 0;; at++) {
		char *end;

		if (numbers->count > ES_MACHINE_LEVELS)
			return paths_log_fail(PATHS_ERANGE,
			    "\"%s\": more than %u levels", text,
			    ES_MACHINE_LEVELS + 1);
		if ((*at < '0' || *at > '9') && *at != '.')
			break;
		numbers->n[numbers->count++] = strtod(at, &end);
		at = end;
		if (*at == '\0')
			return PATHS_OK;
		if (*at != ':')
			break;
	}
	return paths_log_fail(PATHS_ESYNTAX,
	    "\"%s\" is not a list of numbers such as 8:2:4", text);
}

/* Distances by depth: the sum of the links from there down. */
static paths_status
machine_links(const char *links, uint32_t count,
    double distances[ES_MACHINE_LEVELS + 1])
{
	struct machine_numbers numbers;
	paths_status st = machine_numbers(links, &numbers);
	double sum = 0;

	if (st != PATHS_OK)
		return st;
	if (numbers.count != count)
		return paths_log_fail(PATHS_ESYNTAX,
		    "\"%s\" has %u links for %u levels", links, numbers.count,
		    count);
	for (uint32_t n = count; n-- > 0;)
		distances[n] = sum += numbers.n[n];
	return PATHS_OK;
}

/* Gives each slot its groups: the number of slots of a group is the product of
   the arities below it. */
static paths_status
machine_regular(const struct machine_numbers *arity,
    struct es_machine_tree *tree, uint32_t **groups)
{
	uint64_t size = 1;

	*groups =
	    calloc((size_t)tree->slot_count * arity->count, sizeof(**groups));
	if (*groups == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a machine");
	for (uint32_t level = tree->level_count; level-- > 0;) {
		size *= (uint64_t)arity->n[level + 1];
		for (uint32_t s = 0; s < tree->slot_count; s++)
			(*groups)[(size_t)s * tree->level_count + level] =
			    (uint32_t)(s / size);
	}
	tree->groups = *groups;
	return PATHS_OK;
}

static paths_status
machine_arities(const char *text, struct machine_numbers *arity,
    struct es_machine_tree *tree)
{
	paths_status st = machine_numbers(text, arity);
	double slots = 1;

	if (st != PATHS_OK)
		return st;
	for (uint32_t n = 0; n < arity->count; n++) {
		slots *= arity->n[n];
		if (slots > ES_MACHINE_SLOTS)
			return paths_log_fail(PATHS_ERANGE,
			    "\"%s\" has more than %u slots", text,
			    ES_MACHINE_SLOTS);
		if (arity->n[n] < 1 ||
		    arity->n[n] != (double)(uint32_t)arity->n[n])
			return paths_log_fail(PATHS_ESYNTAX,
			    "\"%s\": %g is no arity", text, arity->n[n]);
	}
	tree->slot_count = (uint32_t)slots;
	tree->level_count = arity->count - 1;
	return PATHS_OK;
}

paths_status
es_machine_synthetic(const char *arity, const char *links,
    struct es_machine **machine)
{
	double distances[ES_MACHINE_LEVELS + 1];
	struct machine_numbers numbers;
	struct es_machine_tree tree = { .slot_count = 0 };
	uint32_t *groups = NULL;
	paths_status st = machine_arities(arity, &numbers, &tree);

	if (st == PATHS_OK && links != NULL) {
		st = machine_links(links, numbers.count, distances);
		tree.distances = distances;
	}
	if (st == PATHS_OK)
		st = machine_regular(&numbers, &tree, &groups);
	if (st == PATHS_OK)
		st = es_machine_create(&tree, machine);
	free(groups);
	return st;
}

/* Checks that slots exist and are different. */
static paths_status
machine_check(const struct es_machine *from, const uint32_t *slots,
    uint32_t count)
{
	uint8_t *seen = calloc(from->slot_count, 1);
	paths_status st = PATHS_OK;

	if (seen == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a machine");
	for (uint32_t n = 0; n < count && st == PATHS_OK; n++) {
		if (slots[n] >= from->slot_count)
			st = paths_log_fail(PATHS_ERANGE,
			    "slot %u of a machine of %u slots", slots[n],
			    from->slot_count);
		else if (seen[slots[n]]++ != 0)
			st = paths_log_fail(PATHS_EINVAL,
			    "slot %u is named twice", slots[n]);
	}
	free(seen);
	return st;
}

paths_status
es_machine_subset(const struct es_machine *from, const uint32_t *slots,
    uint32_t count, struct es_machine **machine)
{
	struct es_machine_tree tree = {
		.slot_count = count,
		.level_count = from->level_count,
		.distances = from->distance,
	};
	paths_status st = machine_check(from, slots, count);
	uint32_t *groups;

	if (st != PATHS_OK)
		return st;
	groups = calloc((size_t)count * tree.level_count + 1, sizeof(*groups));
	if (groups == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a machine");
	for (uint32_t n = 0; n < count; n++)
		for (uint32_t level = 0; level < tree.level_count; level++)
			groups[(size_t)n * tree.level_count + level] =
			    es_machine_group(from, slots[n], level);
	tree.groups = groups;
	st = es_machine_create(&tree, machine);
	free(groups);
	return st;
}
