/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/ompi_monitoring_private.h - reads and writes the .prof files, and
 * reads the .mat files, of Open MPI's monitoring
 *
 * A .prof file contains the messages that one rank sent, with a line for each
 * peer.  Its fields are separated by tabs, and numbers are followed by their
 * unit.  A .mat file is a matrix with a line for each rank and a number for
 * each rank in it.
 *
 * Source: ompi/mca/common/monitoring and profile2mat of Open MPI 4.1
 */

#ifndef SCOPES_MPI_OMPI_MONITORING_PRIVATE_H
#define SCOPES_MPI_OMPI_MONITORING_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Number of size classes: those of es_space_size_class, and one more. */
#define ES__OMPI_MONITORING_CLASSES 66u

enum es__ompi_monitoring_kind {
	ES__OMPI_MONITORING_EXTERNAL, /* E: user messages */
	/* I: messages of the library, with negative tags. */
	ES__OMPI_MONITORING_INTERNAL,
	ES__OMPI_MONITORING_PUT,	/* S: one-sided, sent */
	ES__OMPI_MONITORING_GET,	/* R: one-sided, received */
	ES__OMPI_MONITORING_COLLECTIVE, /* C: collectives as called */
	/* O2A, and likewise A2O and A2A: of one communicator. */
	ES__OMPI_MONITORING_ONE_TO_ALL,
	ES__OMPI_MONITORING_ALL_TO_ONE,
	ES__OMPI_MONITORING_ALL_TO_ALL,
	ES__OMPI_MONITORING_KINDS
};

struct es__ompi_monitoring_line {
	enum es__ompi_monitoring_kind kind;
	uint32_t rank; /* rank that wrote the file */
	/* Rank of the peer; not set in lines of a communicator. */
	uint32_t peer;
	uint64_t bytes;
	uint64_t messages;
	uint32_t class_count; /* 0, or ES__OMPI_MONITORING_CLASSES */
	uint64_t classes[ES__OMPI_MONITORING_CLASSES];
	const char *comm;    /* name of the communicator */
	const char *members; /* "0,1,3" */
};

typedef paths_status es__ompi_monitoring_show(void *to,
    const struct es__ompi_monitoring_line *line);

/*
 * es__ompi_monitoring_read - read a .prof file
 *
 * name	of the file in error messages
 * show	gets each line; values are lent for the call
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	monitoring does not write such a line
 *		PATHS_EIO, PATHS_ENOMEM
 *		the status of show when it fails
 */
paths_status es__ompi_monitoring_read(FILE *from, const char *name,
    es__ompi_monitoring_show *show, void *to) PATHS_CHECKED;

/* Writes a line as monitoring does.  Before a line O2A, the first one of a
   communicator, it also writes a line D with the name and the members. */
void es__ompi_monitoring_write(FILE *to,
    const struct es__ompi_monitoring_line *line);

/* Reads a .mat file row by row.  All zeros but for `from` and `name`, at
   first. */
struct es__ompi_monitoring_matrix {
	FILE *from;
	const char *name;  /* of the file in error messages */
	uint64_t *numbers; /* numbers of the last row */
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
