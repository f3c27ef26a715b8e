/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/meeting_private.h - ranks of one host that meet without MPI
 *
 * Nothing of a meeting is in a trace, so the waits of a program are those of
 * the calls that it is about.  Programs of a single source include this file.
 */

#ifndef TESTS_MPI_MEETING_PRIVATE_H
#define TESTS_MPI_MEETING_PRIVATE_H

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory that all ranks share; NULL: they do not meet. */
static struct meeting {
	pthread_barrier_t barrier;
	char places[4][256]; /* written by the rank of the place */
} * meeting;

/* Makes the meeting of all ranks, at most 4, in a file PREFIX.meeting. */
static void
meeting_open(const char *prefix)
{
	pthread_barrierattr_t shared;
	char name[4096];
	int rank, ranks, file;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	snprintf(name, sizeof(name), "%s.meeting", prefix);
	file = open(name, O_RDWR | O_CREAT, 0600);
	if (file < 0 || ftruncate(file, sizeof(*meeting)) != 0)
		abort();
	meeting = mmap(NULL, sizeof(*meeting), PROT_READ | PROT_WRITE,
	    MAP_SHARED, file, 0);
	if (meeting == MAP_FAILED)
		abort();
	close(file);
	if (rank == 0) {
		pthread_barrierattr_init(&shared);
		pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
		pthread_barrier_init(&meeting->barrier, &shared,
		    (unsigned)ranks);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Waits for all ranks. */
static void
meeting_wait(void)
{
	pthread_barrier_wait(&meeting->barrier);
}

/* Gathers some bytes of each rank, in the order of places 0 to count - 1. */
static void
meeting_gather(const void *mine, size_t bytes, void *all, int place, int count)
{
	memcpy(meeting->places[place], mine, bytes);
	meeting_wait();
	for (int n = 0; n < count; n++)
		memcpy((char *)all + (size_t)n * bytes, meeting->places[n],
		    bytes);
	meeting_wait();
}

#endif
