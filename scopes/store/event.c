/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event.c - the virtual table `event` of raw tuples
 *
 *	CREATE VIRTUAL TABLE event USING event			in view.db
 *	CREATE VIRTUAL TABLE temp.other USING event('RUN')
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
#include "scopes/store/event_plan_private.h"
#include "scopes/store/event_run_private.h"

#include <stdlib.h>
#include <string.h>

struct event_table {
	sqlite3_vtab base; /* first: SQLite's */
	struct es__event_run run;
	struct es__event_columns columns;
};

struct event_cursor {
	sqlite3_vtab_cursor base; /* first: SQLite's */
	struct es__event_range ranges[EVENT_KEYS];
	int64_t collector; /* current collector */
	int64_t last;	   /* last collector of the query */
	uint64_t n;	   /* number of the tuple, in [n, end) */
	uint64_t end;
	const struct es_collector *at;
	const struct es__event_type *type;
	const struct es_timebase *time;
};

static int
event_declare(sqlite3 *db, struct event_table *table)
{
	char *sql;
	int rc;

	if (es__event_columns_init(&table->columns, table->run.run) != PATHS_OK)
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

	es__event_run_close(&table->run);
	es__event_columns_fini(&table->columns);
	free(table);
	return SQLITE_OK;
}

/* arguments	names of module, schema and table, then those of the user */
static int
event_connect(sqlite3 *db, void *data, int count, const char *const *arguments,
    sqlite3_vtab **base, char **error)
{
	struct event_table *table = calloc(1, sizeof(*table));
	int rc;

	(void)error;
	if (table == NULL)
		return SQLITE_NOMEM;
	/* data	not NULL: the table stays empty, see es__extension_register */
	rc = data != NULL ? SQLITE_OK :
			    es__event_run_open(&table->run, db, arguments[1],
				count > 3 ? arguments[3] : NULL);
	if (rc == SQLITE_OK)
		rc = event_declare(db, table);
	if (rc != SQLITE_OK) {
		(void)event_disconnect(&table->base);
		return rc;
	}
	*base = &table->base;
	return SQLITE_OK;
}

static int
event_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct event_table *table = (struct event_table *)base;

	return es__event_plan(info,
	    &(struct es__event_sizes){ table->run.tuples, table->run.collectors,
		table->columns.seq_ascends });
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

/* Limit of times since the start of a run, about 36 years. */
#define EVENT_FAR_NS ((int64_t)1 << 60)

/* Returns the number of the first tuple whose key is at least the value. */
static uint64_t
event_seek(const struct event_cursor *c, int key, int64_t value)
{
	if (key == EVENT_SEQ) {
		return value <= 0 ? 0 :
				    es_collector_seek(c->at, (uint64_t)value);
	}
	if (value < -EVENT_FAR_NS)
		return 0;
	return value > EVENT_FAR_NS ?
	    c->at->count :
	    es_collector_seek_start(c->at, es_time_ticks(c->time, value));
}

static void
event_narrow_by(struct event_cursor *c, int key)
{
	const struct es__event_range *range = &c->ranges[key];
	uint64_t n = event_seek(c, key, range->lo);
	uint64_t end = range->hi == INT64_MAX ?
	    c->at->count :
	    event_seek(c, key, range->hi + 1);

	if (range->hi < range->lo)
		end = 0;
	c->n = n > c->n ? n : c->n;
	c->end = end < c->end ? end : c->end;
}

/* Sets [n, end) to the tuples of the collector that are in the ranges. */
static void
event_narrow(struct event_cursor *c)
{
	const struct event_table *table = (struct event_table *)c->base.pVtab;

	c->n = 0;
	c->end = c->at->count;
	if (table->columns.seq_ascends)
		event_narrow_by(c, EVENT_SEQ);
	event_narrow_by(c, EVENT_START);
}

/* Moves to the first collector, starting with the current one, that has a tuple
   in the ranges. */
static void
event_settle(struct event_cursor *c)
{
	const struct event_table *table = (struct event_table *)c->base.pVtab;

	for (; c->collector <= c->last; c->collector++) {
		c->at =
		    es_run_collector(table->run.run, (uint32_t)c->collector);
		if (c->at->type == NULL)
			continue;
		c->type =
		    &table->columns.types[table->columns.type_of[c->collector]];
		c->time = &table->run.bases[c->at->process];
		event_narrow(c);
		if (c->n < c->end)
			return;
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

	(void)number;
	(void)count;
	if (rc == SQLITE_ERROR)
		return event_fail(table);
	if (rc != SQLITE_OK)
		return rc;
	es__event_plan_ranges(plan, values, c->ranges);
	c->collector = range->lo > 0 ? range->lo : 0;
	c->last = (int64_t)table->run.collectors - 1;
	if (range->hi < c->last)
		c->last = range->hi;
	event_settle(c);
	return SQLITE_OK;
}

static int
event_next(sqlite3_vtab_cursor *cursor)
{
	struct event_cursor *c = (struct event_cursor *)cursor;

	if (++c->n == c->end) {
		c->collector++;
		event_settle(c);
	}
	return SQLITE_OK;
}

static int
event_eof(sqlite3_vtab_cursor *cursor)
{
	const struct event_cursor *c = (struct event_cursor *)cursor;

	return c->collector > c->last;
}

static int
event_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column)
{
	const struct event_cursor *c = (struct event_cursor *)cursor;
	const struct event_table *table = (struct event_table *)cursor->pVtab;

	if (column == EVENT_COLLECTOR)
		sqlite3_result_int64(to, c->collector);
	else if (table->columns.columns[column].what == EVENT_CALL)
		sqlite3_result_int(to,
		    !c->type->calls || es_operation_is_call(c->at, c->n));
	else
		es__event_columns_get(&table->columns, (unsigned)column,
		    &(struct es__event_tuple){ c->type, c->at,
			es_collector_tuple(c->at, c->n), c->time },
		    to);
	return SQLITE_OK;
}

static int
event_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
	const struct event_cursor *c = (struct event_cursor *)cursor;

	*rowid = (c->collector << 40) + (int64_t)(c->at->first + c->n);
	return SQLITE_OK;
}

/* xCreate is xConnect, so the table exists without CREATE VIRTUAL TABLE. */
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
	static char yes;

	return sqlite3_create_module_v2(db, "event", &event_module,
	    empty ? &yes : NULL, NULL);
}
