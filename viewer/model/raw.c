/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/raw.c - opens the event spaces of a run
 *
 * Stamps are converted to times as in the views, with the table timebase, so
 * tuples and views agree and no clocks are aligned again.  Event spaces of
 * another run are refused.
 */

#include "viewer/model/raw.h"

#include "viewer/model/read.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "scopes/operation.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ESV__SQL(raw_collectors);

/* Sets *place to a sentence, unless it has one.  Without memory it stays
   NULL. */
static void raw_keep(char **place, const char *fmt, ...) PATHS_PRINTF(2, 3);

static void
raw_keep(char **place, const char *fmt, ...)
{
	va_list arguments;

	if (*place != NULL)
		return;
	va_start(arguments, fmt);
	if (vasprintf(place, fmt, arguments) < 0)
		*place = NULL;
	va_end(arguments);
}

/* Finds the run directory: the folder of the file, or the one where it was
   computed. */
static paths_status
raw_find(struct esv_model *model)
{
	const char *slash = strrchr(model->file, '/');
	char *beside = slash == NULL ?
	    strdup(".") :
	    strndup(model->file,
		slash == model->file ? 1 : (size_t)(slash - model->file));
	char *computed = NULL;
	paths_status st = esv__read_meta(model, "run", &computed);

	if (st == PATHS_OK && beside == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for the model");
	if (st != PATHS_OK || es_run_is(beside)) {
		model->dir = beside;
		free(computed);
	} else if (computed != NULL && es_run_is(computed)) {
		model->dir = computed;
		free(beside);
	} else {
		raw_keep(&model->raw_missing,
		    "no event spaces in the folder of %s, nor where it was "
		    "computed%s%s",
		    model->file, computed != NULL ? ": " : "",
		    computed != NULL ? computed : "");
		model->dir = beside;
		free(computed);
	}
	return st;
}

struct raw {
	struct esv_model *model;
	uint32_t collectors; /* rows of the table read so far */
	uint32_t *threads;   /* of each head (model.h); others: PATHS_NONE */
	bool foreign;	     /* the event spaces are of another run */
};

static paths_status
raw_take_collector(void *to, const struct es_rows *rows)
{
	struct raw *raw = to;
	const struct esv_model *model = raw->model;
	const struct es_collector *c =
	    es_run_collector(model->run, raw->collectors);
	struct es_value head;
	int64_t id, process, tuples, discarded, thread;
	paths_status st =
	    esv__read_number(rows, 0, raw->collectors, raw->collectors, &id);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, 0, UINT32_MAX, &process);
	if (st == PATHS_OK)
		st = esv__read_number(rows, 2, 0, INT64_MAX / 2, &tuples);
	if (st == PATHS_OK)
		st = esv__read_number(rows, 3, 0, INT64_MAX / 2, &discarded);
	if (st != PATHS_OK)
		return st;
	raw->collectors++;
	raw->foreign |= c == NULL || c->process != process;
	if (raw->foreign)
		return PATHS_OK;
	if (c->type != NULL &&
	    (int64_t)(c->count + c->discarded) != tuples + discarded)
		raw_keep(&raw->model->stale,
		    "%s has changed since its views were computed; "
		    "`eventspace scope %s` computes them again",
		    model->dir, model->dir);
	es_rows_get(rows, 5, &head);
	if (head.kind != ES_INTEGER || head.as.integer != 1)
		return PATHS_OK;
	st = esv__read_number(rows, 4, 0, (int64_t)model->thread_count - 1,
	    &thread);
	if (st != PATHS_OK)
		return st;
	raw->foreign |= c->thread != thread;
	if (!raw->foreign)
		raw->threads[id] = (uint32_t)thread;
	return PATHS_OK;
}

/* Lists the collectors of each thread: a counting sort by thread. */
static paths_status
raw_sort_heads(struct raw *raw)
{
	struct esv_model *m = raw->model;

	m->head_of = calloc((size_t)m->thread_count + 2, sizeof(*m->head_of));
	m->heads = calloc((size_t)raw->collectors + 1, sizeof(*m->heads));
	if (m->head_of == NULL || m->heads == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the model");
	for (uint32_t c = 0; c < raw->collectors; c++) {
		if (raw->threads[c] != PATHS_NONE)
			m->head_of[raw->threads[c] + 2]++;
	}
	for (uint32_t t = 0; t < m->thread_count; t++)
		m->head_of[t + 2] += m->head_of[t + 1];
	for (uint32_t c = 0; c < raw->collectors; c++) {
		if (raw->threads[c] != PATHS_NONE)
			m->heads[m->head_of[raw->threads[c] + 1]++] = c;
	}
	return PATHS_OK;
}

static paths_status
raw_take_base(void *to, const struct es_rows *rows)
{
	struct raw *raw = to;
	struct es_timebase *bases = raw->model->bases;
	uint32_t count = es_run_map(raw->model->run)->process_count;
	int64_t process = 0, origin = 0, ns = 0, mult = 0;
	struct es_time_piece piece;
	paths_status st =
	    esv__read_number(rows, 0, 0, (int64_t)count - 1, &process);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, INT64_MIN, INT64_MAX, &origin);
	if (st == PATHS_OK)
		st = esv__read_number(rows, 2, INT64_MIN, INT64_MAX, &ns);
	if (st == PATHS_OK)
		st = esv__read_number(rows, 3, 0, INT64_MAX, &mult);
	piece = (struct es_time_piece){ (uint64_t)origin, ns, mult };
	return st == PATHS_OK ? es_timebase_append(&bases[process], &piece) :
				st;
}

static paths_status
raw_read(struct raw *raw)
{
	struct esv_model *m = raw->model;
	const struct paths_map *map = es_run_map(m->run);
	uint32_t collectors = es_run_collector_count(m->run);
	paths_status st;

	m->bases = calloc((size_t)map->process_count + 1, sizeof(*m->bases));
	raw->threads = calloc((size_t)collectors + 1, sizeof(*raw->threads));
	if (m->bases == NULL || raw->threads == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the model");
	for (uint32_t c = 0; c < collectors; c++)
		raw->threads[c] = PATHS_NONE;
	st =
	    esv__read_each(m, esv__sql_raw_collectors, raw_take_collector, raw);
	raw->foreign |= collectors != raw->collectors ||
	    map->thread_count != m->thread_count;
	if (st != PATHS_OK || raw->foreign)
		return st;
	st = raw_sort_heads(raw);
	return st != PATHS_OK ?
	    st :
	    esv__read_each(m,
		"SELECT process, origin_ticks, origin_ns, scale FROM timebase"
		" ORDER BY process, piece",
		raw_take_base, raw);
}

void
esv__raw_close(struct esv_model *model)
{
	uint32_t processes =
	    model->bases == NULL ? 0 : es_run_map(model->run)->process_count;

	for (uint32_t p = 0; p < processes; p++)
		es_timebase_fini(&model->bases[p]);
	free(model->bases);
	model->bases = NULL;
	es_run_close(model->run);
	model->run = NULL;
}

static void
raw_drop(struct esv_model *model)
{
	esv__raw_close(model);
	free(model->stale);
	model->stale = NULL;
}

/* Notes collectors whose event space cannot be read, with the first reason. */
static void
raw_note_missing(struct esv_model *model)
{
	uint32_t collectors = es_run_collector_count(model->run);
	uint32_t missing = 0;
	const char *first = NULL;
	const struct es_diagnostic *d;

	for (uint32_t i = 0; i < collectors; i++)
		missing += es_run_collector(model->run, i)->type == NULL;
	for (size_t n = 0; (d = es_run_diagnostic(model->run, n)) != NULL; n++)
		if (first == NULL && d->severity == ES_ERROR)
			first = d->text;
	if (missing == 0 || first == NULL)
		return;
	raw_keep(&model->raw_missing, "%s: %u of %u collectors: %s", model->dir,
	    missing, collectors, first);
	if (missing == collectors)
		raw_drop(model);
}

static paths_status
raw_note_live(struct esv_model *model)
{
	char *live = NULL;
	paths_status st = esv__read_meta(model, "live", &live);

	if (st == PATHS_OK && live != NULL && strcmp(live, "1") == 0)
		raw_keep(&model->stale,
		    "%s was still recording when its views were computed; "
		    "`eventspace scope %s` computes them again",
		    model->dir, model->dir);
	free(live);
	return st;
}

static paths_status
raw_use(struct esv_model *model)
{
	struct raw raw = { .model = model };
	paths_status st = raw_read(&raw);

	free(raw.threads);
	if (st != PATHS_OK)
		return st;
	if (raw.foreign) {
		raw_drop(model);
		raw_keep(&model->raw_missing,
		    "the event spaces in %s belong to another run", model->dir);
		return PATHS_OK;
	}
	raw_note_missing(model);
	return model->run != NULL ? raw_note_live(model) : PATHS_OK;
}

paths_status
esv__raw_open(struct esv_model *model)
{
	paths_status st = raw_find(model);

	if (st != PATHS_OK || model->raw_missing != NULL)
		return st;
	st = es_run_open(model->dir, &model->run);
	if (st == PATHS_ENOMEM)
		return st;
	if (st != PATHS_OK) {
		model->run = NULL;
		raw_keep(&model->raw_missing, "%s", paths_log_last());
		return PATHS_OK;
	}
	return raw_use(model);
}
