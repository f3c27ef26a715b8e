/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/log_test.c - proves libpaths/base/log.c and status.c
 */

#include "libpaths/log.h"

#include "tests/test.h"

#include <pthread.h>
#include <string.h>

static void
every_status_has_a_name_and_a_text(void)
{
#define ROW(id, number, text) \
	EXPECT_EQ(number, id); \
	EXPECT_STR_EQ(#id, paths_status_name(id)); \
	EXPECT_STR_EQ(text, paths_status_about(id));
	PATHS_STATUS_TABLE(ROW)
#undef ROW
	EXPECT_STR_EQ("PATHS_E?", paths_status_name(1));
	EXPECT_STR_EQ("unknown status", paths_status_about(-1000));
}

static void
a_failure_is_kept_and_passed_on(void)
{
	EXPECT_EQ(PATHS_EFULL, paths_log_fail(PATHS_EFULL, "at %d", 7));
	EXPECT_STR_EQ("at 7", paths_log_last());
	/* The last reason may be an argument of the next message. */
	EXPECT_EQ(PATHS_EIO,
	    paths_log_fail(PATHS_EIO, "p0: %s", paths_log_last()));
	EXPECT_STR_EQ("p0: at 7", paths_log_last());
}

static void
a_long_reason_is_cut(void)
{
	char text[2 * PATHS_LOG_BYTES];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	EXPECT_EQ(PATHS_EIO, paths_log_fail(PATHS_EIO, "%s", text));
	EXPECT_EQ(PATHS_LOG_BYTES - 1, strlen(paths_log_last()));
}

static void
a_reason_does_not_take_over_a_terminal(void)
{
	EXPECT_EQ(PATHS_EIO,
	    paths_log_fail(PATHS_EIO,
		"a\033[m b\xc2\x9b"
		"1m c\xe2\x80\xae d\xe2\x81\xa6 e\x9b f\xc3\xa9"));
	EXPECT_STR_EQ("a?[m b?1m c? d? e? f\xc3\xa9", paths_log_last());
}

static void *
fail_elsewhere(void *arg)
{
	EXPECT_STR_EQ("", paths_log_last());
	EXPECT_EQ(PATHS_EIO, paths_log_fail(PATHS_EIO, "elsewhere"));
	return arg;
}

static void
each_thread_keeps_its_own_reason(void)
{
	pthread_t thread;

	EXPECT_EQ(PATHS_EIO, paths_log_fail(PATHS_EIO, "here"));
	EXPECT_EQ(0, pthread_create(&thread, NULL, fail_elsewhere, NULL));
	EXPECT_EQ(0, pthread_join(thread, NULL));
	EXPECT_STR_EQ("here", paths_log_last());
}

TEST_MAIN(every_status_has_a_name_and_a_text, a_failure_is_kept_and_passed_on,
    a_long_reason_is_cut, a_reason_does_not_take_over_a_terminal,
    each_thread_keeps_its_own_reason)
