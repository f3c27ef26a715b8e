/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_elsewhere.c - prints the cost of messages under two
 * models
 */

#include "scopes/command/model_elsewhere.h"

#include "scopes/show/table_private.h"

#include "libpaths/map.h"
#include "libpaths/unit.h"

#include <math.h>
#include <stdio.h>

static const char *const column_names[] = { "phase", "rank", "model", "here_ns",
	"elsewhere_ns", "named" };
static const char *const text_names[] = { "phase", "rank", "model", "here",
	"elsewhere" };
#define TEXT_COLUMNS (sizeof(text_names) / sizeof(*text_names))
#define COLUMNS (sizeof(column_names) / sizeof(*column_names))

/* Returns a time for a program in ns, or text for people. */
static struct es_value
elsewhere_time(enum es_show_form form, double seconds,
    char text[PATHS_UNIT_TEXT_BYTES])
{
	if (isnan(seconds))
		return ES_NIL;
	if (form != ES_SHOW_TEXT)
		return ES_NUM(es_model_ns(seconds));
	return ES_STR(paths_unit_text(PATHS_UNIT_TIME, seconds * 1e9, text));
}

static paths_status
elsewhere_row(const struct es_command_model_elsewhere *e,
    struct es__table *table, size_t n, enum es_model_kind kind)
{
	const struct es_model_run_row *here = &e->here->rows[n];
	char name[ES_MODEL_PHASE_BYTES];
	char texts[2][PATHS_UNIT_TEXT_BYTES];
	struct es_value phase =
	    here->phase == PATHS_NONE ? ES_NIL : ES_INT(here->phase);

	if (e->form == ES_SHOW_TEXT) {
		es_model_phase_text(e->here, here->phase, here->named, name);
		phase = name[0] == '\0' ? ES_NIL : ES_STR(name);
	}
	return es__table_row(table,
	    (struct es_value[COLUMNS]){ phase, ES_INT(here->rank),
		ES_STR(es_model_kind_name(kind)),
		elsewhere_time(e->form, es_model_total(here->costs[kind]),
		    texts[0]),
		elsewhere_time(e->form,
		    es_model_total(e->there->rows[n].costs[kind]), texts[1]),
		here->named == PATHS_NONE ? ES_NIL : ES_INT(here->named) });
}

/* Prints the rows of one kind of model for people, and of all for programs. */
static paths_status
elsewhere_table(const struct es_command_model_elsewhere *e,
    enum es_model_kind only)
{
	size_t rows = e->here->row_count;
	struct es__table *table;
	unsigned columns = e->form == ES_SHOW_TEXT ? TEXT_COLUMNS : COLUMNS;
	paths_status st = es__table_open(stdout, e->form, columns, &table);

	if (st != PATHS_OK)
		return st;
	if (e->form == ES_SHOW_TEXT && rows > ES_SHOW_LIMIT)
		rows = ES_SHOW_LIMIT;
	for (unsigned n = 0; st == PATHS_OK && n < columns; n++)
		st = es__table_name(table, n,
		    e->form == ES_SHOW_TEXT ? text_names[n] : column_names[n]);
	for (size_t n = 0; n < rows; n++)
		for (unsigned k = 0; st == PATHS_OK && k < ES_MODEL_KINDS; k++)
			if ((e->form != ES_SHOW_TEXT || k == only) &&
			    es_model_run_knows(e->here, (enum es_model_kind)k))
				st = elsewhere_row(e, table, n,
				    (enum es_model_kind)k);
	if (st == PATHS_OK && e->form != ES_SHOW_TEXT && e->replay->known)
		st = es__table_row(table,
		    (struct es_value[COLUMNS]){ ES_NIL, ES_NIL,
			ES_STR("replay"), ES_NUM(e->replay->before_ns),
			ES_NUM(e->replay->after_ns), ES_NIL });
	if (st != PATHS_OK) {
		es__table_cancel(table);
		return st;
	}
	st = es__table_close(table);
	if (st == PATHS_OK && rows < e->here->row_count)
		printf(
		    "%zu of %zu rows are shown; --csv and --json have all.\n",
		    rows, e->here->row_count);
	return st;
}

/* Returns the largest cost of all phases of a rank; NAN: one is not known. */
static double
elsewhere_slowest(const struct es_model_run *run, enum es_model_kind kind)
{
	double largest = 0;

	for (uint32_t rank = 0; rank < run->rank_count; rank++) {
		double sum = 0;

		for (size_t n = 0; n < run->row_count; n++)
			if (run->rows[n].rank == rank)
				sum += es_model_total(run->rows[n].costs[kind]);
		if (isnan(sum))
			return NAN;
		if (sum > largest)
			largest = sum;
	}
	return largest;
}

static void
elsewhere_compare(enum es_model_kind kind, double here, double there)
{
	char texts[2][PATHS_UNIT_TEXT_BYTES], factor[64] = "";

	/* A model may have no costs here, and then there is no factor. */
	if (here > 0 && isfinite(here) && isfinite(there))
		snprintf(factor, sizeof(factor), ", %.3g times as long",
		    there / here);
	printf("By the model %s, the messages of the rank with the highest "
	       "cost take %s here and %s elsewhere%s.\n",
	    es_model_kind_name(kind),
	    paths_unit_text(PATHS_UNIT_TIME, here * 1e9, texts[0]),
	    paths_unit_text(PATHS_UNIT_TIME, there * 1e9, texts[1]), factor);
}

/* Prints a part of the time of the ranks, here and elsewhere. */
static void
elsewhere_part(const char *name, double here_ns, double there_ns,
    const char *end)
{
	char texts[2][PATHS_UNIT_TEXT_BYTES];

	printf("%s %s instead of %s%s", name,
	    paths_unit_text(PATHS_UNIT_TIME, there_ns, texts[0]),
	    paths_unit_text(PATHS_UNIT_TIME, here_ns, texts[1]), end);
}

/* Prints how long the run would take. */
static void
elsewhere_replay(const struct es_command_model_replay *r)
{
	if (!r->known) {
		puts("Waiting for late senders, and computation, are not "
		     "predicted.\n");
		return;
	}
	elsewhere_part("Replayed with the difference, the run takes",
	    r->before_ns, r->after_ns, ".  In the mean, ranks compute for");
	elsewhere_part("", r->before.computing_ns, r->after.computing_ns,
	    ", wait for");
	elsewhere_part("", r->before.waiting_ns, r->after.waiting_ns,
	    ", and are in calls without waiting for");
	elsewhere_part("", r->before.operating_ns, r->after.operating_ns,
	    ".  Collectives, and computation, take as long as here.\n\n");
}

paths_status
es_command_model_elsewhere(const struct es_command_model_elsewhere *e)
{
	enum es_model_kind kind = e->kind;
	double here, there;

	if (kind == ES_MODEL_KINDS)
		kind = es_model_run_kind(e->here);
	if (e->kind == ES_MODEL_KINDS && kind == ES_MODEL_STREAMED)
		kind = es_model_run_kind(e->there);
	if (e->form == ES_SHOW_TEXT && e->here->row_count > 0) {
		here = elsewhere_slowest(e->here, kind);
		there = elsewhere_slowest(e->there, kind);
		if (isnan(here) || isnan(there))
			printf("A model %s has no times for these messages.\n",
			    es_model_kind_name(kind));
		else
			elsewhere_compare(kind, here, there);
		elsewhere_replay(e->replay);
	}
	return elsewhere_table(e, kind);
}
