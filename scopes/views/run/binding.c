/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/binding.c - the processing units of the hosts, and those
 * that threads are bound to
 */

#include "scopes/cluster/bound_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

ES__SQL(binding_reading);
ES__SQL(host_pu_reading);

static const struct es_column pu_columns[] = {
	{ "host", ES_INTEGER, .about = "host that has the PU",
	    .refers = "host" },
	{ "pu", ES_INTEGER,
	    .about = "number of the PU in the operating system" },
	{ "package", ES_INTEGER, .about = "package of the host" },
	{ "core", ES_INTEGER, .about = "core of the host, as in a path map" },
	{ "numa", ES_INTEGER,
	    .about = "NUMA node of the host that is nearest to the PU" },
	{ "cache", ES_INTEGER,
	    .about = "last shared cache of the host: L3, or the package" },
};

static const struct es_column binding_columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	{ "process", ES_INTEGER, .about = "process that owns the thread",
	    .refers = "process" },
	{ "host", ES_INTEGER, .about = "host that the thread runs on",
	    .refers = "host" },
	{ "state", ES_TEXT,
	    .about = "bound: it may run on some PUs of its host only; unbound: "
		     "on all; NULL: not known" },
	{ "package", ES_INTEGER,
	    .about = "package of all its PUs; NULL: several, or not known" },
	{ "core", ES_INTEGER,
	    .about = "core of all its PUs; NULL: several, or not known" },
	{ "pus", ES_TEXT,
	    .about =
		"PUs that it may run on, by their numbers in the operating "
		"system, as 0-3,8; NULL: not known" },
	{ "pu_count", ES_INTEGER,
	    .about = "number of these PUs; NULL: not known" },
	{ "core_threads", ES_INTEGER,
	    .about = "number of threads that are bound to the same core; NULL: "
		     "not bound to one core" },
	{ "source", ES_TEXT,
	    .about = "kernel: recorded when the thread first called MPI; map: "
		     "the path map; NULL: not recorded" },
};

enum { PU, BINDING };

static const struct es_table tables[] = {
	[PU] = { .name = "host_pu",
	    .about = "processing units (PUs) that the hosts allowed",
	    ES_COLUMNS(pu_columns),
	    .order = "host, core, pu",
	    .reading = es__sql_host_pu_reading,
	    .reading_about = "numbers of hosts, packages, cores and PUs" },
	[BINDING] = { .name = "binding",
	    .about = "cores and PUs that threads were bound to",
	    ES_COLUMNS(binding_columns),
	    .order = "thread",
	    .reading = es__sql_binding_reading,
	    .reading_about = "numbers of threads that are bound to a core" },
};

/* The rows of a run, under construction. */
struct rows {
	const struct paths_map *map;
	struct es__bounds bounds;
	bool mpi;
	char text[ES__BOUND_TEXT_BYTES];
};

static uint32_t
thread_host(const struct rows *rows, uint32_t thread)
{
	return rows->map->processes[rows->map->threads[thread].process].host;
}

/* Returns whether a thread is bound to one core. */
static bool
thread_has_core(const struct rows *rows, uint32_t thread)
{
	const struct es__bound *bound = &rows->bounds.threads[thread];

	return bound->state == ES__BOUND_PART && bound->core != PATHS_NONE;
}

static paths_status
host_rows(const struct rows *rows, uint32_t n, struct es_sink *sink)
{
	const struct es__bound_host *host = &rows->bounds.hosts[n];
	paths_status st = PATHS_OK;

	for (uint32_t k = 0; st == PATHS_OK && k < host->count; k++) {
		const struct es__bound_pu *pu = &host->pus[k];

		st = sink->row(sink, &tables[PU],
		    (struct es_value[]){ ES_INT(n), ES_INT(pu->kernel),
			ES_INT(pu->package), ES_INT(pu->core), ES_INT(pu->numa),
			ES_INT(pu->cache) });
	}
	return st;
}

/* Returns the source of a binding. */
static struct es_value
thread_source(const struct rows *rows, uint32_t thread)
{
	if (!rows->mpi)
		return ES_STR("map");
	return rows->bounds.bindings[thread].words > 0 ? ES_STR("kernel") :
							 ES_NIL;
}

/* peers: threads of the same core; 0: it is not bound to one core. */
static paths_status
thread_row(struct rows *rows, uint32_t n, uint32_t peers, struct es_sink *sink)
{
	static const char *const states[] = { [ES__BOUND_UNKNOWN] = NULL,
		[ES__BOUND_PART] = "bound",
		[ES__BOUND_FREE] = "unbound" };
	const struct es__binding *binding = &rows->bounds.bindings[n];
	const struct es__bound *bound = &rows->bounds.threads[n];
	bool known = binding->words > 0;

	return sink->row(sink, &tables[BINDING],
	    (struct es_value[]){ ES_INT(n),
		ES_INT(rows->map->threads[n].process),
		ES_INT(thread_host(rows, n)), es__text(states[bound->state]),
		es__id(bound->package), es__id(bound->core),
		known ? ES_STR(es__bound_text(binding, rows->text)) : ES_NIL,
		known ? ES_INT(es__bound_count(binding)) : ES_NIL,
		peers > 0 ? ES_INT(peers) : ES_NIL, thread_source(rows, n) });
}

/* A thread that is bound to one core. */
struct placed {
	uint32_t host, core, thread;
};

static int
placed_order(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	return (a->core > b->core) - (a->core < b->core);
}

/* Counts the threads of each core; peers: out, of each thread. */
static paths_status
count_peers(const struct rows *rows, uint32_t *peers)
{
	uint32_t count = rows->bounds.thread_count, placed = 0, end;
	struct placed *all = calloc(count + (size_t)1, sizeof(*all));

	if (all == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for bindings");
	for (uint32_t n = 0; n < count; n++)
		if (thread_has_core(rows, n))
			all[placed++] =
			    (struct placed){ .host = thread_host(rows, n),
				    .core = rows->bounds.threads[n].core,
				    .thread = n };
	qsort(all, placed, sizeof(*all), placed_order);
	for (uint32_t n = 0; n < placed; n = end) {
		for (end = n;
		     end < placed && placed_order(&all[n], &all[end]) == 0;)
			end++;
		for (uint32_t k = n; k < end; k++)
			peers[all[k].thread] = end - n;
	}
	free(all);
	return PATHS_OK;
}

static paths_status
rows_show(struct rows *rows, struct es_sink *sink)
{
	uint32_t *peers =
	    calloc(rows->bounds.thread_count + (size_t)1, sizeof(*peers));
	paths_status st = peers == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for bindings") :
	    count_peers(rows, peers);

	for (uint32_t n = 0; st == PATHS_OK && n < rows->bounds.host_count; n++)
		st = host_rows(rows, n, sink);
	for (uint32_t n = 0; st == PATHS_OK && n < rows->bounds.thread_count;
	     n++)
		st = thread_row(rows, n, peers[n], sink);
	free(peers);
	return st;
}

static paths_status
binding_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct rows *rows = calloc(1, sizeof(*rows));
	paths_status st;

	if (rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for bindings");
	rows->map = a->map;
	rows->mpi = es_run_mpi(a->run) != NULL;
	st = es__bounds_find(a->run, &rows->bounds);
	if (st == PATHS_OK)
		st = rows_show(rows, sink);
	es__bounds_fini(&rows->bounds);
	free(rows);
	return st;
}

const struct es_view es__view_binding = {
	.name = "binding",
	.about = "cores of the hosts, and threads that are bound to them",
	.question =
	    "Where did threads run: on which hosts, packages and cores?",
	.topic = ES_TOPIC_RUN,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = binding_compute,
};
