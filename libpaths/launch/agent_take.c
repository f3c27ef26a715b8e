/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent_take.c - takes the frames of the launcher
 */

#include "libpaths/launch/agent_take_private.h"

#include "libpaths/launch/agent_start_private.h"
#include "libpaths/net/gone_private.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Bytes of a map, at most, as for its files. */
#define TAKE_MAP_MAX ((size_t)256 * 1024 * 1024)

typedef bool agent_taker(struct agent *agent, struct launch_get *get);

static bool
take_setup(struct agent *agent, struct launch_get *get)
{
	if (!launch_setup_take(&agent->setup, get))
		return false;
	agent->channel.silence_ns = agent->setup.silence_ns;
	return true;
}

static bool
take_variable(struct agent *agent, struct launch_get *get)
{
	return !agent->opened &&
	    (agent->serves || launch_setup_take_variable(get));
}

static bool
take_word(struct agent *agent, struct launch_get *get)
{
	return !agent->opened && launch_setup_take_word(&agent->setup, get);
}

static bool
take_endpoint(struct agent *agent, struct launch_get *get)
{
	return !agent->opened && launch_setup_take_endpoint(&agent->setup, get);
}

/* Opens the sockets.  Returns false with the reason in why. */
static bool
take_listen(struct agent *agent, char why[LAUNCH_WHY_BYTES])
{
	const struct launch_setup *setup = &agent->setup;
	char reason[LAUNCH_WHY_BYTES / 2];

	for (size_t n = 0; n < setup->endpoint_count; n++) {
		const int fd = launch_socket_listen(setup->endpoints[n],
		    &setup->ports, &agent->ports[n], reason, sizeof(reason));

		if (fd < 0) {
			snprintf(why, LAUNCH_WHY_BYTES, "address %.100s: %s",
			    setup->endpoints[n], reason);
			return false;
		}
		agent->sockets[agent->socket_count++] = fd;
	}
	return true;
}

static void
take_ready(struct agent *agent)
{
	const struct launch_folder *folder = &agent->shared->folder;
	struct launch_bytes content = { .memory = NULL };

	launch_put_text(&content, folder->own);
	launch_put_number(&content, folder->owner);
	launch_put_number(&content, folder->sees);
	launch_put_number(&content, agent->socket_count);
	for (size_t n = 0; n < agent->socket_count; n++)
		launch_put_number(&content, agent->ports[n]);
	launch_channel_send_bytes(&agent->channel, LAUNCH_READY, &content);
}

static bool
take_open(struct agent *agent, struct launch_get *get)
{
	char why[LAUNCH_WHY_BYTES];

	if (agent->opened || !launch_get_ends(get) ||
	    !launch_setup_is_whole(&agent->setup))
		return false;
	agent->opened = true;
	if (launch_folder_make(&agent->shared->folder, &agent->setup, why) &&
	    take_listen(agent, why))
		take_ready(agent);
	else
		launch_channel_send_text(&agent->channel, LAUNCH_FAILED, why);
	return true;
}

static bool
take_map(struct agent *agent, struct launch_get *get)
{
	if (!agent->opened || agent->started ||
	    launch_bytes_count(&agent->map) + get->left > TAKE_MAP_MAX)
		return false;
	launch_put_bytes(&agent->map, get->at, get->left);
	return !agent->map.lost;
}

static bool
take_start(struct agent *agent, struct launch_get *get)
{
	const char *address = launch_get_text(get);

	if (!agent->opened || agent->started || !launch_get_ends(get))
		return false;
	agent->started = true;
	agent_start(agent, address);
	return true;
}

static bool
take_signal(struct agent *agent, struct launch_get *get)
{
	const uint64_t signal = launch_get_number(get);

	if (!launch_get_ends(get) ||
	    (signal != SIGINT && signal != SIGTERM && signal != SIGHUP &&
		signal != SIGKILL))
		return false;
	if (agent->child > 0)
		kill(-agent->child, (int)signal);
	return true;
}

/* Passes on the end of another program: those of this host may wait for it. */
static bool
take_ended(struct agent *agent, struct launch_get *get)
{
	const struct launch_folder *folder = &agent->shared->folder;
	const char *line = launch_get_text(get);

	if (!agent->started || !launch_get_ends(get))
		return false;
	if (folder->owner && !folder->sees)
		launch_folder_add(folder, PATHS__ENDS_FILE, line);
	return true;
}

static bool
take_collect(struct agent *agent, struct launch_get *get)
{
	char why[LAUNCH_WHY_BYTES];

	if (!agent->opened || agent->child > 0 || agent->collect.dir != NULL ||
	    !launch_get_ends(get))
		return false;
	if (!launch_collect_begin(&agent->collect, &agent->shared->folder, why))
		launch_channel_send_text(&agent->channel, LAUNCH_FAILED, why);
	return true;
}

/* The number of END is 1 when the directory is to be removed. */
static bool
take_end(struct agent *agent, struct launch_get *get)
{
	const struct launch_folder *folder = &agent->shared->folder;
	const uint64_t remove = launch_get_number(get);

	if (!launch_get_ends(get) || agent->child > 0)
		return false;
	if (atomic_load(&folder->made) && folder->owner &&
	    (remove != 1 || !launch_folder_remove(folder)))
		launch_folder_clean(folder);
	atomic_store(&agent->shared->dismissed, true);
	agent->dismissed = true;
	return true;
}

static bool
take_beat(struct agent *agent, struct launch_get *get)
{
	(void)agent;
	return launch_get_ends(get);
}

bool
agent_take(struct agent *agent, struct launch_frame *frame)
{
	static agent_taker *const takers[LAUNCH_KINDS] = {
		[LAUNCH_BEAT] = take_beat,
		[LAUNCH_SETUP] = take_setup,
		[LAUNCH_VARIABLE] = take_variable,
		[LAUNCH_WORD] = take_word,
		[LAUNCH_ENDPOINT] = take_endpoint,
		[LAUNCH_OPEN] = take_open,
		[LAUNCH_MAP] = take_map,
		[LAUNCH_START] = take_start,
		[LAUNCH_SIGNAL] = take_signal,
		[LAUNCH_ENDED] = take_ended,
		[LAUNCH_COLLECT] = take_collect,
		[LAUNCH_END] = take_end,
	};

	return takers[frame->kind] != NULL &&
	    takers[frame->kind](agent, &frame->content);
}
