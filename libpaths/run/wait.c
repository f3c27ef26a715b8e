/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/wait.c - waits for the processes of a run, and ends them
 *
 * The processes of a map need each other.  When one has failed, the others have
 * the time of --grace to end and to report their errors.  Then they get SIGTERM
 * and, after the same time again, SIGKILL.  With --alone they go on.  When
 * eventspace-run gets a signal, it passes the signal on, and SIGKILL follows
 * after the time of --grace.
 */

#include "libpaths/run/wait_private.h"

#include "libpaths/launch/descendants_private.h"
#include "libpaths/launch/ending_private.h"
#include "libpaths/run/ends_private.h"
#include "libpaths/run/fail_private.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct waiting {
	struct run *run;
	struct launch_ending ending;
	sigset_t signals; /* that end the run, and SIGCHLD */
};

static void
wait_signal_all(struct run *run, int signal)
{
	run->ends_all = true;
	for (uint32_t n = 0; n < run->job_count; n++) {
		if (run->jobs[n].running)
			kill(-run->jobs[n].pid, signal);
	}
}

static void
wait_due(struct waiting *w)
{
	const int signal = launch_ending_signal(&w->ending, w->run->grace_ns);

	if (signal != 0)
		wait_signal_all(w->run, signal);
}

/* Reports a job that has ended; a failure ends the others after a time. */
static void
wait_ended(struct waiting *w, struct run_job *job, int status)
{
	job->running = false;
	run_ends_add(w->run,
	    &(struct run_end){ .name = job->name,
		.how = WIFSIGNALED(status) ? "signal" : "status",
		.number = (unsigned)(WIFSIGNALED(status) ? WTERMSIG(status) :
							   WEXITSTATUS(status)),
		.here = true });
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	w->run->failed++;
	if (WIFSIGNALED(status))
		run_fail("%s: killed by signal %d", job->name,
		    WTERMSIG(status));
	else
		run_fail("%s: exit status %d", job->name, WEXITSTATUS(status));
	if (!w->run->alone)
		launch_ending_in(&w->ending, LAUNCH_ENDING_TERM,
		    w->run->grace_ns);
}

/* Reaps the jobs that have ended.  Returns the count of running jobs. */
static uint32_t
wait_reap(struct waiting *w)
{
	uint32_t running = 0;

	for (uint32_t n = 0; n < w->run->job_count; n++) {
		struct run_job *job = &w->run->jobs[n];
		int status;

		if (job->running && waitpid(job->pid, &status, WNOHANG) > 0)
			wait_ended(w, job, status);
		running += job->running;
	}
	return running;
}

/* Sleeps until a signal arrives or the time is up.  Returns the signal or 0. */
static int
wait_sleep(const struct waiting *w)
{
	uint64_t now = run_now_ns();
	uint64_t ns = w->ending.due_ns > now ? w->ending.due_ns - now : 0;
	struct timespec time = { (time_t)(ns / 1000000000),
		(long)(ns % 1000000000) };
	int signal;

	if (launch_ending_has_due(&w->ending))
		signal = sigtimedwait(&w->signals, NULL, &time);
	else
		signal = sigwaitinfo(&w->signals, NULL);
	return signal < 0 ? 0 : signal;
}

void
run_wait(struct run *run, bool end)
{
	struct waiting w = { .run = run };

	sigemptyset(&w.signals);
	sigaddset(&w.signals, SIGCHLD);
	sigaddset(&w.signals, SIGINT);
	sigaddset(&w.signals, SIGTERM);
	sigaddset(&w.signals, SIGHUP);
	if (end)
		launch_ending_in(&w.ending, LAUNCH_ENDING_TERM, 0);
	while (wait_reap(&w) > 0) {
		int signal = wait_sleep(&w);

		if (signal != 0 && signal != SIGCHLD) {
			wait_signal_all(run, signal);
			launch_ending_in(&w.ending, LAUNCH_ENDING_KILL,
			    run->grace_ns);
		}
		wait_due(&w);
	}
}
