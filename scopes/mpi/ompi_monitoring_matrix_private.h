/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/ompi_monitoring_matrix_private.h - reads the .mat files of Open
 * MPI's monitoring
 *
 * A .mat file has a line for each rank, with a number for each rank.
 *
 * Source: profile2mat of Open MPI 4.1
 */

#ifndef SCOPES_MPI_OMPI_MONITORING_MATRIX_PRIVATE_H
#define SCOPES_MPI_OMPI_MONITORING_MATRIX_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A file that is read row by row: zeros but for from and name. */
struct es__ompi_monitoring_matrix {
	FILE *from;
	const char *name;  /* of the file in error messages */
	uint64_t *numbers; /* of the row that was read last */
	uint32_t count;	   /* of numbers in a row */
	uint32_t rows;	   /* number of rows read */
	size_t room;	   /* for numbers */
	char *line;	   /* heap memory */
	size_t line_room;
};

/*
 * es__ompi_monitoring_matrix_row - read the next row
 *
 * more	out: true: a row was read; false: all rows have been read
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	a line has a word that is no number, or another
 *				count of numbers than the first line; or the
 *				file has not as many lines as a line has numbers
 *		PATHS_EIO, PATHS_ENOMEM
 */
paths_status
es__ompi_monitoring_matrix_row(struct es__ompi_monitoring_matrix *matrix,
    bool *more) PATHS_CHECKED;

/* Frees the memory of a matrix; the file stays open. */
void es__ompi_monitoring_matrix_fini(struct es__ompi_monitoring_matrix *matrix);

#endif
