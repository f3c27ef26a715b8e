/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/run.c - writes the clocks of a run into its view.db
 *
 * Raw events are shown on the clock of the views, so the conversion of the
 * stamps of each process is stored.
 */

#include "scopes/store/store_private.h"

#include "scopes/analysis.h"

static paths_status
run_insert(struct es_store *store, char *sql)
{
	paths_status st = sql == NULL ? es__store_fail(store, SQLITE_NOMEM) :
					es__store_execute(store, sql);

	sqlite3_free(sql);
	return st;
}

static paths_status
run_timebase(struct es_store *store, const struct es_analysis *analysis,
    uint32_t process)
{
	const struct es_timebase *base =
	    es_analysis_timebase(analysis, process);

	return run_insert(store,
	    sqlite3_mprintf("INSERT INTO timebase VALUES (%u, %lld, %lld, "
			    "%lld)",
		process, (sqlite3_int64)base->origin, (sqlite3_int64)base->ns,
		(sqlite3_int64)base->mult));
}

paths_status
es_store_run(struct es_store *store, const struct es_analysis *analysis)
{
	const struct es_run *run = es_analysis_run(analysis);
	uint32_t processes = es_run_map(run)->process_count;
	paths_status st = PATHS_OK;

	for (uint32_t p = 0; p < processes && st == PATHS_OK; p++)
		st = run_timebase(store, analysis, p);
	return st == PATHS_OK ?
	    es__store_execute(store, "CREATE VIRTUAL TABLE event USING event") :
	    st;
}
