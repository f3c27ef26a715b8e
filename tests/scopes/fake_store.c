/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_store.c - computes the views of a run
 */

#include "tests/scopes/fake_store.h"

#include "scopes/analysis.h"
#include "scopes/store.h"
#include "scopes/view.h"

#include "tests/test.h"

#include <stdio.h>

void
fake_store_fill(const char *dir)
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
