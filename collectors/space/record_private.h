/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_private.h - an event space that is written
 */

#ifndef COLLECTORS_SPACE_RECORD_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_PRIVATE_H

#include "collectors/record.h"

#include <limits.h>
#include <pthread.h>

struct es_record {
	char file[PATH_MAX];
	int fd;
	char *base;
	uint64_t bytes; /* of the mapping; 0: there is none */
	uint64_t hz;
	_Atomic uint64_t clock_due; /* ticks; by whoever has clock_busy */
	_Atomic bool clock_busy;    /* somebody writes the live pair */
	pthread_mutex_t adding;
	uint64_t end;			/* of the file; under adding */
	struct es__record_added *added; /* the latest; under adding */
};

/* Give the parts that were added back. */
void es__record_drop_parts(struct es_record *record);

/* Take disk space, so that a full disk is no signal later. */
paths_status es__record_allocate(const struct es_record *record, uint64_t from,
    uint64_t bytes) PATHS_CHECKED;

#endif
