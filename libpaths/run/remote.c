/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/remote.c - runs the processes of a map on other hosts
 *
 * One loop, in four phases:
 *
 *	meeting		agents come and open sockets; then all know the ports
 *	running		programs run
 *	collecting	files are copied, when all programs have ended
 *	leaving		agents are dismissed, and the commands end
 *
 * Processes need each other.  When one fails, the others have the time of
 * --grace to end, as in wait.c, unless --alone is given.
 */

#include "libpaths/run/remote_private.h"

#include "libpaths/launch/descendants_private.h"
#include "libpaths/launch/ending_private.h"
#include "libpaths/run/agents_private.h"
#include "libpaths/run/dir_private.h"
#include "libpaths/run/fail_private.h"
#include "libpaths/run/lines_private.h"
#include "libpaths/run/start_private.h"
#include "libpaths/run/talk_private.h"
#include "libpaths/unit.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Longest time between two looks at times that are due. */
#define REMOTE_STEP_MS 200

/* Time that programs have to end after SIGKILL. */
#define REMOTE_KILLED_NS UINT64_C(5000000000)

/* Time that a command has after SIGTERM, besides twice the time of --grace.
   Its agent may have to end a program, and what the program leaves behind. */
#define REMOTE_LEFT_NS UINT64_C(3000000000)

enum remote_phase {
	REMOTE_MEETING,
	REMOTE_RUNNING,
	REMOTE_COLLECTING,
	REMOTE_LEAVING
};

struct remote {
	struct run *run;
	enum remote_phase phase;
	struct run_gate gate;
	int signals;		      /* signalfd */
	uint64_t due_ns;	      /* meeting: for all agents */
	uint64_t killed_ns;	      /* time of SIGKILL; 0: was not sent */
	struct launch_ending ending;  /* of the programs */
	struct launch_ending leaving; /* of the commands */
	uint32_t failed;	      /* failures that were noticed */
	bool started, listed;
	struct pollfd *fds;
};

static bool
remote_is_full(const struct run *run)
{
	return launch_bytes_count(&run->outputs[0].queue) >
	    RUN_LINES_QUEUE_MAX ||
	    launch_bytes_count(&run->outputs[1].queue) > RUN_LINES_QUEUE_MAX;
}

/* ---- phases */

/* Sends END to an agent, which removes its directory if all files were copied.
   Reports where files stay. */
static void
remote_dismiss(struct remote *r, struct run_agent *agent)
{
	const struct paths_map *map = r->run->map;
	const bool copied =
	    agent->state == RUN_STATE_COLLECTED && !agent->incomplete;

	if (agent->state == RUN_STATE_AWAITED ||
	    agent->state == RUN_STATE_STARTED) {
		agent->state = RUN_STATE_DISMISSED;
		run_agents_lose(r->run, agent, NULL);
	} else if (agent->has_channel) {
		launch_channel_send_number(&agent->channel, LAUNCH_END, copied);
		agent->state = RUN_STATE_DISMISSED;
	}
	if (!copied && agent->owner && !agent->sees && r->started)
		run_fail("files of host %s are in %s",
		    map->hosts[map->processes[agent->process].host].name,
		    agent->folder);
}

static void
remote_leave(struct remote *r)
{
	struct run *run = r->run;

	if (r->phase == REMOTE_LEAVING)
		return;
	r->phase = REMOTE_LEAVING;
	for (uint32_t n = 0; n < run->map->process_count; n++)
		remote_dismiss(r, &run->agents[n]);
}

/* Sets the time of SIGTERM for the commands.  An agent closes its connection
   when it has removed its directory; until then a signal would make it leave
   the files there.  Without -silence, an agent that hangs keeps it open. */
static void
remote_await_agents(struct remote *r)
{
	const struct run *run = r->run;
	uint64_t patience = r->started ? run->grace_ns : 0;

	for (uint32_t n = 0;
	     n < run->map->process_count && run->map->silence_ns != 0; n++) {
		if (run->agents[n].has_channel)
			return;
	}
	if (run->failed > 0 && patience > REMOTE_KILLED_NS)
		patience = REMOTE_KILLED_NS;
	launch_ending_in(&r->leaving, LAUNCH_ENDING_TERM, patience);
}

static void
remote_collect(struct remote *r)
{
	struct run *run = r->run;

	r->phase = REMOTE_COLLECTING;
	for (uint32_t n = 0; n < run->map->process_count && !run->leave; n++) {
		struct run_agent *agent = &run->agents[n];

		if (agent->state != RUN_STATE_EXITED || !agent->owner ||
		    agent->sees)
			continue;
		launch_channel_send(&agent->channel, LAUNCH_COLLECT, NULL, 0);
		agent->state = RUN_STATE_COLLECTING;
	}
}

/* Writes the map with all ports, and lets the programs start. */
static void
remote_start(struct remote *r)
{
	struct run *run = r->run;
	char *text = NULL;
	size_t bytes;

	if (!run_dir_write_map(run) || !run_dir_map_text(run, &text, &bytes)) {
		remote_leave(r);
		return;
	}
	for (uint32_t n = 0; n < run->map->process_count; n++)
		run_talk_start(run, &run->agents[n], text, bytes);
	free(text);
	r->phase = REMOTE_RUNNING;
	r->started = true;
}

/* Loses the agents that have not come in time. */
static void
remote_too_late(struct remote *r)
{
	struct run *run = r->run;
	char time[PATHS_UNIT_TEXT_BYTES], why[64];

	if (run_now_ns() < r->due_ns)
		return;
	snprintf(why, sizeof(why), "no answer in %s",
	    paths_unit_text(PATHS_UNIT_TIME, (double)run->wait_ns, time));
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		struct run_agent *agent = &run->agents[n];

		if (agent->state == RUN_STATE_AWAITED ||
		    agent->state == RUN_STATE_GREETED)
			run_agents_lose(run, agent, why);
	}
}

/* Writes the list of servers once all programs have been started. */
static void
remote_list_servers(struct remote *r)
{
	const struct run *run = r->run;

	for (uint32_t n = 0; n < run->map->process_count; n++)
		if (run->agents[n].state == RUN_STATE_STARTED &&
		    !run->agents[n].runs)
			return;
	r->listed = true;
	run_dir_write_servers(run);
}

/* Goes to the next phase when it is time. */
static void
remote_advance(struct remote *r)
{
	struct run *run = r->run;
	const uint32_t count = run->map->process_count;

	if (r->phase == REMOTE_MEETING) {
		remote_too_late(r);
		if (run_agents_count(run, RUN_STATE_READY) == count)
			remote_start(r);
		else if (run->failed > 0)
			remote_leave(r);
	}
	if (r->phase == REMOTE_RUNNING && !r->listed)
		remote_list_servers(r);
	if (r->phase == REMOTE_RUNNING &&
	    run_agents_count(run, RUN_STATE_STARTED) == 0)
		remote_collect(r);
	if (r->phase == REMOTE_COLLECTING &&
	    run_agents_count(run, RUN_STATE_COLLECTING) == 0)
		remote_leave(r);
	if (r->phase == REMOTE_LEAVING)
		remote_await_agents(r);
}

/* ---- signals and times */

static void
remote_read_signals(struct remote *r)
{
	struct signalfd_siginfo info;

	while (read(r->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		if (r->phase == REMOTE_RUNNING) {
			run_agents_signal(r->run, (int)info.ssi_signo);
			launch_ending_in(&r->ending, LAUNCH_ENDING_KILL,
			    r->run->grace_ns);
		} else if (r->phase == REMOTE_LEAVING) {
			launch_ending_in(&r->leaving, LAUNCH_ENDING_KILL, 0);
		} else {
			remote_leave(r);
		}
	}
}

/* Loses the processes that SIGKILL did not end. */
static void
remote_give_up(struct remote *r)
{
	struct run *run = r->run;

	if (r->killed_ns == 0 || run_now_ns() - r->killed_ns < REMOTE_KILLED_NS)
		return;
	r->killed_ns = 0;
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		if (run->agents[n].state == RUN_STATE_STARTED)
			run_agents_lose(run, &run->agents[n],
			    "it does not end");
	}
}

static void
remote_due(struct remote *r)
{
	struct run *run = r->run;
	int signal;

	if (run->failed > r->failed && r->phase == REMOTE_RUNNING &&
	    !run->alone)
		launch_ending_in(&r->ending, LAUNCH_ENDING_TERM, run->grace_ns);
	r->failed = run->failed;
	signal = launch_ending_signal(&r->ending, run->grace_ns);
	if (signal != 0)
		run_agents_signal(run, signal);
	if (signal == SIGKILL)
		r->killed_ns = run_now_ns();
	remote_give_up(r);
	signal = launch_ending_signal(&r->leaving,
	    2 * run->grace_ns + REMOTE_LEFT_NS);
	if (signal != 0)
		run_agents_kill(run, signal);
}

/* Returns the time until something is due, in ms. */
static int
remote_patience(const struct remote *r)
{
	const struct launch_ending *endings[] = { &r->ending, &r->leaving };
	const uint64_t now = run_now_ns();
	uint64_t ns = REMOTE_STEP_MS * UINT64_C(1000000);

	for (int n = 0; n < 2; n++) {
		const uint64_t due = endings[n]->due_ns;

		if (launch_ending_has_due(endings[n]) && due < now + ns)
			ns = due > now ? due - now : 0;
	}
	return (int)((ns + 999999) / 1000000);
}

/* ---- the loop */

/* Descriptors besides those of agents and of the gate: signals and outputs. */
#define REMOTE_FDS 3

static nfds_t
remote_fill_poll(struct remote *r)
{
	struct run *run = r->run;
	const bool full = remote_is_full(run);
	nfds_t count = 0;

	r->fds[count++] = (struct pollfd){ r->signals, POLLIN, 0 };
	for (int n = 0; n < 2; n++) {
		const bool queued =
		    launch_bytes_count(&run->outputs[n].queue) > 0;

		r->fds[count++] =
		    (struct pollfd){ queued ? run->outputs[n].fd : -1, POLLOUT,
			    0 };
	}
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		const struct run_agent *agent = &run->agents[n];
		const struct launch_channel *c = &agent->channel;
		const bool queued =
		    agent->has_channel && launch_channel_queued(c) > 0;

		r->fds[count++] =
		    (struct pollfd){ agent->has_channel && !full ? c->in : -1,
			    POLLIN, 0 };
		r->fds[count++] =
		    (struct pollfd){ queued ? c->out : -1, POLLOUT, 0 };
	}
	return count +
	    run_gate_poll(&r->gate, r->fds + count, run->map->process_count);
}

/* Receives from all agents that have sent, and sends what is queued. */
static void
remote_serve_agents(struct remote *r)
{
	struct run *run = r->run;
	const bool full = remote_is_full(run);

	for (uint32_t n = 0; n < run->map->process_count; n++) {
		struct run_agent *agent = &run->agents[n];

		if (agent->has_channel &&
		    r->fds[REMOTE_FDS + 2 * n].revents != 0)
			run_agents_receive(run, agent);
		/* An agent that is not read is not silent. */
		if (agent->has_channel && full)
			agent->channel.heard_ns = run_now_ns();
	}
}

static void
remote_send(struct run *run)
{
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		if (run->agents[n].has_channel)
			run_agents_send(run, &run->agents[n]);
	}
}

static void
remote_loop(struct remote *r)
{
	struct run *run = r->run;
	const nfds_t fds = REMOTE_FDS + 2 * run->map->process_count;

	while (run_agents_reap(run) > 0 || r->phase != REMOTE_LEAVING) {
		const nfds_t count = remote_fill_poll(r);

		if (poll(r->fds, count, remote_patience(r)) < 0) {
			for (nfds_t n = 0; n < count; n++)
				r->fds[n].revents = 0;
		}
		for (int n = 0; n < 2; n++) {
			if (r->fds[1 + n].revents != 0)
				run_lines_write(&run->outputs[n]);
		}
		remote_serve_agents(r);
		remote_read_signals(r);
		if (count > fds)
			run_gate_serve(&r->gate);
		run_agents_meet(run, &r->gate);
		run_agents_report(run);
		remote_advance(r);
		remote_due(r);
		remote_send(run);
	}
}

static bool
remote_open(struct remote *r)
{
	struct run *run = r->run;
	sigset_t set;

	for (int n = 0; n < 2; n++)
		run->outputs[n].fd = n == 0 ? STDOUT_FILENO : STDERR_FILENO;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	r->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	r->fds =
	    calloc(REMOTE_FDS + RUN_GATE_FDS((size_t)run->map->process_count) +
		    2 * (size_t)run->map->process_count,
		sizeof(*r->fds));
	if (r->signals < 0 || r->fds == NULL)
		return run_fail("%s", strerror(errno));
	if (!paths__launch_init())
		return run_fail("no random numbers");
	if ((run->how == RUN_SRUN || run->how == RUN_MPIRUN) &&
	    !run_gate_open(&r->gate, &run->ports))
		return false;
	return run_agents_init(run) && run_start_environment(run) &&
	    run_agents_start(run);
}

bool
run_remote(struct run *run)
{
	struct remote r = { .run = run, .signals = -1, .gate = { .fd = -1 } };

	signal(SIGPIPE, SIG_IGN);
	r.due_ns = run_now_ns() + run->wait_ns;
	if (!remote_open(&r)) {
		r.phase = REMOTE_LEAVING;
		launch_ending_in(&r.leaving, LAUNCH_ENDING_TERM, 0);
	}
	if (r.fds != NULL && r.signals >= 0 && run->agents != NULL &&
	    run->jobs != NULL)
		remote_loop(&r);
	run_agents_fini(run);
	run_gate_close(&r.gate);
	for (int n = 0; n < 2; n++)
		run_lines_write_all(&run->outputs[n]);
	if (r.signals >= 0)
		close(r.signals);
	free(r.fds);
	return r.started;
}
