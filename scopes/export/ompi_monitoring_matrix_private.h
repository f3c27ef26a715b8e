/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/ompi_monitoring_matrix_private.h - the .mat files of an MPI run
 */

#ifndef SCOPES_EXPORT_OMPI_MONITORING_MATRIX_PRIVATE_H
#define SCOPES_EXPORT_OMPI_MONITORING_MATRIX_PRIVATE_H

#include "scopes/mpi.h"

/*
 * es__export_ompi_monitoring_matrix - write PREFIX_{size,msg,avg}_LAYER.mat
 *
 * LAYER is external, osc or coll.  A file has a row for each source and a
 * column for each target, with bytes, messages, or bytes divided by messages
 * and rounded down.
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EFULL; PATHS_ENOMEM
 */
paths_status es__export_ompi_monitoring_matrix(const struct es_mpi *mpi,
    const char *prefix) PATHS_CHECKED;

#endif
