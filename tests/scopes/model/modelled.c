/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/model/modelled.c - two ranks that exchange known messages
 *
 * 50 times a message of 8 bytes there and back, with blocking calls; then 20
 * times 16 messages of 1024 bytes each way, whose receives are posted in the
 * reverse of the order in which they are sent; then 30 messages that all wait
 * when rank 1 begins to receive them, in a phase that MPI_Pcontrol begins.
 */

#include <mpi.h>

#include <string.h>

#define THERE_AND_BACK 50
#define EXCHANGES 20
#define MESSAGES 16
#define BYTES 1024
#define WAITING 30
#define PHASE 77

static void
there_and_back(int rank)
{
	char byte[8] = "abcdefg";

	for (int n = 0; n < THERE_AND_BACK; n++) {
		if (rank == 0)
			MPI_Send(byte, sizeof(byte), MPI_BYTE, 1, 1,
			    MPI_COMM_WORLD);
		MPI_Recv(byte, sizeof(byte), MPI_BYTE, 1 - rank, 1,
		    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(byte, sizeof(byte), MPI_BYTE, 0, 1,
			    MPI_COMM_WORLD);
	}
}

static void
exchange(int rank)
{
	static char in[MESSAGES][BYTES], out[MESSAGES][BYTES];
	MPI_Request requests[2 * MESSAGES];
	MPI_Status statuses[2 * MESSAGES];

	memset(out, rank, sizeof(out));
	for (int n = 0; n < EXCHANGES; n++) {
		for (int m = 0; m < MESSAGES; m++)
			MPI_Irecv(in[m], BYTES, MPI_BYTE, 1 - rank,
			    MESSAGES - m, MPI_COMM_WORLD, &requests[m]);
		MPI_Barrier(MPI_COMM_WORLD);
		for (int m = 0; m < MESSAGES; m++)
			MPI_Isend(out[m], BYTES, MPI_BYTE, 1 - rank, m + 1,
			    MPI_COMM_WORLD, &requests[MESSAGES + m]);
		MPI_Waitall(2 * MESSAGES, requests, statuses);
	}
}

static void
waiting(int rank)
{
	char byte = 0;

	for (int n = 0; rank == 0 && n < WAITING; n++)
		MPI_Send(&byte, 1, MPI_BYTE, 1, n + 1, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int n = 0; rank == 1 && n < WAITING; n++)
		MPI_Recv(&byte, 1, MPI_BYTE, 0, WAITING - n, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
}

int
main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	there_and_back(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	exchange(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Pcontrol(PHASE);
	waiting(rank);
	MPI_Pcontrol(-1);
	MPI_Finalize();
	return 0;
}
