/* SPDX-License-Identifier: MIT */
/*
 * collectors/monitor.h - a program looks at its own collectors
 *
 * The program switches, resets and reads the collectors of its process while
 * they record.  Nothing here is ever waited for by an operation.
 *
 * A pattern is one of a shell: * ? [a-z]; it is held against the names of
 * collectors in the map, as "t0/total.1:collector" (the * matches a / too).
 */

#ifndef COLLECTORS_MONITOR_H
#define COLLECTORS_MONITOR_H

#include "collectors/space.h"

#include "libpaths/program.h"

struct es_monitor;

/*
 * es_monitor_open - get hold of the collectors of this process
 *
 * program	open
 * monitor	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the process has no collectors, or could not
 *				make its event space
 *		PATHS_ENOMEM, PATHS_EIO	the space cannot be mapped once more
 * Ownership	the caller calls es_monitor_close, before or after the program
 *		is closed
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_monitor_open(struct paths_program *program,
    struct es_monitor **monitor) PATHS_CHECKED;

/*
 * es_monitor_close - let the collectors go; they stay as they are
 *
 * monitor	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_monitor_close(struct es_monitor *monitor);

/*
 * es_monitor_mode - say what collectors shall do from now on
 *
 * Also starts (a set of ES_MODE_) and stops (ES_MODE_OFF) them.
 *
 * pattern	which
 * mode		a set of ES_MODE_
 * matched	out: how many; NULL: not asked
 *
 * Returns	PATHS_OK; also when none matches
 *		PATHS_EINVAL	an unknown mode
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_monitor_mode(struct es_monitor *monitor,
    const char *pattern, uint32_t mode, uint32_t *matched);

/*
 * es_monitor_reset - let collectors begin anew; see es_space_reset
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_monitor_reset(struct es_monitor *monitor, const char *pattern,
    uint32_t *matched);

/*
 * es_monitor_find - the next collector whose name matches
 *
 * from	the first collector looked at: 0, or one past the last found
 *
 * Returns	a number for es_monitor_name and the functions of space.h;
 *		UINT32_MAX when there is none
 * Threads	any; no shared state
 * Since	0.1
 */
ES_API uint32_t es_monitor_find(const struct es_monitor *monitor,
    const char *pattern, uint32_t from);

/*
 * es_monitor_name - the name of a collector
 *
 * Returns	as the map has it; NULL when there is none of that number
 * Ownership	the monitor's
 * Threads	any; no shared state
 * Since	0.1
 */
ES_API const char *es_monitor_name(const struct es_monitor *monitor,
    uint32_t n);

/*
 * es_monitor_space - the space of this process, to be read
 *
 * es_space_collector, es_space_profile, es_space_matrix and es_space_read
 * answer while the program runs.
 *
 * Returns	the space, opened to switch
 * Ownership	the monitor's
 * Threads	any
 * Since	0.1
 */
ES_API struct es_space *es_monitor_space(struct es_monitor *monitor);

#endif
