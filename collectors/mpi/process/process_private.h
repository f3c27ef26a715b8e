/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/process_private.h - a rank, from MPI_Init to
 * MPI_Finalize
 *
 * The space of a process is made at the end of MPI_Init, at the first
 * communicator of a session, or at the first call of a process whose
 * MPI_Init was not seen.  It is complete at every moment: a process that never
 * comes to MPI_Finalize leaves all it did.  Nothing is ever freed, because MPI
 * calls back inside MPI_Finalize and threads go on after it.
 */

#ifndef COLLECTORS_MPI_PROCESS_PROCESS_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_PROCESS_PRIVATE_H

#include "collectors/mpi/object/request_private.h"
#include "collectors/mpi/object/thread_state_private.h"
#include "collectors/mpi/process/core_private.h"

#include <pthread.h>
#include <sys/uio.h>

struct mpi_world;
struct mpi_site_table;
struct mpi_phases;

/* A rank; constant but for what a lock or a comment says. */
struct mpi_process {
	struct es_record *record;
	struct es_mpi_control *control;
	int32_t rank; /* in its world */
	int32_t world_size;
	bool session;		 /* it never called MPI_Init */
	uint64_t keep;		 /* tuples of each thread */
	struct mpi_world *world; /* comm.c */
	struct mpi_request_tables requests;
	pthread_mutex_t lock; /* of adding threads and taking idle ones */
	struct mpi_thread *_Atomic threads; /* all that ever were */
	_Atomic uint32_t thread_count;
	struct thread_state *idle;    /* thread.c; those that ended */
	struct mpi_site_table *sites; /* site.c */
	struct mpi_phases *phases;    /* phase.c */
	struct es_space *seen;	      /* monitor.c; what was read last */
	struct mpi_core core;	      /* core.c */
	pthread_mutex_t log_lock;
	struct es_space_part *log; /* the newest; under log_lock */
};

/*
 * Begin to record the process of a thread.  Nothing happens when that has been
 * tried before.  Whatever hinders it is said in one line, and the program runs
 * on, not recorded.
 *
 * rank, size	of the first communicator of a process that has a session and
 *		never called MPI_Init; rank -1: MPI_COMM_WORLD is asked
 */
void mpi_process_open(struct mpi_thread *thread, int32_t rank, int32_t size);

/* MPI_Finalize has returned; nothing is recorded from now on. */
void mpi_process_end(struct mpi_process *process);

/* A session has begun, or ended.  A process that never called MPI_Init is
   finalized with its last session, and goes on when there is one again. */
void mpi_process_session_begun(void);
void mpi_process_session_ended(void);

/* MPI_Init returned: a process whose sessions had all ended goes on. */
void mpi_process_initialised(void);

/*
 * Append an entry to the log of definitions; rare.  parts are what follows
 * struct es_mpi_entry, one after the other; zeros fill up to 8 bytes.  An entry
 * that finds no room on the disk is counted in control->lost.
 */
void mpi_log(struct mpi_process *process, uint32_t kind,
    const struct iovec *parts, size_t count);

#endif
