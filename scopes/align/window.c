/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/window.c - bounds of offsets in windows of time
 *
 * A window is as long as it takes for most links to have WANTED messages, and
 * at least a second: within it a clock of a fixed rate wanders by little.
 */

#include "scopes/align/window_private.h"

#include <math.h>
#include <stdlib.h>

#define WINDOW_NS 1e9
#define WINDOWS_LEAST 8.0
#define WINDOWS_MOST 4096.0
/* Messages of a link in a window; and at least, so that short runs have a few
   windows. */
#define WANTED 40.0
#define NEEDED 8.0

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Returns the median number of messages of links. */
static double
windows_median(const struct es__align *align, double *counts)
{
	size_t count = 0;

	for (size_t n = 0; n < align->link_count; n++)
		if (align->links[n].line.bounded)
			counts[count++] = (double)align->links[n].count;
	qsort(counts, count, sizeof(*counts), number_order);
	return count > 0 ? counts[count / 2] : 0;
}

/* Sets the begin of windows; returns the time until the last message. */
static double
windows_span(struct es__align *align)
{
	double first = INFINITY, last = -INFINITY;

	for (uint32_t h = 0; h < align->host_count; h++) {
		const struct es__align_host *host = &align->hosts[h];

		if (!host->connected || host->first > host->last)
			continue;
		first = fmin(first, es__align_line_time(host, host->first));
		last = fmax(last, es__align_line_time(host, host->last));
	}
	align->begin = first <= last ? first : 0;
	return first < last ? last - first : 1;
}

paths_status
es__align_windows(struct es__align *align)
{
	double *counts = calloc(align->link_count + 1, sizeof(*counts));
	double span, messages, count;

	if (counts == NULL)
		return PATHS_ENOMEM;
	span = windows_span(align);
	messages = windows_median(align, counts);
	free(counts);
	count = fmin(span / WINDOW_NS, messages / WANTED);
	count = fmax(count, fmin(WINDOWS_LEAST, messages / NEEDED));
	count = ceil(fmax(count, 1)) * (1u << align->finer);
	count = fmin(count, WINDOWS_MOST);
	align->window_count = (uint32_t)count;
	align->length = span / count;
	align->per_ns = count / span;
	for (uint32_t h = 0; h < align->host_count; h++) {
		struct es__align_host *host = &align->hosts[h];

		free(host->corners);
		host->corners =
		    calloc(align->window_count + 1, sizeof(*host->corners));
		if (host->corners == NULL)
			return PATHS_ENOMEM;
	}
	return PATHS_OK;
}

void
es__align_windows_fill(const struct es__align *align,
    const struct es__align_link *link, const struct es__align_filter *filter,
    struct es__align_window *windows)
{
	const struct es__align_ends ends = es__align_ends(align, link);
	double per_byte = filter->sized ? link->per_byte : 0;

	for (uint32_t n = 0; n < align->window_count; n++)
		windows[n] =
		    (struct es__align_window){ INFINITY, -INFINITY, 0, 0 };
	for (size_t n = 0; n < link->count; n++) {
		const struct es__align_message *m = &link->messages[n];
		double at = es__align_time(&ends.align, &ends.a, m->x);
		double ahead = es__align_time(&ends.align, &ends.b, m->y) - at;
		struct es__align_window *w =
		    &windows[es__align_window_at(&ends.align,
			es__align_where(&ends.align, at))];

		if (m->back != 0) {
			ahead += per_byte * m->bytes;
			if (ahead > w->lower && -ahead >= filter->back) {
				w->lower = ahead;
				w->lower_at = at;
			}
		} else {
			ahead -= per_byte * m->bytes;
			if (ahead < w->upper && ahead >= filter->there) {
				w->upper = ahead;
				w->upper_at = at;
			}
		}
	}
}

/* Returns whether the clock of a host jumps in a window. */
static bool
host_jumps(const struct es__align *align, uint32_t h, uint32_t window)
{
	double begin = align->begin + window * align->length;

	for (size_t n = 0; n < align->jump_count; n++) {
		const struct es__align_jump *j = &align->jumps[n];
		double at = es__align_line_time(&align->hosts[h],
		    es__align_plain(align, h, n, j->at));

		if (j->host == h && at + 2 * fabs(j->ahead) >= begin &&
		    at - 3 * fabs(j->ahead) <= begin + align->length)
			return true;
	}
	return false;
}

bool
es__align_window_jumps(const struct es__align *align,
    const struct es__align_link *link, uint32_t window)
{
	return host_jumps(align, link->a, window) ||
	    host_jumps(align, link->b, window);
}
