/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/pass_private.h - replays a run with changes, and finds the
 * slope of its length
 *
 * Times are in ns since the start of the run.  A double holds each whole number
 * of ns of 100 days.
 *
 * Each time has a slope: its derivative by a parameter that changes the travel
 * of messages.  Of two equal times the one with the larger slope counts, so
 * that it is the derivative to the right.
 *
 * Source	Shen, Bonato, Hoefler et al.: LLAMP: Assessing Network Latency
 *		Tolerance of HPC Applications with Linear Programming, 2024
 */

#ifndef SCOPES_WHATIF_PASS_PRIVATE_H
#define SCOPES_WHATIF_PASS_PRIVATE_H

#include "scopes/whatif.h"
#include "scopes/whatif/model_private.h"
#include "scopes/whatif/moved_private.h"
#include "scopes/whatif/shape_private.h"

/* Time of a thread from start_ns on, before stop_ns. */
struct es__whatif_span {
	int64_t start_ns, stop_ns;
};

/* Spans of measured time of a thread, in ascending order. */
struct es__whatif_spans {
	const struct es__whatif_span *list;
	size_t count;
};

/* The time of selected computations, by epoch and rank. */
struct es__whatif_even {
	double *sums; /* of epoch * ranks + rank */
	/* EVEN: of each epoch, the mean over the ranks whose sum is not 0.
	   SHARE: the sum that each rank gets; there is one epoch. */
	double *means;
	size_t epoch_count, sum_room;
	bool whole; /* the run is taken as one epoch */
	struct es__whatif_moved moved;
};

enum es__whatif_effect {
	ES__WHATIF_SCALE,  /* own time takes a factor of its time */
	ES__WHATIF_EVEN,   /* computations take their mean over ranks */
	ES__WHATIF_SHARE,  /* an excess over the mean moves to other ranks */
	ES__WHATIF_NOWAIT, /* operations do not wait for members */
};

/* A change of the activities of a run. */
struct es__whatif_edit {
	enum es__whatif_effect effect;
	/* By activity: it is changed.  NOWAIT: it is a computation, and
	   the operation that follows is changed. */
	bool *selected;
	/* NOWAIT in a run of paths: of each group of a step JOIN, operations do
	   not wait for the others in it.  NULL: for none. */
	const bool *groups;
	struct es__whatif_spans *when; /* of each thread; NULL: always */
	double factor;		       /* SCALE */
	struct es__whatif_even even;   /* EVEN, SHARE */
};

/* Added to the travel of messages. */
struct es__whatif_travel {
	double latency_ns, ns_per_byte;
};

/* A computation or an operation that ends in a replay. */
struct es__whatif_event {
	uint32_t thread, activity;
	uint32_t epoch;	 /* of its rank */
	double start_ns; /* when it begins */
	double wait_ns;	 /* of an operation */
	double own_ns;	 /* of it, without waiting */
	/* Measured own time, less lost_ns: what it was without a core. */
	int64_t measured_ns, lost_ns;
	int64_t from_ns; /* measured begin */
	/* The message that ended the measured wait; link ES__WHATIF_LINKS:
	   another thing did. */
	enum es__whatif_link link;
	uint64_t bytes;
	bool members; /* it waits for members of a collective */
	bool part;    /* a computation of no time inside of an operation */
	bool changes; /* a computation inside the measured interval, whose
			 length may be changed */
};

typedef void es__whatif_watch(void *to, const struct es__whatif_event *event);

struct es__whatif_setting {
	const struct es__whatif_edit *const *edits;
	size_t edit_count;
	struct es__whatif_travel travel[ES__WHATIF_LINKS];
	/* Also added to the travel of each message; NULL: nothing is. */
	es_whatif_message *message;
	void *message_from;
	/* The parameter of slopes changes the travel by this much. */
	struct es__whatif_travel slope[ES__WHATIF_LINKS];
	uint64_t eager_bytes; /* as in struct es__graph_changes */
	bool ideal;	      /* operations take no time of their own */
	const struct es__whatif_shapes *shapes; /* NULL: joins stay */
	/* Nothing takes less than no time, as it seems to where clocks
	   contradict each other; es__whatif_times.backward tells it. */
	bool forward;
	/* Time without a core stays; otherwise it is left out, and a replay is
	   as long as the run on a machine with enough cores.  The same if no
	   core was lost. */
	bool elapsed;
	es__whatif_watch *watch; /* NULL: none */
	void *to;
};

struct es__whatif_times {
	double from_ns, to_ns; /* the measured interval */
	double slope;	       /* of its length */
	double *end_ns;	       /* of each thread */
	uint32_t epoch_count;  /* the most of a rank, and 1 */
	bool epochs_agree;     /* each rank has as many */
	bool backward;	       /* clocks contradict each other: a step takes
				  less than no time */
};

/* Returns a setting without a change. */
struct es__whatif_setting es__whatif_unchanged(
    const struct es__whatif_model *model);

/*
 * es__whatif_pass - replay a run
 *
 * times	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees times->end_ns
 */
paths_status es__whatif_pass(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting, struct es__whatif_times *times)
    PATHS_CHECKED;

static inline double
es__whatif_length(const struct es__whatif_times *times)
{
	return times->to_ns - times->from_ns;
}

#endif
