/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/column.c - a column of a table, as people read it
 */

#include "scopes/show/column_private.h"
#include "scopes/show/show_private.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A unit that names of columns carry, and how it is shown. */
struct scale {
	const char *suffix;
	const char *unit;
	double from; /* the largest value has at least that */
	double divisor;
	int decimals;
};

static const struct scale scales[] = {
	{ "_ns", "ns", 0.0, 1.0, 0 },
	{ "_ns", "us", 1e4, 1e3, 3 },
	{ "_ns", "ms", 1e7, 1e6, 3 },
	{ "_ns", "s", 1e10, 1e9, 3 },
	{ "_share", "%", 0.0, 0.01, 1 },
	{ "_ppb", "ppm", 0.0, 1e3, 3 },
	{ "bytes", "B", 0.0, 1.0, 0 },
	{ "bytes", "KiB", 1e4, 1024.0, 1 },
	{ "bytes", "MiB", 1e7, 1024.0 * 1024.0, 1 },
	{ "bytes", "GiB", 1e10, 1024.0 * 1024.0 * 1024.0, 1 },
};

#define SCALE_COUNT (sizeof(scales) / sizeof(scales[0]))

#define PROCESS "SELECT name FROM process WHERE process = "
#define HOST "SELECT name FROM host WHERE host = "
#define THREAD "SELECT name FROM thread WHERE thread = "
#define COMM "SELECT name FROM mpi_comm WHERE comm = "
#define PHASE "SELECT name FROM mpi_phase WHERE phase = "
#define INPUT \
	"SELECT ifnull(t.name, s.name) FROM join_input j " \
	"LEFT JOIN path p ON p.path = j.path " \
	"LEFT JOIN thread t ON t.thread = p.thread " \
	"LEFT JOIN stage s ON s.stage = j.above " \
	"WHERE j.stage = shown.stage AND j.input = "

/*
 * Columns that hold an id: what names it.  Not in the table that gives it; of
 * several that fit, the last one counts.
 */
static const struct {
	const char *column;
	const char *table; /* that gives it */
	const char *names;
	const char *only;  /* in this table; NULL: in all */
	const char *needs; /* table that the names are in; NULL: one that every
			      view.db has */
} ids[] = {
	{ "host", "host", HOST, NULL, NULL },
	{ "reference", "host", HOST, NULL, NULL },
	{ "pair_from", "host", HOST, NULL, NULL },
	{ "pair_to", "host", HOST, NULL, NULL },
	{ "process", "process", PROCESS, NULL, NULL },
	{ "source", "process", PROCESS, NULL, NULL },
	{ "target", "process", PROCESS, NULL, NULL },
	{ "rank", "mpi_rank", PROCESS, NULL, NULL },
	{ "met_by", "process", PROCESS, NULL, NULL },
	{ "first_rank", "process", PROCESS, NULL, NULL },
	{ "thread", "thread", THREAD, NULL, NULL },
	{ "waiter", "thread", THREAD, NULL, NULL },
	{ "culprit", "thread", THREAD, NULL, NULL },
	{ "waiter", "thread", PROCESS, "wait_pair", NULL },
	{ "culprit", "thread", PROCESS, "wait_pair", NULL },
	{ "site", "mpi_site", ES__SHOW_SITE, NULL, "mpi_site" },
	{ "comm", "mpi_comm", COMM, NULL, "mpi_comm" },
	{ "parent", "mpi_site", COMM, "mpi_comm", "mpi_comm" },
	{ "phase", "mpi_phase", PHASE, NULL, "mpi_phase" },
	{ "element", "element",
	    "SELECT name FROM element WHERE element = ", NULL, NULL },
	{ "stage", "stage", "SELECT name FROM stage WHERE stage = ", NULL,
	    NULL },
	{ "path", "path",
	    "SELECT t.name || ifnull('/' || e.name, '') FROM path p "
	    "JOIN thread t ON t.thread = p.thread "
	    "LEFT JOIN element e ON e.element = p.element WHERE p.path = ",
	    NULL, NULL },
	{ "input", "join_input", INPUT, NULL, NULL },
	{ "before", "join_input", INPUT, NULL, NULL },
	{ "after", "join_input", INPUT, NULL, NULL },
};

#define ID_COUNT (sizeof(ids) / sizeof(ids[0]))

/* Where the unit is in a name: a word of its own.  NULL: nowhere. */
static const char *
column_find(const char *name, const char *suffix)
{
	size_t length = strlen(suffix);
	const char *at = strstr(name, suffix);

	if (at == NULL && *suffix == '_' &&
	    strncmp(name, suffix + 1, length - 1) == 0 &&
	    name[length - 1] == '\0')
		return name;
	if (at == NULL || (at[length] != '\0' && at[length] != '_'))
		return NULL;
	return at;
}

void
es__show_column_init(struct es__show_column *column, const char *table,
    const char *name)
{
	*column = (struct es__show_column){ .name = name,
		.unit = "",
		.divisor = 1.0,
		.decimals = -1 };
	for (size_t i = 0; i < ID_COUNT; i++) {
		if (strcmp(ids[i].column, name) != 0 ||
		    strcmp(ids[i].table, table) == 0 ||
		    (ids[i].only != NULL && strcmp(ids[i].only, table) != 0))
			continue;
		column->names = ids[i].names;
		column->needs = ids[i].needs;
	}
}

void
es__show_column_scale(struct es__show_column *column, double largest)
{
	for (size_t i = 0; i < SCALE_COUNT; i++) {
		const struct scale *scale = &scales[i];

		if (largest < scale->from ||
		    column_find(column->name, scale->suffix) == NULL)
			continue;
		column->unit = scale->unit;
		column->divisor = scale->divisor;
		column->decimals = scale->decimals;
	}
}

void
es__show_column_title(const struct es__show_column *column, char title[96])
{
	const char *unit = column_find(column->name, "_ns");
	size_t skip = unit == NULL ? 0 : 3;
	size_t before;
	int length;

	if (unit == NULL) {
		unit = column_find(column->name, "_ppb");
		skip = unit == NULL ? 0 : 4;
	}
	before =
	    unit == NULL ? strlen(column->name) : (size_t)(unit - column->name);
	length = snprintf(title, 64, "%.*s%s", (int)before, column->name,
	    unit == NULL ? "" : unit + skip);
	for (char *c = title; *c != '\0'; c++)
		if (*c == '_')
			*c = ' ';
	if (column->unit[0] != '\0' && length >= 0)
		snprintf(title + strlen(title), 16, " (%s)", column->unit);
}

struct es_value
es__show_column_value(struct es__show_column *column,
    const struct es_value *value)
{
	double number;

	if (value->kind != ES_INTEGER && value->kind != ES_REAL)
		return *value;
	if (value->kind == ES_INTEGER && column->divisor == 1.0)
		return *value;
	number =
	    value->kind == ES_REAL ? value->as.real : (double)value->as.integer;
	if (column->decimals < 0)
		snprintf(column->text, sizeof(column->text), "%.6g", number);
	else
		snprintf(column->text, sizeof(column->text), "%.*f",
		    column->decimals, number / column->divisor);
	return ES_STR(column->text);
}
