/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/joins.h - operations that meet at a join, and the last one
 */

#ifndef VIEWER_EVENT_JOINS_H
#define VIEWER_EVENT_JOINS_H

#include "viewer/model/model.h"

#include <stdbool.h>

/* An input of a join, a row of the table join_input. */
struct esv__input {
	uint32_t stage;
	uint32_t path;	/* NONE: the input is the tail of the stage `above` */
	uint32_t above; /* NONE: the input is `path` */
	uint32_t collector; /* NONE: arrivals are not recorded */
};

struct esv__joins {
	const struct esv_model *model;
	struct esv__input *inputs; /* in order of stages */
	size_t room;
	uint32_t count;
};

/* An arrival at a join. */
struct esv__arrival {
	int64_t ns;
	uint32_t thread; /* NONE: not known */
};

/*
 * esv__joins_open - read the inputs of all joins
 *
 * Ownership	the caller calls esv__joins_close, also after a failure
 */
paths_status esv__joins_open(struct esv_model *model, struct esv__joins *joins)
    PATHS_CHECKED;
void esv__joins_close(struct esv__joins *joins);

/* Return the input by which a path, or the tail of a join, enters the next
   join; NULL: it enters none. */
const struct esv__input *esv__joins_of_path(const struct esv__joins *joins,
    uint32_t path);
const struct esv__input *esv__joins_after(const struct esv__joins *joins,
    uint32_t stage);

/*
 * esv__joins_arrival - the time at which operation seq arrived at an input
 *
 * Returns	true; false: the arrival is not recorded
 */
bool esv__joins_arrival(const struct esv__joins *joins,
    const struct esv__input *input, uint64_t seq, int64_t *ns);

/*
 * esv__joins_last - the last arrival at a join
 *
 * If the last input is the tail of a join above it, the thread is the last one
 * that arrived there.
 *
 * Returns	true; false: some arrivals are not recorded
 */
bool esv__joins_last(const struct esv__joins *joins, uint32_t stage,
    uint64_t seq, struct esv__arrival *last);

/* Calls back for each path that leads to a join, also through other joins. */
typedef paths_status esv__joins_each(void *to, uint32_t path);
paths_status esv__joins_paths(const struct esv__joins *joins, uint32_t stage,
    esv__joins_each *each, void *to) PATHS_CHECKED;

#endif
