/* SPDX-License-Identifier: MIT */
/*
 * tests/test.c - test framework: cases, expectations, TAP output
 *
 * Signals other than SIGALRM are not handled: a crash ends the program where it
 * happened, for a debugger or a sanitizer, and the plan of TAP then shows that
 * cases are missing.
 */

#include "tests/test.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options of the sanitizers that programs are built with.  Some tests fork
   processes that start threads, and cancel threads. */
const char *__tsan_default_options(void);
const char *__asan_default_options(void);

const char *
__tsan_default_options(void)
{
	return "die_after_fork=0";
}

const char *
__asan_default_options(void)
{
	return "use_sigaltstack=0";
}

static pid_t test_pid; /* of the program; 0 before it runs cases */

/*
 * Ends the search for leaks in a forked process.  Another thread may have held
 * a lock of the allocator at the fork, and the search waits for all of them.
 */
int __lsan_is_turned_off(void);

int
__lsan_is_turned_off(void)
{
	return test_pid != 0 && getpid() != test_pid;
}

static pthread_t case_thread;
static jmp_buf case_end;	/* of case_thread */
static const char *case_skip;	/* reason; written by case_thread */
static const char *case_name;	/* written by case_thread */
static atomic_bool case_failed; /* written by all, read by case_thread */

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
	atomic_store(&case_failed, true);
	if (pthread_equal(pthread_self(), case_thread))
		longjmp(case_end, 1);
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

/* Fails with the first line in which two texts differ. */
static void
test_fail_line(const char *want, const char *got, const char *what)
{
	int line = 1;

	for (;; line++) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");

		if (w != g || memcmp(want, got, w) != 0 || want[w] != got[g]) {
			test_fail("%s: line %d: want \"%.*s\", got \"%.*s\"",
			    what, line, (int)w, want, (int)g, got);
			return;
		}
		want += w + 1;
		got += g + 1;
	}
}

void
test_expect_str(const char *want, const char *got, const char *what)
{
	if (want == NULL || got == NULL ? want == got : strcmp(want, got) == 0)
		return;
	if (want != NULL && got != NULL && strchr(want, '\n') != NULL)
		test_fail_line(want, got, what);
	else
		test_fail("%s: want \"%s\", got \"%s\"", what,
		    want != NULL ? want : "(null)",
		    got != NULL ? got : "(null)");
}

void
test_expect_mem(const void *want, const void *got, size_t size,
    const char *what)
{
	const unsigned char *w = want, *g = got;
	size_t i = 0;

	while (i < size && w[i] == g[i])
		i++;
	if (i < size)
		test_fail("%s: byte %zu of %zu: want %02x, got %02x", what, i,
		    size, w[i], g[i]);
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
	case_skip = why;
	longjmp(case_end, 1);
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

/* Handles the first SIGALRM: names the case; the next one kills. */
static void
say_late(int number)
{
	static const char late[] = ": takes too long\n";

	(void)!write(STDOUT_FILENO, "# ", 2);
	(void)!write(STDOUT_FILENO, case_name, strlen(case_name));
	(void)!write(STDOUT_FILENO, late, sizeof(late) - 1);
	(void)raise(number);
}

static void
start_clock(void)
{
	const char *limit = getenv("TEST_TIMEOUT_S");
	struct sigaction action = { .sa_handler = say_late,
		.sa_flags = SA_RESETHAND | SA_NODEFER };

	(void)sigaction(SIGALRM, &action, NULL);
	(void)alarm(limit != NULL ? (unsigned)atoi(limit) : 120);
}

/* Runs a case; returns true if it failed. */
static bool
run_case(test_case *run, size_t number, const char *name)
{
	bool failed;

	case_name = name;
	case_skip = NULL;
	atomic_store(&case_failed, false);
	start_clock();
	if (setjmp(case_end) == 0)
		run();
	(void)alarm(0);
	failed = atomic_load(&case_failed);
	printf("%sok %zu - %s%s%s\n", failed ? "not " : "", number, name,
	    case_skip != NULL ? " # SKIP " : "",
	    case_skip != NULL ? case_skip : "");
	return failed;
}

/* Returns true if the arguments name this case, or none. */
static bool
is_chosen(int argc, char **argv, const char *name)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc < 2;
}

int
test_main(int argc, char **argv, const char *names, test_case *const cases[])
{
	bool list = argc == 2 && strcmp(argv[1], "-l") == 0;
	char *copy = strdup(names), *rest = copy, *name;
	size_t ran = 0, failed = 0;

	/* Buffers single lines: a crash loses none, a fork repeats none. */
	(void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	case_thread = pthread_self();
	test_pid = getpid();
	for (size_t i = 0; (name = strtok_r(rest, ", ", &rest)) != NULL; i++) {
		if (list)
			puts(name);
		else if (is_chosen(argc, argv, name))
			failed += run_case(cases[i], ++ran, name);
	}
	free(copy);
	if (list)
		return EXIT_SUCCESS;
	printf("1..%zu\n", ran);
	if (ran == 0)
		fprintf(stderr, "%s: no such case, -l lists them\n", argv[0]);
	return ran == 0 ? 2 : failed > 0;
}
