/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/waits_table.c - the virtual table of who waits for whom
 *
 *	CREATE VIRTUAL TABLE waits_at USING waits_at		in view.db
 *	SELECT * FROM waits_at(TIME_NS)
 *	SELECT * FROM waits_at(FROM_NS, TO_NS)
 *
 * The rows are the spans of scopes/waits_at.h that overlap the time or the
 * interval; limits of start_ns and stop_ns narrow them too.  The run is that of
 * the table `event`; the first query aligns its clocks and, for MPI, matches
 * its messages.  Rows are computed while they are read.
 */

#include "scopes/store/waits_table_private.h"

#include "scopes/store/event_run_private.h"
#include "scopes/waits_at.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

/* Columns, in the order of waits_declaration. */
enum waits_column {
	WAITS_WAITER,
	WAITS_CULPRIT,
	WAITS_PATTERN,
	WAITS_OP,
	WAITS_STAGE,
	WAITS_SITE,
	WAITS_START,
	WAITS_STOP,
	WAITS_SINCE,
	WAITS_COLLECTOR,
	WAITS_SEQ,
	WAITS_FROM,
	WAITS_TO
};

static const char waits_declaration[] =
    "CREATE TABLE x(waiter INTEGER, culprit INTEGER, pattern TEXT, op TEXT, "
    "stage INTEGER, site INTEGER, start_ns INTEGER, stop_ns INTEGER, "
    "since_ns INTEGER, collector INTEGER, seq INTEGER, "
    "from_ns INTEGER HIDDEN, to_ns INTEGER HIDDEN)";

/* The limits of a query, one bit of idxNum each; xFilter gets their values in
   this order. */
enum waits_limit { LIMIT_FROM, LIMIT_TO, LIMIT_START, LIMIT_STOP, LIMITS };

struct waits_table {
	sqlite3_vtab base; /* first: SQLite's */
	struct es__event_run run;
	struct es_analysis *analysis; /* NULL: no query yet */
	bool empty, opened;
	char *schema;
};

struct waits_cursor {
	sqlite3_vtab_cursor base; /* first: SQLite's */
	struct es_waits *waits;
	struct es_waits_span span;
	int64_t row;
	bool end;
};

static int
waits_disconnect(sqlite3_vtab *base)
{
	struct waits_table *table = (struct waits_table *)base;

	es_analysis_close(table->analysis);
	es__event_run_close(&table->run);
	sqlite3_free(table->schema);
	free(table);
	return SQLITE_OK;
}

static int
waits_connect(sqlite3 *db, void *empty, int count, const char *const *arguments,
    sqlite3_vtab **base, char **error)
{
	struct waits_table *table = calloc(1, sizeof(*table));
	int rc = SQLITE_NOMEM;

	(void)count;
	(void)error;
	if (table == NULL)
		return rc;
	table->empty = empty != NULL;
	table->run.db = db;
	table->schema = sqlite3_mprintf("%s", arguments[1]);
	if (table->schema != NULL)
		rc = sqlite3_declare_vtab(db, waits_declaration);
	if (rc == SQLITE_OK)
		rc = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	if (rc == SQLITE_OK)
		*base = &table->base;
	else
		(void)waits_disconnect(&table->base);
	return rc;
}

/* Returns the limit that a constraint sets, or LIMITS. */
static enum waits_limit
waits_limit_of(const struct sqlite3_index_constraint *c)
{
	bool less = c->op == SQLITE_INDEX_CONSTRAINT_LT ||
	    c->op == SQLITE_INDEX_CONSTRAINT_LE;
	bool more = c->op == SQLITE_INDEX_CONSTRAINT_GT ||
	    c->op == SQLITE_INDEX_CONSTRAINT_GE;

	if (c->op == SQLITE_INDEX_CONSTRAINT_EQ && c->iColumn == WAITS_FROM)
		return LIMIT_FROM;
	if (c->op == SQLITE_INDEX_CONSTRAINT_EQ && c->iColumn == WAITS_TO)
		return LIMIT_TO;
	if (less && c->iColumn == WAITS_START)
		return LIMIT_START;
	return more && c->iColumn == WAITS_STOP ? LIMIT_STOP : LIMITS;
}

static int
waits_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	int chosen[LIMITS] = { -1, -1, -1, -1 }, next = 1;

	(void)base;
	for (int n = 0; n < info->nConstraint; n++) {
		enum waits_limit limit = waits_limit_of(&info->aConstraint[n]);

		if (limit == LIMITS)
			continue;
		if (info->aConstraint[n].usable)
			chosen[limit] = n;
		else if (limit <= LIMIT_TO)
			return SQLITE_CONSTRAINT; /* arguments must be known */
	}
	info->estimatedCost = 1e9;
	for (int limit = 0; limit < LIMITS; limit++) {
		if (chosen[limit] < 0)
			continue;
		info->aConstraintUsage[chosen[limit]].argvIndex = next++;
		info->aConstraintUsage[chosen[limit]].omit = limit <= LIMIT_TO;
		info->idxNum |= 1 << limit;
		info->estimatedCost /= 1000;
	}
	info->estimatedRows = (sqlite3_int64)(info->estimatedCost / 100) + 1;
	return SQLITE_OK;
}

static int
waits_open(sqlite3_vtab *base, sqlite3_vtab_cursor **cursor)
{
	struct waits_cursor *c = calloc(1, sizeof(*c));

	(void)base;
	if (c == NULL)
		return SQLITE_NOMEM;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int
waits_close(sqlite3_vtab_cursor *cursor)
{
	struct waits_cursor *c = (struct waits_cursor *)cursor;

	es_waits_close(c->waits);
	free(c);
	return SQLITE_OK;
}

/* Sets the reason why a query fails. */
static int
waits_fail(struct waits_table *table, const char *why)
{
	sqlite3_free(table->base.zErrMsg);
	table->base.zErrMsg = sqlite3_mprintf("waits_at: %s", why);
	return SQLITE_ERROR;
}

/* Returns the method by which the clocks of the views were aligned.  The caller
   calls sqlite3_free. */
static char *
waits_clock(const struct waits_table *table)
{
	char *sql = sqlite3_mprintf("SELECT value FROM \"%w\".meta"
				    " WHERE key = 'clock_method'",
	    table->schema);
	sqlite3_stmt *s = NULL;
	char *clock = NULL;

	if (sql != NULL &&
	    sqlite3_prepare_v2(table->run.db, sql, -1, &s, NULL) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW)
		clock = sqlite3_mprintf("%s", sqlite3_column_text(s, 0));
	(void)sqlite3_finalize(s);
	sqlite3_free(sql);
	if (clock != NULL && es_analysis_check_clock(clock) != PATHS_OK) {
		sqlite3_free(clock);
		clock = NULL;
	}
	return clock;
}

/* Opens the run and its analysis with the first query. */
static int
waits_prepare(struct waits_table *table)
{
	sqlite3 *db = table->run.db;
	paths_status st;
	char *clock;

	if (table->analysis != NULL)
		return SQLITE_OK;
	if (!table->opened &&
	    es__event_run_open(&table->run, db, table->schema, NULL, false) !=
		SQLITE_OK)
		return SQLITE_NOMEM;
	table->opened = true;
	if (table->run.opened == NULL || table->run.why != NULL)
		return waits_fail(table,
		    table->run.why == NULL ? "it has no run" : table->run.why);
	clock = waits_clock(table);
	st = es_analysis_open(table->run.opened, 0, clock, &table->analysis);
	sqlite3_free(clock);
	return st == PATHS_OK ? SQLITE_OK : waits_fail(table, paths_log_last());
}

static int
waits_next(sqlite3_vtab_cursor *cursor)
{
	struct waits_cursor *c = (struct waits_cursor *)cursor;
	paths_status st = es_waits_next(c->waits, &c->span);

	c->row++;
	c->end = st != PATHS_OK;
	return st == PATHS_OK || st == PATHS_ENOENT ?
	    SQLITE_OK :
	    waits_fail((struct waits_table *)cursor->pVtab, paths_log_last());
}

/* Reads the limits into [from, to].  Returns false if no time is in them. */
static bool
waits_limits(int limits, sqlite3_value **values, int64_t *from, int64_t *to)
{
	int next = 0;

	*from = INT64_MIN;
	*to = INT64_MAX;
	for (int limit = 0; limit < LIMITS; limit++) {
		sqlite3_value *value;
		int64_t ns;

		if ((limits >> limit & 1) == 0)
			continue;
		value = values[next++];
		/* SQLite compares values that are no numbers. */
		if (limit >= LIMIT_START &&
		    sqlite3_value_numeric_type(value) != SQLITE_INTEGER)
			continue;
		if (sqlite3_value_type(value) == SQLITE_NULL)
			return false;
		ns = sqlite3_value_int64(value);
		if (limit == LIMIT_FROM)
			*from = *to = ns;
		else if (limit == LIMIT_STOP)
			*from =
			    ns - 1 > *from && ns > INT64_MIN ? ns - 1 : *from;
		else if (limit == LIMIT_TO || ns < *to)
			*to = ns;
	}
	return *from <= *to;
}

static int
waits_filter(sqlite3_vtab_cursor *cursor, int limits, const char *plan,
    int count, sqlite3_value **values)
{
	struct waits_cursor *c = (struct waits_cursor *)cursor;
	struct waits_table *table = (struct waits_table *)cursor->pVtab;
	int64_t from, to;
	int rc;

	(void)plan;
	(void)count;
	es_waits_close(c->waits);
	c->waits = NULL;
	c->row = 0;
	c->end = true;
	if (table->empty || !waits_limits(limits, values, &from, &to))
		return SQLITE_OK;
	rc = waits_prepare(table);
	if (rc != SQLITE_OK)
		return rc;
	if (es_waits_open(table->analysis, from, to, &c->waits) != PATHS_OK)
		return waits_fail(table, paths_log_last());
	return waits_next(cursor);
}

static int
waits_eof(sqlite3_vtab_cursor *cursor)
{
	return ((struct waits_cursor *)cursor)->end;
}

static void
waits_id(sqlite3_context *to, uint32_t id)
{
	if (id != PATHS_NONE)
		sqlite3_result_int64(to, id);
}

static void
waits_text(sqlite3_context *to, const char *text)
{
	if (text != NULL)
		sqlite3_result_text(to, text, -1, SQLITE_STATIC);
}

static int
waits_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column)
{
	const struct es_waits_span *span =
	    &((struct waits_cursor *)cursor)->span;

	switch (column) {
	case WAITS_WAITER:
		waits_id(to, span->waiter);
		break;
	case WAITS_CULPRIT:
		waits_id(to, span->culprit);
		break;
	case WAITS_PATTERN:
		waits_text(to, span->pattern);
		break;
	case WAITS_OP:
		waits_text(to, span->op);
		break;
	case WAITS_STAGE:
		waits_id(to, span->stage);
		break;
	case WAITS_SITE:
		waits_id(to, span->site);
		break;
	case WAITS_START:
		sqlite3_result_int64(to, span->start_ns);
		break;
	case WAITS_STOP:
		if (span->stop_ns < INT64_MAX)
			sqlite3_result_int64(to, span->stop_ns);
		break;
	case WAITS_SINCE:
		sqlite3_result_int64(to, span->since_ns);
		break;
	case WAITS_COLLECTOR:
		waits_id(to, span->collector);
		break;
	case WAITS_SEQ:
		sqlite3_result_int64(to, (int64_t)span->seq);
		break;
	default:
		break;
	}
	return SQLITE_OK;
}

static int
waits_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
	*rowid = ((struct waits_cursor *)cursor)->row;
	return SQLITE_OK;
}

static const sqlite3_module waits_module = {
	.iVersion = 1,
	.xCreate = waits_connect,
	.xConnect = waits_connect,
	.xBestIndex = waits_best_index,
	.xDisconnect = waits_disconnect,
	.xDestroy = waits_disconnect,
	.xOpen = waits_open,
	.xClose = waits_close,
	.xFilter = waits_filter,
	.xNext = waits_next,
	.xEof = waits_eof,
	.xColumn = waits_column,
	.xRowid = waits_rowid,
};

int
es__waits_table(sqlite3 *db, bool empty)
{
	return sqlite3_create_module(db, "waits_at", &waits_module,
	    (void *)(uintptr_t)empty);
}
