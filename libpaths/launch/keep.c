/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/keep.c - watches a child process, so that nothing is left
 * behind
 *
 * When the parent ends, the child gets SIGTERM and has the time of --grace to
 * end its own processes.  After a child that was ended in this way, or by a
 * signal, or that failed, the remaining descendants are ended.
 *
 * The end of the parent is reported by PR_SET_PDEATHSIG.  This is sound here:
 * the parent has one thread when it forks, and this process executes no other
 * program.
 */

#include "libpaths/launch/keep_private.h"

#include "libpaths/launch/descendants_private.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time that the child has in addition to --grace, before it gets SIGKILL. */
#define KEEP_MORE_NS UINT64_C(1000000000)

void
run_keep_init(struct run_keep *keep, uint64_t grace_ns)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction was;

	*keep = (struct run_keep){ .grace_ns = grace_ns };
	sigemptyset(&keep->signals);
	sigaddset(&keep->signals, SIGCHLD);
	for (size_t n = 0; n < sizeof(ends) / sizeof(ends[0]); n++) {
		if (sigaction(ends[n], NULL, &was) == 0 &&
		    was.sa_handler != SIG_IGN)
			sigaddset(&keep->signals, ends[n]);
	}
	signal(SIGCHLD, SIG_DFL); /* SIG_IGN discards exit statuses */
	sigprocmask(SIG_BLOCK, &keep->signals, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

bool
run_keep_parent(struct run_keep *keep, pid_t parent)
{
	keep->parent = parent;
	sigaddset(&keep->signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &keep->signals, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	return getppid() == parent;
}

/* Reaps the processes that have ended.  Returns true while the child runs. */
static bool
keep_is_running(struct run_keep *keep)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != keep->child)
			continue;
		keep->child = 0;
		keep->status = status;
	}
	return keep->child != 0;
}

/* Sleeps until a signal arrives or the time is up; due_ns 0: no time is set.
   Returns the signal, SIGKILL when the time is up, or 0. */
static int
keep_sleep(const struct run_keep *keep, uint64_t due_ns)
{
	uint64_t now = run_now_ns();
	uint64_t ns = due_ns > now ? due_ns - now : 0;
	const struct timespec time = { (time_t)(ns / 1000000000),
		(long)(ns % 1000000000) };
	int signal;

	if (due_ns == 0)
		signal = sigwaitinfo(&keep->signals, NULL);
	else if (ns == 0)
		return SIGKILL;
	else
		signal = sigtimedwait(&keep->signals, NULL, &time);
	return signal < 0 ? 0 : signal;
}

void
run_keep_wait(struct run_keep *keep)
{
	uint64_t due_ns = 0;

	while (keep_is_running(keep)) {
		int signal = keep_sleep(keep, due_ns);

		if (signal == 0 || signal == SIGCHLD)
			continue;
		keep->ended = true;
		kill(keep->child, signal);
		if (signal == SIGKILL)
			due_ns = 0;
		else if (keep->limited ||
		    (keep->parent != 0 && getppid() != keep->parent))
			due_ns = run_now_ns() + keep->grace_ns + KEEP_MORE_NS;
	}
	if (keep->ended || keep->status != 0)
		run_descendants_end(keep->grace_ns);
}
