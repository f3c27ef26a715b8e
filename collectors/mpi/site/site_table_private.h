/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/site_table_private.h - the call sites of a process, by
 * module and offset, or by place in a source
 */

#ifndef COLLECTORS_MPI_SITE_SITE_TABLE_PRIVATE_H
#define COLLECTORS_MPI_SITE_SITE_TABLE_PRIVATE_H

#include "collectors/mpi/base/log_private.h"

/* The most frames of a call path. */
#define MPI_SITE_FRAMES_MAX 32u

struct mpi_site_table;

/* A frame of a call path. */
struct mpi_site_frame {
	const void *address; /* return address; NULL: a place in a source */
	uint32_t source;     /* of that place; or see es_mpi_frame */
};

/* Creates an empty table, which logs each new site. */
paths_status mpi_site_table_open(struct mpi_log *log,
    struct mpi_site_table **table) PATHS_CHECKED;
void mpi_site_table_close(struct mpi_site_table *table);

/*
 * Returns the number of a call path in its process, from 1; a new path is
 * logged.  0: there is no memory.
 *
 * frames	innermost first
 * unloaded	out: modules unloaded so far.  When this number grows, addresses
 *		that a thread has kept may belong to another module.
 */
uint32_t mpi_site_table_number(struct mpi_site_table *table,
    const struct mpi_site_frame *frames, uint32_t count, uint64_t *unloaded);

/* Returns the number of a place in a source, from 1; a new one is logged.  0:
   there is no memory, or there are too many. */
uint32_t mpi_site_table_source(struct mpi_site_table *table,
    const char *function, const char *file, uint32_t line);

#endif
