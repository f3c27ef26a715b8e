/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/job.c - joins and leaves the job of a launcher
 */

#include "scopes/job.h"

#include "scopes/job/engine_private.h"
#include "scopes/job/fault_private.h"
#include "scopes/job/files_private.h"
#include "scopes/job/plugin_private.h"
#include "scopes/job/region_private.h"
#include "scopes/job/stream_private.h"

#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Also without a job, when the launcher set it. */
static uint32_t job_rank;

static void
job_free(struct es__job *job)
{
	if (job->regions != NULL) {
		es__region_fini(job);
		es__fault_close(job);
	}
	for (uint32_t r = 0; job->in != NULL && r < job->size; r++)
		free(job->in[r].data);
	free(job->regions);
	free(job->in);
	free(job->out.data);
	pthread_cond_destroy(&job->moved);
	pthread_mutex_destroy(&job->lock);
	free(job);
}

/* Counts the ranks that share the cores of this host. */
static paths_status
job_count_neighbours(struct es__job *job)
{
	char own[HOST_NAME_MAX + 1] = "", name[HOST_NAME_MAX + 1];
	paths_status st = PATHS_OK;

	(void)gethostname(own, sizeof(own) - 1);
	for (uint32_t r = 0; st == PATHS_OK && r < job->size; r++) {
		memcpy(name, own, sizeof(name));
		st = es__stream_share(r, name, sizeof(name));
		job->neighbours += st == PATHS_OK && strcmp(name, own) == 0;
	}
	return st;
}

/* Large blocks go back to the system when they are freed.  A limit that grows,
   as that of the C library does, would keep results of all items. */
static void
job_limit_memory(void)
{
#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

paths_status
es_job_open(void)
{
	struct es__plugin_launch launch;
	struct es__job *job;
	paths_status st = es__plugin_launch(&launch);

	job_rank = launch.rank;
	if (st != PATHS_OK || launch.plugin == NULL)
		return st;
	job_limit_memory();
	job = calloc(1, sizeof(*job));
	if (job == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a job");
	pthread_mutex_init(&job->lock, NULL);
	pthread_cond_init(&job->moved, NULL);
	st = es__plugin_load(&launch, &job->library, &job->exchange);
	if (st == PATHS_OK)
		st = es__engine_start(job);
	if (st == PATHS_OK) {
		es__member = job;
		job_rank = job->rank;
		st = job_count_neighbours(job);
		return st == PATHS_OK ? st : es_job_end(st);
	}
	job_free(job);
	return st;
}

uint32_t
es_job_rank(void)
{
	return job_rank;
}

uint32_t
es_job_size(void)
{
	return es__member == NULL ? 1 : es__member->size;
}

paths_status
es_job_agree(void)
{
	paths_status st = PATHS_OK;
	uint8_t here = 1;

	if (es__member == NULL)
		return PATHS_OK;
	for (uint32_t r = 0; st == PATHS_OK && r < es_job_size(); r++)
		st = es__stream_share(r, &here, sizeof(here));
	return st;
}

paths_status
es_job_end(paths_status st)
{
	struct es__job *job = es__member;

	if (job == NULL)
		return st;
	pthread_mutex_lock(&job->lock);
	if (job->failed != PATHS_OK && (st == PATHS_OK || job->broken))
		st = paths_log_fail(job->failed, "%s", job->text);
	pthread_mutex_unlock(&job->lock);
	job->own_status = st;
	if (st != PATHS_OK)
		snprintf(job->own_text, sizeof(job->own_text), "%s",
		    paths_log_last());
	es__engine_end(job);
	if (st == PATHS_OK && job->failed != PATHS_OK)
		st = paths_log_fail(job->failed, "%s", job->text);
	es__files_fini();
	/* MPI cannot be started again, so its plugin stays loaded. */
	es__member = NULL;
	job_free(job);
	return st;
}
