/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_log_private.h - the log of definitions of an MPI process
 */

#ifndef SCOPES_RUN_MPI_LOG_PRIVATE_H
#define SCOPES_RUN_MPI_LOG_PRIVATE_H

#include "collectors/mpi_space.h"
#include "collectors/space.h"

#include <stdbool.h>

/* All zeros, except the space, before the first entry. */
struct es__mpi_log {
	const struct es_space *space;
	uint32_t next_part;
	struct es_space_rows part;
	uint64_t at;
	bool damaged; /* a part ended with a damaged entry */
	/* The current entry. */
	uint32_t kind;
	const char *bytes; /* 8-byte aligned */
	uint64_t count;
};

/* Goes to the next entry; false: there are no more. */
bool es__mpi_log_next(struct es__mpi_log *log);

/* Returns the text at an offset of the entry; NULL: there is no text that ends
   with 0. */
const char *es__mpi_log_text(const struct es__mpi_log *log, uint64_t at);

#endif
