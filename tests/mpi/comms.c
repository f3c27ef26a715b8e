/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/comms.c - communicators made in every way, and their members
 *
 *	comms TRUTH
 *
 * Runs on 4 ranks.  Each communicator is used for messages, which must be
 * counted at the right world ranks.  Each rank numbers the communicators that
 * it makes from 3, in the order in which it makes them.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>
#include <stdbool.h>

static int rank;
static int in[64], out[64];
static int next_comm = 3;

/* Sends a message to the next rank of a communicator, receives one from the
   previous rank, and notes both by their world ranks. */
static void
pass(MPI_Comm comm, int bytes)
{
	MPI_Group group, all;
	int here, size, to, from, here_to, here_from;

	MPI_Comm_rank(comm, &here);
	MPI_Comm_size(comm, &size);
	here_to = (here + 1) % size;
	here_from = (here + size - 1) % size;
	MPI_Comm_group(comm, &group);
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_translate_ranks(group, 1, &here_to, all, &to);
	MPI_Group_translate_ranks(group, 1, &here_from, all, &from);
	MPI_Group_free(&group);
	MPI_Group_free(&all);
	MPI_Sendrecv(out, bytes, MPI_BYTE, here_to, 5, in, bytes, MPI_BYTE,
	    here_from, 5, comm, MPI_STATUS_IGNORE);
	truth_message(rank, to, "p2p", bytes);
	truth_message(from, rank, "received", bytes);
}

/* Sends messages and calls a collective on the communicator made last. */
static void
used(MPI_Comm comm, int bytes)
{
	pass(comm, bytes);
	MPI_Allreduce(MPI_IN_PLACE, in, bytes, MPI_BYTE, MPI_BOR, comm);
	truth_collective(rank, next_comm, "Allreduce", -1, bytes);
	next_comm++;
}

static void
copies(void)
{
	MPI_Comm copy, again, later;
	MPI_Request request;

	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	used(copy, 1);
	MPI_Comm_idup(copy, &later, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	used(later, 2);
	MPI_Comm_dup_with_info(later, MPI_INFO_NULL, &again);
	MPI_Comm_set_name(again, "again");
	used(again, 3);
	MPI_Comm_free(&later);
	MPI_Comm_free(&again);
	MPI_Comm_free(&copy);
}

static void
parts(void)
{
	MPI_Comm part, sub;
	MPI_Group all, some;
	int odd[] = { 3, 1 };

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
	used(part, 4);
	MPI_Comm_free(&part);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, rank,
	    &part);
	if (rank != 2) {
		used(part, 5);
		MPI_Comm_free(&part);
	}
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank,
	    MPI_INFO_NULL, &part);
	used(part, 6);
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 2, odd, &some);
	MPI_Comm_create(part, some, &sub);
	if (sub != MPI_COMM_NULL) {
		used(sub, 7);
		MPI_Comm_free(&sub);
	}
	MPI_Comm_free(&part);
	if (rank % 2) {
		MPI_Comm_create_group(MPI_COMM_WORLD, some, 12, &sub);
		used(sub, 8);
		MPI_Comm_free(&sub);
	}
	MPI_Group_free(&all);
	MPI_Group_free(&some);
}

/* Notes a message of a collective to a rank of the communicator. */
static void
sent(MPI_Comm comm, int to, int bytes)
{
	MPI_Group group, all;
	int world;

	if (to == MPI_PROC_NULL || bytes == 0)
		return;
	MPI_Comm_group(comm, &group);
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_translate_ranks(group, 1, &to, all, &world);
	MPI_Group_free(&group);
	MPI_Group_free(&all);
	truth_message(rank, world, "collective", bytes);
}

static void
grids(void)
{
	MPI_Comm grid, row;
	MPI_Datatype types[4];
	MPI_Aint places[4] = { 0 };
	int dims[] = { 2, 2 }, periods[] = { 1, 0 }, keep[] = { 0, 1 };
	int counts[] = { 1, 2, 0, 4 }, at[4] = { 0 }, next[4];
	MPI_Request request;
	int sum = 0;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
	used(grid, 9);
	MPI_Cart_shift(grid, 0, 1, &next[0], &next[1]);
	MPI_Cart_shift(grid, 1, 1, &next[2], &next[3]);
	MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, grid);
	for (int n = 0; n < 4; n++)
		sent(grid, next[n], 12);
	truth_collective(rank, next_comm - 1, "Neighbor_allgather", -1, 36);
	MPI_Neighbor_alltoallv(out, counts, at, MPI_SHORT, in,
	    (int[]){ 2, 1, 4, 0 }, at, MPI_SHORT, grid);
	for (int n = 0; n < 4; n++) {
		sent(grid, next[n], 2 * counts[n]);
		if (next[n] != MPI_PROC_NULL)
			sum += 2 * counts[n];
	}
	truth_collective(rank, next_comm - 1, "Neighbor_alltoallv", -1, sum);
	for (int n = 0; n < 4; n++)
		types[n] = MPI_BYTE;
	MPI_Ineighbor_alltoallw(out, (int[]){ 5, 5, 6, 6 }, places, types, in,
	    (int[]){ 5, 5, 6, 6 }, places, types, grid, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int n = 0; n < 4; n++)
		sent(grid, next[n], n < 2 ? 5 : 6);
	truth_collective(rank, next_comm - 1, "Ineighbor_alltoallw", -1, 16);
	MPI_Cart_sub(grid, keep, &row);
	used(row, 10);
	MPI_Comm_free(&row);
	MPI_Comm_free(&grid);
}

/* A star with rank 0 in its centre. */
static void
star(void)
{
	int index[] = { 3, 4, 5, 6 }, edges[] = { 1, 2, 3, 0, 0, 0 };
	MPI_Comm graph;

	MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
	used(graph, 11);
	MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, graph);
	for (int n = 0; n < (rank == 0 ? 3 : 1); n++)
		sent(graph, rank == 0 ? n + 1 : 0, 4);
	truth_collective(rank, next_comm - 1, "Neighbor_allgather", -1,
	    rank == 0 ? 12 : 4);
	MPI_Comm_free(&graph);
}

/* Edges from ranks 0 and 1 to rank 3; rank 2 has no neighbours. */
static void
two_to_one(void)
{
	int sources[] = { 0, 1 }, targets[] = { 3 }, weights[] = { 1, 1 };
	int counts[] = { 3, 3 }, at[] = { 0, 3 };
	MPI_Comm graph;

	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 3 ? 2 : 0,
	    sources, weights, rank < 2 ? 1 : 0, targets, weights, MPI_INFO_NULL,
	    0, &graph);
	used(graph, 12);
	MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, graph);
	if (rank < 2)
		sent(graph, 3, 8);
	truth_collective(rank, next_comm - 1, "Neighbor_alltoall", -1,
	    rank < 2 ? 8 : 0);
	MPI_Neighbor_allgatherv(out, 3, MPI_INT, in, counts, at, MPI_INT,
	    graph);
	if (rank < 2)
		sent(graph, 3, 12);
	truth_collective(rank, next_comm - 1, "Neighbor_allgatherv", -1,
	    rank < 2 ? 12 : 0);
	MPI_Comm_free(&graph);
}

/* An edge from each rank to the next; rank 0 gives all edges to MPI. */
static void
ring(void)
{
	int from[] = { 0, 1, 2, 3 }, to[] = { 1, 2, 3, 0 };
	int ones[] = { 1, 1, 1, 1 };
	MPI_Comm graph;

	MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 4 : 0, from, ones, to,
	    ones, MPI_INFO_NULL, 0, &graph);
	used(graph, 13);
	MPI_Neighbor_alltoall(out, 5, MPI_INT, in, 5, MPI_INT, graph);
	sent(graph, (rank + 1) % 4, 20);
	truth_collective(rank, next_comm - 1, "Neighbor_alltoall", -1, 20);
	MPI_Comm_free(&graph);
}

/* The two groups of an intercommunicator: the low side has world ranks 0 and 1,
   the other side has world ranks 3 and 2, in this order. */
static bool low;
static int here, first, second; /* rank in its side; world ranks of ranks 0 and
				   1 of the other side */

/* Returns the argument root that this rank must pass, if the root is rank
   `number` of a side. */
static int
root_of(bool low_side, int number)
{
	if (low != low_side)
		return number;
	return here == number ? MPI_ROOT : MPI_PROC_NULL;
}

/* Returns the root that the row of this rank has: ES_MPI_ROOT_SELF or
   ES_MPI_ROOT_IDLE in the root's side. */
static int
root_as_counted(bool low_side, int number)
{
	if (low != low_side)
		return number;
	return here == number ? -2 : -3;
}

static void
root_on_one_side(MPI_Comm both)
{
	int counts[] = { 1, 2 }, at[] = { 0, 1 };

	MPI_Bcast(out, 15, MPI_BYTE, root_of(true, 1), both);
	truth_collective(rank, next_comm, "Bcast", root_as_counted(true, 1),
	    low && here == 0 ? 0 : 15);
	MPI_Reduce(out, in, 16, MPI_BYTE, MPI_BOR, root_of(false, 1), both);
	truth_collective(rank, next_comm, "Reduce", root_as_counted(false, 1),
	    !low && here == 0 ? 0 : 16);
	MPI_Gatherv(out, here + 1, MPI_INT, in, counts, at, MPI_INT,
	    root_of(true, 0), both);
	if (!low)
		truth_message(rank, 0, "collective", 4 * (here + 1));
	truth_collective(rank, next_comm, "Gatherv", root_as_counted(true, 0),
	    low ? 0 : 4 * (here + 1));
}

static void
from_side_to_side(MPI_Comm both)
{
	int counts[] = { 2, 3 }, at[] = { 0, 2 }, from[] = { 0, 8 };
	int mine[] = { 2 + here, 2 + here };

	MPI_Send(out, 14, MPI_BYTE, here, 1, both);
	truth_message(rank, here ? second : first, "p2p", 14);
	MPI_Recv(in, 14, MPI_BYTE, MPI_ANY_SOURCE, 1, both, MPI_STATUS_IGNORE);
	truth_message(here ? second : first, rank, "received", 14);
	MPI_Allgather(out, low ? 4 : 2, MPI_INT, in, low ? 2 : 4, MPI_INT,
	    both);
	truth_collective(rank, next_comm, "Allgather", -1, low ? 16 : 8);
	MPI_Alltoallv(out, counts, at, MPI_INT, in, mine, from, MPI_INT, both);
	truth_message(rank, first, "collective", 8);
	truth_message(rank, second, "collective", 12);
	truth_collective(rank, next_comm, "Alltoallv", -1, 20);
	MPI_Barrier(both);
	truth_collective(rank, next_comm, "Barrier", -1, 0);
}

static void
sides(void)
{
	MPI_Comm side, both, all, copy;

	low = rank < 2;
	here = low ? rank : 3 - rank;
	first = low ? 3 : 0;
	second = low ? 2 : 1;
	MPI_Comm_split(MPI_COMM_WORLD, low, low ? rank : -rank, &side);
	next_comm++;
	MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, first, 8, &both);
	from_side_to_side(both);
	root_on_one_side(both);
	next_comm++;
	MPI_Comm_dup(both, &copy);
	MPI_Barrier(copy);
	truth_collective(rank, next_comm, "Barrier", -1, 0);
	next_comm++;
	MPI_Intercomm_merge(both, low, &all);
	used(all, 17);
	MPI_Comm_free(&all);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&both);
	MPI_Comm_free(&side);
}

/* Uses a window on a communicator with the ranks of the world in reverse order;
   the communicator is freed before.  A call with MPI_NO_OP only reads, so it
   counts as a get and not as a put. */
static void
window(void)
{
	int to = (3 - rank + 1) % 4, from = (3 - rank + 3) % 4, one = 1;
	MPI_Group all, targets, origins;
	MPI_Comm backwards;
	MPI_Win window;

	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
	next_comm++;
	MPI_Comm_group(backwards, &all);
	MPI_Group_incl(all, 1, &to, &targets);
	MPI_Group_incl(all, 1, &from, &origins);
	MPI_Win_create(in, sizeof(in), sizeof(in[0]), MPI_INFO_NULL, backwards,
	    &window);
	MPI_Comm_free(&backwards);
	MPI_Win_post(origins, 0, window);
	MPI_Win_start(targets, 0, window);
	MPI_Put(out, 3, MPI_INT, to, 0, 3, MPI_INT, window);
	truth_message(rank, 3 - to, "put", 12);
	MPI_Put(out, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, window);
	MPI_Win_complete(window);
	MPI_Win_wait(window);
	MPI_Win_lock_all(0, window);
	MPI_Get_accumulate(NULL, 0, MPI_INT, out + 8, 4, MPI_INT, to, 8, 4,
	    MPI_INT, MPI_NO_OP, window);
	truth_message(3 - to, rank, "get", 16);
	MPI_Fetch_and_op(&one, out, MPI_INT, to, 1, MPI_NO_OP, window);
	truth_message(3 - to, rank, "get", 4);
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	MPI_Group_free(&all);
	MPI_Group_free(&targets);
	MPI_Group_free(&origins);
}

/* MPI reuses the handles of freed communicators, but their numbers must not be
   reused. */
static void
many(void)
{
	for (int n = 0; n < 10000; n++) {
		MPI_Comm comm;

		if (n % 100 == 1)
			MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &comm);
		else
			MPI_Comm_dup(MPI_COMM_SELF, &comm);
		if (n % 2500 == 1)
			used(comm, 18);
		else
			next_comm++;
		MPI_Comm_free(&comm);
	}
}

int
main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	copies();
	parts();
	grids();
	star();
	two_to_one();
	ring();
	sides();
	window();
	many();
	MPI_Finalize();
	if (argc > 1)
		truth_write(argv[1], rank);
	return 0;
}
