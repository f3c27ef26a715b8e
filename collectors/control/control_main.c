/* SPDX-License-Identifier: MIT */
/*
 * collectors/control/control_main.c - main of eventspace-control, which acts on
 * a live run
 */

#include "collectors/control/control_private.h"
#include "collectors/control/fail_private.h"
#include "collectors/control/mode_private.h"
#include "collectors/control/snapshot_private.h"
#include "libpaths/base/command.h"
#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct main_values {
	const char *run, *action, *argument;
};

static const struct paths_command_operand main_operands[] = {
	{ "RUN", false, PATHS_COMMAND_TO_OPERAND(struct main_values, run) },
	{ "ACTION", false,
	    PATHS_COMMAND_TO_OPERAND(struct main_values, action) },
	{ "ARGUMENT", true,
	    PATHS_COMMAND_TO_OPERAND(struct main_values, argument) },
};

static void
main_print_actions(void)
{
	fputs(
	    "\nActions:\n"
	    "  start [MODES]         all processes record, in the modes that "
	    "the run began\n"
	    "                        with, or in some of trace, profile and "
	    "matrix, with\n"
	    "                        commas between them\n"
	    "  stop                  no process records\n"
	    "  reset                 what was recorded is discarded\n"
	    "  snapshot [DIRECTORY]  the run is copied to a new directory; its "
	    "default name,\n"
	    "                        RUN.snapshot-N, is printed\n",
	    stdout);
}

static const struct paths_command main_command = {
	.verb = "control",
	.about = "start, stop, reset or copy the recording of a live run",
	.usage = "RUN start [MODES] | stop | reset\n"
		 "RUN snapshot [DIRECTORY]",
	.text = "Changes what the processes of a live run record, while they "
		"go on.  RUN is a run\ndirectory of `eventspace run` or "
		"`eventspace mpi`.",
	PATHS_COMMAND_OPERANDS(main_operands),
	.more = main_print_actions,
};

static bool
main_snapshot(const char *run, const char *to)
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
		return CONTROL_FAIL("%s: too many snapshots", run);
	if (mkdir(to, 0700) != 0)
		return CONTROL_FAIL("%s: %s", to, strerror(errno));
	return snapshot_take(run, to);
}

static int
main_wrong(const char *word, const char *near)
{
	return paths_command_wrong("control",
	    "%s: expected start [MODES], stop, reset or snapshot "
	    "[DIRECTORY]%s",
	    word, near);
}

static int
main_act(const struct main_values *v)
{
	static const char *const names[] = { [CONTROL_START] = "start",
		[CONTROL_STOP] = "stop",
		[CONTROL_RESET] = "reset",
		"snapshot" };
	struct paths_nearest nearest;
	uint32_t modes = 0, n = 0;

	paths_nearest_init(&nearest, v->action);
	for (; n < 4 && strcmp(v->action, names[n]) != 0; n++)
		paths_nearest_try(&nearest, names[n]);
	if (n == 4)
		return main_wrong(v->action, paths_nearest_hint(&nearest));
	if (n > CONTROL_RESET)
		return main_snapshot(v->run, v->argument) ?
		    PATHS_COMMAND_DONE :
		    PATHS_COMMAND_FAILED;
	if (v->argument != NULL && n != CONTROL_START)
		return main_wrong(v->argument, "");
	if (v->argument != NULL && mode_parse(v->argument, &modes) != PATHS_OK)
		return paths_command_wrong("control", "start %s: %s",
		    v->argument, paths_log_last());
	return control_run(v->run, (enum control_action)n, modes) ?
	    PATHS_COMMAND_DONE :
	    PATHS_COMMAND_FAILED;
}

int
main(int argc, char **argv)
{
	struct main_values v = { 0 };
	int status = paths_command_read(&main_command, &v, argc, argv);

	return status == PATHS_COMMAND_GO_ON ? main_act(&v) : status;
}
