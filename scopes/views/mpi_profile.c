/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi_profile.c - MPI calls, by rank, call site and size
 *
 * What threads of a rank counted alike is added up.  wait_ns is what the
 * minimum method says (scopes/minimum_private.h); wait_estimate has its
 * variants.
 */

#include "scopes/estimates_private.h"
#include "scopes/view_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct es_column profile_columns[] = {
	{ "rank", ES_INTEGER, "that called" },
	{ "site", ES_INTEGER, "from where: see mpi_site; 0: not asked for" },
	{ "function", ES_TEXT, "of MPI" },
	{ "size_class", ES_INTEGER,
	    "of the bytes received, or else sent: 0: none; n: [2^(n-1), 2^n)" },
	{ "calls", ES_INTEGER, "how many" },
	{ "time_ns", ES_INTEGER, "in all of them" },
	{ "min_ns", ES_INTEGER, "the shortest" },
	{ "wait_ns", ES_INTEGER,
	    "of that time, waiting, estimated by the minimum method; NULL: "
	    "calls that do not wait for others" },
	{ "max_ns", ES_INTEGER, "the longest" },
	{ "bytes", ES_INTEGER, "received, or else sent" },
	{ "comm", ES_INTEGER, "of collectives; see mpi_comm" },
	{ "phase", ES_INTEGER, "of the program; see mpi_phase" },
	{ "flags", ES_TEXT,
	    "root: the caller is the root; sent: it completed sends; ready: the "
	    "data was known to be there; many: it completed more or less than "
	    "one request, wait_ns is unreliable; else: it completed neither a "
	    "send nor a receive" },
};

static const struct es_column function_columns[] = {
	{ "function", ES_TEXT, "of MPI" },
	{ "ranks", ES_INTEGER, "that called it" },
	{ "calls", ES_INTEGER, "how many" },
	{ "bytes", ES_INTEGER, "received, or else sent" },
	{ "time_ns", ES_INTEGER, "in all calls of all ranks" },
	{ "min_ns", ES_INTEGER, "the shortest call" },
	{ "max_ns", ES_INTEGER, "the longest call" },
	{ "wait_ns", ES_INTEGER, "of that time, waiting, estimated" },
};

enum { PROFILE, FUNCTION };

static const struct es_table tables[] = {
	[PROFILE] = ES__TABLE("mpi_profile", profile_columns,
	    "MPI calls, by rank, call site and size"),
	[FUNCTION] = {
		.name = "mpi_function",
		.about = "MPI calls, by function",
		.columns = function_columns,
		.column_count = ES__COUNT(function_columns),
		.sql = "CREATE VIEW mpi_function AS SELECT function,"
		       " count(DISTINCT rank) AS ranks, sum(calls) AS calls,"
		       " sum(bytes) AS bytes, sum(time_ns) AS time_ns,"
		       " min(min_ns) AS min_ns, max(max_ns) AS max_ns,"
		       " sum(wait_ns) AS wait_ns"
		       " FROM mpi_profile GROUP BY function",
	},
};

/* Rows with the same key, of one rank. */
struct line {
	const struct es_mpi_profile *key;
	uint32_t site, comm, phase; /* of the run */
	bool waits;
	uint64_t calls, bytes, sum_ticks, min_ticks, max_ticks;
	double wait_ns;
};

/* Room for FLAGS_BYTES. */
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

static int
line_order(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	int order = number_order(a->site, b->site);

	if (order == 0)
		order = number_order(a->key->function, b->key->function);
	if (order == 0)
		order = number_order(a->key->size_class, b->key->size_class);
	if (order == 0)
		order = number_order(a->comm, b->comm);
	if (order == 0)
		order = number_order(a->phase, b->phase);
	return order != 0 ? order : number_order(a->key->flags, b->key->flags);
}

static struct line
line_of(const struct es_mpi *mpi, const struct es__minimum *m)
{
	const struct es_mpi_profile *row = m->row;

	return (struct line){ .key = row,
		.site = es_mpi_find_site(mpi, m->rank, row->site),
		.comm = es_mpi_find_comm(mpi, m->rank, row->comm).comm,
		.phase = es_mpi_find_phase(mpi, m->rank, row->phase),
		.waits = m->pattern != ES__WAIT_NONE,
		.calls = row->calls,
		.bytes = row->bytes,
		.sum_ticks = row->sum_ticks,
		.min_ticks = row->min_ticks,
		.max_ticks = row->max_ticks,
		.wait_ns = m->wait_ns[ES__MINIMUM_PLAIN] };
}

static void
line_add(struct line *sum, const struct line *more)
{
	sum->calls += more->calls;
	sum->bytes += more->bytes;
	sum->sum_ticks += more->sum_ticks;
	sum->wait_ns += more->wait_ns;
	if (more->min_ticks < sum->min_ticks)
		sum->min_ticks = more->min_ticks;
	if (more->max_ticks > sum->max_ticks)
		sum->max_ticks = more->max_ticks;
}

static struct es_value
ticks_value(uint64_t ticks, double ns_per_tick)
{
	return ES_INT(llround((double)ticks * ns_per_tick));
}

static paths_status
line_show(struct es_sink *sink, const struct es__minimum *m,
    const struct line *line)
{
	const struct es_mpi_function *function =
	    es_mpi_function(line->key->function);
	char flags[FLAGS_BYTES];

	return sink->row(sink, &tables[PROFILE],
	    (struct es_value[]){ ES_INT(m->rank), es__id(line->site),
		es__text(function == NULL ? NULL : function->name),
		ES_INT(line->key->size_class), ES_INT(line->calls),
		ticks_value(line->sum_ticks, m->ns_per_tick),
		ticks_value(line->min_ticks, m->ns_per_tick),
		line->waits ? ES_INT(llround(line->wait_ns)) : ES_NIL,
		ticks_value(line->max_ticks, m->ns_per_tick),
		ES_INT(line->bytes),
		line->key->comm == ES_MPI_COMM_NULL ? ES_NIL :
						      es__id(line->comm),
		es__id(line->phase),
		ES_STR(flags_text(line->key->flags, flags)) });
}

/* The rows of one rank. */
static paths_status
rank_show(const struct es_mpi *mpi, struct es_sink *sink,
    const struct es__minimum *rows, size_t count)
{
	struct line *lines = calloc(count, sizeof(*lines));
	paths_status st = PATHS_OK;
	size_t kept = 0;

	if (lines == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for profiles");
	for (size_t n = 0; n < count; n++)
		lines[n] = line_of(mpi, &rows[n]);
	qsort(lines, count, sizeof(*lines), line_order);
	for (size_t n = 0; n < count; n++) {
		if (kept > 0 && line_order(&lines[kept - 1], &lines[n]) == 0)
			line_add(&lines[kept - 1], &lines[n]);
		else
			lines[kept++] = lines[n];
	}
	for (size_t n = 0; st == PATHS_OK && n < kept; n++)
		st = line_show(sink, &rows[0], &lines[n]);
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
		st = rank_show(a->run->mpi, sink, &e->rows[from], n - from);
		from = n;
	}
	return st;
}

const struct es_view es__view_mpi_profile = {
	.name = "mpi_profile",
	.about = "MPI calls, by rank, call site and size",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = mpi_profile_compute,
};
