/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/fake_model.c - opens the model of a run
 */

#include "tests/viewer/fake_model.h"

#include "tests/scopes/fake_store.h"
#include "tests/test.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

struct esv_model *
fake_model_open(const char *dir)
{
	struct esv_model *model;

	fake_store_fill(dir);
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
