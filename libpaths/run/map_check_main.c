/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/map_check_main.c - eventspace-map-check: is this map whole?
 *
 * `eventspace map check FILE` runs it.
 */

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdio.h>
#include <string.h>

static void
print_count(const char *before, uint32_t count, const char *what,
    const char *plural)
{
	printf("%s%u %s%s", before, count, what, count == 1 ? "" : plural);
}

static int
map_check(const char *file)
{
	struct paths_map *map;

	if (paths_map_load(file, &map) != PATHS_OK) {
		fprintf(stderr, "eventspace map: %s\n", paths_log_last());
		return 1;
	}
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
	if (fflush(stdout) != 0) {
		fprintf(stderr,
		    "eventspace map: standard output: not written\n");
		return 1;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static const char usage[] = "usage: eventspace map check FILE\n";

	if (argc == 2 && strcmp(argv[1], "--about") == 0) {
		puts("check a path map whole");
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc != 2 || argv[1][0] == '-') {
		fputs(usage, stderr);
		return 2;
	}
	return map_check(argv[1]);
}
