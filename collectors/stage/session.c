/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/session.c - shares one event space between the collectors
 * of a program
 *
 * The first collector to open creates the space, with a ring for each collector
 * that the map has in this process.  The last collector to close ends it.
 *
 * Environment
 *	PATHS_SPACE_BYTES	limit for the total size of the rings, instead
 *				of that of the map; only rings without -keep
 *				are made smaller for it
 */

#include "collectors/stage/session_private.h"

#include "collectors/stage/collector_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tuples of a ring without -keep: at most, and at least. */
#define KEEP_DEFAULT 65536u
#define KEEP_LEAST 64u
/* Default budget of a process: its part of an eighth of the memory of the host,
   and at most this. */
#define SPACE_BYTES_MOST (UINT64_C(1) << 30)
/* Memory of the rings that can grow, when the process starts. */
#define SPACE_BYTES_FIRST (UINT64_C(64) << 20)

struct es__session {
	struct es__session *next;
	const struct paths_program *program;
	const struct paths_stage_ops *collector;
	struct es_record *record; /* NULL: no space could be opened */
	uint32_t *instances;	  /* of the collectors in the map, ascending */
	uint32_t count;
	uint32_t refs;
};

static pthread_mutex_t session_lock = PTHREAD_MUTEX_INITIALIZER;
static struct es__session *sessions; /* under session_lock */

/* Returns the number of processes of the map on the host of a process. */
static uint32_t
session_neighbours(const struct paths_map *map, uint32_t process)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < map->process_count; i++)
		count += map->processes[i].host == map->processes[process].host;
	return count;
}

static uint64_t
session_default_budget(const struct paths_map *map, uint32_t process)
{
	uint64_t memory =
	    (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t bytes = memory / 8 / session_neighbours(map, process);

	return bytes < SPACE_BYTES_MOST ? bytes : SPACE_BYTES_MOST;
}

static paths_status
session_budget(const struct paths_map *map, uint32_t process, uint64_t *bytes)
{
	const char *text = getenv("PATHS_SPACE_BYTES");

	*bytes = map->processes[process].space;
	if (*bytes == 0)
		*bytes = session_default_budget(map, process);
	if (text == NULL ||
	    paths_unit_parse(PATHS_UNIT_BYTES, text, 0, UINT64_MAX, bytes) ==
		PATHS_OK)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL, "PATHS_SPACE_BYTES=%s: %s", text,
	    paths_log_last());
}

static const struct paths_map_value *
session_option(const struct paths_map *map, uint32_t instance,
    enum es__collector_option option)
{
	return &map->items[map->instances[instance].item].values[option];
}

/* Sets the size of a ring that has a share of the budget.  A ring whose share
   of the memory at the start is smaller can grow. */
static void
session_share(struct es_record_collector *c, uint64_t budget, uint32_t count)
{
	uint64_t share = budget / count / sizeof(struct es_tuple_path);
	uint64_t start =
	    SPACE_BYTES_FIRST / count / sizeof(struct es_tuple_path);

	c->capacity = share < KEEP_DEFAULT ? share : KEEP_DEFAULT;
	if (c->capacity < KEEP_LEAST)
		c->capacity = KEEP_LEAST;
	if (c->capacity <= start || c->capacity < 2 * ES_RECORD_FIRST_LEAST)
		return;
	c->first = ES_RECORD_FIRST_LEAST;
	while (2 * c->first <= start)
		c->first *= 2;
	for (share = c->first; 2 * share <= c->capacity;)
		share *= 2;
	c->capacity = share;
}

/* Sets the capacity of each ring: -keep of the map, or else an equal share of
   the rest of the budget. */
static paths_status
session_capacities(const struct es__session *s, const struct paths_map *map,
    uint64_t budget, struct es_record_collector *collectors)
{
	uint64_t taken = 0;
	uint32_t open = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct paths_map_value *keep =
		    session_option(map, s->instances[i], ES__COLLECTOR_KEEP);

		if (keep->text == NULL) {
			open++;
			continue;
		}
		collectors[i].capacity = keep->number;
		if (__builtin_mul_overflow(keep->number,
			sizeof(struct es_tuple_path), &taken) ||
		    taken > budget)
			taken = budget;
		budget -= taken;
	}
	for (uint32_t i = 0; i < s->count; i++) {
		if (collectors[i].capacity == 0)
			session_share(&collectors[i], budget, open);
	}
	return PATHS_OK;
}

static paths_status
session_collectors(const struct es__session *s, const struct paths_map *map,
    uint32_t process, struct es_record_collector *collectors)
{
	/* In the order of the choices of -mode; see collector.c. */
	static const uint32_t modes[] = { ES_MODE_TRACE, ES_MODE_PROFILE,
		ES_MODE_MATRIX, ES_MODE_OFF };
	uint64_t budget;
	paths_status st = session_budget(map, process, &budget);

	if (st != PATHS_OK)
		return st;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct paths_map_value *mode =
		    session_option(map, s->instances[i], ES__COLLECTOR_MODE);

		collectors[i] = (struct es_record_collector){
			.instance = s->instances[i],
			.mode = modes[mode->number],
			.type = es_tuple_type_find("path"),
			/* Rows are numbered by enum paths_kind, from 1. */
			.profile_ops = PATHS_DELETE + 1,
			.profile_classes = 1,
			.matrix_peers = 1,
			.matrix_categories = PATHS_DELETE + 1,
		};
	}
	return session_capacities(s, map, budget, collectors);
}

/* Returns the stage that sends what a process records to a server; NULL: there
   is none.  libgather defines it. */
static const struct paths_map_item *
session_send(const struct paths_map *map, uint32_t process)
{
	for (uint32_t n = 0; n < map->item_count; n++)
		if (map->items[n].process == process &&
		    strcmp(map->items[n].ops->name, "send") == 0)
			return &map->items[n];
	return NULL;
}

/* Sets the size of a ring whose tuples a server keeps: the capacity is that at
   the server, and the process has memory for fewer. */
static void
session_buffer(struct es_record_collector *c, uint64_t tuples)
{
	uint64_t first = ES_RECORD_FIRST_LEAST;

	while (2 * first <= tuples)
		first *= 2;
	if (c->capacity <= first) {
		c->first = 0;
		return;
	}
	c->first = first;
	while (first < c->capacity)
		first *= 2;
	c->capacity = first;
}

static paths_status
session_find(struct es__session *s, const struct paths_map *map,
    uint32_t process)
{
	s->instances = calloc(map->instance_count, sizeof(*s->instances));
	if (s->instances == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %u stages",
		    map->instance_count);
	for (uint32_t i = 0; i < map->instance_count; i++) {
		if (map->instances[i].ops == s->collector &&
		    map->instances[i].process == process)
			s->instances[s->count++] = i;
	}
	return PATHS_OK;
}

/* Adds what readers must know of stages of plugins, which they do not load.
   Without it they show less. */
static void
session_describe(const struct es__session *s, const struct paths_map *map)
{
	struct es_record_part want = { .what = ES_SPACE_KINDS, .row_bytes = 1 };
	struct es_space_part *part;
	char *text;

	if (paths_map_kinds(map, s->collector->name, &text) != PATHS_OK)
		return;
	want.room = strlen(text);
	if (want.room > 0 && want.room <= PATHS_MAP_KINDS_BYTES_MAX &&
	    es_record_add_rows(s->record, &want, &part) == PATHS_OK) {
		memcpy(part + 1, text, want.room);
		atomic_store_explicit(&part->used, want.room,
		    memory_order_release); /* with readers of the log */
	}
	free(text);
}

static paths_status
session_record(struct es__session *s, struct paths_program *program)
{
	const struct paths_map *map = paths_program_map(program);
	uint32_t process = paths_program_process(program);
	const struct paths_map_item *send = session_send(map, process);
	struct es_record_collector *collectors;
	struct es_record_spec spec = {
		.directory = paths_program_run(program),
		.process_name = map->processes[process].name,
		.process = process,
		.map_text = map->text,
		.map_bytes = map->text_bytes,
		.buffer = send != NULL,
	};
	paths_status st = session_find(s, map, process);

	if (st != PATHS_OK)
		return st;
	collectors = calloc(s->count, sizeof(*collectors));
	if (collectors == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for %u collectors", s->count);
	spec.collectors = collectors;
	spec.collector_count = s->count;
	st = session_collectors(s, map, process, collectors);
	for (uint32_t n = 0; send != NULL && n < s->count; n++)
		session_buffer(&collectors[n],
		    paths_map_option(send, "-tuples")->number);
	if (st == PATHS_OK && spec.directory == NULL)
		paths_log_warn("process %s: no run directory (PATHS_RUN), "
			       "so its collectors are off",
		    spec.process_name);
	else if (st == PATHS_OK &&
	    es_record_open(&spec, &s->record) != PATHS_OK)
		paths_log_warn("%s; the collectors of process %s are off",
		    paths_log_last(), spec.process_name);
	if (s->record != NULL)
		session_describe(s, map);
	free(collectors);
	return st;
}

static void
session_destroy(struct es__session *s)
{
	es_record_close(s->record);
	free(s->instances);
	free(s);
}

static struct es__session *
session_of(const struct paths_program *program)
{
	struct es__session *s = sessions;

	while (s != NULL && s->program != program)
		s = s->next;
	return s;
}

static paths_status
session_ref_locked(struct paths_program *program,
    const struct paths_stage_ops *collector, struct es__session **session)
{
	struct es__session *s = session_of(program);
	paths_status st;

	if (s == NULL) {
		s = calloc(1, sizeof(*s));
		if (s == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for an event space");
		s->program = program;
		s->collector = collector;
		st = session_record(s, program);
		if (st != PATHS_OK) {
			session_destroy(s);
			return st;
		}
		s->next = sessions;
		sessions = s;
	}
	s->refs++;
	*session = s;
	return PATHS_OK;
}

paths_status
es__session_ref(struct paths_program *program,
    const struct paths_stage_ops *collector, struct es__session **session)
{
	paths_status st;

	pthread_mutex_lock(&session_lock);
	st = session_ref_locked(program, collector, session);
	pthread_mutex_unlock(&session_lock);
	return st;
}

void
es__session_unref(struct es__session *session)
{
	struct es__session **link = &sessions;

	if (session == NULL)
		return;
	pthread_mutex_lock(&session_lock);
	if (--session->refs == 0) {
		while (*link != session)
			link = &(*link)->next;
		*link = session->next;
		session_destroy(session);
	}
	pthread_mutex_unlock(&session_lock);
}

static int
session_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void
es__session_ring(const struct es__session *session, uint32_t instance,
    struct es_record_ring *ring)
{
	const uint32_t *found = NULL;

	if (session->record != NULL)
		found = bsearch(&instance, session->instances, session->count,
		    sizeof(instance), session_compare);
	if (found != NULL &&
	    es_record_ring(session->record,
		(uint32_t)(found - session->instances), ring) != PATHS_OK)
		assert(!"a record has as many collectors as its session");
}

paths_status
es__session_space(const struct paths_program *program, struct es_space **space)
{
	const struct es__session *s;
	paths_status st;

	pthread_mutex_lock(&session_lock);
	s = session_of(program);
	if (s == NULL || s->record == NULL || es_record_fd(s->record) < 0)
		st = paths_log_fail(PATHS_ENOENT,
		    "this process has no collectors that record");
	else
		st = es_space_open_fd(es_record_fd(s->record),
		    "event space of this process", space);
	pthread_mutex_unlock(&session_lock);
	return st;
}
