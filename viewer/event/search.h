/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/search.h - the next operation that matches a search
 */

#ifndef VIEWER_EVENT_SEARCH_H
#define VIEWER_EVENT_SEARCH_H

#include "viewer/event/event.h"

/*
 * esv_event_search - find the next operation of any thread that matches
 *
 * what		terms that must all hold: op=NAME, thread=PATTERN,
 *		host=PATTERN, element=PATTERN, site=PATTERN (a function of the
 *		call path, its FILE or FILE:LINE, or the number of the site),
 *		dur>TIME (1us, 3ms ...), dur<TIME, step=N, seq=N, bytes>N,
 *		peer=N, or a bare word: part of the name of an operation or
 *		thread
 * direction	1: the first that starts after from_ns; -1: the last before
 *
 * Returns	as esv_event_at; PATHS_ESYNTAX: the term that is not understood
 */
paths_status esv_event_search(struct esv_model *model, const char *what,
    double from_ns, int direction, struct esv_event *event) PATHS_CHECKED;

#endif
