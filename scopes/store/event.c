/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event.c - the virtual tables of raw tuples
 *
 *	CREATE VIRTUAL TABLE event USING event			in view.db
 *	CREATE VIRTUAL TABLE event_part USING event_part	in view.db
 *	CREATE VIRTUAL TABLE temp.other USING event('RUN')
 *	CREATE VIRTUAL TABLE tuple_TYPE USING tuple		in view.db
 *
 * `event` has a row for each operation and each MPI call, so that its sums are
 * true.  The tuples of the requests that a call started or completed, together
 * with others, are in `event_part`.
 *
 * A table tuple_TYPE has the tuples of one type in the event spaces that are
 * not those of the run's processes.
 *
 * The run is RUN; without an argument, the folder of the database file, if it
 * holds a path map or event spaces; else the run that the database was computed
 * from (`run` in its table `meta`).  Without a run the table exists, so that a
 * view.db alone can be opened, and a query on the table fails with the reason.
 *
 * Times agree with those of the views: their conversion is read from the table
 * `timebase`.  Without that table, the first query aligns the clocks of hosts.
 * Collectors whose space is missing have no rows; `diagnostic` lists them.
 *
 * rowid	collector * 2^40 + number of the tuple in its collector
 */

#include "scopes/store/event_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/operation.h"
#include "scopes/store/event_columns_private.h"
#include "scopes/store/event_count_private.h"
#include "scopes/store/event_ops_private.h"
#include "scopes/store/event_plan_private.h"
#include "scopes/store/event_run_private.h"
#include "scopes/store/event_seek_private.h"

#include <stdlib.h>
#include <string.h>

/* The modules of the tables event_part and tuple_TYPE. */
#define EVENT_PARTS "event_part"
#define EVENT_TUPLES "tuple"

struct event_table {
	sqlite3_vtab base; /* first: SQLite's */
	struct es__event_run run;
	struct es__event_columns columns;
	struct es__event_ops ops;
	struct es__event_runs *runs; /* list that the run is in */
	char *only; /* name of a table of one tuple type; NULL: all types */
	bool parts; /* it has the parts of calls, and else calls */
};

struct event_cursor {
	sqlite3_vtab_cursor base; /* first: SQLite's */
	struct es__event_range ranges[EVENT_KEYS];
	int64_t collector; /* current collector */
	int64_t first;	   /* first and last collector of the query */
	int64_t last;
	uint64_t n; /* number of the tuple, in [n, end) */
	uint64_t end;
	const uint8_t *group_of; /* of the type; NULL: tuples of all groups */
	int group;		 /* current group; -1: of all at once */
	int last_group;
	bool sifts; /* the tuples are of MPI: calls and parts */
	const struct es_collector *at;
	const char *tuple; /* the current one */
	const struct es__event_type *type;
	const struct es_timebase *time;
};

static int
event_declare(sqlite3 *db, struct event_table *table)
{
	char *sql;
	int rc;

	if (es__event_columns_init(&table->columns, table->run.run,
		table->only) != PATHS_OK)
		return SQLITE_NOMEM;
	sql = es__event_columns_sql(&table->columns);
	rc = sql == NULL ? SQLITE_NOMEM : sqlite3_declare_vtab(db, sql);
	sqlite3_free(sql);
	return rc == SQLITE_OK ?
	    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS) :
	    rc;
}

static int
event_disconnect(sqlite3_vtab *base)
{
	struct event_table *table = (struct event_table *)base;

	es__event_runs_remove(table->runs, &table->run);
	es__event_run_close(&table->run);
	es__event_columns_fini(&table->columns);
	es__event_ops_fini(&table->ops);
	free(table->only);
	free(table);
	return SQLITE_OK;
}

/* arguments	names of module, schema and table, then those of the user */
static int
event_connect(sqlite3 *db, void *data, int count, const char *const *arguments,
    sqlite3_vtab **base, char **error)
{
	struct event_table *table = calloc(1, sizeof(*table));
	struct es__event_runs *runs = data;
	bool tuples = strcmp(arguments[0], EVENT_TUPLES) == 0;
	bool parts = strcmp(arguments[0], EVENT_PARTS) == 0;
	int rc;

	(void)error;
	if (table == NULL)
		return SQLITE_NOMEM;
	table->runs = runs;
	table->parts = parts;
	if (tuples && (table->only = strdup(arguments[2])) == NULL) {
		free(table);
		return SQLITE_NOMEM;
	}
	rc = runs->empty ? SQLITE_OK :
			   es__event_run_open(&table->run, db, arguments[1],
			       count > 3 ? arguments[3] : NULL, tuples);
	if (rc == SQLITE_OK)
		rc = event_declare(db, table);
	if (rc != SQLITE_OK) {
		(void)event_disconnect(&table->base);
		return rc;
	}
	if (!tuples && !parts)
		es__event_runs_add(runs, &table->run, arguments[1],
		    arguments[2]);
	*base = &table->base;
	return SQLITE_OK;
}

/* Returns true if a key ascends in every collector. */
static bool
event_ascends(struct event_table *table, int key)
{
	for (uint32_t c = 0; c < table->run.collectors; c++)
		if (!es__event_ascends(&table->run, c, key))
			return false;
	return true;
}

static int
event_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	struct event_table *table = (struct event_table *)base;
	struct es__event_sizes sizes = { .tuples = table->run.tuples,
		.collectors = table->run.collectors };

	for (int key = EVENT_SEQ; info->nOrderBy > 0 && key <= EVENT_START;
	     key++)
		sizes.ascends[key] = event_ascends(table, key);
	sizes.by_op = es__event_plan_uses(info, EVENT_OP_COLUMN) &&
	    es__event_ops_find(&table->ops, &table->columns, table->run.run);
	return es__event_plan(info, &sizes);
}

static int
event_open(sqlite3_vtab *base, sqlite3_vtab_cursor **cursor)
{
	struct event_cursor *c = calloc(1, sizeof(*c));

	(void)base;
	if (c == NULL)
		return SQLITE_NOMEM;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int
event_close(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

/* Sets the reason why a query fails. */
static int
event_fail(struct event_table *table)
{
	sqlite3_free(table->base.zErrMsg);
	table->base.zErrMsg = sqlite3_mprintf("event: %s",
	    table->run.why == NULL ? "it has no run" : table->run.why);
	return SQLITE_ERROR;
}

/* Sets [n, end) to the tuples of the collector that are in the ranges. */
static void
event_narrow(struct event_cursor *c)
{
	struct event_table *table = (struct event_table *)c->base.pVtab;
	struct es__event_window window = { 0, c->at->count };

	for (int key = EVENT_SEQ; key <= EVENT_START; key++)
		(void)es__event_narrow(&table->run, (uint32_t)c->collector, key,
		    &c->ranges[key], &window);
	c->n = window.n;
	c->end = window.end;
}

/* Returns true if the table has a row for the current tuple, of its group. */
static bool
event_shows(const struct event_cursor *c)
{
	const struct event_table *table =
	    (const struct event_table *)c->base.pVtab;

	if (c->sifts && es_operation_is_call(c->at, c->n) == table->parts)
		return false;
	return c->group_of == NULL ||
	    c->group_of[es__event_op_of(c->type, c->at, c->n)] == c->group;
}

/* Moves n to the first tuple, starting with the current one, that has a row. */
static void
event_skip(struct event_cursor *c)
{
	while (c->n < c->end && !event_shows(c))
		c->n++;
}

/* Sets the window of the collector.  Returns false if it is empty. */
static bool
event_enter(struct event_cursor *c)
{
	const struct event_table *table = (struct event_table *)c->base.pVtab;
	uint32_t number = (uint32_t)c->collector;
	uint32_t type = table->columns.type_of[number];

	c->at = es_run_collector(table->run.run, number);
	if (type == PATHS_NONE ||
	    (c->group >= 0 && (table->ops.groups[number] >> c->group & 1) == 0))
		return false;
	c->type = &table->columns.types[type];
	c->sifts = c->type->calls && table->only == NULL;
	if (table->parts && !c->sifts)
		return false;
	c->time = &table->run.bases[c->at->process];
	event_narrow(c);
	c->group_of = c->group < 0 || c->type->op == NULL ?
	    NULL :
	    table->ops.group_of[type];
	if (c->group_of != NULL || c->sifts)
		event_skip(c);
	return c->n < c->end;
}

/* Moves to the first collector, starting with the current one, that has a tuple
   in the ranges; from the last one, to the next group. */
static void
event_settle(struct event_cursor *c)
{
	for (;;) {
		for (; c->collector <= c->last; c->collector++) {
			if (event_enter(c)) {
				c->tuple = es_collector_tuple(c->at, c->n);
				return;
			}
		}
		if (c->group >= c->last_group)
			return;
		c->group++;
		c->collector = c->first;
	}
}

/* Sets the groups that a query reads one by one, if it does. */
static void
event_choose(struct event_cursor *c, bool by_op, sqlite3_value *op)
{
	const struct event_table *table = (struct event_table *)c->base.pVtab;
	int count = (int)table->ops.count;
	int group = op == NULL ? -1 : es__event_ops_group(&table->ops, op);

	c->group = c->last_group = -1;
	if (group >= 0 && group < count) {
		c->group = c->last_group = group;
	} else if (group == count) {
		c->last = c->first - 1;
	} else if (by_op && count > 0) {
		c->group = 0;
		c->last_group = count - 1;
	}
}

static int
event_filter(sqlite3_vtab_cursor *cursor, int number, const char *plan,
    int count, sqlite3_value **values)
{
	struct event_cursor *c = (struct event_cursor *)cursor;
	struct event_table *table = (struct event_table *)cursor->pVtab;
	const struct es__event_range *range = &c->ranges[EVENT_COLLECTOR];
	int rc = es__event_run_prepare(&table->run);
	sqlite3_value *op;

	(void)count;
	if (rc == SQLITE_ERROR)
		return event_fail(table);
	if (rc != SQLITE_OK)
		return rc;
	es__event_plan_ranges(plan, values, c->ranges, &op);
	c->first = range->lo > 0 ? range->lo : 0;
	c->last = (int64_t)table->run.collectors - 1;
	if (range->hi < c->last)
		c->last = range->hi;
	event_choose(c, (number & EVENT_BY_OP) != 0, op);
	c->collector = c->first;
	event_settle(c);
	return SQLITE_OK;
}

static int
event_next(sqlite3_vtab_cursor *cursor)
{
	struct event_cursor *c = (struct event_cursor *)cursor;

	c->n++;
	if (c->group_of != NULL || c->sifts)
		event_skip(c);
	if (c->n == c->end) {
		c->collector++;
		event_settle(c);
	} else {
		c->tuple = es_collector_tuple(c->at, c->n);
	}
	return SQLITE_OK;
}

static int
event_eof(sqlite3_vtab_cursor *cursor)
{
	const struct event_cursor *c = (struct event_cursor *)cursor;

	return c->collector > c->last;
}

/* Reads a column that has no short way.  Not inlined, because the short ways
   then save no registers. */
__attribute__((noinline)) static void
event_field(const struct event_cursor *c, sqlite3_context *to, int column)
{
	const struct event_table *table = (struct event_table *)c->base.pVtab;

	es__event_columns_get(&table->columns, (unsigned)column,
	    &(struct es__event_tuple){ c->type, c->at, c->tuple, c->time }, to);
}

/* Returns the stamp at a place in the current tuple. */
static uint64_t
event_ticks(const char *at)
{
	uint64_t ticks;

	memcpy(&ticks, at, sizeof(ticks));
	return ticks;
}

/* Writes the time of a stamp, or of a stamp since the start, unless the
   operation has not reached it. */
__attribute__((noinline)) static void
event_time(const struct event_cursor *c, const char *at, bool since,
    sqlite3_context *to)
{
	uint64_t ticks = event_ticks(at);
	int64_t start;

	if (ticks == 0)
		return;
	if (!since) {
		sqlite3_result_int64(to, es_time_ns(c->time, ticks));
		return;
	}
	start =
	    es_time_ns(c->time, event_ticks(c->tuple + c->type->start->offset));
	/* Wraps: a damaged file can hold any stamp. */
	sqlite3_result_int64(to,
	    (int64_t)((uint64_t)es_time_ns(c->time, ticks) - (uint64_t)start));
}

static int
event_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column)
{
	const struct event_cursor *c = (struct event_cursor *)cursor;
	const struct es__event_read *read = &c->type->reads[column];
	const char *at = c->tuple + read->offset;
	uint32_t u32;
	uint16_t u16;

	switch (read->how) {
	case EVENT_READ_NULL:
		break;
	case EVENT_READ_U16:
		memcpy(&u16, at, sizeof(u16));
		sqlite3_result_int64(to, u16);
		break;
	case EVENT_READ_U32:
		memcpy(&u32, at, sizeof(u32));
		sqlite3_result_int64(to, u32);
		break;
	case EVENT_READ_SEQ:
		memcpy(&u32, at, sizeof(u32));
		sqlite3_result_int64(to, (int64_t)es_collector_seq(c->at, u32));
		break;
	case EVENT_READ_COLLECTOR:
		sqlite3_result_int64(to, c->collector);
		break;
	case EVENT_READ_START:
		sqlite3_result_int64(to, es_time_ns(c->time, event_ticks(at)));
		break;
	case EVENT_READ_STAMP:
	case EVENT_READ_DURATION:
		event_time(c, at, read->how == EVENT_READ_DURATION, to);
		break;
	default:
		event_field(c, to, column);
		break;
	}
	return SQLITE_OK;
}

static int
event_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
	const struct event_cursor *c = (struct event_cursor *)cursor;

	*rowid = (c->collector << 40) + (int64_t)(c->at->first + c->n);
	return SQLITE_OK;
}

/* xCreate is xConnect, so `event` exists without CREATE VIRTUAL TABLE. */
static const sqlite3_module event_module = {
	.iVersion = 1,
	.xCreate = event_connect,
	.xConnect = event_connect,
	.xBestIndex = event_best_index,
	.xDisconnect = event_disconnect,
	.xDestroy = event_disconnect,
	.xOpen = event_open,
	.xClose = event_close,
	.xFilter = event_filter,
	.xNext = event_next,
	.xEof = event_eof,
	.xColumn = event_column,
	.xRowid = event_rowid,
};

int
es__event_register(sqlite3 *db, bool empty)
{
	static const char *const modules[] = { "event", EVENT_PARTS,
		EVENT_TUPLES };
	struct es__event_runs *runs = es__event_runs_create(empty);
	int rc = SQLITE_OK;

	if (runs == NULL)
		return SQLITE_NOMEM;
	/* On an error SQLite ends the share of a module.  The first share ends
	   here. */
	for (size_t n = 0;
	     rc == SQLITE_OK && n < sizeof(modules) / sizeof(modules[0]); n++) {
		runs->shares++;
		rc = sqlite3_create_module_v2(db, modules[n], &event_module,
		    runs, es__event_runs_unref);
	}
	if (rc == SQLITE_OK)
		rc = es__event_count(db, runs);
	else
		rc = SQLITE_NOMEM;
	es__event_runs_unref(runs);
	return rc;
}
