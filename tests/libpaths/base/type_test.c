/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/type_test.c - proves libpaths/base/type.c
 */

#include "libpaths/type.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
every_kind_has_its_size(void)
{
	static const struct {
		const char *text;
		enum paths_type_kind kind;
		uint32_t bytes;
	} kinds[] = {
		{ "i8*3", PATHS_TYPE_I8, 3 },
		{ "u8*3", PATHS_TYPE_U8, 3 },
		{ "i16*3", PATHS_TYPE_I16, 6 },
		{ "u16*3", PATHS_TYPE_U16, 6 },
		{ "i32*3", PATHS_TYPE_I32, 12 },
		{ "u32*3", PATHS_TYPE_U32, 12 },
		{ "i64*3", PATHS_TYPE_I64, 24 },
		{ "u64*3", PATHS_TYPE_U64, 24 },
		{ "f32*3", PATHS_TYPE_F32, 12 },
		{ "f64*3", PATHS_TYPE_F64, 24 },
		{ "f64*..3", PATHS_TYPE_F64, 24 },
		{ "u8*..3", PATHS_TYPE_U8, 3 },
	};
	char text[48];

	for (size_t n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
		struct paths_type type;

		EXPECT_OK(paths_type_parse(kinds[n].text, &type));
		EXPECT_EQ(kinds[n].kind, type.kind);
		EXPECT_EQ(3, type.count);
		EXPECT_EQ(kinds[n].bytes, type.bytes);
		EXPECT_EQ(kinds[n].bytes, 3 * type.value_bytes);
		EXPECT_EQ(strstr(kinds[n].text, "..") != NULL, type.varies);
		EXPECT_STR_EQ(kinds[n].text, paths_type_text(&type, text));
	}
}

static void
a_kind_alone_is_one_value(void)
{
	struct paths_type one, other;

	EXPECT_OK(paths_type_parse("f64", &one));
	EXPECT_OK(paths_type_parse("f64*1", &other));
	EXPECT_TRUE(paths_type_equal(&one, &other));
}

static void
the_largest_tuple_has_16_mib(void)
{
	struct paths_type type;

	EXPECT_OK(paths_type_parse("u8*16777216", &type));
	EXPECT_EQ(PATHS_TYPE_BYTES_MAX, type.bytes);
	EXPECT_EQ(PATHS_ERANGE, paths_type_parse("u8*16777217", &type));
	EXPECT_EQ(PATHS_ERANGE, paths_type_parse("f64*2097153", &type));
	EXPECT_EQ(PATHS_ERANGE, paths_type_parse("f64*0", &type));
	EXPECT_EQ(PATHS_ERANGE, paths_type_parse("f64*..0", &type));
	EXPECT_EQ(PATHS_ERANGE, paths_type_parse("f64*..2097153", &type));
	EXPECT_EQ(PATHS_ERANGE,
	    paths_type_parse("u8*99999999999999999999999999", &type));
	EXPECT_STR_EQ("a tuple \"u8*99999999999999999999999999\" is not from 1 "
		      "to 16777216 bytes",
	    paths_log_last());
}

static void
malformed_types_are_refused(void)
{
	static const char *const texts[] = { "", "*", "f64*", "f64*x", "f64*1x",
		"f64*-1", "f64*..", "f64..3", "f64*.3", "f64*...3", "f64*1..3",
		"f64 *1", "F64*1", "f65", "f6", "f644", "*3", "nobody" };

	for (size_t n = 0; n < sizeof(texts) / sizeof(texts[0]); n++) {
		struct paths_type type = { .count = 7 };

		EXPECT_EQ(PATHS_ESYNTAX, paths_type_parse(texts[n], &type));
		EXPECT_EQ(7, type.count);
	}
	EXPECT_STR_EQ("\"nobody\" is not a tuple type", paths_log_last());
}

static void
a_registered_name_is_a_type(void)
{
	struct paths_type type;
	char text[48];

	EXPECT_OK(paths_type_register("trade", 36));
	EXPECT_OK(paths_type_parse("trade", &type));
	EXPECT_EQ(PATHS_TYPE_NAMED, type.kind);
	EXPECT_EQ(1, type.count);
	EXPECT_EQ(36, type.bytes);
	EXPECT_STR_EQ("trade", type.name);
	EXPECT_STR_EQ("trade", paths_type_text(&type, text));
	EXPECT_OK(paths_type_parse("trade*4", &type));
	EXPECT_EQ(144, type.bytes);
	EXPECT_STR_EQ("trade*4", paths_type_text(&type, text));
	EXPECT_EQ(PATHS_ERANGE, paths_type_parse("trade*466034", &type));
	EXPECT_OK(paths_type_parse("trade*..1", &type));
	EXPECT_STR_EQ("trade*..1", paths_type_text(&type, text));
}

static void
a_type_that_varies_has_tuples_of_whole_values(void)
{
	struct paths_type type;

	EXPECT_OK(paths_type_register("trade", 36));
	EXPECT_OK(paths_type_parse("trade*..3", &type));
	for (uint32_t bytes = 0; bytes < 200; bytes++)
		EXPECT_EQ(bytes <= 108 && bytes % 36 == 0,
		    paths_type_fits(&type, bytes));
	EXPECT_OK(paths_type_parse("f64*..3", &type));
	for (uint32_t bytes = 0; bytes < 60; bytes++)
		EXPECT_EQ(bytes <= 24 && bytes % 8 == 0,
		    paths_type_fits(&type, bytes));
	EXPECT_OK(paths_type_parse("f64*3", &type));
	for (uint32_t bytes = 0; bytes < 60; bytes++)
		EXPECT_EQ(bytes == 24, paths_type_fits(&type, bytes));
}

static void
a_name_has_one_size(void)
{
	EXPECT_OK(paths_type_register("quote", 8));
	EXPECT_OK(paths_type_register("quote", 8));
	EXPECT_EQ(PATHS_EBUSY, paths_type_register("quote", 9));
	EXPECT_STR_EQ("tuple type quote has 8 bytes already, not 9",
	    paths_log_last());
}

static void
malformed_names_are_refused(void)
{
	EXPECT_EQ(PATHS_EINVAL, paths_type_register(NULL, 8));
	EXPECT_EQ(PATHS_EINVAL, paths_type_register("", 8));
	EXPECT_EQ(PATHS_EINVAL, paths_type_register("f64", 8));
	EXPECT_EQ(PATHS_EINVAL, paths_type_register("two words", 8));
	EXPECT_EQ(PATHS_EINVAL, paths_type_register("a*b", 8));
	EXPECT_EQ(PATHS_EINVAL, paths_type_register("-a", 8));
	EXPECT_EQ(PATHS_EINVAL,
	    paths_type_register("a23456789012345678901234567890ab", 8));
	EXPECT_OK(paths_type_register("a23456789012345678901234567890a", 8));
	EXPECT_EQ(PATHS_EINVAL, paths_type_register("empty", 0));
	EXPECT_EQ(PATHS_EINVAL,
	    paths_type_register("huge", PATHS_TYPE_BYTES_MAX + 1));
}

static void
types_differ_in_kind_count_or_name(void)
{
	struct paths_type f64, u64, f64s, one, other;

	EXPECT_OK(paths_type_register("left", 8));
	EXPECT_OK(paths_type_register("right", 8));
	EXPECT_OK(paths_type_parse("f64", &f64));
	EXPECT_OK(paths_type_parse("u64", &u64));
	EXPECT_OK(paths_type_parse("f64*2", &f64s));
	EXPECT_OK(paths_type_parse("left", &one));
	EXPECT_OK(paths_type_parse("right", &other));
	EXPECT_TRUE(!paths_type_equal(&f64, &u64));
	EXPECT_TRUE(!paths_type_equal(&f64, &f64s));
	EXPECT_TRUE(!paths_type_equal(&f64, &one));
	EXPECT_TRUE(!paths_type_equal(&one, &other));
	EXPECT_TRUE(paths_type_equal(&one, &one));
	EXPECT_OK(paths_type_parse("f64*..2", &other));
	EXPECT_TRUE(!paths_type_equal(&f64s, &other));
}

static void
an_unknown_type_has_a_text_too(void)
{
	const struct paths_type none = { .kind = PATHS_TYPE_NONE };
	char text[48];

	EXPECT_STR_EQ("unknown", paths_type_text(&none, text));
}

/* The longest text fits into the 48 bytes. */
static void
the_longest_text_is_whole(void)
{
	struct paths_type type;
	char text[48];

	EXPECT_OK(paths_type_register("n23456789012345678901234567890n", 1));
	EXPECT_OK(paths_type_parse("n23456789012345678901234567890n*..16777216",
	    &type));
	EXPECT_STR_EQ("n23456789012345678901234567890n*..16777216",
	    paths_type_text(&type, text));
}

static void *
register_many(void *from)
{
	char name[16];

	for (int n = 0; n < 16; n++) {
		struct paths_type type;

		snprintf(name, sizeof(name), "many%d", *(const int *)from + n);
		EXPECT_OK(paths_type_register(name, 4));
		EXPECT_OK(paths_type_parse(name, &type));
		EXPECT_EQ(4, type.bytes);
	}
	return NULL;
}

static void
threads_register_at_the_same_time(void)
{
	int from[2] = { 0, 8 };
	pthread_t threads[2];

	for (int n = 0; n < 2; n++)
		EXPECT_EQ(0,
		    pthread_create(&threads[n], NULL, register_many, &from[n]));
	for (int n = 0; n < 2; n++)
		EXPECT_EQ(0, pthread_join(threads[n], NULL));
}

/* Returns the count of names that other cases have registered. */
static int
registered_before(void)
{
	static const char *const names[] = { "trade", "quote",
		"a23456789012345678901234567890a", "left", "right",
		"n23456789012345678901234567890n" };
	struct paths_type type;
	char name[16];
	int count = 0;

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		count += paths_type_parse(names[n], &type) == PATHS_OK;
	for (int n = 0; n < 24; n++) {
		snprintf(name, sizeof(name), "many%d", n);
		count += paths_type_parse(name, &type) == PATHS_OK;
	}
	return count;
}

/* Runs in another process, because names are never removed. */
static int
register_too_many(void)
{
	paths_status st = PATHS_OK;
	int count = registered_before();
	char name[16];

	for (int n = 0; st == PATHS_OK && n < 65; n++) {
		snprintf(name, sizeof(name), "name%d", n);
		st = paths_type_register(name, 4);
		count += st == PATHS_OK;
	}
	return st == PATHS_ENOMEM && count == 64 ? 0 : 1;
}

static void
there_are_at_most_64_names(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(register_too_many());
	EXPECT_TRUE(child > 0);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_MAIN(every_kind_has_its_size, a_kind_alone_is_one_value,
    the_largest_tuple_has_16_mib, malformed_types_are_refused,
    a_registered_name_is_a_type, a_type_that_varies_has_tuples_of_whole_values,
    a_name_has_one_size, malformed_names_are_refused,
    types_differ_in_kind_count_or_name, an_unknown_type_has_a_text_too,
    the_longest_text_is_whole, threads_register_at_the_same_time,
    there_are_at_most_64_names)
