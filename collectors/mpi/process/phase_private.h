/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/phase_private.h - mode and phase of a process, and
 * the reset of its rows
 */

#ifndef COLLECTORS_MPI_PROCESS_PHASE_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_PHASE_PRIVATE_H

#include "collectors/mpi/process/process_private.h"

paths_status mpi_phases_open(struct mpi_phases **phases) PATHS_CHECKED;
void mpi_phases_close(struct mpi_phases *phases);

/* Sets mode and phase when recording begins: those that the program set before
   MPI_Init, or those of the settings. */
void mpi_phase_begin(struct mpi_process *process);

/* Set the mode, or switch on the modes of the settings; no effect after
   MPI_Finalize.  process NULL: MPI_Init was not called yet; recording will
   begin with the mode set last. */
void mpi_mode_set(struct mpi_process *process, uint32_t mode);
void mpi_mode_on(struct mpi_process *process);

/* Makes all rows and tuples recorded so far invalid. */
paths_status mpi_rows_reset(struct mpi_process *process) PATHS_CHECKED;

/* Begins a phase.  process NULL: MPI_Init was not called yet; recording will
   begin with the phase set last.  name NULL or "": no phase */
paths_status mpi_phase_set(struct mpi_process *process, const char *name)
    PATHS_CHECKED;

#endif
