/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/planes.h - the classes of the buckets of a pyramid
 *
 * Reads the shares of groups and of waiting that scopes/timeline.h defines, and
 * reduces them to what a row of pixels needs.
 */

#ifndef VIEWER_TIMELINE_PLANES_H
#define VIEWER_TIMELINE_PLANES_H

#include "scopes/timeline.h"
#include "viewer/model/model.h"
#include "viewer/timeline/pixels.h"

/* A bucket as it is drawn. */
struct esv__bucket {
	uint32_t longest_ns;
	uint16_t covered; /* share that is not hidden; 65535: all */
	uint16_t wait;	  /* part of it */
	uint8_t code;  /* waiting, if it is at least half of it; or `group` */
	uint8_t group; /* code of most of it that is no waiting */
};

/* A chunk of shares. */
struct esv__plane {
	uint32_t pyramid;
	uint64_t chunk;
	uint32_t group;
	bool wait;
	size_t first; /* index of its first share */
	uint32_t count;
};

/* Chunks of some rows on a level. */
struct esv__planes {
	struct esv_model *model;
	struct esv__plane *list; /* sorted by pyramid and chunk */
	size_t count, room;
	uint16_t *shares;
	size_t share_count, share_room;
	bool wait, tint; /* of the chunks that are being read */
};

/* The chunk of a pyramid that is decoded. */
struct esv__planes_of {
	uint32_t pyramid, group; /* group as in struct esv_row */
	uint32_t level;
	uint64_t number;
	const struct es_timeline_bucket *from;
	uint32_t count;
};

/*
 * esv__planes_fetch - read the shares of rows that chunks need
 *
 * rows		numbers of pyramids, as an SQL list
 * chunks	first and last chunk of the level
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 * Ownership	the caller sets planes->model, zeroes the others, and calls
 *		esv__planes_fini
 */
paths_status esv__planes_fetch(struct esv__planes *planes,
    const struct esv__zoom *zoom, const char *rows, uint32_t level,
    const uint64_t chunks[2]) PATHS_CHECKED;
void esv__planes_fini(struct esv__planes *planes);

/* Decodes the buckets of a chunk. */
void esv__planes_decode(const struct esv__planes *planes,
    const struct esv__zoom *zoom, const struct esv__planes_of *of,
    struct esv__bucket *to);

#endif
