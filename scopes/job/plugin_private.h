/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/plugin_private.h - chooses and loads the plugin for an MPI
 */

#ifndef SCOPES_JOB_PLUGIN_PRIVATE_H
#define SCOPES_JOB_PLUGIN_PRIVATE_H

#include "scopes/job/exchange_private.h"

/* The job that the launcher started, by the environment. */
struct es__plugin_launch {
	const char *plugin; /* name of the plugin's file; NULL: no job */
	const char *mpi;    /* name for messages */
	uint32_t rank;	    /* 0 if it is not known */
};

/*
 * es__plugin_launch - find out about the launcher
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	several processes were started, and the MPI is
 *				not known
 */
paths_status es__plugin_launch(struct es__plugin_launch *launch) PATHS_CHECKED;

/*
 * es__plugin_load - load the plugin
 *
 * library	out: for dlclose
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	it is not there, or cannot be loaded
 *		PATHS_EABI	it is of another version
 */
paths_status es__plugin_load(const struct es__plugin_launch *launch,
    void **library, const struct es__exchange **exchange) PATHS_CHECKED;

#endif
