/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/interval_slice.c - the operations of a thread in a slice of time
 *
 * The collectors of the thread are merged in order of time, because operations
 * on several paths may overlap.  All times are cut at the ends of the slice, so
 * the sums of neighbouring slices add up to those of both.
 */

#include "viewer/event/interval_slice.h"

#include "libpaths/base/array.h"

/* A collector of the thread. */
struct esv__interval_feed {
	struct esv__ops ops;
	uint64_t n;
	int64_t start_ns, stop_ns; /* of operation n */
	bool ended;
	/* The cell that was used last: programs repeat their calls. */
	struct esv_interval_cell *last;
	uint64_t cell_count; /* of the table when `last` was found */
};

struct slice {
	const struct esv_model *model;
	const struct esv__interval_slice *of;
	struct esv__interval_sums *sums;
	struct esv_interval_thread *thread;
	size_t span;	    /* first wait that may overlap the next operation */
	int64_t busy_to_ns; /* end of the time that was counted */
};

static bool
item_used(const void *item)
{
	return ((const struct esv__interval_item *)item)->used;
}

static uint64_t
item_hash(const void *item)
{
	const struct esv_interval_cell *c =
	    &((const struct esv__interval_item *)item)->cell;
	uint64_t key = (uint64_t)c->site << 32 ^ (uint64_t)c->thread << 12 ^
	    (uint64_t)c->op << 1 ^ c->mpi;

	return key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static bool
item_equal(const void *a, const void *b)
{
	const struct esv_interval_cell *x =
	    &((const struct esv__interval_item *)a)->cell;
	const struct esv_interval_cell *y =
	    &((const struct esv__interval_item *)b)->cell;

	return x->site == y->site && x->thread == y->thread && x->op == y->op &&
	    x->mpi == y->mpi;
}

const struct paths__hash_kind esv__interval_cells = {
	sizeof(struct esv__interval_item), item_used, item_hash, item_equal
};

static bool
sent_used(const void *item)
{
	return ((const struct esv__interval_sent *)item)->used;
}

static uint64_t
sent_hash(const void *item)
{
	const struct esv_interval_pair *p =
	    &((const struct esv__interval_sent *)item)->pair;
	uint64_t key = (uint64_t)p->source << 32 | p->target;

	return key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static bool
sent_equal(const void *a, const void *b)
{
	const struct esv_interval_pair *x =
	    &((const struct esv__interval_sent *)a)->pair;
	const struct esv_interval_pair *y =
	    &((const struct esv__interval_sent *)b)->pair;

	return x->source == y->source && x->target == y->target;
}

const struct paths__hash_kind esv__interval_pairs = {
	sizeof(struct esv__interval_sent), sent_used, sent_hash, sent_equal
};

static bool
waited_used(const void *item)
{
	return ((const struct esv__interval_waited *)item)->used;
}

static uint64_t
waited_hash(const void *item)
{
	const struct esv_interval_blame *b =
	    &((const struct esv__interval_waited *)item)->blame;
	uint64_t key =
	    (uint64_t)b->waiter << 38 ^ (uint64_t)b->culprit << 6 ^ b->pattern;

	return key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static bool
waited_equal(const void *a, const void *b)
{
	const struct esv_interval_blame *x =
	    &((const struct esv__interval_waited *)a)->blame;
	const struct esv_interval_blame *y =
	    &((const struct esv__interval_waited *)b)->blame;

	return x->waiter == y->waiter && x->culprit == y->culprit &&
	    x->pattern == y->pattern;
}

const struct paths__hash_kind esv__interval_blames = {
	sizeof(struct esv__interval_waited), waited_used, waited_hash,
	waited_equal
};

/* Returns the time that two intervals share. */
static inline int64_t
shared(int64_t from, int64_t to, int64_t start, int64_t stop)
{
	int64_t left = from > start ? from : start;
	int64_t right = to < stop ? to : stop;

	return right > left ? right - left : 0;
}

/* Goes to the first operation at or after feed->n that has returned or is the
   last one of its thread. */
static void
feed_take(struct esv__interval_feed *feed, const struct slice *s)
{
	const struct es_collector *c = feed->ops.collector;

	for (; feed->n < c->count; feed->n++) {
		const struct es_operation *op = es_operation_get(c, feed->n);
		bool inside = es_operation_is_inside(c, feed->n);

		if (!esv__ops_is(&feed->ops, feed->n) ||
		    (op->stop == 0 && !inside))
			continue;
		feed->start_ns = es_time_ns(feed->ops.base, op->start);
		feed->stop_ns = inside ? s->model->span_ns :
					 es_time_ns(feed->ops.base, op->stop);
		if (feed->stop_ns >= feed->start_ns)
			break;
	}
	feed->ended = feed->n >= c->count || feed->start_ns >= s->of->to_ns;
}

/* Opens the collectors of the thread.  An operation ends before the next one of
   its collector, so only the last one before the slice can reach into it. */
static bool
slice_open(struct slice *s)
{
	struct esv__interval_sums *sums = s->sums;
	const uint32_t *head, *end;

	sums->feed_count = 0;
	esv__ops_heads(s->model, s->of->thread, &head, &end);
	for (; head < end; head++) {
		struct esv__interval_feed feed = { .ended = false };

		if (!esv__ops_open(s->model, *head, &feed.ops))
			continue;
		feed.n = esv__ops_seek(&feed.ops, s->of->from_ns);
		while (feed.n > 0 && !esv__ops_is(&feed.ops, --feed.n))
			;
		feed_take(&feed, s);
		if (!paths__array_grow(&sums->feeds, sums->feed_count,
			&sums->feed_room, sizeof(*sums->feeds)))
			return false;
		sums->feeds[sums->feed_count++] = feed;
	}
	return true;
}

/* Returns the collector whose operation starts first; NULL: there is none. */
static struct esv__interval_feed *
slice_first(const struct slice *s)
{
	struct esv__interval_feed *first = NULL;

	for (size_t n = 0; n < s->sums->feed_count; n++) {
		struct esv__interval_feed *f = &s->sums->feeds[n];

		if (!f->ended &&
		    (first == NULL || f->start_ns < first->start_ns))
			first = f;
	}
	return first;
}

/* Returns the waiting of an operation in the slice. */
static int64_t
slice_wait(struct slice *s, const struct esv__interval_feed *feed, uint32_t op)
{
	const struct esv__spans *spans = &s->sums->spans;
	int64_t wait_ns = 0;
	int64_t from =
	    feed->start_ns > s->of->from_ns ? feed->start_ns : s->of->from_ns;
	int64_t to =
	    feed->stop_ns < s->of->to_ns ? feed->stop_ns : s->of->to_ns;
	uint32_t group;

	while (s->span < spans->count && spans->list[s->span].stop_ns <= from)
		s->span++;
	if (s->span == spans->count || spans->list[s->span].start_ns >= to)
		return 0;
	/* Operations that overlap differ in their group, or share the wait. */
	group = es_operation_group(feed->ops.calls ? ES_OPERATION_MPI :
						     ES_OPERATION_PATH,
	    op);
	for (size_t n = s->span;
	     n < spans->count && spans->list[n].start_ns < to; n++)
		if (spans->list[n].group == group)
			wait_ns += shared(from, to, spans->list[n].start_ns,
			    spans->list[n].stop_ns);
	return wait_ns;
}

/* Returns the cell of an operation; NULL: no memory. */
static struct esv_interval_cell *
slice_cell(struct slice *s, struct esv__interval_feed *feed, uint32_t op,
    uint32_t site)
{
	struct esv__interval_item key = { .cell = { .thread = s->of->thread,
					      .op = op,
					      .site = site,
					      .mpi = feed->ops.calls },
		.used = true };
	struct esv__interval_item *item;
	struct esv_interval_cell *last = feed->last;

	/* A table that grew has moved its cells. */
	if (last != NULL && feed->cell_count == s->sums->cells.count &&
	    last->op == op && last->site == site)
		return last;
	item = paths__hash_put(&s->sums->cells, &esv__interval_cells, &key);
	if (item == NULL)
		return NULL;
	feed->last = &item->cell;
	feed->cell_count = s->sums->cells.count;
	return &item->cell;
}

/* Counts a call that sends a message to a rank. */
static bool
slice_sent(struct slice *s, const struct es_collector *collector,
    const struct es_tuple_mpi *tuple)
{
	const struct es_mpi_function *function = es_mpi_function(tuple->op);
	struct esv__interval_sent key = { .used = true }, *sent;

	if (tuple->peer < 0 || function == NULL ||
	    (function->flags & ES_MPI_PERSISTENT) != 0 ||
	    (function->role != ES_MPI_ROLE_SEND &&
		function->role != ES_MPI_ROLE_ISEND &&
		function->role != ES_MPI_ROLE_SENDRECV &&
		function->role != ES_MPI_ROLE_ISENDRECV))
		return true;
	key.pair.source = collector->process;
	key.pair.target = (uint32_t)tuple->peer;
	sent = paths__hash_put(&s->sums->pairs, &esv__interval_pairs, &key);
	if (sent == NULL)
		return false;
	sent->pair.messages++;
	sent->pair.bytes += tuple->bytes;
	return true;
}

/* Counts an operation that starts in the slice. */
static bool
slice_call(struct slice *s, const struct esv__interval_feed *feed,
    const struct es_operation *op, struct esv_interval_cell *cell)
{
	int64_t ns = feed->stop_ns - feed->start_ns;
	unsigned bin = ns == 0 ?
	    0 :
	    64u - (unsigned)__builtin_clzll((unsigned long long)ns);

	cell->calls++;
	s->thread->calls++;
	if (ns > cell->longest_ns)
		cell->longest_ns = ns;
	s->sums->bins[bin < ESV_INTERVAL_BINS ? bin : ESV_INTERVAL_BINS - 1]++;
	if (!feed->ops.calls) {
		cell->bytes += ((const struct es_tuple_path *)op)->bytes;
		return true;
	}
	cell->bytes += ((const struct es_tuple_mpi *)op)->bytes;
	return slice_sent(s, feed->ops.collector,
	    (const struct es_tuple_mpi *)op);
}

/* Adds the operation of a collector. */
static bool
slice_add(struct slice *s, struct esv__interval_feed *feed)
{
	const struct es_operation *op =
	    es_operation_get(feed->ops.collector, feed->n);
	uint32_t site =
	    feed->ops.calls ? ((const struct es_tuple_mpi *)op)->site : 0;
	int64_t from = s->of->from_ns, to = s->of->to_ns;
	struct esv_interval_cell *cell;

	if (feed->start_ns < from && feed->stop_ns <= from)
		return true;
	cell = slice_cell(s, feed, op->op, site);
	if (cell == NULL)
		return false;
	cell->time_ns += shared(from, to, feed->start_ns, feed->stop_ns);
	cell->wait_ns += slice_wait(s, feed, op->op);
	s->thread->busy_ns +=
	    shared(s->busy_to_ns > feed->start_ns ? s->busy_to_ns :
						    feed->start_ns,
		feed->stop_ns, s->of->active_ns[0], s->of->active_ns[1]);
	if (feed->stop_ns > s->busy_to_ns)
		s->busy_to_ns = feed->stop_ns;
	return feed->start_ns < from || slice_call(s, feed, op, cell);
}

/* Adds a wait of the thread to those for its culprit. */
static bool
slice_blame(const struct slice *s, const struct es_timeline_span *span)
{
	struct esv__interval_waited key = { .blame = { .waiter = s->of->thread,
						.culprit = span->culprit,
						.pattern = span->pattern },
		.used = true };
	int64_t ns = shared(s->of->active_ns[0], s->of->active_ns[1],
	    span->start_ns, span->stop_ns);
	struct esv__interval_waited *waited;

	if (ns == 0)
		return true;
	waited = paths__hash_put(&s->sums->blames, &esv__interval_blames, &key);
	if (waited == NULL)
		return false;
	waited->blame.waits += span->start_ns >= s->of->from_ns;
	waited->blame.wait_ns += ns;
	return true;
}

/* Adds the waits of the thread, which count once where they overlap. */
static bool
slice_waits(const struct slice *s)
{
	const struct esv__spans *spans = &s->sums->spans;
	int64_t to_ns = s->of->active_ns[0];

	s->thread->active_ns += s->of->active_ns[1] - s->of->active_ns[0];
	for (size_t n = 0; n < spans->count; n++) {
		s->thread->wait_ns += shared(to_ns, s->of->active_ns[1],
		    spans->list[n].start_ns, spans->list[n].stop_ns);
		if (spans->list[n].stop_ns > to_ns)
			to_ns = spans->list[n].stop_ns;
		if (!slice_blame(s, &spans->list[n]))
			return false;
	}
	return true;
}

bool
esv__interval_slice_add(const struct esv_model *model,
    const struct esv__interval_slice *slice, struct esv__interval_sums *sums)
{
	struct slice s = { .model = model,
		.of = slice,
		.sums = sums,
		.thread = &sums->threads[slice->thread],
		.busy_to_ns = INT64_MIN };
	struct esv__interval_feed *feed;

	if (!slice_open(&s))
		return false;
	while ((feed = slice_first(&s)) != NULL) {
		if (!slice_add(&s, feed))
			return false;
		feed->n++;
		feed_take(feed, &s);
	}
	return slice_waits(&s);
}

void
esv__interval_sums_fini(struct esv__interval_sums *sums)
{
	free(sums->cells.slots);
	free(sums->pairs.slots);
	free(sums->blames.slots);
	free(sums->threads);
	free(sums->spans.list);
	free(sums->feeds);
}
