/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/track.c - puts the collectors of a run on tracks
 *
 * The operations of a thread in its own process nest: a pass through a later
 * collector of a path is within the pass through an earlier one, and a thread
 * is on one path at a time.
 */

#include "scopes/export/track_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* A collector and the track that it belongs to. */
struct track_place {
	uint32_t process, thread; /* thread NONE: part of a chain */
	uint32_t chain;		  /* the chain; 0 with a thread */
	uint32_t collector;
};

static int
place_order(const void *left, const void *right)
{
	const struct track_place *a = left, *b = right;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->chain != b->chain)
		return a->chain < b->chain ? -1 : 1;
	return (a->collector > b->collector) - (a->collector < b->collector);
}

static bool
place_same(const struct track_place *a, const struct track_place *b)
{
	return a->process == b->process && a->thread == b->thread &&
	    a->chain == b->chain;
}

static struct track_place
place_of(const struct es__export *export, uint32_t collector)
{
	const struct es_collector *at =
	    es_run_collector(export->run, collector);
	struct track_place place = { .process = at->process,
		.thread = at->thread,
		.collector = collector };

	if (at->thread != PATHS_NONE &&
	    export->map->threads[at->thread].process == at->process)
		return place;
	place.thread = PATHS_NONE;
	place.chain = at->chain;
	return place;
}

static const char *
track_name(const struct es__export *export, const struct track_place *place)
{
	const struct paths_map *map = export->map;
	const struct es_collector *at;

	if (place->thread != PATHS_NONE)
		return map->threads[place->thread].name;
	at = es_run_collector(export->run, place->collector);
	if (map->chains[place->chain].stage != PATHS_NONE)
		return map->instances[map->chains[place->chain].stage].name;
	return map->instances[at->stage].name;
}

static void
tracks_fill(struct es__export *export, const struct track_place *places,
    uint32_t count)
{
	struct es__export_track *track = NULL;

	for (uint32_t n = 0; n < count; n++) {
		const struct es_collector *at =
		    es_run_collector(export->run, places[n].collector);

		if (n == 0 || !place_same(&places[n - 1], &places[n])) {
			track = &export->tracks[export->track_count++];
			*track = (struct es__export_track){ .first = n,
				.process = places[n].process,
				.thread = places[n].thread,
				.name = track_name(export, &places[n]) };
		}
		track->count++;
		track->discarded = track->discarded || at->discarded > 0;
		export->by_track[n] = places[n].collector;
		export->track_of[places[n].collector] = export->track_count - 1;
	}
}

paths_status
es__export_track_all(struct es__export *export)
{
	uint32_t collectors = es_run_collector_count(export->run), count = 0;
	size_t room = collectors + (size_t)1;
	struct track_place *places = calloc(room, sizeof(*places));

	export->tracks = calloc(room, sizeof(*export->tracks));
	export->by_track = calloc(room, sizeof(uint32_t));
	export->track_of = calloc(room, sizeof(uint32_t));
	if (places == NULL || export->tracks == NULL ||
	    export->by_track == NULL || export->track_of == NULL) {
		free(places);
		return paths_log_fail(PATHS_ENOMEM, "no memory for tracks");
	}
	for (uint32_t c = 0; c < collectors; c++)
		if (export->type_of[c] != PATHS_NONE)
			places[count++] = place_of(export, c);
	qsort(places, count, sizeof(*places), place_order);
	tracks_fill(export, places, count);
	free(places);
	return PATHS_OK;
}
