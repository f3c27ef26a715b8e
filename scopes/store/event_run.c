/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_run.c - the run whose tuples the table `event` shows
 */

#include "scopes/store/event_run_private.h"

#include "scopes/store/event_calls_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Returns the run that a database was computed from, or NULL.  The caller calls
   sqlite3_free. */
static char *
run_of(sqlite3 *db, const char *schema)
{
	char *sql =
	    sqlite3_mprintf("SELECT value FROM \"%w\".meta WHERE key = 'run'",
		schema);
	sqlite3_stmt *statement = NULL;
	char *value = NULL;

	if (sql != NULL &&
	    sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
	    sqlite3_step(statement) == SQLITE_ROW)
		value =
		    sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
	(void)sqlite3_finalize(statement);
	sqlite3_free(sql);
	return value;
}

/* Returns the folder of a database file if it is that of a run, or NULL.  The
   caller calls sqlite3_free. */
static char *
run_beside(const char *file)
{
	const char *slash = file == NULL ? NULL : strrchr(file, '/');
	char *folder;

	if (slash == NULL)
		return NULL;
	folder = sqlite3_mprintf("%.*s", (int)(slash - file), file);
	if (folder == NULL || es_run_is(folder))
		return folder;
	sqlite3_free(folder);
	return NULL;
}

/* Returns an argument of CREATE VIRTUAL TABLE without its quotes. */
static char *
run_unquoted(const char *word)
{
	size_t length = strlen(word);
	char *text;
	char *to;

	if (length < 2 || (*word != '\'' && *word != '"') ||
	    word[length - 1] != *word)
		return sqlite3_mprintf("%s", word);
	text = to = sqlite3_mprintf("%.*s", (int)length - 2, word + 1);
	for (const char *c = text; c != NULL && *c != '\0'; c++) {
		*to++ = *c;
		if (*c == *word && c[1] == *word)
			c++;
	}
	if (text != NULL)
		*to = '\0';
	return text;
}

/* Sets `why` if there are collectors, but none of their spaces can be read. */
static void
run_check(struct es__event_run *run)
{
	const struct es_diagnostic *d = es_run_diagnostic(run->run, 0);

	for (uint32_t i = 0; i < run->collectors; i++)
		if (es_run_collector(run->run, i)->type != NULL)
			return;
	if (run->collectors > 0)
		run->why = sqlite3_mprintf("%s: %s: %s", es_run_dir(run->run),
		    d == NULL ? "no event space" : d->subject,
		    d == NULL ? "none can be read" : d->text);
}

/* Opens the run, or sets `why`. */
static void
run_open(struct es__event_run *run, const char *dir, bool others)
{
	if (dir == NULL) {
		run->why = sqlite3_mprintf(
		    "no run here: open its view.db, "
		    "or CREATE VIRTUAL TABLE temp.event USING event('RUN')");
		return;
	}
	if (es_run_open(dir, &run->opened) != PATHS_OK) {
		run->opened = NULL;
		run->why = sqlite3_mprintf("%s", paths_log_last());
		return;
	}
	run->run = others ? es_run_others(run->opened) : run->opened;
	if (run->run == NULL) {
		run->why = sqlite3_mprintf("%s: no other event space", dir);
		return;
	}
	run->collectors = es_run_collector_count(run->run);
	for (uint32_t i = 0; i < run->collectors; i++)
		run->tuples += es_run_collector(run->run, i)->count;
	run_check(run);
}

int
es__event_run_open(struct es__event_run *run, sqlite3 *db, const char *schema,
    const char *argument, bool others)
{
	char *dir;

	run->db = db;
	if (argument != NULL) {
		dir = run_unquoted(argument);
	} else {
		run->schema = sqlite3_mprintf("%s", schema);
		if (run->schema == NULL)
			return SQLITE_NOMEM;
		dir = run_beside(sqlite3_db_filename(db, schema));
		if (dir == NULL)
			dir = run_of(db, schema);
	}
	run_open(run, dir, others);
	sqlite3_free(dir);
	run->order = calloc((size_t)run->collectors + 1, sizeof(*run->order));
	return run->order == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

static void
run_drop_bases(struct es__event_run *run)
{
	uint32_t processes =
	    run->bases == NULL ? 0 : es_run_map(run->run)->process_count;

	for (uint32_t p = 0; p < processes; p++)
		es_timebase_fini(&run->bases[p]);
	free(run->bases);
	run->bases = NULL;
}

void
es__event_run_close(struct es__event_run *run)
{
	run_drop_bases(run);
	es__event_calls_forget(run);
	es_run_close(run->opened);
	free(run->order);
	sqlite3_free(run->schema);
	sqlite3_free(run->why);
}

/* Returns true if each process with tuples has a conversion of stamps. */
static bool
run_has_bases(const struct es__event_run *run)
{
	for (uint32_t i = 0; i < run->collectors; i++) {
		const struct es_collector *c = es_run_collector(run->run, i);

		if (c->type != NULL && run->bases[c->process].mult <= 0)
			return false;
	}
	return true;
}

/* Returns the number that the first process has in the table timebase: other
   processes are behind those of the run. */
static uint32_t
run_first_process(const struct es__event_run *run)
{
	return run->run == run->opened ? 0 :
					 es_run_map(run->opened)->process_count;
}

/* Reads the conversions of stamps from the database, if it has any.  Returns
   false if a piece of them is damaged. */
static bool
run_read_bases(struct es__event_run *run, uint32_t processes)
{
	char *sql = sqlite3_mprintf("SELECT process, origin_ticks, origin_ns,"
				    " scale FROM \"%w\".timebase"
				    " ORDER BY process, piece",
	    run->schema);
	struct es_time_piece piece;
	paths_status st = PATHS_OK;
	sqlite3_stmt *s = NULL;

	if (run->schema != NULL && sql != NULL)
		(void)sqlite3_prepare_v2(run->db, sql, -1, &s, NULL);
	while (s != NULL && st == PATHS_OK && sqlite3_step(s) == SQLITE_ROW) {
		sqlite3_int64 process =
		    sqlite3_column_int64(s, 0) - run_first_process(run);

		if (process < 0 || process >= processes)
			continue;
		piece = (struct es_time_piece){
			.from = (uint64_t)sqlite3_column_int64(s, 1),
			.ns = sqlite3_column_int64(s, 2),
			.mult = sqlite3_column_int64(s, 3),
		};
		st = es_timebase_append(&run->bases[process], &piece);
	}
	(void)sqlite3_finalize(s);
	sqlite3_free(sql);
	return st == PATHS_OK;
}

/* Computes the conversions of stamps by aligning the clocks of the run. */
static paths_status
run_solve_bases(struct es__event_run *run, uint32_t processes)
{
	struct es_analysis *analysis;
	paths_status st = es_analysis_open(run->opened, 0, NULL, &analysis);

	if (st != PATHS_OK)
		return st;
	for (uint32_t p = 0; st == PATHS_OK && p < processes; p++) {
		struct es_timebase base = run->run == run->opened ?
		    *es_analysis_timebase(analysis, p) :
		    es_analysis_other_timebase(analysis, p);

		es_timebase_fini(&run->bases[p]);
		st = es_timebase_copy(&base, &run->bases[p]);
	}
	es_analysis_close(analysis);
	return st;
}

int
es__event_run_prepare(struct es__event_run *run)
{
	uint32_t processes;

	if (run->run == NULL || run->why != NULL)
		return SQLITE_ERROR;
	if (run->bases != NULL)
		return SQLITE_OK;
	processes = es_run_map(run->run)->process_count;
	run->bases = calloc(processes + 1, sizeof(*run->bases));
	if (run->bases == NULL)
		return SQLITE_NOMEM;
	if ((run_read_bases(run, processes) && run_has_bases(run)) ||
	    run_solve_bases(run, processes) == PATHS_OK)
		return SQLITE_OK;
	run_drop_bases(run);
	run->why = sqlite3_mprintf("%s", paths_log_last());
	return SQLITE_ERROR;
}
