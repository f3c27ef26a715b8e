/* SPDX-License-Identifier: MIT */
/*
 * tests/test.c - what a test program is written in, over cmocka
 */

#include "tests/test.h"

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cmocka makes these failed cases; a debugger and a sanitizer want them. */
static const int fatal[] = { SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS };
#define FATAL_COUNT (sizeof(fatal) / sizeof(fatal[0]))
static struct sigaction fatal_action[FATAL_COUNT];

static pthread_t case_thread;
static atomic_uint failed_elsewhere; /* by any thread; read by case_thread */
static unsigned timeout_s = 120;

__attribute__((format(printf, 1, 2))) static void
test_fail(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (char *c = text; *c != '\0'; c++)
		if (*c == '\n')
			*c = ' ';
	printf("# %s\n", text);
	(void)fflush(stdout);
	if (pthread_equal(pthread_self(), case_thread))
		fail();
	atomic_fetch_add(&failed_elsewhere, 1);
}

void
test_expect(bool holds, const char *what)
{
	if (!holds)
		test_fail("%s: does not hold", what);
}

void
test_expect_eq(intmax_t want, intmax_t got, const char *what)
{
	if (want != got)
		test_fail("%s: want %jd, got %jd", what, want, got);
}

void
test_expect_str(const char *want, const char *got, const char *what)
{
	if (want == NULL || got == NULL ? want != got : strcmp(want, got) != 0)
		test_fail("%s: want \"%s\", got \"%s\"", what,
		    want != NULL ? want : "(null)",
		    got != NULL ? got : "(null)");
}

void
test_expect_mem(const void *want, const void *got, size_t size,
    const char *what)
{
	const unsigned char *w = want, *g = got;

	for (size_t i = 0; i < size; i++)
		if (w[i] != g[i])
			test_fail("%s: byte %zu of %zu: want %02x, got %02x",
			    what, i, size, w[i], g[i]);
}

void
test_expect_near(double want, double got, double within, const char *what)
{
	if (!(fabs(want - got) <= within))
		test_fail("%s: want %.17g +/- %g, got %.17g", what, want,
		    within, got);
}

void
test_skip(const char *why)
{
	printf("# skipped: %s\n", why);
	skip();
}

const char *
test_srcdir(void)
{
	return TEST_SRCDIR;
}

const char *
test_builddir(void)
{
	return TEST_BUILDDIR;
}

static void
run_case(void **state)
{
	test_case *const *run = *state;

	for (size_t i = 0; i < FATAL_COUNT; i++)
		(void)sigaction(fatal[i], &fatal_action[i], NULL);
	atomic_store(&failed_elsewhere, 0);
	(void)alarm(timeout_s);
	(*run)();
	(void)alarm(0);
	test_expect_eq(0, atomic_load(&failed_elsewhere),
	    "expectations failed on other threads");
}

static struct CMUnitTest
case_test(const char *name, test_case *const *run)
{
	return (struct CMUnitTest){
		.name = name,
		.test_func = run_case,
		.initial_state = (void *)(uintptr_t)run,
	};
}

static bool
is_chosen(int argc, char **argv, const char *name)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc < 2;
}

int
test_main(int argc, char **argv, const char *names, test_case *const cases[],
    size_t count)
{
	bool list = argc == 2 && strcmp(argv[1], "-l") == 0;
	struct CMUnitTest *tests = calloc(count, sizeof(*tests));
	char *copy = strdup(names), *rest = copy, *name;
	size_t chosen = 0;
	int failed = 0;

	if (tests == NULL || copy == NULL)
		return EXIT_FAILURE;
	if (getenv("TEST_TIMEOUT_S") != NULL)
		timeout_s = (unsigned)atoi(getenv("TEST_TIMEOUT_S"));
	for (size_t i = 0; i < FATAL_COUNT; i++)
		(void)sigaction(fatal[i], NULL, &fatal_action[i]);
	case_thread = pthread_self();
	for (size_t i = 0; (name = strtok_r(rest, ", ", &rest)) != NULL; i++) {
		if (list)
			puts(name);
		else if (is_chosen(argc, argv, name))
			tests[chosen++] = case_test(name, &cases[i]);
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (!list && chosen == 0)
		fprintf(stderr, "%s: no such case, -l lists them\n", argv[0]);
	if (!list)
		failed = chosen == 0 ?
		    2 :
		    _cmocka_run_group_tests(argv[0], tests, chosen, NULL, NULL);
	free(copy);
	free(tests);
	return failed;
}
