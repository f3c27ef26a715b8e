/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/phase_private.h - modes, phases and resets of a
 * process
 */

#ifndef COLLECTORS_MPI_PROCESS_PHASE_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_PHASE_PRIVATE_H

#include "collectors/mpi/process/process_private.h"

paths_status mpi_phases_open(struct mpi_phases **phases) PATHS_CHECKED;
void mpi_phases_close(struct mpi_phases *phases);

/* Set mode and phase as they are when recording begins: as the settings say,
   or as the program said before MPI_Init. */
void mpi_phase_begin(struct mpi_process *process);

/* What the API for programs and MPI_Pcontrol do.  process NULL: MPI_Init is yet
   to come, and begins as was said last. */
void mpi_mode_set(struct mpi_process *process, uint32_t mode);
void mpi_mode_on(struct mpi_process *process);

/* Nothing that was recorded so far counts. */
paths_status mpi_rows_reset(struct mpi_process *process) PATHS_CHECKED;

/* name	NULL or "": no phase */
paths_status mpi_phase_set(struct mpi_process *process, const char *name)
    PATHS_CHECKED;

#endif
