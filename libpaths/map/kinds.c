/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/kinds.c - describes kinds of stage for readers that do not load
 * their plugins
 *
 * The flags of a kind, and which of its options is a chain, decide on the
 * chains that a map has and so on the numbers of instances.
 */

#include "libpaths/map/kinds_private.h"

#include "libpaths/log.h"
#include "libpaths/map/arena_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flags that a description can set. */
#define KINDS_FLAGS \
	(PATHS_STAGE_END | PATHS_STAGE_BEHIND | PATHS_STAGE_SIDE | \
	    PATHS_STAGE_OWN_TYPE)

/* Options of a kind that are described. */
#define KINDS_OPTIONS_MAX 80u

/* ---- writing */

static bool
kind_is_own(const char *name)
{
	static const char *const own[] = {
#define PATHS_STAGE(name) #name,
#include "libpaths/stages.def"
#undef PATHS_STAGE
	};

	for (size_t n = 0; n < sizeof(own) / sizeof(own[0]); n++) {
		if (strcmp(own[n], name) == 0)
			return true;
	}
	return false;
}

/* Returns true when an earlier item has the same kind. */
static bool
kind_is_repeated(const struct paths_map *map, uint32_t item)
{
	for (uint32_t n = 0; n < item; n++) {
		if (map->items[n].ops == map->items[item].ops)
			return true;
	}
	return false;
}

static void
kind_print(FILE *to, const struct paths_stage_ops *ops)
{
	const struct paths_option *o = ops->options;

	fprintf(to, "%s %u", ops->name, ops->flags);
	for (; o != NULL && o->name != NULL; o++)
		fprintf(to, " %s:%s", o->name,
		    o->kind == PATHS_OPTION_CHAIN ? "chain" : "word");
	fputc('\n', to);
}

paths_status
paths_map_kinds(const struct paths_map *map, const char *except, char **text)
{
	size_t bytes;
	FILE *to = open_memstream(text, &bytes);

	if (to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
		    map->file);
	for (uint32_t n = 0; n < map->item_count; n++) {
		const struct paths_stage_ops *ops = map->items[n].ops;

		if ((ops->flags & PATHS_STAGE_JOIN) == 0 &&
		    !kind_is_own(ops->name) &&
		    (except == NULL || strcmp(ops->name, except) != 0) &&
		    !kind_is_repeated(map, n))
			kind_print(to, ops);
	}
	if (fclose(to) == 0)
		return PATHS_OK;
	free(*text);
	return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
	    map->file);
}

/* ---- reading */

/* Returns the words after the name of a kind; NULL: it is not described. */
static const char *
kinds_line(const char *text, const char *name)
{
	size_t bytes = strlen(name);

	if (text == NULL || strlen(text) > PATHS_MAP_KINDS_BYTES_MAX)
		return NULL;
	for (; *text != '\0'; text += *text == '\n') {
		if (strncmp(text, name, bytes) == 0 && text[bytes] == ' ')
			return text + bytes + 1;
		text += strcspn(text, "\n");
	}
	return NULL;
}

/* Reads the option of a word, which ends with a blank or its line. */
static bool
kinds_option(struct paths__map *m, const char *word, size_t bytes,
    struct paths_option *option)
{
	const char *colon = memchr(word, ':', bytes);
	size_t length = colon == NULL ? 0 : (size_t)(colon - word);
	char *name;

	option->name = NULL;
	if (length == 0)
		return true;
	name = paths__arena_take(&m->arena, length + 1);
	if (name == NULL)
		return false;
	option->name = memcpy(name, word, length);
	option->kind = bytes - length == strlen(":chain") &&
		memcmp(colon, ":chain", strlen(":chain")) == 0 ?
	    PATHS_OPTION_CHAIN :
	    PATHS_OPTION_WORD;
	return true;
}

bool
paths__kinds_find(struct paths__map *m, struct paths_stage_ops *made)
{
	const char *words = kinds_line(m->reader.kinds, made->name);
	struct paths_option *options;
	char *end;

	if (words == NULL || (made->flags & PATHS_STAGE_JOIN) != 0)
		return true;
	options = paths__arena_take(&m->arena,
	    (KINDS_OPTIONS_MAX + 1) * sizeof(*options));
	if (options == NULL)
		return false;
	made->flags |= (uint32_t)strtoul(words, &end, 10) & KINDS_FLAGS;
	made->options = options;
	for (uint32_t n = 0; n < KINDS_OPTIONS_MAX && *end == ' '; n++) {
		size_t bytes = strcspn(++end, " \n");

		if (!kinds_option(m, end, bytes, &options[n]))
			return false;
		end += bytes;
	}
	return true;
}
