/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/option.c - reads words by a table of options
 *
 * The lines of a map and the stages of a chain are read alike.  A table has the
 * options and the kind of value of each.
 */

#include "libpaths/map/option_private.h"

#include "libpaths/log.h"
#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/unknown_private.h"
#include "libpaths/unit.h"

#include <stdio.h>
#include <string.h>

/* The hint of each kind of option for messages; the hint of a number is that of
   its unit. */
static const struct {
	const char *hint; /* NULL: a number */
	enum paths_unit unit;
} option_kinds[] = {
	[PATHS_OPTION_WORD] = { .hint = "a word" },
	[PATHS_OPTION_COUNT] = { .unit = PATHS_UNIT_COUNT },
	[PATHS_OPTION_BYTES] = { .unit = PATHS_UNIT_BYTES },
	[PATHS_OPTION_TIME] = { .unit = PATHS_UNIT_TIME },
	[PATHS_OPTION_RATE] = { .unit = PATHS_UNIT_RATE },
	[PATHS_OPTION_TYPE] = { .hint = "a tuple type, as f64*1024" },
	[PATHS_OPTION_CHOICE] = { .hint = "a choice" },
	[PATHS_OPTION_CHAIN] = { .hint = "a list of stages" },
};

static bool
option_is_number(const struct paths_option *option)
{
	return option_kinds[option->kind].hint == NULL;
}

static const char *
option_hint(const struct paths_option *option)
{
	if (option->kind == PATHS_OPTION_CHOICE)
		return option->choices;
	if (option->kind == PATHS_OPTION_WORD && option->about != NULL)
		return option->about;
	return option_is_number(option) ?
	    paths_unit_hint(option_kinds[option->kind].unit) :
	    option_kinds[option->kind].hint;
}

static bool
option_is_positional(const struct paths_option *option)
{
	return option->name[0] != '-';
}

/* Finds the index of a word in a list of choices, separated by "|". */
static bool
choice_parse(const char *text, const char *choices, uint64_t *number)
{
	size_t length = strlen(text);

	for (uint64_t n = 0;; n++) {
		size_t choice = strcspn(choices, "|");

		if (choice == length && memcmp(choices, text, length) == 0) {
			*number = n;
			return true;
		}
		if (choices[choice] == '\0')
			return false;
		choices += choice + 1;
	}
}

static bool
option_parse(const struct paths_option *option, const char *text,
    struct paths_map_value *value)
{
	value->text = text;
	switch (option->kind) {
	case PATHS_OPTION_COUNT:
	case PATHS_OPTION_BYTES:
	case PATHS_OPTION_TIME:
	case PATHS_OPTION_RATE:
		return paths_unit_parse(option_kinds[option->kind].unit, text,
			   (option->flags & PATHS_OPTION_POSITIVE) != 0,
			   UINT64_MAX, &value->number) == PATHS_OK;
	case PATHS_OPTION_TYPE:
		return paths_type_parse(text, &value->type) == PATHS_OK;
	case PATHS_OPTION_CHOICE:
		return choice_parse(text, option->choices, &value->number);
	case PATHS_OPTION_WORD:
	case PATHS_OPTION_CHAIN:
		return true;
	}
	return false;
}

/* The tables that words are read by, and the arrays for their values. */
struct tables {
	const struct paths_option *const *options;
	struct paths_map_value **values;
};

/* Returns the option with a name or, if the name is NULL, the next positional
   option without a value. */
static const struct paths_option *
tables_find(const struct tables *tables, const char *name,
    struct paths_map_value **value)
{
	for (int t = 0; t < 2; t++) {
		const struct paths_option *o = tables->options[t];
		struct paths_map_value *v = tables->values[t];

		for (; o != NULL && o->name != NULL; o++, v++) {
			*value = v;
			if (name != NULL && strcmp(o->name, name) == 0)
				return o;
			if (name == NULL && option_is_positional(o) &&
			    v->text == NULL)
				return o;
		}
	}
	return NULL;
}

/* Lists the names of all options, for a message. */
static void
tables_names(const struct tables *tables, char *names, size_t room)
{
	size_t used = 0;

	names[0] = '\0';
	for (int t = 0; t < 2; t++) {
		const struct paths_option *o = tables->options[t];

		for (; o != NULL && o->name != NULL; o++) {
			if (option_is_positional(o) || used >= room)
				continue;
			used += (size_t)snprintf(names + used, room - used,
			    "%s%s", used == 0 ? "" : ", ", o->name);
		}
	}
}

static paths_status
options_unknown(const struct paths__map *m, const struct paths__given *given,
    const struct tables *tables, const char *word)
{
	char names[256];

	tables_names(tables, names, sizeof(names));
	if (names[0] == '\0')
		return paths__error_syntax(m, given->line, word,
		    "expected no more words for %s", given->who);
	return paths__error_syntax(m, given->line, word,
	    "expected one of the options of %s: %s", given->who, names);
}

static paths_status
option_refuse(const struct paths__map *m, const struct paths__given *given,
    const struct paths_option *option, const char *text)
{
	if (option_is_number(option))
		return paths__error_syntax(m, given->line, text,
		    "%s for %s of %s", paths_log_last(), option->name,
		    given->who);
	return paths__error_syntax(m, given->line, text,
	    "expected %s for %s of %s", option_hint(option), option->name,
	    given->who);
}

/* Refuses a word, unless it is a tuple type that only programs know. */
static paths_status
option_unparsed(struct paths__map *m, const struct paths__given *given,
    const struct paths_option *option, const char *text)
{
	bool taken = false;
	paths_status st = PATHS_OK;

	if (option->kind == PATHS_OPTION_TYPE)
		st = paths__unknown_type(m, given->line, text, &taken);
	if (st != PATHS_OK || taken)
		return st;
	return option_refuse(m, given, option, text);
}

/* Reads the option at word *n and its value, and moves *n past them. */
static paths_status
options_take(struct paths__map *m, const struct paths__given *given,
    const struct tables *tables, uint32_t *n)
{
	const char *word = given->words.word[(*n)++];
	const char *text = word;
	struct paths_map_value *value;
	const struct paths_option *o =
	    tables_find(tables, word[0] == '-' ? word : NULL, &value);

	if (o == NULL)
		return options_unknown(m, given, tables, word);
	if (value->text != NULL)
		return paths__error_syntax(m, given->line, word,
		    "expected only once for %s", given->who);
	if (!option_is_positional(o)) {
		if (*n == given->words.count)
			return paths__error_syntax(m, given->line, word,
			    "expected %s after it", option_hint(o));
		text = given->words.word[(*n)++];
	}
	if (option_parse(o, text, value))
		return PATHS_OK;
	return option_unparsed(m, given, o, text);
}

/* Sets the defaults of options that are not given.  Refuses a required option
   that is not given. */
static paths_status
options_complete(struct paths__map *m, const struct paths__given *given,
    const struct paths_option *o, struct paths_map_value *value)
{
	for (; o != NULL && o->name != NULL; o++, value++) {
		if (value->text != NULL)
			continue;
		if ((o->flags & PATHS_OPTION_REQUIRED) != 0)
			return paths__error_syntax(m, given->line, given->who,
			    "expected %s, %s", o->name, option_hint(o));
		if (o->default_text != NULL &&
		    !option_parse(o, o->default_text, value))
			return paths__error_syntax(m, given->line, given->who,
			    "expected %s as the default of %s, not %s",
			    option_hint(o), o->name, o->default_text);
	}
	return PATHS_OK;
}

/* Allocates the values of a table; *values becomes NULL for an empty table.
   Returns false without memory. */
static bool
options_alloc(struct paths__map *m, const struct paths_option *o,
    struct paths_map_value **values)
{
	size_t count = 0;

	*values = NULL;
	while (o != NULL && o[count].name != NULL)
		count++;
	if (count > 0)
		*values =
		    paths__arena_take(&m->arena, count * sizeof(**values));
	return count == 0 || *values != NULL;
}

paths_status
paths__option_read(struct paths__map *m, const struct paths__given *given,
    const struct paths_option *const options[2],
    struct paths_map_value *values[2])
{
	struct tables tables = { options, values };
	paths_status st = PATHS_OK;

	if (!options_alloc(m, options[0], &values[0]) ||
	    !options_alloc(m, options[1], &values[1]))
		return paths__error_nomem(m);
	for (uint32_t n = 0; st == PATHS_OK && n < given->words.count;)
		st = options_take(m, given, &tables, &n);
	for (int t = 0; st == PATHS_OK && t < 2; t++)
		st = options_complete(m, given, options[t], values[t]);
	return st;
}
