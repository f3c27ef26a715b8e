/* SPDX-License-Identifier: MIT */
/*
 * collectors/change.h - finds what has changed in an event space, besides its
 * tuples
 *
 * Profiles, matrices, modes, rows and logs are changed in place by their
 * process.  A pass over the space returns the bytes that changed since the pass
 * before: first the headers of added parts, then rows, and logs last, because a
 * definition in a log is written before the first row that refers to it.  Each
 * row is whole.  Together with the tuples this is all that a copy needs
 * (copy.h).
 */

#ifndef COLLECTORS_CHANGE_H
#define COLLECTORS_CHANGE_H

#include "collectors/space.h"

PATHS_BEGIN_DECLS

struct es_change;

/*
 * es_change_open - makes the memory of what is known of a space
 *
 * change	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_change_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_change_open(struct es_change **change) PATHS_CHECKED;

/*
 * es_change_begin - begins a pass
 *
 * space	the space; the same one as in earlier passes, possibly opened
 *		again because parts were added
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 * Ownership	borrows space until the next call or es_change_close
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_change_begin(struct es_change *change,
    const struct es_space *space) PATHS_CHECKED;

/* Bytes that have changed. */
struct es_change_piece {
	void *to;	 /* where they are copied to */
	size_t room;	 /* their number at most */
	uint64_t offset; /* out: their place in the file */
	size_t bytes;	 /* out: their number; 0: the next ones have no room */
};

/*
 * es_change_next - gets the next bytes that have changed
 *
 * logs		false: those of logs are left for a later call
 * piece	in and out
 *
 * Returns	true; false: the pass has ended, or only logs are left
 * Threads	one at a time
 * Since	0.1
 */
ES_API bool es_change_next(struct es_change *change, bool logs,
    struct es_change_piece *piece);

/*
 * es_change_close - frees the memory
 *
 * change	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one at a time
 * Since	0.1
 */
ES_API void es_change_close(struct es_change *change);

PATHS_END_DECLS

#endif
