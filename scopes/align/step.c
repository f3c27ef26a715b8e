/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/step.c - clocks that were set
 *
 * On each link, the bounds of two neighbouring windows exclude each other when
 * one of its clocks jumped between them by more than the messages take, and no
 * rate explains the windows around them.  The host whose links jump together is
 * the one whose clock was set.  The jump is at the stamp where messages
 * contradict the clocks before and after it least.  It is taken out of the
 * stamps, and the search goes on.
 */

#include "scopes/align/step_private.h"

#include "scopes/align/coarse_private.h"
#include "scopes/align/hull_private.h"
#include "scopes/align/line_private.h"
#include "scopes/align/outlier_private.h"

#include "libpaths/base/array.h"

#include <math.h>
#include <stdlib.h>

#define JUMPS 32u
/* Windows before and after a jump that its size is computed from. */
#define AROUND 4u
/* Steps of the search for a rate that explains them. */
#define RATE_STEPS 120u

/* A jump between two windows of a link. */
struct step_candidate {
	struct es__align_link *link;
	double begin, end;	     /* of the windows, in stamps of host a */
	double before, after, slope; /* middles, at stamp 0 of host a */
	unsigned from, to;	     /* the windows */
};

/* A message with the time by which it is received too early, if the clock has
   not jumped yet, or has jumped. */
struct step_message {
	double stamp; /* on the host that jumped */
	double before, after;
};

static int
message_order(const void *left, const void *right)
{
	const struct step_message *a = left, *b = right;

	return a->stamp < b->stamp ? -1 : a->stamp > b->stamp;
}

/* Returns the middle of the common bounds of some windows. */
static double
step_middle(const struct es__align_coarse *s, unsigned from, unsigned to)
{
	double upper = INFINITY, lower = -INFINITY;

	for (unsigned n = from; n < to; n++) {
		const struct es__align_coarse_window *w = &s->windows[n];

		if (!es__align_coarse_bounds(w) || w->upper < w->lower)
			continue;
		upper = fmin(upper, w->upper);
		lower = fmax(lower, w->lower);
	}
	return (upper + lower) / 2;
}

/* Finds the first jump of a link behind a window; returns false if there is
   none. */
static bool
step_next(const struct es__align_coarse *s, unsigned *at,
    struct step_candidate *found)
{
	unsigned last = ES__ALIGN_COARSE;

	for (unsigned n = *at; n < s->count; n++) {
		const struct es__align_coarse_window *w = &s->windows[n], *v;
		unsigned after;
		double slack;

		if (!es__align_coarse_bounds(w) || w->upper < w->lower)
			continue;
		v = &s->windows[last == ES__ALIGN_COARSE ? n : last];
		slack = es__align_coarse_slack(s, n - last);
		if (last == ES__ALIGN_COARSE ||
		    (w->lower <= v->upper + slack &&
			w->upper >= v->lower - slack)) {
			last = n;
			continue;
		}
		after = n + AROUND < s->count ? n + AROUND : s->count;
		*found = (struct step_candidate){ .link = s->link,
			.begin = s->begin + s->length * last,
			.end = s->begin + s->length * (n + 1),
			.before = step_middle(s,
			    last + 1 > AROUND ? last + 1 - AROUND : 0,
			    last + 1),
			.after = step_middle(s, n, after),
			.slope = s->slope,
			.from = last,
			.to = n };
		*at = n;
		return true;
	}
	return false;
}

/* Adds the messages of a link in some windows to another link. */
static bool
step_collect(const struct es__align_coarse *s, unsigned from, unsigned to,
    struct es__align_link *part)
{
	for (size_t n = 0; n < s->link->count; n++) {
		const struct es__align_message *m = &s->link->messages[n];
		unsigned window = es__align_coarse_window(s, m);

		if (window < from || window >= to)
			continue;
		if (!paths__array_grow(&part->messages, part->count,
			&part->room, sizeof(*m)))
			return false;
		part->messages[part->count++] = *m;
	}
	return true;
}

/* Finds out whether a clock that did not jump explains the messages around a
   candidate, by its rate.  Around a time without messages there have to be as
   many windows with them, because a wrong rate adds up in it. */
static bool
step_is_rate(const struct es__align_coarse *s, const struct step_candidate *c,
    bool *is)
{
	struct es__align_slopes slopes = { 0, ES__ALIGN_SLOPE, RATE_STEPS };
	struct es__align_link part = { 0 };
	unsigned reach = c->to - c->from > AROUND ? c->to - c->from : AROUND;
	unsigned from = c->from + 1 > reach ? c->from + 1 - reach : 0;
	unsigned to = c->to + reach < s->count ? c->to + reach : s->count;
	bool done;

	part.line.centre = s->begin + s->length * (from + to) / 2;
	done = step_collect(s, from, to, &part) &&
	    es__align_hulls(&part) == PATHS_OK;
	if (done)
		*is = es__align_line_find(&part, 0, slopes).margin >= 0;
	es__align_hulls_fini(&part);
	free(part.messages);
	return done;
}

struct steps {
	struct es__align *align;
	struct step_candidate *found;
	size_t count, room;
};

/* Adds a candidate, if it is a jump. */
static bool
steps_add(struct steps *steps, const struct es__align_coarse *s,
    const struct step_candidate *found)
{
	bool is_rate = false;

	if (!step_is_rate(s, found, &is_rate))
		return false;
	if (is_rate)
		return true;
	if (!paths__array_grow(&steps->found, steps->count, &steps->room,
		sizeof(*found)))
		return false;
	steps->found[steps->count++] = *found;
	return true;
}

static paths_status
steps_find(struct steps *steps)
{
	struct es__align_coarse *s = malloc(sizeof(*s));
	bool done = s != NULL;

	steps->count = 0;
	for (size_t l = 0; done && l < steps->align->link_count; l++) {
		struct step_candidate found;
		unsigned at = 0;

		if (!es__align_coarse_open(s, &steps->align->links[l]))
			continue;
		/* Before jumps are taken out of stamps. */
		if (steps->align->jump_count == 0 && !es__align_outliers(s))
			continue;
		while (done && step_next(s, &at, &found))
			done = steps_add(steps, s, &found);
	}
	free(s);
	return done ? PATHS_OK : PATHS_ENOMEM;
}

static bool
link_has(const struct es__align_link *link, uint32_t host)
{
	return link->a == host || link->b == host;
}

/* Returns the candidate as a jump of one of its hosts. */
static double
step_ahead(const struct step_candidate *c, uint32_t host)
{
	return c->link->b == host ? c->after - c->before : c->before - c->after;
}

/* Returns the share of the links of a host that jump together with a
   candidate; hosts with few links come first. */
static double
steps_share(const struct steps *steps, const struct step_candidate *c,
    uint32_t host)
{
	double ahead = step_ahead(c, host);
	unsigned links = 0, same = 0;

	for (size_t l = 0; l < steps->align->link_count; l++)
		links += link_has(&steps->align->links[l], host) &&
		    steps->align->links[l].count > 0;
	for (size_t n = 0; n < steps->count; n++) {
		const struct step_candidate *o = &steps->found[n];

		same += link_has(o->link, host) &&
		    fabs(step_ahead(o, host) - ahead) < fabs(ahead) / 2;
	}
	return (double)same / links - 1e-6 * links;
}

/* Collects the messages of a host near a jump. */
static bool
steps_collect(const struct steps *steps, const struct step_candidate *c,
    uint32_t host, struct step_message **messages, size_t *count)
{
	double ahead = step_ahead(c, host);
	size_t room = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const struct step_candidate *o = &steps->found[i];

		if (!link_has(o->link, host) ||
		    fabs(step_ahead(o, host) - ahead) >= fabs(ahead) / 2)
			continue;
		for (size_t n = 0; n < o->link->count; n++) {
			const struct es__align_message *m =
			    &o->link->messages[n];
			double sign = m->back != 0 ? -1 : 1;
			double gap =
			    sign * (m->y - m->x - o->slope * m->x - o->before);
			double moved = gap - sign * (o->after - o->before);
			struct step_message s = { host == o->link->a ? m->x :
								       m->y,
				gap < 0 ? -gap : 0, moved < 0 ? -moved : 0 };

			if (m->x < o->begin || m->x > o->end)
				continue;
			if (!paths__array_grow(messages, *count, &room,
				sizeof(s)))
				return false;
			(*messages)[(*count)++] = s;
		}
	}
	return true;
}

/* Returns the stamp from which on the clock had jumped.  A clock that was set
   forward has no stamps for `ahead` before that. */
static double
steps_split(struct step_message *messages, size_t count, double ahead)
{
	double sum = 0, best, first, last;

	qsort(messages, count, sizeof(*messages), message_order);
	for (size_t n = 0; n < count; n++)
		sum += messages[n].after;
	best = sum;
	first = last = messages[0].stamp;
	for (size_t n = 0; n < count; n++) {
		double next =
		    n + 1 < count ? messages[n + 1].stamp : messages[n].stamp;

		sum += messages[n].before - messages[n].after;
		if (sum < best) {
			best = sum;
			first = messages[n].stamp;
			last = next;
		} else if (sum <= best) {
			last = next;
		}
	}
	return fmin((first + last + fmax(ahead, 0)) / 2, last);
}

/* Takes a jump out of the stamps of a host. */
static void
steps_apply(struct es__align *align, const struct es__align_jump *jump)
{
	for (size_t l = 0; l < align->link_count; l++) {
		struct es__align_link *link = &align->links[l];

		for (size_t n = 0; n < link->count; n++) {
			struct es__align_message *m = &link->messages[n];

			if (link->a == jump->host && m->x >= jump->at)
				m->x -= jump->ahead;
			if (link->b == jump->host && m->y >= jump->at)
				m->y -= jump->ahead;
		}
	}
}

static paths_status
steps_repair(struct steps *steps)
{
	struct es__align *align = steps->align;
	const struct step_candidate *c = &steps->found[0];
	struct step_message *messages = NULL;
	struct es__align_jump jump;
	size_t count = 0;
	bool done;

	/* The largest jump is the clearest one. */
	for (size_t n = 1; n < steps->count; n++)
		if (fabs(steps->found[n].after - steps->found[n].before) >
		    fabs(c->after - c->before))
			c = &steps->found[n];
	jump.host = steps_share(steps, c, c->link->a) >
		steps_share(steps, c, c->link->b) ?
	    c->link->a :
	    c->link->b;
	jump.ahead = round(step_ahead(c, jump.host));
	done = steps_collect(steps, c, jump.host, &messages, &count) &&
	    paths__array_grow(&align->jumps, align->jump_count,
		&align->jump_room, sizeof(jump));
	if (done && count > 0) {
		jump.at = steps_split(messages, count, jump.ahead);
		align->jumps[align->jump_count++] = jump;
		steps_apply(align, &jump);
	}
	free(messages);
	return done ? PATHS_OK : PATHS_ENOMEM;
}

paths_status
es__align_steps(struct es__align *align)
{
	struct steps steps = { .align = align };
	paths_status st = steps_find(&steps);

	while (st == PATHS_OK && steps.count > 0 && align->jump_count < JUMPS) {
		size_t before = steps.count;

		st = steps_repair(&steps);
		if (st == PATHS_OK)
			st = steps_find(&steps);
		if (steps.count >= before)
			break;
	}
	free(steps.found);
	return st;
}
