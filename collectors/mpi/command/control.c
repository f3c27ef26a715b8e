/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/control.c - starts, stops and resets the recording of
 * a live run
 *
 * Writes into the control rows of all processes of the run.  Each process reads
 * its own row at every call.  No process is stopped, and none waits.
 */

#include "collectors/mpi/command/control_private.h"

#include "collectors/mpi/command/fail_private.h"
#include "collectors/mpi/command/mode_private.h"
#include "collectors/mpi/command/snapshot_private.h"
#include "collectors/mpi_space.h"
#include "libpaths/base/command.h"
#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CONTROL_SUFFIX ".space"

enum control_action { CONTROL_START, CONTROL_STOP, CONTROL_RESET };

/* The action, and the number of processes found. */
struct control {
	enum control_action action;
	uint32_t modes; /* to start; 0: those given to eventspace mpi */
	uint32_t running, ended;
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

static void
control_reset(struct es_space *space, struct es_mpi_control *row)
{
	uint32_t n = 0;

	/* Relaxed: a reset may take effect one call later. */
	atomic_fetch_add_explicit(&row->epoch, 1, memory_order_relaxed);
	while (es_space_reset(space, n) == PATHS_OK)
		n++;
}

static void
control_act(struct control *c, struct es_space *space,
    struct es_mpi_control *row)
{
	uint32_t mode = ES_MODE_OFF;

	if (c->action == CONTROL_RESET) {
		control_reset(space, row);
		return;
	}
	if (c->action == CONTROL_START)
		mode = c->modes != 0 ? c->modes : row->asked;
	/* Relaxed: the process may see the mode later. */
	atomic_store_explicit(&row->mode, mode & ES_MODE_ALL,
	    memory_order_relaxed);
}

static bool
control_space(struct control *c, const char *file)
{
	struct es_mpi_control *row;
	struct es_space *space;

	if (es_space_open_to_switch(file, &space) != PATHS_OK)
		return MPI_FAIL("%s", paths_log_last());
	row = control_row(space);
	if (row != NULL &&
	    atomic_load_explicit(&row->state, memory_order_relaxed) ==
		ES_MPI_RUNNING) {
		c->running++;
		control_act(c, space, row);
	} else if (row != NULL) {
		c->ended++;
	}
	es_space_close(space);
	return true;
}

static bool
control_is_space(const char *name)
{
	size_t length = strlen(name), end = strlen(CONTROL_SUFFIX);

	return name[0] != '.' && length > end &&
	    strcmp(name + length - end, CONTROL_SUFFIX) == 0;
}

static bool
control_all(struct control *c, const char *run)
{
	DIR *dir = opendir(run);
	const struct dirent *entry;
	char file[PATH_MAX];
	bool done = true;

	if (dir == NULL)
		return MPI_FAIL("%s: %s", run, strerror(errno));
	while ((entry = readdir(dir)) != NULL) {
		if (!control_is_space(entry->d_name))
			continue;
		snprintf(file, sizeof(file), "%s/%s", run, entry->d_name);
		done = control_space(c, file) && done;
	}
	closedir(dir);
	if (done && c->running == 0)
		return MPI_FAIL(c->ended == 0 ? "%s: holds no MPI process" :
						"%s: all processes have ended",
		    run);
	return done;
}

static bool
control_snapshot(const char *run, const char *to)
{
	char name[PATH_MAX];
	size_t length = strlen(run);

	while (length > 1 && run[length - 1] == '/')
		length--;
	for (int n = 1; to == NULL && n < 10000; n++) {
		snprintf(name, sizeof(name), "%.*s.snapshot-%d", (int)length,
		    run, n);
		if (mkdir(name, 0700) == 0)
			return snapshot_take(run, name) && puts(name) >= 0;
		if (errno != EEXIST)
			to = name;
	}
	if (to == NULL)
		return MPI_FAIL("%s: too many snapshots", run);
	if (mkdir(to, 0700) != 0)
		return MPI_FAIL("%s: %s", to, strerror(errno));
	return snapshot_take(run, to);
}

static int
control_wrong(const char *word, const char *near)
{
	return paths_command_wrong("mpi",
	    "--control: %s: expected start [MODES], stop, reset or "
	    "snapshot [DIRECTORY]%s",
	    word, near);
}

int
control_main(const char *run, char **action)
{
	static const char *const names[] = { [CONTROL_START] = "start",
		[CONTROL_STOP] = "stop",
		[CONTROL_RESET] = "reset",
		"snapshot" };
	struct control c = { .modes = 0 };
	struct paths_nearest nearest;
	uint32_t n = 0;

	if (action[1] != NULL && action[2] != NULL)
		return control_wrong(action[2], "");
	paths_nearest_init(&nearest, action[0]);
	for (; n < 4 && strcmp(action[0], names[n]) != 0; n++)
		paths_nearest_try(&nearest, names[n]);
	if (n == 4)
		return control_wrong(action[0], paths_nearest_hint(&nearest));
	if (n > CONTROL_RESET)
		return control_snapshot(run, action[1]) ? 0 : 1;
	c.action = (enum control_action)n;
	if (action[1] != NULL && c.action != CONTROL_START)
		return control_wrong(action[1], "");
	if (action[1] != NULL && mode_parse(action[1], &c.modes) != PATHS_OK)
		return paths_command_wrong("mpi", "--control %s start %s: %s",
		    run, action[1], paths_log_last());
	return control_all(&c, run) ? 0 : 1;
}
