/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/view_test.c - all views of a run in which every number is
 * known
 *
 * golden/tree.txt has the expected tables.  When a number must change, edit the
 * file by hand.
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * t0 and t1 are on host a, u0 and u1 on host b.  Each pair meets in its own
 * sum, and both sums meet in `all`.  t0 writes tuples that u1 reads.
 */
static const char map_text[] = FAKE_MAP
    "thread t0 -process p -core 1\n"
    "thread t1 -process p\n"
    "thread u0 -process q\n"
    "thread u1 -process q\n"
    "element total -process p -type f64 -keep 16\n"
    "element e -process q -type f64*2 -keep 8\n"
    "stage pair.p reduce -process p -op sum -type f64 -inputs 2 "
    "-next {{collector} {all}}\n"
    "stage pair.q reduce -process q -op sum -type f64 -inputs 2 "
    "-next {{collector} {proxy p} {collector} {all}}\n"
    "stage all reduce -process p -op sum -type f64 -inputs 2 "
    "-next {{collector} {element total}}\n"
    "path t0 total {{collector} {pair.p}}\n"
    "path t1 total {{collector} {pair.p}}\n"
    "path u0 total {{collector} {pair.q}}\n"
    "path u1 total {{collector} {pair.q}}\n"
    "path t0 e {{collector} {delay 1us} {collector} {proxy q} {collector} "
    "{element e}} -use write\n"
    "path u1 e {{collector} {element e}} -use read\n";

enum {
	PAIR_P,
	PAIR_Q,
	BEFORE_ALL,
	TOTAL,
	T0,
	T1,
	U0,
	U1,
	W_DELAY,
	W_PROXY,
	W_ELEMENT,
	R
};

static void
exchange(struct fake_run *run, uint32_t seq, uint64_t at)
{
	FAKE_OP(run, T0, EXCHANGE, seq, at, at + 900 + seq);
	FAKE_OP(run, T1, EXCHANGE, seq, at + 100 + 7 * seq, at + 905);
	FAKE_OP(run, U0, EXCHANGE, seq, at + 90 - seq, at + 990);
	FAKE_OP(run, U1, EXCHANGE, seq, at + 50, at + 985);
	FAKE_OP(run, PAIR_P, EXCHANGE, seq, at + 130, at + 890);
	FAKE_OP(run, PAIR_Q, EXCHANGE, seq, at + 100, at + 970);
	FAKE_OP(run, BEFORE_ALL, EXCHANGE, seq, at + 300, at + 770);
	FAKE_OP(run, TOTAL, EXCHANGE, seq, at + 310, at + 750);
}

static void
hand_over(struct fake_run *run, uint32_t seq, uint64_t at)
{
	FAKE_OP(run, W_DELAY, WRITE, seq, at, at + 1500);
	FAKE_OP(run, W_PROXY, WRITE, seq, at + 1000, at + 1490);
	FAKE_OP(run, W_ELEMENT, WRITE, seq, at + 1200, at + 1290);
	FAKE_OP(run, R, READ, seq, at + 900 * seq, at + 1300 + 600 * seq);
}

static struct fake_run *
recorded(uint32_t count)
{
	struct fake_run *run = fake_run_create(map_text, count);

	fake_run_clock(run, 1, 5000000, 0);
	for (uint32_t seq = 0; seq < count; seq++) {
		exchange(run, seq, 10000 * (uint64_t)seq + 100);
		hand_over(run, seq, 10000 * (uint64_t)seq + 2000);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

/* Returns all tables, except those that differ from machine to machine; the
   caller frees the text. */
static char *
everything(const char *dir, unsigned threads)
{
	struct memory_sink *sink = memory_sink_compute(dir, NULL, threads);
	const struct es_view *view;
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	EXPECT_TRUE(to != NULL);
	for (size_t v = 0; (view = es_view_get(v)) != NULL; v++) {
		for (size_t t = 0; t < view->table_count; t++) {
			const char *name = view->tables[t].name;

			if (view->tables[t].sql != NULL ||
			    (view->tables[t].flags & ES_TABLE_BUILTIN) != 0 ||
			    strcmp(name, "meta") == 0 ||
			    strcmp(name, "process") == 0)
				continue;
			fprintf(to, "%s\n%s\n", name,
			    memory_sink_text(sink, name));
		}
	}
	EXPECT_EQ(0, fclose(to));
	memory_sink_free(sink);
	return text;
}

/* Returns the text of a file; the caller frees it. */
static char *
file_text(const char *name)
{
	char path[512];
	char *text = calloc(1, 1 << 20);
	FILE *from;

	snprintf(path, sizeof(path), "%s/%s", test_srcdir(), name);
	from = fopen(path, "r");
	EXPECT_TRUE(from != NULL && text != NULL);
	EXPECT_TRUE(fread(text, 1, (1 << 20) - 1, from) > 0);
	EXPECT_EQ(0, fclose(from));
	return text;
}

static void
tables_equal_the_golden_file(void)
{
	struct fake_run *run = recorded(3);
	char *got = everything(fake_run_dir(run), 2);
	char *want = file_text("tests/scopes/golden/tree.txt");

	EXPECT_STR_EQ(want, got);
	free(want);
	free(got);
	fake_run_remove(run);
}

static void
the_number_of_threads_changes_nothing(void)
{
	struct fake_run *run = recorded(1000);
	char *one = everything(fake_run_dir(run), 1);

	for (unsigned threads = 2; threads <= 5; threads++) {
		char *more = everything(fake_run_dir(run), threads);

		EXPECT_STR_EQ(one, more);
		free(more);
	}
	free(one);
	fake_run_remove(run);
}

static void
an_empty_run_has_empty_views(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);
	struct memory_sink *sink;

	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 2);
	EXPECT_EQ(0, memory_sink_rows(sink, "load_balance"));
	EXPECT_EQ(12, memory_sink_rows(sink, "collector"));
	EXPECT_EQ(0, memory_sink_rows(sink, "timeline_level"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static uint64_t
random_stamp(void)
{
	return (uint64_t)rand() << (rand() % 34);
}

/* Stamps of a damaged file do not ascend, and its numbers are out of range. */
static void
tuples_of_any_bytes_do_no_harm(void)
{
	srand(4);
	for (int round = 0; round < 20; round++) {
		struct fake_run *run = fake_run_create(map_text, 64);

		for (int n = 0; n < 500; n++) {
			struct es_tuple_path tuple = {
				.start = random_stamp(),
				.stop = random_stamp(),
				.seq = (uint32_t)random_stamp(),
				.op = (uint16_t)(rand() % 7),
				.status = rand() % 4 == 0,
				.element = (uint32_t)rand(),
			};

			fake_run_add(run, (uint32_t)(rand() % 12), &tuple);
		}
		fake_run_end(run, FAKE_RUN_ENDED);
		free(everything(fake_run_dir(run), 2));
		fake_run_remove(run);
	}
}

/* A phrase begins with a noun and has no full stop. */
static void
check_phrase(const char *phrase)
{
	static const char *const others[] = { "The ", "the ", "What ", "what ",
		"Whether ", "whether ", "Who ", "who ", "How ", "how ", "if ",
		"when ", "where " };
	size_t length = phrase == NULL ? 0 : strlen(phrase);

	EXPECT_TRUE(length > 0);
	EXPECT_TRUE(isalnum((unsigned char)phrase[0]));
	EXPECT_TRUE(phrase[length - 1] != '.');
	for (size_t n = 0; n < sizeof(others) / sizeof(others[0]); n++)
		EXPECT_TRUE(strncmp(phrase, others[n], strlen(others[n])) != 0);
}

static void
check_table(const struct es_view *view, const struct es_table *table)
{
	EXPECT_TRUE(es_view_find(table->name) == view);
	EXPECT_TRUE(es_view_table(table->name) == table);
	EXPECT_TRUE(table->sql != NULL || view->compute != NULL ||
	    (table->flags & ES_TABLE_BUILTIN) != 0);
	check_phrase(table->about);
	for (size_t c = 0; c < table->column_count; c++) {
		EXPECT_TRUE(table->columns[c].name != NULL);
		check_phrase(table->columns[c].about);
	}
	if (table->reading != NULL)
		check_phrase(table->reading_about);
	else
		EXPECT_TRUE(table->reading_about == NULL);
}

/* A table is found by its name, which no other table has. */
static void
every_table_and_column_is_described(void)
{
	const struct es_view *view;

	for (size_t v = 0; (view = es_view_get(v)) != NULL; v++) {
		check_phrase(view->about);
		EXPECT_TRUE(view->question != NULL &&
		    view->question[strlen(view->question) - 1] == '?');
		EXPECT_TRUE(view->topic != ES_TOPIC_OTHER);
		EXPECT_TRUE(es_view_find(view->name) == view);
		for (size_t t = 0; t < view->table_count; t++)
			check_table(view, &view->tables[t]);
		for (size_t n = 0; n < view->finding_count; n++)
			check_phrase(view->findings[n].about);
	}
	EXPECT_TRUE(es_view_find("no such view") == NULL);
	EXPECT_TRUE(es_view_table("no such view") == NULL);
}

/* Returns the unit that the name of a column stands for. */
static enum es_unit
named_unit(const char *name)
{
	size_t length = strlen(name);
	const char *ns = strstr(name, "_ns");

	if (ns != NULL && (ns[3] == '\0' || ns[3] == '_'))
		return ES_UNIT_NS;
	if (strstr(name, "_ppb") != NULL)
		return ES_UNIT_PPB;
	if ((length >= 5 && strcmp(name + length - 5, "share") == 0) ||
	    (length >= 10 && strcmp(name + length - 10, "efficiency") == 0))
		return ES_UNIT_SHARE;
	if (length >= 5 && strcmp(name + length - 5, "bytes") == 0)
		return ES_UNIT_BYTES;
	return ES_UNIT_NONE;
}

/* Returns what is wrong with a column; "": nothing. */
static const char *
column_fault(const struct es_column *column)
{
	bool number = column->kind == ES_INTEGER || column->kind == ES_REAL;
	char about[ES_COLUMN_ABOUT_BYTES];

	if (column->unit != (number ? named_unit(column->name) : ES_UNIT_NONE))
		return "its unit is not that of its name";
	if (column->refers != NULL && column->kind != ES_INTEGER)
		return "it refers to a table and is no integer";
	if (column->refers != NULL && es_view_table(column->refers) == NULL)
		return "it refers to a table that does not exist";
	if (strlen(es_column_about(column, about)) == ES_COLUMN_ABOUT_BYTES - 1)
		return "its description is too long";
	return "";
}

static void
check_columns(const struct es_table *table)
{
	char want[128], got[192];

	for (size_t c = 0; c < table->column_count; c++) {
		const struct es_column *column = &table->columns[c];

		snprintf(want, sizeof(want), "%s.%s: ", table->name,
		    column->name);
		snprintf(got, sizeof(got), "%s%s", want, column_fault(column));
		EXPECT_STR_EQ(want, got);
	}
}

static void
columns_have_the_unit_of_their_name_and_refer_to_tables(void)
{
	const struct es_view *view;

	for (size_t v = 0; (view = es_view_get(v)) != NULL; v++)
		for (size_t t = 0; t < view->table_count; t++)
			check_columns(&view->tables[t]);
}

/* The first page has room for one reading at each place. */
static void
readings_on_the_first_page_have_places_of_their_own(void)
{
	const struct es_view *view;
	unsigned taken[8], count = 0;

	for (size_t v = 0; (view = es_view_get(v)) != NULL; v++)
		for (size_t t = 0; t < view->table_count; t++) {
			const struct es_table *table = &view->tables[t];

			if (table->front == 0)
				continue;
			EXPECT_TRUE(table->reading != NULL);
			for (unsigned n = 0; n < count; n++)
				EXPECT_TRUE(taken[n] != table->front);
			EXPECT_TRUE(count < 8);
			taken[count++] = table->front;
		}
	EXPECT_TRUE(count > 0);
}

static void
needs_are_given_in_words(void)
{
	static const struct {
		uint32_t needs;
		const char *text;
	} cases[] = {
		{ 0, "" },
		{ ES_NEED_MPI, "MPI calls" },
		{ ES_NEED_FILES, "files of Open MPI's monitoring" },
		{ ES_NEED_PATHS | ES_NEED_TRACE,
		    "operations on paths in mode trace" },
		{ ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
		    "operations on paths or MPI calls in mode trace" },
		{ ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE |
			ES_NEED_MPI_PROFILE,
		    "operations on paths or MPI calls in mode trace, or MPI"
		    " calls in mode profile" },
		{ ES_NEED_MPI | ES_NEED_TRACE | ES_NEED_PROFILE,
		    "MPI calls in mode trace and profile" },
		{ ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_FILES | ES_NEED_TRACE |
			ES_NEED_PROFILE | ES_NEED_MATRIX,
		    "operations on paths or MPI calls or files of Open MPI's"
		    " monitoring in mode trace and profile and matrix" },
	};
	char text[ES_VIEW_NEEDS_BYTES];

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct es_view view = { .needs = cases[n].needs };

		EXPECT_STR_EQ(cases[n].text, es_view_needs(&view, text));
	}
}

static void
a_collector_of_several_peers_counts_for_each(void)
{
	struct fake_run *run = fake_run_create(map_text, 8);
	struct memory_sink *sink;

	fake_run_message(run, W_PROXY, 1, PATHS_WRITE, 16);
	fake_run_message(run, W_PROXY, 0, PATHS_READ, 16);
	fake_run_message(run, T0, 1, PATHS_WRITE, 8);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("0|0|read|1|16\n0|1|write|2|24\n",
	    memory_sink_text(sink, "comm_matrix"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
a_unit_is_printed_before_the_exceptions(void)
{
	const struct es_column bound = { "bound_ns", ES_INTEGER,
		.about = "error bound of the offset; NULL: not known",
		.unit = ES_UNIT_NS };
	const struct es_column name = { "name", ES_TEXT,
		.about = "name of the host" };
	char text[ES_COLUMN_ABOUT_BYTES];

	EXPECT_STR_EQ("error bound of the offset, in ns; NULL: not known",
	    es_column_about(&bound, text));
	EXPECT_STR_EQ("name of the host", es_column_about(&name, text));
}

TEST_MAIN(tables_equal_the_golden_file, the_number_of_threads_changes_nothing,
    an_empty_run_has_empty_views, tuples_of_any_bytes_do_no_harm,
    every_table_and_column_is_described,
    columns_have_the_unit_of_their_name_and_refer_to_tables,
    a_collector_of_several_peers_counts_for_each,
    a_unit_is_printed_before_the_exceptions,
    readings_on_the_first_page_have_places_of_their_own,
    needs_are_given_in_words)
