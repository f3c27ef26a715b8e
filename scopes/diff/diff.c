/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/diff.c - compares two runs
 */

#include "scopes/diff/cause_private.h"
#include "scopes/diff/diff_private.h"
#include "scopes/diff/read_private.h"
#include "scopes/diff/text_private.h"

#include "scopes/rows.h"
#include "scopes/store/sql_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ES__SQL(diff_overloaded);
ES__SQL(diff_lost);
ES__SQL(diff_missing);
ES__SQL(diff_live);

/* The name of the thread that has the means of all. */
#define DIFF_MEAN "the mean thread"

/* Part of a run whose activities the other run lacks, that is told. */
#define DIFF_ONLY 0.05

/* Part of a run by which its loops may exceed it. */
#define DIFF_WRONG 0.01

/* ---- limits of the comparison */

static paths_status
note_add(struct es_diff *d, const char *text)
{
	if (d->note_count == ES__DIFF_NOTES)
		return PATHS_OK;
	d->notes[d->note_count] = es__intern_text(&d->texts, text);
	if (d->notes[d->note_count] == NULL)
		return PATHS_ENOMEM;
	d->note_count++;
	return PATHS_OK;
}

/* Sentences that follow from a query of one run: the texts before and after
   its name. */
static const struct {
	const char *sql, *before, *after;
} limits[] = {
	{ es__sql_diff_overloaded, "The machine of ",
	    " was overloaded: its threads were often without a core, which "
	    "counts as computing and as operations." },
	{ es__sql_diff_lost, "",
	    " does not retain its oldest operations, so only its last part is "
	    "compared." },
	{ es__sql_diff_missing, "",
	    " lacks ranks without calls in mode trace: waiting for them counts "
	    "as operations." },
	{ es__sql_diff_live, "",
	    " was still running: it is compared up to the computation of its "
	    "views." },
};

/* Adds the limit of a run, if the query says that there is one. */
static paths_status
note_limit(struct es_diff *d, struct es_store *store, unsigned run, size_t n)
{
	struct es_value value = ES_NIL;
	struct es_rows *rows;
	char text[512];
	paths_status st = es_rows_try(store, limits[n].sql, &rows);

	if (st != PATHS_OK || rows == NULL)
		return st;
	st = es_rows_next(rows);
	if (st == PATHS_OK)
		es_rows_get(rows, 0, &value);
	es_rows_close(rows);
	if (value.kind == ES_INTEGER && value.as.integer != 0) {
		snprintf(text, sizeof(text), "%s%s%s", limits[n].before,
		    d->sides[run].name, limits[n].after);
		return note_add(d, text);
	}
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Returns whether the steps of two runs are not the same thing. */
static bool
sources_differ(const struct es_diff *d)
{
	const struct es__diff_side *a = &d->sides[0], *b = &d->sides[1];

	return a->traced && b->traced && a->source != b->source;
}

/* Returns a text for the steps of a run. */
static const char *
source_text(const struct es_diff *d, const struct es__diff_side *side)
{
	const char *source = es__diff_name(d, side->source);

	if (strcmp(source, "program") == 0)
		return "numbered by the program";
	return strcmp(source, "iterations") == 0 ? "iterations of a loop" :
						   "numbers of operations";
}

static paths_status
note_sizes(struct es_diff *d)
{
	const struct es__diff_side *a = &d->sides[0], *b = &d->sides[1];
	char text[512];
	paths_status st = PATHS_OK;

	if (d->mean) {
		snprintf(text, sizeof(text),
		    "%s has %u thread%s and %s has %u: their means are "
		    "compared, not single threads.",
		    a->name, a->threads, a->threads == 1 ? "" : "s", b->name,
		    b->threads);
		st = note_add(d, text);
	}
	if (st == PATHS_OK && sources_differ(d)) {
		snprintf(text, sizeof(text),
		    "The steps of %s are %s and those of %s are %s: steps are "
		    "not compared.",
		    a->name, source_text(d, a), b->name, source_text(d, b));
		st = note_add(d, text);
		/* Without steps, it is not known which work a run did. */
	} else if (st == PATHS_OK && a->steps > 0 && b->steps > 0 &&
	    a->steps != b->steps) {
		snprintf(text, sizeof(text),
		    "%s has %llu steps and %s has %llu: they may not have done "
		    "the same work.",
		    a->name, (unsigned long long)a->steps, b->name,
		    (unsigned long long)b->steps);
		st = note_add(d, text);
	}
	if (st == PATHS_OK && !(a->traced && b->traced)) {
		snprintf(text, sizeof(text),
		    "%s%s%s %s no trace: waiting counts as operations, which "
		    "are not searched for causes, and computing is not "
		    "divided.",
		    a->traced ? b->name : a->name, d->mixed ? "" : " and ",
		    d->mixed ? "" : b->name, d->mixed ? "has" : "have");
		st = note_add(d, text);
	}
	return st;
}

/* Notes a run with activities that the other one lacks. */
static paths_status
note_only(struct es_diff *d, unsigned run)
{
	const struct es__diff_side *side = &d->sides[run];
	double only = 0;
	char text[512], number[PATHS_UNIT_TEXT_BYTES];

	for (uint32_t n = 0; n < d->keys.count; n++) {
		const struct es__diff_entry *e = &d->entries[n];

		if (e->key.kind != ES_DIFF_WAITING &&
		    e->key.kind != ES_DIFF_OUTSIDE && e->ns[1 - run] == 0)
			only += e->ns[run];
	}
	if (only < DIFF_ONLY * d->total.ns[run])
		return PATHS_OK;
	snprintf(text, sizeof(text),
	    "%s of the time of %s is %s that %s lacks: a place is %s.",
	    paths_unit_text(PATHS_UNIT_SHARE, only / d->total.ns[run], number),
	    side->name, side->calls ? "in code" : "at or between stages",
	    d->sides[1 - run].name,
	    side->calls ? "a function, file and line" :
			  "an element and the name of a stage");
	return note_add(d, text);
}

/* Notes a run whose loops have more of a kind of time than its threads: then
   the times outside of loops are wrong. */
static paths_status
note_loops(struct es_diff *d, unsigned run)
{
	double loops[2] = { 0 }, all[2], least = -DIFF_WRONG * d->total.ns[run];
	char text[512];

	for (size_t n = 0; n < d->bin_count; n++) {
		const struct es__diff_bin *b = &d->bins[n];
		double share = d->mean ? d->sides[run].threads : 1;

		if (b->run != run)
			continue;
		loops[0] += b->kinds[ES_DIFF_COMPUTING] / share;
		loops[1] +=
		    (b->kinds[ES_DIFF_OPERATIONS] + b->kinds[ES_DIFF_WAITING]) /
		    share;
	}
	all[0] = d->loops_total.kinds[ES_DIFF_COMPUTING][run];
	all[1] = d->loops_total.kinds[ES_DIFF_OPERATIONS][run] +
	    d->loops_total.kinds[ES_DIFF_WAITING][run];
	if (all[0] - loops[0] >= least && all[1] - loops[1] >= least)
		return PATHS_OK;
	snprintf(text, sizeof(text),
	    "The loops of %s have more time than its threads: its times by "
	    "phase and step are not exact.",
	    d->sides[run].name);
	return note_add(d, text);
}

static paths_status
diff_notes(struct es_diff *d, struct es_store *const stores[2])
{
	paths_status st = note_sizes(d);

	for (unsigned run = 0; st == PATHS_OK && run < 2; run++) {
		for (size_t n = 0;
		     st == PATHS_OK && n < sizeof(limits) / sizeof(limits[0]);
		     n++)
			st = note_limit(d, stores[run], run, n);
		if (st == PATHS_OK)
			st = note_only(d, run);
		if (st == PATHS_OK)
			st = note_loops(d, run);
	}
	return st;
}

/* ---- sums */

/* Numbers of texts that entries get. */
struct merged {
	uint32_t mean, between, computing;
};

static paths_status
merged_texts(struct es_diff *d, struct merged *to)
{
	static const char computing[] = "computing";
	paths_status st =
	    es__intern_put(&d->texts, DIFF_MEAN, strlen(DIFF_MEAN), &to->mean);

	if (st == PATHS_OK)
		st = es__intern_put(&d->texts, ES__DIFF_BETWEEN,
		    strlen(ES__DIFF_BETWEEN), &to->between);
	return st == PATHS_OK ? es__intern_put(&d->texts, computing,
				    strlen(computing), &to->computing) :
				st;
}

/* Changes an entry to what both runs have: the mean of all threads, and the
   kinds and places that are known without a trace. */
static void
entry_merge(const struct es_diff *d, const struct merged *to,
    struct es__diff_entry *e)
{
	if (d->mean) {
		e->key.who = to->mean;
		for (unsigned run = 0; run < 2; run++)
			e->ns[run] /= d->sides[run].threads;
	}
	if (!d->mixed || e->key.kind == ES_DIFF_OPERATIONS)
		return;
	if (e->key.kind == ES_DIFF_WAITING) {
		e->key.kind = ES_DIFF_OPERATIONS;
		return;
	}
	e->key.kind = ES_DIFF_COMPUTING;
	e->key.where = to->between;
	e->function = e->site = to->computing;
}

/* Changes iterations in the same way.  A run without a trace has none that the
   other one's could be compared with. */
static void
bins_merge(struct es_diff *d)
{
	if (d->mixed)
		d->bin_count = 0;
	for (size_t n = 0; d->mean && n < d->bin_count; n++) {
		struct es__diff_bin *b = &d->bins[n];

		for (unsigned k = 0; k < ES_DIFF_OUTSIDE; k++)
			b->kinds[k] /= d->sides[b->run].threads;
	}
}

/* Gives both runs the same threads, kinds and places. */
static paths_status
diff_merge(struct es_diff *d)
{
	struct es__diff_entry *entries = d->entries;
	uint32_t count = d->keys.count;
	struct merged to = { 0 };
	paths_status st = merged_texts(d, &to);

	d->entries = NULL;
	d->entry_room = 0;
	es__intern_fini(&d->keys);
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		entry_merge(d, &to, &entries[n]);
		for (unsigned run = 0; st == PATHS_OK && run < 2; run++)
			st = es__diff_add(d, run, &entries[n]);
	}
	for (size_t n = 0; d->mean && n < d->bin_count; n++)
		d->bins[n].who = to.mean;
	bins_merge(d);
	free(entries);
	return st;
}

static void
diff_sum(struct es_diff *d)
{
	d->total.name = "total";
	for (uint32_t n = 0; n < d->keys.count; n++)
		for (unsigned run = 0; run < 2; run++) {
			const struct es__diff_entry *e = &d->entries[n];

			d->total.ns[run] += e->ns[run];
			d->total.kinds[e->key.kind][run] += e->ns[run];
		}
}

/* Returns the sum of all threads with the waiting that the views of loops and
   steps add up to: on paths, it differs from that of the activities. */
static struct es_diff_row
diff_sum_loops(const struct es_diff *d)
{
	struct es_diff_row sum = d->total;

	for (unsigned run = 0; !d->mixed && run < 2; run++) {
		const struct es__diff_side *side = &d->sides[run];
		double waiting =
		    side->waiting_ns / (d->mean ? side->threads : 1);

		if (!side->traced || side->waiting_ns < 0)
			continue;
		sum.kinds[ES_DIFF_OPERATIONS][run] +=
		    sum.kinds[ES_DIFF_WAITING][run] - waiting;
		sum.kinds[ES_DIFF_WAITING][run] = waiting;
	}
	return sum;
}

/* Drops the steps of runs whose steps are not the same thing. */
static void
diff_steps(struct es_diff *d)
{
	size_t kept = 0;

	if (!sources_differ(d))
		return;
	for (size_t n = 0; n < d->bin_count; n++)
		if (!d->bins[n].steps)
			d->bins[kept++] = d->bins[n];
	d->bin_count = kept;
}

/* ---- the interface */

paths_status
es_diff_open(struct es_store *const stores[2], const char *const names[2],
    struct es_diff **diff)
{
	struct es_diff *d = calloc(1, sizeof(*d));
	paths_status st = PATHS_OK;

	if (d == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	for (unsigned run = 0; st == PATHS_OK && run < 2; run++) {
		d->sides[run].name = strdup(names[run]);
		st = d->sides[run].name == NULL ?
		    PATHS_ENOMEM :
		    es__diff_read(d, stores[run], run);
	}
	d->mean = d->sides[0].threads != d->sides[1].threads;
	d->mixed = d->sides[0].traced != d->sides[1].traced;
	if (st == PATHS_OK && (d->mean || d->mixed))
		st = diff_merge(d);
	if (st == PATHS_OK) {
		diff_steps(d);
		diff_sum(d);
		d->loops_total = diff_sum_loops(d);
		st = diff_notes(d, stores);
	}
	if (st == PATHS_OK)
		st = es__diff_causes(d);
	if (st == PATHS_OK)
		st = es__diff_write(d);
	if (st == PATHS_OK)
		*diff = d;
	else
		es_diff_close(d);
	return st;
}

void
es_diff_close(struct es_diff *d)
{
	if (d == NULL)
		return;
	es__intern_fini(&d->texts);
	es__intern_fini(&d->keys);
	free(d->sides[0].name);
	free(d->sides[1].name);
	free(d->entries);
	free(d->bins);
	free(d->blames);
	free(d->text);
	free(d);
}

const char *
es_diff_text(const struct es_diff *d)
{
	return d->text;
}

const char *
es_diff_note(const struct es_diff *d, size_t n)
{
	return n < d->note_count ? d->notes[n] : NULL;
}

const struct es_diff_cause *
es_diff_cause(const struct es_diff *d, size_t n)
{
	return n < d->cause_count ? &d->causes[n] : NULL;
}

const struct es_diff_row *
es_diff_total(const struct es_diff *d, enum es_diff_by by, double elapsed[2])
{
	elapsed[0] = d->sides[0].elapsed_ns;
	elapsed[1] = d->sides[1].elapsed_ns;
	return by == ES_DIFF_BY_PHASE || by == ES_DIFF_BY_STEP ?
	    &d->loops_total :
	    &d->total;
}
