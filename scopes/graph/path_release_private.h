/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_release_private.h - finds the time at which an operation on
 * an element lets others go on
 *
 * A write lets the reads of its tuple go on.  A read lets the write go on that
 * reuses the place of its tuple.  This happens when the operation ends, as
 * recorded by the collector above the element, or when the first of the others
 * has ended if that is earlier: a thread takes its stamp after it has woken the
 * other thread, so the stamp may be late.
 */

#ifndef SCOPES_GRAPH_PATH_RELEASE_PRIVATE_H
#define SCOPES_GRAPH_PATH_RELEASE_PRIVATE_H

#include "scopes/path/readers_private.h"
#include "scopes/path/waits_work_private.h"

struct es__path_release {
	const struct es_analysis *a;
	uint32_t element;
	bool writes, reads;   /* other operations wait for writes, for reads */
	bool taken;	      /* each tuple is read by one of several readers */
	bool shared;	      /* taken, or several threads write */
	uint32_t uses;	      /* number of operations that wait for a write */
	uint32_t tag;	      /* of the writer */
	struct es__order own; /* of writes: their numbers at the element */
	/* For writes: who takes the tuple, if taken. */
	struct es__order takes;
	struct es__readers readers; /* of writes: who read the tuple */
	struct es__order next; /* of reads: the write that reuses the place */
};

/*
 * es__path_release_open - prepare to find when operations of a tree are done
 *
 * plan		of a tree with an element
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__path_release_close, also on failure
 */
paths_status es__path_release_open(struct es__path_release *release,
    const struct es_analysis *a, const struct es__waits_plan *plan)
    PATHS_CHECKED;
void es__path_release_close(struct es__path_release *release);

/* Returns the number of operations that wait for an operation of a kind; 0:
   none, or not known. */
uint32_t es__path_release_uses(const struct es__path_release *release,
    uint16_t kind);

/*
 * es__path_release_ns - the time when an operation is done
 *
 * self		not before the operations of earlier calls
 * on		from es__waits_work_on
 * moment	times of the operation at the collector above the element
 */
int64_t es__path_release_ns(struct es__path_release *release, uint16_t kind,
    struct es__waits_operation self, const struct es__waits_on *on,
    const struct es__waits_moment *moment);

#endif
