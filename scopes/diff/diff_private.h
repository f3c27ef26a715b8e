/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/diff_private.h - the times of two runs, side by side
 */

#ifndef SCOPES_DIFF_DIFF_PRIVATE_H
#define SCOPES_DIFF_DIFF_PRIVATE_H

#include "scopes/diff.h"
#include "scopes/run/intern_private.h"

#include <stdbool.h>

/* Greatest number of causes. */
#define ES__DIFF_CAUSES 3

/* The place of computations that are not divided. */
#define ES__DIFF_BETWEEN "between the calls"

/* Greatest number of notes. */
#define ES__DIFF_NOTES 16

/* The identity of an entry.  Members are numbers of texts. */
struct es__diff_key {
	uint32_t who, where, kind;
};

/* The time of a thread in one kind of time of one activity. */
struct es__diff_entry {
	struct es__diff_key key;
	uint32_t function, site; /* texts */
	/* Texts of the places where a computation begins and ends; UINT32_MAX:
	   none. */
	uint32_t begin, end;
	double ns[2];
	double path_ns[2]; /* part on the critical path */
	double renamed_ns; /* part that has another name in the other run; see
			      es__diff_renamed */
};

/* Some iterations of a loop in a thread of one run. */
struct es__diff_bin {
	uint32_t run;	    /* 0 or 1 */
	uint32_t loop, who; /* texts */
	bool steps;	    /* they are the steps of the program */
	bool waits;	    /* their waiting is known */
	uint64_t first, count;
	double kinds[ES_DIFF_OUTSIDE]; /* computing, operations, waiting */
};

struct es__diff_side {
	char *name;
	double elapsed_ns;
	uint32_t threads;
	uint64_t steps; /* iterations of the loop of the steps */
	/* Text: program, iterations or operations, see the table meta. */
	uint32_t source;
	bool traced; /* waiting is known */
	bool mpi;    /* its threads are those of ranks, one each */
	bool calls;  /* it is a run of MPI: places are code, not stages */
	/* Waiting of all threads as steps count it; below 0: not known. */
	double waiting_ns;
};

/* The time that a thread waited for another one. */
struct es__diff_blame {
	uint32_t waiter, culprit; /* texts */
	double ns[2];
};

/* Greatest number of threads that a sentence names as waited for. */
#define ES__DIFF_WAITS 3

/* The threads that are no cause and wait longer for the same thread. */
struct es__diff_wait {
	uint32_t culprit; /* text; UINT32_MAX: the causes */
	uint32_t who;	  /* text: one of them */
	uint32_t count;
};

struct es_diff {
	struct es__diff_side sides[2];
	bool mean;  /* the runs have different numbers of threads */
	bool mixed; /* only one of them has a trace */
	struct es__intern texts;
	struct es__intern keys; /* of entries: its numbers are their indices */
	struct es__diff_entry *entries;
	size_t entry_room;
	struct es__diff_bin *bins;
	size_t bin_count, bin_room;
	struct es__diff_blame *blames; /* in any order */
	size_t blame_count, blame_room;
	struct es_diff_row total;
	struct es_diff_row loops_total; /* its waiting is that of steps */
	struct es_diff_cause causes[ES__DIFF_CAUSES];
	size_t cause_count;
	uint32_t others; /* number of threads that are no cause */
	struct es__diff_wait waits[ES__DIFF_WAITS]; /* most threads first */
	size_t wait_count;
	uint32_t waiting_else; /* threads that wait longer, but for none of
				  these */
	char *text;
	const char *notes[ES__DIFF_NOTES];
	size_t note_count;
};

/* Returns a text by its number. */
static inline const char *
es__diff_name(const struct es_diff *d, uint32_t number)
{
	return d->texts.all[number].bytes;
}

/* Returns 1 if the second run takes longer, else -1. */
static inline double
es__diff_sign(const struct es_diff *d)
{
	return d->sides[1].elapsed_ns < d->sides[0].elapsed_ns ? -1 : 1;
}

#endif
