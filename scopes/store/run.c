/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/run.c - writes the clocks of a run and its tables of raw events
 * into its view.db
 *
 * Raw events are shown on the clock of the views, so the conversion of the
 * stamps of each process is stored.
 */

#include "scopes/store/store_private.h"
#include "scopes/store/tuples_private.h"

#include "scopes/analysis.h"

static paths_status
run_insert(struct es_store *store, char *sql)
{
	paths_status st = sql == NULL ? es__store_fail(store, SQLITE_NOMEM) :
					es__store_execute(store, sql);

	sqlite3_free(sql);
	return st;
}

/* Writes the conversion of a process with this number in the table. */
static paths_status
run_timebase(struct es_store *store, uint32_t process,
    const struct es_timebase *base)
{
	struct es_time_piece piece;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0;
	     st == PATHS_OK && es_timebase_piece(base, n, &piece); n++)
		st = run_insert(store,
		    sqlite3_mprintf("INSERT INTO timebase VALUES (%u, %u, "
				    "%lld, %lld, %lld)",
			process, n, (sqlite3_int64)piece.from,
			(sqlite3_int64)piece.ns, (sqlite3_int64)piece.mult));
	return st;
}

/* Writes the conversions of other spaces, behind those of the run. */
static paths_status
run_other_timebases(struct es_store *store, const struct es_analysis *analysis,
    const struct es_run *others, uint32_t first)
{
	uint32_t processes = es_run_map(others)->process_count;
	paths_status st = PATHS_OK;

	for (uint32_t p = 0; p < processes && st == PATHS_OK; p++) {
		struct es_timebase base =
		    es_analysis_other_timebase(analysis, p);

		st = run_timebase(store, first + p, &base);
	}
	return st;
}

/* Creates a table for each type of tuple in other spaces. */
static paths_status
run_tuples(struct es_store *store, const struct es_run *others)
{
	uint32_t collectors = es_run_collector_count(others);
	char name[ES__TUPLES_BYTES];
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < collectors && st == PATHS_OK; n++) {
		const struct es_collector *c = es_run_collector(others, n);

		if (c->type != NULL)
			st = run_insert(store,
			    sqlite3_mprintf("CREATE VIRTUAL TABLE IF NOT "
					    "EXISTS %s USING tuple",
				es__tuples_name(c->type->name, name)));
	}
	return st;
}

paths_status
es_store_run(struct es_store *store, const struct es_analysis *analysis)
{
	const struct es_run *run = es_analysis_run(analysis);
	const struct es_run *others = es_run_others(run);
	uint32_t processes = es_run_map(run)->process_count;
	paths_status st = PATHS_OK;

	for (uint32_t p = 0; p < processes && st == PATHS_OK; p++)
		st = run_timebase(store, p, es_analysis_timebase(analysis, p));
	if (others != NULL && others != run && st == PATHS_OK)
		st = run_other_timebases(store, analysis, others, processes);
	if (st == PATHS_OK)
		st = es__store_execute(store,
		    "CREATE VIRTUAL TABLE event USING event; "
		    "CREATE VIRTUAL TABLE event_part USING event_part; "
		    "CREATE VIRTUAL TABLE waits_at USING waits_at");
	return st == PATHS_OK && others != NULL ? run_tuples(store, others) :
						  st;
}
