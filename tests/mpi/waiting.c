/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/waiting.c - collectives, and receives of any source, in which a
 * known rank is late
 *
 *	waiting PREFIX FILE [CASE MEMBER|each]
 *
 * Every rank writes lines as waiting_private.h has them to PREFIX.RANK.  FILE.N
 * are files that it writes.
 */

#include "tests/mpi/waiting_private.h"

#define LATE_FILE_US (LATE_US > 8000 ? LATE_US : 8000)

static struct group world, cart, graph, dist, sub, inter;
static MPI_File file;
static const char *file_name;

CASE(Alltoallv, Ialltoallv, sent, to, places, MPI_INT, got, from, places,
    MPI_INT, comm)
CASE(Alltoallw, Ialltoallw, sent, to, bytes, types, got, from, bytes, types,
    comm)
CASE(Neighbor_allgather, Ineighbor_allgather, sent, 1, MPI_INT, got, 1, MPI_INT,
    comm)
CASE(Neighbor_allgatherv, Ineighbor_allgatherv, sent, 1, MPI_INT, got, from,
    places, MPI_INT, comm)
CASE(Neighbor_alltoall, Ineighbor_alltoall, sent, 1, MPI_INT, got, 1, MPI_INT,
    comm)
CASE(Neighbor_alltoallv, Ineighbor_alltoallv, sent, to, places, MPI_INT, got,
    from, places, MPI_INT, comm)
CASE(Neighbor_alltoallw, Ineighbor_alltoallw, sent, to, addresses, types, got,
    from, addresses, types, comm)
CASE(Scan, Iscan, sent, got, 1, MPI_INT, MPI_SUM, comm)
CASE(Exscan, Iexscan, sent, got, 1, MPI_INT, MPI_SUM, comm)
CASE(Gatherv, Igatherv, sent, 1, MPI_INT, got, from, places, MPI_INT, root,
    comm)
CASE(Scatterv, Iscatterv, sent, to, places, MPI_INT, got, 1, MPI_INT, root,
    comm)
CASE(Allgatherv, Iallgatherv, sent, 1, MPI_INT, got, from, places, MPI_INT,
    comm)
CASE(Reduce_scatter, Ireduce_scatter, sent, got, from, MPI_INT, MPI_SUM, comm)

/* Every member sends to the next one and, in pairs, member 0 to 2. */
static void
sparse(struct group *g)
{
	int sends[RANKS] = { 0 }, receives[RANKS] = { 0 };

	sends_all(g, 0);
	for (int m = 0; m < g->count; m++)
		g->sends[m][(m + 1) % g->count] = 2;
	if (g->count > 2)
		g->sends[0][2] = 2;
	for (int m = 0; m < g->count && g->me >= 0; m++) {
		sends[m] = g->sends[g->me][m];
		receives[m] = g->sends[m][g->me];
	}
	counts_set(sends, receives, g->count);
}

/* The neighbours of this rank, in the order of its blocks; -1: none. */
struct edges {
	int sources[3], source_count;
	int targets[3], target_count;
};

/* Sets who sends in a neighbourhood collective: all neighbours or, if `some`,
   those of higher rank and rank 0. */
static void
neighbors(struct group *g, const struct edges *e, int some)
{
	int sends[RANKS] = { 0 }, receives[RANKS] = { 0 }, mine[RANKS] = { 0 };

	for (int i = 0; i < e->target_count; i++)
		if (e->targets[i] >= 0)
			mine[e->targets[i]] = sends[i] =
			    !some || rank > e->targets[i] || rank == 0;
	for (int i = 0; i < e->source_count; i++)
		receives[i] = e->sources[i] >= 0 &&
		    (!some || e->sources[i] > rank || e->sources[i] == 0);
	counts_set(sends, receives, RANKS);
	MPI_Allgather(mine, RANKS, MPI_INT, g->sends, RANKS, MPI_INT,
	    MPI_COMM_WORLD);
}

static void
neighbor_cases(struct group *g, const struct edges *e, const char *what)
{
	neighbors(g, e, 0);
	RUN(Neighbor_allgather, Ineighbor_allgather, what, g, SOURCES);
	RUN(Neighbor_allgatherv, Ineighbor_allgatherv, what, g, SOURCES);
	RUN(Neighbor_alltoall, Ineighbor_alltoall, what, g, SOURCES);
	neighbors(g, e, 1);
	RUN(Neighbor_alltoallv, Ineighbor_alltoallv, what, g, SOURCES);
	RUN(Neighbor_alltoallw, Ineighbor_alltoallw, what, g, SOURCES);
}

static void
topologies(void)
{
	int sizes[1] = { RANKS }, open[1] = { 0 };
	/* A star around rank 0. */
	int index[RANKS] = { 3, 4, 5, 6 }, ends[6] = { 1, 2, 3, 0, 0, 0 };
	int before = rank > 0 ? rank - 1 : -1;
	int after = rank < RANKS - 1 ? rank + 1 : -1;
	struct edges line = { { before, after }, 2, { before, after }, 2 };
	struct edges star = { { 0 }, 1, { 0 }, 1 };
	/* Each rank sends to the next one; rank 0 also to rank 2. */
	struct edges ring = { { (rank + 3) % RANKS, 0 }, 1 + (rank == 2),
		{ (rank + 1) % RANKS, 2 }, 1 + (rank == 0) };
	MPI_Comm comm;

	if (rank == 0)
		star = (struct edges){ { 1, 2, 3 }, 3, { 1, 2, 3 }, 3 };
	MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, open, 0, &comm);
	group_set(&cart, comm);
	neighbor_cases(&cart, &line, "-cart");
	MPI_Graph_create(MPI_COMM_WORLD, RANKS, index, ends, 0, &comm);
	group_set(&graph, comm);
	neighbor_cases(&graph, &star, "-graph");
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ring.source_count,
	    ring.sources, MPI_UNWEIGHTED, ring.target_count, ring.targets,
	    MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
	group_set(&dist, comm);
	neighbor_cases(&dist, &ring, "-dist");
}

static void
vectors(struct group *g, const char *what)
{
	dense(g);
	RUN(Alltoallv, Ialltoallv, what, g, SOURCES);
	RUN(Allgatherv, Iallgatherv, what, g, SOURCES);
	RUN(Scan, Iscan, what, g, LOWER);
	RUN(Exscan, Iexscan, what, g, LOWER);
	root = 1;
	RUN(Gatherv, Igatherv, what, g, OTHERS);
	RUN(Scatterv, Iscatterv, what, g, ROOT);
	/* The last member gets no block. */
	from[g->count - 1] = 0;
	for (int m = 0; m < RANKS; m++)
		g->sends[m][g->count - 1] = 0;
	RUN(Reduce_scatter, Ireduce_scatter, what, g, SOURCES);
	sparse(g);
	RUN(Alltoallv, Ialltoallv, g == &world ? "-some" : what, g, SOURCES);
	RUN(Alltoallw, Ialltoallw, what, g, SOURCES);
	/* Libraries may hold the members although nobody sends anything. */
	counts_set((const int[RANKS]){ 0 }, (const int[RANKS]){ 0 }, RANKS);
	what = g == &world ? "-empty" : "-sub-empty";
	RUN(Alltoallv, Ialltoallv, what, g, TOGETHER);
	RUN(Alltoallw, Ialltoallw, what, g, TOGETHER);
}

/* Groups {0, 2} and {3, 1}: each member sends to one of the other group. */
static void
intercommunicator(void)
{
	MPI_Comm half, comm;
	int side = rank & 1, peer, sends[2] = { 0 }, receives[2] = { 0 };

	MPI_Comm_split(MPI_COMM_WORLD, side, side ? -rank : rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : 3, 5, &comm);
	MPI_Comm_rank(half, &peer);
	inter = (struct group){ .comm = comm,
		.count = RANKS,
		.me = 2 * side + peer,
		.world = { 0, 2, 3, 1 } };
	sends[peer] = receives[peer] = 1;
	for (int m = 0; m < 2; m++)
		inter.sends[2 + m][m] = inter.sends[m][2 + m] = 1;
	counts_set(sends, receives, 2);
	RUN(Alltoallv, Ialltoallv, "-inter", &inter, SOURCES);
	RUN(Alltoallw, Ialltoallw, "-inter", &inter, SOURCES);
}

/* Collective calls on files. */
static const char *const file_names[] = { "MPI_File_open", "MPI_File_set_view",
	"MPI_File_set_size", "MPI_File_preallocate", "MPI_File_write_all",
	"MPI_File_write_at_all", "MPI_File_write_ordered", "MPI_File_sync",
	"MPI_File_read_all", "MPI_File_read_at_all", "MPI_File_read_ordered",
	"MPI_File_seek_shared", "MPI_File_iwrite_at_all",
	"MPI_File_iread_at_all", "MPI_File_iwrite_all", "MPI_File_iread_all",
	"MPI_File_write_at_all_begin", "MPI_File_write_at_all_end",
	"MPI_File_read_all_begin", "MPI_File_read_all_end", "MPI_File_close" };
#define FILE_CALLS (int)(sizeof(file_names) / sizeof(file_names[0]))

/* Opens another file. */
static void
file_open(void)
{
	static int files_opened;
	char name[4096];

	snprintf(name, sizeof(name), "%s.%d", file_name, files_opened++);
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
	    MPI_INFO_NULL, &file);
}

/* Makes call n of file_names. */
static void
file_call(int n, MPI_Request *r)
{
	MPI_Offset at = rank * 64;

	switch (n) {
	case 0:
		file_open();
		break;
	case 1:
		MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native",
		    MPI_INFO_NULL);
		break;
	case 2:
		MPI_File_set_size(file, 4096);
		break;
	case 3:
		MPI_File_preallocate(file, 4096);
		break;
	case 4:
		MPI_File_write_all(file, sent, 4, MPI_INT, MPI_STATUS_IGNORE);
		break;
	case 5:
		MPI_File_write_at_all(file, at, sent, 4, MPI_INT,
		    MPI_STATUS_IGNORE);
		break;
	case 6:
		MPI_File_write_ordered(file, sent, 4, MPI_INT,
		    MPI_STATUS_IGNORE);
		break;
	case 7:
		MPI_File_sync(file);
		break;
	case 8:
		MPI_File_read_all(file, got, 4, MPI_INT, MPI_STATUS_IGNORE);
		break;
	case 9:
		MPI_File_read_at_all(file, at, got, 4, MPI_INT,
		    MPI_STATUS_IGNORE);
		break;
	case 10:
		MPI_File_read_ordered(file, got, 4, MPI_INT, MPI_STATUS_IGNORE);
		break;
	case 11:
		MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
		break;
	case 12:
		MPI_File_iwrite_at_all(file, at, sent, 4, MPI_INT, r);
		break;
	case 13:
		MPI_File_iread_at_all(file, at, got, 4, MPI_INT, r);
		break;
	case 14:
		MPI_File_iwrite_all(file, sent, 4, MPI_INT, r);
		break;
	case 15:
		MPI_File_iread_all(file, got, 4, MPI_INT, r);
		break;
	case 16:
		MPI_File_write_at_all_begin(file, at, sent, 4, MPI_INT);
		break;
	case 17:
		MPI_File_write_at_all_end(file, sent, MPI_STATUS_IGNORE);
		break;
	case 18:
		MPI_File_read_all_begin(file, got, 4, MPI_INT);
		break;
	case 19:
		MPI_File_read_all_end(file, got, MPI_STATUS_IGNORE);
		break;
	default:
		MPI_File_close(&file);
	}
}

static void
file_round(int n, int late)
{
	const struct test t = { file_names[n], file_names[n], "", NULL, &world,
		TOGETHER };
	struct round round = { strncmp(t.name, "MPI_File_i", 10) ? BLOCKING :
								   NONBLOCKING,
		late, t.name, called(t.name) };
	MPI_Request r = MPI_REQUEST_NULL;
	struct stamps s;

	begin_late(&t, late, LATE_FILE_US);
	s.begin = s.enter = now_ns();
	file_call(n, &r);
	if (round.form == NONBLOCKING) {
		s.enter = now_ns();
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	}
	s.exit = now_ns();
	note(&t, &round, &s);
}

/* Switches the recording of a rank off or on, unless all calls are to be
   recorded. */
static void
record(int of, int on)
{
#ifdef ALL_RECORDED
	return;
#endif
	if (rank != of)
		return;
	MPI_Pcontrol(on);
	off = !on;
}

/* Opens and closes a file that rank 2 does not record, so the next one must
   have the same number on all ranks. */
static void
unrecorded_file(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	record(2, 0);
	file_call(0, NULL);
	called(file_names[0]);
	file_call(FILE_CALLS - 1, NULL);
	called(file_names[FILE_CALLS - 1]);
	record(2, 1);
}

/* Calls each collective on a file once; the functions are warm from the second
   file on. */
static void
files(int warm_up)
{
	/* An end follows its begin. */
	for (int n = 0; n < FILE_CALLS; n++) {
#ifdef OPEN_MPI
		/* Open MPI 4.1 may hang when another file is opened. */
		if (warm_up ? n == FILE_CALLS - 1 : n == 0)
			continue;
#endif
		file_round(n, warm_up ? WARM_UP : n % RANKS);
		if (n > 0)
			continue;
		/* Calls that are not recorded are numbered, too. */
		record(1, 0);
		MPI_File_sync(file);
		called("MPI_File_sync");
		record(1, 1);
	}
}

/* Returns the collective on a file that runs alone, or -1. */
static int
file_asked(void)
{
	char name[80];

	for (int n = 0; n < FILE_CALLS; n++) {
		snprintf(name, sizeof(name), "%s-%d", file_names[n],
		    strncmp(file_names[n], "MPI_File_i", 10) == 0);
		if (strcmp(name, only) == 0)
			return n;
	}
	return -1;
}

/* Runs a round of it, with the other call of an open and a close, or of a begin
   and an end. */
static void
file_alone_round(int n, int late)
{
	if (n == FILE_CALLS - 1)
		file_open();
	if (strstr(file_names[n], "_end") != NULL)
		file_call(n - 1, NULL);
	file_round(n, late);
	if (strstr(file_names[n], "_begin") != NULL)
		file_call(n + 1, NULL);
	if (n == 0)
		file_call(FILE_CALLS - 1, NULL);
}

static void
file_alone(void)
{
	int n = file_asked(), opened = n > 0 && n < FILE_CALLS - 1;

	if (opened) {
		file_open();
		/* Open MPI 4.1 may hang in a read behind the end of a file. */
		MPI_File_set_size(file, 4096);
	}
	for (int r = WARM_UP; n >= 0 && r < ALONE; r++)
		file_alone_round(n, late_in(RANKS, r));
	if (opened)
		file_call(FILE_CALLS - 1, NULL);
}

/* Messages of ranks 3 and 0, whose traces have no gap: others are not
   matched. */
static void
messages(void)
{
	static struct group two;
	int members[2] = { 3, 0 };

	group_make(&two, members, 2);
	RUN_PAIR(any, "-sub", &two, SENDER, pair_wait);
	RUN_PAIR(gather, "-sub", &two, SENDERS, pair_waitall);
	RUN_PAIR(exchange, "-sub", &two, PARTNER, pair_exchange);
}

int
main(int argc, char **argv)
{
	int members[3] = { 3, 1, 0 };

	begin(&argc, &argv, 3);
	group_set(&world, MPI_COMM_WORLD);
	vectors(&world, "");
	group_make(&sub, members, 3);
	vectors(&sub, "-sub");
	topologies();
	intercommunicator();
	file_name = argv[2];
	if (only != NULL) {
		file_alone();
	} else {
		files(1);
#ifndef OPEN_MPI
		unrecorded_file();
#endif
		files(0);
	}
	messages();
	fclose(out);
	MPI_Finalize();
	return 0;
}
