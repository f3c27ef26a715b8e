/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/fake_model.c - computes views of a run and opens its model
 */

#include "tests/viewer/fake_model.h"

#include "scopes/analysis.h"

#include "tests/test.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

void
fake_model_scope(const char *dir)
{
	const struct es_view *view;
	struct es_analysis *analysis;
	struct es_store *store;
	struct es_run *run;
	char file[4096];

	snprintf(file, sizeof(file), "%s/view.db", dir);
	EXPECT_OK(es_run_open(dir, &run));
	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_run(store, analysis));
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++) {
		EXPECT_OK(es_store_view(store, view));
		EXPECT_OK(es_view_fill(view, analysis, es_store_sink(store)));
	}
	EXPECT_OK(es_store_commit(store));
	es_store_close(store);
	es_analysis_close(analysis);
	es_run_close(run);
}

struct esv_model *
fake_model_open(const char *dir)
{
	struct esv_model *model;

	fake_model_scope(dir);
	EXPECT_OK(esv_model_open(dir, &model));
	return model;
}

uint32_t
fake_model_row(const struct esv_model *model, enum esv_row_kind kind,
    const char *name)
{
	for (uint32_t n = 0; n < model->row_count; n++) {
		if (model->rows[n].kind == kind &&
		    strcmp(model->rows[n].name, name) == 0)
			return n;
	}
	EXPECT_STR_EQ(name, "among the rows");
	return 0;
}

void
fake_model_sql(const char *file, const char *sql)
{
	sqlite3 *db;

	EXPECT_EQ(SQLITE_OK, sqlite3_open(file, &db));
	EXPECT_EQ(SQLITE_OK, sqlite3_exec(db, sql, NULL, NULL, NULL));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
}
