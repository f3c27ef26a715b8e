/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/unit_test.c - proves libpaths/base/unit.c
 */

#include "libpaths/unit.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <math.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char *
text(enum paths_unit unit, double value)
{
	static char to[PATHS_UNIT_TEXT_BYTES];

	return paths_unit_text(unit, value, to);
}

static const char *
step(enum paths_unit unit, double value, double step, double largest)
{
	static char to[PATHS_UNIT_TEXT_BYTES];

	return paths_unit_text_step(unit, value, step, largest, to);
}

static void
numbers_are_read_with_their_units(void)
{
	static const struct {
		enum paths_unit unit;
		const char *text;
		uint64_t number;
	} good[] = {
		{ PATHS_UNIT_COUNT, "0", 0 },
		{ PATHS_UNIT_COUNT, "007", 7 },
		{ PATHS_UNIT_COUNT, "18446744073709551615", UINT64_MAX },
		{ PATHS_UNIT_TIME, "0", 0 },
		{ PATHS_UNIT_TIME, "0.0", 0 },
		{ PATHS_UNIT_TIME, "7ns", 7 },
		{ PATHS_UNIT_TIME, "1.5 us", 1500 },
		{ PATHS_UNIT_TIME, "0.25us", 250 },
		{ PATHS_UNIT_TIME, "200ms", 200000000 },
		{ PATHS_UNIT_TIME, "1.500000001s", 1500000001 },
		{ PATHS_UNIT_TIME, "18446744073s",
		    UINT64_C(18446744073) * 1000000000 },
		{ PATHS_UNIT_SECONDS, "5", UINT64_C(5000000000) },
		{ PATHS_UNIT_SECONDS, "0.001", 1000000 },
		{ PATHS_UNIT_SECONDS, "200ms", 200000000 },
		{ PATHS_UNIT_BYTES, "0", 0 },
		{ PATHS_UNIT_BYTES, "4096", 4096 },
		{ PATHS_UNIT_BYTES, "12B", 12 },
		{ PATHS_UNIT_BYTES, "64k", 65536 },
		{ PATHS_UNIT_BYTES, "64K", 65536 },
		{ PATHS_UNIT_BYTES, "64KiB", 65536 },
		{ PATHS_UNIT_BYTES, "1.50 MiB", 1536 << 10 },
		{ PATHS_UNIT_BYTES, "3G", UINT64_C(3) << 30 },
		{ PATHS_UNIT_BYTES, "1TiB", UINT64_C(1) << 40 },
		{ PATHS_UNIT_BYTES, "16777215T", UINT64_C(16777215) << 40 },
		{ PATHS_UNIT_RATE, "100", 100 },
		{ PATHS_UNIT_RATE, "1.5M", 1500000 },
		{ PATHS_UNIT_RATE, "10 GB/s", UINT64_C(10000000000) },
	};
	uint64_t number;

	for (size_t n = 0; n < COUNT_OF(good); n++) {
		number = 42;
		EXPECT_OK(paths_unit_parse(good[n].unit, good[n].text, 0,
		    UINT64_MAX, &number));
		EXPECT_EQ((intmax_t)good[n].number, (intmax_t)number);
	}
}

static void
malformed_numbers_are_refused_with_the_reason(void)
{
	static const struct {
		enum paths_unit unit;
		const char *text, *why;
	} bad[] = {
		{ PATHS_UNIT_COUNT, "", "empty: expected a whole number" },
		{ PATHS_UNIT_COUNT, "-1", "negative: expected a whole number" },
		{ PATHS_UNIT_COUNT, "-", "negative: expected a whole number" },
		{ PATHS_UNIT_COUNT, "+1",
		    "not a number: expected a whole number" },
		{ PATHS_UNIT_COUNT, " 1",
		    "not a number: expected a whole number" },
		{ PATHS_UNIT_COUNT, "1k",
		    "\"k\" after the number: expected a whole number" },
		{ PATHS_UNIT_COUNT, "1 ",
		    "\" \" after the number: expected a whole number" },
		{ PATHS_UNIT_COUNT, "1.0",
		    "\".0\" after the number: expected a whole number" },
		{ PATHS_UNIT_COUNT, "0x10",
		    "\"x10\" after the number: expected a whole number" },
		{ PATHS_UNIT_COUNT, "18446744073709551616",
		    "too large: expected at most 18446744073709551615" },
		{ PATHS_UNIT_TIME, "5",
		    "no unit: expected a duration such as 500us or 1.5s" },
		{ PATHS_UNIT_TIME, "s",
		    "not a number: expected a duration "
		    "such as 500us or 1.5s" },
		{ PATHS_UNIT_TIME, "1.s",
		    "no digit after the point: expected "
		    "a duration such as 500us or 1.5s" },
		{ PATHS_UNIT_TIME, ".5s",
		    "not a number: expected a duration "
		    "such as 500us or 1.5s" },
		{ PATHS_UNIT_TIME, "1e3s",
		    "\"e3s\" after the number: expected "
		    "a duration such as 500us or "
		    "1.5s" },
		{ PATHS_UNIT_TIME, "0.5ns",
		    "not a whole number of ns: expected a duration such as "
		    "500us or 1.5s" },
		{ PATHS_UNIT_TIME, "1  s",
		    "\"  s\" after the number: expected a duration such as "
		    "500us or 1.5s" },
		{ PATHS_UNIT_TIME, "1s2",
		    "\"s2\" after the number: expected a duration such as "
		    "500us or 1.5s" },
		{ PATHS_UNIT_TIME, "0.00000000000000000001s",
		    "too many digits: expected a duration such as 500us or "
		    "1.5s" },
		{ PATHS_UNIT_TIME, "18446744074s",
		    "too large: expected at most 18446744074 s" },
		{ PATHS_UNIT_SECONDS, "soon",
		    "not a number: expected a duration such as 10, 500ms or "
		    "1.5s" },
		{ PATHS_UNIT_BYTES, "1KB",
		    "\"KB\" after the number: expected a size such as 4096, "
		    "64K or 1MiB" },
		{ PATHS_UNIT_BYTES, "0.3",
		    "not a whole number of bytes: expected a size such as "
		    "4096, 64K or 1MiB" },
		{ PATHS_UNIT_BYTES, "16777216T",
		    "too large: expected at most 16777216 TiB" },
		{ PATHS_UNIT_BYTES, "99999999999999999999999q",
		    "too large: expected at most 16777216 TiB" },
		{ PATHS_UNIT_RATE, "fast",
		    "not a number: expected bytes per second such as 100M" },
	};
	uint64_t number = 42;

	for (size_t n = 0; n < COUNT_OF(bad); n++) {
		EXPECT_TRUE(paths_unit_parse(bad[n].unit, bad[n].text, 0,
				UINT64_MAX, &number) != PATHS_OK);
		EXPECT_STR_EQ(bad[n].why, paths_log_last());
		EXPECT_EQ(42, number);
	}
}

static void
bounds_are_allowed_and_are_named_in_messages(void)
{
	uint64_t number = 42;

	EXPECT_OK(
	    paths_unit_parse(PATHS_UNIT_BYTES, "1K", 1024, 1024, &number));
	EXPECT_EQ(1024, number);
	EXPECT_EQ(PATHS_ERANGE,
	    paths_unit_parse(PATHS_UNIT_BYTES, "1025", 0, 1024, &number));
	EXPECT_STR_EQ("too large: expected at most 1 KiB", paths_log_last());
	EXPECT_EQ(PATHS_ERANGE,
	    paths_unit_parse(PATHS_UNIT_SECONDS, "999us", 1000000, UINT64_MAX,
		&number));
	EXPECT_STR_EQ("too small: expected at least 1 ms", paths_log_last());
	EXPECT_EQ(PATHS_ERANGE,
	    paths_unit_parse(PATHS_UNIT_COUNT, "65537", 1, 65536, &number));
	EXPECT_STR_EQ("too large: expected at most 65536", paths_log_last());
	EXPECT_EQ(1024, number);
}

/* Every text of up to three of these bytes is read or refused. */
static void
any_short_text_is_read_or_refused(void)
{
	static const char bytes[] = "019.- ksMnuTiB\xff%";
	char text[4] = "";
	uint64_t number;

	for (size_t n = 0; n < sizeof(bytes) * sizeof(bytes) * sizeof(bytes);
	     n++) {
		text[0] = bytes[n % sizeof(bytes)];
		text[1] = bytes[n / sizeof(bytes) % sizeof(bytes)];
		text[2] = bytes[n / sizeof(bytes) / sizeof(bytes)];
		for (int unit = PATHS_UNIT_COUNT; unit <= PATHS_UNIT_RATE;
		     unit++) {
			if (paths_unit_parse((enum paths_unit)unit, text, 0,
				1000, &number) == PATHS_OK)
				EXPECT_TRUE(number <= 1000 && text[0] >= '0' &&
				    text[0] <= '9');
		}
	}
}

static void
texts_have_three_digits_and_a_unit(void)
{
	EXPECT_STR_EQ("0 ns", text(PATHS_UNIT_TIME, -0.0));
	EXPECT_STR_EQ("999 ns", text(PATHS_UNIT_TIME, 999.0));
	EXPECT_STR_EQ("1.23 us", text(PATHS_UNIT_TIME, 1234.0));
	EXPECT_STR_EQ("12.3 ms", text(PATHS_UNIT_TIME, 12.34e6));
	EXPECT_STR_EQ("123 s", text(PATHS_UNIT_SECONDS, 123.4e9));
	EXPECT_STR_EQ("-1.50 ms", text(PATHS_UNIT_TIME, -1.5e6));
	EXPECT_STR_EQ("17", text(PATHS_UNIT_COUNT, 17.0));
	EXPECT_STR_EQ("12.3 k", text(PATHS_UNIT_COUNT, 12345.0));
	EXPECT_STR_EQ("34.5 %", text(PATHS_UNIT_SHARE, 0.345));
	EXPECT_STR_EQ("100 %", text(PATHS_UNIT_SHARE, 1.0));
	EXPECT_STR_EQ("1.50 GB/s", text(PATHS_UNIT_RATE, 1.5e9));
	EXPECT_STR_EQ("1234567", text(PATHS_UNIT_PLAIN, 1234567.0));
	EXPECT_STR_EQ("0.25", text(PATHS_UNIT_PLAIN, 0.25));
}

static void
numbers_that_round_to_a_thousand_have_the_next_unit(void)
{
	EXPECT_STR_EQ("1.00 ms", text(PATHS_UNIT_TIME, 999999.0));
	EXPECT_STR_EQ("999 us", text(PATHS_UNIT_TIME, 999400.0));
}

static void
bytes_have_units_of_powers_of_two(void)
{
	EXPECT_STR_EQ("1000 B", text(PATHS_UNIT_BYTES, 1000.0));
	EXPECT_STR_EQ("1 KiB", text(PATHS_UNIT_BYTES, 1024.0));
	EXPECT_STR_EQ("1.50 MiB", text(PATHS_UNIT_BYTES, 1.5 * 0x1p20));
	EXPECT_STR_EQ("2 TiB", text(PATHS_UNIT_BYTES, 0x1p41));
}

static void
whole_numbers_have_groups_of_three_digits(void)
{
	EXPECT_STR_EQ("0", text(PATHS_UNIT_WHOLE, 0.0));
	EXPECT_STR_EQ("999", text(PATHS_UNIT_WHOLE, 999.0));
	EXPECT_STR_EQ("1 234 567", text(PATHS_UNIT_WHOLE, 1234567.0));
	EXPECT_STR_EQ("-12 345", text(PATHS_UNIT_WHOLE, -12345.0));
}

/* The largest numbers fit into the text and are not cut. */
static void
numbers_beyond_all_units_have_an_exponent(void)
{
	EXPECT_STR_EQ("1e+291 s", text(PATHS_UNIT_TIME, 1e300));
	EXPECT_STR_EQ("-1e+300", text(PATHS_UNIT_WHOLE, -1e300));
	EXPECT_STR_EQ("inf s", text(PATHS_UNIT_TIME, INFINITY));
	EXPECT_STR_EQ("-1e+300", text(PATHS_UNIT_PLAIN, -1e300));
}

static void
texts_of_a_series_differ_and_share_a_unit(void)
{
	EXPECT_STR_EQ("0 ms", step(PATHS_UNIT_TIME, 0.0, 1e6, 5e6));
	EXPECT_STR_EQ("0.5 ms", step(PATHS_UNIT_TIME, 5e5, 5e5, 5e6));
	EXPECT_STR_EQ("1.2345 ms", step(PATHS_UNIT_TIME, 1234500.0, 100.0, 0));
	EXPECT_STR_EQ("5.000000001 s",
	    step(PATHS_UNIT_TIME, 5000000001.0, 1.0, 6e9));
	EXPECT_STR_EQ("0.25 KiB", step(PATHS_UNIT_BYTES, 256.0, 256.0, 2048.0));
	EXPECT_STR_EQ("0.125 KiB",
	    step(PATHS_UNIT_BYTES, 128.0, 128.0, 2048.0));
}

TEST_MAIN(numbers_are_read_with_their_units,
    malformed_numbers_are_refused_with_the_reason,
    bounds_are_allowed_and_are_named_in_messages,
    any_short_text_is_read_or_refused, texts_have_three_digits_and_a_unit,
    numbers_that_round_to_a_thousand_have_the_next_unit,
    bytes_have_units_of_powers_of_two,
    whole_numbers_have_groups_of_three_digits,
    numbers_beyond_all_units_have_an_exponent,
    texts_of_a_series_differ_and_share_a_unit)
