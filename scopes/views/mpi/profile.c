/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/profile.c - MPI calls, by rank, call site and size
 *
 * Adds up the rows of the threads of a rank.  wait_estimated_ns is computed by
 * the plain minimum method (scopes/mpi/wait_minimum_private.h); wait_estimate
 * has the other methods.
 */

#include "scopes/mpi/estimates_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"
#include "scopes/mpi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ES__SQL(mpi_profile_reading);
ES__SQL(mpi_function);
ES__SQL(mpi_function_reading);

static const struct es_column profile_columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the calling rank",
	    .refers = "mpi_rank" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "function", ES_TEXT, .about = "MPI function" },
	{ "size_class", ES_INTEGER,
	    .about = "size class of the bytes received, or else sent, see "
		     "size_histogram" },
	{ "calls", ES_INTEGER, .about = "number of calls" },
	{ "time_ns", ES_INTEGER, .about = "total time in the calls",
	    .unit = ES_UNIT_NS },
	{ "min_ns", ES_INTEGER, .about = "shortest call", .unit = ES_UNIT_NS },
	{ "wait_estimated_ns", ES_INTEGER,
	    .about =
		"time spent waiting, estimated by method plain; NULL: calls "
		"that do not wait for others",
	    .unit = ES_UNIT_NS },
	{ "max_ns", ES_INTEGER, .about = "longest call", .unit = ES_UNIT_NS },
	{ "bytes", ES_INTEGER,
	    .about = "total size of the data received, or else sent",
	    .unit = ES_UNIT_BYTES },
	{ "comm", ES_INTEGER,
	    .about = "communicator of a collective; NULL: not a collective",
	    .refers = "mpi_comm" },
	{ "phase", ES_INTEGER,
	    .about = "phase of the program; 0: before the first phase",
	    .refers = "mpi_phase" },
	{ "flags", ES_TEXT,
	    .about = "flags of the calls: root, sent, ready, many, else" },
	{ "measured_ns", ES_INTEGER,
	    .about = "time in the calls without that before and after the "
		     "measured interval: in MPI_Init, in calls before its "
		     "begin that a trace has, and in MPI_Finalize after its "
		     "end",
	    .unit = ES_UNIT_NS },
};

static const struct es_column function_columns[] = {
	{ "function", ES_TEXT, .about = "MPI function" },
	{ "ranks", ES_INTEGER,
	    .about = "number of ranks that called the function" },
	{ "calls", ES_INTEGER, .about = "number of calls" },
	{ "bytes", ES_INTEGER,
	    .about = "total size of the data received, or else sent",
	    .unit = ES_UNIT_BYTES },
	{ "time_ns", ES_INTEGER,
	    .about = "total time in the calls of all ranks",
	    .unit = ES_UNIT_NS },
	{ "min_ns", ES_INTEGER, .about = "shortest call", .unit = ES_UNIT_NS },
	{ "max_ns", ES_INTEGER, .about = "longest call", .unit = ES_UNIT_NS },
	{ "wait_estimated_ns", ES_INTEGER,
	    .about = "time spent waiting, estimated by method plain; NULL: "
		     "calls that do not wait for others",
	    .unit = ES_UNIT_NS },
	{ "measured_ns", ES_INTEGER,
	    .about = "time in the calls without that before and after the "
		     "measured interval",
	    .unit = ES_UNIT_NS },
};

enum { PROFILE, FUNCTION };

static const struct es_table tables[] = {
	[PROFILE] = { .name = "mpi_profile",
	    .about = "MPI calls, by rank, call site and size",
	    ES_COLUMNS(profile_columns),
	    .order = "time_ns DESC",
	    .reading = es__sql_mpi_profile_reading,
	    .reading_about = "function and rank with the most time in MPI" },
	[FUNCTION] = { .name = "mpi_function",
	    .about = "MPI calls, by function",
	    ES_COLUMNS(function_columns),
	    .sql = es__sql_mpi_function,
	    .order = "time_ns DESC",
	    .reading = es__sql_mpi_function_reading,
	    .reading_about = "function with the most time in MPI" },
};

/* The longest text of flags_text, its closing 0 included. */
#define FLAGS_BYTES 32

static const char *
flags_text(uint32_t flags, char text[FLAGS_BYTES])
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = { { ES_MPI_ROOT, "root" }, { ES_MPI_SENT, "sent" },
		{ ES_MPI_READY, "ready" }, { ES_MPI_MANY, "many" },
		{ ES_MPI_ELSE, "else" } };
	size_t length = 0;

	text[0] = '\0';
	for (size_t n = 0; n < ES__COUNT(names); n++) {
		if (flags & names[n].flag)
			length += (size_t)snprintf(text + length,
			    FLAGS_BYTES - length, "%s%s", length ? " " : "",
			    names[n].name);
	}
	return text;
}

static int
number_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Compares the keys of lines of one rank. */
static int
line_order(const void *left, const void *right)
{
	const struct es__wait_minimum *a = left, *b = right;
	int order = number_order(a->site, b->site);

	if (order == 0)
		order = number_order(a->function, b->function);
	if (order == 0)
		order = number_order(a->size_class, b->size_class);
	if (order == 0)
		order = number_order(a->comm, b->comm);
	if (order == 0)
		order = number_order(a->phase, b->phase);
	return order != 0 ? order : number_order(a->flags, b->flags);
}

static void
line_add(struct es__wait_minimum *sum, const struct es__wait_minimum *more)
{
	sum->calls += more->calls;
	sum->bytes += more->bytes;
	sum->time_ns += more->time_ns;
	sum->measured_ns += more->measured_ns;
	sum->min_ns = fmin(sum->min_ns, more->min_ns);
	sum->max_ns = fmax(sum->max_ns, more->max_ns);
	sum->wait_ns[ES__WAIT_MINIMUM_PLAIN] +=
	    more->wait_ns[ES__WAIT_MINIMUM_PLAIN];
}

static paths_status
line_show(struct es_sink *sink, const struct es__wait_minimum *line)
{
	const struct es_mpi_function *function =
	    es_mpi_function(line->function);
	bool waits = line->pattern != ES__WAIT_NONE;
	char flags[FLAGS_BYTES];

	return sink->row(sink, &tables[PROFILE],
	    (struct es_value[]){ ES_INT(line->rank), es__id(line->site),
		es__text(function == NULL ? NULL : function->name),
		ES_INT(line->size_class), ES_INT(line->calls),
		ES_INT(llround(line->time_ns)), ES_INT(llround(line->min_ns)),
		waits ? ES_INT(llround(line->wait_ns[ES__WAIT_MINIMUM_PLAIN])) :
			ES_NIL,
		ES_INT(llround(line->max_ns)), ES_INT(line->bytes),
		line->comm == ES_MPI_RUN_NULL ? ES_NIL : es__id(line->comm),
		es__id(line->phase), ES_STR(flags_text(line->flags, flags)),
		ES_INT(llround(line->measured_ns)) });
}

/* Writes the rows of one rank. */
static paths_status
rank_show(struct es_sink *sink, const struct es__wait_minimum *rows,
    size_t count)
{
	struct es__wait_minimum *lines = calloc(count, sizeof(*lines));
	paths_status st = PATHS_OK;
	size_t kept = 0;

	if (lines == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for profiles");
	memcpy(lines, rows, count * sizeof(*lines));
	qsort(lines, count, sizeof(*lines), line_order);
	for (size_t n = 0; n < count; n++) {
		if (kept > 0 && line_order(&lines[kept - 1], &lines[n]) == 0)
			line_add(&lines[kept - 1], &lines[n]);
		else
			lines[kept++] = lines[n];
	}
	for (size_t n = 0; st == PATHS_OK && n < kept; n++)
		st = line_show(sink, &lines[n]);
	free(lines);
	return st;
}

static paths_status
mpi_profile_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__estimates *e;
	size_t from = 0;
	paths_status st = es__estimates_get(a, &e);

	for (size_t n = 1; st == PATHS_OK && n <= e->count; n++) {
		if (n < e->count && e->rows[n].rank == e->rows[from].rank)
			continue;
		st = rank_show(sink, &e->rows[from], n - from);
		from = n;
	}
	return st;
}

const struct es_view es__view_mpi_profile = {
	.name = "mpi_profile",
	.about = "MPI calls, by rank, call site and size",
	.question = "Which MPI calls take the most time?",
	.topic = ES_TOPIC_TIME,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = mpi_profile_compute,
	.needs = ES_NEED_MPI | ES_NEED_PROFILE,
};
