/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/live.c - commands that follow a run until it ends
 */

#include "scopes/command/live_private.h"

#include "scopes/command/interrupt_private.h"
#include "scopes/command/store.h"
#include "scopes/command/tree_map_private.h"

#include <signal.h>
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
	return live->map == NULL && es__tree_is_under_way(run) &&
	    !es_command_has_space(run);
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
