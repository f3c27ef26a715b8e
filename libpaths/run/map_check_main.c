/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/map_check_main.c - eventspace-map-check: checks a path map
 *
 * `eventspace map check FILE` executes it.
 */

#include "libpaths/base/command.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdio.h>

struct map_check {
	const char *map;
};

static void
print_count(const char *before, uint32_t count, const char *noun,
    const char *plural)
{
	printf("%s%u %s%s", before, count, noun, count == 1 ? "" : plural);
}

static int
map_check(const char *file)
{
	struct paths_map *map;

	if (paths_map_load(file, &map) != PATHS_OK)
		return paths_command_fail("map-check", "%s", paths_log_last());
	printf("%s: ok: ", file);
	print_count("", map->host_count, "host", "s");
	print_count(", ", map->process_count, "process", "es");
	print_count(", ", map->thread_count, "thread", "s");
	print_count(", ", map->element_count, "element", "s");
	print_count(", ", map->instance_count - map->element_count, "stage",
	    "s");
	print_count(", ", map->path_count, "path", "s");
	printf("\n");
	paths_map_close(map);
	if (fflush(stdout) != 0)
		return paths_command_fail("map-check",
		    "standard output: not written");
	return PATHS_COMMAND_DONE;
}

static const struct paths_command_operand check_operands[] = {
	{ "MAP", false, PATHS_COMMAND_TO_OPERAND(struct map_check, map) },
};

static const struct paths_command check_command = {
	.verb = "map-check",
	.about = "check a whole path map",
	.usage = "MAP",
	.text = "Reads the path map MAP as programs do, and prints what it has "
		"or the first\nerror.",
	PATHS_COMMAND_OPERANDS(check_operands),
};

int
main(int argc, char **argv)
{
	struct map_check check;
	int status = paths_command_read(&check_command, &check, argc, argv);

	return status == PATHS_COMMAND_GO_ON ? map_check(check.map) : status;
}
