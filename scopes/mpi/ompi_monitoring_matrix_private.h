/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/ompi_monitoring_matrix_private.h - matrices of Open MPI's
 * monitoring
 *
 * A .mat file has a line for each rank, and on it a number for each rank.
 *
 * Source: profile2mat of Open MPI 4.1
 */

#ifndef SCOPES_MPI_OMPI_MONITORING_MATRIX_PRIVATE_H
#define SCOPES_MPI_OMPI_MONITORING_MATRIX_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A file that is read row by row: zeros but for the first two. */
struct es__ompi_monitoring_matrix {
	FILE *from;
	const char *name;  /* how messages call it */
	uint64_t *numbers; /* of the row that was read last */
	uint32_t count;	   /* how many it has */
	uint32_t rows;	   /* read */
	uint32_t room;	   /* for numbers */
	char *line;	   /* heap memory */
	size_t line_room;
};

/*
 * es__ompi_monitoring_matrix_row - read the next row
 *
 * more	out: false: there is none, and all were there
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	a line has not as many numbers as the first, or
 *				what is none, or there are not as many lines as
 *				numbers in one: which line
 *		PATHS_EIO, PATHS_ENOMEM
 */
paths_status
es__ompi_monitoring_matrix_row(struct es__ompi_monitoring_matrix *matrix,
    bool *more) PATHS_CHECKED;

/* What was allocated; not the file. */
void es__ompi_monitoring_matrix_fini(struct es__ompi_monitoring_matrix *matrix);

#endif
