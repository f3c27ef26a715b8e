/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/search_private.h - the terms of a search, and their test
 */

#ifndef VIEWER_EVENT_SEARCH_PRIVATE_H
#define VIEWER_EVENT_SEARCH_PRIVATE_H

#include "viewer/event/ops.h"

/* The terms of a search.  Patterns point into `text`; NULL: no such term. */
struct esv__search {
	struct esv_model *model;
	char *text;
	const char *op, *thread, *host, *element, *site, *bare;
	bool *sites; /* of the run, true: the term matches it */
	uint32_t site_count;
	uint64_t longer_ns, shorter_ns, step, seq, more_bytes, peer;
	bool has_longer, has_shorter, has_step, has_seq, has_bytes, has_peer;
};

/*
 * esv__search_parse - reads the words of a search
 *
 * s		all zero but for model
 *
 * Returns	PATHS_OK; PATHS_ESYNTAX: the term that is not understood;
 *		PATHS_EDAMAGED: view.db has no names of call sites; PATHS_ENOMEM
 * Ownership	the caller calls esv__search_fini in any case
 */
paths_status esv__search_parse(struct esv__search *s, const char *what)
    PATHS_CHECKED;
void esv__search_fini(struct esv__search *s);

/* Tests the terms that are the same for all operations of a thread. */
bool esv__search_thread(const struct esv__search *s, uint32_t thread);

/* Tests the other terms for a tuple, which may be no operation. */
bool esv__search_matches(const struct esv__search *s,
    const struct esv__ops *ops, uint64_t n);

#endif
