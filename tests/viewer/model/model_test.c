/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/model/model_test.c - opens runs and damaged files for the viewer
 */

#include "viewer/model/model.h"
#include "viewer/timeline/strips.h"

#include "tests/scopes/fake_op.h"
#include "tests/scopes/fake_store.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include "scopes/store.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

static const char map_text[] =
    FAKE_MAP "process silent -host b\n"
	     "thread t0 -process p\n"
	     "thread u -process q\n"
	     "thread t1 -process p\n"
	     "element e -process p -type f64 -keep 16\n"
	     "path t0 e {{collector} {element e}}\n"
	     "path u e {{collector} {proxy p} {element e}}\n"
	     "path t1 e {{element e}}\n";

static struct fake_run *
recorded(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);

	for (uint32_t n = 0; n < 10; n++) {
		FAKE_OP(run, 0, WRITE, n, 100 * n, 100 * n + 50);
		FAKE_OP(run, 1, WRITE, n, 100 * n + 10, 100 * n + 90);
	}
	return run;
}

static const char *
model_file(const struct fake_run *run)
{
	static char file[300];

	snprintf(file, sizeof(file), "%s/view.db", fake_run_dir(run));
	return file;
}

static char *
rows_text(const struct esv_model *model)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (uint32_t n = 0; n < model->row_count; n++) {
		const struct esv_row *row = &model->rows[n];

		fprintf(to, "%*s%s %u parent %d threads %u %s\n",
		    2 * (int)row->depth, "", row->name, row->id,
		    (int)row->parent, row->threads,
		    row->pyramid == PATHS_NONE ? "nothing" : "drawn");
	}
	EXPECT_EQ(0, fclose(to));
	return text;
}

static void
rows_are_the_tree_of_hosts_processes_and_threads(void)
{
	struct fake_run *run = recorded();
	struct esv_model *model;
	char *text;

	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	text = rows_text(model);
	EXPECT_STR_EQ("run 0 parent -1 threads 3 drawn\n"
		      "  a 0 parent 0 threads 2 drawn\n"
		      "    p 0 parent 1 threads 2 drawn\n"
		      "      t0 0 parent 2 threads 1 drawn\n"
		      "      t1 2 parent 2 threads 1 nothing\n"
		      "  b 1 parent 0 threads 1 drawn\n"
		      "    q 1 parent 5 threads 1 drawn\n"
		      "      u 1 parent 6 threads 1 drawn\n"
		      "    silent 2 parent 5 threads 0 nothing\n",
	    text);
	EXPECT_EQ(3, model->thread_count);
	EXPECT_EQ(3, model->thread_rows[0]);
	EXPECT_EQ(7, model->thread_rows[1]);
	EXPECT_EQ(4, model->thread_rows[2]);
	EXPECT_EQ(990, model->span_ns);
	EXPECT_TRUE(model->raw_missing == NULL);
	EXPECT_TRUE(model->stale == NULL);
	EXPECT_TRUE(!model->mpi);
	EXPECT_EQ(0, model->heads[model->head_of[0]]);
	EXPECT_EQ(1, model->heads[model->head_of[1]]);
	EXPECT_EQ(model->head_of[2], model->head_of[3]);
	free(text);
	esv_model_close(model);
	fake_run_remove(run);
}

/* Moves the view.db into a folder of its own, and sets its name. */
static void
view_move(const char *dir, char file[300])
{
	char from[300];

	fake_dir_create(file);
	strcat(file, "/view.db");
	snprintf(from, sizeof(from), "%s/view.db", dir);
	EXPECT_EQ(0, rename(from, file));
}

static void
view_remove(char file[300])
{
	*strrchr(file, '/') = '\0';
	fake_dir_remove(file);
}

static void
event_spaces_are_found_where_the_views_were_computed(void)
{
	struct fake_run *run = recorded();
	struct esv_model *model;
	char file[300];

	fake_run_end(run, FAKE_RUN_ENDED);
	fake_store_fill(fake_run_dir(run));
	view_move(fake_run_dir(run), file);
	EXPECT_OK(esv_model_open(file, &model));
	EXPECT_STR_EQ(fake_run_dir(run), model->dir);
	EXPECT_TRUE(model->run != NULL);
	EXPECT_TRUE(model->raw_missing == NULL);
	esv_model_close(model);
	view_remove(file);
	fake_run_remove(run);
}

static void
a_view_db_without_event_spaces_is_drawn_and_reports_it(void)
{
	struct fake_run *run = recorded();
	const uint32_t row = 0;
	struct esv_strips strips = { 0 };
	struct esv_model *model;
	char file[300], want[1000];

	fake_run_end(run, FAKE_RUN_ENDED);
	fake_store_fill(fake_run_dir(run));
	view_move(fake_run_dir(run), file);
	snprintf(want, sizeof(want),
	    "no event spaces in the folder of %s, nor where it was "
	    "computed: %s",
	    file, fake_run_dir(run));
	fake_run_remove(run);
	EXPECT_OK(esv_model_open(file, &model));
	EXPECT_TRUE(model->run == NULL);
	EXPECT_STR_EQ(want, model->raw_missing);
	EXPECT_OK(esv_strips_fill(model,
	    &(struct esv_window){ 0, 1000, 50, ESV_BY_SHARE, 0 }, &row, 1,
	    &strips));
	EXPECT_TRUE(strips.count > 0);
	EXPECT_TRUE(!strips.coarse);
	EXPECT_OK(esv_strips_fill(model,
	    &(struct esv_window){ 0, 20, 50, ESV_BY_SHARE, 0 }, &row, 1,
	    &strips));
	EXPECT_TRUE(strips.coarse);
	esv_strips_fini(&strips);
	esv_model_close(model);
	view_remove(file);
}

static void
a_missing_event_space_is_named(void)
{
	struct fake_run *run = recorded();
	struct esv_model *model;
	char file[300];

	fake_run_end(run, FAKE_RUN_ENDED);
	fake_store_fill(fake_run_dir(run));
	snprintf(file, sizeof(file), "%s/q.space", fake_run_dir(run));
	EXPECT_EQ(0, unlink(file));
	EXPECT_OK(esv_model_open(fake_run_dir(run), &model));
	EXPECT_TRUE(model->run != NULL);
	EXPECT_TRUE(strstr(model->raw_missing, "1 of 2 collectors") != NULL);
	EXPECT_TRUE(strstr(model->raw_missing, "q.space") != NULL);
	esv_model_close(model);
	fake_run_remove(run);
}

static void
event_spaces_of_another_run_are_not_used(void)
{
	struct fake_run *run = recorded();
	struct fake_run *other =
	    fake_run_create(FAKE_MAP "thread t -process p\n"
				     "element e -process p -type f64 -keep 16\n"
				     "path t e {{collector} {element e}}\n",
		16);
	struct esv_model *model;
	char from[300], to[300];

	fake_run_end(run, FAKE_RUN_ENDED);
	fake_run_end(other, FAKE_RUN_ENDED);
	fake_store_fill(fake_run_dir(run));
	snprintf(from, sizeof(from), "%s/view.db", fake_run_dir(run));
	snprintf(to, sizeof(to), "%s/view.db", fake_run_dir(other));
	EXPECT_EQ(0, rename(from, to));
	EXPECT_OK(esv_model_open(fake_run_dir(other), &model));
	EXPECT_TRUE(model->run == NULL);
	EXPECT_TRUE(
	    strstr(model->raw_missing, "belong to another run") != NULL);
	esv_model_close(model);
	fake_run_remove(other);
	fake_run_remove(run);
}

static void
event_spaces_with_other_threads_are_not_used(void)
{
	struct fake_run *run = recorded();
	struct esv_model *model;

	fake_run_end(run, FAKE_RUN_ENDED);
	fake_store_fill(fake_run_dir(run));
	fake_model_sql(model_file(run),
	    "UPDATE collector SET thread = 1 WHERE collector = 0");
	EXPECT_OK(esv_model_open(fake_run_dir(run), &model));
	EXPECT_TRUE(model->run == NULL);
	EXPECT_TRUE(
	    strstr(model->raw_missing, "belong to another run") != NULL);
	esv_model_close(model);
	fake_run_remove(run);
}

/* The measured interval is that of all ranks, if it is within the run.  If a
   rank did not end it, pictures go to the end of the run.  Without the tables
   of waits, these are not known. */
static void
the_measured_interval_and_waits_are_found(void)
{
	struct fake_run *run = recorded();
	struct esv_model *model;

	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	EXPECT_EQ(0, model->from_ns);
	EXPECT_EQ(model->span_ns, model->to_ns);
	EXPECT_TRUE(model->waits);
	esv_model_close(model);
	fake_model_sql(model_file(run),
	    "INSERT INTO mpi_interval VALUES (0, 20, 70, 'mpi', 'mpi'), "
	    "(1, 10, 60, 'mpi', 'mpi'); DROP TABLE timeline_span");
	EXPECT_OK(esv_model_open(fake_run_dir(run), &model));
	EXPECT_EQ(10, model->from_ns);
	EXPECT_EQ(70, model->to_ns);
	EXPECT_EQ(70, model->shown_to_ns);
	EXPECT_TRUE(!model->waits);
	esv_model_close(model);
	fake_model_sql(model_file(run),
	    "UPDATE mpi_interval SET stop_source = 'recording' WHERE rank = 1");
	EXPECT_OK(esv_model_open(fake_run_dir(run), &model));
	EXPECT_EQ(70, model->to_ns);
	EXPECT_EQ(model->span_ns, model->shown_to_ns);
	EXPECT_TRUE(model->span_ns > 70);
	esv_model_close(model);
	fake_model_sql(model_file(run),
	    "UPDATE mpi_interval SET stop_ns = 1 << 60");
	EXPECT_OK(esv_model_open(fake_run_dir(run), &model));
	EXPECT_EQ(0, model->from_ns);
	EXPECT_EQ(model->span_ns, model->to_ns);
	esv_model_close(model);
	fake_run_remove(run);
}

static void
a_run_that_changed_after_its_views_is_reported(void)
{
	struct fake_run *run = recorded();
	struct esv_model *model;

	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	EXPECT_TRUE(model->stale == NULL);
	esv_model_close(model);
	fake_model_sql(model_file(run),
	    "UPDATE collector SET tuples = 9 "
	    "WHERE collector = 0");
	EXPECT_OK(esv_model_open(fake_run_dir(run), &model));
	EXPECT_TRUE(strstr(model->stale, "has changed since") != NULL);
	EXPECT_TRUE(model->run != NULL);
	esv_model_close(model);
	fake_model_sql(model_file(run),
	    "UPDATE collector SET tuples = 10 WHERE collector = 0;"
	    "UPDATE meta SET value = '1' WHERE key = 'live'");
	EXPECT_OK(esv_model_open(fake_run_dir(run), &model));
	EXPECT_TRUE(strstr(model->stale, "was still recording") != NULL);
	esv_model_close(model);
	fake_run_remove(run);
}

/* Expects an error in one line with the file and the reason. */
static void
expect_refused(paths_status want, const char *path, const char *why)
{
	struct esv_model *model = NULL;

	EXPECT_EQ(want, esv_model_open(path, &model));
	EXPECT_TRUE(model == NULL);
	EXPECT_TRUE(strstr(paths_log_last(), why) != NULL);
	EXPECT_TRUE(strstr(paths_log_last(), "view.db") != NULL);
	EXPECT_TRUE(strchr(paths_log_last(), '\n') == NULL);
}

static void
a_file_that_is_no_view_db_is_refused_with_the_reason(void)
{
	struct fake_run *run = recorded();
	const char *dir = fake_run_dir(run);
	const char *file;

	fake_run_end(run, FAKE_RUN_ENDED);
	expect_refused(PATHS_ENOENT, dir, "`eventspace scope ");
	fake_store_fill(dir);
	file = model_file(run);
	fake_model_sql(file, "PRAGMA user_version = 77");
	expect_refused(PATHS_EABI, dir, "tables of version 77");
	fake_model_sql(file,
	    "PRAGMA user_version = " TEXT(
		ES_STORE_SCHEMA_VERSION) "; DROP TABLE thread");
	expect_refused(PATHS_EDAMAGED, dir, "has no table \"thread\"");
	fake_model_sql(file,
	    "CREATE VIEW thread AS WITH RECURSIVE n(x) AS "
	    "(VALUES (0) UNION ALL SELECT x + 1 FROM n) "
	    "SELECT x AS thread, 0 AS process, '' AS name "
	    "FROM n");
	expect_refused(PATHS_EDAMAGED, dir, "its view thread was not made by");
	fake_model_sql(file, "PRAGMA application_id = 1");
	expect_refused(PATHS_EDAMAGED, dir, "not a database of eventspace");
	EXPECT_EQ(0, truncate(file, 5000));
	expect_refused(PATHS_EDAMAGED, dir, "damaged");
	EXPECT_EQ(0, truncate(file, 0));
	expect_refused(PATHS_EDAMAGED, dir, "empty");
	fake_run_remove(run);
}

static void
impossible_numbers_are_refused(void)
{
	static const char *const changes[][2] = {
		{ "UPDATE thread SET process = -1 WHERE thread = 0",
		    "column process holds -1" },
		{ "UPDATE process SET host = 2 WHERE process = 0",
		    "column host holds 2" },
		{ "UPDATE thread SET thread = 9 WHERE thread = 1",
		    "column thread holds" },
		{ "UPDATE timeline_row SET buckets = 1 << 62",
		    "column buckets" },
		{ "UPDATE timeline_row SET bucket_ns = 1, "
		  "buckets = (1 << 53) + 1",
		    "column buckets" },
		{ "UPDATE timeline_row SET levels = 40 WHERE row = 0",
		    "column levels" },
		{ "UPDATE timeline_row SET bucket_ns = 0", "column bucket_ns" },
		{ "UPDATE timeline_row SET id = 'x'", "column id" },
		{ "UPDATE meta SET value = '-5' WHERE key = 'span_ns'",
		    "no valid length" },
	};
	struct fake_run *run = fake_run_create(map_text, 600);

	for (uint32_t n = 0; n < 600; n++)
		FAKE_OP(run, n % 2, WRITE, n / 2, 100 * n, 100 * n + 50);
	fake_run_end(run, FAKE_RUN_ENDED);
	for (size_t n = 0; n < sizeof(changes) / sizeof(changes[0]); n++) {
		fake_store_fill(fake_run_dir(run));
		fake_model_sql(model_file(run), changes[n][0]);
		expect_refused(PATHS_EDAMAGED, fake_run_dir(run),
		    changes[n][1]);
	}
	fake_run_remove(run);
}

TEST_MAIN(rows_are_the_tree_of_hosts_processes_and_threads,
    event_spaces_are_found_where_the_views_were_computed,
    a_view_db_without_event_spaces_is_drawn_and_reports_it,
    a_missing_event_space_is_named, event_spaces_of_another_run_are_not_used,
    event_spaces_with_other_threads_are_not_used,
    the_measured_interval_and_waits_are_found,
    a_run_that_changed_after_its_views_is_reported,
    a_file_that_is_no_view_db_is_refused_with_the_reason,
    impossible_numbers_are_refused)
