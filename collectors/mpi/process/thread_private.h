/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/thread_private.h - the threads that call MPI
 */

#ifndef COLLECTORS_MPI_PROCESS_THREAD_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_THREAD_PRIVATE_H

#include "collectors/mpi/process/process_private.h"

/* Give a thread its place in the space of its process, which is
   thread->process from then on.  Where there is no room it is told, and the
   thread is never recorded. */
void mpi_thread_bind(struct mpi_thread *thread, struct mpi_process *process);

/* The process that threads belong to which did not call MPI_Init themselves;
   NULL: there is none. */
struct mpi_process *mpi_process_first(void);

/* Give a thread the first process, which is opened if there is none.  MPI is
   there to be asked. */
void mpi_process_join(struct mpi_thread *thread);

/* Tells whether MPI is initialised and not yet finalised, as MPI reports it. */
bool mpi_is_running(void);

/* Whether this is the child of a fork: it is not recorded. */
bool mpi_thread_is_forked(void);

/* Never ask again for a process for this thread. */
void mpi_thread_refuse(struct mpi_thread *thread);

#endif
