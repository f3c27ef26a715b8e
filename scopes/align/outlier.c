/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/outlier.c - messages with a wrong stamp
 *
 * A message that is received long before it is sent excludes the bounds of all
 * messages in the other direction.  One such message would decide on the clock
 * in its window.  It is left out if the window has no other contradiction, and
 * it contradicts the messages of the windows before and behind, too.  A clock
 * that was set contradicts those on one side only, and is no outlier.
 *
 * Which of the two stamps is wrong is not known, and the clock itself may have
 * been wrong for a moment, so no bound follows from the link in this window.
 */

#include "scopes/align/outlier_private.h"

#include <math.h>
#include <string.h>

/* Messages that are left out, at most, and searches for more. */
#define SHARE 100u
#define ROUNDS 8u

/* The least two upper bounds of a window, or with sign -1 the lower bounds,
   all times -1. */
struct extreme {
	double first, second;
	size_t message; /* of the first */
};

static bool
window_is_empty(const struct es__align_coarse_window *w)
{
	return es__align_coarse_bounds(w) && w->upper < w->lower;
}

/* Finds the extremes of all windows in one direction. */
static void
extremes_find(const struct es__align_coarse *s, unsigned back,
    struct extreme *extremes)
{
	double sign = back != 0 ? -1 : 1;

	for (unsigned n = 0; n < s->count; n++)
		extremes[n] = (struct extreme){ INFINITY, INFINITY, 0 };
	for (size_t n = 0; n < s->link->count; n++) {
		const struct es__align_message *m = &s->link->messages[n];
		struct extreme *e = &extremes[es__align_coarse_window(s, m)];
		double bound = sign * es__align_coarse_ahead(s, m);

		if (m->back != back || bound >= e->second)
			continue;
		if (bound >= e->first) {
			e->second = bound;
			continue;
		}
		e->second = e->first;
		e->first = bound;
		e->message = n;
	}
}

/* Returns whether all others contradict the first extreme of a window, and none
   the second; others: extremes in the other direction. */
static bool
extreme_is_outlier(const struct es__align_coarse *s, unsigned n,
    const struct extreme *own, const struct extreme *others)
{
	double slack = es__align_coarse_slack(s, 1);

	if (n == 0 || n + 1 >= s->count)
		return false;
	for (unsigned i = n - 1; i <= n + 1; i++) {
		/* An upper bound, and minus a lower bound. */
		if (!(own[n].first + others[i].first < -slack) ||
		    own[n].second + others[i].first < -slack)
			return false;
	}
	return isfinite(own[n].second);
}

/* Moves a message behind those that count. */
static void
link_leave_out(struct es__align_link *link, size_t n)
{
	struct es__align_message m = link->messages[n];

	memmove(&link->messages[n], &link->messages[n + 1],
	    (link->count - 1 - n) * sizeof(m));
	link->messages[--link->count] = m;
	link->left_out++;
}

/* Leaves out the last outlier of a link; returns whether there is one. */
static bool
outliers_take(struct es__align_coarse *s)
{
	struct extreme extremes[2][ES__ALIGN_COARSE];
	unsigned empty = 0;

	while (empty < s->count && !window_is_empty(&s->windows[empty]))
		empty++;
	if (empty == s->count)
		return false;
	extremes_find(s, 0, extremes[0]);
	extremes_find(s, 1, extremes[1]);
	for (unsigned n = s->count; n-- > empty;)
		for (unsigned back = 0; back < 2; back++) {
			if (!extreme_is_outlier(s, n, extremes[back],
				extremes[1 - back]))
				continue;
			link_leave_out(s->link, extremes[back][n].message);
			return true;
		}
	return false;
}

bool
es__align_outliers(struct es__align_coarse *s)
{
	struct es__align_link *link = s->link;
	size_t most = (link->count + link->left_out) / SHARE;
	bool open = true;

	for (unsigned round = 0; open && round < ROUNDS &&
	     link->left_out < most && outliers_take(s);
	     round++)
		open = es__align_coarse_open(s, link);
	return open;
}
