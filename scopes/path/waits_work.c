/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_work.c - finds the waits of one operation of a tree after
 * another
 */

#include "scopes/path/waits_work_private.h"

#include "scopes/clock/doubt_private.h"
#include "scopes/path/order_private.h"
#include "scopes/path/readers_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* The last arrival at a join. */
struct arrival {
	int64_t ns;
	uint32_t culprit; /* number in the plan: the path of the operation, or
			     unknown */
	uint32_t domain;  /* the clock of ns */
	bool mixed;	  /* the arrivals are on several clocks */
};

struct waits_worker {
	const struct es_analysis *a;
	const struct es__waits_plan *plan;
	struct es__walk walk;		  /* all collectors of the plan */
	struct es__waits_moment *moments; /* of each lane */
	struct arrival *arrivals;	  /* of each join of the plan */
	struct es__order order; /* writes of the element that is read */
	struct es__order own;	/* writes of the element that is written */
	struct es__order taken; /* takes of the element that is read */
	struct es__order freed; /* takes of the element that is written */
	struct es__readers readers;
	uint32_t tag;	   /* of the tree's writes in `own` */
	uint32_t take_tag; /* of the tree's reads in `taken` */
	uint64_t reads;	   /* of the tree's last collector, so far */
	uint64_t reads_at; /* number of the tuple up to which they count */
	struct es__waits_on on;
	struct es__waits_operation *list; /* of on: one for each reader */
};

/* The end of a wait, and the thread that ended it. */
struct wait_end {
	int64_t until_ns;
	uint32_t culprit;
	int64_t doubt; /* of the wait; 0: one clock stamped it */
	bool rivals;   /* another one may have ended it */
};

static const struct wait_end no_wait = { INT64_MIN, 0, 0, false };

static void
worker_arrive(struct waits_worker *w, uint32_t n)
{
	const struct es__waits_join *join = &w->plan->joins.joins[n];
	struct arrival *last = &w->arrivals[n];

	*last = (struct arrival){ .ns = INT64_MIN };
	for (uint32_t i = 0; i < join->join->input_count; i++) {
		const struct es__waits_origin *from = &join->origins[i];
		int64_t ns = w->moments[from->lane].start_ns;
		uint32_t domain = w->walk.lanes[from->lane].domain;
		bool mixed = i > 0 && (last->mixed || domain != last->domain);

		/* At a tie the higher input counts as later. */
		if (ns >= last->ns)
			*last = (struct arrival){ ns,
				from->join == PATHS_NONE ?
				    from->path :
				    w->arrivals[from->join].culprit,
				domain, mixed };
		last->mixed = mixed;
	}
}

/* Finds the doubt between a slot and the arrivals at a join, and if another one
   than the last may have been the last. */
static void
worker_join_doubt(const struct waits_worker *w, uint32_t n, uint32_t slot,
    struct wait_end *end)
{
	const struct es__waits_join *join = &w->plan->joins.joins[n];
	const struct arrival *last = &w->arrivals[n];
	uint32_t own = w->walk.lanes[slot].domain;

	for (uint32_t i = 0; i < join->join->input_count; i++) {
		uint32_t lane = join->origins[i].lane;
		uint32_t domain = w->walk.lanes[lane].domain;
		int64_t ns = w->moments[lane].start_ns;

		end->doubt = es__doubt_most(end->doubt,
		    es__clock_doubt_between(w->a, own, domain,
			w->moments[slot].start_ns, ns));
		if (domain != last->domain &&
		    last->ns - ns <= es__clock_doubt_between(w->a, domain,
					 last->domain, ns, last->ns))
			end->rivals = true;
	}
}

static struct wait_end
worker_join_wait(const struct waits_worker *w, uint32_t slot, uint32_t join)
{
	const struct es__stage_graph *f = &w->a->graph;
	uint32_t n = w->plan->joins.own[f->joins[f->join_of[join]].slot];
	const struct arrival *last = &w->arrivals[n];
	struct wait_end end = { last->ns, last->culprit, 0, false };

	if (last->mixed || w->walk.lanes[slot].domain != last->domain)
		worker_join_doubt(w, n, slot, &end);
	return end;
}

/* Returns the doubt between an operation and that of a collector at a time. */
static int64_t
worker_doubt(const struct waits_worker *w, const struct es__lane *lane,
    uint32_t collector, int64_t ns)
{
	uint32_t domain =
	    w->a->clocks.domain_of[w->a->run->collectors[collector].process];

	return es__clock_doubt_between(w->a, lane->domain, domain, ns, ns);
}

/* Returns the number of reads of its collector before the current one. */
static uint64_t
worker_own_reads(struct waits_worker *w, const struct es__lane *lane)
{
	if (es__overview_is_pure(&w->a->overviews[w->plan->tree->last]))
		return lane->seq;
	for (; w->reads_at < lane->at; w->reads_at++) {
		const struct es_tuple_path *tuple =
		    es__path_tuple(lane->collector, w->reads_at);

		w->reads += es__tuple_ok(tuple) && tuple->op == PATHS_READ;
	}
	return w->reads;
}

/* Returns true if the plan's element is shared by readers that take tuples. */
static bool
worker_is_taken(const struct waits_worker *w)
{
	return w->plan->readers > 1 &&
	    es__order_is_taken(w->a, w->plan->element);
}

/* Finds the number of the tuple that is read; false: it is not certain. */
static bool
worker_read_index(struct waits_worker *w, const struct es__lane *lane,
    uint64_t *index)
{
	if (!worker_is_taken(w)) {
		*index = worker_own_reads(w, lane);
		return true;
	}
	if (!es__order_number(&w->taken, w->take_tag, lane->at))
		return false;
	*index = w->taken.index;
	return true;
}

/* Notes that the operation waits for that of a lane. */
static void
worker_on(struct waits_worker *w, const struct es__lane *lane)
{
	w->list[w->on.count++] = (struct es__waits_operation){
		.collector =
		    (uint32_t)(lane->collector - w->a->run->collectors),
		.at = lane->at
	};
	w->on.unknown = false;
}

static struct wait_end
worker_read_wait(struct waits_worker *w, const struct es__lane *lane)
{
	const struct es__feed *written;
	uint64_t index;

	w->on.unknown = true;
	if (!worker_read_index(w, lane, &index))
		return no_wait;
	w->on.numbered = true;
	w->on.index = index;
	written = es__order_find(&w->order, index);
	if (written == NULL)
		return no_wait;
	worker_on(w, &written->lane);
	return (struct wait_end){ written->key,
		es__waits_plan_unknown(w->plan) + 1 + written->tag,
		worker_doubt(w, lane,
		    es__order_writer(w->a, w->plan->element, written->tag),
		    written->key),
		false };
}

/* Returns the reader that freed the place of a tuple, and the time. */
static uint32_t
worker_freed(struct waits_worker *w, uint64_t index, int64_t *ns)
{
	const struct es__feed *take;
	uint32_t last;

	if (!worker_is_taken(w)) {
		last = es__readers_find(&w->readers, index, ns);
		for (uint32_t n = 0; last != PATHS_NONE && n < w->readers.count;
		     n++)
			worker_on(w, &w->readers.readers[n].lane);
		return last;
	}
	take = es__order_find(&w->freed, index);
	if (take == NULL)
		return PATHS_NONE;
	worker_on(w, &take->lane);
	*ns = take->key;
	return take->tag;
}

/* A full element takes tuple k when all readers, or one of them with -take one,
   have read tuple k - keep. */
static struct wait_end
worker_write_wait(struct waits_worker *w, const struct es__lane *lane)
{
	uint64_t keep = w->a->map->elements[w->plan->element].keep;
	int64_t read_ns;
	uint32_t reader;

	w->on.unknown = true;
	if (!es__order_number(&w->own, w->tag, lane->at))
		return no_wait;
	w->on.numbered = true;
	w->on.index = w->own.index;
	w->on.unknown = w->own.index >= keep;
	if (w->own.index < keep)
		return no_wait;
	reader = worker_freed(w, w->own.index - keep, &read_ns);
	if (reader == PATHS_NONE)
		return no_wait;
	return (struct wait_end){ read_ns,
		es__waits_plan_unknown(w->plan) + 1 + w->plan->writers + reader,
		worker_doubt(w, lane,
		    es__order_reader(w->a, w->plan->element, reader), read_ns),
		false };
}

static struct wait_end
worker_element_wait(struct waits_worker *w, const struct es__lane *lane)
{
	if (lane->tuple->op == PATHS_READ && w->plan->reads)
		return worker_read_wait(w, lane);
	if ((lane->tuple->op == PATHS_WRITE ||
		lane->tuple->op == PATHS_EXCHANGE) &&
	    w->plan->writes_wait)
		return worker_write_wait(w, lane);
	return no_wait;
}

/* Finds how long the operation waited at a slot, of its own time there. */
static void
worker_wait(struct waits_worker *w, uint32_t slot, uint32_t join)
{
	struct es__waits_moment *moment = &w->moments[slot];
	int64_t start = moment->start_ns, ns = moment->own_ns;
	struct wait_end wait = join != PATHS_NONE ?
	    worker_join_wait(w, slot, join) :
	    worker_element_wait(w, &w->walk.lanes[slot]);
	struct es__doubted doubted;

	if (wait.until_ns <= start || ns <= 0)
		return;
	/* Errors of clocks must not make a wait longer than the operation. */
	moment->wait_ns =
	    wait.until_ns - start < ns ? wait.until_ns - start : ns;
	moment->culprit = wait.culprit;
	doubted = es__doubted(moment->wait_ns, ns, wait.doubt);
	moment->bound_ns = doubted.bound_ns;
	moment->undecided = doubted.undecided || wait.rivals;
}

static int64_t
worker_duration(const struct waits_worker *w, uint32_t slot)
{
	return w->moments[slot].stop_ns - w->moments[slot].start_ns;
}

static void
worker_split(struct waits_worker *w, uint32_t slot)
{
	uint32_t collector = w->plan->tree->collectors.ids[slot];
	const struct es__segment *s = &w->a->graph.segments[collector];
	struct es__waits_moment *moment = &w->moments[slot];

	moment->own_ns = worker_duration(w, slot);
	if (s->below != PATHS_NONE)
		moment->own_ns -=
		    worker_duration(w, w->a->graph.segments[s->below].slot);
	if (w->plan->blame_of[slot] != PATHS_NONE)
		worker_wait(w, slot, s->join);
}

/* Prepares to match the reads of the tree with writes. */
static paths_status
worker_open_reads(struct waits_worker *w)
{
	uint32_t element = w->plan->element;
	paths_status st =
	    es__order_open(&w->order, w->a, element, ES__ORDER_WRITES);

	if (st != PATHS_OK || !worker_is_taken(w))
		return st;
	while (
	    es__order_reader(w->a, element, w->take_tag) != w->plan->tree->last)
		w->take_tag++;
	return es__order_open(&w->taken, w->a, element, ES__ORDER_TAKES);
}

/* Prepares to match the writes of the tree with reads. */
static paths_status
worker_open_writes(struct waits_worker *w)
{
	uint32_t element = w->plan->element;
	paths_status st =
	    es__order_open(&w->own, w->a, element, ES__ORDER_WRITES);

	while (es__order_writer(w->a, element, w->tag) != w->plan->tree->last)
		w->tag++;
	if (st != PATHS_OK)
		return st;
	return worker_is_taken(w) ?
	    es__order_open(&w->freed, w->a, element, ES__ORDER_TAKES) :
	    es__readers_open(&w->readers, w->a, element);
}

/* Adds the operation at a slot to sums. */
static void
worker_add(const struct es__waits_plan *plan,
    const struct es__waits_moment *moment, uint32_t slot, int64_t *sums)
{
	int64_t *cost = es__waits_plan_cost(sums, slot);

	cost[0] += moment->own_ns - moment->wait_ns;
	cost[1] += moment->wait_ns;
	if (moment->wait_ns > 0 && plan->culprits > 0) {
		struct es__waits_sum *sum = es__waits_plan_blame(plan, sums,
		    plan->blame_of[slot], moment->culprit);

		sum->wait_ns += moment->wait_ns;
		sum->count++;
		sum->undecided += moment->undecided;
		sum->bound_ns += moment->bound_ns;
	}
}

/* Returns whether the operation may wait at the element, and it is not known
   for which others. */
static bool
worker_unmatched(const struct waits_worker *w)
{
	uint32_t last = w->plan->tree->last;
	uint16_t op;

	if (last == PATHS_NONE)
		return false;
	op = w->walk.lanes[w->a->graph.segments[last].slot].tuple->op;
	return op == PATHS_READ ? !w->plan->reads :
				  (op == PATHS_WRITE || op == PATHS_EXCHANGE) &&
		w->plan->writes_unknown;
}

bool
es__waits_work_next(struct waits_worker *w, int64_t *sums)
{
	if (!es__walk_next(&w->walk))
		return false;
	for (uint32_t n = 0; n < w->plan->joins.collectors.count; n++) {
		const struct es__lane *lane = &w->walk.lanes[n];

		w->moments[n].start_ns =
		    es_time_ns(lane->base, lane->tuple->start);
		w->moments[n].stop_ns =
		    es_time_ns(lane->base, lane->tuple->stop);
		w->moments[n].wait_ns = 0;
	}
	w->on = (struct es__waits_on){ .list = w->list,
		.unknown = worker_unmatched(w) };
	for (uint32_t n = 0; n < w->plan->joins.count; n++)
		worker_arrive(w, n);
	for (uint32_t n = 0; n < w->plan->tree->collectors.count; n++) {
		worker_split(w, n);
		if (sums != NULL)
			worker_add(w->plan, &w->moments[n], n, sums);
	}
	return true;
}

uint64_t
es__waits_work_seq(const struct waits_worker *w)
{
	return w->walk.seq;
}

const struct es__lane *
es__waits_work_lanes(const struct waits_worker *w)
{
	return w->walk.lanes;
}

const struct es__waits_moment *
es__waits_work_moments(const struct waits_worker *w)
{
	return w->moments;
}

const struct es__waits_on *
es__waits_work_on(const struct waits_worker *w)
{
	return &w->on;
}

uint32_t
es__waits_work_last(const struct waits_worker *w, uint32_t n)
{
	return w->arrivals[n].culprit;
}

void
es__waits_work_close(struct waits_worker *w)
{
	if (w == NULL)
		return;
	es__walk_close(&w->walk);
	es__readers_close(&w->readers);
	es__order_close(&w->freed);
	es__order_close(&w->taken);
	es__order_close(&w->own);
	es__order_close(&w->order);
	free(w->moments);
	free(w->arrivals);
	free(w->list);
	free(w);
}

paths_status
es__waits_work_open(const struct es__waits_plan *plan,
    const struct es_analysis *a, struct es__range range,
    struct waits_worker **worker)
{
	uint32_t count = plan->joins.collectors.count;
	struct waits_worker *w = calloc(1, sizeof(*w));
	paths_status st;

	if (w == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for collectors");
	w->a = a;
	w->plan = plan;
	w->arrivals =
	    calloc(plan->joins.count + (size_t)1, sizeof(*w->arrivals));
	w->moments = calloc(count + (size_t)1, sizeof(*w->moments));
	w->list = calloc(plan->readers + (size_t)1, sizeof(*w->list));
	st = w->arrivals != NULL && w->moments != NULL && w->list != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for collectors");
	if (st == PATHS_OK && plan->reads)
		st = worker_open_reads(w);
	if (st == PATHS_OK && plan->writes_wait)
		st = worker_open_writes(w);
	if (st == PATHS_OK)
		st = es__walk_open(&w->walk, a, plan->joins.collectors.ids,
		    count, range);
	if (st == PATHS_OK)
		*worker = w;
	else
		es__waits_work_close(w);
	return st;
}
