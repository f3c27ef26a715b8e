/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/interval_slice.h - the operations of a thread in a slice of time
 */

#ifndef VIEWER_EVENT_INTERVAL_SLICE_H
#define VIEWER_EVENT_INTERVAL_SLICE_H

#include "viewer/event/interval.h"
#include "viewer/event/ops.h"
#include "viewer/timeline/spans.h"

#include "libpaths/base/hash.h"

/* A cell or a pair with numbers of its process: `site` and `target` are not
   those of the run yet. */
struct esv__interval_item {
	struct esv_interval_cell cell;
	bool used;
};
struct esv__interval_sent {
	struct esv_interval_pair pair;
	bool used;
};

struct esv__interval_waited {
	struct esv_interval_blame blame;
	bool used;
};

/* The sums of one worker. */
struct esv__interval_sums {
	struct paths__hash cells;  /* of struct esv__interval_item */
	struct paths__hash pairs;  /* of struct esv__interval_sent */
	struct paths__hash blames; /* of struct esv__interval_waited */
	struct esv_interval_thread *threads;
	uint64_t bins[ESV_INTERVAL_BINS];
	/* Scratch memory: waits of the slice, and collectors of the thread. */
	struct esv__spans spans;
	struct esv__interval_feed *feeds;
	size_t feed_count, feed_room;
};

/* A part of the work. */
struct esv__interval_slice {
	uint32_t thread;
	int64_t from_ns, to_ns;
	int64_t active_ns[2]; /* part of it in which the thread is active */
};

extern const struct paths__hash_kind esv__interval_cells;
extern const struct paths__hash_kind esv__interval_pairs;
extern const struct paths__hash_kind esv__interval_blames;

/*
 * esv__interval_slice_add - add the operations of a slice to sums
 *
 * sums->spans has the waits of the slice.
 *
 * Returns	false: no memory
 */
bool esv__interval_slice_add(const struct esv_model *model,
    const struct esv__interval_slice *slice, struct esv__interval_sums *sums);

void esv__interval_sums_fini(struct esv__interval_sums *sums);

#endif
