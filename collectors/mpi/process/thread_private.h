/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/thread_private.h - registers the threads that call MPI
 */

#ifndef COLLECTORS_MPI_PROCESS_THREAD_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_THREAD_PRIVATE_H

#include "collectors/mpi/abi/attribute_private.h"
#include "collectors/mpi/object/thread_state_private.h"

/* The calling thread; NULL until its first call of MPI. */
extern __thread __attribute__((tls_model("initial-exec")))
MPI_OWN struct mpi_thread *mpi_self;

/* Registers the calling thread at its first call.  Never returns NULL. */
struct mpi_thread *mpi_thread_attach(void) __attribute__((cold));

/* Creates the ring of a thread that traces.  Returns the mode; without trace
   when the space has no room for a ring. */
uint32_t mpi_thread_ring(struct mpi_thread *thread, uint32_t mode)
    __attribute__((cold));

/* Gives a thread its rows in the space of its process, which is thread->process
   from then on.  Without room this is reported, and the thread is never
   recorded. */
void mpi_thread_bind(struct mpi_thread *thread, struct mpi_process *process);

/* Marks a thread so that it is never recorded. */
void mpi_thread_refuse(struct mpi_thread *thread);
bool mpi_thread_is_refused(const struct mpi_thread *thread);

/* Returns whether this is the child of a fork, or the end of a thread or a fork
   would not be noticed: then nothing is recorded. */
bool mpi_thread_is_forked(void);

/* Returns the process that was opened first; NULL: none yet.  Threads that did
   not call MPI_Init themselves belong to it. */
struct mpi_process *mpi_thread_first_process(void);
void mpi_thread_set_first_process(struct mpi_process *process);

#endif
