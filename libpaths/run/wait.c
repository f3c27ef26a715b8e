/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/wait.c - waits for the processes of a run, and ends them
 *
 * The processes of a map need each other.  When one has failed, the others have
 * the time of --grace to end and to report their errors.  Then they get SIGTERM
 * and, after the same time again, SIGKILL.  When eventspace-run gets a signal,
 * it passes the signal on, and SIGKILL follows after the time of --grace.
 */

#include "libpaths/run/wait_private.h"

#include "libpaths/run/descendants_private.h"
#include "libpaths/run/fail_private.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The signal that running processes get when the time is up.  NOT: no time is
   set; DONE: all signals were sent. */
enum ending { ENDING_NOT, ENDING_TERM, ENDING_KILL, ENDING_DONE };

struct waiting {
	struct run *run;
	enum ending next;
	uint64_t due_ns;  /* time of TERM or KILL */
	sigset_t signals; /* that end the run, and SIGCHLD */
};

static void
wait_signal_all(const struct run *run, int signal)
{
	for (uint32_t n = 0; n < run->job_count; n++) {
		if (run->jobs[n].running)
			kill(-run->jobs[n].pid, signal);
	}
}

/* Sets the next signal and its time, unless the next signal is this one or a
   later one already. */
static void
wait_end_in(struct waiting *w, enum ending ending, uint64_t ns)
{
	if (w->next >= ending)
		return;
	w->next = ending;
	w->due_ns = run_now_ns() + ns;
}

static bool
wait_has_due(const struct waiting *w)
{
	return w->next == ENDING_TERM || w->next == ENDING_KILL;
}

static void
wait_due(struct waiting *w)
{
	if (!wait_has_due(w) || run_now_ns() < w->due_ns)
		return;
	wait_signal_all(w->run, w->next == ENDING_TERM ? SIGTERM : SIGKILL);
	wait_end_in(w, w->next == ENDING_TERM ? ENDING_KILL : ENDING_DONE,
	    w->run->grace_ns);
}

/* Reports a job that has ended; a failure ends the others after a time. */
static void
wait_ended(struct waiting *w, struct run_job *job, int status)
{
	job->running = false;
	if (job->input >= 0)
		close(job->input);
	job->input = -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	w->run->failed++;
	if (WIFSIGNALED(status))
		run_fail("%s: killed by signal %d", job->name,
		    WTERMSIG(status));
	else
		run_fail("%s: exit status %d", job->name, WEXITSTATUS(status));
	wait_end_in(w, ENDING_TERM, w->run->grace_ns);
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
	uint64_t ns = w->due_ns > now ? w->due_ns - now : 0;
	struct timespec time = { (time_t)(ns / 1000000000),
		(long)(ns % 1000000000) };
	int signal;

	if (wait_has_due(w))
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
		wait_end_in(&w, ENDING_TERM, 0);
	while (wait_reap(&w) > 0) {
		int signal = wait_sleep(&w);

		if (signal != 0 && signal != SIGCHLD) {
			wait_signal_all(run, signal);
			wait_end_in(&w, ENDING_KILL, run->grace_ns);
		}
		wait_due(&w);
	}
}
