/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/show/json_test.c - proves scopes/show/json.c
 */

#include "scopes/show/json.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

/* Returns a text as JSON, after both functions gave the same. */
static const char *
json(const char *text)
{
	static char put[ES_JSON_BYTES(256) + 1], written[sizeof(put)];
	FILE *file = fmemopen(written, sizeof(written), "w");

	*es_json_put(put, text) = '\0';
	EXPECT_TRUE(file != NULL);
	es_json_write(file, text);
	EXPECT_EQ(0, fclose(file));
	EXPECT_STR_EQ(put, written);
	return put;
}

static void
plain_text_and_utf_8_are_kept(void)
{
	EXPECT_STR_EQ("\"\"", json(""));
	EXPECT_STR_EQ("\"a b/c>'~\"", json("a b/c>'~"));
	EXPECT_STR_EQ("\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
	    json("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"));
}

static void
quotes_backslashes_and_controls_are_escaped(void)
{
	EXPECT_STR_EQ("\"\\\"a\\\\b\\\"\"", json("\"a\\b\""));
	EXPECT_STR_EQ("\"\\u0001\\u000a\\u001f\\u007f\"",
	    json("\x01\n\x1f\x7f"));
	EXPECT_STR_EQ("\"\\u009b\\u061c\\u202e\\u2066\"",
	    json("\xc2\x9b\xd8\x9c\xe2\x80\xae\xe2\x81\xa6"));
}

static void
no_text_ends_a_script(void)
{
	EXPECT_STR_EQ("\"\\u003c/script>\\u003c!--\"", json("</script><!--"));
}

static void
bytes_that_are_not_utf_8_are_replaced(void)
{
	EXPECT_STR_EQ("\"\\ufffda\"",
	    json("\xff"
		 "a"));
	/* Cut short, a longer form than needed, and a surrogate. */
	EXPECT_STR_EQ("\"a\\ufffd\"", json("a\xc3"));
	EXPECT_STR_EQ("\"\\ufffd\\ufffd\"", json("\xf0\x9f"));
	EXPECT_STR_EQ("\"\\ufffd\\ufffd\"", json("\xc0\xaf"));
	EXPECT_STR_EQ("\"\\ufffd\\ufffd\\ufffd\"", json("\xed\xa0\x80"));
}

/* Every text of two bytes becomes a string within ES_JSON_BYTES. */
static void
strings_keep_to_their_bound(void)
{
	for (int n = 1; n < 65536; n++) {
		char text[3] = { (char)(n & 255), (char)(n >> 8), '\0' };
		size_t length = strlen(json(text));

		EXPECT_TRUE(
		    length >= 2 && length <= ES_JSON_BYTES(strlen(text)));
	}
}

TEST_MAIN(plain_text_and_utf_8_are_kept,
    quotes_backslashes_and_controls_are_escaped, no_text_ends_a_script,
    bytes_that_are_not_utf_8_are_replaced, strings_keep_to_their_bound)
