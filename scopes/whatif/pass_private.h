/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/pass_private.h - replays a run with changes, and finds the
 * slope of its length
 *
 * Times are in ns since the start of the run.  A double represents every whole
 * number of ns up to 100 days.
 *
 * Each time has a slope: its derivative with respect to a parameter that is
 * added to the travel of messages.  The maximum of two equal times has the
 * larger slope, so that a slope is the right-hand derivative.
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

/* Interval [start_ns, stop_ns) of the measured time of a thread. */
struct es__whatif_span {
	int64_t start_ns, stop_ns;
};

/* Intervals of a thread, in ascending order. */
struct es__whatif_spans {
	const struct es__whatif_span *list;
	size_t count;
};

/* Time of the selected computations, by epoch (model_private.h) and rank. */
struct es__whatif_even {
	double *sums; /* in ns; index: epoch * ranks + rank */
	/* EVEN: for each epoch, the mean over the ranks whose sum is not 0.
	   SHARE: for each rank, its sum after the change; there is one
	   epoch. */
	double *means;
	size_t epoch_count, sum_room;
	bool whole; /* the run is taken as one epoch */
	struct es__whatif_moved moved;
};

enum es__whatif_effect {
	ES__WHATIF_SCALE, /* own time is multiplied by a factor */
	ES__WHATIF_EVEN,  /* computations get the mean length over ranks */
	/* Time above the mean over ranks moves to other ranks. */
	ES__WHATIF_SHARE,
	/* Operations do not wait for members of a collective. */
	ES__WHATIF_NOWAIT,
};

/* A change of the activities of a run. */
struct es__whatif_edit {
	enum es__whatif_effect effect;
	/* For each activity: it is changed.  NOWAIT: the operation behind a
	   selected computation is changed. */
	bool *selected;
	/* NOWAIT in a run of paths: for each group of a step JOIN, whether
	   operations do not wait for the other members.  NULL: all wait. */
	const bool *groups;
	/* By thread: when it applies; NULL: always. */
	struct es__whatif_spans *when;
	double factor;		     /* SCALE */
	struct es__whatif_even even; /* EVEN, SHARE */
};

/* Added to the travel of messages. */
struct es__whatif_travel {
	double latency_ns, ns_per_byte;
};

/* A computation or an operation that ends in a replay. */
struct es__whatif_event {
	uint32_t thread, activity;
	uint32_t epoch;	 /* of its rank */
	double start_ns; /* begin in the replay */
	double wait_ns;	 /* waiting of an operation */
	double own_ns;	 /* length without waiting */
	/* lost_ns: part of the measured own time in which the thread was
	   without a core; measured_ns: the other part. */
	int64_t measured_ns, lost_ns;
	int64_t from_ns; /* measured begin */
	/* The message that ended the measured wait; link is ES__WHATIF_LINKS if
	   no message did. */
	enum es__whatif_link link;
	uint64_t bytes;
	bool members; /* the operation waits for members of a collective */
	bool part;    /* a computation of length 0 inside of an operation */
	bool changes; /* a computation inside the measured interval, whose
			 length may be changed */
};

typedef void es__whatif_watch(void *to, const struct es__whatif_event *event);

struct es__whatif_setting {
	const struct es__whatif_edit *const *edits;
	size_t edit_count;
	struct es__whatif_travel travel[ES__WHATIF_LINKS];
	/* Returns ns that are also added to the travel of a message; NULL:
	   none. */
	es_whatif_message *message;
	void *message_from;
	/* Travel that is added for each ns of the parameter of slopes. */
	struct es__whatif_travel slope[ES__WHATIF_LINKS];
	uint64_t eager_bytes; /* as in struct es__graph_changes */
	/* Operations take no time of their own, only wait. */
	bool ideal;
	/* NULL: joins stay as in the run. */
	const struct es__whatif_shapes *shapes;
	/* Negative lengths, which result from clocks that contradict each
	   other, count as 0; es__whatif_times.backward tells if there are
	   any. */
	bool forward;
	/* Time in which a thread was without a core stays in the replay.
	   Otherwise it is left out, and the replay is as long as the run would
	   be on a machine with enough cores. */
	bool elapsed;
	es__whatif_watch *watch; /* NULL: none */
	void *to;
};

struct es__whatif_times {
	double from_ns, to_ns; /* the measured interval */
	double slope;	       /* slope of the length of the interval */
	double *end_ns;	       /* end of each thread */
	uint32_t epoch_count;  /* largest number of epochs of a rank, plus 1 */
	bool epochs_agree;     /* all ranks have the same number of epochs */
	/* A step has a negative length, because clocks contradict each
	   other. */
	bool backward;
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
