/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/thread_state_private.h - the state of a thread that
 * calls MPI
 */

#ifndef COLLECTORS_MPI_OBJECT_THREAD_STATE_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_THREAD_STATE_PRIVATE_H

#include "collectors/mpi_space.h"
#include "collectors/record.h"
#include "collectors/space/cpu_private.h"

#include <stdint.h>

struct mpi_process; /* a rank: its space, world, communicators */
struct mpi_requests;
struct mpi_comms;
struct mpi_cells;
struct mpi_sites;
struct mpi_rank_sets;

/*
 * The state of a thread.  A process has one for each thread that called MPI;
 * when ranks are threads (SMPI) each has a process of its own.
 */
struct mpi_thread {
	/* Stack address of the outermost call, which alone is recorded; 0:
	   none.  A nested call has a lower address.  A call with a higher
	   address was made after a jump out of the outermost one, as by an
	   error handler. */
	uintptr_t outermost;
	struct es_mpi_control *control; /* never NULL */
	struct es_mpi_thread *row;	/* never NULL */
	struct mpi_process *process;	/* NULL: before Init, or not recorded */
	uint32_t number;		/* within the process, from 0 */
	uint32_t seq;			/* of its next call */
	uint32_t function;		/* of the outermost call */
	struct es_record_ring ring;
	struct mpi_cells *cells;	 /* process/cell.c */
	struct mpi_sites *sites;	 /* site/site.c */
	struct mpi_requests *requests;	 /* call/requests.c; NULL: none yet */
	struct mpi_comms *comms;	 /* object/comm_find.c */
	struct mpi_rank_sets *rank_sets; /* object/rank_set.c */
	struct es__cpu cpu;		 /* process/cpu_sample.c */
	struct mpi_thread *next;	 /* the thread added before this one */
};

#endif
