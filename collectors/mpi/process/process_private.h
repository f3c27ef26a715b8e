/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/process_private.h - opens and ends the event space of
 * a rank
 *
 * The space of a process is created at the end of MPI_Init, at the first
 * communicator of a session, or at the first call of a process whose MPI_Init
 * was not seen.  It is complete at every moment: a process that never calls
 * MPI_Finalize leaves everything that it recorded.  Nothing is ever freed,
 * because MPI calls the program back inside MPI_Finalize, and threads run on
 * after it.
 */

#ifndef COLLECTORS_MPI_PROCESS_PROCESS_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_PROCESS_PRIVATE_H

#include "collectors/mpi/base/log_private.h"
#include "collectors/mpi/object/request_private.h"
#include "collectors/mpi/object/thread_state_private.h"
#include "collectors/mpi/process/cpu_wait_private.h"

#include <pthread.h>

struct mpi_phases;
struct mpi_rank_set_table;
struct mpi_site_table;
struct mpi_thread_state;
struct mpi_world;

/* A rank.  The members before `requests` are constant. */
struct mpi_process {
	struct es_record *record;
	struct es_mpi_control *control;
	int32_t rank; /* in its world */
	int32_t world_size;
	bool session;		 /* it never called MPI_Init */
	uint64_t keep;		 /* tuples of each thread */
	struct mpi_world *world; /* object/world_private.h */
	struct mpi_request_tables requests;
	pthread_mutex_t lock; /* held to add threads and to take idle ones */
	struct mpi_thread *_Atomic threads; /* also those that ended */
	_Atomic uint32_t thread_count;
	struct mpi_thread_state *idle;	      /* threads that ended; thread.c */
	struct mpi_site_table *sites;	      /* site/site_table_private.h */
	struct mpi_phases *phases;	      /* phase.c */
	struct mpi_rank_set_table *rank_sets; /* object/rank_set.c */
	struct es_space *seen;	      /* the space as last read; monitor.c */
	struct mpi_cpu_wait cpu_wait; /* cpu_wait.c */
	struct mpi_log log;
};

/*
 * Begins to record the process of a thread, unless that was tried before.  When
 * it fails, the reason is reported in one line, and the program runs on without
 * being recorded.
 *
 * rank, size	of the first communicator of a process that has a session and
 *		never called MPI_Init; rank -1: MPI_COMM_WORLD is asked
 */
void mpi_process_open(struct mpi_thread *thread, int32_t rank, int32_t size);

/* Gives a thread the process that it belongs to, which is opened if MPI was
   initialised unseen.  Returns the mode; ES_MODE_OFF: there is no process. */
uint32_t mpi_process_join(struct mpi_thread *thread) __attribute__((cold));

/* Ends the recording of a process when MPI_Finalize has returned. */
void mpi_process_end(struct mpi_process *process);

/* Counts the sessions that began and ended.  A process that never called
   MPI_Init ends with its last session, and resumes with the next one. */
void mpi_process_session_begun(void);
void mpi_process_session_ended(void);

/* Resumes a process whose sessions had all ended when MPI_Init returned. */
void mpi_process_initialised(void);

#endif
