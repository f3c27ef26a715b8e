/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/totals_private.h - adds up counts and times by two numbers
 *
 * Hash table by both numbers, until it is sorted.
 */

#ifndef SCOPES_MPI_TOTALS_PRIVATE_H
#define SCOPES_MPI_TOTALS_PRIVATE_H

#include "scopes/clock/doubt_private.h"

#include "libpaths/base/hash.h"
#include "libpaths/status.h"
#include "scopes/job/pack_private.h"

#include <stddef.h>
#include <stdint.h>

struct es__totals_row {
	uint32_t a, b;
	uint64_t instances; /* 0: the row is free */
	int64_t ns;
	uint64_t undecided; /* of instances: there may be no wait */
	int64_t bound_ns;   /* largest error of ns */
	int64_t lost_ns;    /* part of ns that follows from lost cores */
};

struct es__totals {
	struct paths__hash table; /* until es__totals_sort */
	struct es__totals_row *rows;
	size_t count; /* of rows, after es__totals_sort */
};

/*
 * es__totals_add - add one instance
 *
 * totals	zeros at first; not sorted yet
 * lost_ns	part of the wait that follows from lost cores
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__totals_add(struct es__totals *totals, uint32_t a, uint32_t b,
    struct es__doubted wait, int64_t lost_ns) PATHS_CHECKED;

/* Sorts the rows by a and b; nothing may be added afterwards. */
void es__totals_sort(struct es__totals *totals);

/* Puts sorted totals, and takes them on another rank of a job. */
void es__totals_pack(const struct es__totals *totals, struct es__pack *pack);
void es__totals_unpack(struct es__totals *totals, struct es__pack *pack);

void es__totals_fini(struct es__totals *totals);

#endif
