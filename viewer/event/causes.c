/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/causes.c - delays with the waits that they caused, deaths, and
 * the cycle of a deadlock, from view.db
 */

#include "viewer/event/causes.h"

#include "viewer/model/read.h"

#include "libpaths/log.h"
#include "scopes/rows.h"

ESV__SQL(causes_cycle_paths);
ESV__SQL(causes_cycle_ranks);
ESV__SQL(causes_delays);
ESV__SQL(causes_died);
ESV__SQL(causes_died_ranks);

/* The most links of a query. */
#define MOST_LINKS 4000u

/* Reads a thread and a time. */
static paths_status
causes_read(const struct esv_model *model, const struct es_rows *rows,
    unsigned column, uint32_t *row, int64_t *ns)
{
	int64_t thread;
	paths_status st = model->thread_count == 0 ?
	    paths_log_fail(PATHS_EDAMAGED, "%s: there are no threads",
		model->file) :
	    esv__read_number(rows, column, 0, (int64_t)model->thread_count - 1,
		&thread);

	if (st == PATHS_OK)
		st = esv__read_number(rows, column + 1, INT64_MIN / 2,
		    INT64_MAX / 2, ns);
	if (st == PATHS_OK)
		*row = model->thread_rows[thread];
	return st;
}

static paths_status
causes_take(const struct esv_model *model, const struct es_rows *rows,
    struct esv_links *links)
{
	struct esv_link link = { 0 };
	paths_status st =
	    causes_read(model, rows, 0, &link.from_row, &link.from_ns);

	if (st == PATHS_OK)
		st = causes_read(model, rows, 2, &link.to_row, &link.to_ns);
	return st == PATHS_OK ? esv_links_add(links, MOST_LINKS, &link) : st;
}

/* Adds the links of a query.  It has none if one of its tables is missing. */
static paths_status
causes_query(struct esv_model *model, const char *sql, const int64_t ns[2],
    int64_t most, struct esv_links *links)
{
	struct es_rows *rows;
	uint32_t left = MOST_LINKS;
	paths_status st = es_rows_try(model->store, sql, &rows);

	if (st != PATHS_OK || rows == NULL)
		return st;
	st = es_rows_bind(rows, "from", &ES_INT(ns[0]));
	if (st == PATHS_OK)
		st = es_rows_bind(rows, "to", &ES_INT(ns[1]));
	if (st == PATHS_OK)
		st = es_rows_bind(rows, "most", &ES_INT(most));
	while (st == PATHS_OK && left-- > 0 &&
	    (st = es_rows_next(rows)) == PATHS_OK)
		st = causes_take(model, rows, links);
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

paths_status
esv_event_delays(struct esv_model *model, double t0_ns, double span_ns,
    struct esv_links *links)
{
	const int64_t ns[2] = { esv__read_limit(t0_ns),
		esv__read_limit(t0_ns + span_ns) };

	return causes_query(model, esv__sql_causes_delays, ns,
	    ESV_CAUSES_DELAYS, links);
}

paths_status
esv_event_ends(struct esv_model *model, struct esv_links *links)
{
	const int64_t ns[2] = { 0, model->span_ns };
	paths_status st = causes_query(model,
	    model->mpi ? esv__sql_causes_died_ranks : esv__sql_causes_died, ns,
	    MOST_LINKS, links);

	return st == PATHS_OK ? causes_query(model,
				    model->mpi ? esv__sql_causes_cycle_ranks :
						 esv__sql_causes_cycle_paths,
				    ns, MOST_LINKS, links) :
				st;
}
