/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff.h - compares two runs
 *
 * The time of a thread in the measured interval of a run is the sum of the
 * time that it computes, is in operations, waits in them, and is outside of
 * its operations.  A comparison divides the difference of the times of two
 * runs in the same way, so nothing is counted twice.
 *
 * Threads of the same name are compared, and activities with the same function,
 * file and line.  If the runs have different numbers of threads, the means of
 * their threads are compared.
 */

#ifndef SCOPES_DIFF_H
#define SCOPES_DIFF_H

#include "scopes/store.h"

PATHS_BEGIN_DECLS

struct es_diff;

enum es_diff_kind {
	ES_DIFF_COMPUTING,  /* between operations */
	ES_DIFF_OPERATIONS, /* MPI calls and operations, without waiting */
	ES_DIFF_WAITING,    /* for other threads, in operations */
	ES_DIFF_OUTSIDE,    /* before the first operation or after the last */
	ES_DIFF_KINDS
};

/* The rows of a table. */
enum es_diff_by {
	ES_DIFF_BY_THREAD,
	ES_DIFF_BY_ACTIVITY, /* an operation at a call site, or a computation
				between two of them */
	ES_DIFF_BY_FUNCTION,
	ES_DIFF_BY_SITE,
	ES_DIFF_BY_PHASE, /* loops, each without the loops in it */
	ES_DIFF_BY_STEP
};

/* Times of both runs, as sums over the threads; index 1: the second run. */
struct es_diff_row {
	const char *name;
	double ns[2];
	double kinds[ES_DIFF_KINDS][2]; /* their sum is ns */
};

/* Code that takes longer, or shorter, in the second run. */
struct es_diff_cause {
	enum es_diff_kind kind;
	const char *who;   /* threads, such as "r2" or "r1 and r3" */
	const char *where; /* such as "between main@a.c:3 and main@a.c:9" */
	size_t members;	   /* number of the threads */
	double ns;	   /* mean difference of these threads */
	double share_ns;   /* part of the difference of the runs, at most that
			      of the thread that differs most */
	const char *loop;  /* "steps", or "iterations of ..."; NULL: in no
			      loop */
	uint64_t first, last; /* its iterations; first > last: in all */
};

/*
 * es_diff_open - compare two runs
 *
 * stores	open for reading; the second run is compared with the first
 * names	of the runs, for texts
 * diff		out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	a run has no MPI calls or operations that can
 *				be compared
 *		PATHS_ENOMEM
 *		a status of es_rows_next
 * Ownership	the caller calls es_diff_close; the stores are borrowed for the
 *		call, the names are copied
 * Threads	that of the stores; then one at a time
 * Since	0.1
 */
ES_API paths_status es_diff_open(struct es_store *const stores[2],
    const char *const names[2], struct es_diff **diff) PATHS_CHECKED;

/*
 * es_diff_close - end a comparison
 *
 * diff		NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_diff_close(struct es_diff *diff);

/*
 * es_diff_text - one sentence: by how much the times differ, the code that is
 * the cause, and the threads that wait for it
 *
 * Returns	text
 * Ownership	the comparison's
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_diff_text(const struct es_diff *diff);

/*
 * es_diff_note - a sentence about something that cannot be compared
 *
 * Returns	text; NULL past the last one
 * Ownership	the comparison's
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_diff_note(const struct es_diff *diff, size_t n);

/*
 * es_diff_cause - the n-th cause of the difference, the largest first
 *
 * Returns	the cause; NULL past the last one
 * Ownership	the comparison's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_diff_cause *es_diff_cause(const struct es_diff *diff,
    size_t n);

/*
 * es_diff_rows - a table of the comparison
 *
 * The rows add up to es_diff_total.  Those with the largest differences come
 * first; steps come in their order.
 *
 * count	out
 * rows		out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees the rows; names are the comparison's
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_diff_rows(struct es_diff *diff, enum es_diff_by by,
    size_t *count, struct es_diff_row **rows) PATHS_CHECKED;

/*
 * es_diff_total - the sum of the times of all threads
 *
 * by		table whose rows add up to it.  A run of paths has less
 *		waiting in the tables of activities where readers wait for the
 *		end of a write that another reader has already.
 * elapsed	out: length of the measured interval of both runs, in ns
 *
 * Returns	the row
 * Ownership	the comparison's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_diff_row *es_diff_total(const struct es_diff *diff,
    enum es_diff_by by, double elapsed[2]);

/*
 * es_diff_by_name - find a kind of table by its name, such as "thread"
 *
 * Returns	the kind; -1: there is none
 * Threads	any
 * Since	0.1
 */
ES_API int es_diff_by_name(const char *name);

/*
 * es_diff_by_word - the name of a kind of table, as es_diff_by_name takes it
 *
 * Returns	a constant
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_diff_by_word(enum es_diff_by by);

PATHS_END_DECLS

#endif
