/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/work.c - runs independent work on all cores, with results in order
 *
 * Results are in a ring with two slots for each thread.  An item begins when
 * its slot is free, so the items begun are ahead of the items finished by at
 * most the slots of the ring.  The caller works too while the next result in
 * order is not ready.  When a thread cannot be started, fewer threads do the
 * work.
 */

#include "scopes/run/work_private.h"

#include "scopes/job.h"
#include "scopes/run/work_deal_private.h"

#include "libpaths/log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Limit of the size of all results; with larger ones fewer threads work. */
#define RESULTS_BYTES_MAX ((size_t)1 << 30)

struct slot {
	bool ready;
	paths_status status;
	char why[PATHS_LOG_BYTES]; /* of a failure: logs are per thread */
};

struct crew {
	const struct es__work *work;
	pthread_mutex_t lock;
	pthread_cond_t moved; /* a slot became ready or free */
	size_t begun;	      /* items begun: number of the next */
	size_t finished;
	size_t slots;
	struct slot *slot;
	uint8_t *results;
	paths_status failed;
};

static void *
crew_result(const struct crew *crew, size_t item)
{
	return crew->results + item % crew->slots * crew->work->result_bytes;
}

static bool
crew_may_begin(const struct crew *crew)
{
	return crew->failed == PATHS_OK && crew->begun < crew->work->count &&
	    crew->begun < crew->finished + crew->slots;
}

/* Works on the next item.  Called with the lock, which is released during the
   work. */
static void
crew_work(struct crew *crew)
{
	size_t item = crew->begun++;
	struct slot *slot = &crew->slot[item % crew->slots];
	void *result = crew_result(crew, item);

	pthread_mutex_unlock(&crew->lock);
	slot->status = crew->work->work(crew->work->context, item, result);
	if (slot->status != PATHS_OK)
		strncpy(slot->why, paths_log_last(), sizeof(slot->why) - 1);
	pthread_mutex_lock(&crew->lock);
	slot->ready = true;
	pthread_cond_broadcast(&crew->moved);
}

static void *
crew_thread(void *argument)
{
	struct crew *crew = argument;

	pthread_mutex_lock(&crew->lock);
	while (crew->failed == PATHS_OK && crew->begun < crew->work->count) {
		if (crew_may_begin(crew))
			crew_work(crew);
		else
			pthread_cond_wait(&crew->moved, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/* Finishes the next item in order, which is ready.  Called with the lock. */
static void
crew_finish(struct crew *crew)
{
	size_t item = crew->finished;
	struct slot *slot = &crew->slot[item % crew->slots];
	paths_status st = slot->status;

	pthread_mutex_unlock(&crew->lock);
	if (st == PATHS_OK && crew->work->done != NULL)
		st = crew->work->done(crew->work->context, item,
		    crew_result(crew, item));
	else if (st != PATHS_OK)
		st = paths_log_fail(st, "%s", slot->why);
	pthread_mutex_lock(&crew->lock);
	slot->ready = false;
	crew->failed = st;
	crew->finished++;
	pthread_cond_broadcast(&crew->moved);
}

static void
crew_lead(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	while (crew->failed == PATHS_OK && crew->finished < crew->work->count) {
		if (crew->slot[crew->finished % crew->slots].ready)
			crew_finish(crew);
		else if (crew_may_begin(crew))
			crew_work(crew);
		else
			pthread_cond_wait(&crew->moved, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
}

static void
crew_run(struct crew *crew, unsigned threads)
{
	pthread_t *thread = calloc(threads, sizeof(*thread));
	unsigned started = 0;

	while (thread != NULL && started + 1 < threads &&
	    pthread_create(&thread[started], NULL, crew_thread, crew) == 0)
		started++;
	crew_lead(crew);
	for (unsigned t = 0; t < started; t++)
		pthread_join(thread[t], NULL);
	free(thread);
}

paths_status
es__work_run(const struct es__work *work, unsigned threads)
{
	struct crew crew = { .work = work, .failed = PATHS_OK };
	size_t bytes = work->result_bytes ? work->result_bytes : 1;

	if (work->count == 0)
		return PATHS_OK;
	if (work->reads != NULL && es_job_size() > 1)
		return es__work_deal(work, threads);
	if (threads > work->count)
		threads = (unsigned)work->count;
	crew.slots = threads > 1 ? 2 * (size_t)threads : 1;
	if (crew.slots > RESULTS_BYTES_MAX / bytes)
		crew.slots = RESULTS_BYTES_MAX / bytes + 1;
	crew.slot = calloc(crew.slots, sizeof(*crew.slot));
	crew.results = calloc(crew.slots, bytes);
	if (crew.slot == NULL || crew.results == NULL) {
		free(crew.slot);
		free(crew.results);
		return paths_log_fail(PATHS_ENOMEM, "no memory for results");
	}
	pthread_mutex_init(&crew.lock, NULL);
	pthread_cond_init(&crew.moved, NULL);
	crew_run(&crew, threads);
	pthread_cond_destroy(&crew.moved);
	pthread_mutex_destroy(&crew.lock);
	free(crew.slot);
	free(crew.results);
	return crew.failed;
}
