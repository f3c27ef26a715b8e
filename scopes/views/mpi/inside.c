/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/inside.c - MPI calls that have not returned
 *
 * Deadlocks become diagnostics, see scopes/mpi/deadlock_private.h.
 */

#include "scopes/mpi/deadlock_private.h"
#include "scopes/views/view_private.h"

static const struct es_column columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the rank", .refers = "mpi_rank" },
	{ "thread", ES_INTEGER, .about = "thread that made the call",
	    .refers = "thread" },
	{ "function", ES_TEXT, .about = "MPI function" },
	{ "comm", ES_INTEGER, .about = "communicator; NULL: none or not known",
	    .refers = "mpi_comm" },
	{ "peer", ES_INTEGER,
	    .about = "id of the peer's rank; NULL: any, none or not known" },
	{ "tag", ES_INTEGER, .about = "tag of the message; NULL: any or none" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "since_ns", ES_INTEGER, .about = "start of the call; NULL: not known",
	    .unit = ES_UNIT_NS },
};

static const struct es_table tables[] = {
	{ .name = "mpi_inside",
	    .about = "MPI calls that have not returned",
	    ES_COLUMNS(columns) },
};

static struct es_value
at_least_0(int32_t value)
{
	return value < 0 ? ES_NIL : ES_INT(value);
}

static struct es_value
since_value(const struct es_analysis *a, const struct es__inside_thread *t)
{
	uint32_t process = a->map->threads[t->thread].process;

	return t->since == 0 ? ES_NIL :
			       ES_INT(es_time_ns(&a->bases[process], t->since));
}

static paths_status
emit_thread(const struct es_analysis *a, const struct es__inside_thread *t,
    struct es_sink *sink)
{
	const struct es_mpi_function *f = es_mpi_function(t->function);

	return sink->row(sink, &tables[0],
	    (struct es_value[]){ ES_INT(t->rank), ES_INT(t->thread),
		es__text(f == NULL ? NULL : f->name), es__id(t->comm),
		at_least_0(t->peer), at_least_0(t->tag), es__id(t->site),
		since_value(a, t) });
}

static paths_status
mpi_inside_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__inside inside;
	paths_status st = es__inside_read(a, &inside);

	for (uint32_t t = 0; st == PATHS_OK && t < inside.count; t++)
		if (inside.threads[t].function != 0 &&
		    !inside.threads[t].exited)
			st = emit_thread(a, &inside.threads[t], sink);
	if (st == PATHS_OK)
		st = es__deadlock_diagnose(a, &inside);
	free(inside.threads);
	return st;
}

const struct es_view es__view_mpi_inside = {
	.name = "mpi_inside",
	.about = "MPI calls that have not returned",
	.question = "Which MPI call is each rank in, and is there a deadlock?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = mpi_inside_compute,
	.needs = ES_NEED_MPI,
};
