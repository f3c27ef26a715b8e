/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/talk.c - the frames between eventspace-run and its agents
 */

#include "libpaths/run/talk_private.h"

#include "libpaths/run/ends_private.h"
#include "libpaths/run/fail_private.h"
#include "libpaths/run/launcher_private.h"
#include "libpaths/run/lines_private.h"
#include "libpaths/run/listen_private.h"
#include "libpaths/run/receive_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- to the agent */

/* Returns true when a variable is passed on to processes of other hosts.  The
   agent sets the others that begin in this way. */
static bool
talk_passes(const char *variable)
{
	static const char *const begins[] = { "PATHS_", "ES_", "EVENTSPACE_",
		"LD_LIBRARY_PATH=" };
	static const char *const own[] = { "PATHS_LAUNCH=", "PATHS_MAP=",
		"PATHS_PROCESS=", "PATHS_RUN=", "PATHS_SECRET_FILE=",
		"PATHS_LISTEN_FDS=" };

	for (size_t n = 0; n < sizeof(own) / sizeof(own[0]); n++) {
		if (strncmp(variable, own[n], strlen(own[n])) == 0)
			return false;
	}
	for (size_t n = 0; n < sizeof(begins) / sizeof(begins[0]); n++) {
		if (strncmp(variable, begins[n], strlen(begins[n])) == 0)
			return strchr(variable, '=') != NULL;
	}
	return false;
}

static void
talk_variable(struct launch_channel *c, const char *name, const char *value)
{
	struct launch_bytes content = { .memory = NULL };

	launch_put_text(&content, name);
	launch_put_text(&content, value);
	launch_channel_send_bytes(c, LAUNCH_VARIABLE, &content);
}

static void
talk_variables(struct launch_channel *c)
{
	for (char **variable = environ; *variable != NULL; variable++) {
		const char *value = strchr(*variable, '=');
		char *name;

		if (!talk_passes(*variable))
			continue;
		name = strndup(*variable, (size_t)(value - *variable));
		if (name == NULL)
			c->output.lost = true;
		else
			talk_variable(c, name, value + 1);
		free(name);
	}
}

void
run_talk_setup(const struct run *run, struct run_agent *agent)
{
	struct launch_channel *c = &agent->channel;
	struct launch_setup setup = {
		.process = (char *)(uintptr_t)agent->name,
		.run = run->dir->name,
		.base =
		    (char *)(uintptr_t)(run->host_dir != NULL ? run->host_dir :
								""),
		.directory = (char *)(uintptr_t)(run->directory != NULL ?
			run->directory :
			run->cwd),
		.grace_ns = run->grace_ns,
		.silence_ns = run->map->silence_ns,
		.ports = run->ports,
	};

	memcpy(setup.id, run->id, sizeof(setup.id));
	memcpy(setup.secret, run->secret, sizeof(setup.secret));
	launch_setup_send(c, &setup);
	explicit_bzero(&setup, sizeof(setup));
	talk_variables(c);
	for (char **word = run->program; *word != NULL; word++)
		launch_channel_send_text(c, LAUNCH_WORD, *word);
	for (uint32_t n = 0; n < run->socket_count; n++) {
		if (run->sockets[n].process == agent->process)
			launch_channel_send_text(c, LAUNCH_ENDPOINT,
			    run_listen_address(run, &run->sockets[n]));
	}
	launch_channel_send(c, LAUNCH_OPEN, NULL, 0);
	agent->state = RUN_STATE_GREETED;
}

void
run_talk_start(const struct run *run, struct run_agent *agent, const char *map,
    size_t bytes)
{
	struct launch_channel *c = &agent->channel;

	while (bytes > 0 && !agent->sees) {
		const size_t piece =
		    bytes < LAUNCH_PIECE_MAX ? bytes : LAUNCH_PIECE_MAX;

		launch_channel_send(c, LAUNCH_MAP, map, piece);
		map += piece;
		bytes -= piece;
	}
	launch_channel_send_text(c, LAUNCH_START,
	    run_launcher_host(run, agent->process));
	agent->state = RUN_STATE_STARTED;
}

/* ---- from the agent */

uint32_t
run_talk_hello(const struct run *run, struct launch_frame *frame)
{
	const char *name = launch_get_text(&frame->content);
	const char *rank = launch_get_text(&frame->content);
	const size_t digits = strspn(rank, "0123456789");
	unsigned long process;

	if (frame->kind != LAUNCH_HELLO || !launch_get_ends(&frame->content))
		return PATHS_NONE;
	if (name[0] != '\0')
		return paths_map_find_process(run->map, name);
	if (digits == 0 || digits > 9 || rank[digits] != '\0')
		return PATHS_NONE;
	process = strtoul(rank, NULL, 10);
	return process < run->map->process_count ? (uint32_t)process :
						   PATHS_NONE;
}

void
run_talk_lost(struct run *run, struct run_agent *agent, const char *why)
{
	const struct paths_map *map = run->map;

	run->failed++;
	run_fail("%s: host %s: %s", agent->name,
	    map->hosts[map->processes[agent->process].host].name, why);
	run_ends_add(run,
	    &(struct run_end){ .name = agent->name, .how = "lost" });
}

/* Stores the ports of the endpoints of a process. */
static bool
talk_ports(struct run *run, const struct run_agent *agent,
    struct launch_get *get)
{
	uint64_t count = launch_get_number(get);

	for (uint32_t n = 0; n < run->socket_count; n++) {
		uint64_t port;

		if (run->sockets[n].process != agent->process)
			continue;
		port = launch_get_number(get);
		if (count-- == 0 || port == 0 || port > UINT16_MAX)
			return false;
		run->sockets[n].port = (uint16_t)port;
	}
	return count == 0;
}

static bool
talk_ready(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	const char *folder = launch_get_text(get);
	const uint64_t owner = launch_get_number(get);
	const uint64_t sees = launch_get_number(get);

	if (agent->state != RUN_STATE_GREETED || owner > 1 || sees > 1 ||
	    folder[0] != '/' || !talk_ports(run, agent, get) ||
	    !launch_get_ends(get))
		return false;
	agent->folder = strdup(folder);
	agent->owner = owner == 1;
	agent->sees = sees == 1;
	agent->state = RUN_STATE_READY;
	return agent->folder != NULL;
}

static bool
talk_server(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	const uint64_t port = launch_get_number(get);
	const char *why = launch_get_text(get);

	(void)run;
	if (agent->state != RUN_STATE_STARTED || !launch_get_ends(get) ||
	    port > UINT16_MAX || agent->has_server)
		return false;
	agent->has_server = true;
	agent->server_port = (uint16_t)port;
	for (size_t n = 0; n < sizeof(agent->server_why) - 1; n++) {
		if (why[n] == '\0')
			break;
		agent->server_why[n] = why[n] == '\n' ? ' ' : why[n];
	}
	return true;
}

static bool
talk_started(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	(void)run;
	agent->runs = true;
	return agent->state == RUN_STATE_STARTED && launch_get_ends(get);
}

static bool
talk_output(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	(void)run;
	run_lines_add(&agent->lines[0], get->at, get->left);
	return agent->state >= RUN_STATE_STARTED;
}

static bool
talk_errors(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	(void)run;
	run_lines_add(&agent->lines[1], get->at, get->left);
	return agent->state >= RUN_STATE_STARTED;
}

static bool
talk_exited(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	const uint64_t signalled = launch_get_number(get);
	const uint64_t number = launch_get_number(get);

	if (agent->state != RUN_STATE_STARTED || !launch_get_ends(get) ||
	    signalled > 1 || number > UINT8_MAX)
		return false;
	agent->state = RUN_STATE_EXITED;
	run_lines_end(&agent->lines[0]);
	run_lines_end(&agent->lines[1]);
	run_ends_add(run,
	    &(struct run_end){ .name = agent->name,
		.how = signalled == 1 ? "signal" : "status",
		.number = (unsigned)number });
	if (signalled == 0 && number == 0)
		return true;
	run->failed++;
	run_fail(signalled == 1 ? "%s: killed by signal %u" :
				  "%s: exit status %u",
	    agent->name, (unsigned)number);
	return true;
}

static bool
talk_file(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	return agent->state == RUN_STATE_COLLECTING &&
	    run_receive_file(run, agent, get);
}

static bool
talk_data(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	(void)run;
	return agent->state == RUN_STATE_COLLECTING &&
	    run_receive_data(agent, get);
}

static bool
talk_file_end(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	return agent->state == RUN_STATE_COLLECTING &&
	    run_receive_end(run, agent, get);
}

static bool
talk_collected(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	(void)run;
	if (agent->state != RUN_STATE_COLLECTING || !launch_get_ends(get) ||
	    agent->receive.begun)
		return false;
	agent->state = RUN_STATE_COLLECTED;
	return true;
}

static bool
talk_failed(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	const char *why = launch_get_text(get);

	if (!launch_get_ends(get))
		return false;
	if (agent->state == RUN_STATE_DISMISSED)
		return true;
	run_talk_lost(run, agent, why);
	/* Others on the host may use the directory of this agent. */
	agent->state = agent->state == RUN_STATE_STARTED ? RUN_STATE_EXITED :
							   RUN_STATE_LOST;
	return true;
}

static bool
talk_beat(struct run *run, struct run_agent *agent, struct launch_get *get)
{
	(void)run;
	(void)agent;
	return launch_get_ends(get);
}

bool
run_talk_take(struct run *run, struct run_agent *agent,
    struct launch_frame *frame)
{
	typedef bool taker(struct run * run, struct run_agent * agent,
	    struct launch_get * get);
	static taker *const takers[LAUNCH_KINDS] = {
		[LAUNCH_BEAT] = talk_beat,
		[LAUNCH_READY] = talk_ready,
		[LAUNCH_SERVER] = talk_server,
		[LAUNCH_STARTED] = talk_started,
		[LAUNCH_OUTPUT] = talk_output,
		[LAUNCH_ERRORS] = talk_errors,
		[LAUNCH_EXITED] = talk_exited,
		[LAUNCH_FILE] = talk_file,
		[LAUNCH_DATA] = talk_data,
		[LAUNCH_FILE_END] = talk_file_end,
		[LAUNCH_COLLECTED] = talk_collected,
		[LAUNCH_FAILED] = talk_failed,
	};

	return takers[frame->kind] != NULL &&
	    takers[frame->kind](run, agent, &frame->content);
}
