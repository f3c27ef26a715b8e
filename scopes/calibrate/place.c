/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/place.c - localities of the pairs of ranks
 *
 * The locality of two ranks of a host is the smallest part of the host that
 * both are bound to.  It is known for ranks that are not bound, too, where the
 * host has only one such part: all cores of a processor with one cache share
 * it.
 */

#include "scopes/calibrate/place_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/topology.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The localities, from the closest to the most distant one. */
enum place_class {
	PLACE_CORE,
	PLACE_CACHE,
	PLACE_NUMA,
	PLACE_PACKAGE,
	PLACE_HOST,
	PLACE_NETWORK,
	PLACE_CLASSES
};

static const char *const place_names[PLACE_CLASSES] = { "core", "cache", "numa",
	"package", "host", "network" };

static bool
place_has(const struct es__calibrate_place *place, uint32_t unit)
{
	return unit / 64 < ES__CALIBRATE_SET_WORDS &&
	    (place->set[unit / 64] >> (unit % 64) & 1) != 0;
}

/* Keeps the number of a part, if it is the only one so far. */
static void
place_merge(uint32_t *number, uint32_t part, bool first)
{
	if (first)
		*number = part;
	else if (*number != part)
		*number = PATHS_NONE;
}

/* Finds the parts of the host that hold all processing units of this rank. */
static void
place_parts(struct es__calibrate_place *place,
    const struct paths_topology *topology)
{
	bool first = true;

	for (uint32_t n = 0; n < topology->count; n++) {
		const struct paths_topology_pu *pu = &topology->pus[n];

		if (!place_has(place, pu->kernel))
			continue;
		place_merge(&place->package, pu->package, first);
		place_merge(&place->numa, pu->numa, first);
		place_merge(&place->cache, pu->cache, first);
		place_merge(&place->core, pu->core, first);
		first = false;
	}
}

/* The folder is new, so that no other user can put a file there. */
void
es__place_prepare(struct es__calibrate *c)
{
	const char *all = getenv("TMPDIR");
	char folder[PATH_MAX], file[PATH_MAX + 16];

	if (all == NULL || *all == '\0')
		all = "/tmp";
	if (snprintf(folder, sizeof(folder), "%s/eventspace-calibrate.XXXXXX",
		all) >= (int)sizeof(folder) ||
	    mkdtemp(folder) == NULL)
		return;
	snprintf(file, sizeof(file), "%s/topology", folder);
	c->topology_known = paths_topology_save(file) == PATHS_OK &&
	    paths_topology_read(file, &c->topology) == PATHS_OK;
	(void)unlink(file);
	(void)rmdir(folder);
}

/* Reads the name of the processor; "": the kernel does not tell it. */
static void
place_cpu(char text[ES_MODEL_TEXT_BYTES])
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[512], *colon;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		colon = strstr(line, ": ");
		if (strncmp(line, "model name", 10) != 0 || colon == NULL)
			continue;
		es_model_set_text(text, colon + 2);
		break;
	}
	if (file != NULL)
		(void)fclose(file);
}

static void
place_own(const struct es__calibrate *c, struct es__calibrate_place *place)
{
	cpu_set_t set;

	memset(place, 0, sizeof(*place));
	(void)gethostname(place->host, sizeof(place->host) - 1);
	place->package = place->numa = place->cache = place->core = PATHS_NONE;
	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		for (uint32_t unit = 0;
		     unit < CPU_SETSIZE && unit < 64 * ES__CALIBRATE_SET_WORDS;
		     unit++)
			place->set[unit / 64] |=
			    (uint64_t)(CPU_ISSET(unit, &set) != 0)
			    << (unit % 64);
	place_cpu(place->cpu);
	/* Without a topology, the host is the only locality on it. */
	if (c->topology_known)
		place_parts(place, &c->topology);
}

static enum place_class
place_class(const struct es__calibrate_place *a,
    const struct es__calibrate_place *b)
{
	const uint32_t parts[][2] = { { a->core, b->core },
		{ a->cache, b->cache }, { a->numa, b->numa },
		{ a->package, b->package } };

	if (strcmp(a->host, b->host) != 0)
		return PLACE_NETWORK;
	for (int n = 0; n < PLACE_HOST; n++)
		if (parts[n][0] == parts[n][1] && parts[n][0] != PATHS_NONE)
			return (enum place_class)n;
	return PLACE_HOST;
}

uint32_t
es__place_hosts(const struct es__calibrate *c)
{
	uint32_t hosts = 0, before;

	for (uint32_t r = 0; r < c->size; r++) {
		for (before = 0; before < r; before++)
			if (strcmp(c->places[before].host, c->places[r].host) ==
			    0)
				break;
		hosts += before == r;
	}
	return hosts;
}

/* Counts the processing units of the ranks of a list that are on a host. */
static uint32_t
place_units(const struct es__calibrate *c, const uint32_t *ranks,
    uint32_t count, const char *host)
{
	uint64_t set[ES__CALIBRATE_SET_WORDS] = { 0 };
	uint32_t units = 0;

	for (uint32_t n = 0; n < count; n++)
		for (size_t w = 0; w < ES__CALIBRATE_SET_WORDS; w++)
			if (strcmp(c->places[ranks[n]].host, host) == 0)
				set[w] |= c->places[ranks[n]].set[w];
	for (size_t w = 0; w < ES__CALIBRATE_SET_WORDS; w++)
		units += (uint32_t)__builtin_popcountll(set[w]);
	return units;
}

/* Returns true if each rank of a list can have a processing unit of its own. */
static bool
place_fits(const struct es__calibrate *c, const uint32_t *ranks, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		const char *host = c->places[ranks[n]].host;
		uint32_t here = 0;

		for (uint32_t m = 0; m < count; m++)
			here += strcmp(c->places[ranks[m]].host, host) == 0;
		if (here > place_units(c, ranks, count, host))
			return false;
	}
	return true;
}

bool
es__place_fits(const struct es__calibrate *c, const uint32_t *ranks,
    uint32_t count)
{
	return c->oversubscribed || place_fits(c, ranks, count);
}

bool
es__place_all_fit(const struct es__calibrate *c)
{
	uint32_t *ranks = calloc(c->size, sizeof(*ranks));
	bool fits = false;

	for (uint32_t r = 0; ranks != NULL && r < c->size; r++)
		ranks[r] = r;
	if (ranks != NULL)
		fits = place_fits(c, ranks, c->size);
	free(ranks);
	return fits;
}

uint32_t
es__place_unbound(const struct es__calibrate *c)
{
	uint32_t unbound = 0;

	for (uint32_t r = 0; r < c->size; r++)
		unbound += c->places[r].core == PATHS_NONE &&
		    place_units(c, &r, 1, c->places[r].host) > 1;
	return unbound;
}

/* The search for pairs of a locality. */
struct place_search {
	struct es__calibrate *c;
	struct es__calibrate_class *class;
	uint32_t ranks[2 * ES__CALIBRATE_PAIRS_MOST]; /* of the pairs found */
};

/* Returns true if a pair has no rank of another pair, and is on the same hosts
   as the first one. */
static bool
place_joins(const struct place_search *s, uint32_t a, uint32_t b)
{
	const struct es__calibrate_place *places = s->c->places;

	for (uint32_t n = 0; n < 2 * s->class->pair_count; n++)
		if (s->ranks[n] == a || s->ranks[n] == b)
			return false;
	return s->class->pair_count == 0 ||
	    (strcmp(places[s->ranks[0]].host, places[a].host) == 0 &&
		strcmp(places[s->ranks[1]].host, places[b].host) == 0);
}

/* Adds a pair.  The first one is taken also if its ranks share a core. */
static void
place_add(struct place_search *s, uint32_t a, uint32_t b)
{
	uint32_t n = s->class->pair_count;

	s->ranks[2 * n] = a;
	s->ranks[2 * n + 1] = b;
	if (n > 0 && !es__place_fits(s->c, s->ranks, 2 * n + 2))
		return;
	s->class->pairs[n] = (struct es__calibrate_pair){ a, b };
	s->class->pair_count++;
}

/* Finds the pairs of a locality. */
static void
place_pairs(struct place_search *s, enum place_class wanted)
{
	const struct es__calibrate_place *places = s->c->places;

	for (uint32_t a = 0; a < s->c->size; a++)
		for (uint32_t b = a + 1; b < s->c->size &&
		     s->class->pair_count < ES__CALIBRATE_PAIRS_MOST;
		     b++)
			if (place_class(&places[a], &places[b]) == wanted &&
			    place_joins(s, a, b))
				place_add(s, a, b);
}

static paths_status
place_classes(struct es__calibrate *c)
{
	c->classes = calloc(PLACE_CLASSES, sizeof(*c->classes));
	if (c->classes == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for localities");
	for (int n = 0; n < PLACE_CLASSES; n++) {
		struct es__calibrate_class *class = &c->classes[c->class_count];
		struct place_search search = { .c = c, .class = class };

		class->pairs =
		    calloc(ES__CALIBRATE_PAIRS_MOST, sizeof(*class->pairs));
		if (class->pairs == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for pairs of ranks");
		place_pairs(&search, (enum place_class)n);
		if (class->pair_count > 0) {
			class->name = place_names[n];
			class->inside = n != PLACE_NETWORK;
			c->class_count++;
		} else {
			free(class->pairs);
			class->pairs = NULL;
		}
	}
	return PATHS_OK;
}

paths_status
es__place_find(struct es__calibrate *c)
{
	bool there;

	c->places = calloc(c->size, sizeof(*c->places));
	there = c->measure->agree(c->places == NULL) == 0;
	if (!there)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for places of ranks");
	place_own(c, &c->places[c->rank]);
	for (uint32_t r = 0; r < c->size; r++)
		es__pace_share(c, &c->places[r], sizeof(c->places[r]), r);
	return place_classes(c);
}

void
es__place_fini(struct es__calibrate *c)
{
	for (size_t n = 0; n < c->class_count; n++) {
		struct es__calibrate_class *class = &c->classes[n];

		free(class->pairs);
		free(class->samples);
		free(class->sample_looks);
		free(class->stream.counts);
		free(class->stream.sizes);
		free(class->stream.ordered);
		free(class->stream.reversed);
	}
	free(c->classes);
	free(c->places);
}
