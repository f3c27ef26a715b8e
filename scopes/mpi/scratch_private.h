/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/scratch_private.h - provides memory in a file without a name, for
 * data that grow with a run
 *
 * The kernel writes the pages of the file back, and reuses their memory when it
 * needs some.  So resident memory does not grow with the data, if the owner
 * releases the parts that it seldom reads.
 */

#ifndef SCOPES_MPI_SCRATCH_PRIVATE_H
#define SCOPES_MPI_SCRATCH_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>

struct es__scratch {
	void *data;   /* zeros at first */
	size_t bytes; /* 0: not open */
	/* false: no directory had room, so the data is in memory only. */
	bool file;
};

/*
 * es__scratch_file - make a file without a name
 *
 * dir		directory of the file; NULL, or one that cannot be written: the
 *		one for temporary files
 * bytes	size that is allocated in the file
 *
 * Returns	its descriptor; -1: none can be made
 * Ownership	the caller closes it
 */
int es__scratch_file(const char *dir, size_t bytes);

/*
 * es__scratch_open - make scratch memory
 *
 * The room in the file is allocated, so that no later access fails because the
 * disk is full.
 *
 * dir	directory for the file; if it cannot be written, the one for temporary
 *	files is used.  NULL: use memory
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__scratch_close
 */
paths_status es__scratch_open(const char *dir, size_t bytes,
    struct es__scratch *scratch) PATHS_CHECKED;

/* Removes pages that are wholly inside [from, to) from the resident memory;
   their data stays. */
void es__scratch_release(const struct es__scratch *scratch, size_t from,
    size_t to);

/* scratch: zeros: nothing happens. */
void es__scratch_close(struct es__scratch *scratch);

#endif
