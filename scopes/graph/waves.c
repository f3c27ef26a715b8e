/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/waves.c - finds idle waves: waiting that spreads from thread to
 * thread after an unusual delay
 *
 * Reads the log and the waits of its operations side by side.  Keeps the latest
 * waits and unusual delays of each thread.  A wave is open as long as one of
 * these is part of it, because only then can a later wait follow from the wave.
 */

#include "scopes/graph/waves_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

/* Number of latest waits, and of latest delays, that are kept of each
   thread. */
#define WAVE_WAITS 64u
#define WAVE_DELAYS 16u
/* An activity with at least this many instances is compared with its own mean,
   else with that of other threads. */
#define WAVE_FEW 3u
/* Bytes of waits whose memory is given back at a time. */
#define WAVE_DROP (UINT64_C(16) * 1024 * 1024)

/* A wait or delay of a thread, and the wave that it is part of. */
struct wave_part {
	/* Number of the wave in `places`; PATHS_NONE: no wave. */
	uint32_t place;
	uint32_t hops;
	/* Number of the wave; the place may have been reused for another. */
	uint64_t number;
	int64_t start_ns, stop_ns;
};

struct wave_delay {
	struct wave_part part;
	int64_t delay_ns;
	uint32_t activity;
};

/* A pair of threads between which a wave stopped. */
struct wave_stop {
	uint32_t from, at; /* threads */
	enum es__graph_wave_end end;
	int64_t ns;
	uint64_t met;
};

/* A wave that is open. */
struct wave {
	struct es__graph_wave wave; /* its number is 0: the place is free */
	/* Number of kept waits and delays that are part of it. */
	uint32_t open;
	/* A crossing with several hops was not a wait for all threads. */
	bool goes_on;
	uint32_t next; /* next free place; PATHS_NONE: none */
	struct wave_stop *stops;
	size_t stop_count, stop_room;
};

struct wave_thread {
	int64_t ns;
	struct wave_part waits[WAVE_WAITS];
	struct wave_delay delays[WAVE_DELAYS];
	/* Also counts those that are no longer kept. */
	uint64_t wait_count, delay_count;
	struct wave_part latest; /* its latest long wait */
};

struct wave_slot {
	uint32_t thread;
	/* Number of posts that were joined; 0: it is the post of one thread. */
	uint32_t joined;
	struct wave_part wave; /* latest wait of `thread` when it posted */
};

struct wave_work {
	const struct es__graph_wave_search *of;
	const struct es__graph *graph;
	struct es__graph_waves *waves;
	struct wave_thread *threads;
	struct wave_slot *slots;
	int64_t *posted_ns; /* time of each slot */
	int64_t *limits;    /* of each activity: longer instances are unusual */
	/* For each activity with few instances: mean of other threads. */
	int64_t *typical;
	uint64_t at; /* byte of `of->waits` where the next wait begins */
	uint64_t dropped;
	/* Open waves, and free places. */
	struct wave *places;
	size_t place_count, place_room;
	uint32_t place_free; /* PATHS_NONE: none */
	uint64_t numbers;
	/* Slots that the current operation waits for and whose thread has
	   waited in a wave. */
	struct wave_slot *awaited;
	size_t awaited_count, awaited_room;
	bool waited;
	bool all; /* it waits for all threads at once */
};

static const struct wave_part no_wave = { .place = PATHS_NONE };

static paths_status
wave_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for idle waves");
}

/* ---- waves */

/* Returns the wave of a wait or delay; NULL: it has none, or the wave has
   ended. */
static struct wave *
wave_of(const struct wave_work *w, const struct wave_part *part)
{
	struct wave *wave;

	if (part->place == PATHS_NONE)
		return NULL;
	wave = &w->places[part->place];
	return wave->wave.number == part->number ? wave : NULL;
}

/* Takes a free place; PATHS_NONE: no memory. */
static uint32_t
wave_place(struct wave_work *w)
{
	uint32_t place = w->place_free;

	if (place != PATHS_NONE) {
		w->place_free = w->places[place].next;
		return place;
	}
	return paths__array_grow(&w->places, w->place_count, &w->place_room,
		   sizeof(*w->places)) ?
	    (uint32_t)w->place_count++ :
	    PATHS_NONE;
}

/* Begins the wave of a delay. */
static paths_status
wave_begin(struct wave_work *w, uint32_t thread, struct wave_delay *delay)
{
	uint32_t place = wave_place(w);

	if (place == PATHS_NONE)
		return wave_no_memory();
	w->places[place] = (struct wave){
		.wave = { .number = ++w->numbers,
		    .thread = thread,
		    .activity = delay->activity,
		    .start_ns = delay->part.start_ns,
		    .stop_ns = delay->part.stop_ns,
		    .delay_ns = delay->delay_ns,
		    .end_from = PATHS_NONE,
		    .end_at = PATHS_NONE },
		.open = 1,
	};
	delay->part.place = place;
	delay->part.number = w->numbers;
	return PATHS_OK;
}

bool
es__graph_wave_front(const struct es__graph_wave *wave,
    const struct es__graph_crossing **first,
    const struct es__graph_crossing **last)
{
	const struct es__graph_crossing *at = NULL;

	for (size_t n = 0; n < wave->count; n++)
		if (at == NULL || wave->crossings[n].hops > at->hops)
			at = &wave->crossings[n];
	*last = at;
	/* A crossing comes after the one that it follows from, so going
	   backward finds the chain of crossings to the first hop. */
	for (size_t n = wave->count; at != NULL && n-- > 0;)
		if (wave->crossings[n].thread == at->from &&
		    wave->crossings[n].hops < at->hops)
			at = &wave->crossings[n];
	*first = at;
	return at != NULL && at != *last;
}

/* Sets the place and reason of the end of a wave. */
static void
wave_set_end(const struct wave_work *w, struct wave *wave)
{
	const struct es__graph_crossing *first, *last;

	if (!es__graph_wave_front(&wave->wave, &first, &last))
		return;
	wave->wave.end_ns = last->stop_ns;
	wave->wave.end_from = last->thread;
	wave->wave.end = wave->wave.count + 1 == w->graph->thread_count ?
	    ES__WAVE_FILLS :
	    ES__WAVE_ENDS;
	for (size_t n = 0; n < wave->stop_count; n++) {
		const struct wave_stop *stop = &wave->stops[n];

		if (stop->from != last->thread)
			continue;
		wave->wave.end = stop->end;
		wave->wave.end_at = stop->at;
		wave->wave.end_ns = stop->ns;
		wave->wave.met = stop->met;
		return;
	}
}

/* Adds a wave to the result if it is one of those with the most waiting. */
static paths_status
waves_keep(struct es__graph_waves *waves, struct es__graph_wave *wave)
{
	size_t least = 0;

	waves->all++;
	if (waves->count < ES__GRAPH_WAVES_MAX) {
		if (!paths__array_grow(&waves->list, waves->count, &waves->room,
			sizeof(*waves->list)))
			return wave_no_memory();
		waves->list[waves->count++] = *wave;
		wave->crossings = NULL;
		return PATHS_OK;
	}
	for (size_t n = 1; n < waves->count; n++)
		if (waves->list[n].wait_ns < waves->list[least].wait_ns)
			least = n;
	if (waves->list[least].wait_ns >= wave->wait_ns)
		return PATHS_OK;
	free(waves->list[least].crossings);
	waves->list[least] = *wave;
	wave->crossings = NULL;
	return PATHS_OK;
}

/* Closes a wave. */
static paths_status
wave_finish(struct wave_work *w, struct wave *wave)
{
	paths_status st = PATHS_OK;

	wave_set_end(w, wave);
	if (wave->wave.hops > 1 && wave->goes_on)
		st = waves_keep(w->waves, &wave->wave);
	free(wave->wave.crossings);
	free(wave->stops);
	*wave = (struct wave){ .next = w->place_free };
	w->place_free = (uint32_t)(wave - w->places);
	return st;
}

/* Removes a wait or delay from its wave; closes the wave if it was the last
   one. */
static paths_status
part_drop(struct wave_work *w, const struct wave_part *part)
{
	struct wave *wave = wave_of(w, part);

	return wave != NULL && --wave->open == 0 ? wave_finish(w, wave) :
						   PATHS_OK;
}

/* Returns whether one of the kept waits of a thread is part of a wave. */
static bool
thread_is_in(const struct wave_thread *t, uint64_t number)
{
	uint64_t kept = t->wait_count < WAVE_WAITS ? t->wait_count : WAVE_WAITS;

	for (uint64_t n = 0; n < kept; n++)
		if (t->waits[n].place != PATHS_NONE &&
		    t->waits[n].number == number)
			return true;
	return false;
}

/* Adds the first wait of a thread in a wave. */
static paths_status
wave_cross(struct wave *wave, const struct es__graph_crossing *crossing)
{
	struct es__graph_wave *of = &wave->wave;
	size_t kept = 0;

	if (!paths__array_grow(&of->crossings, of->count, &of->room,
		sizeof(*of->crossings)))
		return wave_no_memory();
	of->crossings[of->count++] = *crossing;
	if (crossing->hops > of->hops)
		of->hops = crossing->hops;
	for (size_t n = 0; n < wave->stop_count; n++)
		if (wave->stops[n].at != crossing->thread)
			wave->stops[kept++] = wave->stops[n];
	wave->stop_count = kept;
	return PATHS_OK;
}

/* ---- waits */

/* Returns the unusual delay of a thread that most of a wait follows from; NULL:
   there is none. */
static struct wave_delay *
wait_delay(const struct wave_work *w, const struct es__graph_wait *wait)
{
	const struct es__graph_delay *delays =
	    (const struct es__graph_delay *)(wait + 1);
	struct wave_thread *late = &w->threads[wait->late];
	struct wave_delay *found = NULL;

	for (uint32_t n = 0; n < WAVE_DELAYS && n < late->delay_count; n++) {
		struct wave_delay *d = &late->delays[n];
		uint32_t class = w->of->classes->of[d->activity];

		if (d->part.stop_ns <= wait->begin_ns ||
		    d->part.stop_ns > wait->until_ns ||
		    (found != NULL && found->delay_ns >= d->delay_ns))
			continue;
		for (uint32_t k = 0; k < wait->count; k++)
			if (delays[k].class == class &&
			    delays[k].ns * 2 >= wait->delayed_ns)
				found = d;
	}
	return found;
}

/* Returns the wait of the late thread that most of a wait follows from. */
static struct wave_part
wait_before(const struct wave_work *w, const struct es__graph_wait *wait)
{
	const struct wave_thread *late = &w->threads[wait->late];
	struct wave_part found = no_wave;
	int64_t most_ns = 0;

	for (uint32_t n = 0; n < WAVE_WAITS && n < late->wait_count; n++) {
		const struct wave_part *p = &late->waits[n];
		int64_t from =
		    p->start_ns > wait->begin_ns ? p->start_ns : wait->begin_ns;
		int64_t to =
		    p->stop_ns < wait->until_ns ? p->stop_ns : wait->until_ns;

		if (to - from > most_ns) {
			most_ns = to - from;
			found = *p;
		}
	}
	return found;
}

/* Sets the wave that a wait is part of. */
static paths_status
wait_wave(struct wave_work *w, const struct es__graph_wait *wait,
    struct wave_part *part)
{
	struct wave_delay *delay;
	paths_status st = PATHS_OK;

	*part = no_wave;
	if (wait->wait_ns >= w->of->least_ns &&
	    wait->delayed_ns < wait->passed_ns) {
		*part = wait_before(w, wait);
	} else if (wait->wait_ns >= w->of->least_ns) {
		delay = wait_delay(w, wait);
		if (delay != NULL && wave_of(w, &delay->part) == NULL)
			st = wave_begin(w, wait->late, delay);
		if (st == PATHS_OK && delay != NULL)
			*part = delay->part;
	}
	if (wave_of(w, part) == NULL)
		*part = no_wave;
	part->hops++;
	part->start_ns = wait->until_ns - wait->wait_ns;
	part->stop_ns = wait->until_ns;
	return st;
}

/* Updates the latest wait of a thread.  A wait outside of waves does not
   replace one in a wave that is more than twice as long. */
static void
thread_latest(const struct wave_work *w, struct wave_thread *t,
    const struct wave_part *part)
{
	int64_t ns = part->stop_ns - part->start_ns;
	int64_t latest_ns = t->latest.stop_ns - t->latest.start_ns;

	if (part->place != PATHS_NONE || wave_of(w, &t->latest) == NULL ||
	    ns * 2 >= latest_ns)
		t->latest = *part;
}

/* Takes a wait. */
static paths_status
work_wait(struct wave_work *w, const struct es__graph_wait *wait)
{
	struct wave_thread *t = &w->threads[wait->waiter];
	struct wave_part part, *kept = &t->waits[t->wait_count % WAVE_WAITS];
	struct wave *wave;
	paths_status st = wait_wave(w, wait, &part);

	if (st != PATHS_OK)
		return st;
	wave = wave_of(w, &part);
	if (wave != NULL) {
		wave->wave.wait_ns += wait->wait_ns;
		wave->open++;
		if (wait->waiter != wave->wave.thread &&
		    !thread_is_in(t, part.number)) {
			wave->goes_on |= part.hops > 1 && !w->all;
			st = wave_cross(wave,
			    &(struct es__graph_crossing){ .thread =
							      wait->waiter,
				.from = wait->late,
				.hops = part.hops,
				.start_ns = part.start_ns,
				.stop_ns = part.stop_ns });
		}
	}
	if (st == PATHS_OK && t->wait_count >= WAVE_WAITS)
		st = part_drop(w, kept);
	*kept = part;
	t->wait_count++;
	thread_latest(w, t, &part);
	return st;
}

/* Returns the next wait of the log. */
static const struct es__graph_wait *
work_next(struct wave_work *w)
{
	const struct es__spool *waits = w->of->waits;
	const struct es__graph_wait *wait;

	if (w->at >= waits->size)
		return NULL;
	if (w->at - w->dropped >= WAVE_DROP) {
		es__spool_drop(waits, w->dropped, w->at);
		w->dropped = w->at;
	}
	wait = (const void *)(waits->bytes + w->at);
	w->at += sizeof(*wait) + wait->count * sizeof(struct es__graph_delay) +
	    sizeof(uint64_t);
	return wait;
}

/* ---- stops */

/* Returns the number of another wave that a thread waited in or caused, at or
   after a time; 0: none. */
static uint64_t
thread_other(const struct wave_work *w, const struct wave_thread *t, int64_t ns,
    uint64_t number)
{
	if (wave_of(w, &t->latest) != NULL && t->latest.number != number &&
	    t->latest.stop_ns >= ns)
		return t->latest.number;
	for (uint32_t n = 0; n < WAVE_DELAYS && n < t->delay_count; n++) {
		const struct wave_part *part = &t->delays[n].part;

		if (wave_of(w, part) != NULL && part->number != number &&
		    part->stop_ns >= ns)
			return part->number;
	}
	return 0;
}

/* Notes that a wave stops at a thread that depends on a slot, unless the thread
   is part of the wave. */
static paths_status
wave_stop(struct wave_work *w, uint32_t thread, const struct wave_slot *slot)
{
	const struct wave_thread *t = &w->threads[thread];
	struct wave *wave = wave_of(w, &slot->wave);
	struct wave_stop stop = { .from = slot->thread,
		.at = thread,
		.end = ES__WAVE_SLACK,
		.ns = t->ns };

	if (wave == NULL || wave->wave.thread == thread ||
	    thread_is_in(t, slot->wave.number))
		return PATHS_OK;
	for (size_t n = 0; n < wave->stop_count; n++)
		if (wave->stops[n].at == thread &&
		    wave->stops[n].from == slot->thread)
			return PATHS_OK;
	stop.met = thread_other(w, t, slot->wave.start_ns, slot->wave.number);
	if (stop.met != 0)
		stop.end = ES__WAVE_MEETS;
	if (!paths__array_grow(&wave->stops, wave->stop_count, &wave->stop_room,
		sizeof(*wave->stops)))
		return wave_no_memory();
	wave->stops[wave->stop_count++] = stop;
	return PATHS_OK;
}

/* ---- steps */

/* Returns by how many ns an activity was longer than the mean of its other
   instances. */
static int64_t
work_delay(const struct wave_work *w, const struct es__graph_step *step)
{
	const struct es__graph_typical_activity *of =
	    &w->of->typical->activities[step->at];

	return step->ns -
	    (of->count >= WAVE_FEW ?
		    (of->ns - step->ns) / (int64_t)(of->count - 1) :
		    w->typical[step->at]);
}

/* Advances a thread by an activity.  Adds a delay if the activity was unusually
   long. */
static paths_status
work_activity(struct wave_work *w, const struct es__graph_step *step)
{
	struct wave_thread *t = &w->threads[step->thread];
	struct wave_delay *d = &t->delays[t->delay_count % WAVE_DELAYS];
	int64_t delay_ns;
	paths_status st = PATHS_OK;

	t->ns += step->ns;
	if (step->ns < w->limits[step->at])
		return PATHS_OK;
	delay_ns = work_delay(w, step);
	if (delay_ns < w->of->least_ns || delay_ns <= 0)
		return PATHS_OK;
	if (t->delay_count >= WAVE_DELAYS)
		st = part_drop(w, &d->part);
	*d = (struct wave_delay){
		.part = { .place = PATHS_NONE,
		    .start_ns = t->ns - step->ns,
		    .stop_ns = t->ns },
		.delay_ns = delay_ns,
		.activity = step->at,
	};
	t->delay_count++;
	return st;
}

static paths_status
work_await(struct wave_work *w, const struct es__graph_step *step)
{
	const struct wave_slot *slot = &w->slots[step->at];

	w->all |= slot->joined > 0 && slot->joined == w->graph->thread_count;
	if (slot->wave.place == PATHS_NONE || slot->thread == step->thread)
		return PATHS_OK;
	if (!paths__array_grow(&w->awaited, w->awaited_count, &w->awaited_room,
		sizeof(*w->awaited)))
		return wave_no_memory();
	w->awaited[w->awaited_count++] = *slot;
	return PATHS_OK;
}

/* Ends an operation. */
static paths_status
work_leave(struct wave_work *w, const struct es__graph_step *step)
{
	const struct es__graph_wait *wait = NULL;
	paths_status st = PATHS_OK;

	if (w->waited &&
	    w->graph->names.list[step->at].edge != ES__GRAPH_BEGINS)
		wait = work_next(w);
	if (wait != NULL)
		st = work_wait(w, wait);
	for (size_t n = 0; st == PATHS_OK && n < w->awaited_count; n++)
		st = wave_stop(w, step->thread, &w->awaited[n]);
	w->awaited_count = 0;
	w->waited = w->all = false;
	return st == PATHS_OK ? work_activity(w, step) : st;
}

static void
work_join(struct wave_work *w, const struct es__graph_step *step)
{
	const struct wave_slot *other = &w->slots[step->ns];
	struct wave_slot *slot = &w->slots[step->at];
	bool new = (step->flags & ES__GRAPH_NEW) != 0;
	uint32_t joined =
	    (new ? 0 : slot->joined) + (other->joined > 0 ? other->joined : 1);

	if (new || w->posted_ns[step->ns] > w->posted_ns[step->at]) {
		*slot = *other;
		w->posted_ns[step->at] = w->posted_ns[step->ns];
	}
	slot->joined = joined;
}

static paths_status
work_step(struct wave_work *w, const struct es__graph_step *step)
{
	struct wave_thread *t = &w->threads[step->thread];

	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_ENTER:
		return work_activity(w, step);
	case ES__GRAPH_POST:
		w->slots[step->at].thread = step->thread;
		w->slots[step->at].joined = 0;
		w->slots[step->at].wave.place = t->latest.place;
		if (t->latest.place != PATHS_NONE)
			w->slots[step->at].wave = t->latest;
		w->posted_ns[step->at] = t->ns;
		break;
	case ES__GRAPH_JOIN:
		work_join(w, step);
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
	case ES__GRAPH_AWAIT_CALL:
		return work_await(w, step);
	case ES__GRAPH_WAITED:
		w->waited = step->ns > 0;
		t->ns += step->ns;
		break;
	case ES__GRAPH_LEAVE:
		return work_leave(w, step);
	}
	return PATHS_OK;
}

/* ---- typical lengths */

/* Returns the sums of the activities of each class. */
static struct es__graph_typical_activity *
class_sums(const struct es__graph_wave_search *of)
{
	struct es__graph_typical_activity *sums =
	    calloc((size_t)of->classes->count + 1, sizeof(*sums));

	for (uint32_t n = 0; sums != NULL && n < of->graph->names.count; n++) {
		sums[of->classes->of[n]].ns += of->typical->activities[n].ns;
		sums[of->classes->of[n]].count +=
		    of->typical->activities[n].count;
	}
	return sums;
}

/* Sets for each activity the limit above which an instance is unusual: 1.5
   times the mean of all other instances.  For an activity with few instances,
   this is the mean of the same activity in other threads. */
static bool
work_limits(struct wave_work *w)
{
	const struct es__graph_typical_activity *of =
	    w->of->typical->activities;
	struct es__graph_typical_activity *sums = class_sums(w->of);

	for (uint32_t n = 0; sums != NULL && n < w->graph->names.count; n++) {
		struct es__graph_typical_activity *sum =
		    &sums[w->of->classes->of[n]];
		int64_t ns = sum->ns - of[n].ns;
		uint64_t count = sum->count - of[n].count;

		if (w->graph->names.list[n].edge == ES__GRAPH_BEGINS) {
			w->limits[n] = INT64_MAX;
		} else if (of[n].count >= WAVE_FEW) {
			w->limits[n] = (int64_t)(1.5 * (double)of[n].ns /
			    ((double)of[n].count + 0.5));
		} else if (count > 0) {
			w->typical[n] = ns / (int64_t)count;
			w->limits[n] = w->typical[n] + w->typical[n] / 2;
		}
	}
	free(sums);
	return sums != NULL;
}

static bool
work_alloc(struct wave_work *w)
{
	size_t activities = (size_t)w->graph->names.count + 1;

	w->threads =
	    calloc((size_t)w->graph->thread_count + 1, sizeof(*w->threads));
	w->slots = calloc((size_t)w->graph->slot_count + 1, sizeof(*w->slots));
	w->posted_ns =
	    calloc((size_t)w->graph->slot_count + 1, sizeof(*w->posted_ns));
	w->limits = calloc(activities, sizeof(*w->limits));
	w->typical = calloc(activities, sizeof(*w->typical));
	if (w->threads == NULL || w->slots == NULL || w->posted_ns == NULL ||
	    w->limits == NULL || w->typical == NULL)
		return false;
	for (uint32_t n = 0; n < w->graph->thread_count; n++) {
		w->threads[n].ns = w->graph->start_ns;
		w->threads[n].latest = no_wave;
	}
	for (uint32_t n = 0; n < w->graph->slot_count; n++)
		w->slots[n].wave = no_wave;
	return work_limits(w);
}

static int
wave_order(const void *left, const void *right)
{
	const struct es__graph_wave *a = left, *b = right;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static paths_status
work_take(void *self, const struct es__graph_step *steps, uint32_t count)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = work_step(self, &steps[n]);
	return st;
}

/* Takes all steps, then closes the open waves. */
static paths_status
work_steps(struct wave_work *w)
{
	const struct es__graph_pass pass = { w, work_take };
	paths_status st = es__graph_pass(w->graph, &pass, 1);

	for (size_t n = 0; st == PATHS_OK && n < w->place_count; n++)
		if (w->places[n].wave.number != 0)
			st = wave_finish(w, &w->places[n]);
	if (w->waves->count > 0)
		qsort(w->waves->list, w->waves->count, sizeof(*w->waves->list),
		    wave_order);
	return st;
}

paths_status
es__graph_waves(const struct es__graph_wave_search *search,
    struct es__graph_waves *waves)
{
	struct wave_work w = { .of = search,
		.graph = search->graph,
		.waves = waves,
		.place_free = PATHS_NONE };
	paths_status st = work_alloc(&w) ? work_steps(&w) : wave_no_memory();

	for (size_t n = 0; n < w.place_count; n++) {
		free(w.places[n].wave.crossings);
		free(w.places[n].stops);
	}
	free(w.places);
	free(w.threads);
	free(w.slots);
	free(w.posted_ns);
	free(w.limits);
	free(w.typical);
	free(w.awaited);
	return st;
}

void
es__graph_waves_fini(struct es__graph_waves *waves)
{
	for (size_t n = 0; n < waves->count; n++)
		free(waves->list[n].crossings);
	free(waves->list);
}
