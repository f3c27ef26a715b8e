/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/launch_fuzz.c - frames of agents and of launchers are taken or
 * refused, whatever their bytes are
 *
 * The first byte chooses the side that reads.  For the launcher, the second
 * byte is the state of the agent.  The rest are frames, before which an agent
 * sends its magic.
 */

#include "libpaths/launch/setup_private.h"
#include "libpaths/run/fail_private.h"
#include "libpaths/run/lines_private.h"
#include "libpaths/run/receive_private.h"
#include "libpaths/run/talk_private.h"

#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct paths_map *map;
static struct run_dir dir;

/* Replaces libpaths/run/fail.c: messages are not printed. */
bool
run_fail(const char *fmt, ...)
{
	char text[4096];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return false;
}

static void
fuzz_leave(void)
{
	rmdir(dir.name);
	paths_map_close(map);
}

static void
fuzz_enter(void)
{
	static const char text[] =
	    "pathmap 1\nhost h\nhost g\nprocess p0 -host h\n"
	    "process p1 -host g -listen {tcp:0 tcp:127.0.0.1:0}\n";
	const char *tmp = getenv("TMPDIR");

	if (map != NULL)
		return;
	MUST(paths_map_parse(text, sizeof(text) - 1, "map", &map) == PATHS_OK);
	snprintf(dir.name, sizeof(dir.name), "%s/launch_fuzz.XXXXXX",
	    tmp == NULL ? "/tmp" : tmp);
	MUST(mkdtemp(dir.name) != NULL);
	atexit(fuzz_leave);
}

/* A file is written into the directory only. */
static void
fuzz_remove(const struct run_agent *agent)
{
	char file[PATH_MAX + NAME_MAX + 2];

	if (agent->receive.name[0] == '\0')
		return;
	MUST(strchr(agent->receive.name, '/') == NULL);
	MUST(strcmp(agent->receive.name, "..") != 0);
	snprintf(file, sizeof(file), "%s/%s", dir.name, agent->receive.name);
	unlink(file);
}

/* Takes the next frame.  Returns false when the agent is given up. */
static bool
fuzz_take(struct run *run, struct run_agent *agent, struct launch_frame *frame)
{
	char name[NAME_MAX + 1];
	uint32_t process;
	bool taken;

	memcpy(name, agent->receive.name, sizeof(name));
	if (agent->state == RUN_STATE_AWAITED) {
		process = run_talk_hello(run, frame);
		MUST(process == PATHS_NONE || process < map->process_count);
		agent->state = RUN_STATE_GREETED;
		return process == agent->process;
	}
	taken = run_talk_take(run, agent, frame);
	if (strcmp(name, agent->receive.name) != 0) {
		struct run_agent before = *agent;

		memcpy(before.receive.name, name, sizeof(name));
		fuzz_remove(&before);
	}
	return taken;
}

static void
fuzz_launcher(const uint8_t *data, size_t size)
{
	struct run_socket sockets[] = { { 1, 0, -1, 0 }, { 1, 1, -1, 0 } };
	struct run run = { .map = map,
		.dir = &dir,
		.sockets = sockets,
		.socket_count = 2 };
	struct run_agent agent = { .name = "p1", .process = 1 };
	struct launch_frame frame;

	agent.state = (enum run_state)(data[0] % (RUN_STATE_LOST + 1));
	agent.channel.in = agent.channel.out = -1;
	agent.channel.quiet = agent.state == RUN_STATE_AWAITED;
	for (int n = 0; n < 2; n++) {
		agent.lines[n].label = "p1";
		agent.lines[n].to = &run.outputs[n];
	}
	launch_put_bytes(&agent.channel.input, data + 1, size - 1);
	while (launch_channel_next(&agent.channel, &frame) &&
	    fuzz_take(&run, &agent, &frame))
		MUST(agent.state <= RUN_STATE_LOST);
	for (int n = 0; n < 2; n++) {
		run_lines_end(&agent.lines[n]);
		launch_bytes_fini(&run.outputs[n].queue);
		MUST(sockets[n].port != 0 || agent.folder == NULL);
	}
	fuzz_remove(&agent);
	run_receive_stop(&agent);
	launch_channel_close(&agent.channel);
	free(agent.folder);
}

static bool
fuzz_set_up(struct launch_setup *setup, struct launch_frame *frame)
{
	if (frame->kind == LAUNCH_SETUP)
		return launch_setup_take(setup, &frame->content);
	if (frame->kind == LAUNCH_WORD)
		return launch_setup_take_word(setup, &frame->content);
	return frame->kind == LAUNCH_ENDPOINT &&
	    launch_setup_take_endpoint(setup, &frame->content);
}

static void
fuzz_agent(const uint8_t *data, size_t size)
{
	struct launch_channel c = { .in = -1, .out = -1 };
	struct launch_setup setup = { .process = NULL };
	struct launch_frame frame;
	bool taken = true;

	launch_put_bytes(&c.input, data, size);
	while (taken && launch_channel_next(&c, &frame))
		taken = fuzz_set_up(&setup, &frame);
	if (taken && launch_setup_is_whole(&setup)) {
		MUST(strchr(setup.process, '/') == NULL);
		MUST(strlen(setup.id) == LAUNCH_ID_BYTES - 1);
		MUST(setup.words[setup.word_count] == NULL);
	}
	launch_setup_fini(&setup);
	launch_channel_close(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_enter();
	if (size < 2)
		return 0;
	if (data[0] % 2 == 0)
		fuzz_launcher(data + 1, size - 1);
	else
		fuzz_agent(data + 1, size - 1);
	return 0;
}
