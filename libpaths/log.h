/* SPDX-License-Identifier: MIT */
/*
 * libpaths/log.h - the reason of the last failure, in one line
 *
 * The function that decides on an error reports the reason, and its callers
 * pass the status on.  Each thread keeps the text of its last failure, which
 * the program prints.
 */

#ifndef LIBPATHS_LOG_H
#define LIBPATHS_LOG_H

#include "libpaths/status.h"

PATHS_BEGIN_DECLS

/* The longest text that is kept, with its closing 0; longer texts are cut. */
#define PATHS_LOG_BYTES 512

/*
 * paths_log_fail - keep the reason of a failure and pass its status on
 *
 * st	the status to return
 * fmt	as for printf: lower case, the exact fact, the value in question
 *
 * Returns	st
 * Threads	any; each keeps its own text
 * Since	0.1
 */
PATHS_API paths_status paths_log_fail(paths_status st, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * paths_log_last - the text of this thread's last paths_log_fail
 *
 * Returns	the text; "" when nothing has failed
 * Ownership	of the thread, until its next failure
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_log_last(void);

/*
 * paths_log_warn - print a warning for the user
 *
 * Writes the line "NAME: text" to standard error, with the NAME of
 * paths_log_name.  Not for the write path.
 *
 * Returns	nothing
 * Threads	any; one line is one write
 * Since	0.1
 */
PATHS_API void paths_log_warn(const char *fmt, ...) PATHS_PRINTF(1, 2);

/*
 * paths_log_name - set the name of this program in warnings
 *
 * name	"eventspace run" and the like; at most 63 bytes are kept
 *
 * Returns	nothing
 * Threads	call before threads are started
 * Since	0.1
 */
PATHS_API void paths_log_name(const char *name);

PATHS_END_DECLS

#endif
