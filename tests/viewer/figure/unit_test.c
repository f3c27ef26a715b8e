/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/unit_test.c - numbers with their units
 */

#include "tests/test.h"

#include "viewer/figure/unit.h"

#include "libpaths/log.h"

#include <string.h>

static const char *
text(enum es_unit unit, double value)
{
	static char to[ES_UNIT_BYTES_OF_TEXT];

	es_unit_text(unit, value, to);
	return to;
}

static void
times_have_three_digits_and_a_unit(void)
{
	EXPECT_STR_EQ("0 ns", text(ES_UNIT_TIME, 0.0));
	EXPECT_STR_EQ("999 ns", text(ES_UNIT_TIME, 999.0));
	EXPECT_STR_EQ("1.23 us", text(ES_UNIT_TIME, 1234.0));
	EXPECT_STR_EQ("12.3 ms", text(ES_UNIT_TIME, 12.34e6));
	EXPECT_STR_EQ("123 s", text(ES_UNIT_TIME, 123.4e9));
	EXPECT_STR_EQ("-1.50 ms", text(ES_UNIT_TIME, -1.5e6));
}

static void
what_rounds_to_a_thousand_is_one_of_the_next(void)
{
	EXPECT_STR_EQ("1.00 ms", text(ES_UNIT_TIME, 999999.0));
	EXPECT_STR_EQ("999 us", text(ES_UNIT_TIME, 999400.0));
}

static void
bytes_go_by_powers_of_two(void)
{
	EXPECT_STR_EQ("1000 B", text(ES_UNIT_BYTES, 1000.0));
	EXPECT_STR_EQ("1 KiB", text(ES_UNIT_BYTES, 1024.0));
	EXPECT_STR_EQ("1.50 MiB", text(ES_UNIT_BYTES, 1.5 * 1048576.0));
}

static void
counts_and_shares_have_theirs(void)
{
	EXPECT_STR_EQ("17", text(ES_UNIT_COUNT, 17.0));
	EXPECT_STR_EQ("12.3 k", text(ES_UNIT_COUNT, 12345.0));
	EXPECT_STR_EQ("34.5 %", text(ES_UNIT_SHARE, 0.345));
	EXPECT_STR_EQ("1234567", text(ES_UNIT_PLAIN, 1234567.0));
}

static void
times_are_read_as_people_write_them(void)
{
	double ns = -1.0;

	EXPECT_OK(es_unit_parse_time("1.5s", &ns));
	EXPECT_NEAR(1.5e9, ns, 0.0);
	EXPECT_OK(es_unit_parse_time("20ms", &ns));
	EXPECT_NEAR(20e6, ns, 0.0);
	EXPECT_OK(es_unit_parse_time("3us", &ns));
	EXPECT_NEAR(3e3, ns, 1e-9);
	EXPECT_OK(es_unit_parse_time("7ns", &ns));
	EXPECT_NEAR(7.0, ns, 0.0);
	EXPECT_OK(es_unit_parse_time("0", &ns));
	EXPECT_NEAR(0.0, ns, 0.0);
}

static void
what_is_no_time_is_refused(void)
{
	static const char *const bad[] = { "", "s", "5", "-1s", "1.5 parsecs",
		"infs", "nans", "1e400s", "1s2" };
	double ns = 42.0;

	for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
		EXPECT_EQ(PATHS_ESYNTAX, es_unit_parse_time(bad[n], &ns));
		EXPECT_TRUE(strstr(paths_log_last(), "20ms") != NULL);
	}
	EXPECT_NEAR(42.0, ns, 0.0);
}

TEST_MAIN(times_have_three_digits_and_a_unit,
    what_rounds_to_a_thousand_is_one_of_the_next, bytes_go_by_powers_of_two,
    counts_and_shares_have_theirs, times_are_read_as_people_write_them,
    what_is_no_time_is_refused)
