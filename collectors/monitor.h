/* SPDX-License-Identifier: MIT */
/*
 * collectors/monitor.h - lets a program monitor its own collectors
 *
 * The program switches, resets and reads the collectors of its process while
 * they record.  An operation never waits for these functions.
 *
 * A pattern is a shell pattern with * ? [a-z].  It is matched with the names of
 * collectors in the map, such as "t0/total.1:collector"; * also matches a /.
 */

#ifndef COLLECTORS_MONITOR_H
#define COLLECTORS_MONITOR_H

#include "collectors/space.h"

#include "libpaths/program.h"

PATHS_BEGIN_DECLS

struct es_monitor;

/*
 * es_monitor_open - opens the event space of this process
 *
 * program	open
 * monitor	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the process has no collectors, or could not
 *				create its event space
 *		PATHS_ENOMEM, PATHS_EIO	the space cannot be mapped again
 * Ownership	the caller calls es_monitor_close, before or after the program
 *		is closed
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_monitor_open(struct paths_program *program,
    struct es_monitor **monitor) PATHS_CHECKED;

/*
 * es_monitor_close - closes a monitor; the collectors keep their modes
 *
 * monitor	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_monitor_close(struct es_monitor *monitor);

/*
 * es_monitor_mode - sets the mode of the collectors that match a pattern
 *
 * mode		a set of ES_MODE_...; ES_MODE_OFF stops the recording
 * matched	out: number of matching collectors; NULL: not wanted
 *
 * Returns	PATHS_OK; also when none matches
 *		PATHS_EINVAL	an unknown mode, or this process was forked from
 *				the one that opened the monitor
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_monitor_mode(struct es_monitor *monitor,
    const char *pattern, uint32_t mode, uint32_t *matched);

/*
 * es_monitor_reset - resets the collectors that match; see es_space_reset
 *
 * matched	out: number of collectors that were reset; NULL: not wanted
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_monitor_reset(struct es_monitor *monitor, const char *pattern,
    uint32_t *matched);

/*
 * es_monitor_find - finds the next collector whose name matches
 *
 * from	number of the first collector to compare: 0, or one past the last found
 *
 * Returns	a number for es_monitor_name and the functions of space.h;
 *		UINT32_MAX when there is none
 * Threads	any; no shared state
 * Since	0.1
 */
ES_API uint32_t es_monitor_find(const struct es_monitor *monitor,
    const char *pattern, uint32_t from);

/*
 * es_monitor_name - returns the name of a collector
 *
 * Returns	the name in the map; NULL when there is no such collector
 * Ownership	the monitor's
 * Threads	any; no shared state
 * Since	0.1
 */
ES_API const char *es_monitor_name(const struct es_monitor *monitor,
    uint32_t n);

/*
 * es_monitor_space - returns the space of this process
 *
 * es_space_collector, es_space_profile, es_space_matrix and es_space_read can
 * be called while the program runs.
 *
 * Returns	the space, opened for switching too
 * Ownership	the monitor's
 * Threads	any
 * Since	0.1
 */
ES_API struct es_space *es_monitor_space(struct es_monitor *monitor);

PATHS_END_DECLS

#endif
