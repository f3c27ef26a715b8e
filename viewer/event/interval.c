/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/interval.c - the operations of a time interval, added up
 *
 * The work is divided into slices, each of a thread and a part of the interval.
 * Workers take the next slice and add to sums of their own, which are merged at
 * the end.  Only reading the waits of a slice from view.db is serialised.
 */

#include "viewer/event/interval.h"

#include "viewer/event/interval_slice.h"

#include "scopes/mpi.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Operations of a slice, about: they take some milliseconds. */
#define SLICE (UINT64_C(1) << 17)
#define WORKERS 64u

struct esv_interval_work {
	struct esv_interval interval;
	struct esv_model *model;
	struct esv__interval_slice *slices;
	size_t slice_count, slice_room;
	atomic_size_t next;	 /* slice that no worker has taken */
	struct timespec until;	 /* of this call; 0: no limit */
	pthread_mutex_t reading; /* held while view.db is read */
	paths_status status;	 /* guarded by `reading` */
	char *why;		 /* guarded by `reading` */
	uint32_t worker_count;
	struct esv__interval_sums sums[WORKERS];
	struct esv_interval_cell *cells; /* of the interval, once merged */
	struct esv_interval_pair *pairs;
	struct esv_interval_blame *blames;
	bool merged;
};

static void
work_close(struct esv_interval_work *work)
{
	for (uint32_t n = 0; n < work->worker_count; n++)
		esv__interval_sums_fini(&work->sums[n]);
	(void)pthread_mutex_destroy(&work->reading);
	free(work->slices);
	free(work->why);
	free(work->cells);
	free(work->pairs);
	free(work->blames);
	free(work);
}

static int64_t
time_within(int64_t ns, const int64_t interval_ns[2])
{
	if (ns < interval_ns[0])
		return interval_ns[0];
	return ns < interval_ns[1] ? ns : interval_ns[1];
}

/* Extends the time in which a thread is active by that of a collector. */
static void
active_extend(const struct esv_model *model, const struct esv__ops *ops,
    int64_t active_ns[2])
{
	uint64_t count = ops->collector->count;
	int64_t stop_ns;

	if (count == 0)
		return;
	stop_ns = es_operation_is_inside(ops->collector, count - 1) ?
	    model->span_ns :
	    esv__ops_stop(ops, count - 1);
	if (esv__ops_start(ops, 0) < active_ns[0])
		active_ns[0] = esv__ops_start(ops, 0);
	if (stop_ns > active_ns[1])
		active_ns[1] = stop_ns;
}

/* Returns the number of operations of a thread in an interval, and the time in
   which it is active. */
static uint64_t
thread_count(const struct esv_model *model, uint32_t thread,
    const int64_t interval_ns[2], int64_t active_ns[2])
{
	const uint32_t *head, *end;
	struct esv__ops ops;
	uint64_t count = 0;

	active_ns[0] = INT64_MAX;
	active_ns[1] = INT64_MIN;
	esv__ops_heads(model, thread, &head, &end);
	for (; head < end; head++) {
		if (!esv__ops_open(model, *head, &ops))
			continue;
		count += esv__ops_seek(&ops, interval_ns[1]) -
		    esv__ops_seek(&ops, interval_ns[0]);
		active_extend(model, &ops, active_ns);
		if (ops.calls) {
			active_ns[0] = model->from_ns;
			active_ns[1] = model->to_ns;
		}
	}
	return count;
}

/* Divides the time of a thread into slices. */
static paths_status
work_divide(struct esv_interval_work *work, uint32_t thread)
{
	int64_t from = work->interval.t0_ns, to = work->interval.t1_ns;
	int64_t active_ns[2];
	uint64_t pieces = thread_count(work->model, thread,
			      (int64_t[]){ from, to }, active_ns) /
		SLICE +
	    1;
	int64_t length = (to - from) / (int64_t)pieces + 1;

	for (; from < to; from += length) {
		struct esv__interval_slice slice = { .thread = thread,
			.from_ns = from,
			.to_ns = to - from > length ? from + length : to };
		const int64_t within[2] = { slice.from_ns, slice.to_ns };

		slice.active_ns[0] = time_within(active_ns[0], within);
		slice.active_ns[1] = time_within(active_ns[1], within);
		if (slice.active_ns[1] < slice.active_ns[0])
			slice.active_ns[1] = slice.active_ns[0];

		if (!paths__array_grow(&work->slices, work->slice_count,
			&work->slice_room, sizeof(*work->slices)))
			return PATHS_ENOMEM;
		work->slices[work->slice_count++] = slice;
	}
	return PATHS_OK;
}

static paths_status
work_open(struct esv_model *model, const int64_t ns[2],
    struct esv_interval_work **opened)
{
	struct esv_interval_work *work = calloc(1, sizeof(*work));
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	paths_status st = work == NULL ? PATHS_ENOMEM : PATHS_OK;
	size_t workers;

	if (st != PATHS_OK)
		return paths_log_fail(st, "an interval");
	work->model = model;
	work->interval.t0_ns = ns[0];
	work->interval.t1_ns = ns[1];
	work->interval.waits = model->waits;
	(void)pthread_mutex_init(&work->reading, NULL);
	for (uint32_t t = 0; st == PATHS_OK && t < model->thread_count; t++)
		st = work_divide(work, t);
	workers = cores < 1 ? 1 : (size_t)cores;
	workers = workers < WORKERS ? workers : WORKERS;
	if (workers > work->slice_count)
		workers = work->slice_count > 0 ? work->slice_count : 1;
	for (size_t n = 0; st == PATHS_OK && n < workers; n++) {
		work->sums[n].threads = calloc((size_t)model->thread_count + 1,
		    sizeof(*work->sums[n].threads));
		if (work->sums[n].threads == NULL)
			st = PATHS_ENOMEM;
		work->worker_count++;
	}
	if (st == PATHS_OK) {
		*opened = work;
		return PATHS_OK;
	}
	work_close(work);
	return paths_log_fail(st, "an interval");
}

/* Keeps the first failure, whose text is that of the thread which failed. */
static void
work_fail(struct esv_interval_work *work, paths_status st, const char *why)
{
	if (work->status == PATHS_OK) {
		work->status = st;
		work->why = strdup(why);
	}
}

/* Reads the waits of a slice.  Returns false after a failure. */
static bool
work_waits(struct esv_interval_work *work,
    const struct esv__interval_slice *slice, struct esv__spans *spans)
{
	bool fine;

	(void)pthread_mutex_lock(&work->reading);
	if (work->status == PATHS_OK) {
		paths_status st = esv__spans_read(work->model, slice->thread,
		    slice->from_ns, slice->to_ns, spans);

		if (st != PATHS_OK)
			work_fail(work, st, paths_log_last());
	}
	fine = work->status == PATHS_OK;
	(void)pthread_mutex_unlock(&work->reading);
	return fine;
}

static bool
work_late(const struct esv_interval_work *work)
{
	struct timespec now;

	if (work->until.tv_sec == 0)
		return false;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > work->until.tv_sec ||
	    (now.tv_sec == work->until.tv_sec &&
		now.tv_nsec >= work->until.tv_nsec);
}

struct worker {
	struct esv_interval_work *work;
	struct esv__interval_sums *sums;
	pthread_t thread;
	bool started;
};

/* Adds slices until none is left or the time is up; at least one, so that each
   call comes nearer to the end. */
static void *
worker_run(void *self)
{
	struct worker *worker = self;
	struct esv_interval_work *work = worker->work;

	do {
		/* Relaxed: slices do not change, and joining orders sums. */
		size_t n = atomic_fetch_add_explicit(&work->next, 1,
		    memory_order_relaxed);

		if (n >= work->slice_count ||
		    !work_waits(work, &work->slices[n], &worker->sums->spans))
			break;
		if (!esv__interval_slice_add(work->model, &work->slices[n],
			worker->sums)) {
			(void)pthread_mutex_lock(&work->reading);
			work_fail(work, PATHS_ENOMEM, "an interval");
			(void)pthread_mutex_unlock(&work->reading);
		}
	} while (!work_late(work));
	return NULL;
}

static void
work_go(struct esv_interval_work *work, uint64_t budget_ns)
{
	struct worker workers[WORKERS];

	work->until = (struct timespec){ 0 };
	if (budget_ns > 0) {
		(void)clock_gettime(CLOCK_MONOTONIC, &work->until);
		budget_ns += (uint64_t)work->until.tv_nsec;
		work->until.tv_sec += (time_t)(budget_ns / 1000000000);
		work->until.tv_nsec = (long)(budget_ns % 1000000000);
	}
	for (uint32_t n = work->worker_count; n-- > 0;) {
		workers[n] =
		    (struct worker){ .work = work, .sums = &work->sums[n] };
		/* Without further threads, this one does all the work. */
		if (n > 0)
			workers[n].started =
			    pthread_create(&workers[n].thread, NULL, worker_run,
				&workers[n]) == 0;
	}
	(void)worker_run(&workers[0]);
	for (uint32_t n = 1; n < work->worker_count; n++)
		if (workers[n].started)
			(void)pthread_join(workers[n].thread, NULL);
}

static int
cell_order(const void *a, const void *b)
{
	const struct esv_interval_cell *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->mpi != y->mpi || x->op != y->op)
		return x->mpi * 0x10000u + x->op < y->mpi * 0x10000u + y->op ?
		    -1 :
		    1;
	return (x->site > y->site) - (x->site < y->site);
}

static int
pair_order(const void *a, const void *b)
{
	const struct esv_interval_pair *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return (x->target > y->target) - (x->target < y->target);
}

/* Sorts the cells, and adds those of the same thread, kind and site. */
static void
cells_fold(struct esv_interval *interval, struct esv_interval_cell *cells)
{
	size_t kept = 0;

	qsort(cells, interval->cell_count, sizeof(*cells), cell_order);
	for (size_t n = 0; n < interval->cell_count; n++) {
		struct esv_interval_cell *to = &cells[kept - (kept > 0)];

		if (kept == 0 || cell_order(to, &cells[n]) != 0) {
			cells[kept++] = cells[n];
			continue;
		}
		to->calls += cells[n].calls;
		to->bytes += cells[n].bytes;
		to->time_ns += cells[n].time_ns;
		to->wait_ns += cells[n].wait_ns;
		if (cells[n].longest_ns > to->longest_ns)
			to->longest_ns = cells[n].longest_ns;
	}
	interval->cells = cells;
	interval->cell_count = kept;
}

static void
pairs_fold(struct esv_interval *interval, struct esv_interval_pair *pairs)
{
	size_t kept = 0;

	qsort(pairs, interval->pair_count, sizeof(*pairs), pair_order);
	for (size_t n = 0; n < interval->pair_count; n++) {
		struct esv_interval_pair *to = &pairs[kept - (kept > 0)];

		if (kept == 0 || pair_order(to, &pairs[n]) != 0) {
			pairs[kept++] = pairs[n];
			continue;
		}
		to->messages += pairs[n].messages;
		to->bytes += pairs[n].bytes;
	}
	interval->pairs = pairs;
	interval->pair_count = kept;
}

static int
blame_order(const void *a, const void *b)
{
	const struct esv_interval_blame *x = a, *y = b;

	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	if (x->culprit != y->culprit)
		return x->culprit < y->culprit ? -1 : 1;
	return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

static void
blames_fold(struct esv_interval *interval, struct esv_interval_blame *blames)
{
	size_t kept = 0;

	qsort(blames, interval->blame_count, sizeof(*blames), blame_order);
	for (size_t n = 0; n < interval->blame_count; n++) {
		struct esv_interval_blame *to = &blames[kept - (kept > 0)];

		if (kept == 0 || blame_order(to, &blames[n]) != 0) {
			blames[kept++] = blames[n];
			continue;
		}
		to->waits += blames[n].waits;
		to->wait_ns += blames[n].wait_ns;
	}
	interval->blames = blames;
	interval->blame_count = kept;
}

static void
merge_blames(struct esv_interval_work *work,
    const struct esv__interval_sums *sums)
{
	for (size_t n = 0; n < sums->blames.room; n++) {
		const struct esv__interval_waited *waited =
		    paths__hash_at(&sums->blames, &esv__interval_blames, n);

		if (waited->used)
			work->blames[work->interval.blame_count++] =
			    waited->blame;
	}
}

/* Takes the cells and pairs of a worker, with numbers of the run. */
static void
merge_items(struct esv_interval_work *work,
    const struct esv__interval_sums *sums)
{
	const struct es_mpi *mpi = es_run_mpi(work->model->run);
	const struct paths_map *map = es_run_map(work->model->run);
	struct esv_interval *interval = &work->interval;

	for (size_t n = 0; n < sums->cells.room; n++) {
		const struct esv__interval_item *item =
		    paths__hash_at(&sums->cells, &esv__interval_cells, n);
		struct esv_interval_cell *to;

		if (!item->used)
			continue;
		to = &work->cells[interval->cell_count++];
		*to = item->cell;
		if (to->site != 0 && mpi != NULL)
			to->site = es_mpi_find_site(mpi,
			    map->threads[to->thread].process, to->site);
		if (to->site == PATHS_NONE)
			to->site = 0;
	}
	for (size_t n = 0; n < sums->pairs.room; n++) {
		const struct esv__interval_sent *sent =
		    paths__hash_at(&sums->pairs, &esv__interval_pairs, n);
		int32_t peer = -1;

		if (sent->used && mpi != NULL)
			peer = es_mpi_find_peer(mpi, sent->pair.source,
			    (int32_t)sent->pair.target);
		if (peer < 0)
			continue;
		work->pairs[interval->pair_count] = sent->pair;
		work->pairs[interval->pair_count++].target = (uint32_t)peer;
	}
}

/* Merges the sums of all workers into those of the first one. */
static paths_status
work_merge(struct esv_interval_work *work)
{
	struct esv_interval *interval = &work->interval;
	struct esv_interval_thread *threads = work->sums[0].threads;
	size_t cells = 1, pairs = 1, blames = 1;

	for (uint32_t n = 0; n < work->worker_count; n++) {
		cells += work->sums[n].cells.count;
		pairs += work->sums[n].pairs.count;
		blames += work->sums[n].blames.count;
	}
	work->cells = calloc(cells, sizeof(*work->cells));
	work->pairs = calloc(pairs, sizeof(*work->pairs));
	work->blames = calloc(blames, sizeof(*work->blames));
	if (work->cells == NULL || work->pairs == NULL || work->blames == NULL)
		return paths_log_fail(PATHS_ENOMEM, "an interval");
	for (uint32_t n = 0; n < work->worker_count; n++) {
		const struct esv__interval_sums *sums = &work->sums[n];

		merge_items(work, sums);
		merge_blames(work, sums);
		for (uint32_t b = 0; b < ESV_INTERVAL_BINS; b++)
			interval->bins[b] += sums->bins[b];
		for (uint32_t t = 0; n > 0 && t < work->model->thread_count;
		     t++) {
			threads[t].calls += sums->threads[t].calls;
			threads[t].active_ns += sums->threads[t].active_ns;
			threads[t].busy_ns += sums->threads[t].busy_ns;
			threads[t].wait_ns += sums->threads[t].wait_ns;
		}
	}
	cells_fold(interval, work->cells);
	pairs_fold(interval, work->pairs);
	blames_fold(interval, work->blames);
	interval->threads = threads;
	work->merged = true;
	return PATHS_OK;
}

/* Finds the work on an interval, or begins it. */
static paths_status
interval_find(struct esv_model *model, const int64_t ns[2],
    struct esv_interval_work **work)
{
	paths_status st = esv__ops_check(model);

	*work = model->interval;
	if (st != PATHS_OK ||
	    (*work != NULL && (*work)->interval.t0_ns == ns[0] &&
		(*work)->interval.t1_ns == ns[1] &&
		(*work)->status == PATHS_OK))
		return st;
	if (ns[1] <= ns[0] || ns[0] < -(INT64_C(1) << 60) ||
	    ns[1] > INT64_C(1) << 60)
		return paths_log_fail(PATHS_EINVAL,
		    "the interval is empty, or over 2^60 ns");
	if (*work != NULL)
		work_close(*work);
	model->interval = NULL;
	st = work_open(model, ns, work);
	if (st == PATHS_OK) {
		model->interval = *work;
		model->interval_close = work_close;
	}
	return st;
}

paths_status
esv_interval_get(struct esv_model *model, const int64_t interval_ns[2],
    uint64_t budget_ns, double *done, const struct esv_interval **interval)
{
	struct esv_interval_work *work;
	paths_status st = interval_find(model, interval_ns, &work);
	size_t next;

	if (st != PATHS_OK)
		return st;
	if (!work->merged)
		work_go(work, budget_ns);
	if (work->status != PATHS_OK)
		return paths_log_fail(work->status, "%s",
		    work->why == NULL ? "an interval" : work->why);
	/* Relaxed: the workers have ended. */
	next = atomic_load_explicit(&work->next, memory_order_relaxed);
	if (!work->merged && next >= work->slice_count)
		st = work_merge(work);
	if (st != PATHS_OK)
		return st;
	if (done != NULL)
		*done = work->merged ?
		    1 :
		    (double)next / (double)(work->slice_count + 1);
	*interval = work->merged ? &work->interval : NULL;
	return PATHS_OK;
}
