/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent.c - runs a process of a map for a launcher
 *
 * One loop reads the frames of the launcher, the output of the program and
 * signals.  The end of the channel, or its silence, is the sign that the
 * launcher is gone: then the program is ended.
 */

#include "libpaths/launch/agent_private.h"

#include "libpaths/launch/agent_start_private.h"
#include "libpaths/launch/agent_take_private.h"
#include "libpaths/launch/descendants_private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors that the loop waits for. */
enum {
	AGENT_IN,
	AGENT_OUT,
	AGENT_SIGNALS,
	AGENT_OUTPUT,
	AGENT_ERRORS,
	AGENT_REPORT, /* of the start: see agent_started */
	AGENT_FDS
};

/* Ends the program, because the launcher is gone. */
static void
agent_lose(struct agent *agent)
{
	if (agent->lost)
		return;
	agent->lost = true;
	launch_collect_fini(&agent->collect);
	launch_channel_close(&agent->channel);
	launch_ending_in(&agent->ending, LAUNCH_ENDING_TERM, 0);
}

/* ---- the program */

/* Passes on what the program has written. */
static void
agent_read_pipe(struct agent *agent, int which)
{
	char piece[LAUNCH_PIECE_MAX];
	const ssize_t n = read(agent->pipes[which], piece, sizeof(piece));

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close(agent->pipes[which]);
		agent->pipes[which] = -1;
	}
	if (n > 0 && !agent->lost)
		launch_channel_send(&agent->channel,
		    which == 0 ? LAUNCH_OUTPUT : LAUNCH_ERRORS, piece,
		    (size_t)n);
}

/* Passes on what the pipes still contain.  Descendants of the program may have
   them open for longer. */
static void
agent_drain(struct agent *agent)
{
	for (int n = 0; n < 2; n++) {
		struct pollfd fd = { agent->pipes[n], POLLIN, 0 };

		/* At most as much as a pipe holds. */
		for (int piece = 0;
		     piece < 64 && agent->pipes[n] >= 0 && poll(&fd, 1, 0) > 0;
		     piece++)
			agent_read_pipe(agent, n);
	}
}

static void
agent_reap(struct agent *agent)
{
	struct launch_bytes content = { .memory = NULL };

	/* The report of a child that ended is readable. */
	if (agent->child <= 0 || agent->report >= 0 ||
	    waitpid(agent->child, &agent->status, WNOHANG) <= 0)
		return;
	agent->child = 0;
	agent->exited = true;
	agent_drain(agent);
	if (agent->lost)
		return;
	launch_put_number(&content, WIFSIGNALED(agent->status));
	launch_put_number(&content,
	    (uint64_t)(WIFSIGNALED(agent->status) ?
		    WTERMSIG(agent->status) :
		    WEXITSTATUS(agent->status)));
	launch_channel_send_bytes(&agent->channel, LAUNCH_EXITED, &content);
}

static void
agent_signal(struct agent *agent, int signal)
{
	if (agent->child > 0)
		kill(-agent->child, signal);
}

/* Passes a signal on; the program is killed when it does not end. */
static void
agent_read_signals(struct agent *agent)
{
	struct signalfd_siginfo info;

	while (read(agent->signals, &info, sizeof(info)) ==
	    (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		agent_signal(agent, (int)info.ssi_signo);
		launch_ending_in(&agent->ending, LAUNCH_ENDING_KILL,
		    agent->setup.grace_ns);
		if (agent->child <= 0)
			agent_lose(agent);
	}
	agent_reap(agent);
}

static void
agent_ending(struct agent *agent)
{
	const int signal =
	    launch_ending_signal(&agent->ending, agent->setup.grace_ns);

	if (signal != 0)
		agent_signal(agent, signal);
}

/* ---- the launcher */

static void
agent_receive(struct agent *agent)
{
	const bool more = launch_channel_fill(&agent->channel);
	struct launch_frame frame;

	while (
	    !agent->dismissed && launch_channel_next(&agent->channel, &frame)) {
		if (!agent_take(agent, &frame)) {
			agent_lose(agent);
			return;
		}
	}
	if (!agent->dismissed && (!more || agent->channel.why[0] != '\0'))
		agent_lose(agent);
}

static void
agent_send(struct agent *agent)
{
	if (agent->collect.dir != NULL &&
	    launch_collect_step(&agent->collect, &agent->channel))
		launch_collect_fini(&agent->collect);
	launch_channel_beat(&agent->channel);
	if (!launch_channel_flush(&agent->channel) ||
	    launch_channel_is_silent(&agent->channel))
		agent_lose(agent);
}

/* ---- the loop */

/* Returns the time until something is due, in ms. */
static int
agent_patience(const struct agent *agent)
{
	const uint64_t now = run_now_ns();
	uint64_t ns = launch_channel_beat_ns(&agent->channel);

	/* More is to be copied, and no room has to be waited for. */
	if (agent->collect.dir != NULL &&
	    launch_channel_queued(&agent->channel) == 0)
		return 0;
	if (launch_ending_has_due(&agent->ending) &&
	    agent->ending.due_ns < now + ns)
		ns =
		    agent->ending.due_ns > now ? agent->ending.due_ns - now : 0;
	return (int)((ns + 999999) / 1000000);
}

static void
agent_poll(struct agent *agent, struct pollfd fds[AGENT_FDS])
{
	const bool full =
	    launch_channel_queued(&agent->channel) >= LAUNCH_QUEUE_MAX;

	for (int n = 0; n < AGENT_FDS; n++)
		fds[n] = (struct pollfd){ -1, POLLIN, 0 };
	fds[AGENT_SIGNALS].fd = agent->signals;
	fds[AGENT_IN].fd = agent->channel.in;
	fds[AGENT_REPORT].fd = agent->report;
	if (!agent->lost && launch_channel_queued(&agent->channel) > 0)
		fds[AGENT_OUT] =
		    (struct pollfd){ agent->channel.out, POLLOUT, 0 };
	for (int n = 0; n < 2 && !full; n++)
		fds[AGENT_OUTPUT + n].fd = agent->pipes[n];
	if (poll(fds, AGENT_FDS, agent_patience(agent)) < 0) {
		for (int n = 0; n < AGENT_FDS; n++)
			fds[n].revents = 0;
	}
}

static bool
agent_is_over(const struct agent *agent)
{
	return agent->child <= 0 && (agent->lost || agent->dismissed);
}

bool
agent_work(struct agent *agent)
{
	struct pollfd fds[AGENT_FDS];

	while (!agent_is_over(agent)) {
		agent_poll(agent, fds);
		if (fds[AGENT_REPORT].revents != 0)
			agent_started(agent);
		for (int n = 0; n < 2; n++) {
			if (fds[AGENT_OUTPUT + n].revents != 0)
				agent_read_pipe(agent, n);
		}
		if (fds[AGENT_IN].revents != 0)
			agent_receive(agent);
		agent_read_signals(agent);
		agent_ending(agent);
		if (!agent->lost)
			agent_send(agent);
	}
	return agent->dismissed && agent->exited && agent->status == 0;
}
