/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/agents.c - the agents of the processes of a run
 */

#include "libpaths/run/agents_private.h"

#include "libpaths/launch/descendants_private.h"
#include "libpaths/run/fail_private.h"
#include "libpaths/run/launcher_private.h"
#include "libpaths/run/lines_private.h"
#include "libpaths/run/receive_private.h"
#include "libpaths/run/start_private.h"
#include "libpaths/run/talk_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A lost connection is reported after this time at the latest.  Until then the
   command may end, whose status tells more. */
#define AGENTS_REPORT_NS UINT64_C(1000000000)

bool
run_agents_init(struct run *run)
{
	const uint32_t count = run->map->process_count;

	run->agents = calloc(count, sizeof(*run->agents));
	if (run->agents == NULL)
		return run_fail("out of memory");
	for (uint32_t n = 0; n < count; n++) {
		struct run_agent *agent = &run->agents[n];

		agent->process = n;
		agent->name = run->map->processes[n].name;
		for (int i = 0; i < 2; i++) {
			agent->lines[i].label = run->plain ? NULL : agent->name;
			agent->lines[i].to = &run->outputs[i];
		}
	}
	return true;
}

/* Closes the channel of an agent. */
static void
agents_close(struct run_agent *agent)
{
	if (agent->has_channel)
		launch_channel_close(&agent->channel);
	agent->has_channel = false;
	run_receive_stop(agent);
	run_lines_end(&agent->lines[0]);
	run_lines_end(&agent->lines[1]);
}

void
run_agents_fini(struct run *run)
{
	if (run->agents == NULL)
		return;
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		agents_close(&run->agents[n]);
		free(run->agents[n].folder);
	}
	free(run->agents);
	run->agents = NULL;
}

uint32_t
run_agents_count(const struct run *run, enum run_state state)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < run->map->process_count; n++)
		count += run->agents[n].state == state;
	return count;
}

/* ---- the commands that start them */

static bool
agents_talk_by_pipes(const struct run *run)
{
	return run->how == RUN_SSH || run->how == RUN_COMMAND;
}

/* Makes the pipes to and from a command: ends for it and for the channel. */
static bool
agents_pipes(int theirs[2], int ours[2])
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) != 0)
		return false;
	if (pipe2(from, O_CLOEXEC) != 0) {
		close(to[0]);
		close(to[1]);
		return false;
	}
	theirs[0] = to[0];
	theirs[1] = from[1];
	ours[0] = from[0];
	ours[1] = to[1];
	return true;
}

/* Opens the channel of an agent whose name comes over it. */
static void
agents_open(struct run *run, struct run_agent *agent, const int fds[2])
{
	launch_channel_open(&agent->channel, fds[0], fds[1]);
	agent->channel.quiet = true;
	agent->channel.silence_ns = 0; /* before the agent has come */
	agent->has_channel = true;
	agent->job = &run->jobs[run->job_count - 1];
}

static bool
agents_start_one(struct run *run, struct run_agent *agent, char **words)
{
	int theirs[2] = { -1, -1 }, ours[2];
	struct launch_spawn spawn = { (const char *const *)(uintptr_t)words,
		{ -1, -1, -1 }, NULL, 0 };
	bool done;

	if (!agents_talk_by_pipes(run))
		return run_start_job(run, run_launcher_name(run), &spawn);
	if (!agents_pipes(theirs, ours))
		return run_fail("%s: %s", agent->name, strerror(errno));
	spawn.standard[0] = theirs[0];
	spawn.standard[1] = theirs[1];
	done = run_start_job(run, run_launcher_name(run), &spawn);
	close(theirs[0]);
	close(theirs[1]);
	if (done) {
		agents_open(run, agent, ours);
	} else {
		close(ours[0]);
		close(ours[1]);
	}
	return done;
}

bool
run_agents_start(struct run *run)
{
	const uint32_t count =
	    run->how == RUN_MPIRUN ? 1 : run->map->process_count;
	bool done = run_start_jobs(run);

	/* Agents may come before all commands have started. */
	for (uint32_t n = 0; done && n < run->map->process_count; n++)
		run->agents[n].job = &run->jobs[count == 1 ? 0 : n];
	for (uint32_t n = 0; done && n < count; n++) {
		char **words = run_launcher_command(run, n);

		done = words != NULL ?
		    agents_start_one(run, &run->agents[n], words) :
		    run_fail("out of memory");
		run_launcher_free(words);
	}
	return done;
}

/* An agent that never came is lost with its command. */
static void
agents_job_ended(struct run *run, const struct run_job *job)
{
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		struct run_agent *agent = &run->agents[n];

		if (agent->job == job && !agent->has_channel &&
		    agent->state == RUN_STATE_AWAITED)
			run_agents_lose(run, agent, NULL);
	}
}

uint32_t
run_agents_reap(struct run *run)
{
	uint32_t running = 0;

	for (uint32_t n = 0; n < run->job_count; n++) {
		struct run_job *job = &run->jobs[n];

		if (job->running &&
		    waitpid(job->pid, &job->status, WNOHANG) > 0) {
			job->running = false;
			agents_job_ended(run, job);
		}
		running += job->running;
	}
	return running;
}

void
run_agents_kill(const struct run *run, int signal)
{
	for (uint32_t n = 0; n < run->job_count; n++) {
		if (run->jobs[n].running)
			kill(-run->jobs[n].pid, signal);
	}
}

/* ---- losses */

void
run_agents_lose(struct run *run, struct run_agent *agent, const char *why)
{
	if (agent->state == RUN_STATE_LOST)
		return;
	if (why != NULL && agent->state != RUN_STATE_DISMISSED)
		run_talk_lost(run, agent, why);
	else if (agent->state != RUN_STATE_DISMISSED)
		agent->lost_ns = run_now_ns();
	if (agent->state != RUN_STATE_DISMISSED)
		agent->state = RUN_STATE_LOST;
	agents_close(agent);
}

/* Reports a loss whose reason may be that of the command. */
static void
agents_report(struct run *run, struct run_agent *agent)
{
	const struct run_job *job = agent->job;
	char why[LAUNCH_WHY_BYTES];

	agent->lost_ns = 0;
	if (job->running || job->status == 0)
		snprintf(why, sizeof(why), "%s",
		    agent->channel.why[0] != '\0' ? agent->channel.why :
						    "no agent has come");
	else if (WIFSIGNALED(job->status))
		snprintf(why, sizeof(why), "%s: killed by signal %d", job->name,
		    WTERMSIG(job->status));
	else
		snprintf(why, sizeof(why), "%s: exit status %d", job->name,
		    WEXITSTATUS(job->status));
	run_talk_lost(run, agent, why);
}

void
run_agents_report(struct run *run)
{
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		struct run_agent *agent = &run->agents[n];

		if (agent->lost_ns != 0 &&
		    (!agent->job->running ||
			run_now_ns() - agent->lost_ns > AGENTS_REPORT_NS))
			agents_report(run, agent);
	}
}

/* ---- talking with them */

void
run_agents_signal(struct run *run, int signal)
{
	run->ends_all = true;
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		struct run_agent *agent = &run->agents[n];

		if (agent->state == RUN_STATE_STARTED && agent->has_channel)
			launch_channel_send_number(&agent->channel,
			    LAUNCH_SIGNAL, (uint64_t)signal);
	}
}

void
run_agents_meet(struct run *run, struct run_gate *gate)
{
	struct run_visitor *visitor;
	struct launch_frame frame;

	while ((visitor = run_gate_take(gate, &frame)) != NULL) {
		const uint32_t process = run_talk_hello(run, &frame);
		struct run_agent *agent =
		    process == PATHS_NONE ? NULL : &run->agents[process];
		const bool fits =
		    agent != NULL && agent->state == RUN_STATE_AWAITED;

		if (fits) {
			agent->channel = visitor->channel;
			agent->has_channel = true;
			agent->channel.silence_ns = run->map->silence_ns;
			run_talk_setup(run, agent);
		} else if (agent == NULL ||
		    agent->state != RUN_STATE_DISMISSED) {
			run_fail("an agent came for no process, or twice");
		}
		run_gate_free(visitor, fits);
	}
}

static bool
agents_take(struct run *run, struct run_agent *agent,
    struct launch_frame *frame)
{
	if (agent->state != RUN_STATE_AWAITED)
		return run_talk_take(run, agent, frame);
	if (run_talk_hello(run, frame) != agent->process)
		return false;
	agent->channel.silence_ns = run->map->silence_ns;
	run_talk_setup(run, agent);
	return true;
}

/* Loses an agent for the reason of its channel. */
static void
agents_lose_for(struct run *run, struct run_agent *agent)
{
	char why[LAUNCH_WHY_BYTES];

	memcpy(why, agent->channel.why, sizeof(why));
	run_agents_lose(run, agent, why);
}

void
run_agents_receive(struct run *run, struct run_agent *agent)
{
	const bool more = launch_channel_fill(&agent->channel);
	struct launch_frame frame;

	while (agent->has_channel &&
	    launch_channel_next(&agent->channel, &frame)) {
		if (!agents_take(run, agent, &frame))
			run_agents_lose(run, agent,
			    "its agent sent a wrong frame");
		else if (agent->state == RUN_STATE_LOST)
			agents_close(agent);
	}
	if (!agent->has_channel)
		return;
	/* The end of a channel is often that of its command, whose status
	   tells more. */
	if (!more)
		run_agents_lose(run, agent, NULL);
	else if (agent->channel.why[0] != '\0')
		agents_lose_for(run, agent);
}

void
run_agents_send(struct run *run, struct run_agent *agent)
{
	launch_channel_beat(&agent->channel);
	/* Until it is ready, an agent has the time of --wait. */
	if (agent->state > RUN_STATE_GREETED &&
	    launch_channel_is_silent(&agent->channel)) {
		agents_lose_for(run, agent);
		if (agents_talk_by_pipes(run) && agent->job->running)
			kill(-agent->job->pid, SIGTERM);
	} else if (!launch_channel_flush(&agent->channel)) {
		run_agents_lose(run, agent, NULL);
	}
}
