/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/link_run.c - calibrates the proxies of a path map
 *
 * eventspace run starts the processes in a folder of their own, where the first
 * process leaves the model.
 */

#include "scopes/calibrate/link_run_private.h"

#include "scopes/calibrate/file_private.h"
#include "scopes/calibrate/link_map_private.h"

#include "libpaths/base/verb.h"
#include "libpaths/log.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINK_WORDS 20

/* Time between two looks whether the processes have ended. */
#define LINK_STEP_NS 20000000L

/* The folder of a calibration, and its files. */
struct link_folder {
	char name[PATH_MAX];
	char map[PATH_MAX + 16], run[PATH_MAX + 16];
};

static paths_status
folder_make(struct link_folder *folder)
{
	const char *temporary = getenv("TMPDIR");

	snprintf(folder->name, sizeof(folder->name), "%s/eventspace.XXXXXX",
	    temporary == NULL || *temporary == 0 ? "/tmp" : temporary);
	if (mkdtemp(folder->name) == NULL) {
		paths_status st = paths_log_fail(PATHS_EIO, "%s: %s",
		    folder->name, strerror(errno));

		folder->name[0] = 0;
		return st;
	}
	snprintf(folder->map, sizeof(folder->map), "%s/links.map",
	    folder->name);
	snprintf(folder->run, sizeof(folder->run), "%s/run", folder->name);
	return PATHS_OK;
}

/* Removes the ordinary files of a folder, and the folder. */
static void
folder_remove_one(const char *name)
{
	DIR *dir = opendir(name);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		(void)unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir != NULL)
		closedir(dir);
	(void)rmdir(name);
}

static void
folder_remove(const struct link_folder *folder)
{
	if (folder->name[0] == 0)
		return;
	folder_remove_one(folder->run);
	folder_remove_one(folder->name);
}

/* Writes the map for measuring. */
static paths_status
folder_write_map(const struct link_folder *folder, const char *file)
{
	const struct paths_map_reader reader = { .plugins = NULL };
	struct es__link links[ES__LINKS_MOST];
	uint32_t count;
	struct paths_map *map;
	bool written = false;
	FILE *to;
	paths_status st = paths_map_read(file, &reader, &map);

	if (st != PATHS_OK)
		return st;
	st = es__links_find(map, links, &count);
	to = st == PATHS_OK ? fopen(folder->map, "we") : NULL;
	if (to != NULL) {
		es__link_map_print(map, links, count, to);
		written = ferror(to) == 0;
		written = fclose(to) == 0 && written;
	}
	if (st == PATHS_OK && !written)
		st = paths_log_fail(PATHS_EIO, "%s: %s", folder->map,
		    strerror(errno));
	paths_map_close(map);
	return st;
}

/* Finds link-node, beside the programs of verbs. */
static paths_status
find_node(char file[PATH_MAX])
{
	char *slash;

	if (!paths_verb_find("calibrate", file) ||
	    (slash = strrchr(file, '/')) == NULL ||
	    (size_t)(slash + 1 - file) + sizeof("link-node") > PATH_MAX)
		return paths_log_fail(PATHS_ENOENT,
		    "link-node is not installed");
	strcpy(slash + 1, "link-node");
	return PATHS_OK;
}

/* Starts a program in its own group: the signals of a terminal are for the
   command. */
static pid_t
link_spawn(const char *const *words)
{
	const pid_t self = getpid();
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == self)
		execv(words[0], (char *const *)(uintptr_t)words);
	_exit(127);
}

/* Waits for the end of the processes, and ends them after a signal. */
static paths_status
link_wait(pid_t pid, bool (*interrupted)(void))
{
	const struct timespec step = { .tv_nsec = LINK_STEP_NS };
	bool told = false;
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (!told && interrupted()) {
			(void)kill(pid, SIGTERM);
			told = true;
		}
		(void)nanosleep(&step, NULL);
	}
	if (told)
		return paths_log_fail(PATHS_ECANCELED,
		    "interrupted, nothing was written");
	return status == 0 ? PATHS_OK :
			     paths_log_fail(PATHS_ELOST,
				 "the processes of the map have failed, "
				 "nothing was written");
}

static paths_status
link_start(const struct link_folder *folder,
    const struct es__link_request *request)
{
	char run[PATH_MAX], node[PATH_MAX], seconds[32];
	const char *words[LINK_WORDS] = { run, folder->map, "--quiet",
		"--plain", "-o", folder->run, "--chdir", "/", "--grace", "2" };
	size_t n = 10;
	pid_t pid;
	paths_status st = find_node(node);

	if (st == PATHS_OK && !paths_verb_find("run", run))
		st = paths_log_fail(PATHS_ENOENT,
		    "eventspace run is not installed");
	if (st != PATHS_OK)
		return st;
	if (request->launcher != NULL) {
		words[n++] = "--launcher";
		words[n++] = request->launcher;
	}
	snprintf(seconds, sizeof(seconds), "%.3f", request->seconds);
	words[n++] = "--";
	words[n++] = node;
	words[n++] = seconds;
	words[n++] = request->quick ? "yes" : "no";
	words[n++] = request->quiet ? "yes" : "no";
	pid = link_spawn(words);
	if (pid < 0)
		return paths_log_fail(PATHS_EIO, "fork: %s", strerror(errno));
	return link_wait(pid, request->interrupted);
}

paths_status
es__calibrate_links(const struct es__link_request *request,
    struct es__calibrate_result *result)
{
	struct link_folder folder = { .name = "" };
	char model[PATH_MAX + 64];
	paths_status st = es__file_name(request->file, "paths", result->file);

	if (st == PATHS_OK)
		st = folder_make(&folder);
	if (st == PATHS_OK)
		st = folder_write_map(&folder, request->map);
	if (st == PATHS_OK)
		st = link_start(&folder, request);
	snprintf(model, sizeof(model), "%s/" ES__LINK_MODEL, folder.run);
	if (st == PATHS_OK)
		st = es_model_read(model, &result->model);
	if (st == PATHS_OK)
		st = es_model_write(result->model, result->file);
	folder_remove(&folder);
	return st;
}
