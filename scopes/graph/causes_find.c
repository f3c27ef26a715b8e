/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/causes_find.c - finds, for each wait, the activities in which
 * the late thread lost time
 *
 * Each thread has a list of its latest activities.  The list reaches back
 * FIND_HISTORY activities behind the thread that is last in time.  If two
 * threads were last synchronised before their lists begin, the delays since the
 * begin of the lists are found.
 */

#include "scopes/graph/causes_find_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

#define FIND_HISTORY 1024u

/* Value in place of a class: the thread waited. */
#define FIND_WAIT PATHS_NONE

struct find_entry {
	int64_t end_ns; /* the entry begins where the one before it ends */
	uint32_t class;
};

/* The last collective of a group of threads. */
struct find_group {
	int64_t ns;
	uint32_t group;
};

struct find_thread {
	struct find_entry *list;
	size_t count, room;
	int64_t from_ns; /* begin of the oldest entry */
	int64_t ns;	 /* current time */
	struct find_group *groups;
	size_t group_count, group_room;
};

/* The last time that one of two threads waited for the other. */
struct find_pair {
	/* Numbers of both, as pair_of makes them; 0: no pair. */
	uint64_t threads;
	int64_t ns;
};

struct find_slot {
	int64_t ns;
	uint32_t thread; /* that posted it */
	uint32_t group;	 /* group that is joined; PATHS_NONE: none */
};

struct es__graph_find {
	const struct es__graph *graph;
	const struct es__graph_classes *classes;
	struct es__spool *waits;
	struct find_thread *threads;
	struct find_slot *slots;
	struct paths__hash pairs;
	/* The slot that ended the wait of the current operation, and the joined
	   slot that the operation waited for; PATHS_NONE: none. */
	uint32_t binding, joined;
	struct es__graph_wait wait; /* wait_ns 0: it did not wait */
	uint64_t number;	    /* of the wait, from 1 */
	/* For each class: by how much the late thread spent more time in it
	   than the waiter (excess_ns), valid if touched_by is the number of the
	   current wait.  touched: the classes that are valid. */
	int64_t *excess_ns;
	uint32_t *touched, touched_count;
	uint64_t *touched_by;
	struct es__graph_delay *delays;
};

static bool
pair_used(const void *item)
{
	return ((const struct find_pair *)item)->threads != 0;
}

static uint64_t
pair_hash(const void *item)
{
	return (((const struct find_pair *)item)->threads *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    24;
}

static bool
pair_equal(const void *a, const void *b)
{
	return ((const struct find_pair *)a)->threads ==
	    ((const struct find_pair *)b)->threads;
}

static const struct paths__hash_kind pair_kind = {
	.bytes = sizeof(struct find_pair),
	.used = pair_used,
	.hash = pair_hash,
	.equal = pair_equal,
};

static struct find_pair
pair_of(uint32_t one, uint32_t other)
{
	uint64_t low = one < other ? one : other;
	uint64_t high = one < other ? other : one;

	return (struct find_pair){ .threads = (high << 32 | low) + 1 };
}

/* ---- activities of a thread */

/* Returns the number of the first entry that ends after a time.  Searches from
   the end in steps that double (galloping search), because the entry is nearly
   always close. */
static size_t
thread_after(const struct find_thread *t, int64_t ns)
{
	size_t low = 0, high = t->count, step = 1;

	while (step <= high && t->list[high - step].end_ns > ns) {
		high -= step;
		step *= 2;
	}
	if (step <= high)
		low = high - step + 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->list[middle].end_ns > ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Makes room for an entry.  Drops old entries when they are half of the
   list. */
static bool
thread_room(struct es__graph_find *f, struct find_thread *t)
{
	int64_t last_ns = INT64_MAX;
	size_t old;

	if (t->count < t->room)
		return true;
	for (uint32_t n = 0; n < f->graph->thread_count; n++)
		if (f->threads[n].ns < last_ns)
			last_ns = f->threads[n].ns;
	old = thread_after(t, last_ns);
	old = old > FIND_HISTORY ? old - FIND_HISTORY : 0;
	if (old == 0 || old * 2 < t->count)
		return paths__array_grow(&t->list, t->count, &t->room,
		    sizeof(*t->list));
	t->from_ns = t->list[old - 1].end_ns;
	t->count -= old;
	memmove(t->list, t->list + old, t->count * sizeof(*t->list));
	return true;
}

/* Adds an activity, or waiting, of a thread. */
static paths_status
thread_add(struct es__graph_find *f, uint32_t thread, uint32_t class,
    int64_t ns)
{
	struct find_thread *t = &f->threads[thread];

	if (ns == 0)
		return PATHS_OK;
	if (!thread_room(f, t))
		return paths_log_fail(PATHS_ENOMEM, "no memory for causes");
	t->ns += ns;
	t->list[t->count++] = (struct find_entry){ t->ns, class };
	return PATHS_OK;
}

/* Adds time that one of the two threads spent in a class; late: it is the late
   one. */
static void
excess_add(struct es__graph_find *f, uint32_t class, int64_t ns, bool late)
{
	if (class == FIND_WAIT) {
		f->wait.passed_ns += late ? ns : 0;
		return;
	}
	if (f->touched_by[class] != f->number) {
		f->touched_by[class] = f->number;
		f->touched[f->touched_count++] = class;
		f->excess_ns[class] = 0;
	}
	f->excess_ns[class] += late ? ns : -ns;
}

/* Adds the time of a thread from the begin of the wait's history to
   until_ns. */
static void
excess_add_thread(struct es__graph_find *f, const struct find_thread *t,
    int64_t until_ns, bool late)
{
	size_t n = thread_after(t, f->wait.begin_ns);
	int64_t from_ns = n > 0 ? t->list[n - 1].end_ns : t->from_ns;

	for (; n < t->count && from_ns < until_ns; n++) {
		int64_t begin =
		    from_ns > f->wait.begin_ns ? from_ns : f->wait.begin_ns;
		int64_t end =
		    t->list[n].end_ns < until_ns ? t->list[n].end_ns : until_ns;

		if (end > begin)
			excess_add(f, t->list[n].class, end - begin, late);
		from_ns = t->list[n].end_ns;
	}
}

/* ---- waits */

/* Returns whether a thread has taken part in a collective of a group, or of the
   other group of the same intercommunicator. */
static bool
thread_has_met(const struct find_thread *t, uint32_t group)
{
	for (size_t n = t->group_count; n-- > 0;)
		if (t->groups[n].group / 2 == group / 2)
			return true;
	return false;
}

/* Returns the moment at which two threads were last synchronised.  Both have
   taken part in the same collectives of a group that both are in, so the time
   of the last one is the same for both. */
static int64_t
find_synchronised(const struct es__graph_find *f, uint32_t waiter,
    uint32_t late)
{
	const struct find_thread *w = &f->threads[waiter];
	const struct find_thread *l = &f->threads[late];
	struct find_pair pair = pair_of(waiter, late);
	const struct find_pair *found =
	    paths__hash_find(&f->pairs, &pair_kind, &pair);
	int64_t ns = found != NULL ? found->ns : f->graph->start_ns;

	/* The latest collectives are nearly always at the end. */
	for (size_t n = w->group_count; n-- > 0;)
		if (w->groups[n].ns > ns &&
		    thread_has_met(l, w->groups[n].group))
			ns = w->groups[n].ns;
	if (w->from_ns > ns)
		ns = w->from_ns;
	return l->from_ns > ns ? l->from_ns : ns;
}

/* Scales the delays so that their sum is the time that the late thread spent
   more in all classes together.  It may have done in one class the work that
   the waiter did in another. */
static void
find_net(struct es__graph_find *f)
{
	struct es__graph_wait *wait = &f->wait;
	int64_t net_ns = 0, rest_ns;
	uint32_t most = 0;

	for (uint32_t n = 0; n < f->touched_count; n++)
		net_ns += f->excess_ns[f->touched[n]];
	if (net_ns <= 0)
		wait->count = 0;
	rest_ns = net_ns > 0 ? net_ns : 0;
	for (uint32_t n = 0; n < wait->count; n++) {
		f->delays[n].ns = (int64_t)((double)f->delays[n].ns *
		    ((double)net_ns / (double)wait->delayed_ns));
		rest_ns -= f->delays[n].ns;
		most = f->delays[n].ns > f->delays[most].ns ? n : most;
	}
	/* The remainder of rounding goes to the largest delay. */
	if (wait->count > 0)
		f->delays[most].ns += rest_ns;
	wait->delayed_ns = net_ns > 0 ? net_ns : 0;
}

/* Finds the delays behind the wait of the current operation, which its binding
   slot ended. */
static void
find_delays(struct es__graph_find *f, uint32_t waiter, int64_t wait_ns)
{
	const struct find_slot *slot = &f->slots[f->binding];
	const struct find_thread *w = &f->threads[waiter];
	uint32_t count = 0;

	f->wait = (struct es__graph_wait){ .begin_ns = find_synchronised(f,
					       waiter, slot->thread),
		.until_ns = w->ns + wait_ns,
		.wait_ns = wait_ns,
		.waiter = waiter,
		.late = slot->thread };
	f->touched_count = 0;
	f->number++;
	excess_add_thread(f, w, w->ns, false);
	excess_add_thread(f, &f->threads[slot->thread], f->wait.until_ns, true);
	for (uint32_t n = 0; n < f->touched_count; n++) {
		uint32_t class = f->touched[n];

		if (f->excess_ns[class] > 0) {
			f->delays[count++] =
			    (struct es__graph_delay){ f->excess_ns[class],
				    class };
			f->wait.delayed_ns += f->excess_ns[class];
		}
	}
	f->wait.count = count;
	if (f->classes->net)
		find_net(f);
}

/* Notes that both threads of a wait are synchronised. */
static paths_status
find_synchronise(struct es__graph_find *f)
{
	struct find_pair pair = pair_of(f->wait.waiter, f->wait.late), *found;

	found = paths__hash_put(&f->pairs, &pair_kind, &pair);
	if (found == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for causes");
	if (f->wait.until_ns > found->ns)
		found->ns = f->wait.until_ns;
	return PATHS_OK;
}

/* Drops groups that met before the list of a thread begins: a program may make
   communicators all the time. */
static void
thread_drop_groups(struct find_thread *t)
{
	size_t kept = 0;

	for (size_t n = 0; n < t->group_count; n++)
		if (t->groups[n].ns > t->from_ns)
			t->groups[kept++] = t->groups[n];
	t->group_count = kept;
}

/* Notes the time of the collective of a group that a thread leaves. */
static paths_status
find_meet(struct es__graph_find *f, uint32_t thread)
{
	struct find_thread *t = &f->threads[thread];
	const struct find_slot *slot = &f->slots[f->joined];

	for (size_t n = t->group_count; n-- > 0;)
		if (t->groups[n].group == slot->group) {
			t->groups[n].ns = slot->ns;
			return PATHS_OK;
		}
	if (t->group_count == t->group_room)
		thread_drop_groups(t);
	if (!paths__array_grow(&t->groups, t->group_count, &t->group_room,
		sizeof(*t->groups)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for causes");
	t->groups[t->group_count++] =
	    (struct find_group){ slot->ns, slot->group };
	return PATHS_OK;
}

/* Writes the wait of the current operation. */
static paths_status
find_write(struct es__graph_find *f)
{
	uint64_t bytes = sizeof(f->wait) + f->wait.count * sizeof(*f->delays) +
	    sizeof(bytes);
	paths_status st = es__spool_add(f->waits, &f->wait, sizeof(f->wait));

	for (uint32_t n = 0; st == PATHS_OK && n < f->wait.count; n++)
		st = es__spool_add(f->waits, &f->delays[n], sizeof(*f->delays));
	return st == PATHS_OK ? es__spool_add(f->waits, &bytes, sizeof(bytes)) :
				st;
}

/* Ends the operation of a thread. */
static paths_status
find_leave(struct es__graph_find *f, const struct es__graph_step *step)
{
	paths_status st = PATHS_OK;

	if (f->wait.wait_ns > 0) {
		f->wait.class = f->classes->of[step->at];
		if (f->graph->names.list[step->at].edge != ES__GRAPH_BEGINS)
			st = find_write(f);
		if (st == PATHS_OK)
			st = thread_add(f, step->thread, FIND_WAIT,
			    f->wait.wait_ns);
		if (st == PATHS_OK && f->joined == PATHS_NONE)
			st = find_synchronise(f);
	}
	if (st == PATHS_OK && f->joined != PATHS_NONE)
		st = find_meet(f, step->thread);
	f->wait.wait_ns = 0;
	f->binding = f->joined = PATHS_NONE;
	return st == PATHS_OK ?
	    thread_add(f, step->thread, f->classes->of[step->at], step->ns) :
	    st;
}

static void
find_join(struct es__graph_find *f, const struct es__graph_step *step)
{
	struct find_slot *slot = &f->slots[step->at];
	const struct find_slot *other = &f->slots[step->ns];

	if ((step->flags & ES__GRAPH_NEW) || other->ns > slot->ns)
		*slot = (struct find_slot){ other->ns, other->thread,
			step->thread };
}

static void
find_await(struct es__graph_find *f, const struct es__graph_step *step)
{
	if (step->flags & ES__GRAPH_BINDS)
		f->binding = step->at;
	if (step->kind == ES__GRAPH_AWAIT_MEMBER &&
	    f->slots[step->at].group != PATHS_NONE)
		f->joined = step->at;
}

static paths_status
find_step(struct es__graph_find *f, const struct es__graph_step *step)
{
	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_ENTER:
		return thread_add(f, step->thread, f->classes->of[step->at],
		    step->ns);
	case ES__GRAPH_POST:
		f->slots[step->at] =
		    (struct find_slot){ f->threads[step->thread].ns,
			    step->thread, PATHS_NONE };
		break;
	case ES__GRAPH_JOIN:
		find_join(f, step);
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
	case ES__GRAPH_AWAIT_CALL:
		find_await(f, step);
		break;
	case ES__GRAPH_WAITED:
		if (step->ns > 0)
			find_delays(f, step->thread, step->ns);
		break;
	case ES__GRAPH_LEAVE:
		return find_leave(f, step);
	}
	return PATHS_OK;
}

static paths_status
find_take(void *self, const struct es__graph_step *steps, uint32_t count)
{
	struct es__graph_find *f = self;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = find_step(f, &steps[n]);
	return st;
}

static bool
find_alloc(struct es__graph_find *f)
{
	uint32_t threads = f->graph->thread_count;
	size_t classes = (size_t)f->classes->count + 1;

	f->threads = calloc((size_t)threads + 1, sizeof(*f->threads));
	f->slots = calloc((size_t)f->graph->slot_count + 1, sizeof(*f->slots));
	f->excess_ns = calloc(classes, sizeof(*f->excess_ns));
	f->delays = calloc(classes, sizeof(*f->delays));
	f->touched = calloc(classes, sizeof(*f->touched));
	f->touched_by = calloc(classes, sizeof(*f->touched_by));
	if (f->threads == NULL || f->slots == NULL || f->excess_ns == NULL ||
	    f->delays == NULL || f->touched == NULL || f->touched_by == NULL)
		return false;
	for (uint32_t n = 0; n < threads; n++)
		f->threads[n].ns = f->threads[n].from_ns = f->graph->start_ns;
	return true;
}

paths_status
es__graph_find_begin(const struct es__graph *graph,
    const struct es__graph_classes *classes, struct es__spool *waits,
    struct es__graph_find **find)
{
	struct es__graph_find *f = calloc(1, sizeof(*f));

	if (f != NULL)
		*f = (struct es__graph_find){ .graph = graph,
			.classes = classes,
			.waits = waits,
			.binding = PATHS_NONE,
			.joined = PATHS_NONE };
	if (f == NULL || !find_alloc(f)) {
		es__graph_find_end(f);
		return paths_log_fail(PATHS_ENOMEM, "no memory for causes");
	}
	*find = f;
	return PATHS_OK;
}

struct es__graph_pass
es__graph_find_pass(struct es__graph_find *find)
{
	return (struct es__graph_pass){ find, find_take };
}

void
es__graph_find_end(struct es__graph_find *f)
{
	if (f == NULL)
		return;
	for (uint32_t n = 0; f->threads != NULL && n < f->graph->thread_count;
	     n++) {
		free(f->threads[n].list);
		free(f->threads[n].groups);
	}
	free(f->threads);
	free(f->slots);
	free(f->pairs.slots);
	free(f->excess_ns);
	free(f->delays);
	free(f->touched);
	free(f->touched_by);
	free(f);
}
