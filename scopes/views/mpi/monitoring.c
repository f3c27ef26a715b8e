/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/monitoring.c - messages that Open MPI's monitoring counted
 *
 * The numbers come from the files *.prof that the monitoring left in the run
 * directory.  Unlike the interposer, it counts the messages that the library
 * sends for collectives, and no persistent sends.
 */

#include "scopes/mpi/ompi_monitoring_private.h"
#include "scopes/views/view_files_private.h"
#include "scopes/views/view_private.h"

#include <stdio.h>
#include <string.h>

ES__SQL(monitoring_check);

static const struct es_column pair_columns[] = {
	{ "source", ES_INTEGER, .about = "rank that sends",
	    .refers = "mpi_rank" },
	{ "target", ES_INTEGER, .about = "rank that receives",
	    .refers = "mpi_rank" },
	{ "layer", ES_TEXT,
	    .about = "layer: external, internal, collective, osc_sent or "
		     "osc_received" },
	{ "messages", ES_INTEGER, .about = "number of messages" },
	{ "bytes", ES_INTEGER, .about = "total size of the user data",
	    .unit = ES_UNIT_BYTES },
};

static const struct es_column size_columns[] = {
	{ "source", ES_INTEGER, .about = "rank that sends",
	    .refers = "mpi_rank" },
	{ "target", ES_INTEGER, .about = "rank that receives",
	    .refers = "mpi_rank" },
	{ "layer", ES_TEXT, .about = "layer: external or internal" },
	{ "size_class", ES_INTEGER,
	    .about = "size class; 0: 0 bytes; n: 2^(n-1) to 2^n - 1 bytes" },
	{ "messages", ES_INTEGER, .about = "number of messages" },
};

static const struct es_column comm_columns[] = {
	{ "rank", ES_INTEGER, .about = "rank that counted",
	    .refers = "mpi_rank" },
	{ "comm", ES_TEXT, .about = "name of the communicator" },
	{ "members", ES_TEXT,
	    .about = "ranks of its members in MPI_COMM_WORLD, in order" },
	{ "kind", ES_TEXT,
	    .about =
		"kind of collective: one_to_all, all_to_one or all_to_all" },
	{ "messages", ES_INTEGER, .about = "number of messages" },
	{ "bytes", ES_INTEGER, .about = "total size of the user data",
	    .unit = ES_UNIT_BYTES },
};

static const struct es_column check_columns[] = {
	{ "source", ES_INTEGER, .about = "rank that sends",
	    .refers = "mpi_rank" },
	{ "target", ES_INTEGER, .about = "rank that receives",
	    .refers = "mpi_rank" },
	{ "layer", ES_TEXT, .about = "layer, see monitoring" },
	{ "messages", ES_INTEGER,
	    .about = "number of messages that eventspace counted" },
	{ "their_messages", ES_INTEGER,
	    .about = "number of messages that Open MPI counted" },
	{ "bytes", ES_INTEGER, .about = "total size that eventspace counted",
	    .unit = ES_UNIT_BYTES },
	{ "their_bytes", ES_INTEGER,
	    .about = "total size that Open MPI counted",
	    .unit = ES_UNIT_BYTES },
	{ "persistent_messages", ES_INTEGER,
	    .about =
		"number of eventspace's messages that are persistent sends, "
		"which Open MPI does not count" },
	{ "persistent_bytes", ES_INTEGER,
	    .about = "total size of these persistent sends",
	    .unit = ES_UNIT_BYTES },
};

enum { PAIR, SIZES, COMM, CHECK };

static const struct es_table tables[] = {
	[PAIR] = { .name = "monitoring",
	    .about = "messages that Open MPI's monitoring counted",
	    ES_COLUMNS(pair_columns) },
	[SIZES] = { .name = "monitoring_histogram",
	    .about = "sizes of the messages that Open MPI's monitoring counted",
	    ES_COLUMNS(size_columns) },
	[COMM] = { .name = "monitoring_comm",
	    .about = "collectives that Open MPI's monitoring counted",
	    ES_COLUMNS(comm_columns) },
	[CHECK] = { .name = "monitoring_check",
	    .about =
		"counts of eventspace beside those of Open MPI's monitoring",
	    ES_COLUMNS(check_columns),
	    .sql = es__sql_monitoring_check },
};

static const char *const layers[ES__OMPI_MONITORING_KINDS] = {
	[ES__OMPI_MONITORING_EXTERNAL] = "external",
	[ES__OMPI_MONITORING_INTERNAL] = "internal",
	[ES__OMPI_MONITORING_PUT] = "osc_sent",
	[ES__OMPI_MONITORING_GET] = "osc_received",
	[ES__OMPI_MONITORING_COLLECTIVE] = "collective",
	[ES__OMPI_MONITORING_ONE_TO_ALL] = "one_to_all",
	[ES__OMPI_MONITORING_ALL_TO_ONE] = "all_to_one",
	[ES__OMPI_MONITORING_ALL_TO_ALL] = "all_to_all",
};

static paths_status
comm_show(struct es_sink *sink, const struct es__ompi_monitoring_line *line)
{
	if (line->messages == 0)
		return PATHS_OK;
	return sink->row(sink, &tables[COMM],
	    (struct es_value[]){ ES_INT(line->rank), ES_STR(line->comm),
		ES_STR(line->members), ES_STR(layers[line->kind]),
		ES_INT(line->messages), ES_INT(line->bytes) });
}

static paths_status
line_show(void *to, const struct es__ompi_monitoring_line *line)
{
	struct es_sink *sink = to;
	/* The bytes of a get come from the peer. */
	bool inward = line->kind == ES__OMPI_MONITORING_GET;
	uint32_t source = inward ? line->peer : line->rank;
	uint32_t target = inward ? line->rank : line->peer;
	paths_status st;

	if (line->comm != NULL)
		return comm_show(sink, line);
	st = sink->row(sink, &tables[PAIR],
	    (struct es_value[]){ ES_INT(source), ES_INT(target),
		ES_STR(layers[line->kind]), ES_INT(line->messages),
		ES_INT(line->bytes) });
	for (uint32_t n = 0; st == PATHS_OK && n < line->class_count; n++) {
		if (line->classes[n] > 0)
			st = sink->row(sink, &tables[SIZES],
			    (struct es_value[]){ ES_INT(source), ES_INT(target),
				ES_STR(layers[line->kind]), ES_INT(n),
				ES_INT(line->classes[n]) });
	}
	return st;
}

static int
name_is_file(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 5 && strcmp(entry->d_name + n - 5, ".prof") == 0;
}

static paths_status
file_show(struct es_analysis *a, struct es_sink *sink, const char *name)
{
	FILE *from;
	paths_status st = es__view_file_open(es_run_dir(a->run), name, &from);

	/* It was there when the directory was read. */
	if (st == PATHS_ENOENT)
		return PATHS_EDAMAGED;
	if (st != PATHS_OK)
		return st;
	st = es__ompi_monitoring_read(from, name, line_show, sink);
	(void)fclose(from);
	return st;
}

static paths_status
monitoring_compute(struct es_analysis *a, struct es_sink *sink)
{
	return es__view_files(a, sink,
	    &(struct es__view_files){ "monitoring", name_is_file, file_show });
}

const struct es_view es__view_monitoring = {
	.name = "monitoring",
	.about = "messages that Open MPI's monitoring counted",
	.question = "Which messages did Open MPI itself count?",
	.topic = ES_TOPIC_MESSAGES,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = monitoring_compute,
	.needs = ES_NEED_FILES,
};
