/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/fake_comms.h - an MPI of groups and communicators
 * for tests
 *
 * Processes are numbers.  One program plays all of them, one after the other:
 * fake_be selects the process that calls MPI.
 */

#ifndef TESTS_COLLECTORS_MPI_FAKE_COMMS_H
#define TESTS_COLLECTORS_MPI_FAKE_COMMS_H

#include "collectors/mpi/object/comm_find_private.h"
#include "collectors/mpi/object/comm_make_private.h"
#include "collectors/mpi/object/comm_table_private.h"
#include "collectors/mpi/process/process_private.h"

/* A process that records. */
struct fake_process {
	int number;
	struct mpi_process process;
	struct mpi_thread thread;
	unsigned entries;	 /* in its log */
	struct es_mpi_comm last; /* communicator in the log */
	struct es_mpi_ranks last_runs[8];
};

/* Comparisons of members with processes, as Open MPI makes them. */
extern uint64_t fake_comparisons;
extern unsigned fake_groups; /* groups that are not freed yet */

/* Starts an MPI whose MPI_COMM_WORLD has the processes 0 to size - 1. */
void fake_begin(int size);
/* Becomes process `number` of a world of `size` processes from `first` on. */
void fake_be(struct fake_process *p, int number, int first, int size);
void fake_end(struct fake_process *p);

/* Makes a communicator of count processes first, first + stride, ...; with
   others, an intercommunicator with these as the remote group. */
struct fake_range {
	int first, stride, count;
};
mpi_handle fake_comm(struct fake_range members);
mpi_handle fake_intercomm(struct fake_range members, struct fake_range others);
mpi_handle fake_comm_list(const int *members, int count);

#endif
