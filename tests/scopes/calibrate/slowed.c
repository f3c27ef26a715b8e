/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/calibrate/slowed.c - a preload: a machine that becomes slower
 *
 * Blocking sends take PAUSE_NS longer from the first MPI_Waitall on, which ends
 * the first stream of `eventspace calibrate`.
 */

#include <mpi.h>
#include <stdbool.h>
#include <time.h>

#define PAUSE_NS 2000000

static bool slow;

int
MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
	slow = true;
	return PMPI_Waitall(count, requests, statuses);
}

int
MPI_Send(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
    MPI_Comm comm)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	if (slow)
		(void)nanosleep(&pause, NULL);
	return PMPI_Send(buffer, count, type, peer, tag, comm);
}
