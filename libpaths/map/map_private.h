/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/map_private.h - how a path map is loaded
 *
 *	read.c	text into lines, lines into words (the door to Tcl)
 *	option.c	the words of a line or stage into values
 *	listen.c	addresses, and where processes listen
 *	declare.c	lines into hosts, processes, threads, elements, ...
 *	chain.c	chains into items and instances
 *	check.c	what only the whole map shows: inputs, cycles, ends
 *	types.c	the types of tuples along all chains
 *	store.c	memory and names
 *	map.c		the order of all this, and questions about a map
 *
 * Everything a map consists of lies in its arena and goes with it.  Work is
 * linear in the text but for looking up names, and every count is bounded,
 * so that a hostile map costs no more than its size.
 */

#ifndef LIBPATHS_MAP_MAP_PRIVATE_H
#define LIBPATHS_MAP_MAP_PRIVATE_H

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/map/stages_private.h"

#include <stdbool.h>

/* Lines of a map that are not empty, and items on all chains. */
#define PATHS__MAP_LINES_MAX (1u << 20)
#define PATHS__MAP_ITEMS_MAX (1u << 20)
/* Chains inside one another: buffers behind buffers, tees in tees. */
#define PATHS__MAP_DEPTH_MAX 16

struct paths__arena {
	struct arena_block *block; /* the one in use, the others behind it */
	size_t left;		   /* bytes of it not yet taken */
};

/* What a line declares; also what a name is the name of. */
enum paths__map_what {
	PATHS__MAP_VERSION,
	PATHS__MAP_PLUGIN,
	PATHS__MAP_HOST,
	PATHS__MAP_PROCESS,
	PATHS__MAP_THREAD,
	PATHS__MAP_ELEMENT,
	PATHS__MAP_STAGE,
	PATHS__MAP_PATH,
	PATHS__MAP_WHATS
};

struct paths__words {
	uint32_t count;
	const char **word;
};

struct paths__map_line {
	uint32_t number; /* in the file, from 1 */
	size_t text_at;	 /* where it begins in the text */
	size_t text_bytes;
	enum paths__map_what what;
	uint32_t index; /* among the lines of its kind */
	struct paths__words words;
	struct paths_map_value *values; /* in the order of its options */

	/* Of a stage line only. */
	const struct paths_stage_ops *ops;
	struct paths_map_value *own; /* in the order of ops->options */
	uint32_t process;
};

/* A name of the map.  A path's is the element it names, beside its thread. */
struct paths__map_name {
	enum paths__map_what what;
	uint32_t thread; /* of a path; otherwise 0 */
	const char *name;
	uint32_t index;
	uint32_t line;
};

/* What a struct paths_map is the public part of. */
struct paths__map {
	struct paths_map map;
	struct paths__arena arena;
	char *text;
	void *names; /* a tree of tsearch(3) */

	/* Of the public arrays that grow while loading. */
	uint32_t chain_room, item_room, instance_room;

	/* Only while loading. */
	struct paths__map_line *lines;
	uint32_t line_count, line_room;
	struct paths__map_line **by[PATHS__MAP_WHATS]; /* lines of a kind */
	uint32_t counts[PATHS__MAP_WHATS];
};

/* ---- store.c */

/* Zeroed memory until the map is closed; NULL when there is none. */
void *paths__arena_take(struct paths__arena *arena, size_t bytes);
void paths__arena_fini(struct paths__arena *arena);

/* PATHS_ENOMEM, and which map it was. */
paths_status paths__map_nomem(const struct paths__map *m);

/* PATHS_ESYNTAX, "FILE:LINE: WORD: text". */
paths_status paths__map_fail(const struct paths__map *m, uint32_t line,
    const char *word, const char *fmt, ...) PATHS_PRINTF(4, 5);

/* An array with room for one more; NULL: no memory, and it is as it was. */
void *paths__map_grow(void *array, size_t size, uint32_t count, uint32_t *room);

/* Keep a name; it is an error when it is there already. */
paths_status paths__map_name_add(struct paths__map *m,
    const struct paths__map_name *name);
const struct paths__map_name *paths__map_name_find(const struct paths__map *m,
    enum paths__map_what what, uint32_t thread, const char *name);
void paths__map_names_fini(struct paths__map *m);

/* ---- read.c */

/* The bytes of a file, from malloc. */
paths_status paths__map_read(const char *file, char **text, size_t *bytes);

/* Split the text into m->lines. */
paths_status paths__map_lines(struct paths__map *m);

/* Split a list; `word` is what messages call it. */
paths_status paths__map_split(struct paths__map *m, uint32_t line,
    const char *list, struct paths__words *words);

/* ---- option.c */

/* Words to be read by a table of options. */
struct paths__map_given {
	uint32_t line;
	const char *who; /* whose options they are, for messages */
	struct paths__words words;
};

/*
 * Fill values by one or two tables: values[0] in the order of options[0], and
 * so on; an unused table is NULL.
 */
paths_status paths__map_options(struct paths__map *m,
    const struct paths__map_given *given,
    const struct paths_option *const options[2],
    struct paths_map_value *values[2]);

/* ---- listen.c */

/* A host, as names and numbers have it. */
bool paths__map_is_address(const char *text);

/* Read "tcp:PORT" and the like. */
paths_status paths__map_listen(struct paths__map *m, uint32_t line,
    const char *word, struct paths_map_listen *listen);

/* ---- declare.c */

/* Values of a stage line and of a path line. */
enum {
	PATHS__STAGE_NAME,
	PATHS__STAGE_KIND,
	PATHS__STAGE_PROCESS,
	PATHS__STAGE_INPUTS,
	PATHS__STAGE_NEXT
};
enum {
	PATHS__PATH_THREAD,
	PATHS__PATH_ELEMENT,
	PATHS__PATH_CHAIN,
	PATHS__PATH_USE
};

/* What a line that begins with this word declares; WHATS: nothing. */
enum paths__map_what paths__map_what_of(const char *word);

/* The words that begin a line, for messages. */
const char *paths__map_whats(void);

paths_status paths__map_declare(struct paths__map *m);
paths_status paths__map_resolve(struct paths__map *m);

/* ---- chain.c, map_check.c, map_types.c */

paths_status paths__map_chains(struct paths__map *m);
paths_status paths__map_check(struct paths__map *m);

/* order: all chains, each after those it leads to. */
paths_status paths__map_types(struct paths__map *m, const uint32_t *order);

#endif
