/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/setting_private.h - what `eventspace mpi` tells the
 * interposer
 *
 * By the environment, because ranks are started by others.
 */

#ifndef COLLECTORS_MPI_BASE_SETTING_PRIVATE_H
#define COLLECTORS_MPI_BASE_SETTING_PRIVATE_H

#include <stdint.h>

#define MPI_SETTING_RUN "EVENTSPACE_MPI_RUN"	 /* directory, from the root */
#define MPI_SETTING_MODE "EVENTSPACE_MPI_MODE"	 /* a set of ES_MODE_ */
#define MPI_SETTING_START "EVENTSPACE_MPI_START" /* the same: at first */
#define MPI_SETTING_KEEP "EVENTSPACE_MPI_KEEP"	 /* tuples of each thread */
#define MPI_SETTING_PATH "EVENTSPACE_MPI_PATH"	 /* frames; 0: no path */
#define MPI_SETTING_STACK "EVENTSPACE_MPI_STACK" /* 1: forward to MPI_ names */

/* 12 MiB of them. */
#define MPI_KEEP_DEFAULT (UINT64_C(1) << 18)

/* Reads a number of the environment, 0 .. most; `otherwise` where it is not
   set or, with a warning, where it is not such a number. */
uint64_t mpi_setting_number(const char *name, uint64_t most,
    uint64_t otherwise);

#endif
