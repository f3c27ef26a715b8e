/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/rankfile_private.h - writes a placement for launchers
 */

#ifndef SCOPES_CLUSTER_RANKFILE_PRIVATE_H
#define SCOPES_CLUSTER_RANKFILE_PRIVATE_H

#include "scopes/cluster/slots_private.h"

#include <stdio.h>

enum es__rankfile_format {
	ES__RANKFILE_NONE,
	ES__RANKFILE_TABLE, /* rank, host, package, core, PU, kernel's PU */
	ES__RANKFILE_OPENMPI,
	ES__RANKFILE_OPENMPI5,
	ES__RANKFILE_MPICH,
	ES__RANKFILE_SLURM,
	ES__RANKFILE_CRAY,
	ES__RANKFILE_SPLIT, /* colours and keys for MPI_Comm_split */
	/* Formats of a path map: es__rankfile_write writes nothing. */
	ES__RANKFILE_MAP,
	ES__RANKFILE_MOVES
};

/* Ranks on slots. */
struct es__ranks {
	const struct es__slots *slots;
	const uint32_t *at; /* slot of each rank */
	uint32_t count;
	bool pus;     /* a slot is a PU, not a core */
	bool several; /* slots share cores, or PUs */
	/* Slot of each rank at present, for ES__RANKFILE_SPLIT. */
	const uint32_t *before;
};

/* Finds a format by its name; PATHS_EINVAL: there is no such format. */
paths_status es__rankfile_find(const char *name,
    enum es__rankfile_format *format) PATHS_CHECKED;

/*
 * es__rankfile_write - write ranks in a format
 *
 * The first lines are comments with the options of the launcher, except for
 * ES__RANKFILE_SPLIT.
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the launcher cannot be told this placement
 *		PATHS_ENOMEM
 */
paths_status es__rankfile_write(enum es__rankfile_format format,
    const struct es__ranks *ranks, FILE *to) PATHS_CHECKED;

/*
 * es__rankfile_read - read a table of ES__RANKFILE_TABLE
 *
 * Each rank gets a free slot with the kernel's number of its line.
 *
 * at	out: slot of each of count ranks
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	a line is not of such a table
 *		PATHS_EINVAL	a rank is missing or twice, or a slot is not
 *				free
 *		PATHS_ENOENT, PATHS_EIO
 *		PATHS_ENOMEM
 */
paths_status es__rankfile_read(const char *file, const struct es__slots *slots,
    uint32_t *at, uint32_t count) PATHS_CHECKED;

#endif
