/* SPDX-License-Identifier: MIT */
/*
 * libpaths/log.h - why something failed, in one line
 *
 * The function that decides on an error says why, once, and the callers above
 * pass the status on.  The text of a thread's last failure is kept for that
 * thread; a program prints it where its user looks.
 */

#ifndef LIBPATHS_LOG_H
#define LIBPATHS_LOG_H

#include "libpaths/status.h"

/* The longest text kept, its closing 0 included; longer ones are cut. */
#define PATHS_LOG_BYTES 512

/*
 * paths_log_fail - keep the reason of a failure and pass its status on
 *
 * st	the status to return
 * fmt	as for printf: lower case, the exact fact, the value in question
 *
 * Returns	st
 * Threads	any; the text is the calling thread's own
 * Since	0.1
 */
PATHS_API paths_status paths_log_fail(paths_status st, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * paths_log_last - the text of this thread's last paths_log_fail
 *
 * Returns	the text; "" when nothing failed yet
 * Ownership	the thread's; valid until its next failure
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_log_last(void);

/*
 * paths_log_warn - say something the user should know, at once
 *
 * Writes one line "NAME: text" to standard error, NAME as given to
 * paths_log_name.  Never used on the write path.
 *
 * Returns	nothing
 * Threads	any; one line is one write
 * Since	0.1
 */
PATHS_API void paths_log_warn(const char *fmt, ...) PATHS_PRINTF(1, 2);

/*
 * paths_log_name - how this program calls itself in warnings
 *
 * name	"eventspace run" and the like; at most 63 bytes are kept
 *
 * Returns	nothing
 * Threads	call before threads are started
 * Since	0.1
 */
PATHS_API void paths_log_name(const char *name);

#endif
