/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_count.c - counts rows of `event` without reading them
 *
 *	event_count(collector, from_ns, to_ns)
 *
 * is the number of rows of the table `event` of a collector with
 * from_ns <= start_ns < to_ns.  For NULL, all collectors, the first start and
 * the last one are taken.  Searches for the bounds; in a collector whose times
 * do not ascend, because its file is damaged, it compares each tuple.
 *
 * The run is that of the table, which is opened by a query on it if it is not
 * open.
 */

#include "scopes/store/event_count_private.h"

#include "scopes/operation.h"
#include "scopes/store/event_calls_private.h"
#include "scopes/store/event_seek_private.h"

#include <stdlib.h>
#include <string.h>

struct es__event_runs *
es__event_runs_create(bool empty)
{
	struct es__event_runs *runs = calloc(1, sizeof(*runs));

	if (runs != NULL) {
		runs->shares = 1;
		runs->empty = empty;
	}
	return runs;
}

void
es__event_runs_unref(void *share)
{
	struct es__event_runs *runs = share;

	if (--runs->shares == 0)
		free(runs);
}

void
es__event_runs_add(struct es__event_runs *runs, struct es__event_run *run,
    const char *schema, const char *table)
{
	run->temporary = sqlite3_stricmp(schema, "temp") == 0;
	if (sqlite3_stricmp(table, "event") != 0 ||
	    (!run->temporary && sqlite3_stricmp(schema, "main") != 0))
		return;
	run->next = runs->first;
	runs->first = run;
}

void
es__event_runs_remove(struct es__event_runs *runs, struct es__event_run *run)
{
	struct es__event_run **at = &runs->first;

	while (*at != NULL && *at != run)
		at = &(*at)->next;
	if (*at == run)
		*at = run->next;
}

/* Returns the run of temp.event or else of main.event, or NULL. */
static struct es__event_run *
count_find(const struct es__event_runs *runs)
{
	struct es__event_run *found = runs->first;

	for (struct es__event_run *run = found; run != NULL; run = run->next)
		if (run->temporary)
			found = run;
	return found;
}

/* Returns the run, which is opened and prepared, or NULL after reporting the
   error. */
static struct es__event_run *
count_open(sqlite3_context *context, const struct es__event_runs *runs)
{
	sqlite3 *db = sqlite3_context_db_handle(context);
	sqlite3_stmt *statement = NULL;
	struct es__event_run *run;
	int rc = SQLITE_ERROR;

	/* SQLite opens a table when a statement is prepared. */
	if (runs->first == NULL &&
	    sqlite3_prepare_v2(db, "SELECT seq FROM event", -1, &statement,
		NULL) == SQLITE_OK)
		(void)sqlite3_finalize(statement);
	run = count_find(runs);
	if (run != NULL)
		rc = es__event_run_prepare(run);
	if (rc == SQLITE_OK)
		return run;
	sqlite3_result_error(context,
	    run == NULL || run->why == NULL ? "event_count: no run" : run->why,
	    -1);
	return NULL;
}

/* Counts the rows of a collector by comparing each tuple. */
static uint64_t
count_scan(const struct es_collector *c, const struct es_timebase *base,
    const struct es__event_range *range)
{
	bool calls = es_operation_type(c) == ES_OPERATION_MPI;
	uint64_t count = 0;

	for (uint64_t n = 0; n < c->count; n++) {
		uint64_t ticks;
		int64_t ns;

		memcpy(&ticks, es_collector_tuple(c, n), sizeof(ticks));
		ns = es_time_ns(base, ticks);
		count += ns >= range->lo && ns <= range->hi &&
		    (!calls || es_operation_is_call(c, n));
	}
	return count;
}

static uint64_t
count_collector(struct es__event_run *run, uint32_t number,
    const struct es__event_range *range)
{
	const struct es_collector *c = es_run_collector(run->run, number);
	struct es__event_window window = { 0, c->count };

	if (c->type == NULL || range->hi < range->lo)
		return 0;
	if (!es__event_narrow(run, number, EVENT_START, range, &window))
		return count_scan(c, &run->bases[c->process], range);
	return es__event_calls(run, number, window.n, window.end);
}

/* Returns false after reporting an argument that is neither NULL nor an
   integer. */
static bool
count_arguments(sqlite3_context *context, sqlite3_value **values)
{
	for (int i = 0; i < 3; i++) {
		int type = sqlite3_value_type(values[i]);

		if (type == SQLITE_NULL || type == SQLITE_INTEGER)
			continue;
		sqlite3_result_error(context,
		    "event_count: expected integers or NULL", -1);
		return false;
	}
	return true;
}

static void
count_call(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct es__event_range range = { INT64_MIN, INT64_MAX };
	bool all = sqlite3_value_type(values[0]) == SQLITE_NULL;
	int64_t collector = sqlite3_value_int64(values[0]);
	struct es__event_run *run;
	uint64_t found = 0;

	(void)count;
	if (!count_arguments(context, values))
		return;
	run = count_open(context, sqlite3_user_data(context));
	if (run == NULL)
		return;
	if (sqlite3_value_type(values[1]) != SQLITE_NULL)
		range.lo = sqlite3_value_int64(values[1]);
	if (sqlite3_value_type(values[2]) != SQLITE_NULL) {
		range.hi = sqlite3_value_int64(values[2]);
		if (range.hi == INT64_MIN) {
			sqlite3_result_int64(context, 0);
			return;
		}
		range.hi--;
	}
	for (uint32_t n = 0; n < run->collectors; n++)
		if (all || collector == n)
			found += count_collector(run, n, &range);
	sqlite3_result_int64(context, (int64_t)found);
}

int
es__event_count(sqlite3 *db, struct es__event_runs *runs)
{
	runs->shares++;
	return sqlite3_create_function_v2(db, "event_count", 3,
	    SQLITE_UTF8 | SQLITE_INNOCUOUS, runs, count_call, NULL, NULL,
	    es__event_runs_unref);
}
