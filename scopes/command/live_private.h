/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/live_private.h - commands that follow a run until it ends
 */

#ifndef SCOPES_COMMAND_LIVE_PRIVATE_H
#define SCOPES_COMMAND_LIVE_PRIVATE_H

#include "scopes/command/command.h"
#include "scopes/command/tree_private.h"

#include <stdbool.h>
#include <stdint.h>

struct es__live {
	bool on;
	const char *map; /* of the gather tree; NULL: the default one */
	struct es__tree tree;
	uint64_t interval_ns; /* set to ES__LIVE_INTERVAL_NS first */
};

#define ES__LIVE_INTERVAL_NS UINT64_C(1000000000)
#define ES__LIVE_INTERVAL_LEAST_NS 1000000
#define ES__LIVE_INTERVAL_MOST_NS UINT64_C(86400000000000)

/* The options --live and --interval.  group: of --live */
#define ES__LIVE_OPTIONS(values, field, group) \
	{ "live", 0, NULL, "repeat until the run has ended", group, \
		PATHS_COMMAND_TO_FLAG(values, field.on) }, \
	    { "tree", 0, "MAP", \
		    "path map of the gather tree of --live; default " \
		    "RUN/tree.map, made for the hosts of the run", \
		    0, PATHS_COMMAND_TO_WORD(values, field.map) }, \
	{ \
		"interval", 0, "SECONDS", \
		    "time between two computations of --live; default 1", 0, \
		    PATHS_COMMAND_TO_NUMBER(values, field.interval_ns, \
			SECONDS, ES__LIVE_INTERVAL_LEAST_NS, \
			ES__LIVE_INTERVAL_MOST_NS) \
	}

/* Waits until a process of the run records, or a signal was caught
   (interrupt_private.h): at most ten seconds, but as long as eventspace run has
   started its processes on several hosts.  Starts the gather tree, if one is
   needed; on PATHS_OK, the caller calls es__live_end. */
paths_status es__live_begin(struct es__live *live,
    const struct es_command *command, const char *run) PATHS_CHECKED;

/* Ends the gather tree. */
void es__live_end(struct es__live *live);

/* Sleeps for the interval, or until a signal is caught. */
void es__live_sleep(const struct es__live *live);

#endif
