/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/scratch_private.h - memory in a file without a name, for data that
 * grows with a run
 *
 * The kernel writes its pages back and takes them away when it needs memory.
 * So resident memory does not grow with the data, if the owner releases what it
 * seldom reads.
 */

#ifndef SCOPES_MPI_SCRATCH_PRIVATE_H
#define SCOPES_MPI_SCRATCH_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>

struct es__scratch {
	void *data;   /* zeros at first */
	size_t bytes; /* 0: not open */
	bool file;    /* false: no directory had room, so it is memory */
};

/*
 * es__scratch_file - make a file without a name
 *
 * dir		its directory; NULL, or one that cannot be written: that for
 *		temporary files
 * bytes	room that is allocated in it
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
 * dir	directory for the file; if it cannot be written, that for temporary
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
