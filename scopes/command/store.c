/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/store.c - opens the view.db of a run
 *
 * The view.db is computed if it is missing or of an older version, if a file of
 * the run, its cost model or a plugin is newer, or if it lacks the views of a
 * plugin.  One that
 * was computed while the run was under way is computed again, because recording
 * through a mapping does not always change the time of a file.  If the run
 * directory is read-only, the view.db is a temporary file.
 */

#include "scopes/command/store.h"

#include "scopes/command/compute_private.h"
#include "scopes/command/interrupt_private.h"
#include "scopes/model_run.h"
#include "scopes/plugin.h"
#include "scopes/rows.h"
#include "scopes/schema.h"

#include "collectors/space_format.h"
#include "libpaths/log.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
store_later(struct timespec a, struct timespec b)
{
	return a.tv_sec > b.tv_sec ||
	    (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

static bool
store_ends_with(const char *name, const char *ending)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && strcmp(dot, ending) == 0;
}

static bool
store_is_space(const char *name)
{
	return store_ends_with(name, ".space") ||
	    store_ends_with(name, ES_SPACE_BUFFER);
}

static bool
store_is_run(const char *name)
{
	return strcmp(name, "map") == 0 || store_is_space(name);
}

/* Returns true for another file that views are computed from: one of Open
   MPI's monitoring, or of an export to its formats, or a cost model. */
static bool
store_is_more(const char *name)
{
	return store_ends_with(name, ".prof") ||
	    store_ends_with(name, ".mat") || strcmp(name, ES_MODEL_KEPT) == 0;
}

/* Returns the latest time of the files that views are computed from; 0: there
   is no run. */
static struct timespec
store_newest(const char *run)
{
	struct timespec newest = { 0 };
	DIR *dir = opendir(run);
	struct dirent *entry;
	struct stat about;
	bool any = false;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		bool is_run = store_is_run(entry->d_name);

		any |= is_run;
		if ((is_run || store_is_more(entry->d_name)) &&
		    fstatat(dirfd(dir), entry->d_name, &about, 0) == 0 &&
		    store_later(about.st_mtim, newest))
			newest = about.st_mtim;
	}
	if (dir != NULL)
		(void)closedir(dir);
	return any ? newest : (struct timespec){ 0 };
}

bool
es_command_has_space(const char *run)
{
	DIR *dir = opendir(run);
	struct dirent *entry;
	bool has = false;

	while (!has && dir != NULL && (entry = readdir(dir)) != NULL)
		has = store_is_space(entry->d_name);
	if (dir != NULL)
		(void)closedir(dir);
	return has;
}

/* Raises a time to that of the newest plugin, if that is later. */
static void
store_add_plugins(struct timespec *newest)
{
	const struct es_view *view;
	struct stat about;

	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		if (es_plugin_file(view) != NULL &&
		    stat(es_plugin_file(view), &about) == 0 &&
		    store_later(about.st_mtim, *newest))
			*newest = about.st_mtim;
}

static bool
store_has(struct es_store *store, const char *table)
{
	struct es_rows *rows;
	bool has = false;

	if (es_rows_open(store,
		"SELECT 1 FROM sqlite_schema WHERE name = :name", &rows,
		NULL) != PATHS_OK)
		return false;
	if (es_rows_bind(rows, "name", &ES_STR(table)) == PATHS_OK)
		has = es_rows_next(rows) == PATHS_OK;
	es_rows_close(rows);
	return has;
}

/* Checks if a store was computed without a view of a plugin. */
static bool
store_lacks_plugin(struct es_store *store)
{
	const struct es_view *view;

	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		if (es_plugin_file(view) != NULL &&
		    !store_has(store, view->tables[0].name))
			return true;
	return false;
}

bool
es_command_is_live(struct es_store *store)
{
	struct es_rows *rows;
	bool live = false;

	if (es_rows_open(store,
		"SELECT 1 FROM meta WHERE key = 'live' AND value = '1'", &rows,
		NULL) == PATHS_OK) {
		live = es_rows_next(rows) == PATHS_OK;
		es_rows_close(rows);
	}
	return live;
}

/* Returns true if a file has tables of an older version, which are computed
   anew.  SQLite keeps user_version and application_id at bytes 60 and 68. */
static bool
store_is_older(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t head[12];
	bool there =
	    fd >= 0 && pread(fd, head, sizeof(head), 60) == sizeof(head);
	uint32_t version, id;

	if (fd >= 0)
		close(fd);
	if (!there)
		return false;
	memcpy(&version, head, sizeof(version));
	memcpy(&id, head + 8, sizeof(id));
	return be32toh(id) == ES_STORE_APPLICATION_ID &&
	    be32toh(version) < ES_STORE_SCHEMA_VERSION;
}

/* Opens a view.db that is as new as its run.  PATHS_ENOENT: it must be
   computed. */
static paths_status
store_open_fresh(const char *run, const char *file, struct es_store **store)
{
	struct timespec newest = store_newest(run);
	bool is_run = newest.tv_sec != 0;
	struct stat about;
	paths_status st;

	if (is_run)
		store_add_plugins(&newest);
	if (stat(file, &about) == 0 &&
	    (store_later(newest, about.st_mtim) ||
		(is_run && store_is_older(file))))
		return PATHS_ENOENT;
	st = es_schema_open(file, store);
	if (st == PATHS_OK && is_run &&
	    (es_command_is_live(*store) || store_lacks_plugin(*store))) {
		es_store_close(*store);
		return PATHS_ENOENT;
	}
	return st;
}

static paths_status
store_compute(const struct es_command *command, const char *run,
    const char *file)
{
	struct es__compute what = { .run = run, .file = file };
	struct es_run *opened;
	paths_status st;

	es__interrupt_catch();
	st = es__compute_run(command, &what, &opened);
	es__interrupt_release();
	es_run_close(opened);
	return st;
}

/* Computes into a file in a new folder. */
static paths_status
store_compute_elsewhere(const struct es_command *command, const char *run,
    struct es_command_file *file)
{
	const char *where = getenv("TMPDIR");
	paths_status st = PATHS_OK;
	int bytes;

	bytes =
	    snprintf(file->folder, sizeof(file->folder), "%s/eventspace.XXXXXX",
		where == NULL || *where == '\0' ? "/tmp" : where);
	if (bytes >= PATH_MAX || mkdtemp(file->folder) == NULL)
		return paths_log_fail(PATHS_EIO, "%.60s: %s", file->folder,
		    strerror(bytes >= PATH_MAX ? ENAMETOOLONG : errno));
	if (snprintf(file->path, sizeof(file->path), "%s/view.db",
		file->folder) >= PATH_MAX)
		st = paths_log_fail(PATHS_EIO, "%.60s...: %s", file->folder,
		    strerror(ENAMETOOLONG));
	if (st == PATHS_OK)
		st = store_compute(command, run, file->path);
	if (st != PATHS_OK) {
		es_command_file_remove(file);
		file->folder[0] = '\0';
	}
	return st;
}

/* Computes the view.db of a run directory. */
static paths_status
store_make(const struct es_command *command, const char *run,
    struct es_command_file *file)
{
	if (access(run, W_OK) == 0) {
		es_command_note(command, "%s: computing its views", run);
		return store_compute(command, run, file->path);
	}
	es_command_note(command,
	    "%s is not writable: computing its views in a temporary file", run);
	return store_compute_elsewhere(command, run, file);
}

/* Finds the view.db of a run.  store: out, NULL when it is not open yet. */
static paths_status
store_find(const struct es_command *command, const char *run,
    struct es_command_file *file, struct es_store **store)
{
	struct stat about;
	paths_status st;
	bool is_run;

	*store = NULL;
	file->folder[0] = '\0';
	if (stat(run, &about) != 0)
		return paths_log_fail(PATHS_ENOENT, "%s: %s", run,
		    strerror(errno));
	is_run = !S_ISREG(about.st_mode);
	if (snprintf(file->path, sizeof(file->path), "%s%s", run,
		is_run ? "/view.db" : "") >= PATH_MAX)
		return paths_log_fail(PATHS_EINVAL, "%.60s...: too long", run);
	if (!is_run)
		return PATHS_OK;
	st = store_open_fresh(run, file->path, store);
	if (st != PATHS_OK)
		*store = NULL;
	return st == PATHS_ENOENT ? store_make(command, run, file) : st;
}

paths_status
es_command_file_find(const struct es_command *command, const char *run,
    struct es_command_file *file)
{
	struct es_store *store;
	paths_status st = store_find(command, run, file, &store);

	es_store_close(store);
	return st;
}

void
es_command_file_remove(const struct es_command_file *file)
{
	if (file->folder[0] == '\0')
		return;
	(void)unlink(file->path);
	(void)rmdir(file->folder);
}

paths_status
es_command_store(const struct es_command *command, const char *run,
    struct es_store **store)
{
	struct es_command_file file;
	paths_status st = store_find(command, run, &file, store);

	if (st != PATHS_OK || *store != NULL)
		return st;
	st = es_schema_open(file.path, store);
	es_command_file_remove(&file);
	return st;
}
