/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/locality.c - the locality of a pair of ranks
 */

#include "scopes/model/locality_private.h"

#include "scopes/model/cost_private.h"

#include "scopes/cluster/recorded_private.h"

#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

/* Names of localities by level, those of the published models too. */
#define LEVEL_NAMES 3u
static const char *const level_names[ES__LOCALITY_LEVELS][LEVEL_NAMES] = {
	{ "core", NULL, NULL },
	{ "cache", NULL, NULL },
	{ "numa", NULL, NULL },
	{ "package", "socket", "intra-socket" },
	{ "host", "node", "intra-node" },
};

/* Chooses the localities inside of hosts and between them. */
static void
localities_choose(struct es__localities *l)
{
	uint32_t last = (uint32_t)l->model->locality_count - 1;

	l->inside = last;
	l->between = last;
	for (uint32_t n = 0; n <= last; n++) {
		if (!l->model->localities[n].between_hosts) {
			l->inside = n;
			l->inside_known = true;
		} else if (!l->between_known) {
			l->between = n;
			l->between_known = true;
		}
	}
}

/* Returns the locality of a level; PATHS_NONE: the model has none. */
static uint32_t
level_find(const struct es_model *model, enum es__locality_level level)
{
	uint32_t found = PATHS_NONE;

	for (unsigned n = 0; n < LEVEL_NAMES && found == PATHS_NONE; n++)
		if (level_names[level][n] != NULL)
			found = es_model_find_locality(model,
			    level_names[level][n]);
	return found;
}

/* Gives each level the locality of its name, or that of the next larger
   level. */
static void
localities_levels(struct es__localities *l)
{
	uint32_t larger = l->inside;

	for (unsigned n = ES__LOCALITY_LEVELS; n-- > 0;) {
		uint32_t found =
		    level_find(l->model, (enum es__locality_level)n);

		if (found != PATHS_NONE)
			larger = found;
		l->levels[n] = larger;
	}
}

/* Keeps a group while it is that of all processors. */
static void
group_join(uint32_t *group, uint32_t other, bool first)
{
	if (first)
		*group = other;
	else if (*group != other)
		*group = PATHS_NONE;
}

struct es__rank_place
es__rank_place_of(const struct paths_topology *topology, const uint64_t *mask,
    uint32_t words)
{
	struct es__rank_place place = { { PATHS_NONE, PATHS_NONE, PATHS_NONE,
	    PATHS_NONE } };
	bool first = true;

	for (uint32_t n = 0; n < topology->count; n++) {
		const struct paths_topology_pu *pu = &topology->pus[n];
		uint32_t word = pu->kernel / 64;

		if (word >= words || (mask[word] >> pu->kernel % 64 & 1) == 0)
			continue;
		group_join(&place.groups[ES__LOCALITY_CORE], pu->core, first);
		group_join(&place.groups[ES__LOCALITY_CACHE], pu->cache, first);
		group_join(&place.groups[ES__LOCALITY_NUMA], pu->numa, first);
		group_join(&place.groups[ES__LOCALITY_PACKAGE], pu->package,
		    first);
		first = false;
	}
	return place;
}

/* Finds the places of ranks whose host has a topology and whose binding was
   recorded. */
static paths_status
places_find(struct es__localities *l, const struct es_run *run, uint32_t ranks)
{
	struct es__cluster cluster = { 0 };
	struct es__binding *bindings = NULL;
	uint32_t count = 0;
	paths_status st = es__recorded_hosts(&cluster, run, NULL, 0);

	if (st == PATHS_OK)
		st = es__recorded_bindings(run, &bindings, &count);
	for (uint32_t n = 0; st == PATHS_OK && n < count && n < ranks; n++) {
		size_t host = es__cluster_find(&cluster, bindings[n].host);

		if (host == cluster.count || bindings[n].words == 0)
			continue;
		l->places[n] = es__rank_place_of(&cluster.hosts[host].topology,
		    bindings[n].mask, bindings[n].words);
		l->placed++;
	}
	es__recorded_bindings_free(bindings, count);
	es__cluster_fini(&cluster);
	/* Without a topology that can be read, hosts decide. */
	return st == PATHS_ENOMEM ? st : PATHS_OK;
}

paths_status
es__localities_find(const struct es_run *run, uint32_t rank_count,
    const struct es_model *model, struct es__localities *l)
{
	const struct paths_map *map = es_run_map(run);
	const struct es_mpi *mpi = es_run_mpi(run);
	const struct paths_topology nothing = { 0 };

	*l = (struct es__localities){ .model = model,
		.host_count = map->host_count + 1 };
	l->hosts = calloc((size_t)rank_count + 1, sizeof(*l->hosts));
	l->places = malloc(((size_t)rank_count + 1) * sizeof(*l->places));
	if (l->hosts == NULL || l->places == NULL)
		return es__model_no_memory();
	for (uint32_t rank = 0; rank < rank_count; rank++) {
		const struct es_mpi_rank *of = es_mpi_rank(mpi, rank);

		l->hosts[rank] = of == NULL ? map->host_count :
					      map->processes[of->process].host;
		l->places[rank] = es__rank_place_of(&nothing, NULL, 0);
	}
	localities_choose(l);
	localities_levels(l);
	return places_find(l, run, rank_count);
}

void
es__localities_move(struct es__localities *l,
    const struct es_model_place *places, uint32_t rank_count)
{
	l->placed = rank_count;
	for (uint32_t rank = 0; rank < rank_count; rank++) {
		const struct es_model_place *to = &places[rank];

		l->hosts[rank] = to->host;
		if (to->host >= l->host_count)
			l->host_count = to->host + 1;
		l->places[rank] =
		    (struct es__rank_place){ { [ES__LOCALITY_CORE] = to->core,
			[ES__LOCALITY_CACHE] = to->cache,
			[ES__LOCALITY_NUMA] = to->numa,
			[ES__LOCALITY_PACKAGE] = to->package } };
	}
}

void
es__localities_fini(struct es__localities *l)
{
	free(l->hosts);
	free(l->places);
}

uint32_t
es__locality_of(const struct es__localities *l, uint32_t a, uint32_t b)
{
	unsigned level = ES__LOCALITY_HOST;

	if (es__locality_differs(l, a, b))
		return l->between;
	/* A NUMA node may have several packages, so a larger group that differs
	   decides before a smaller one. */
	for (unsigned n = ES__LOCALITY_HOST; n-- > 0;) {
		uint32_t one = l->places[a].groups[n];
		uint32_t two = l->places[b].groups[n];

		if (one == PATHS_NONE || two == PATHS_NONE)
			continue;
		if (one != two)
			break;
		level = n;
	}
	return l->levels[level];
}

uint32_t
es_model_place_locality(const struct es_model *model,
    const struct es_model_place *a, const struct es_model_place *b)
{
	uint32_t hosts[2];
	struct es__rank_place places[2];
	struct es__localities l = { .model = model,
		.hosts = hosts,
		.places = places };

	if (model->locality_count == 0)
		return PATHS_NONE;
	localities_choose(&l);
	localities_levels(&l);
	es__localities_move(&l, (struct es_model_place[]){ *a, *b }, 2);
	if (a->host == b->host ? !l.inside_known : !l.between_known)
		return PATHS_NONE;
	return es__locality_of(&l, 0, 1);
}

/* Returns the name of the protocol of a message; "": not known. */
static const char *
locality_protocol(const struct es_model_locality *l, uint64_t bytes)
{
	const struct es_model_segment *segment = NULL;

	for (unsigned fit = ES_MODEL_FITS; segment == NULL && fit-- > 0;)
		segment = es__model_segment(&l->fits[fit], bytes);
	return segment == NULL ? "" : segment->protocol;
}

bool
es__locality_waits(const struct es__localities *localities, uint32_t a,
    uint32_t b, uint64_t bytes)
{
	const struct es_model_locality *l =
	    &localities->model->localities[es__locality_of(localities, a, b)];
	uint64_t limit = l->eager_probed > 0 ? l->eager_probed : l->eager_asked;
	const char *protocol;

	if (limit > 0)
		return bytes > limit;
	protocol = locality_protocol(l, bytes);
	return *protocol == 0 || strcmp(protocol, "rendezvous") == 0;
}
