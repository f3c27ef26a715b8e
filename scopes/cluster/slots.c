/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/slots.c - the cores of hosts as slots of a machine
 *
 * The levels of the machine are switches, hosts, packages, NUMA nodes and
 * caches, and cores if these have several slots.  A level whose groups are
 * those of the level above is left out.
 */

#include "scopes/cluster/slots_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/cluster/walk_private.h"
#include "scopes/run/intern_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static paths_status
slots_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for cores");
}

/* Checks the number of slots before they take memory. */
static paths_status
slots_check(const struct es__cluster *cluster,
    const struct es__slots_options *options)
{
	uint64_t count = 0;

	for (size_t host = 0; host < cluster->count; host++) {
		const struct paths_topology *t = &cluster->hosts[host].topology;
		struct es__walk walk = { .before = NULL };

		for (uint32_t n = 0; n < t->count; n++)
			if (t->pus[n].allowed &&
			    (es__walk_to(&walk, &t->pus[n]) || options->pus))
				count += options->per_core;
	}
	if (count == 0)
		return paths_log_fail(PATHS_ERANGE, "the hosts have no core");
	if (count > ES_MACHINE_SLOTS)
		return paths_log_fail(PATHS_ERANGE,
		    "the machine has more than %u slots", ES_MACHINE_SLOTS);
	return PATHS_OK;
}

/* Returns the slot at the PU that a walk has come to. */
static struct es__slot
slot_of(const struct es__walk *walk, uint32_t host, uint32_t at)
{
	const struct paths_topology_pu *pu = walk->before;

	return (struct es__slot){ .host = host,
		.package = walk->package,
		.core = walk->core,
		.host_core = walk->host_core,
		.pu = walk->pu,
		.kernel = pu->kernel,
		.numa = pu->numa,
		.cache = pu->cache,
		.at = at };
}

static paths_status
slots_add_host(struct es__slots *slots, uint32_t host,
    const struct es__slots_options *options)
{
	const struct paths_topology *t = &slots->cluster->hosts[host].topology;
	struct es__walk walk = { .before = NULL };

	for (uint32_t n = 0; n < t->count; n++) {
		bool first;

		if (!t->pus[n].allowed)
			continue;
		first = es__walk_to(&walk, &t->pus[n]);
		for (uint32_t k = 0;
		     (first || options->pus) && k < options->per_core; k++) {
			if (!paths__array_grow(&slots->slots, slots->count,
				&slots->room, sizeof(*slots->slots)))
				return slots_no_memory();
			slots->slots[slots->count++] = slot_of(&walk, host, n);
		}
	}
	return PATHS_OK;
}

static paths_status
slots_add(struct es__slots *slots, const struct es__slots_options *options)
{
	size_t hosts = slots->cluster->count;
	paths_status st = PATHS_OK;

	slots->first = calloc(hosts + 1, sizeof(*slots->first));
	if (slots->first == NULL)
		return slots_no_memory();
	for (uint32_t n = 0; st == PATHS_OK && n < hosts; n++) {
		st = slots_add_host(slots, n, options);
		slots->first[n + 1] = slots->count;
	}
	return st;
}

/* The numbers of groups of all slots on one level, under construction. */
struct level {
	const char *name;
	uint32_t *groups;
	uint32_t count; /* of groups */
};

typedef uint32_t level_number(const struct es__slot *slot);

static uint32_t
slot_host(const struct es__slot *slot)
{
	return slot->host;
}

static uint32_t
slot_package(const struct es__slot *slot)
{
	return slot->package;
}

static uint32_t
slot_numa(const struct es__slot *slot)
{
	return slot->numa;
}

static uint32_t
slot_cache(const struct es__slot *slot)
{
	return slot->cache;
}

static uint32_t
slot_core(const struct es__slot *slot)
{
	return slot->host_core;
}

static uint32_t
slot_pu(const struct es__slot *slot)
{
	return slot->pu;
}

/* The levels of a machine, from the top. */
struct levels {
	const struct es__slots *slots;
	struct level levels[ES_MACHINE_LEVELS + 1];
	uint32_t count;
	paths_status st;
};

static paths_status
levels_too_many(void)
{
	return paths_log_fail(PATHS_ERANGE,
	    "the machine has more than %u levels", ES_MACHINE_LEVELS);
}

/* Adds a level; does not keep it if its groups are those of the level above, or
   if each slot is one. */
static void
levels_add(struct levels *levels, const char *name, level_number *number)
{
	const struct es__slots *slots = levels->slots;
	uint32_t above =
	    levels->count == 0 ? 1 : levels->levels[levels->count - 1].count;
	struct level level = { name, NULL, 0 };

	if (levels->st != PATHS_OK)
		return;
	if (levels->count == ES_MACHINE_LEVELS) {
		levels->st = levels_too_many();
		return;
	}
	level.groups = calloc(slots->count, sizeof(*level.groups));
	if (level.groups == NULL) {
		levels->st = slots_no_memory();
		return;
	}
	for (uint32_t n = 0; n < slots->count; n++) {
		level.groups[n] = number(&slots->slots[n]);
		level.count += n == 0 ||
		    slots->slots[n].host != slots->slots[n - 1].host ||
		    level.groups[n] != level.groups[n - 1];
	}
	if (level.count > above && level.count < slots->count)
		levels->levels[levels->count++] = level;
	else
		free(level.groups);
}

/* Numbers the switches of each host on one level. */
static paths_status
switch_numbers(const struct es__cluster *cluster, uint32_t level,
    uint32_t *numbers, uint32_t *count)
{
	struct es__intern names = { 0 };
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < cluster->count; n++) {
		const char *all = cluster->hosts[n].switches;
		const char *end = all;

		/* A switch is named by all names down to its own. */
		for (uint32_t k = 0; end != NULL && k <= level; k++)
			end = strchr(end + (k > 0), '/');
		st = es__intern_put(&names, all,
		    end == NULL ? strlen(all) : (size_t)(end - all),
		    &numbers[n]);
	}
	*count = names.count;
	es__intern_fini(&names);
	return st;
}

/* Adds a level of switches. */
static void
levels_add_switch(struct levels *levels, uint32_t n)
{
	const struct es__slots *slots = levels->slots;
	uint32_t *numbers = calloc(slots->cluster->count + 1, sizeof(*numbers));
	struct level level = { "switch",
		calloc(slots->count, sizeof(*level.groups)), 0 };

	if (levels->st == PATHS_OK && levels->count == ES_MACHINE_LEVELS)
		levels->st = levels_too_many();
	if (levels->st == PATHS_OK && (numbers == NULL || level.groups == NULL))
		levels->st = slots_no_memory();
	if (levels->st == PATHS_OK)
		levels->st =
		    switch_numbers(slots->cluster, n, numbers, &level.count);
	for (uint32_t k = 0; levels->st == PATHS_OK && k < slots->count; k++)
		level.groups[k] = numbers[slots->slots[k].host];
	if (levels->st == PATHS_OK && level.count > 1)
		levels->levels[levels->count++] = level;
	else
		free(level.groups);
	free(numbers);
}

static void
levels_find(struct levels *levels, const struct es__slots_options *options)
{
	for (uint32_t n = 0; n < es__cluster_switches(levels->slots->cluster);
	     n++)
		levels_add_switch(levels, n);
	levels_add(levels, "host", slot_host);
	levels_add(levels, "package", slot_package);
	levels_add(levels, "NUMA node", slot_numa);
	levels_add(levels, "L3 cache", slot_cache);
	levels_add(levels, "core", slot_core);
	if (options->pus)
		levels_add(levels, "PU", slot_pu);
}

/* Reads the costs of links, and adds them up from the bottom: distance n is
   that of two slots that share n levels. */
static paths_status
links_read(const char *links, uint32_t count, double *distances)
{
	const char *at = links;

	for (uint32_t n = 0; n < count; n++) {
		char *end;

		distances[n] = strtod(at, &end);
		if (end == at || !isfinite(distances[n]) || distances[n] < 0 ||
		    *end != (n + 1 < count ? ':' : 0))
			return paths_log_fail(PATHS_ESYNTAX,
			    "%s: expected the costs of %u links with : between "
			    "them",
			    links, count);
		at = end + 1;
	}
	for (uint32_t n = count; n > 1; n--)
		distances[n - 2] += distances[n - 1];
	return PATHS_OK;
}

/* Finds the distances by the number of shared levels.  Slots of the same core
   or PU have none. */
static paths_status
levels_distances(const struct levels *levels,
    const struct es__slots_options *options,
    double distances[ES_MACHINE_LEVELS + 1])
{
	uint32_t links = levels->count + (options->per_core == 1);

	distances[levels->count] = 0;
	if (links == 0 && options->links != NULL)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s: the machine is one core, without links",
		    options->links);
	if (options->links != NULL)
		return links_read(options->links, links, distances);
	for (uint32_t n = 0; n < links; n++)
		distances[n] = 2.0 * (links - n);
	return PATHS_OK;
}

static paths_status
levels_machine(const struct levels *levels,
    const struct es__slots_options *options, struct es__slots *slots)
{
	double distances[ES_MACHINE_LEVELS + 1];
	struct es_machine_tree tree = { .slot_count = slots->count,
		.level_count = levels->count,
		.distances = distances };
	uint32_t *groups =
	    calloc((size_t)slots->count * levels->count + 1, sizeof(*groups));
	paths_status st = levels_distances(levels, options, distances);

	if (groups == NULL)
		return slots_no_memory();
	for (uint32_t n = 0; n < levels->count; n++) {
		slots->levels[n] = levels->levels[n].name;
		for (uint32_t s = 0; s < slots->count; s++)
			groups[(size_t)s * levels->count + n] =
			    levels->levels[n].groups[s];
	}
	slots->level_count = levels->count;
	tree.groups = groups;
	if (st == PATHS_OK)
		st = es_machine_create(&tree, &slots->machine);
	free(groups);
	return st;
}

paths_status
es__slots_open(const struct es__cluster *cluster,
    const struct es__slots_options *options, struct es__slots *out)
{
	struct es__slots slots = { .cluster = cluster, .pus = options->pus };
	struct levels levels = { .slots = &slots };
	paths_status st = slots_check(cluster, options);

	if (st == PATHS_OK)
		st = slots_add(&slots, options);
	if (st == PATHS_OK) {
		levels_find(&levels, options);
		st = levels.st;
	}
	if (st == PATHS_OK)
		st = levels_machine(&levels, options, &slots);
	for (uint32_t n = 0; n < levels.count; n++)
		free(levels.levels[n].groups);
	if (st == PATHS_OK)
		*out = slots;
	else
		es__slots_close(&slots);
	return st;
}

void
es__slots_close(struct es__slots *slots)
{
	es_machine_destroy(slots->machine);
	free(slots->slots);
	free(slots->first);
	*slots = (struct es__slots){ 0 };
}
