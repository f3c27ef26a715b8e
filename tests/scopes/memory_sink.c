/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/memory_sink.c - keeps the rows of views in memory
 */

#include "tests/scopes/memory_sink.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory_row {
	const struct es_table *table;
	struct es_value *values; /* texts and blobs are its own */
};

struct memory_sink {
	struct es_sink sink;
	struct memory_row *rows;
	size_t row_count, row_room;
	char *text;
};

static struct es_value
value_keep(struct es_value value)
{
	void *copy;

	if (value.kind == ES_TEXT) {
		value.as.text = strdup(value.as.text);
		EXPECT_TRUE(value.as.text != NULL);
	} else if (value.kind == ES_BLOB) {
		copy = malloc(value.bytes + 1);
		EXPECT_TRUE(copy != NULL);
		memcpy(copy, value.as.blob, value.bytes);
		value.as.blob = copy;
	}
	return value;
}

/* Keeps a row, and checks that each value is NULL or of its column's kind. */
static paths_status
memory_row(struct es_sink *sink, const struct es_table *table,
    const struct es_value *values)
{
	struct memory_sink *self = (struct memory_sink *)sink;
	struct memory_row *row;

	if (self->row_count == self->row_room) {
		self->row_room = self->row_room * 2 + 64;
		self->rows =
		    realloc(self->rows, self->row_room * sizeof(*self->rows));
		EXPECT_TRUE(self->rows != NULL);
	}
	row = &self->rows[self->row_count++];
	row->table = table;
	row->values = calloc(table->column_count, sizeof(*values));
	EXPECT_TRUE(row->values != NULL);
	for (size_t n = 0; n < table->column_count; n++) {
		EXPECT_TRUE(values[n].kind == table->columns[n].kind ||
		    values[n].kind == ES_NULL);
		row->values[n] = value_keep(values[n]);
	}
	return PATHS_OK;
}

static void
must(paths_status st)
{
	if (st != PATHS_OK)
		EXPECT_STR_EQ("", paths_log_last());
}

static struct memory_sink *
memory_compute(const char *dir, const char *view, unsigned threads,
    const char *clock)
{
	struct memory_sink *self = calloc(1, sizeof(*self));
	struct es_analysis *analysis = NULL;
	struct es_run *run = NULL;
	const struct es_view *v;

	EXPECT_TRUE(self != NULL);
	self->sink.row = memory_row;
	must(es_run_open(dir, &run));
	must(es_analysis_open(run, threads, clock, &analysis));
	for (size_t n = 0; (v = es_view_get(n)) != NULL; n++) {
		if (view == NULL || strcmp(view, v->name) == 0)
			must(es_view_fill(v, analysis, &self->sink));
	}
	es_analysis_close(analysis);
	es_run_close(run);
	return self;
}

struct memory_sink *
memory_sink_compute(const char *dir, const char *view, unsigned threads)
{
	return memory_compute(dir, view, threads, NULL);
}

struct memory_sink *
memory_sink_align(const char *dir, const char *view, const char *clock)
{
	return memory_compute(dir, view, 2, clock);
}

void
memory_sink_free(struct memory_sink *self)
{
	for (size_t r = 0; r < self->row_count; r++) {
		for (size_t n = 0; n < self->rows[r].table->column_count; n++) {
			struct es_value *value = &self->rows[r].values[n];

			if (value->kind == ES_TEXT || value->kind == ES_BLOB)
				free((void *)value->as.blob);
		}
		free(self->rows[r].values);
	}
	free(self->rows);
	free(self->text);
	free(self);
}

static void
value_print(FILE *to, const struct es_value *value)
{
	switch (value->kind) {
	case ES_INTEGER:
		fprintf(to, "%" PRId64, value->as.integer);
		break;
	case ES_REAL:
		fprintf(to, "%.3f", value->as.real);
		break;
	case ES_TEXT:
		fputs(value->as.text, to);
		break;
	case ES_BLOB:
		for (size_t n = 0; n < value->bytes; n++)
			fprintf(to, "%02x",
			    ((const uint8_t *)value->as.blob)[n]);
		break;
	default:
		break;
	}
}

const char *
memory_sink_text(struct memory_sink *self, const char *table)
{
	size_t bytes;
	FILE *to;

	free(self->text);
	self->text = NULL;
	to = open_memstream(&self->text, &bytes);
	EXPECT_TRUE(to != NULL);
	for (size_t r = 0; r < self->row_count; r++) {
		const struct memory_row *row = &self->rows[r];

		if (strcmp(row->table->name, table) != 0)
			continue;
		for (size_t n = 0; n < row->table->column_count; n++) {
			if (n > 0)
				fputc('|', to);
			value_print(to, &row->values[n]);
		}
		fputc('\n', to);
	}
	EXPECT_EQ(0, fclose(to));
	return self->text;
}

/* Returns the n-th row of a table; NULL past the last. */
static const struct memory_row *
memory_find(const struct memory_sink *self, const char *table, size_t n)
{
	for (size_t r = 0; r < self->row_count; r++) {
		if (strcmp(self->rows[r].table->name, table) == 0 && n-- == 0)
			return &self->rows[r];
	}
	return NULL;
}

size_t
memory_sink_rows(const struct memory_sink *self, const char *table)
{
	size_t n = 0;

	while (memory_find(self, table, n) != NULL)
		n++;
	return n;
}

static const struct es_value *
memory_value(const struct memory_sink *self, const char *table, size_t n,
    const char *column)
{
	const struct memory_row *row = memory_find(self, table, n);

	EXPECT_TRUE(row != NULL);
	for (size_t c = 0; row != NULL && c < row->table->column_count; c++) {
		if (strcmp(row->table->columns[c].name, column) == 0)
			return &row->values[c];
	}
	EXPECT_STR_EQ("a column", column);
	abort();
}

int64_t
memory_sink_int(const struct memory_sink *self, const char *table, size_t row,
    const char *column)
{
	const struct es_value *value = memory_value(self, table, row, column);

	EXPECT_EQ(ES_INTEGER, value->kind);
	return value->as.integer;
}

double
memory_sink_real(const struct memory_sink *self, const char *table, size_t row,
    const char *column)
{
	const struct es_value *value = memory_value(self, table, row, column);

	EXPECT_EQ(ES_REAL, value->kind);
	return value->as.real;
}

const void *
memory_sink_blob(const struct memory_sink *self, const char *table, size_t row,
    const char *column, size_t *bytes)
{
	const struct es_value *value = memory_value(self, table, row, column);

	EXPECT_EQ(ES_BLOB, value->kind);
	*bytes = value->bytes;
	return value->as.blob;
}

const char *
memory_sink_string(const struct memory_sink *self, const char *table,
    size_t row, const char *column)
{
	const struct es_value *value = memory_value(self, table, row, column);

	EXPECT_EQ(ES_TEXT, value->kind);
	return value->as.text;
}

int64_t
memory_sink_sum(const struct memory_sink *self, const char *table,
    const char *column)
{
	size_t rows = memory_sink_rows(self, table);
	int64_t sum = 0;

	for (size_t n = 0; n < rows; n++)
		sum += memory_sink_int(self, table, n, column);
	return sum;
}
