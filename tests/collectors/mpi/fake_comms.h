/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/fake_comms.h - an MPI that knows groups and
 * communicators, and nothing else
 *
 * Processes are numbers.  One program plays all of them, one after the other:
 * fake_be says which one asks now.
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
	/* Of its log: */
	unsigned entries;
	struct es_mpi_comm last; /* communicator */
	struct es_mpi_ranks last_runs[8];
};

/* How many members were compared with how many processes, as Open MPI does. */
extern uint64_t fake_comparisons;
extern unsigned fake_groups; /* that are there */

/* An MPI whose MPI_COMM_WORLD is the processes 0 to size - 1. */
void fake_begin(int size);
/* Process `number` of a world of `size` processes that begins with `first`. */
void fake_be(struct fake_process *p, int number, int first, int size);
void fake_end(struct fake_process *p);

/* A communicator of count processes first, first + stride, ...; with others: an
   intercommunicator, of which these are the remote group. */
struct fake_range {
	int first, stride, count;
};
mpi_handle fake_comm(struct fake_range members);
mpi_handle fake_intercomm(struct fake_range members, struct fake_range others);
mpi_handle fake_comm_list(const int *members, int count);

#endif
