/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/guard.c - runs the work of eventspace-run below a keeper
 *
 * Three processes, each the parent of the next:
 *
 *	command	the process that the user started; passes signals on
 *	keeper	watches the two others, and ends what they leave behind
 *	starter	starts the processes of the map and waits for them
 *
 * When any of them is killed, one of its ancestors or descendants ends all that
 * is left and cleans the run directory.  The keeper and the starter are in a
 * process group of their own: a signal for the group of the command, as from a
 * terminal or timeout(1), reaches them once and through the command, and
 * SIGKILL for that group does not reach them.  The keeper writes no message, so
 * a full pipe never delays it.
 */

#include "libpaths/run/guard_private.h"

#include "libpaths/base/command.h"
#include "libpaths/launch/keep_private.h"
#include "libpaths/run/clean_private.h"
#include "libpaths/run/fail_private.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Added to the number of the signal that ended the starter. */
#define GUARD_SIGNALLED 128

typedef bool guard_work(struct run *run);

static int
guard_starter(struct run *run, guard_work *work, pid_t keeper)
{
	prctl(PR_SET_NAME, "run-starter");
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != keeper)
		return PATHS_COMMAND_FAILED;
	return work(run) ? PATHS_COMMAND_DONE : PATHS_COMMAND_FAILED;
}

/* Leaves the group of the command.  Messages of the starter may still be
   written to the terminal, also after `stty tostop`. */
static void
guard_leave_group(void)
{
	sigset_t writing;

	setpgid(0, 0);
	sigemptyset(&writing);
	sigaddset(&writing, SIGTTOU);
	sigprocmask(SIG_BLOCK, &writing, NULL);
}

static int
guard_keeper(struct run *run, guard_work *work, pid_t command)
{
	const pid_t self = getpid();
	struct run_keep keep;

	prctl(PR_SET_NAME, "run-keeper");
	guard_leave_group();
	run_keep_init(&keep, run->grace_ns);
	if (!run_keep_parent(&keep, command))
		return PATHS_COMMAND_FAILED;
	keep.child = fork();
	if (keep.child == 0)
		return guard_starter(run, work, self);
	if (keep.child < 0) {
		run_fail("fork: %s", strerror(errno));
		return PATHS_COMMAND_FAILED;
	}
	run_keep_wait(&keep);
	run_clean(run);
	return WIFSIGNALED(keep.status) ?
	    GUARD_SIGNALLED + WTERMSIG(keep.status) :
	    WEXITSTATUS(keep.status);
}

/* Returns the exit status of the command. */
static int
guard_result(struct run *run, int status)
{
	if (WIFSIGNALED(status)) {
		run_clean(run);
		run_fail("keeper: killed by signal %d", WTERMSIG(status));
		return PATHS_COMMAND_FAILED;
	}
	if (WEXITSTATUS(status) > GUARD_SIGNALLED) {
		run_fail("starter: killed by signal %d",
		    WEXITSTATUS(status) - GUARD_SIGNALLED);
		return PATHS_COMMAND_FAILED;
	}
	return WEXITSTATUS(status);
}

static int
guard_command(struct run *run, guard_work *work)
{
	const pid_t self = getpid();
	struct run_keep keep;

	run_keep_init(&keep, run->grace_ns);
	keep.child = fork();
	if (keep.child == 0)
		return guard_keeper(run, work, self);
	if (keep.child < 0) {
		run_fail("fork: %s", strerror(errno));
		return PATHS_COMMAND_FAILED;
	}
	run_keep_wait(&keep);
	return guard_result(run, keep.status);
}

int
run_guard(struct run *run, bool (*work)(struct run *run))
{
	int status;

	run->dir = mmap(NULL, sizeof(*run->dir), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run->dir == MAP_FAILED) {
		run_fail("out of memory");
		return PATHS_COMMAND_FAILED;
	}
	status = guard_command(run, work);
	munmap(run->dir, sizeof(*run->dir));
	return status;
}
