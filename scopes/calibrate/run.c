/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/run.c - calibrates a machine
 */

#include "scopes/calibrate/run_private.h"

#include "scopes/calibrate/contention_private.h"
#include "scopes/calibrate/eager_private.h"
#include "scopes/calibrate/file_private.h"
#include "scopes/calibrate/fit_private.h"
#include "scopes/calibrate/ping_private.h"
#include "scopes/calibrate/place_private.h"
#include "scopes/calibrate/queue_private.h"
#include "scopes/calibrate/steady_private.h"
#include "scopes/calibrate/stream_private.h"
#include "scopes/job/plugin_private.h"

#include "libpaths/log.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The start of the random numbers, for the same order in each calibration. */
#define RUN_SEED 0x9e3779b97f4a7c15u

/* Chooses and loads the plugin, and finds both of its tables. */
static paths_status
run_load(struct es__calibrate *c, struct es__plugin_launch *launch)
{
	void *library;
	paths_status st = es__plugin_launch(launch);

	if (st == PATHS_OK && launch->plugin == NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "this process is not one of several that a launcher of MPI "
		    "has started; use mpirun -n 2 eventspace calibrate");
	if (st == PATHS_OK)
		st = es__plugin_load(launch, &library, &c->exchange);
	if (st != PATHS_OK)
		return st;
	c->measure = dlsym(library, ES__MEASURE_TABLE);
	if (c->measure != NULL && c->measure->abi == ES__MEASURE_ABI)
		return PATHS_OK;
	(void)dlclose(library);
	return paths_log_fail(PATHS_EABI,
	    "%s: a plugin of another version of eventspace", launch->plugin);
}

/* Prepares memory.  Pages that were never written are one page of zeros, which
   is read faster than others. */
static paths_status
run_memory(struct es__calibrate *c)
{
	c->memory.out = malloc(ES__CALIBRATE_MEMORY);
	c->memory.in = malloc(ES__CALIBRATE_MEMORY);
	if (c->memory.out == NULL || c->memory.in == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for messages");
	memset(c->memory.out, 1, ES__CALIBRATE_LONGEST);
	memset(c->memory.in, 1, ES__CALIBRATE_LONGEST);
	return PATHS_OK;
}

/* Runs all steps that measure. */
static paths_status
run_measure(struct es__calibrate *c)
{
	paths_status st;

	es__eager_find(c);
	es__steady_reference(c);
	st = es__ping_measure(c);
	es__steady_reference(c);
	if (st == PATHS_OK)
		st = es__stream_measure(c);
	if (st == PATHS_OK)
		es__queue_measure(c);
	if (st == PATHS_OK)
		st = es__contention_measure(c);
	es__steady_reference(c);
	return st;
}

static paths_status
run_interrupted(const struct es__calibrate *c)
{
	return c->pace.interrupted ? paths_log_fail(PATHS_ECANCELED,
					 "interrupted, nothing was written") :
				     PATHS_OK;
}

/* Measures, fits, compares and writes. */
static paths_status
run_steps(struct es__calibrate *c, struct es__calibrate_result *result)
{
	paths_status st = run_memory(c);

	if (st == PATHS_OK)
		st = es__place_find(c);
	if (st == PATHS_OK)
		st = es__check_open(c);
	if (st == PATHS_OK)
		st = run_measure(c);
	if (st == PATHS_OK)
		st = run_interrupted(c);
	if (st == PATHS_OK)
		st = es__fit_model(c, &result->model);
	if (st != PATHS_OK)
		return st;
	es__check_compare(c, result->model, &result->check);
	result->unsteady = es__place_unbound(c) > 0 || !es__place_all_fit(c);
	result->model->drift = es__steady_drift(c);
	result->model->drift_limit = ES__FIT_DRIFT;
	return c->rank == 0 ? es_model_write(result->model, result->file) :
			      PATHS_OK;
}

/* Runs the job.  All ranks agree first if the file can be written. */
static paths_status
run_job(struct es__calibrate *c, const struct es__calibrate_request *request,
    const char *mpi, struct es__calibrate_result *result)
{
	paths_status st = PATHS_OK;

	if (c->rank == 0)
		st = es__file_name(request->file,
		    strcmp(mpi, "MPICH") == 0 ? "mpich" : "openmpi",
		    result->file);
	if (c->measure->agree(st != PATHS_OK) != 0)
		return st == PATHS_OK ? PATHS_ECANCELED : st;
	c->measure->version(c->version, sizeof(c->version));
	es__pace_open(c, request->seconds, request->silence_s, request->quiet);
	st = run_steps(c, result);
	es__pace_close();
	/* The others fail for the same reason, but for memory. */
	if (st == PATHS_ENOMEM) {
		fprintf(stderr, "eventspace calibrate: rank %u: %s\n", c->rank,
		    paths_log_last());
		c->exchange->abort();
	}
	return st;
}

static void
run_free(struct es__calibrate *c)
{
	es__check_close(c);
	es__place_fini(c);
	if (c->topology_known)
		paths_topology_fini(&c->topology);
	free(c->crowds);
	free(c->memory.out);
	free(c->memory.in);
}

paths_status
es__calibrate(const struct es__calibrate_request *request,
    struct es__calibrate_result *result)
{
	struct es__calibrate c = { .quick = request->quick,
		.oversubscribed = request->oversubscribed,
		.phases = request->phases,
		.interrupted = request->interrupted,
		.random = RUN_SEED };
	struct es__plugin_launch launch;
	paths_status st = run_load(&c, &launch);

	result->rank = launch.rank;
	if (st != PATHS_OK)
		return st;
	es__place_prepare(&c);
	if (c.exchange->open(&c.rank, &c.size) != PATHS_OK)
		return paths_log_fail(PATHS_EIO, "MPI could not be started");
	result->rank = c.rank;
	c.measure->begin();
	st = run_job(&c, request, launch.mpi, result);
	c.measure->end();
	c.exchange->close();
	run_free(&c);
	return st;
}
