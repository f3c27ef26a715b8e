/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/matrix.c - messages and bytes between processes
 *
 * In MPI runs, the numbers are those of the interposer, and sources and targets
 * are ranks of the run.  The receiver counts messages again, as `received`, so
 * categories are never added up here.
 *
 * In other runs, the numbers are those of collectors in mode matrix, of each
 * chain (scopes/path/flow_private.h).  Messages go from the process where the
 * chain begins to the process at its end.
 */

#include "scopes/mpi/flow_private.h"
#include "scopes/path/flow_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

ES__SQL(comm_matrix_reading);

static const struct es_column matrix_columns[] = {
	{ "source", ES_INTEGER,
	    .about =
		"process where the operation was recorded; for MPI, the rank "
		"that sends",
	    .refers = "process" },
	{ "target", ES_INTEGER,
	    .about = "process at the end of the chain; for MPI, the rank that "
		     "receives",
	    .refers = "process" },
	{ "category", ES_TEXT, .about = "category of the messages" },
	{ "messages", ES_INTEGER, .about = "number of messages" },
	{ "bytes", ES_INTEGER,
	    .about = "total size of the tuples; for MPI, of the user data",
	    .unit = ES_UNIT_BYTES },
};

static const struct es_column size_columns[] = {
	{ "source", ES_INTEGER,
	    .about =
		"process where the operation was recorded; for MPI, the rank "
		"that sends",
	    .refers = "process" },
	{ "target", ES_INTEGER,
	    .about = "process at the end of the chain; for MPI, the rank that "
		     "receives",
	    .refers = "process" },
	{ "category", ES_TEXT,
	    .about = "category of the messages, see comm_matrix" },
	{ "size_class", ES_INTEGER,
	    .about = "size class; 0: 0 bytes; n: 2^(n-1) to 2^n - 1 bytes" },
	{ "messages", ES_INTEGER, .about = "number of messages" },
};

enum { MATRIX, SIZES };

static const struct es_table tables[] = {
	[MATRIX] = { .name = "comm_matrix",
	    .about = "messages and bytes between processes",
	    ES_COLUMNS(matrix_columns),
	    .order = "bytes DESC",
	    .reading = es__sql_comm_matrix_reading,
	    .reading_about = "pair of processes with the most bytes" },
	[SIZES] = { .name = "size_histogram",
	    .about = "sizes of the messages between processes",
	    ES_COLUMNS(size_columns) },
};

/* One row of a collector; rows with the same key are added up. */
struct flow {
	uint32_t source, target, category; /* key; category: enum paths_kind */
	struct es_matrix counts;
};

struct flows {
	struct flow *flows;
	size_t count, room;
};

static paths_status
flows_keep(struct flows *all, const struct flow *flow)
{
	if (!paths__array_grow(&all->flows, all->count, &all->room,
		sizeof(*all->flows)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a matrix");
	all->flows[all->count++] = *flow;
	return PATHS_OK;
}

static paths_status
flows_add(void *to, const struct es__path_flow *flow)
{
	return flows_keep(to,
	    &(struct flow){ .source = flow->source,
		.target = flow->target,
		.category = flow->category,
		.counts = flow->counts });
}

static int
flow_order(const void *left, const void *right)
{
	const struct flow *a = left, *b = right;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	return a->category < b->category ? -1 : a->category > b->category;
}

static void
flows_merge(struct flows *all)
{
	size_t kept = 0;

	for (size_t n = 0; n < all->count; n++) {
		const struct es_matrix *more = &all->flows[n].counts;
		struct es_matrix *sum;

		if (kept == 0 ||
		    flow_order(&all->flows[kept - 1], &all->flows[n]) != 0) {
			all->flows[kept++] = all->flows[n];
			continue;
		}
		sum = &all->flows[kept - 1].counts;
		sum->messages += more->messages;
		sum->bytes += more->bytes;
		for (size_t c = 0; c < ES__COUNT(sum->classes); c++)
			sum->classes[c] += more->classes[c];
	}
	all->count = kept;
}

/* First three columns of each row of a flow. */
struct ends {
	uint32_t source, target;
	const char *category;
};

static paths_status
counts_emit(struct es_sink *sink, const struct ends *ends,
    const struct es_matrix *counts)
{
	paths_status st = sink->row(sink, &tables[MATRIX],
	    (struct es_value[]){ es__id(ends->source), es__id(ends->target),
		ES_STR(ends->category), ES_INT(counts->messages),
		ES_INT(counts->bytes) });

	for (size_t c = 0; st == PATHS_OK && c < ES__COUNT(counts->classes);
	     c++) {
		if (counts->classes[c] == 0)
			continue;
		st = sink->row(sink, &tables[SIZES],
		    (struct es_value[]){ es__id(ends->source),
			es__id(ends->target), ES_STR(ends->category), ES_INT(c),
			ES_INT(counts->classes[c]) });
	}
	return st;
}

static paths_status
flow_emit(const struct flow *flow, struct es_sink *sink)
{
	return counts_emit(sink,
	    &(struct ends){ .source = flow->source,
		.target = flow->target,
		.category =
		    es_operation_name(ES_OPERATION_PATH, flow->category) },
	    &flow->counts);
}

/* Flows of MPI ranks.  Any thread reads the flows of a rank; rows are written
   in the order of ranks. */
struct mpi_job {
	struct es_analysis *a;
	struct es_sink *sink;
	struct es__mpi_flows *ranks; /* flows of each rank that were read */
};

static paths_status
mpi_work(void *context, size_t item, void *result)
{
	const struct mpi_job *job = context;

	(void)result;
	return es__mpi_flows_open(job->a->run->mpi, (uint32_t)item,
	    &job->ranks[item]);
}

/* The rows of a rank are in its space, whose definitions all ranks have. */
static const void *
mpi_reads(const void *context, size_t item)
{
	const struct es_run *run = ((const struct mpi_job *)context)->a->run;
	const void *base = NULL;

	if (run->spaces[item] != NULL)
		(void)es_space_bytes(run->spaces[item], &base);
	return base;
}

static void
mpi_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct es__mpi_flows *flows =
	    &((const struct mpi_job *)context)->ranks[item];

	es__pack_put_array(pack, flows->flows, flows->count,
	    sizeof(*flows->flows));
}

static void
mpi_unpack(void *context, size_t item, struct es__pack *pack)
{
	struct es__mpi_flows *flows = &((struct mpi_job *)context)->ranks[item];

	flows->flows =
	    es__pack_get_array(pack, &flows->count, sizeof(*flows->flows));
}

static paths_status
mpi_done(void *context, size_t item, void *result)
{
	const struct mpi_job *job = context;
	struct es__mpi_flows *flows = &job->ranks[item];
	paths_status st = PATHS_OK;

	(void)result;
	for (size_t n = 0; st == PATHS_OK && n < flows->count; n++) {
		const struct es__mpi_flow *flow = &flows->flows[n];

		st = counts_emit(job->sink,
		    &(struct ends){ .source = flow->source,
			.target = flow->target,
			.category = es__mpi_flow_category(flow->category) },
		    &flow->counts);
	}
	es__mpi_flows_close(flows);
	return st;
}

static paths_status
matrix_compute_mpi(struct es_analysis *a, struct es_sink *sink)
{
	uint32_t count = a->map->process_count;
	struct mpi_job job = { .a = a,
		.sink = sink,
		.ranks = calloc(count, sizeof(*job.ranks)) };
	struct es__work work = { .count = count,
		.context = &job,
		.work = mpi_work,
		.done = mpi_done,
		.reads = mpi_reads,
		.pack = mpi_pack,
		.unpack = mpi_unpack };
	paths_status st;

	if (job.ranks == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a matrix");
	st = es__work_run(&work, a->threads);
	/* After an error, some ranks still have flows. */
	for (uint32_t n = 0; n < count; n++)
		es__mpi_flows_close(&job.ranks[n]);
	free(job.ranks);
	return st;
}

static paths_status
matrix_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct flows all = { 0 };
	paths_status st;

	if (a->run->mpi != NULL)
		return matrix_compute_mpi(a, sink);
	st = es__path_flows(a->run, flows_add, &all);
	if (st == PATHS_OK && all.count > 0) {
		qsort(all.flows, all.count, sizeof(*all.flows), flow_order);
		flows_merge(&all);
	}
	for (size_t n = 0; st == PATHS_OK && n < all.count; n++)
		st = flow_emit(&all.flows[n], sink);
	free(all.flows);
	return st;
}

const struct es_view es__view_matrix = {
	.name = "matrix",
	.about = "messages and bytes between processes",
	.question =
	    "How much data does each process send to each other process?",
	.topic = ES_TOPIC_MESSAGES,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = matrix_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_MATRIX,
};
