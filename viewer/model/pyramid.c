/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/pyramid.c - reads the shape of the timeline's pyramid
 */

#include "viewer/model/pyramid.h"

#include "viewer/model/read.h"
#include "viewer/model/rows.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "scopes/operation.h"
#include "scopes/timeline.h"

#include <stdlib.h>
#include <string.h>

ESV__SQL(model_groups);
ESV__SQL(model_has_interval);
ESV__SQL(model_gaps);
ESV__SQL(model_has_gaps);
ESV__SQL(model_has_tints);
ESV__SQL(model_has_waits);
ESV__SQL(model_tints);
ESV__SQL(model_has_critical);
ESV__SQL(model_interval);

/* The row of the model for each kind and id, and the rows of each kind. */
struct pyramid_reader {
	struct esv_model *model;
	uint32_t *rows[ESV_ROW_THREAD + 1];
	uint32_t counts[ESV_ROW_THREAD + 1];
};

static paths_status
pyramid_kind(const struct es_rows *rows, enum esv_row_kind *kind)
{
	struct es_value value;

	es_rows_get(rows, 1, &value);
	if (value.kind == ES_TEXT && esv_row_kind_find(value.as.text, kind))
		return PATHS_OK;
	return paths_log_fail(PATHS_EDAMAGED,
	    "view.db: unknown kind of a row of timeline_row");
}

/* Reads the shape, which is the same for all pyramids.  The number of levels
   follows from the number of buckets. */
static paths_status
pyramid_shape(struct esv_model *model, const struct es_rows *rows)
{
	const int64_t far = INT64_C(1) << 62;
	const int64_t exact = INT64_C(1) << 53; /* for integers in a double */
	uint32_t levels = 1;
	int64_t bucket_ns, buckets, listed, most;
	paths_status st = esv__read_number(rows, 3, 1, far, &bucket_ns);

	if (st != PATHS_OK)
		return st;
	most = far / bucket_ns < exact ? far / bucket_ns : exact;
	st = esv__read_number(rows, 4, 1, most, &buckets);
	if (st != PATHS_OK)
		return st;
	for (int64_t n = buckets; n > ES_TIMELINE_TOP; n = (n + 1) / 2)
		levels++;
	st = esv__read_number(rows, 5, levels, levels, &listed);
	if (st != PATHS_OK)
		return st;
	if (model->levels > 0 &&
	    (bucket_ns != model->bucket_ns ||
		(uint64_t)buckets != model->buckets))
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: pyramids of timeline_row differ in shape",
		    model->file);
	model->bucket_ns = bucket_ns;
	model->buckets = (uint64_t)buckets;
	model->levels = levels;
	return PATHS_OK;
}

/* Returns the group that a column names; ES_GROUPS: none. */
static uint32_t
pyramid_group(const struct es_rows *rows, unsigned column)
{
	struct es_value value;
	uint32_t group = 0;

	es_rows_get(rows, column, &value);
	while (group < ES_GROUPS &&
	    (value.kind != ES_TEXT ||
		strcmp(value.as.text, es_operation_group_name(group)) != 0))
		group++;
	return group;
}

static paths_status
pyramid_take(void *to, const struct es_rows *rows)
{
	struct pyramid_reader *reader = to;
	enum esv_row_kind kind = ESV_ROW_RUN;
	int64_t pyramid = 0, id = 0;
	struct esv_row *row;
	paths_status st =
	    esv__read_number(rows, 0, 0, 4 * (int64_t)ESV__READ_ROWS, &pyramid);

	if (st == PATHS_OK)
		st = pyramid_kind(rows, &kind);
	if (st == PATHS_OK)
		st = esv__read_number(rows, 2, 0,
		    (int64_t)reader->counts[kind] - 1, &id);
	if (st == PATHS_OK)
		st = pyramid_shape(reader->model, rows);
	if (st != PATHS_OK)
		return st;
	row = &reader->model->rows[reader->rows[kind][id]];
	row->pyramid = (uint32_t)pyramid;
	row->group = pyramid_group(rows, 6);
	return PATHS_OK;
}

static paths_status
pyramid_take_has(void *to, const struct es_rows *rows)
{
	(void)rows;
	*(bool *)to = true;
	return PATHS_OK;
}

static paths_status
pyramid_take_group(void *to, const struct es_rows *rows)
{
	uint32_t group = pyramid_group(rows, 0);

	if (group < ES_GROUPS)
		((struct esv_model *)to)->groups |= 1u << group;
	return PATHS_OK;
}

/* Takes a class such as "site-3"; others are ignored. */
static paths_status
pyramid_take_tint(void *to, const struct es_rows *rows)
{
	struct esv_model *model = to;
	struct es_value class;
	uint32_t colour, n;

	es_rows_get(rows, 0, &class);
	if (class.kind == ES_TEXT &&
	    es_colour_read(class.as.text, strlen(class.as.text), &colour, &n))
		model->tints[colour] |= 1u << n;
	return PATHS_OK;
}

/* Takes the measured interval, if it is within the run. */
static paths_status
pyramid_take_interval(void *to, const struct es_rows *rows)
{
	struct esv_model *model = to;
	struct es_value from, end, cut;

	es_rows_get(rows, 0, &from);
	es_rows_get(rows, 1, &end);
	es_rows_get(rows, 2, &cut);
	if (from.kind == ES_INTEGER && end.kind == ES_INTEGER &&
	    from.as.integer >= 0 && end.as.integer <= model->span_ns &&
	    from.as.integer < end.as.integer) {
		model->from_ns = from.as.integer;
		model->to_ns = end.as.integer;
		if (cut.kind != ES_INTEGER || cut.as.integer == 0)
			model->shown_to_ns = model->to_ns;
	}
	return PATHS_OK;
}

/* Finds out if threads were without a core. */
static paths_status
pyramid_read_gaps(struct esv_model *model)
{
	bool has = false;
	paths_status st = esv__read_each(model, esv__sql_model_has_gaps,
	    pyramid_take_has, &has);

	return st == PATHS_OK && has ?
	    esv__read_each(model, esv__sql_model_gaps, pyramid_take_has,
		&model->gaps) :
	    st;
}

/* Reads the groups and the measured interval of the run. */
static paths_status
pyramid_read_run(struct esv_model *model)
{
	bool has = false;
	paths_status st = esv__read_each(model, esv__sql_model_groups,
	    pyramid_take_group, model);

	model->from_ns = 0;
	model->to_ns = model->shown_to_ns = model->span_ns;
	if (st == PATHS_OK)
		st = esv__read_each(model, esv__sql_model_has_interval,
		    pyramid_take_has, &has);
	if (st == PATHS_OK && has)
		st = esv__read_each(model, esv__sql_model_interval,
		    pyramid_take_interval, model);
	return st;
}

paths_status
esv__pyramid_read(struct esv_model *model)
{
	struct pyramid_reader reader = { .model = model };
	paths_status st = PATHS_OK;

	for (int k = ESV_ROW_RUN; k <= ESV_ROW_THREAD; k++) {
		reader.rows[k] =
		    calloc(model->row_count, sizeof(*reader.rows[k]));
		if (reader.rows[k] == NULL)
			st = paths_log_fail(PATHS_ENOMEM,
			    "no memory for the model");
	}
	for (uint32_t n = 0; st == PATHS_OK && n < model->row_count; n++) {
		const struct esv_row *row = &model->rows[n];

		reader.rows[row->kind][row->id] = n;
		reader.counts[row->kind]++;
	}
	if (st == PATHS_OK)
		st = esv__read_each(model,
		    "SELECT row, kind, id, bucket_ns, buckets, levels, class "
		    "FROM timeline_row",
		    pyramid_take, &reader);
	if (st == PATHS_OK)
		st = esv__read_each(model, esv__sql_model_has_waits,
		    pyramid_take_has, &model->waits);
	if (st == PATHS_OK)
		st = esv__read_each(model, esv__sql_model_has_tints,
		    pyramid_take_has, &model->tinted);
	if (st == PATHS_OK && model->tinted)
		st = esv__read_each(model, esv__sql_model_tints,
		    pyramid_take_tint, model);
	/* A colour without rows is one that no operation has. */
	for (int n = 0; n < ES_COLOURS; n++)
		if (model->tints[n] == 0)
			model->tints[n] = 1u << ES_COLOUR_NONE;
	if (st == PATHS_OK)
		st = esv__read_each(model, esv__sql_model_has_critical,
		    pyramid_take_has, &model->critical);
	if (st == PATHS_OK)
		st = pyramid_read_gaps(model);
	if (st == PATHS_OK)
		st = pyramid_read_run(model);
	for (int k = ESV_ROW_RUN; k <= ESV_ROW_THREAD; k++)
		free(reader.rows[k]);
	return st;
}
