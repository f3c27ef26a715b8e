/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/path.c - builds paths from the map, and runs their operations
 */

#include "libpaths/path.h"

#include "libpaths/base/lines.h"
#include "libpaths/clock.h"
#include "libpaths/engine/carry_private.h"
#include "libpaths/engine/link_private.h"
#include "libpaths/engine/op_private.h"
#include "libpaths/engine/path_private.h"
#include "libpaths/engine/program_private.h"
#include "libpaths/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static bool
path_ends(const struct paths_program *program, uint32_t item)
{
	const struct paths_map_item *it = &program->map->items[item];

	/* A path ends at a proxy, which leads to another process, at a stage
	   that ends its chain, and at a buffer, which has an inner path. */
	return it->target != PATHS_NONE ||
	    (it->ops->flags & (PATHS_STAGE_END | PATHS_STAGE_BEHIND));
}

static uint32_t
path_length(const struct paths_program *program, uint32_t item)
{
	uint32_t n = 1;

	while (!path_ends(program, item)) {
		item = paths_map_next(program->map, item);
		n++;
	}
	return n;
}

/* Returns the element that the path from an item leads to, in this process or
   another. */
static uint32_t
path_element(const struct paths_map *map, uint32_t item)
{
	uint32_t next;

	while ((next = paths_map_next(map, item)) != PATHS_NONE)
		item = next;
	return map->instances[map->items[item].instance].element;
}

/* Allocates a path and its arrays for n links in one piece, because the same
   thread uses them all. */
static struct paths_path *
path_alloc(uint32_t n)
{
	struct paths_path *p = paths__lines_zero(1,
	    sizeof(*p) +
		n * (sizeof(*p->links) + sizeof(*p->ups) + sizeof(*p->slots)));

	if (!p)
		return NULL;
	p->links = (struct paths__link *)(p + 1);
	p->ups = (struct paths__up *)(p->links + n);
	p->slots = (uint64_t *)(p->ups + n);
	return p;
}

/* Returns true if tuples of any length can pass a path.  first: its first
   item. */
static bool
path_takes_any(const struct paths_map *map, uint32_t first)
{
	if (map->items[first].above.kind != PATHS_TYPE_NONE)
		return false;
	for (uint32_t i = first; i != PATHS_NONE; i = paths_map_next(map, i))
		if ((map->items[i].ops->flags & PATHS_STAGE_ANY_BYTES) == 0)
			return false;
	return true;
}

paths_status
paths__path_create(struct paths_program *program, uint32_t item,
    struct paths_path **path)
{
	uint32_t n = path_length(program, item);
	struct paths_path *p = path_alloc(n);

	if (!p)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a path");
	p->program = program;
	p->item = item;
	p->path = PATHS_NONE;
	p->type = program->map->items[item].above;
	p->any_bytes = path_takes_any(program->map, item);
	p->op.path = p;
	p->op.element = path_element(program->map, item);
	p->op.deadline = UINT64_MAX;
	for (uint32_t i = 0; i < n; i++) {
		paths__link_set(p, i, item);
		item = paths_map_next(program->map, item);
	}
	p->link_count = n;
	paths__link_init(p);
	*path = p;
	return PATHS_OK;
}

bool
paths__path_may_give(const struct paths_path *path)
{
	const struct paths_map *map = path->program->map;
	uint32_t last = path->link_count - 1;

	for (uint32_t i = 0; i < last; i++)
		if ((map->items[path->links[i].item].ops->flags &
			PATHS_STAGE_ANY_BYTES) == 0)
			return false;
	return map->instances[map->items[path->links[last].item].instance]
		   .element != PATHS_NONE;
}

void
paths__path_destroy(struct paths_path *path)
{
	free(path);
}

/* --- operations ---------------------------------------------------------- */

/* Marks the operation of the path as ended. */
static void
path_settle(struct paths_path *path)
{
	if (paths__path_state(path) != PATHS__PATH_STARTED)
		return;
	path->thread->started--;
	paths__path_set_state(path, PATHS__PATH_IDLE);
}

/* Waits until the operation of the path has ended.  Returns its status. */
static paths_status
path_finish(struct paths_path *path)
{
	if (path->parked)
		paths__carry_finish(path);
	path_settle(path);
	if (path->op.status == PATHS_OK)
		path->seq++;
	path->missed += path->op.missed;
	return path->op.status;
}

static bool
path_may(const struct paths_path *path, enum paths_kind kind)
{
	switch (path->use) {
	case PATHS_USE_READ:
		return kind == PATHS_READ || kind == PATHS_DELETE;
	case PATHS_USE_WRITE:
		return kind == PATHS_WRITE || kind == PATHS_DELETE;
	case PATHS_USE_EXCHANGE:
		return kind == PATHS_EXCHANGE || kind == PATHS_DELETE;
	default:
		return true;
	}
}

/* Refuses an operation because of the state of the path. */
static paths_status
path_refuse_state(struct paths_path *path)
{
	uint32_t state = paths__path_state(path);
	char why[PATHS_OP_WHY_BYTES] = "the path is closed";

	/* The operation that is under way may be that of another thread. */
	if (state == PATHS__PATH_STARTED)
		return paths_log_fail(PATHS_EBUSY,
		    "an operation is under way on this path");
	if (state == PATHS__PATH_FORKED)
		paths__program_fork_text(path->program, why, sizeof(why));
	paths__op_reset(&path->op);
	paths__op_fail_text(&path->op, PATHS_EINVAL, why);
	return paths_log_fail(PATHS_EINVAL, "%s", why);
}

/* Returns true if a path takes an operation with tuples of a length that is not
   the greatest of its type. */
static bool
path_takes(const struct paths_path *path, enum paths_kind kind, uint32_t bytes)
{
	bool fits = path->any_bytes ?
	    bytes <= PATHS_TYPE_BYTES_MAX :
	    kind != PATHS_READ && paths_type_fits(&path->type, bytes);

	return fits && paths__path_state(path) == PATHS__PATH_IDLE &&
	    path_may(path, kind);
}

/* Refuses a call on a path without an operation. */
static paths_status
path_refuse_idle(struct paths_path *path, const char *why)
{
	paths__op_reset(&path->op);
	paths__op_fail_text(&path->op, PATHS_EINVAL, why);
	return paths_log_fail(PATHS_EINVAL, "%s", why);
}

static paths_status
path_refuse(struct paths_path *path, enum paths_kind kind, uint32_t bytes)
{
	struct paths_op *op = &path->op;
	const char *what = kind == PATHS_READ ? "room for a" : "a";
	char type[48];

	if (paths__path_state(path) != PATHS__PATH_IDLE)
		return path_refuse_state(path);
	if (!path_may(path, kind))
		return path_refuse_idle(path,
		    "the map does not let this path do that (-use)");
	paths__op_reset(op);
	/* paths_op_fail names the stage at op->at: the first. */
	atomic_store_explicit(&op->at, path->links, memory_order_relaxed);
	if (path->type.kind == PATHS_TYPE_NONE)
		paths_op_fail(op, PATHS_EINVAL,
		    "%s tuple of %u bytes on a path without a type, which "
		    "-type of null tells",
		    what, bytes);
	else if (path->type.varies)
		paths_op_fail(op, PATHS_EINVAL,
		    "%s tuple of %u bytes on a path of %s", what, bytes,
		    paths_type_text(&path->type, type));
	else
		paths_op_fail(op, PATHS_EINVAL,
		    "%s tuple of %u bytes on a path of %u", what, bytes,
		    path->type.bytes);
	return paths_log_fail(op->status, "%s", op->why);
}

/* Sends the operation, whose tuple and deadline are set, down the path. */
static inline void
path_send(struct paths_path *path, enum paths_kind kind)
{
	struct paths_op *op = &path->op;

	op->kind = kind;
	op->seq = path->seq;
	op->step = path->thread->step;
	paths__path_set_state(path, PATHS__PATH_STARTED);
	path->thread->started++;
	paths__link_refresh(path);
	path->parked = !paths__op_down(path, path->first);
}

static paths_status
path_begin(struct paths_path *path, enum paths_kind kind, void *tuple,
    uint32_t bytes)
{
	struct paths_op *op = &path->op;

	if (__builtin_expect(paths__path_state(path) != PATHS__PATH_IDLE ||
		    bytes != path->type.bytes ||
		    (path->use != PATHS_USE_ANY && !path_may(path, kind)),
		0) &&
	    !path_takes(path, kind, bytes))
		return path_refuse(path, kind, bytes);
	paths__op_reset(op);
	op->tuple = tuple;
	op->bytes = bytes;
	op->deadline = path->deadline_ticks == 0 ?
	    UINT64_MAX :
	    paths_clock_ticks() + path->deadline_ticks;
	path_send(path, kind);
	return PATHS_OK;
}

paths_status
paths_path_start(struct paths_path *path, enum paths_kind kind, void *tuple,
    uint32_t bytes)
{
	if (kind < PATHS_WRITE || kind > PATHS_EXCHANGE)
		return paths__path_state(path) == PATHS__PATH_IDLE ?
		    path_refuse_idle(path,
			"a write, a read or an exchange can be started") :
		    path_refuse_state(path);
	return path_begin(path, kind, tuple, bytes);
}

/* Refuses to wait for a path on which no operation was started. */
static paths_status
path_refuse_wait(struct paths_path *path)
{
	switch (paths__path_state(path)) {
	case PATHS__PATH_STARTED:
		return PATHS_OK;
	case PATHS__PATH_IDLE:
		return path_refuse_idle(path,
		    "no operation was started on this path");
	default:
		return path_refuse_state(path);
	}
}

paths_status
paths_path_wait(struct paths_path *path)
{
	paths_status st = path_refuse_wait(path);

	return st == PATHS_OK ? path_finish(path) : st;
}

paths_status
paths_path_test(struct paths_path *path, bool *ended)
{
	paths_status st = path_refuse_wait(path);

	if (st != PATHS_OK)
		return st;
	if (path->parked)
		paths__carry_try(path);
	*ended = !path->parked;
	return PATHS_OK;
}

/* Refuses paths of several threads, and those without a started operation. */
static paths_status
path_refuse_any(struct paths_path *const *paths, uint32_t count)
{
	bool started = false;

	for (uint32_t n = 0; n < count; n++) {
		if (paths[n]->thread != paths[0]->thread)
			return paths_log_fail(PATHS_EINVAL,
			    "the paths are of several threads");
		if (paths__path_state(paths[n]) == PATHS__PATH_STARTED)
			started = true;
	}
	return started ? PATHS_OK :
			 paths_log_fail(PATHS_EINVAL,
			     "no operation was started on these paths");
}

paths_status
paths_path_wait_any(struct paths_path *const *paths, uint32_t count,
    uint32_t *which)
{
	paths_status st = path_refuse_any(paths, count);

	*which = count;
	if (st != PATHS_OK)
		return st;
	if (paths__carry_ended(paths, count) == count)
		paths__carry_any(paths, count);
	*which = paths__carry_ended(paths, count);
	return path_finish(paths[*which]);
}

paths_status
paths_path_wait_all(struct paths_path *const *paths, uint32_t count,
    paths_status *statuses)
{
	paths_status first = PATHS_OK;

	for (uint32_t n = 0; n < count; n++) {
		paths_status st = PATHS_OK;

		if (paths__path_state(paths[n]) != PATHS__PATH_IDLE)
			st = paths_path_wait(paths[n]);
		if (first == PATHS_OK)
			first = st;
		if (statuses)
			statuses[n] = st;
	}
	return first;
}

paths_status
paths_path_write(struct paths_path *path, const void *tuple, uint32_t bytes)
{
	/* A write never changes the tuple: stages copy it before they
	   combine. */
	paths_status st =
	    path_begin(path, PATHS_WRITE, (void *)(uintptr_t)tuple, bytes);

	return st == PATHS_OK ? path_finish(path) : st;
}

paths_status
paths_path_read(struct paths_path *path, void *tuple, uint32_t bytes)
{
	paths_status st = path_begin(path, PATHS_READ, tuple, bytes);

	return st == PATHS_OK ? path_finish(path) : st;
}

paths_status
paths_path_exchange(struct paths_path *path, void *tuple, uint32_t bytes)
{
	paths_status st = path_begin(path, PATHS_EXCHANGE, tuple, bytes);

	return st == PATHS_OK ? path_finish(path) : st;
}

paths_status
paths_path_delete(struct paths_path *path, uint64_t index)
{
	struct paths_op *op = &path->op;

	if (paths__path_state(path) != PATHS__PATH_IDLE)
		return path_refuse_state(path);
	paths__op_reset(op);
	op->tuple = NULL;
	op->bytes = 0;
	op->index = index;
	op->deadline = UINT64_MAX;
	path_send(path, PATHS_DELETE);
	return path_finish(path);
}

/* --- open, close, questions ---------------------------------------------- */

/* Returns the path of a thread to an element; NULL: there is none. */
static struct paths_path *
path_find(const struct paths_thread *thread, const char *element)
{
	const struct paths_program *program = thread->program;
	uint32_t n = paths_map_find_path(program->map,
	    program->map->threads[thread->thread].name, element);

	return n == PATHS_NONE ? NULL : program->paths[n];
}

paths_status
paths_path_open(struct paths_thread *thread, const char *element,
    struct paths_path **path)
{
	struct paths_path *p = path_find(thread, element);
	const struct paths_map *map = thread->program->map;
	const char *name = map->threads[thread->thread].name;
	char why[PATHS_OP_WHY_BYTES];
	paths_status st;

	if (paths__program_fork_text(thread->program, why, sizeof(why)))
		return paths_log_fail(PATHS_EINVAL, "%s", why);
	if (!p)
		return paths_log_fail(PATHS_ENOENT, "no path from %s to %s",
		    name, element);
	if (atomic_load_explicit(&thread->owner, memory_order_relaxed) == 0)
		return paths_log_fail(PATHS_EINVAL, "thread %s is closed",
		    name);
	if (p->opened && paths__path_state(p) != PATHS__PATH_CLOSED)
		return paths_log_fail(PATHS_EBUSY,
		    "the path from %s to %s is open", name, element);
	st = paths__path_reopen(p);
	if (st != PATHS_OK)
		return st;
	p->opened = true;
	*path = p;
	return PATHS_OK;
}

void
paths__path_end(struct paths_path *path)
{
	uint32_t state = paths__path_state(path);

	if (state == PATHS__PATH_CLOSED || state == PATHS__PATH_FORKED ||
	    atomic_load_explicit(&path->waiting, memory_order_relaxed))
		return;
	paths__carry_cancel(path, PATHS_ECANCELED, "the path was closed");
	path_settle(path);
	paths__program_end_chain(path->program, path->item, NULL);
	paths__path_set_state(path, PATHS__PATH_CLOSED);
}

paths_status
paths__path_reopen(struct paths_path *path)
{
	paths_status st;

	if (paths__path_state(path) != PATHS__PATH_CLOSED)
		return PATHS_OK;
	st = paths__program_reopen_chain(path->program, path->item);
	if (st == PATHS_OK)
		paths__path_set_state(path, PATHS__PATH_IDLE);
	return st;
}

void
paths_path_close(struct paths_path *path)
{
	int before;

	if (!path)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	paths__path_end(path);
	pthread_setcancelstate(before, NULL);
}

void
paths_path_deadline(struct paths_path *path, uint64_t ns)
{
	path->deadline_ticks = paths_clock_ns_to_ticks(ns);
}

const char *
paths_path_why(const struct paths_path *path)
{
	return path->op.why;
}

uint64_t
paths_path_missed(const struct paths_path *path)
{
	return path->missed;
}

uint64_t
paths_path_index(const struct paths_path *path)
{
	return path->op.index;
}

uint32_t
paths_path_bytes(const struct paths_path *path)
{
	return path->op.bytes;
}

const struct paths_type *
paths_path_type(const struct paths_path *path)
{
	return &path->type;
}

paths_status
paths_path_stat(const struct paths_path *path, uint32_t stage,
    paths_stat_emit *emit, void *to)
{
	const struct paths_map_item *it;

	if (stage >= path->link_count)
		return paths_log_fail(PATHS_ENOENT,
		    "stage %u of a path with %u here", stage, path->link_count);
	it = &path->program->map->items[path->links[stage].item];
	if (it->ops->stat)
		it->ops->stat(path->program->instances[it->instance].state,
		    emit, to);
	return PATHS_OK;
}
