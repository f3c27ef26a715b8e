/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/model/file_test.c - a model is read as it was written, and a
 * damaged file is refused
 */

#include "scopes/model.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All words of the format, as they are written. */
static const char whole[] = "eventspace-model 1\n"
			    "machine my machine\n"
			    "mpi Open MPI v4.1.4\n"
			    "date 1 May\n"
			    "host a b\n"
			    "cpu x\n"
			    "note for \"people\"\n"
			    "queue peers\n"
			    "gamma 8.4e-09\n"
			    "gamma-at 64 1e-10\n"
			    "gamma-at 1024 0.1234567890123456\n"
			    "delta 1e-10\n"
			    "drift 0.02\n"
			    "drift-limit 0.1\n"
			    "locality near\n"
			    "\teager-asked 4096\n"
			    "\teager-probed 4040\n"
			    "\tfit paper samples 3 median 0.1 p90 0.2 rms 0.3\n"
			    "\tsegment 0 protocol short alpha 1e-06 rate 1e+09 "
			    "samples 3 median 0.1 p90 0.2 rms 0.3\n"
			    "\tsegment 500 alpha 2e-06\n"
			    "\tfit segments\n"
			    "\tsegment 0 alpha 1e-06 rate 2e+09 node-rate "
			    "6e+09\n"
			    "\tstream-sizes 1 8 64\n"
			    "\tstream 1 1e-06 2e-06 3e-06\n"
			    "\tstream 2 1e-07 2e-07 3e-07\n"
			    "locality far\n"
			    "\tbetween-hosts\n"
			    "\tpair a b\n"
			    "\tpair a c\n"
			    "end\n";

static paths_status
read_text(const char *text, struct es_model **model)
{
	return es_model_read_text("m", text, strlen(text), model);
}

static void
model_is_written_as_it_was_read(void)
{
	struct es_model *model;
	char *text;
	size_t bytes;

	EXPECT_OK(read_text(whole, &model));
	EXPECT_STR_EQ("for \"people\"", model->note);
	EXPECT_EQ(2, model->locality_count);
	EXPECT_EQ(1, es_model_find_locality(model, "far"));
	EXPECT_EQ(PATHS_NONE, es_model_find_locality(model, "fa"));
	EXPECT_EQ(4040, model->localities[0].eager_probed);
	EXPECT_TRUE(
	    isinf(model->localities[0].fits[ES_MODEL_PAPER].list[1].rate));
	EXPECT_OK(es_model_text(model, &text, &bytes));
	EXPECT_STR_EQ(whole, text);
	EXPECT_EQ(strlen(whole), bytes);
	free(text);
	es_model_free(model);
}

static void
file_is_replaced_as_a_whole(void)
{
	char file[] = "/tmp/model_test.XXXXXX", folder[64];
	int fd = mkstemp(file);
	struct es_model *model, *again;

	EXPECT_TRUE(fd >= 0);
	close(fd);
	EXPECT_OK(read_text(whole, &model));
	EXPECT_OK(es_model_write(model, file));
	EXPECT_OK(es_model_read(file, &again));
	EXPECT_STR_EQ(model->machine, again->machine);
	es_model_free(again);
	unlink(file);
	EXPECT_EQ(PATHS_ENOENT, es_model_read(file, &again));
	snprintf(folder, sizeof(folder), "%s/no/such", file);
	EXPECT_EQ(PATHS_EIO, es_model_write(model, folder));
	es_model_free(model);
}

/* Refuses a text with this reason. */
static bool
refused(const char *text, const char *reason)
{
	struct es_model *model = NULL;

	if (read_text(text, &model) == PATHS_ESYNTAX && model == NULL &&
	    strcmp(paths_log_last(), reason) == 0)
		return true;
	printf("# %s\n# not %s\n", paths_log_last(), reason);
	es_model_free(model);
	return false;
}

#define FIRST "eventspace-model 1\n"
#define SEGMENT FIRST "locality a\nfit paper\nsegment "

static void
damaged_text_is_refused_with_its_line(void)
{
	EXPECT_TRUE(refused("",
	    "m:1: no model: the first line is not \"eventspace-model 1\""));
	EXPECT_TRUE(refused("eventspace-model 2\nend\n",
	    "m:1: a model of version 2; only 1 can be read"));
	EXPECT_TRUE(refused(FIRST "locality a\n",
	    "m:3: the file ends before the line end"));
	EXPECT_TRUE(
	    refused(FIRST "end\nqueue one\n", "m:3: there is text after end"));
	EXPECT_TRUE(refused(FIRST "\n# text\ngama 1\nend\n",
	    "m:4: unknown word \"gama\""));
	EXPECT_TRUE(refused(FIRST "gamma 1e-9\ngamma 1e-9\nend\n",
	    "m:3: there is a second gamma"));
	EXPECT_TRUE(refused(FIRST "gamma nan\nend\n",
	    "m:2: gamma is \"nan\", not a number from 0 on"));
	EXPECT_TRUE(
	    refused(FIRST "gamma 1e-9 s\nend\n", "m:2: unexpected word \"s\""));
	EXPECT_TRUE(refused(FIRST "delta -1e-9\nend\n",
	    "m:2: delta is \"-1e-9\", not a number from 0 on"));
	EXPECT_TRUE(refused(FIRST "gamma-at 9 1\ngamma-at 9 1\nend\n",
	    "m:3: a gamma is of 9 messages, not of more than the one "
	    "before"));
	EXPECT_TRUE(refused(FIRST "queue two\nend\n",
	    "m:2: a queue is one, peers or unknown"));
	EXPECT_TRUE(refused(FIRST "locality a\nlocality a\nend\n",
	    "m:3: there are two localities \"a\""));
	EXPECT_TRUE(refused(FIRST "pair a b\nend\n",
	    "m:2: pair comes before a locality"));
	EXPECT_TRUE(refused(FIRST "locality a\npair a\nend\n",
	    "m:3: a pair is two names of hosts"));
	EXPECT_TRUE(refused(FIRST "locality a\npair a b c\nend\n",
	    "m:3: unexpected word \"c\""));
	EXPECT_TRUE(refused(FIRST "locality a\npair a \x1b[0m\nend\n",
	    "m:3: the name of a host is one word of at most 255 bytes"));
	EXPECT_TRUE(refused(FIRST "fit paper\nend\n",
	    "m:2: a fit comes before its locality"));
	EXPECT_TRUE(refused(FIRST "locality a\nsegment 0 alpha 1\nend\n",
	    "m:3: a segment comes before its fit"));
	EXPECT_TRUE(refused(SEGMENT "0 rate 1\nend\n",
	    "m:4: the segment has no alpha"));
	EXPECT_TRUE(refused(SEGMENT "1 alpha 1\nend\n",
	    "m:4: a segment begins at 1 B, but the first one begins at 0"));
	EXPECT_TRUE(refused(SEGMENT "0 alpha 1\nsegment 0 alpha 1\nend\n",
	    "m:5: a segment begins at 0 B, not after the one before"));
	EXPECT_TRUE(refused(SEGMENT "0 alpha 1 rate 0\nend\n",
	    "m:4: a rate of a segment is not over 0"));
	EXPECT_TRUE(refused(FIRST "locality a\nstream-sizes 1 2\nend\n",
	    "m:4: stream-sizes is followed by no stream"));
	EXPECT_TRUE(refused(FIRST "locality a\nstream-sizes 1 2\nstream 1 1\n",
	    "m:4: a time is missing"));
	EXPECT_TRUE(
	    refused(FIRST "locality a\nstream-sizes 2 1\nstream 1 1 1\nend\n",
		"m:5: the numbers or sizes of a stream do not ascend from 1"));
}

/* A file that was cut anywhere is refused. */
static void
cut_text_is_refused(void)
{
	struct es_model *model = NULL;

	for (size_t bytes = 0; bytes + 1 < strlen(whole); bytes++)
		EXPECT_EQ(PATHS_ESYNTAX,
		    es_model_read_text("m", whole, bytes, &model));
	EXPECT_OK(es_model_read_text("m", whole, strlen(whole) - 1, &model));
	es_model_free(model);
}

static void
text_is_one_line(void)
{
	char text[ES_MODEL_TEXT_BYTES], longer[400];

	es_model_set_text(text, "  Open MPI\tv4 \r\nident");
	EXPECT_STR_EQ("Open MPIv4", text);
	/* A C1 control, a byte that is no UTF-8, and an override. */
	es_model_set_text(text,
	    "a\xc2\x9b"
	    "31mb\x9b"
	    "c\xe2\x80\xae\xc3\xa4");
	EXPECT_STR_EQ("a31mbc\xc3\xa4", text);
	memset(longer, 'a', sizeof(longer));
	longer[sizeof(longer) - 1] = 0;
	memcpy(longer + ES_MODEL_TEXT_BYTES - 2, "\xc3\xa4", 2);
	es_model_set_text(text, longer);
	EXPECT_EQ(ES_MODEL_TEXT_BYTES - 2, strlen(text));
}

TEST_MAIN(model_is_written_as_it_was_read, file_is_replaced_as_a_whole,
    damaged_text_is_refused_with_its_line, cut_text_is_refused,
    text_is_one_line)
