/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/unknown.c - lists the kinds of stage and tuple types that a
 * reader of a map does not know
 *
 * A plugin has them, and a reader loads no plugin that only the map names.  A
 * stand-in has the name of the kind and no functions.  Its options are read if
 * the program described them (kinds.c).
 */

#include "libpaths/map/unknown_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/type_private.h"
#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/kinds_private.h"
#include "libpaths/map/name_private.h"

#include <string.h>

/* Returns true when a plugin that was not loaded may have a name, or a program
   that registered it by itself. */
static bool
unknown_may_be(const struct paths__map *m)
{
	return m->reading &&
	    (m->reader.plugins == NULL || m->map.unloaded_count > 0);
}

/* Adds an entry to the list, and its name to the tree. */
static paths_status
unknown_add(struct paths__map *m, const struct paths__name *name,
    const struct paths_map_unknown *unknown)
{
	if (!paths__array_grow(&m->map.unknowns, m->map.unknown_count,
		&m->unknown_room, sizeof(*m->map.unknowns)))
		return paths__error_nomem(m);
	m->map.unknowns[m->map.unknown_count++] = *unknown;
	return paths__name_add(m, name);
}

paths_status
paths__unknown_stage(struct paths__map *m, uint32_t line, const char *name,
    uint32_t flags, const struct paths_stage_ops **ops)
{
	struct paths__name entry = { PATHS__MAP_KINDS, flags, name,
		m->map.unknown_count, line };
	const struct paths__name *found;
	struct paths_stage_ops *made;

	*ops = NULL;
	if (!unknown_may_be(m) ||
	    !paths__type_is_word(name, PATHS_MAP_NAME_BYTES_MAX))
		return PATHS_OK;
	found = paths__name_find(m, entry.kind, flags, name);
	if (found != NULL) {
		*ops = m->map.unknowns[found->index].stage;
		return PATHS_OK;
	}
	made = paths__arena_take(&m->arena, sizeof(*made));
	if (made == NULL)
		return paths__error_nomem(m);
	made->abi = PATHS_STAGE_ABI;
	made->name = name;
	made->about = "a kind of stage of a plugin that is not loaded";
	made->flags = flags | PATHS_STAGE_UNKNOWN;
	if (!paths__kinds_find(m, made))
		return paths__error_nomem(m);
	*ops = made;
	return unknown_add(m, &entry,
	    &(struct paths_map_unknown){ .name = name,
		.described = made->options != NULL,
		.stage = made,
		.line = line });
}

bool
paths__unknown_is_bare(const struct paths_stage_ops *ops)
{
	return (ops->flags & PATHS_STAGE_UNKNOWN) != 0 && ops->options == NULL;
}

/* Returns true for the name of a tuple type, or NAME*COUNT. */
static bool
unknown_is_type(const char *text)
{
	char name[PATHS_TYPE_NAME_BYTES];
	size_t bytes = strcspn(text, "*");

	if (bytes >= sizeof(name))
		return false;
	memcpy(name, text, bytes);
	name[bytes] = '\0';
	if (!paths__type_is_word(name, sizeof(name) - 1))
		return false;
	text += bytes;
	return *text == '\0' ||
	    (text[1] != '\0' &&
		strspn(text + 1, "0123456789") == strlen(text + 1));
}

paths_status
paths__unknown_type(struct paths__map *m, uint32_t line, const char *text,
    bool *taken)
{
	/* The name of a type and that of a stage may be equal.  The key of a
	   type has this flag alone, which no key of a stage has. */
	const struct paths__name entry = { PATHS__MAP_KINDS,
		PATHS_STAGE_UNKNOWN, text, m->map.unknown_count, line };

	*taken = unknown_may_be(m) && unknown_is_type(text);
	if (!*taken ||
	    paths__name_find(m, entry.kind, entry.thread, text) != NULL)
		return PATHS_OK;
	return unknown_add(m, &entry,
	    &(struct paths_map_unknown){ .name = text, .line = line });
}

/* Returns true for an option of stage lines that their kind does not have. */
static bool
unknown_is_common(const char *word)
{
	return strcmp(word, "-process") == 0 || strcmp(word, "-inputs") == 0 ||
	    strcmp(word, "-next") == 0;
}

paths_status
paths__unknown_words(struct paths__map *m, const struct paths__words *words,
    struct paths__words *common)
{
	const char **word =
	    paths__arena_take(&m->arena, words->count * sizeof(*word));

	if (word == NULL)
		return paths__error_nomem(m);
	common->word = word;
	common->count = 0;
	for (uint32_t n = 0; n < words->count; n++) {
		bool option = unknown_is_common(words->word[n]);

		if (n > 2 && !option)
			continue;
		word[common->count++] = words->word[n];
		if (option && n + 1 < words->count)
			word[common->count++] = words->word[++n];
	}
	return PATHS_OK;
}
