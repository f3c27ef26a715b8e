/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/program.c - opens and closes one process of a path map
 *
 * The parts of a process are opened in this order, so that each part finds the
 * parts that it uses: its stages, its tuple server (which accepts connections
 * but runs no operation yet), and its connections to other processes.  Then the
 * server runs operations.
 */

#include "libpaths/program.h"

#include "libpaths/base/lines.h"
#include "libpaths/clock.h"
#include "libpaths/engine/place_private.h"
#include "libpaths/engine/program_private.h"
#include "libpaths/engine/wait_private.h"
#include "libpaths/inner.h"
#include "libpaths/log.h"
#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/server_private.h"
#include "libpaths/net/silence_private.h"
#include "libpaths/program/environment_private.h"
#include "libpaths/program/instance_private.h"
#include "libpaths/program/list_private.h"
#include "libpaths/program/thread_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Raises the limit of open files: a server has a descriptor for each thread
   that connects to it. */
static void
program_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static bool
program_is_served(const struct paths_program *program)
{
	const struct paths_map *map = program->map;

	for (uint32_t i = 0; i < map->item_count; i++)
		if (map->items[i].process == program->process &&
		    paths__program_item_served(program, i))
			return true;
	return false;
}

static bool
program_needs_secret(const struct paths_program *program)
{
	const struct paths_map *map = program->map;

	for (uint32_t i = 0; i < map->item_count; i++)
		if (map->items[i].target != PATHS_NONE &&
		    (map->items[i].target == program->process ||
			map->items[i].process == program->process))
			return true;
	return false;
}

/* Sets the length of the longest frame; connections refuse longer ones. */
static void
program_measure_frames(struct paths_program *program)
{
	const struct paths_map *map = program->map;

	program->frame_max = PATHS_OP_WHY_BYTES;
	for (uint32_t i = 0; i < map->item_count; i++)
		if (map->items[i].above.bytes > program->frame_max)
			program->frame_max = map->items[i].above.bytes;
	program->frame_max += sizeof(struct paths__frame);
}

static paths_status
program_create(struct paths_program *program)
{
	const struct paths_map *map = program->map;
	paths_status st;

	program->instances =
	    calloc(map->instance_count + 1, sizeof(*program->instances));
	program->threads = paths__lines_zero(map->thread_count + (size_t)1,
	    sizeof(*program->threads));
	program->paths =
	    calloc(map->path_count + (size_t)1, sizeof(struct paths_path *));
	program->proxies =
	    calloc(map->item_count + 1, sizeof(struct paths__proxy *));
	if (!program->instances || !program->threads || !program->paths ||
	    !program->proxies)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %s",
		    map->file);
	st = paths__thread_create_all(program);
	if (st == PATHS_OK)
		st = paths__instance_create_all(program);
	if (st == PATHS_OK && program_needs_secret(program) &&
	    !program->has_secret)
		st = paths_log_fail(PATHS_EAUTH,
		    "no secret to meet other processes with: start with "
		    "eventspace run, or set PATHS_SECRET_FILE");
	return st;
}

static bool
program_sends_beats(const struct paths_program *program)
{
	return program->map->silence_ns != 0 && program_needs_secret(program);
}

/* Opens the stages but proxies, and the loop and the server if the process
   needs them. */
static paths_status
program_start_server(struct paths_program *program)
{
	bool served = program_is_served(program);
	paths_status st;

	if (!served && !program_sends_beats(program))
		return paths__instance_open_all(program, false);
	st = paths__loop_open(&program->loop);
	if (st == PATHS_OK)
		st = paths__instance_open_all(program, false);
	if (st != PATHS_OK)
		return st;
	paths__loop_pace(program->loop, paths__silence_step_ms(program->map));
	if (served)
		st = paths__server_open(program, &program->server);
	if (st == PATHS_OK)
		st = paths__loop_start(program->loop);
	return st;
}

static paths_status
program_start(struct paths_program *program)
{
	paths_status st = program_create(program);

	if (st == PATHS_OK)
		st = program_start_server(program);
	if (st == PATHS_OK)
		st = paths__instance_open_all(program, true);
	if (st == PATHS_OK)
		st = paths__client_opened(program);
	if (st == PATHS_OK)
		st = paths__thread_build_paths(program);
	if (st != PATHS_OK)
		return st;
	paths__client_start(program);
	if (program->server)
		paths__server_ready(program->server);
	paths__place_save(program);
	return PATHS_OK;
}

static const struct paths__net_ops program_net = {
	.at = paths__loop_at,
	.at_cancel = paths__loop_at_cancel,
	.flush = paths__client_flush,
};

static paths_status
program_open(struct paths_program *program, const char *map,
    const char *process)
{
	paths_status st = paths__handshake_init();

	if (st == PATHS_OK)
		st = paths__environment_read(program, map, process);
	if (st == PATHS_OK)
		st = paths__list_add(program);
	if (st != PATHS_OK)
		return st;
	program_measure_frames(program);
	program_raise_limit();
	st = program_start(program);
	if (st == PATHS_OK) {
		paths__list_complete(program);
		/* Release: as PATHS_INNER_ENDING. */
		atomic_store_explicit(&program->phase, PATHS_INNER_OPEN,
		    memory_order_release);
		return PATHS_OK;
	}
	(void)paths__list_remove(program);
	if (program->server)
		paths__server_stop(program->server);
	return st;
}

static void
program_destroy(struct paths_program *program)
{
	paths__thread_end_all(program);
	paths_program_serve(program);
	paths__loop_stop(program->loop);
	paths__client_close_all(program);
	paths__instance_close_all(program);
	paths__server_close(program->server);
	paths__loop_close(program->loop);
	paths__thread_destroy_all(program);
	paths__handshake_forget(program);
	free(program->instances);
	free(program->threads);
	free(program->paths);
	free(program->proxies);
	free(program->run);
	paths_map_close(program->map);
	free(program);
}

paths_status
paths_program_open(const char *map, const char *process,
    struct paths_program **program)
{
	struct paths_program *p = calloc(1, sizeof(*p));
	paths_status st;
	int before;

	if (!p)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a program");
	p->net = &program_net;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	st = program_open(p, map, process);
	if (st == PATHS_OK)
		*program = p;
	else
		program_destroy(p);
	pthread_setcancelstate(before, NULL);
	return st;
}

/* Tells threads of stages that no operation comes from above any more. */
static void
program_end_phase(struct paths_program *program)
{
	/* Relaxed: written by this thread. */
	const bool opened = atomic_load_explicit(&program->phase,
				memory_order_relaxed) != PATHS_INNER_OPENING;

	/* Release: pairs with the acquire in paths_inner_phase. */
	atomic_store_explicit(&program->phase,
	    opened ? PATHS_INNER_ENDING : PATHS_INNER_FAILED,
	    memory_order_release);
}

void
paths_program_serve(struct paths_program *program)
{
	uint32_t draining;

	if (program->forked)
		return;
	if (program->server)
		paths__server_linger(program->server);
	program_end_phase(program);
	for (;;) {
		/* Acquire: pairs with the release in paths_inner_end. */
		draining = atomic_load_explicit(&program->draining,
		    memory_order_acquire);
		if (draining == 0 || paths__server_is_stopped(program->server))
			return;
		paths__wait_futex(&program->draining, draining,
		    paths_clock_ticks() + paths_clock_hz());
	}
}

void
paths_program_close(struct paths_program *program)
{
	int before;

	if (!program)
		return;
	if (!paths__list_has(program)) {
		paths_log_warn("a program is closed that is not open");
		return;
	}
	if (program->forked || paths__thread_is_inside(program) ||
	    !paths__list_remove(program))
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	program_destroy(program);
	pthread_setcancelstate(before, NULL);
}

void
paths_program_stop(struct paths_program *program)
{
	if (program->server)
		paths__server_stop(program->server);
}
