/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/map_check_main.c - eventspace-map-check: checks a path map
 *
 * `eventspace map` is a script.  It executes this program for its verb check,
 * and to find the name nearest to a mistyped word.
 */

#include "libpaths/base/command.h"
#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/nearest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct map_check {
	const char *map;  /* NULL: not given */
	const char *word; /* NULL: check the map */
	char **names;
	struct paths_command_list plugins;
};

/* The files of --plugin, by their absolute paths, ended by NULL. */
struct map_plugins {
	char *paths[PATHS_COMMAND_LIST_MOST + 1];
};

static void
print_count(const char *before, uint32_t count, const char *noun,
    const char *plural)
{
	printf("%s%u %s%s", before, count, noun, count == 1 ? "" : plural);
}

static bool
plugins_init(struct map_plugins *plugins, const struct paths_command_list *list)
{
	*plugins = (struct map_plugins){ { NULL } };
	for (size_t n = 0; n < list->count; n++) {
		plugins->paths[n] = realpath(list->words[n], NULL);
		if (plugins->paths[n] == NULL) {
			(void)paths_command_fail("map-check", "--plugin %s: %s",
			    list->words[n], strerror(errno));
			return false;
		}
	}
	return true;
}

static void
plugins_fini(struct map_plugins *plugins)
{
	for (char **path = plugins->paths; *path != NULL; path++)
		free(*path);
}

static void
map_print(const struct paths_map *map)
{
	const struct paths_map_unknown *unknown = map->unknowns;

	printf("%s: ok: ", map->file);
	print_count("", map->host_count, "host", "s");
	print_count(", ", map->process_count, "process", "es");
	print_count(", ", map->thread_count, "thread", "s");
	print_count(", ", map->element_count, "element", "s");
	print_count(", ", map->instance_count - map->element_count, "stage",
	    "s");
	print_count(", ", map->path_count, "path", "s");
	printf("\n");
	for (uint32_t n = 0; n < map->unknown_count; n++)
		printf("%s:%u: %s: not checked: a %s of no loaded plugin, see "
		       "--plugin\n",
		    map->file, unknown[n].line, unknown[n].name,
		    unknown[n].stage == NULL ? "tuple type" : "kind of stage");
}

static int
map_check(const struct map_check *check)
{
	struct map_plugins plugins;
	const struct paths_map_reader reader = {
		.plugins = (const char *const *)plugins.paths
	};
	struct paths_map *map = NULL;
	int status = PATHS_COMMAND_DONE;

	if (!plugins_init(&plugins, &check->plugins))
		status = PATHS_COMMAND_FAILED;
	else if (paths_map_read(check->map, &reader, &map) != PATHS_OK)
		status =
		    paths_command_fail("map-check", "%s", paths_log_last());
	else
		map_print(map);
	paths_map_close(map);
	plugins_fini(&plugins);
	if (fflush(stdout) != 0)
		return paths_command_fail("map-check",
		    "standard output: not written");
	return status;
}

/* Prints the hint at the name nearest to a word. */
static int
map_nearest(const char *word, char **names)
{
	struct paths_nearest nearest;

	paths_nearest_init(&nearest, word);
	for (; *names != NULL; names++)
		paths_nearest_try(&nearest, *names);
	puts(paths_nearest_hint(&nearest));
	return PATHS_COMMAND_DONE;
}

static const struct paths_command_option check_options[] = {
	{ "plugin", 0, "FILE",
	    "plugin that MAP names by this path, or by its name; may be "
	    "repeated",
	    0, PATHS_COMMAND_TO_LIST(struct map_check, plugins) },
	{ "nearest", 0, "WORD", "the one of NAMES that WORD is likely to mean",
	    0, PATHS_COMMAND_TO_WORD(struct map_check, word) },
};

static const struct paths_command_operand check_operands[] = {
	{ "MAP", true, PATHS_COMMAND_TO_OPERAND(struct map_check, map) },
};

static const struct paths_command check_command = {
	.verb = "map-check",
	.about = "check a whole path map",
	.usage = "MAP [--plugin FILE]\n--nearest WORD -- NAMES",
	.text = "Reads the path map MAP, and prints what it has or the first "
		"error.  Plugins that\nonly the map names are not loaded.",
	PATHS_COMMAND_OPTIONS(check_options),
	PATHS_COMMAND_OPERANDS(check_operands),
	.rest = PATHS_COMMAND_AFTER_DASHES,
	.rest_at = offsetof(struct map_check, names),
};

int
main(int argc, char **argv)
{
	struct map_check check = { .map = NULL };
	int status = paths_command_read(&check_command, &check, argc, argv);

	if (status != PATHS_COMMAND_GO_ON)
		return status;
	if (check.word != NULL)
		return map_nearest(check.word, check.names);
	if (check.map == NULL)
		return paths_command_wrong("map-check", "MAP is missing");
	return map_check(&check);
}
