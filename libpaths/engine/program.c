/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/program.c - one process of a path map
 *
 * Opened in this order, so that nothing is used before it is there: stages of
 * this process, the tuple server (it takes up hops, but carries out nothing),
 * the connections outward, then operations may come in.
 */

#include "libpaths/program.h"

#include "libpaths/engine/path_private.h"
#include "libpaths/engine/program_private.h"
#include "libpaths/log.h"
#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/server_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- what stands where --------------------------------------------------- */

int
paths__program_place(const struct paths_program *program, uint32_t item,
    char *text, size_t bytes)
{
	const struct paths_map *map = program->map;
	const struct paths_map_process *p = &map->processes[program->process];
	int n = snprintf(text, bytes,
	    "host %s process %s stage %s: ", map->hosts[p->host].name, p->name,
	    map->instances[map->items[item].instance].name);

	return n < (int)bytes ? n : (int)bytes - 1;
}

void *
paths__program_port(const struct paths_program *program, uint32_t item)
{
	const struct paths_map_item *it = &program->map->items[item];
	void *state = program->instances[it->instance].state;

	return it->ops->port ? it->ops->port(state, it->input) : state;
}

bool
paths__program_served(const struct paths_program *program, uint32_t item)
{
	const struct paths_map *map = program->map;
	const struct paths_map_item *it = &map->items[item];
	const struct paths_map_chain *chain = &map->chains[it->chain];

	/* From another process, or behind a stage that such operations pass,
	   or that sends its own. */
	if (it->process != chain->process)
		return true;
	return chain->path == PATHS_NONE &&
	    (program->instances[chain->stage].served ||
		(map->instances[chain->stage].ops->flags &
		    (PATHS_STAGE_BEHIND | PATHS_STAGE_SIDE)));
}

/* Find the stages that operations without a thread pass: those of other
   processes first, then tail after tail until nothing changes. */
static void
program_find_served(struct paths_program *program)
{
	const struct paths_map *map = program->map;
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < map->item_count; i++) {
			struct paths__instance *in =
			    &program->instances[map->items[i].instance];

			if (!in->served && paths__program_served(program, i))
				in->served = changed = true;
		}
	}
}

/* --- stages -------------------------------------------------------------- */

static bool
program_is_proxy(const struct paths_map *map, uint32_t instance)
{
	uint32_t item = map->instances[instance].item;

	return item != PATHS_NONE && map->items[item].target != PATHS_NONE;
}

static paths_status
program_create_stages(struct paths_program *program)
{
	const struct paths_map *map = program->map;

	for (uint32_t i = 0; i < map->instance_count; i++) {
		const struct paths_map_instance *in = &map->instances[i];

		if (in->process != program->process)
			continue;
		program->instances[i].state =
		    calloc(1, in->ops->size ? in->ops->size : 1);
		if (!program->instances[i].state)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for stage %s", in->name);
	}
	return PATHS_OK;
}

static paths_status
program_open_stage(struct paths_program *program, uint32_t instance)
{
	const struct paths_map *map = program->map;
	const struct paths_map_instance *in = &map->instances[instance];
	struct paths_stage_env env = {
		.program = program,
		.instance = instance,
		.inputs = in->inputs,
		.served = program->instances[instance].served,
	};
	paths_status st;

	if (!in->ops->open || in->item == PATHS_NONE)
		return PATHS_OK;
	env.item = &map->items[in->item];
	env.above = env.item->above;
	env.below = env.item->below;
	st = in->ops->open(program->instances[instance].state, &env);
	if (st != PATHS_OK)
		return paths_log_fail(st, "stage %s: %s", in->name,
		    paths_log_last());
	return PATHS_OK;
}

static paths_status
program_open_stages(struct paths_program *program, bool proxies)
{
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; i < program->map->instance_count; i++) {
		if (!program->instances[i].state ||
		    program_is_proxy(program->map, i) != proxies)
			continue;
		st = program_open_stage(program, i);
		if (st != PATHS_OK)
			break;
	}
	return st;
}

static void
program_close_stages(struct paths_program *program)
{
	for (uint32_t i = program->map->instance_count; i-- > 0;) {
		void *state = program->instances[i].state;

		if (state && program->map->instances[i].ops->close)
			program->map->instances[i].ops->close(state);
		free(state);
	}
}

/* --- the environment ----------------------------------------------------- */

static paths_status
program_read_secret(struct paths_program *program)
{
	const char *file = getenv("PATHS_SECRET_FILE");
	ssize_t n;
	int fd;

	if (!file)
		return PATHS_OK;
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return paths_log_fail(PATHS_EAUTH, "secret %s: %s", file,
		    strerror(errno));
	n = read(fd, program->secret, sizeof(program->secret));
	close(fd);
	if (n != (ssize_t)sizeof(program->secret))
		return paths_log_fail(PATHS_EAUTH,
		    "secret %s: it is not %zu bytes long", file,
		    sizeof(program->secret));
	program->has_secret = true;
	return PATHS_OK;
}

static paths_status
program_find_process(struct paths_program *program, const char *name)
{
	const struct paths_map *map = program->map;

	if (!name)
		name = getenv("PATHS_PROCESS");
	if (!name && map->process_count == 1)
		name = map->processes[0].name;
	if (!name)
		return paths_log_fail(PATHS_EINVAL,
		    "which process of %s is this? (PATHS_PROCESS)", map->file);
	program->process = paths_map_find_process(map, name);
	if (program->process == PATHS_NONE)
		return paths_log_fail(PATHS_ENOENT, "%s has no process %s",
		    map->file, name);
	return PATHS_OK;
}

static paths_status
program_read_map(struct paths_program *program, const char *file,
    const char *process)
{
	const struct paths_map *map;
	paths_status st;

	if (!file)
		file = getenv("PATHS_MAP");
	if (!file)
		return paths_log_fail(PATHS_EINVAL,
		    "no path map was named (PATHS_MAP)");
	st = paths_map_load(file, &program->map);
	if (st == PATHS_OK)
		st = program_find_process(program, process);
	if (st != PATHS_OK)
		return st;
	map = program->map;
	program->frame_max = PATHS_OP_WHY_BYTES;
	for (uint32_t i = 0; i < map->item_count; i++)
		if (map->items[i].above.bytes > program->frame_max)
			program->frame_max = map->items[i].above.bytes;
	program->frame_max += sizeof(struct paths__frame);
	return PATHS_OK;
}

/* A server has a descriptor for each thread that comes in. */
static void
program_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* --- threads ------------------------------------------------------------- */

static paths_status
program_open_path(struct paths_program *program, uint32_t number)
{
	const struct paths_map *map = program->map;
	const struct paths_map_path *mp = &map->paths[number];
	struct paths_thread *t = &program->threads[mp->thread];
	uint32_t first = map->chains[mp->chain].first;
	struct paths_path *path;
	paths_status st = paths__path_create(program, first, &path);

	if (st != PATHS_OK)
		return st;
	path->path = number;
	path->use = mp->use;
	path->thread = t;
	t->paths[t->path_count++] = path;
	return PATHS_OK;
}

static paths_status
program_open_threads(struct paths_program *program)
{
	const struct paths_map *map = program->map;
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; i < map->path_count; i++)
		program->threads[map->paths[i].thread].path_count++;
	for (uint32_t i = 0; i < map->thread_count; i++) {
		struct paths_thread *t = &program->threads[i];

		t->program = program;
		t->thread = i;
		t->paths =
		    calloc(t->path_count + 1, sizeof(struct paths_path *));
		t->opened = calloc(t->path_count + 1, sizeof(*t->opened));
		if (!t->paths || !t->opened)
			st = paths_log_fail(PATHS_ENOMEM,
			    "no memory for thread %s", map->threads[i].name);
		t->path_count = 0;
	}
	for (uint32_t i = 0; i < map->path_count && st == PATHS_OK; i++)
		if (map->threads[map->paths[i].thread].process ==
		    program->process)
			st = program_open_path(program, i);
	return st;
}

static void
program_end_threads(struct paths_program *program)
{
	for (uint32_t i = 0; i < program->map->thread_count; i++)
		for (uint32_t k = 0; k < program->threads[i].path_count; k++)
			paths__path_end(program->threads[i].paths[k]);
}

static void
program_free_threads(struct paths_program *program)
{
	for (uint32_t i = 0; i < program->map->thread_count; i++) {
		struct paths_thread *t = &program->threads[i];

		for (uint32_t k = 0; k < t->path_count; k++)
			paths__path_destroy(t->paths[k]);
		free(t->paths);
		free(t->opened);
	}
}

paths_status
paths_thread_open(struct paths_program *program, const char *name,
    struct paths_thread **thread)
{
	const struct paths_map *map = program->map;
	uint32_t i = paths_map_find_thread(map, name);

	if (i == PATHS_NONE || map->threads[i].process != program->process)
		return paths_log_fail(PATHS_ENOENT,
		    "process %s has no thread %s",
		    map->processes[program->process].name, name);
	if (atomic_exchange(&program->threads[i].open, true))
		return paths_log_fail(PATHS_EBUSY, "thread %s is open", name);
	if (map->threads[i].core >= 0 &&
	    paths__place_bind((uint32_t)map->threads[i].core) != PATHS_OK)
		paths_log_warn("thread %s: %s", name, paths_log_last());
	*thread = &program->threads[i];
	return PATHS_OK;
}

void
paths_thread_close(struct paths_thread *thread)
{
	if (!thread)
		return;
	for (uint32_t i = 0; i < thread->path_count; i++)
		paths__path_end(thread->paths[i]);
}

void
paths_thread_step(struct paths_thread *thread, uint32_t step)
{
	thread->step = step;
}

/* --- open and close ------------------------------------------------------ */

static bool
program_is_served(const struct paths_program *program)
{
	const struct paths_map *map = program->map;

	for (uint32_t i = 0; i < map->item_count; i++)
		if (map->items[i].process == program->process &&
		    paths__program_served(program, i))
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

static paths_status
program_create(struct paths_program *program)
{
	const struct paths_map *map = program->map;
	const char *run = getenv("PATHS_RUN");

	program->instances =
	    calloc(map->instance_count + 1, sizeof(*program->instances));
	program->threads =
	    calloc(map->thread_count + 1, sizeof(*program->threads));
	program->proxies =
	    calloc(map->item_count + 1, sizeof(struct paths__proxy *));
	program->run = run && *run ? strdup(run) : NULL;
	if (!program->instances || !program->threads || !program->proxies ||
	    (run && *run && !program->run))
		return paths_log_fail(PATHS_ENOMEM, "no memory for %s",
		    map->file);
	for (uint32_t i = 0; i < map->thread_count; i++)
		if (map->threads[i].process == program->process)
			program->has_threads = true;
	program_find_served(program);
	if (program_needs_secret(program) && !program->has_secret)
		return paths_log_fail(PATHS_EAUTH,
		    "no secret to meet other processes with: start with "
		    "eventspace run, or set PATHS_SECRET_FILE");
	return PATHS_OK;
}

static paths_status
program_start_server(struct paths_program *program)
{
	paths_status st;

	if (!program_is_served(program))
		return PATHS_OK;
	st = paths__loop_open(&program->loop);
	if (st == PATHS_OK)
		st = program_open_stages(program, false);
	if (st == PATHS_OK)
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
		st = program_create_stages(program);
	if (st == PATHS_OK)
		st = program_start_server(program);
	if (st == PATHS_OK && !program->loop)
		st = program_open_stages(program, false);
	if (st == PATHS_OK)
		st = program_open_stages(program, true);
	if (st == PATHS_OK)
		st = program_open_threads(program);
	if (st != PATHS_OK)
		return st;
	paths__client_start(program);
	if (program->server)
		paths__server_ready(program->server);
	paths__place_save(program);
	return PATHS_OK;
}

paths_status
paths_program_open(const char *map, const char *process,
    struct paths_program **program)
{
	struct paths_program *p = calloc(1, sizeof(*p));
	paths_status st;

	if (!p)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a program");
	st = paths__handshake_init();
	if (st == PATHS_OK)
		st = program_read_map(p, map, process);
	if (st == PATHS_OK)
		st = program_read_secret(p);
	if (st == PATHS_OK) {
		program_raise_limit();
		st = program_start(p);
	}
	if (st != PATHS_OK) {
		if (p->server)
			paths__server_stop(p->server);
		paths_program_close(p);
		return st;
	}
	*program = p;
	return PATHS_OK;
}

void
paths_program_close(struct paths_program *program)
{
	if (!program)
		return;
	if (program->map && program->threads)
		program_end_threads(program);
	if (program->server)
		paths__server_linger(program->server);
	paths__inner_linger(program);
	paths__loop_stop(program->loop);
	paths__client_close_all(program);
	if (program->instances)
		program_close_stages(program);
	paths__server_close(program->server);
	paths__loop_close(program->loop);
	if (program->threads)
		program_free_threads(program);
	paths__handshake_forget(program);
	free(program->instances);
	free(program->threads);
	free(program->proxies);
	free(program->run);
	paths_map_close(program->map);
	free(program);
}

void
paths_program_stop(struct paths_program *program)
{
	if (program->server)
		paths__server_stop(program->server);
}

const struct paths_map *
paths_program_map(const struct paths_program *program)
{
	return program->map;
}

uint32_t
paths_program_process(const struct paths_program *program)
{
	return program->process;
}

const char *
paths_program_run(const struct paths_program *program)
{
	return program->run;
}
