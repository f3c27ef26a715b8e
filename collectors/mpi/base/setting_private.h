/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/setting_private.h - the settings that `eventspace mpi`
 * passes to the interposer
 *
 * They are environment variables, because a launcher starts the ranks.
 */

#ifndef COLLECTORS_MPI_BASE_SETTING_PRIVATE_H
#define COLLECTORS_MPI_BASE_SETTING_PRIVATE_H

#include <stdint.h>

#define MPI_SETTING_RUN "EVENTSPACE_MPI_RUN"	   /* absolute directory */
#define MPI_SETTING_MODE "EVENTSPACE_MPI_MODE"	   /* a set of ES_MODE_ */
#define MPI_SETTING_START "EVENTSPACE_MPI_START"   /* mode at the start */
#define MPI_SETTING_KEEP "EVENTSPACE_MPI_KEEP"	   /* tuples of each thread */
#define MPI_SETTING_PATH "EVENTSPACE_MPI_PATH"	   /* frames; 0: no path */
#define MPI_SETTING_PYTHON "EVENTSPACE_MPI_PYTHON" /* 0: native frames only */
#define MPI_SETTING_TRACED "EVENTSPACE_MPI_TRACED" /* of mpi_traced_open */
#define MPI_SETTING_STACK "EVENTSPACE_MPI_STACK"   /* 1: MPI_, not PMPI_ */

/* 12 MiB of tuples. */
#define MPI_KEEP_DEFAULT (UINT64_C(1) << 18)

/* Returns the number in an environment variable, 0 .. most; `otherwise` if it
   is not set or, with a warning, if it is not such a number. */
uint64_t mpi_setting_number(const char *name, uint64_t most,
    uint64_t otherwise);

#endif
