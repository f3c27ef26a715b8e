/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/pass.c - replays a run with changes, and finds the slope of its
 * length
 *
 * Follows the measured times as well, because an edit with spans changes
 * activities by their measured time.
 */

#include "scopes/whatif/pass_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>

struct moment {
	double ns, slope;
};

struct pass_thread {
	struct moment now, due; /* due: when its operation can end */
	/* Time at which all messages that the operation waits for have arrived.
	   Used only if the operation did not wait in the run: else the travel
	   is part of its own time. */
	struct moment arrived;
	/* path: path of its operation, if joins on it have another shape in the
	   replay, or PATHS_NONE; last: its last activity. */
	uint32_t path, last;
	int64_t measured_ns; /* current measured time */
	int64_t waited_ns;   /* measured wait of its operation */
	uint32_t activity;   /* the computation before the operation */
	/* Number of members that the operation waits for, one by one. */
	uint32_t members;
	bool itself;  /* it waits for itself, too */
	bool all;     /* it waits for all ranks */
	bool gathers; /* it waits for members of a collective */
	/* Thread whose post ended the measured wait, or PATHS_NONE. */
	uint32_t other;
	size_t near; /* position in its curve of lost time */
	enum es__whatif_link link;
	uint64_t bytes;
	/* For each edit with spans: number of spans that are past. */
	size_t *spans;
};

struct pass_slot {
	struct moment moment;
	uint32_t thread; /* thread that posted it; PATHS_NONE: it is joined */
	uint32_t joined; /* number of joined posts */
	uint32_t group;	 /* group of the joined posts */
	int64_t measured_ns;
};

struct pass {
	const struct es__whatif_model *model;
	const struct es__whatif_setting *setting;
	/* For each activity: product of the factors that apply at all times. */
	double *factors;
	/* For each activity: some edit of it depends on time or epoch. */
	bool *varies;
	bool *nowait; /* of each activity */
	struct pass_thread *threads;
	struct pass_slot *slots;
	size_t *spans; /* of each thread and edit */
	/* For each edit that moves work: number of its parts that are past. */
	size_t **parts;
	uint32_t *epochs; /* of each rank */
	struct es__whatif_meetings *meetings;
	/* Typical times of messages by size, inside a host [0] and between
	   hosts [1]; 0: not known. */
	double typical_ns[ES__TYPICAL_SIZES][2];
	/* An edit has groups: at some joins, operations do not wait. */
	bool joins;
	bool backward; /* as in struct es__whatif_times */
	/* By enum es__graph_edge: latest end of such an activity. */
	struct moment edges[3];
};

struct es__whatif_setting
es__whatif_unchanged(const struct es__whatif_model *model)
{
	return (struct es__whatif_setting){ .eager_bytes =
						model->graph->eager_bytes };
}

static bool
moment_later(const struct moment *a, const struct moment *b)
{
	return a->ns > b->ns || (a->ns == b->ns && a->slope > b->slope);
}

/* ---- lost cores */

/* Returns the part of the own time of the current operation of a thread in
   which a thread was without a core: the thread itself, the one whose message
   it waited for, or, in a collective, any thread.  from_ns: measured end of the
   wait; ns: own time. */
static int64_t
pass_lost_inside(struct pass *p, uint32_t thread, int64_t from_ns, int64_t ns)
{
	const struct es__cpu_curve *lost = p->model->lost;
	struct pass_thread *t = &p->threads[thread];
	int64_t to_ns = from_ns + ns, lost_ns;

	if (lost == NULL || p->setting->elapsed || ns <= 0)
		return 0;
	if (t->gathers)
		lost_ns =
		    es__cpu_curve_between(&lost[p->model->graph->thread_count],
			from_ns, to_ns);
	else
		lost_ns = es__cpu_curve_near(&lost[thread], to_ns, &t->near) -
		    es__cpu_curve_near(&lost[thread], from_ns, &t->near);
	if (!t->gathers && t->other != PATHS_NONE && t->other != thread)
		lost_ns +=
		    es__cpu_curve_between(&lost[t->other], from_ns, to_ns);
	return lost_ns < ns ? lost_ns : ns;
}

/* Returns for how long a thread was without a core in a computation. */
static int64_t
pass_lost_outside(struct pass *p, uint32_t thread, int64_t ns)
{
	const struct es__cpu_curve *lost = p->model->lost;
	struct pass_thread *t = &p->threads[thread];
	int64_t lost_ns;

	if (lost == NULL || p->setting->elapsed || ns <= 0)
		return 0;
	lost_ns = -es__cpu_curve_near(&lost[thread], t->measured_ns, &t->near);
	lost_ns +=
	    es__cpu_curve_near(&lost[thread], t->measured_ns + ns, &t->near);
	return lost_ns < ns ? lost_ns : ns;
}

/* ---- lengths */

/* Returns whether a measured time of a thread is in the spans of an edit.
   Successive calls for a thread have ascending times. */
static bool
spans_have(const struct es__whatif_spans *spans, size_t *past, int64_t ns)
{
	while (*past < spans->count && spans->list[*past].stop_ns <= ns)
		++*past;
	return *past < spans->count && spans->list[*past].start_ns <= ns;
}

/* Returns the length of a computation after the n-th edit, which moves work
   between ranks. */
static double
pass_moved(struct pass *p, size_t n, uint32_t rank, uint32_t activity,
    double ns)
{
	const struct es__whatif_even *even = &p->setting->edits[n]->even;
	uint32_t of = even->moved.of[activity];

	return es__whatif_moved_length(&even->moved.parts[of], &p->parts[n][of],
	    even->whole ? 0 : p->epochs[rank], ns);
}

/* Returns the length of a computation after the edits that depend on time or
   epoch.  Moves work first, then scales. */
static double
pass_varied(struct pass *p, uint32_t thread, uint32_t activity, double ns)
{
	struct pass_thread *t = &p->threads[thread];
	uint32_t rank = p->model->ranks[thread];
	double factor = 1;

	for (size_t n = 0; n < p->setting->edit_count; n++) {
		const struct es__whatif_edit *edit = p->setting->edits[n];

		if (!edit->selected[activity] ||
		    (edit->when != NULL &&
			!spans_have(&edit->when[thread], &t->spans[n],
			    t->measured_ns)))
			continue;
		if (edit->effect == ES__WHATIF_SHARE ||
		    edit->effect == ES__WHATIF_EVEN)
			ns = pass_moved(p, n, rank, activity, ns);
		else if (edit->effect == ES__WHATIF_SCALE && edit->when != NULL)
			factor *= edit->factor;
	}
	return ns * factor;
}

/* Returns the new length of an activity whose own time was ns.  A negative
   length makes up for clocks that contradict each other, and is not changed. */
static double
pass_length(struct pass *p, const struct es__graph_step *step, int64_t ns,
    bool changes)
{
	double length = (double)ns;

	if (ns < 0) {
		p->backward = true;
		return p->setting->forward ? 0 : (double)ns;
	}
	if (!changes || ns == 0)
		return length;
	if (p->varies[step->at])
		length = pass_varied(p, step->thread, step->at, length);
	length *= p->factors[step->at];
	return length == (double)ns ? length : (double)llround(length);
}

/* ---- steps */

/* Adds an activity that ends. */
static void
pass_end(struct pass *p, const struct es__graph_step *step,
    struct moment moment)
{
	struct moment *edge =
	    &p->edges[p->model->graph->names.list[step->at].edge];

	p->threads[step->thread].now = moment;
	p->threads[step->thread].last = step->at;
	/* If its joins have another shape, pass_settle sets the end of the
	   operation. */
	if (p->threads[step->thread].path != PATHS_NONE)
		return;
	if (moment_later(&moment, edge))
		*edge = moment;
}

static void
pass_watch(const struct pass *p, const struct es__graph_step *step,
    const struct es__whatif_event *event)
{
	struct es__whatif_event whole = *event;

	if (p->setting->watch == NULL)
		return;
	whole.thread = step->thread;
	whole.activity = step->at;
	whole.measured_ns = step->ns - event->lost_ns;
	whole.epoch = p->epochs[p->model->ranks[step->thread]];
	p->setting->watch(p->setting->to, &whole);
}

/* Sets the end of an operation whose joins have another shape. */
static void
pass_settle(struct pass *p, uint32_t thread)
{
	struct pass_thread *t = &p->threads[thread];
	const struct es__graph_step last = { .thread = thread, .at = t->last };
	double before_ns = t->now.ns;

	if (t->path == PATHS_NONE)
		return;
	t->now.ns = es__whatif_meetings_leave(p->meetings, t->path, before_ns);
	t->path = PATHS_NONE;
	pass_watch(p, &last,
	    &(struct es__whatif_event){ .start_ns = before_ns,
		.own_ns = t->now.ns - before_ns,
		.from_ns = t->measured_ns,
		.link = ES__WHATIF_LINKS });
	pass_end(p, &last, t->now);
}

static void
pass_enter(struct pass *p, const struct es__graph_step *step)
{
	bool part = (step->flags & ES__GRAPH_PART) != 0;
	struct pass_thread *t = &p->threads[step->thread];
	bool changes = t->measured_ns + step->ns > p->model->graph->from_ns;
	int64_t lost_ns = pass_lost_outside(p, step->thread, step->ns);
	double own_ns = pass_length(p, step, step->ns - lost_ns, changes);
	struct moment moment;

	if (!part)
		pass_settle(p, step->thread);
	moment = (struct moment){ t->now.ns + own_ns, t->now.slope };
	pass_watch(p, step,
	    &(struct es__whatif_event){ .start_ns = t->now.ns,
		.own_ns = own_ns,
		.lost_ns = lost_ns,
		.from_ns = t->measured_ns,
		.link = ES__WHATIF_LINKS,
		.part = part,
		.changes = changes });
	t->measured_ns += step->ns;
	pass_end(p, step, moment);
	if (!part && p->meetings != NULL &&
	    es__whatif_meetings_arrive(p->meetings,
		p->model->graph->names.list[step->at].site, moment.ns))
		t->path = p->model->graph->names.list[step->at].site;
	t->due = t->arrived = moment;
	t->activity = step->at;
	t->members = 0;
	t->itself = t->all = t->gathers = false;
	t->other = PATHS_NONE;
	t->link = ES__WHATIF_LINKS;
	t->bytes = 0;
	t->waited_ns = 0;
}

/* Returns whether the operation that a thread leaves is a global
   synchronisation.  With two ranks there is no joined slot, so the members are
   counted. */
static bool
pass_synchronises(const struct pass *p, const struct pass_thread *t)
{
	return t->all ||
	    (p->model->rank_count == 2 && t->itself && t->members == 1);
}

static void
pass_leave(struct pass *p, const struct es__graph_step *step)
{
	struct pass_thread *t = &p->threads[step->thread];
	int64_t lost_ns = pass_lost_inside(p, step->thread,
	    t->measured_ns + t->waited_ns, step->ns);
	double own_ns = pass_length(p, step, step->ns - lost_ns, true);
	struct moment moment;

	if (t->other == PATHS_NONE && moment_later(&t->arrived, &t->due))
		t->due = t->arrived;
	if (p->setting->ideal && own_ns > 0 &&
	    p->model->graph->names.list[step->at].edge != ES__GRAPH_BEGINS)
		own_ns = 0;
	moment = (struct moment){ t->due.ns + own_ns, t->due.slope };
	pass_watch(p, step,
	    &(struct es__whatif_event){ .start_ns = t->now.ns,
		.wait_ns = t->due.ns - t->now.ns,
		.own_ns = own_ns,
		.lost_ns = lost_ns,
		.from_ns = t->measured_ns,
		.link = t->link,
		.bytes = t->bytes,
		.members = t->gathers });
	t->measured_ns += t->waited_ns + step->ns;
	p->epochs[p->model->ranks[step->thread]] += pass_synchronises(p, t);
	pass_end(p, step, moment);
}

static enum es__whatif_link
pass_link(const struct pass *p, uint32_t a, uint32_t b)
{
	const uint32_t *hosts = p->model->hosts;

	return hosts != NULL && b != PATHS_NONE && hosts[a] != hosts[b] ?
	    ES__WHATIF_BETWEEN :
	    ES__WHATIF_INSIDE;
}

/* Adds the travel of a message to the time of its begin. */
static void
pass_travel(const struct pass *p, enum es__whatif_link link, uint64_t bytes,
    struct moment *moment)
{
	const struct es__whatif_travel *add = &p->setting->travel[link];
	const struct es__whatif_travel *slope = &p->setting->slope[link];

	moment->ns += add->latency_ns + add->ns_per_byte * (double)bytes;
	moment->slope += slope->latency_ns + slope->ns_per_byte * (double)bytes;
}

/* Returns the travel of a message for which nobody waited: the typical time of
   its size, but at most after_ns, the time until its receiver came. */
static double
pass_travelled(const struct pass *p, enum es__whatif_link link, uint64_t bytes,
    int64_t after_ns)
{
	double ns = p->typical_ns[es__graph_typical_size(bytes)]
				 [link == ES__WHATIF_BETWEEN];

	return after_ns <= 0	  ? 0 :
	    ns < (double)after_ns ? ns :
				    (double)after_ns;
}

/* Returns whether operations do not wait for the others in the group of a
   slot. */
static bool
pass_passes(const struct pass *p, const struct pass_slot *slot)
{
	if (!p->joins || slot->joined == 0)
		return false;
	for (size_t n = 0; n < p->setting->edit_count; n++) {
		const bool *groups = p->setting->edits[n]->groups;

		if (groups != NULL && groups[slot->group])
			return true;
	}
	return false;
}

static void
pass_member(struct pass *p, const struct es__graph_step *step,
    const struct pass_slot *slot)
{
	struct pass_thread *t = &p->threads[step->thread];

	t->gathers = true;
	if (slot->joined > 0)
		t->all |= slot->joined == p->model->rank_count;
	else if (slot->thread == step->thread)
		t->itself = true;
	else
		t->members++;
	if ((p->nowait[t->activity] || pass_passes(p, slot)) &&
	    slot->thread != step->thread)
		return;
	if (moment_later(&slot->moment, &t->due))
		t->due = slot->moment;
}

static void
pass_message(struct pass *p, const struct es__graph_step *step,
    const struct pass_slot *slot)
{
	struct pass_thread *t = &p->threads[step->thread];
	enum es__whatif_link link = pass_link(p, step->thread, slot->thread);
	struct moment moment = slot->moment;
	uint64_t bytes = (uint64_t)step->ns;

	if (step->flags & ES__GRAPH_BINDS)
		t->other = slot->thread;
	if (step->kind == ES__GRAPH_AWAIT_SEND) {
		if (step->flags & ES__GRAPH_BINDS) {
			t->link = link;
			t->bytes = bytes;
		}
	} else if (!es__graph_step_holds(step, p->model->graph->eager_bytes,
		       p->setting->eager_bytes)) {
		return;
	}
	/* A send that waits for its receive waits for an answer of 0 bytes. */
	if (step->kind != ES__GRAPH_AWAIT_SEND)
		bytes = 0;
	pass_travel(p, link, bytes, &moment);
	/* The thread of the slot has sent the message, or the answer. */
	if (p->setting->message != NULL && slot->thread != PATHS_NONE)
		moment.ns += p->setting->message(p->setting->message_from,
		    p->model->ranks[slot->thread],
		    p->model->ranks[step->thread], bytes);
	if (moment_later(&moment, &t->due))
		t->due = moment;
	if (step->kind == ES__GRAPH_AWAIT_SEND)
		moment.ns += pass_travelled(p, link, bytes,
		    t->measured_ns - slot->measured_ns);
	if (moment_later(&moment, &t->arrived))
		t->arrived = moment;
}

static void
pass_join(struct pass *p, const struct es__graph_step *step)
{
	struct pass_slot *slot = &p->slots[step->at];
	const struct pass_slot *other = &p->slots[step->ns];
	uint32_t joined = other->joined > 0 ? other->joined : 1;

	if (step->flags & ES__GRAPH_NEW) {
		*slot = *other;
		slot->thread = PATHS_NONE;
		slot->joined = joined;
		slot->group = step->thread;
		return;
	}
	slot->joined += joined;
	slot->thread = PATHS_NONE;
	if (moment_later(&other->moment, &slot->moment))
		slot->moment = other->moment;
}

static void
pass_step(struct pass *p, const struct es__graph_step *step)
{
	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_ENTER:
		pass_enter(p, step);
		break;
	case ES__GRAPH_LEAVE:
		pass_leave(p, step);
		break;
	case ES__GRAPH_POST:
		p->slots[step->at] =
		    (struct pass_slot){ .moment = p->threads[step->thread].now,
			    .thread = step->thread,
			    .measured_ns =
				p->threads[step->thread].measured_ns };
		break;
	case ES__GRAPH_JOIN:
		pass_join(p, step);
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_CALL:
		pass_message(p, step, &p->slots[step->at]);
		break;
	case ES__GRAPH_AWAIT_MEMBER:
		pass_member(p, step, &p->slots[step->at]);
		break;
	case ES__GRAPH_WAITED:
		p->threads[step->thread].waited_ns = step->ns;
		break;
	}
}

/* ---- the pass */

static void
pass_edit(struct pass *p, const struct es__whatif_edit *edit)
{
	uint32_t count = p->model->graph->names.count;

	if (edit->groups != NULL)
		p->joins = true;
	for (uint32_t n = 0; n < count; n++) {
		if (!edit->selected[n])
			continue;
		if (edit->effect == ES__WHATIF_NOWAIT)
			p->nowait[n] = true;
		else if (edit->effect != ES__WHATIF_SCALE || edit->when != NULL)
			p->varies[n] = true;
		else
			p->factors[n] *= edit->factor;
	}
}

static bool
pass_alloc(struct pass *p)
{
	size_t activities = (size_t)p->model->graph->names.count + 1;
	size_t threads = (size_t)p->model->graph->thread_count + 1;

	p->factors = calloc(activities, sizeof(*p->factors));
	p->varies = calloc(activities, sizeof(*p->varies));
	p->nowait = calloc(activities, sizeof(*p->nowait));
	p->threads = calloc(threads, sizeof(*p->threads));
	p->slots =
	    calloc((size_t)p->model->graph->slot_count + 1, sizeof(*p->slots));
	p->spans =
	    calloc(threads * (p->setting->edit_count + 1), sizeof(*p->spans));
	p->epochs = calloc((size_t)p->model->rank_room + 1, sizeof(*p->epochs));
	p->parts = calloc(p->setting->edit_count + 1, sizeof(*p->parts));
	for (size_t n = 0; p->parts != NULL && n < p->setting->edit_count;
	     n++) {
		size_t count = p->setting->edits[n]->even.moved.count;

		p->parts[n] = calloc(count + 1, sizeof(**p->parts));
		if (p->parts[n] == NULL)
			return false;
	}
	return p->parts != NULL && p->factors != NULL && p->varies != NULL &&
	    p->nowait != NULL && p->threads != NULL && p->slots != NULL &&
	    p->spans != NULL && p->epochs != NULL;
}

static void
pass_free(struct pass *p)
{
	free(p->factors);
	free(p->varies);
	free(p->nowait);
	free(p->threads);
	free(p->slots);
	free(p->spans);
	free(p->epochs);
	for (size_t n = 0; p->parts != NULL && n < p->setting->edit_count; n++)
		free(p->parts[n]);
	free(p->parts);
	es__whatif_meetings_close(p->meetings);
}

static void
pass_typical(struct pass *p)
{
	struct es__graph_message message;

	for (unsigned n = 0;
	     p->model->typical != NULL && n < ES__TYPICAL_SIZES * 2; n++)
		if (es__graph_typical_message(p->model->typical,
			es__graph_typical_bytes(n / 2), n % 2 == 1, &message))
			p->typical_ns[n / 2][n % 2] = (double)message.ns;
}

static void
pass_begin(struct pass *p)
{
	const struct es__graph *g = p->model->graph;
	double start_ns = (double)g->start_ns;

	for (uint32_t n = 0; n < g->names.count; n++)
		p->factors[n] = 1;
	pass_typical(p);
	for (size_t n = 0; n < p->setting->edit_count; n++)
		pass_edit(p, p->setting->edits[n]);
	for (uint32_t t = 0; t < g->thread_count; t++) {
		p->threads[t].now.ns = start_ns;
		p->threads[t].path = PATHS_NONE;
		p->threads[t].measured_ns = g->start_ns;
		p->threads[t].spans = &p->spans[t * p->setting->edit_count];
	}
	for (size_t n = 0; n < 3; n++)
		p->edges[n] = (struct moment){ start_ns, 0 };
	p->edges[ES__GRAPH_ENDS].ns = -INFINITY;
}

static void
pass_steps(struct pass *p)
{
	struct es__graph_reader reader = es__graph_read(p->model->graph, false);
	uint32_t count = 1;

	while (count > 0) {
		const struct es__graph_step *steps =
		    es__graph_read_block(&reader, &count);

		for (uint32_t n = 0; n < count; n++)
			pass_step(p, &steps[n]);
	}
	for (uint32_t t = 0; t < p->model->graph->thread_count; t++)
		pass_settle(p, t);
}

static bool
pass_epochs(const struct pass *p, struct es__whatif_times *times)
{
	uint32_t first = p->epochs[p->model->ranks[0]];

	times->epoch_count = 1;
	times->epochs_agree = true;
	for (uint32_t t = 0; t < p->model->graph->thread_count; t++) {
		uint32_t count = p->epochs[p->model->ranks[t]];

		times->epochs_agree &= count == first;
		if (count + 1 > times->epoch_count)
			times->epoch_count = count + 1;
	}
	return times->epochs_agree;
}

/* Fills in the results of a replay; false: no memory. */
static bool
pass_result(const struct pass *p, struct es__whatif_times *times)
{
	uint32_t threads = p->model->graph->thread_count;
	const struct moment *from = &p->edges[ES__GRAPH_BEGINS];
	const struct moment *to = &p->edges[ES__GRAPH_ENDS];

	if (to->ns == -INFINITY)
		to = &p->edges[ES__GRAPH_INSIDE];
	*times = (struct es__whatif_times){ .from_ns = from->ns,
		.to_ns = to->ns,
		.slope = to->slope - from->slope,
		.backward = p->backward,
		.end_ns = calloc((size_t)threads + 1, sizeof(double)) };
	if (times->end_ns == NULL)
		return false;
	for (uint32_t t = 0; t < threads; t++)
		times->end_ns[t] = p->threads[t].now.ns;
	if (threads > 0)
		(void)pass_epochs(p, times);
	return true;
}

paths_status
es__whatif_pass(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting, struct es__whatif_times *times)
{
	struct pass p = { .model = model, .setting = setting };
	bool done = pass_alloc(&p) &&
	    es__whatif_meetings_open(setting->shapes, &p.meetings) == PATHS_OK;

	if (done) {
		pass_begin(&p);
		pass_steps(&p);
		done = pass_result(&p, times);
	}
	pass_free(&p);
	return done ? PATHS_OK :
		      paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
}
