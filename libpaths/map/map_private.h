/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/map_private.h - a path map while it is made
 */

#ifndef LIBPATHS_MAP_MAP_PRIVATE_H
#define LIBPATHS_MAP_MAP_PRIVATE_H

#include "libpaths/map.h"
#include "libpaths/map/arena_private.h"

#include <stdbool.h>

/* Greatest number of lines that are not empty, and of items on all chains. */
#define PATHS__MAP_LINES_MAX (1u << 20)
#define PATHS__MAP_ITEMS_MAX (1u << 20)
/* Greatest depth of nested chains: buffers behind buffers, tees in tees. */
#define PATHS__MAP_DEPTH_MAX 16

/* Kinds of lines, and of the things that have a name. */
enum paths__map_kind {
	PATHS__MAP_VERSION,
	PATHS__MAP_PLUGIN,
	PATHS__MAP_HOST,
	PATHS__MAP_PROCESS,
	PATHS__MAP_THREAD,
	PATHS__MAP_ELEMENT,
	PATHS__MAP_STAGE,
	PATHS__MAP_PATH,
	PATHS__MAP_KINDS /* count; also the kind of names in unknown.c */
};

struct paths__words {
	uint32_t count;
	const char **word;
};

struct paths__map_line {
	uint32_t number; /* in the file, from 1 */
	size_t text_at;	 /* offset of its first byte in the text */
	size_t text_bytes;
	enum paths__map_kind kind;
	uint32_t index; /* among the lines of its kind */
	struct paths__words words;
	struct paths_map_value *values; /* in the order of its options */

	/* These are set in a stage line only. */
	const struct paths_stage_ops *ops;
	struct paths_map_value *own; /* in the order of ops->options */
	uint32_t process;
};

/* A map, which begins with its public part. */
struct paths__map {
	struct paths_map map;
	struct paths__arena arena;
	char *text;
	void *names;	       /* a tree of tsearch(3) */
	uint32_t *next_inputs; /* see paths__item_next_input */

	/* Rooms of public arrays that grow while the map is made. */
	size_t chain_room, item_room, instance_room, unknown_room;

	/* The rest is used only while the text is loaded. */
	bool reading; /* no program runs it: paths_map_read */
	struct paths_map_reader reader;
	struct paths__map_line *lines;
	size_t line_room;
	uint32_t line_count;
	struct paths__map_line **by[PATHS__MAP_KINDS]; /* lines of a kind */
	uint32_t counts[PATHS__MAP_KINDS];
};

#endif
