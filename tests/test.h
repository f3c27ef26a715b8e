/* SPDX-License-Identifier: MIT */
/*
 * tests/test.h - test framework: cases, expectations, TAP output
 *
 * A case is a static function without arguments, named after the promise it
 * checks; TEST_MAIN lists the cases.  The program prints TAP.  With -l it lists
 * its cases; with names as arguments it runs only the cases of these names.
 *
 * An EXPECT that fails on the thread of the case ends the case.  On another
 * thread it is noted, the thread goes on, and the case fails when it returns.
 * A case that takes longer than TEST_TIMEOUT_S seconds (120) kills the program.
 */

#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sanitizer uses memory, and threads, of its own.  gcc and clang define
   different macros for it. */
#if !defined(__has_feature)
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_SANITIZED true
#else
#define TEST_SANITIZED false
#endif

typedef void test_case(void);

/* Compares integers, booleans or pointers; evaluates each once. */
#define EXPECT_EQ(want, got) \
	do { \
		_Static_assert(TEST_WHOLE(want) && TEST_WHOLE(got), \
		    "EXPECT_EQ of a float: use EXPECT_NEAR"); \
		test_expect_eq((intmax_t)(want), (intmax_t)(got), \
		    __FILE__ ":" TEST_TEXT(__LINE__) ": " #got); \
	} while (0)

#define EXPECT_OK(status) EXPECT_EQ(0, status)

#define EXPECT_TRUE(condition) \
	test_expect((condition) ? true : false, \
	    __FILE__ ":" TEST_TEXT(__LINE__) ": " #condition)

#define EXPECT_STR_EQ(want, got) \
	test_expect_str(want, got, __FILE__ ":" TEST_TEXT(__LINE__) ": " #got)

#define EXPECT_MEM_EQ(want, got, size) \
	test_expect_mem(want, got, size, \
	    __FILE__ ":" TEST_TEXT(__LINE__) ": " #got)

#define EXPECT_NEAR(want, got, within) \
	test_expect_near(want, got, within, \
	    __FILE__ ":" TEST_TEXT(__LINE__) ": " #got)

/* Ends the case as skipped: this machine lacks something that it needs. */
#define TEST_SKIP(why) test_skip(why)

/* TEST_MAIN(counts_each_once, refuses_an_empty_name) */
#define TEST_MAIN(...) \
	int main(int argc, char **argv) \
	{ \
		test_case *const cases[] = { __VA_ARGS__ }; \
		return test_main(argc, argv, #__VA_ARGS__, cases); \
	}

#define TEST_TEXT_(x) #x
#define TEST_TEXT(x) TEST_TEXT_(x)
#define TEST_WHOLE(x) _Generic((x), float : 0, double : 0, default : 1)

void test_expect(bool holds, const char *what);
void test_expect_eq(intmax_t want, intmax_t got, const char *what);
void test_expect_str(const char *want, const char *got, const char *what);
void test_expect_mem(const void *want, const void *got, size_t size,
    const char *what);
void test_expect_near(double want, double got, double within, const char *what);
_Noreturn void test_skip(const char *why);
int test_main(int argc, char **argv, const char *names,
    test_case *const cases[]);

/* Return the top folders of the sources and of the build. */
const char *test_srcdir(void);
const char *test_builddir(void);

#endif
