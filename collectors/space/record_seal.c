/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_seal.c - a thread that adds checksums to the spaces
 * of this process, and provides the memory of rings that grow
 *
 * The process has one such thread while it has open records.  It adds checksums
 * to each ring and log ten times a second, so that a killed process leaves few
 * tuples without one.  It looks at the rings that can grow 60 times a second,
 * and up to a thousand times while they do.  Recording threads never wait for
 * it.
 */

#include "collectors/space/record_seal_private.h"

#include "collectors/space/chunk_private.h"
#include "collectors/space/record_ahead_private.h"
#include "collectors/space/record_part_private.h"
#include "collectors/space/seal_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SEAL_PERIOD_NS UINT64_C(100000000)
/* Between two looks at rings that grow. */
#define SEAL_AHEAD_LEAST_NS UINT64_C(1000000)
#define SEAL_AHEAD_MOST_NS UINT64_C(16000000)
#define SEAL_STACK_BYTES ((size_t)256 << 10)

struct seal_thread {
	pthread_t id;
	pthread_cond_t wake;
	bool stop; /* under seal_lock */
};

static pthread_mutex_t seal_lock = PTHREAD_MUTEX_INITIALIZER;

/* Under seal_lock. */
static struct es_record *seal_records;
static struct seal_thread *seal_thread; /* NULL: there is none */
static bool seal_registered;

static struct es_space_live *
seal_live(const struct es_record *r)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;

	return (struct es_space_live *)(r->base + h->live_offset);
}

/* Returns the part that was added last; the others are its predecessors. */
static struct es__record_added *
seal_added(struct es_record *r)
{
	struct es__record_added *added;

	pthread_mutex_lock(&r->adding);
	added = r->added;
	pthread_mutex_unlock(&r->adding);
	return added;
}

/* Adds the checksum of the rows that a part has now. */
static void
seal_rows(struct es_space_part *part)
{
	/* Acquire: the rows below this count are complete. */
	uint64_t used = atomic_load_explicit(&part->used, memory_order_acquire);

	/* Relaxed: readers check it against the rows. */
	atomic_store_explicit(&part->sealed, es__seal_rows(part, used),
	    memory_order_relaxed);
}

/* As seal_rows, for rows that never change: only if there are new ones. */
static void
seal_log(struct es_space_part *part)
{
	/* Relaxed: see seal_rows; this thread alone writes `sealed`. */
	uint64_t used = atomic_load_explicit(&part->used, memory_order_relaxed);
	uint64_t sealed =
	    atomic_load_explicit(&part->sealed, memory_order_relaxed);

	if (used != sealed >> 32)
		seal_rows(part);
}

/* Adds the checksum of the counts of a collector. */
static void
seal_hot(struct es_space_hot *hot)
{
	/* Relaxed: readers need them once `sealed` of the live part is set.
	   Whatever is recorded from here on increases the sum. */
	atomic_store_explicit(&hot->sealed,
	    atomic_load_explicit(&hot->completed, memory_order_relaxed) +
		atomic_load_explicit(&hot->reserved, memory_order_relaxed),
	    memory_order_relaxed);
	atomic_store_explicit(&hot->checksum, es__seal_hot(hot),
	    memory_order_relaxed);
}

/* Adds the checksums of the counts and rows of a collector of the spec. */
static void
seal_collector(const struct es_record *r, uint32_t n)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;
	const struct es_space_ring *place =
	    (const struct es_space_ring *)(r->base + h->collectors_offset) + n;
	struct es_space_hot *hot = r->chunks[n].hot;

	/* Relaxed, as in seal_hot. */
	atomic_store_explicit(&hot->rows_checksum,
	    es__seal_summary(place, r->base + place->profile_offset,
		r->base + place->matrix_offset),
	    memory_order_relaxed);
	seal_hot(hot);
}

/* Adds the checksums of the parts, from the one that was added last on. */
static void
seal_parts(struct es__record_added *last)
{
	for (struct es__record_added *a = last; a != NULL; a = a->previous) {
		if (a->part->kind == ES_PART_RING)
			seal_hot(a->chunks.hot);
		else
			seal_rows(a->part);
	}
}

/* Marks the space as sealed.  Returns false, and does nothing, if a part was
   added after `last`, because it may have no checksum. */
static bool
seal_mark(struct es_record *r, const struct es__record_added *last)
{
	struct es_space_live *live = seal_live(r);
	struct es_space_live sealed;
	bool is_last;

	pthread_mutex_lock(&r->adding);
	is_last = r->added == last;
	if (is_last) {
		memcpy(&sealed, live, sizeof(sealed));
		atomic_init(&sealed.sealed, ES_SPACE_SEALED);
		atomic_store_explicit(&live->checksum, es__seal_live(&sealed),
		    memory_order_relaxed);
		/* Release: all checksums are there. */
		atomic_store_explicit(&live->sealed, ES_SPACE_SEALED,
		    memory_order_release);
	}
	pthread_mutex_unlock(&r->adding);
	return is_last;
}

/* Adds the checksums of all that does not change after the end. */
static void
seal_end_locked(struct es_record *r)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;
	struct es__record_added *last;

	for (uint32_t i = 0; i < h->collector_count; i++)
		seal_collector(r, i);
	do {
		last = seal_added(r);
		seal_parts(last);
	} while (!seal_mark(r, last));
}

/* Adds the checksums of tuples and logs.
   close	es__chunk_close or es__chunk_finish */
static void
seal_tuples_locked(struct es_record *r, void (*close)(struct es__chunks *))
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;

	for (uint32_t i = 0; i < h->collector_count; i++)
		close(&r->chunks[i]);
	for (struct es__record_added *a = seal_added(r); a != NULL;
	     a = a->previous) {
		if (a->part->kind == ES_PART_RING)
			close(&a->chunks);
		else if (a->part->kind == ES_PART_LOG)
			seal_log(a->part);
	}
}

static enum es__ahead
seal_urgent(enum es__ahead a, enum es__ahead b)
{
	return a > b ? a : b;
}

/* Provides memory for the rings of a space that need it soon. */
static enum es__ahead
seal_ahead_locked(struct es_record *r)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;
	enum es__ahead all = ES__AHEAD_FULL;

	for (uint32_t i = 0; i < h->collector_count; i++)
		all = seal_urgent(all, es__record_ahead(r, &r->chunks[i]));
	for (struct es__record_added *a = seal_added(r); a != NULL;
	     a = a->previous) {
		if (a->part->kind == ES_PART_RING)
			all = seal_urgent(all, es__record_ahead(r, &a->chunks));
	}
	return all;
}

/* Provides memory for all rings that need it soon.  Returns the time until it
   must be called again; the last one was period_ns. */
static uint64_t
seal_ahead_all_locked(uint64_t period_ns)
{
	enum es__ahead all = ES__AHEAD_FULL;

	for (struct es_record *r = seal_records; r != NULL; r = r->next_sealed)
		all = seal_urgent(all, seal_ahead_locked(r));
	if (all == ES__AHEAD_FULL)
		return SEAL_PERIOD_NS;
	if (all == ES__AHEAD_GREW)
		return SEAL_AHEAD_LEAST_NS;
	return 2 * period_ns < SEAL_AHEAD_MOST_NS ? 2 * period_ns :
						    SEAL_AHEAD_MOST_NS;
}

static bool
seal_has_ended(const struct es_record *r)
{
	return atomic_load_explicit(&seal_live(r)->closed,
		   memory_order_acquire) == 1;
}

static void
seal_finish_locked(struct es_record *r)
{
	seal_tuples_locked(r, es__chunk_finish);
	if (seal_has_ended(r))
		seal_end_locked(r);
}

static uint64_t
seal_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Waits; returns false when the thread has to end. */
static bool
seal_wait_locked(struct seal_thread *t, uint64_t until_ns)
{
	struct timespec until = { .tv_sec = (time_t)(until_ns / 1000000000),
		.tv_nsec = (long)(until_ns % 1000000000) };

	while (!t->stop &&
	    pthread_cond_timedwait(&t->wake, &seal_lock, &until) == 0)
		;
	return !t->stop;
}

/* Adds the checksums that are due. */
static void
seal_all_locked(void)
{
	for (struct es_record *r = seal_records; r != NULL;
	     r = r->next_sealed) {
		/* Threads may record after the end. */
		if (seal_has_ended(r))
			seal_finish_locked(r);
		else
			seal_tuples_locked(r, es__chunk_close);
	}
}

static void *
seal_main(void *arg)
{
	struct seal_thread *t = arg;
	uint64_t period = SEAL_AHEAD_LEAST_NS;
	uint64_t now = seal_now_ns(), due = now + SEAL_PERIOD_NS;

	pthread_mutex_lock(&seal_lock);
	while (seal_wait_locked(t, now + period)) {
		period = seal_ahead_all_locked(period);
		now = seal_now_ns();
		if (now >= due) {
			seal_all_locked();
			due = now + SEAL_PERIOD_NS;
		}
	}
	pthread_mutex_unlock(&seal_lock);
	return NULL;
}

/* The thread takes no signal: handlers belong to the threads of the program. */
static int
seal_create(struct seal_thread *t)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int error = pthread_attr_init(&attributes);

	if (error != 0)
		return error;
	/* With the default size if this one is refused. */
	(void)pthread_attr_setstacksize(&attributes, SEAL_STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&t->id, &attributes, seal_main, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	if (error == 0)
		(void)pthread_setname_np(t->id, "space checksums");
	return error;
}

static void
seal_start_locked(void)
{
	struct seal_thread *t = calloc(1, sizeof(*t));
	pthread_condattr_t attributes;
	int error = ENOMEM;

	if (t != NULL && (error = pthread_condattr_init(&attributes)) == 0) {
		pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
		pthread_cond_init(&t->wake, &attributes);
		pthread_condattr_destroy(&attributes);
		error = seal_create(t);
	}
	if (error == 0) {
		seal_thread = t;
		return;
	}
	free(t);
	paths_log_warn("no thread for checksums: %s; tuples have none "
		       "before the recording ends",
	    strerror(error));
}

/* Forgets the spaces in a forked process, because they are those of its
   parent, which has the thread. */
static void
seal_forked(void)
{
	pthread_mutex_init(&seal_lock, NULL);
	seal_records = NULL;
	seal_thread = NULL;
}

void
es__record_seal_add(struct es_record *record)
{
	pthread_mutex_lock(&seal_lock);
	if (!seal_registered)
		seal_registered = pthread_atfork(NULL, NULL, seal_forked) == 0;
	record->next_sealed = seal_records;
	seal_records = record;
	if (seal_thread == NULL)
		seal_start_locked();
	pthread_mutex_unlock(&seal_lock);
}

/* Returns the link to a record; it is to NULL if the record is not there. */
static struct es_record **
seal_find_locked(const struct es_record *record)
{
	struct es_record **r = &seal_records;

	while (*r != NULL && *r != record)
		r = &(*r)->next_sealed;
	return r;
}

void
es__record_seal_remove(struct es_record *record)
{
	struct seal_thread *ended = NULL;
	struct es_record **r;

	pthread_mutex_lock(&seal_lock);
	r = seal_find_locked(record);
	if (*r != NULL)
		*r = record->next_sealed;
	if (seal_records == NULL && seal_thread != NULL) {
		ended = seal_thread;
		seal_thread = NULL;
		ended->stop = true;
		pthread_cond_signal(&ended->wake);
	}
	pthread_mutex_unlock(&seal_lock);
	if (ended == NULL)
		return;
	pthread_join(ended->id, NULL);
	pthread_cond_destroy(&ended->wake);
	free(ended);
}

void
es__record_seal(struct es_record *record)
{
	pthread_mutex_lock(&seal_lock);
	if (*seal_find_locked(record) != NULL)
		seal_finish_locked(record);
	pthread_mutex_unlock(&seal_lock);
}

void
es__record_seal_break(struct es_record *record)
{
	struct es_space_live *live = seal_live(record);

	pthread_mutex_lock(&seal_lock);
	/* Relaxed: later tuples are published by their own counts. */
	atomic_store_explicit(&live->sealed, 0, memory_order_relaxed);
	/* Release: pairs with the fence in live_sealed. */
	es_space_fence(memory_order_release);
	atomic_store_explicit(&live->closed, 0, memory_order_relaxed);
	pthread_mutex_unlock(&seal_lock);
}
