/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/ompi_monitoring_private.h - the .prof files of an MPI run
 */

#ifndef SCOPES_EXPORT_OMPI_MONITORING_PRIVATE_H
#define SCOPES_EXPORT_OMPI_MONITORING_PRIVATE_H

#include "scopes/mpi.h"

/*
 * es__export_ompi_monitoring - write PREFIX.RANK.prof for each rank
 *
 * The format is that of Open MPI.  External messages are those of the program,
 * persistent ones included; no message is internal.
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EFULL; PATHS_ENOMEM
 */
paths_status es__export_ompi_monitoring(const struct es_mpi *mpi,
    const char *prefix) PATHS_CHECKED;

#endif
