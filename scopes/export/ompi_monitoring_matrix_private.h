/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/ompi_monitoring_matrix_private.h - writes messages of an MPI
 * run as matrix files, in the format of Open MPI's profile2mat
 */

#ifndef SCOPES_EXPORT_OMPI_MONITORING_MATRIX_PRIVATE_H
#define SCOPES_EXPORT_OMPI_MONITORING_MATRIX_PRIVATE_H

#include "scopes/mpi.h"

/*
 * es__export_ompi_monitoring_matrix - write PREFIX_{size,msg,avg}_LAYER.mat
 *
 * LAYER is external, osc or coll.  A file has a row for each source and a
 * column for each target.  size: bytes; msg: number of messages; avg: mean
 * bytes of a message, rounded down.
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EFULL; PATHS_ENOMEM
 */
paths_status es__export_ompi_monitoring_matrix(const struct es_mpi *mpi,
    const char *prefix) PATHS_CHECKED;

#endif
