/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/live.c - commands that follow a run until it ends
 */

#include "scopes/command/live_private.h"

#include "scopes/command/interrupt_private.h"
#include "scopes/command/store.h"
#include "scopes/command/tree_map_private.h"
#include "scopes/run/alive_private.h"

#include "collectors/mpi_space.h"
#include "libpaths/base/tree_dir.h"
#include "libpaths/log.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>

#define LIVE_WAIT_NS UINT64_C(100000000)
#define LIVE_WAITS_MOST 100

/* Blocks signals until pselect sleeps, so that a signal just before also ends
   the sleep. */
static void
live_sleep(uint64_t ns)
{
	struct timespec time = { .tv_sec = (time_t)(ns / 1000000000),
		.tv_nsec = (long)(ns % 1000000000) };
	sigset_t all, before;

	sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
	if (!es__interrupt_caught())
		(void)pselect(0, NULL, NULL, NULL, &time, &before);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Returns true if nothing can be read yet. */
static bool
live_is_early(const struct es__live *live, const char *run)
{
	struct es__tree_hosts hosts;
	bool none;

	if (es__tree_is_awaited(run))
		return true;
	/* A tree of the user's may read anything. */
	if (live->map != NULL || es_command_has_space(run))
		return false;
	none = es__tree_hosts_read(&hosts, run) != PATHS_OK || hosts.count == 0;
	es__tree_hosts_fini(&hosts);
	return none;
}

/* Waits for a tenth of a second.  waits: how often it has waited before */
static void
live_wait(const struct es_command *command, const char *run, int *waits)
{
	if ((*waits)++ == 0)
		es_command_note(command, "%s: waiting for its start", run);
	live_sleep(LIVE_WAIT_NS);
}

/* Returns true if the programs of a run on several hosts were started, and none
   of them records yet: MPI may take long to start. */
static bool
live_is_empty(const struct es__live *live, const char *run)
{
	return live->map == NULL && paths_tree_run_is_under_way(run) &&
	    !es_command_has_space(run);
}

/* Returns true if an MPI job on several hosts records into a run directory. */
static bool
live_is_on_hosts(const char *run)
{
	char file[PATH_MAX], line[512];
	FILE *from;
	bool several;

	snprintf(file, sizeof(file), "%s/" ES_MPI_JOB_FILE, run);
	from = fopen(file, "re");
	if (from == NULL)
		return false;
	several = fgets(line, sizeof(line), from) != NULL &&
	    fgets(line, sizeof(line), from) != NULL &&
	    strcmp(line, ES_MPI_JOB_HOSTS "\n") == 0;
	fclose(from);
	return several;
}

/* Returns true if the process that writes a file may still record. */
static bool
live_may_record(const char *file)
{
	struct es_space_info info;
	struct es_space *space;
	bool records;

	if (es_space_open(file, &space) != PATHS_OK)
		return false;
	es_space_info(space, &info);
	records = !info.closed && info.copy == ES_COPY_NONE &&
	    es__alive(&info) != ES__ALIVE_NO;
	es_space_close(space);
	return records;
}

/* Refuses a job whose ranks on other hosts cannot be read while they record:
   its launcher was not started by eventspace run. */
static paths_status
live_check(const struct es__live *live, const char *run)
{
	char file[PATH_MAX + NAME_MAX + 2];
	const struct dirent *entry;
	bool records = false;
	DIR *dir;

	if (live->map != NULL || paths_tree_run_is_under_way(run) ||
	    !live_is_on_hosts(run))
		return PATHS_OK;
	dir = opendir(run);
	while (!records && dir != NULL && (entry = readdir(dir)) != NULL) {
		snprintf(file, sizeof(file), "%s/%s", run, entry->d_name);
		records = strstr(entry->d_name, ".space") != NULL &&
		    live_may_record(file);
	}
	if (dir != NULL)
		closedir(dir);
	return !records ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EINVAL,
		"%s: this MPI program runs on several hosts, and --live "
		"reaches the others only if `eventspace run` has started it, "
		"as by --launcher mpirun; see eventspace-run(1)",
		run);
}

paths_status
es__live_begin(struct es__live *live, const struct es_command *command,
    const char *run)
{
	struct stat about;
	paths_status st;
	int waits = 0;

	if (stat(run, &about) == 0 && S_ISREG(about.st_mode))
		return PATHS_OK;
	while (waits < LIVE_WAITS_MOST && live_is_early(live, run) &&
	    !es__interrupt_caught())
		live_wait(command, run, &waits);
	st = live_check(live, run);
	if (st == PATHS_OK)
		st = es__tree_open(&live->tree, command, run, live->map,
		    live->interval_ns);
	while (st == PATHS_OK && live_is_empty(live, run) &&
	    !es__interrupt_caught())
		live_wait(command, run, &waits);
	return st;
}

void
es__live_end(struct es__live *live)
{
	es__tree_close(&live->tree);
}

void
es__live_sleep(const struct es__live *live)
{
	live_sleep(live->interval_ns);
}
