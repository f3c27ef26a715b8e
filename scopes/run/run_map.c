/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/run_map.c - reads the map of a run
 *
 * The map may come from somebody else, so no plugin that it names is loaded.
 */

#include "scopes/run/run_map_private.h"

#include "collectors/plugin.h"
#include "collectors/space.h"
#include "libpaths/log.h"
#include "scopes/job.h"
#include "scopes/job/files_private.h"
#include "scopes/run/space_file_private.h"
#include "scopes/run/space_private.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

paths_status
es__run_map_register(void)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && paths_plugin.stages[n] != NULL;
	     n++)
		st = paths_stage_register(paths_plugin.stages[n]);
	return st;
}

/* Copies the description of the kinds of stage that a space has; NULL: it has
   none. */
static char *
kinds_of_space(const char *file)
{
	struct es_space *space;
	struct es_space_rows rows;
	char *text = NULL;

	if (es__space_file_open(file, &space) != PATHS_OK)
		return NULL;
	for (uint32_t n = 0;
	     text == NULL && es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		if (rows.kind == ES_PART_LOG && rows.what == ES_SPACE_KINDS &&
		    rows.count <= PATHS_MAP_KINDS_BYTES_MAX)
			text = strndup(rows.rows, rows.count);
	}
	es__space_file_close(space);
	return text;
}

static paths_status
map_from_space(const char *file, struct paths_map **map)
{
	struct es_space_info info;
	struct es_space *space;
	paths_status st = es__space_file_open(file, &space);

	if (st != PATHS_OK)
		return st;
	es_space_info(space, &info);
	st =
	    paths_map_read_text(info.map_text, info.map_bytes, file, NULL, map);
	es__space_file_close(space);
	return st;
}

static int
visit_is_space(const struct dirent *entry)
{
	return es__space_file_is(entry->d_name);
}

/* Calls a function with each event space of a run until it returns true. */
typedef bool space_visit(void *to, const char *file);

static void
visit_spaces(const char *dir, space_visit *visit, void *to)
{
	struct dirent **names;
	int count = es__files_scan(dir, &names, visit_is_space, alphasort);
	bool done = false;

	for (int n = 0; n < count; n++) {
		char *file;

		if (!done &&
		    asprintf(&file, "%s/%s", dir, names[n]->d_name) >= 0) {
			done = visit(to, file);
			free(file);
		}
		free(names[n]);
	}
	if (count >= 0)
		free(names);
}

static bool
visit_map(void *to, const char *file)
{
	struct paths_map **map = to;

	return map_from_space(file, map) == PATHS_OK;
}

static bool
visit_kinds(void *to, const char *file)
{
	char **text = to;

	*text = kinds_of_space(file);
	return *text != NULL;
}

/* Reads the map again if it has unknown kinds of stage that an event space
   describes: they can have chains of their own. */
static void
map_describe(const char *dir, struct paths_map **map)
{
	struct paths_map_reader reader = { NULL, NULL };
	struct paths_map *described;
	char *kinds = NULL;

	if ((*map)->unknown_count > 0)
		visit_spaces(dir, visit_kinds, &kinds);
	reader.kinds = kinds;
	if (kinds != NULL &&
	    paths_map_read_text((*map)->text, (*map)->text_bytes, (*map)->file,
		&reader, &described) == PATHS_OK) {
		paths_map_close(*map);
		*map = described;
	}
	free(kinds);
}

/* Reads the map of a job, which one rank has. */
static paths_status
map_read_shared(const char *dir, const char *file, struct paths_map **map,
    bool *found)
{
	int fd = es__files_open(dir, "map");
	struct stat about;
	char *text = MAP_FAILED;
	paths_status st;

	*found = fd >= 0;
	if (fd < 0 && errno == ENOENT)
		return PATHS_OK;
	if (fd >= 0 && fstat(fd, &about) == 0)
		text = mmap(NULL, (size_t)about.st_size + 1, PROT_READ,
		    MAP_PRIVATE, fd, 0);
	st = text == MAP_FAILED ?
	    paths_log_fail(PATHS_EIO, "%s: %s", file, strerror(errno)) :
	    paths_map_read_text(text, (size_t)about.st_size, file, NULL, map);
	if (text != MAP_FAILED)
		munmap(text, (size_t)about.st_size + 1);
	if (fd >= 0)
		close(fd);
	return st;
}

/* Reads the file `map`, if there is one. */
static paths_status
map_read(const char *dir, const char *file, struct paths_map **map, bool *found)
{
	struct stat about;

	if (es_job_size() > 1)
		return map_read_shared(dir, file, map, found);
	*found = stat(file, &about) == 0;
	if (!*found)
		return PATHS_OK;
	/* Opening a pipe would wait for a writer. */
	if (!S_ISREG(about.st_mode))
		return paths_log_fail(PATHS_EIO, "%s: not a file", file);
	return paths_map_read(file, NULL, map);
}

paths_status
es__run_map_read(const char *dir, const char *file, struct paths_map **map,
    bool *found)
{
	struct paths_map *read = NULL;
	paths_status st = map_read(dir, file, &read, found);

	if (st != PATHS_OK)
		return st;
	if (!*found)
		visit_spaces(dir, visit_map, &read);
	if (read == NULL)
		return paths_log_fail(PATHS_ENOENT,
		    "%s: there is no recording: neither an event space "
		    "with a map nor a file map",
		    dir);
	map_describe(dir, &read);
	*map = read;
	return PATHS_OK;
}
