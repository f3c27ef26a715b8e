/* SPDX-License-Identifier: MIT */
/*
 * collectors/control/control.c - starts, stops and resets the recording of a
 * live run
 *
 * Writes into the event spaces of all processes of the run: an MPI process
 * reads its control row at every call, a program on paths the modes of its
 * collectors at every operation.  No process is stopped, and none waits.
 */

#include "collectors/control/control_private.h"

#include "collectors/control/fail_private.h"
#include "collectors/mpi_space.h"
#include "collectors/space.h"
#include "libpaths/clock.h"
#include "libpaths/log.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CONTROL_SUFFIX ".space"

/* The action, and the numbers of processes and collectors found. */
struct control {
	enum control_action action;
	uint32_t modes;
	uint32_t running, ended;
	uint32_t on;	     /* collectors and MPI processes that record now */
	char elsewhere[256]; /* host of a process that cannot be controlled */
};

/* Returns the control row of a space; NULL if no MPI process wrote it. */
static struct es_mpi_control *
control_row(const struct es_space *space)
{
	struct es_space_rows rows;

	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		if (rows.what == ES_MPI_CONTROL && rows.count > 0 &&
		    rows.row_bytes >= sizeof(struct es_mpi_control))
			/* The space is mapped writable. */
			return (struct es_mpi_control *)(uintptr_t)rows.rows;
	}
	return NULL;
}

/* Returns the modes after the action, of which `first` are those at the
   beginning. */
static uint32_t
control_modes(struct control *c, uint32_t first)
{
	uint32_t modes = ES_MODE_OFF;

	if (c->action == CONTROL_START)
		modes = (c->modes != 0 ? c->modes : first) & ES_MODE_ALL;
	c->on += modes != ES_MODE_OFF;
	return modes;
}

static void
control_mpi(struct control *c, struct es_mpi_control *row)
{
	/* Relaxed: the process may see either a call later. */
	if (c->action == CONTROL_RESET)
		atomic_fetch_add_explicit(&row->epoch, 1, memory_order_relaxed);
	else
		atomic_store_explicit(&row->mode, control_modes(c, row->asked),
		    memory_order_relaxed);
}

/* Rings of MPI processes have no modes of their own, but are reset. */
static bool
control_collectors(struct control *c, struct es_space *space, bool switches)
{
	struct es_space_collector collector;
	paths_status st;

	for (uint32_t n = 0;
	     es_space_collector(space, n, &collector) == PATHS_OK; n++) {
		if (c->action == CONTROL_RESET)
			st = es_space_reset(space, n);
		else if (switches)
			st = es_space_switch(space, n,
			    control_modes(c, collector.mode_first));
		else
			break;
		/* A damaged collector is left out. */
		if (st != PATHS_OK && st != PATHS_ENOENT)
			return CONTROL_FAIL("%s", paths_log_last());
	}
	return true;
}

/* Returns true if a clock domain, "BOOTID/...", is of this boot: hosts may have
   the same name. */
static bool
control_is_this_boot(const char *domain)
{
	const char *own = paths_clock_domain();
	size_t bytes = strcspn(own, "/");

	return strncmp(own, domain, bytes) == 0 && domain[bytes] == '/';
}

bool
control_is_here(const char *host_name)
{
	char host[ES_SPACE_TEXT_BYTES] = "";

	(void)gethostname(host, sizeof(host) - 1);
	return strcmp(host, host_name) == 0;
}

bool
control_is_running(const struct es_space_info *info)
{
	if (info->closed || info->copy != ES_COPY_NONE ||
	    !control_is_here(info->host_name))
		return false;
	if (info->pid == 0 || info->pid > INT_MAX ||
	    !control_is_this_boot(info->clock_domain))
		return false;
	return kill((pid_t)info->pid, 0) == 0 || errno == EPERM;
}

static bool
control_space(struct control *c, const char *file)
{
	struct es_mpi_control *row;
	struct es_space_info info;
	struct es_space *space;
	bool done = true;

	if (es_space_open_to_switch(file, &space) != PATHS_OK)
		return CONTROL_FAIL("%s", paths_log_last());
	row = control_row(space);
	es_space_info(space, &info);
	if (!info.closed &&
	    (info.copy == ES_COPY_LIVE || !control_is_here(info.host_name)))
		snprintf(c->elsewhere, sizeof(c->elsewhere), "%s",
		    info.host_name);
	if (!control_is_running(&info) ||
	    (row != NULL &&
		atomic_load_explicit(&row->state, memory_order_relaxed) !=
		    ES_MPI_RUNNING)) {
		c->ended++;
	} else {
		c->running++;
		if (row != NULL)
			control_mpi(c, row);
		done = control_collectors(c, space, row == NULL);
	}
	es_space_close(space);
	return done;
}

static bool
control_ends(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);

	return length > end && strcmp(name + length - end, suffix) == 0;
}

/* Returns true for the file that a process writes, also if a server keeps its
   event space. */
static bool
control_is_space(const char *name)
{
	return name[0] != '.' &&
	    (control_ends(name, CONTROL_SUFFIX) ||
		control_ends(name, ES_SPACE_BUFFER));
}

/* Reports what the user did not want: nothing has changed. */
static bool
control_had_effect(const struct control *c, const char *run)
{
	if (c->running == 0 && c->elsewhere[0] != 0)
		return CONTROL_FAIL("%s: its processes run on host %s, not on "
				    "this one",
		    run, c->elsewhere);
	if (c->running == 0)
		return CONTROL_FAIL(c->ended == 0 ?
			"%s: contains no event space" :
			"%s: all processes have ended",
		    run);
	if (c->action == CONTROL_START && c->on == 0)
		return CONTROL_FAIL("%s: began with all collectors off; "
				    "name the modes to start",
		    run);
	return true;
}

bool
control_run(const char *run, enum control_action action, uint32_t modes)
{
	struct control c = { .action = action, .modes = modes };
	DIR *dir = opendir(run);
	const struct dirent *entry;
	char file[PATH_MAX];
	bool done = true;

	if (dir == NULL)
		return CONTROL_FAIL("%s: %s", run, strerror(errno));
	while ((entry = readdir(dir)) != NULL) {
		if (!control_is_space(entry->d_name))
			continue;
		snprintf(file, sizeof(file), "%s/%s", run, entry->d_name);
		done = control_space(&c, file) && done;
	}
	closedir(dir);
	return done && control_had_effect(&c, run);
}
