/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/log_private.h - the log of definitions of a process
 */

#ifndef COLLECTORS_MPI_BASE_LOG_PRIVATE_H
#define COLLECTORS_MPI_BASE_LOG_PRIVATE_H

#include "collectors/mpi_space.h"
#include "collectors/record.h"

#include <pthread.h>
#include <sys/uio.h>

struct mpi_log {
	pthread_mutex_t lock; /* protects part */
	struct es_record *record;
	struct es_mpi_control *control; /* counts lost entries */
	struct es_space_part *part;	/* the newest; NULL: none yet */
};

/* Starts an empty log in the space of `record`. */
void mpi_log_init(struct mpi_log *log, struct es_record *record,
    struct es_mpi_control *control);

/* Ends a log; a log that is all zero is allowed. */
void mpi_log_fini(struct mpi_log *log);

/*
 * Appends an entry.  The parts follow struct es_mpi_entry, one after the
 * other, and zeros fill up to 8 bytes.  An entry that finds no room on the disk
 * is counted in control->lost.
 */
void mpi_log_append(struct mpi_log *log, uint32_t kind,
    const struct iovec *parts, size_t count);

#endif
