/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/findings.c - the findings of a part of the run
 *
 * The sums of the part are handed to the queries of the findings as JSON.
 */

#include "viewer/event/findings.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns the rows of load_balance of the part; NULL: there is no memory. */
static char *
balance_rows(const struct esv_model *model, const struct esv_interval *interval)
{
	const char *between = "";
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (to == NULL)
		return NULL;
	fputc('[', to);
	for (uint32_t t = 0; t < model->thread_count; t++) {
		const struct esv_interval_thread *of = &interval->threads[t];

		if (of->active_ns <= 0)
			continue;
		fprintf(to, "%s[%u,%" PRIu64 ",%" PRId64 ",%" PRId64 ",",
		    between, t, of->calls, of->busy_ns,
		    of->active_ns - of->busy_ns);
		if (interval->waits)
			fprintf(to, "%" PRId64 "]", of->wait_ns);
		else
			fputs("null]", to);
		between = ",";
	}
	fputc(']', to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* Returns the rows of waits_for of the part; NULL: there is no memory. */
static char *
waits_rows(const struct esv_interval *interval)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (to == NULL)
		return NULL;
	fputc('[', to);
	for (size_t n = 0; n < interval->blame_count; n++) {
		const struct esv_interval_blame *b = &interval->blames[n];

		fprintf(to, "%s[%u,", n == 0 ? "" : ",", b->waiter);
		if (b->culprit == PATHS_NONE)
			fputs("null", to);
		else
			fprintf(to, "%u", b->culprit);
		fprintf(to, ",%" PRIu64 ",%" PRId64 "]", b->waits, b->wait_ns);
	}
	fputc(']', to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* Waiting that follows from lost cores is known for the whole run only, so none
   is left out. */
static const char balance_sql[] =
    "SELECT json_extract(value, '$[0]') AS thread,"
    " json_extract(value, '$[1]') AS operations,"
    " json_extract(value, '$[2]') AS communication_ns,"
    " json_extract(value, '$[3]') AS computation_ns,"
    " json_extract(value, '$[4]') AS wait_ns,"
    " 1.0 * json_extract(value, '$[2]') / (json_extract(value, '$[2]')"
    " + json_extract(value, '$[3]')) AS communication_share"
    " FROM json_each(:load_balance)";
static const char waits_sql[] =
    "SELECT json_extract(value, '$[0]') AS waiter,"
    " json_extract(value, '$[1]') AS culprit,"
    " json_extract(value, '$[2]') AS operations,"
    " json_extract(value, '$[3]') AS wait_ns,"
    " 0 AS undecided, 0 AS bound_ns FROM json_each(:waits_for)";
static const char lost_sql[] =
    "SELECT NULL AS waiter, NULL AS culprit, 0 AS wait_ns, 0 AS lost_ns"
    " WHERE 0";

paths_status
esv_findings_part(struct esv_model *model, const struct esv_interval *interval,
    es_finding_take *take, void *to)
{
	char *balance = balance_rows(model, interval);
	char *waits = waits_rows(interval);
	const struct es_finding_table tables[] = {
		{ "load_balance", balance_sql, balance },
		{ "waits_for", waits_sql, waits },
		{ "wait_lost", lost_sql, NULL },
	};
	paths_status st;

	if (balance == NULL || waits == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for findings");
	else
		st = es_finding_part(model->store, tables,
		    sizeof(tables) / sizeof(tables[0]), take, to);
	free(balance);
	free(waits);
	return st;
}
