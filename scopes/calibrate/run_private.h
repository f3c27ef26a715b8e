/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/run_private.h - calibrates a machine
 */

#ifndef SCOPES_CALIBRATE_RUN_PRIVATE_H
#define SCOPES_CALIBRATE_RUN_PRIVATE_H

#include "scopes/calibrate/check_private.h"

/* The caller's request. */
struct es__calibrate_request {
	double seconds;	    /* at most */
	unsigned silence_s; /* after which a rank counts as lost */
	bool quick;	    /* fewer repeats */
	bool quiet;
	bool oversubscribed; /* also pairs without a core for each rank */
	uint32_t phases;
	const char *file;	   /* NULL: a name is made */
	bool (*interrupted)(void); /* true after a signal */
};

/* The result of a calibration, at rank 0. */
struct es__calibrate_result {
	struct es_model *model;
	struct es__check check;
	char file[PATH_MAX]; /* that was written */
	uint32_t rank;
	bool unsteady; /* ranks were not bound, or shared cores */
};

/*
 * es__calibrate - join the job of the launcher, measure, and write the model
 *
 * A rank that fails alone ends the job.
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	this process was not started with others by a
 *				launcher of MPI, or samples cannot be fitted
 *		PATHS_ENOENT	there is no plugin for the MPI
 *		PATHS_EABI	the plugin is of another version
 *		PATHS_EIO	MPI could not be started, or the file cannot be
 *				written
 *		PATHS_ECANCELED	interrupted
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_model_free on result->model
 */
paths_status es__calibrate(const struct es__calibrate_request *request,
    struct es__calibrate_result *result) PATHS_CHECKED;

#endif
