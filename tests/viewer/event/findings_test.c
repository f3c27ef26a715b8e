/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/event/findings_test.c - proves viewer/event/findings.c and
 * es_finding_part: the findings of a part of the run
 */

#include "viewer/event/findings.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMES 10u

/* Records reads that wait for writes: from 1 us on, t1 and t2 read what t0
   writes 900 ns later; from 20 us on, if `turn`, t0 and t2 read what t1
   writes. */
static struct esv_model *
opened(struct fake_run **run, bool turn)
{
	*run = fake_run_create(FAKE_MAP
	    "thread t0 -process p\n"
	    "thread t1 -process p\n"
	    "thread t2 -process p\n"
	    "element e -process p -type f64 -keep 64\n"
	    "element f -process p -type f64 -keep 64\n"
	    "path t0 e {{collector} {element e}} -use write\n"
	    "path t1 e {{collector} {element e}} -use read\n"
	    "path t2 e {{collector} {element e}} -use read\n"
	    "path t1 f {{collector} {element f}} -use write\n"
	    "path t0 f {{collector} {element f}} -use read\n"
	    "path t2 f {{collector} {element f}} -use read\n",
	    64);
	for (uint32_t n = 0; n < TIMES; n++) {
		uint64_t at = 1000 + 1000 * (uint64_t)n;

		FAKE_OP(*run, 0, WRITE, n, at + 900, at + 950);
		FAKE_OP(*run, 1, READ, n, at, at + 970);
		FAKE_OP(*run, 2, READ, n, at + 500, at + 970);
		at += 19000;
		if (!turn)
			continue;
		FAKE_OP(*run, 3, WRITE, n, at + 900, at + 950);
		FAKE_OP(*run, 4, READ, n, at + 50, at + 970);
		FAKE_OP(*run, 5, READ, n, at + 500, at + 970);
	}
	fake_run_end(*run, FAKE_RUN_ENDED);
	return fake_model_open(fake_run_dir(*run));
}

static paths_status
take(void *to, const struct es_finding *finding)
{
	fprintf(to, "%s %s %s: %s\n", finding->table, finding->kind,
	    finding->chart, finding->text);
	return PATHS_OK;
}

/* Returns the findings of an interval, one on each line. */
static char *
found(struct esv_model *model, int64_t t0_ns, int64_t t1_ns)
{
	const int64_t ns[2] = { t0_ns, t1_ns };
	const struct esv_interval *interval;
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	EXPECT_TRUE(to != NULL);
	EXPECT_OK(esv_interval_get(model, ns, 0, NULL, &interval));
	EXPECT_OK(esv_findings_part(model, interval, take, to));
	EXPECT_EQ(0, fclose(to));
	return text;
}

static void
closed(struct esv_model *model, struct fake_run *run)
{
	esv_model_close(model);
	fake_run_remove(run);
}

static void
each_part_has_its_own_culprit(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, true);
	char *first = found(model, 0, 15000),
	     *second = found(model, 15000, 40000);
	char *all = found(model, 0, 40000),
	     *nothing = found(model, 12000, 19000);

	EXPECT_TRUE(
	    strstr(first,
		"waits_for thread waits_for: t0 is waited for most: ") != NULL);
	EXPECT_TRUE(strstr(second, ": t1 is waited for most: ") != NULL);
	EXPECT_TRUE(strstr(second, ", which is 100 % of all waiting.") != NULL);
	EXPECT_TRUE(strstr(all, "is waited for most") == NULL);
	EXPECT_TRUE(strstr(nothing, "is waited for most") == NULL);
	EXPECT_TRUE(strstr(first,
			"load_balance thread load_balance: t1 "
			"communicates most, ") != NULL);
	EXPECT_TRUE(strstr(first, ", t0 least, ") != NULL);
	EXPECT_TRUE(strstr(second, ": t0 communicates most, ") != NULL);
	free(first);
	free(second);
	free(all);
	free(nothing);
	closed(model, run);
}

/* The sentences are those of the whole run, to the digit.  The whole run has
   more of them. */
static void
the_whole_run_as_a_part_has_the_findings_of_the_run(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, false);
	char *part = found(model, 0, model->span_ns + 1), *whole;
	size_t bytes;
	FILE *to = open_memstream(&whole, &bytes);

	EXPECT_TRUE(to != NULL);
	EXPECT_OK(es_finding_each(model->store, "waits_for", take, to));
	EXPECT_OK(es_finding_each(model->store, "load_balance", take, to));
	EXPECT_EQ(0, fclose(to));
	EXPECT_TRUE(strstr(whole, "t0 is waited for most") != NULL);
	EXPECT_TRUE(strstr(part, "\nload_balance ") != NULL);
	for (char *rest, *line = strtok_r(part, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *at = strstr(whole, line);

		EXPECT_TRUE(at != NULL && at[strlen(line)] == '\n');
	}
	free(part);
	free(whole);
	closed(model, run);
}

static paths_status
refuse(void *to, const struct es_finding *finding)
{
	(void)to;
	(void)finding;
	return PATHS_ECLOSED;
}

/* Rows of a table hide those of the run; a finding of another table is not
   asked for. */
static void
rows_of_a_part_hide_those_of_the_run(void)
{
	static const char rows[] = "[[0,100],[1,900]]";
	const struct es_finding_table table = { "load_balance",
		"SELECT json_extract(value, '$[0]') AS thread,"
		" json_extract(value, '$[1]') AS communication_ns,"
		" json_extract(value, '$[1]') / 1000.0 AS communication_share,"
		" 0 AS wait_ns FROM json_each(:load_balance)",
		rows };
	struct es_finding_table many[ES_FINDING_TABLES + 1];
	struct fake_run *run;
	struct esv_model *model = opened(&run, false);
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	EXPECT_TRUE(to != NULL);
	EXPECT_OK(es_finding_part(model->store, &table, 1, take, to));
	EXPECT_OK(es_finding_part(model->store, NULL, 0, take, to));
	EXPECT_EQ(0, fclose(to));
	EXPECT_STR_EQ("load_balance thread load_balance: t1 communicates most, "
		      "90 % of its time, t0 least, 10 %.\n",
	    text);
	free(text);
	EXPECT_EQ(PATHS_ECLOSED,
	    es_finding_part(model->store, &table, 1, refuse, NULL));
	for (size_t n = 0; n <= ES_FINDING_TABLES; n++)
		many[n] = table;
	EXPECT_EQ(PATHS_EINVAL,
	    es_finding_part(model->store, many, ES_FINDING_TABLES + 1, refuse,
		NULL));
	closed(model, run);
}

TEST_MAIN(each_part_has_its_own_culprit,
    the_whole_run_as_a_part_has_the_findings_of_the_run,
    rows_of_a_part_hide_those_of_the_run)
