/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/tool.c - a profiling library: counts calls, and prints them at the
 * end as "tool: SENDS RECEIVES ALLREDUCES"
 */

#include <mpi.h>
#include <stdio.h>

static long sends, receives, allreduces;

int
MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag,
    MPI_Comm comm)
{
	sends++;
	return PMPI_Send(buffer, count, type, to, tag, comm);
}

int
MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag,
    MPI_Comm comm, MPI_Status *status)
{
	receives++;
	return PMPI_Recv(buffer, count, type, from, tag, comm, status);
}

int
MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type,
    MPI_Op op, MPI_Comm comm)
{
	allreduces++;
	return PMPI_Allreduce(from, to, count, type, op, comm);
}

/* A procedure that the interposer sees also when it does not record. */
int
MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
	return PMPI_Comm_dup(comm, made);
}

int
MPI_Finalize(void)
{
	fprintf(stderr, "tool: %ld %ld %ld\n", sends, receives, allreduces);
	return PMPI_Finalize();
}
