/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/ompi_monitoring_private.h - the matrix of an MPI run, as files
 * for others
 *
 * What the interposer counted, of the run's world: peers outside it have no
 * place in these files.
 */

#ifndef SCOPES_EXPORT_OMPI_MONITORING_PRIVATE_H
#define SCOPES_EXPORT_OMPI_MONITORING_PRIVATE_H

#include "scopes/mpi.h"

#include <stdio.h>

/*
 * es__prof_export - a file PREFIX.RANK.prof for each rank, as Open MPI writes
 *
 * Its external messages are those of the program, persistent ones too; nothing
 * is internal.
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EFULL; PATHS_ENOMEM
 */
paths_status es__prof_export(const struct es_mpi *mpi, const char *prefix)
    PATHS_CHECKED;

/*
 * es__mat_export - files PREFIX_{size,msg,avg}_{external,osc,coll}.mat
 *
 * A row for each source, a column for each target; bytes, messages, and bytes
 * a message without remainder.
 *
 * Returns	as es__prof_export
 */
paths_status es__mat_export(const struct es_mpi *mpi, const char *prefix)
    PATHS_CHECKED;

/* How many ranks the run's world has. */
uint32_t es__matrix_ranks(const struct es_mpi *mpi);

/* PREFIX and what follows it, opened for writing; NULL: why was said. */
FILE *es__matrix_file_open(const char *prefix, const char *fmt, ...)
    PATHS_PRINTF(2, 3);
/* Whether all of it was written. */
paths_status es__matrix_file_close(FILE *to) PATHS_CHECKED;

#endif
