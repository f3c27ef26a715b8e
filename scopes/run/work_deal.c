/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/work_deal.c - runs independent work on the ranks of a job
 *
 * Threads work on the items of this rank, in order, and send the results to the
 * other ranks.  The caller takes the results of all ranks, in order, those of
 * this rank too.  A thread begins an item only while few results of this rank
 * wait to be taken, so the memory for them is bounded.  This cannot block all
 * ranks: the one that has the next item in order has nothing that waits.
 */

#include "scopes/run/work_deal_private.h"

#include "scopes/job.h"
#include "scopes/job/region_private.h"
#include "scopes/job/stream_private.h"

#include "libpaths/log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of results that may wait, besides those of items begun. */
#define DEAL_HELD_BYTES ((size_t)16 << 20)

/* Goes before each result. */
struct deal_head {
	uint64_t item;
	uint64_t bytes;
	int32_t status; /* not PATHS_OK: the bytes are its text */
	int32_t skipped;
};

struct deal {
	const struct es__work *work;
	/* The rank that works on each item.  Found before the first is
	   begun, because work and the results of others change the context. */
	uint32_t *rank;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	size_t next;	/* item from which the next of this rank is searched */
	size_t begun;	/* number of items of this rank that were begun */
	size_t sent;	/* and of those that were sent */
	bool failed;	/* of an item of this rank: later ones are skipped */
	bool cancelled; /* nobody takes results any more */
};

/* Returns the rank that works on an item. */
static uint32_t
deal_rank(const struct es__work *work, size_t item)
{
	const void *tuples = work->reads(work->context, item);
	uint32_t rank = tuples == NULL ? UINT32_MAX : es__region_reader(tuples);

	return rank == UINT32_MAX ? (uint32_t)(item % es_job_size()) : rank;
}

static bool
deal_flat(const struct es__work *work)
{
	return work->pack == NULL;
}

/* Packs the result of an item, or the reason why there is none. */
static void
deal_pack(const struct deal *deal, struct deal_head *head, const void *result,
    struct es__pack *pack)
{
	const struct es__work *work = deal->work;

	if (head->skipped == 0 && head->status != PATHS_OK)
		es__pack_put(pack, paths_log_last(),
		    strlen(paths_log_last()) + 1);
	else if (head->skipped == 0 && deal_flat(work))
		es__pack_put_sparse(pack, result, work->result_bytes);
	else if (head->skipped == 0)
		work->pack(work->context, (size_t)head->item, pack);
	head->bytes = pack->bytes;
}

/* Sends a result, which is packed, and keeps it for this rank.  What is not a
   result but a change of the context needs not be kept. */
static paths_status
deal_send(const struct deal *deal, struct deal_head head,
    const struct es__pack *pack)
{
	bool keep = deal_flat(deal->work) || head.status != PATHS_OK;
	paths_status st = pack->st;

	if (st == PATHS_OK)
		st = es__stream_send(&head, sizeof(head));
	if (st == PATHS_OK)
		st = es__stream_send(pack->data, pack->bytes);
	if (!keep)
		head.bytes = 0;
	if (st == PATHS_OK)
		st = es__stream_keep(&head, sizeof(head));
	return st == PATHS_OK ?
	    es__stream_keep(pack->data, (size_t)head.bytes) :
	    st;
}

/* Takes the next item of this rank; false: there is none. */
static bool
deal_take(struct deal *deal, size_t *item, size_t *turn)
{
	bool taken = false;

	pthread_mutex_lock(&deal->lock);
	while (!taken && !deal->cancelled && deal->next < deal->work->count) {
		*item = deal->next++;
		taken = deal->rank[*item] == es_job_rank();
	}
	if (taken)
		*turn = deal->begun++;
	pthread_mutex_unlock(&deal->lock);
	return taken;
}

/* Sends a result when those of the items before it were sent. */
static void
deal_finish(struct deal *deal, size_t turn, const struct deal_head *head,
    const struct es__pack *pack)
{
	paths_status st;

	pthread_mutex_lock(&deal->lock);
	while (deal->sent < turn)
		pthread_cond_wait(&deal->moved, &deal->lock);
	/* Only this thread may send now, so the lock is not needed for it. */
	pthread_mutex_unlock(&deal->lock);
	st = deal_send(deal, *head, pack);
	/* The other ranks would wait for it. */
	if (st != PATHS_OK)
		es__stream_fail(st, paths_log_last());
	pthread_mutex_lock(&deal->lock);
	deal->sent++;
	if (head->status != PATHS_OK)
		deal->failed = true;
	pthread_cond_broadcast(&deal->moved);
	pthread_mutex_unlock(&deal->lock);
}

static void
deal_item(struct deal *deal, size_t item, size_t turn, void *result)
{
	const struct es__work *work = deal->work;
	struct deal_head head = { .item = item };
	struct es__pack pack = { .st = PATHS_OK };

	pthread_mutex_lock(&deal->lock);
	head.skipped = deal->failed;
	pthread_mutex_unlock(&deal->lock);
	if (head.skipped == 0) {
		/* A part that work leaves alone is the same everywhere. */
		memset(result, 0, work->result_bytes);
		head.status = work->work(work->context, item, result);
	}
	deal_pack(deal, &head, result, &pack);
	deal_finish(deal, turn, &head, &pack);
	es__pack_fini(&pack);
}

static void *
deal_thread(void *argument)
{
	struct deal *deal = argument;
	void *result = malloc(deal->work->result_bytes + 1);
	size_t item, turn;

	if (result == NULL)
		es__stream_fail(PATHS_ENOMEM, "no memory for results");
	while (result != NULL) {
		es__stream_wait_room(DEAL_HELD_BYTES);
		if (!deal_take(deal, &item, &turn))
			break;
		deal_item(deal, item, turn, result);
	}
	free(result);
	return NULL;
}

/* Takes the bytes of a result. */
static paths_status
deal_unpack(const struct deal *deal, uint32_t rank,
    const struct deal_head *head, void *result)
{
	const struct es__work *work = deal->work;
	struct es__pack pack = { .bytes = head->bytes };
	paths_status st;

	pack.data = malloc(head->bytes + 1);
	if (pack.data == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a result of another rank");
	st = es__stream_receive(rank, pack.data, head->bytes);
	pack.data[head->bytes] = '\0';
	if (st == PATHS_OK && head->status != PATHS_OK)
		st = paths_log_fail(head->status, "%s", (char *)pack.data);
	else if (st == PATHS_OK && deal_flat(work))
		es__pack_get_sparse(&pack, result, work->result_bytes);
	else if (st == PATHS_OK && rank != es_job_rank())
		work->unpack(work->context, (size_t)head->item, &pack);
	if (st == PATHS_OK)
		st = pack.st;
	es__pack_fini(&pack);
	return st;
}

/* Takes the next result, and finishes its item unless an earlier one has
   failed. */
static paths_status
deal_next(const struct deal *deal, size_t item, void *result,
    paths_status before)
{
	const struct es__work *work = deal->work;
	uint32_t rank = deal->rank[item];
	struct deal_head head;
	paths_status st = es__stream_receive(rank, &head, sizeof(head));

	if (st == PATHS_OK && head.item != item)
		st = paths_log_fail(PATHS_EDAMAGED,
		    "the ranks of the job do not compute the same");
	if (st == PATHS_OK && head.skipped == 0)
		st = deal_unpack(deal, rank, &head, result);
	if (st == PATHS_OK && before == PATHS_OK && work->done != NULL)
		st = work->done(work->context, item, result);
	return st;
}

/* Takes all results.  After a failure of an item the rest is taken too, so that
   the streams of all ranks agree. */
static paths_status
deal_lead(struct deal *deal)
{
	void *result = malloc(deal->work->result_bytes + 1);
	char why[PATHS_LOG_BYTES] = "no memory for results";
	paths_status st = result == NULL ? PATHS_ENOMEM : PATHS_OK, next;

	for (size_t n = 0; result != NULL && n < deal->work->count; n++) {
		next = deal_next(deal, n, result, st);
		if (st == PATHS_OK && next != PATHS_OK) {
			st = next;
			strncpy(why, paths_log_last(), sizeof(why) - 1);
		}
	}
	free(result);
	return st == PATHS_OK ? st : paths_log_fail(st, "%s", why);
}

static paths_status
deal_run(struct deal *deal, unsigned threads)
{
	pthread_t *thread = calloc(threads, sizeof(*thread));
	unsigned started = 0;
	paths_status st;

	while (thread != NULL && started < threads &&
	    pthread_create(&thread[started], NULL, deal_thread, deal) == 0)
		started++;
	st = started == 0 ? paths_log_fail(PATHS_ENOMEM, "no thread for work") :
			    deal_lead(deal);
	pthread_mutex_lock(&deal->lock);
	deal->cancelled = true;
	pthread_mutex_unlock(&deal->lock);
	for (unsigned t = 0; t < started; t++)
		pthread_join(thread[t], NULL);
	free(thread);
	return st;
}

paths_status
es__work_deal(const struct es__work *work, unsigned threads)
{
	struct deal deal = { .work = work,
		.rank = malloc((work->count + 1) * sizeof(uint32_t)) };
	paths_status st;

	if (deal.rank == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for work");
	for (size_t n = 0; n < work->count; n++)
		deal.rank[n] = deal_rank(work, n);
	pthread_mutex_init(&deal.lock, NULL);
	pthread_cond_init(&deal.moved, NULL);
	st = deal_run(&deal, threads);
	pthread_cond_destroy(&deal.moved);
	pthread_mutex_destroy(&deal.lock);
	free(deal.rank);
	return st;
}
