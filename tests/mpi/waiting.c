/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/waiting.c - collectives in which a known rank is late
 *
 *	waiting PREFIX FILE
 *
 * In each round of a case one rank begins an operation 3 ms after the others,
 * or all but the root do.  Every rank writes a line for each call that may wait
 * to PREFIX.RANK:
 *
 *	CASE ROUND CALL NTH ENTER_NS EXIT_NS WAIT_NS CULPRIT BEGIN_CALL
 *	    BEGIN_NTH BEGIN_NS
 *
 * NTH counts the calls of the function CALL of this rank from 1; the operation
 * began in call BEGIN_NTH of BEGIN_CALL.  WAIT_NS is the time from ENTER_NS to
 * the begin of the rank that the call waits for by the counts of the program,
 * which is at most that of the call; CULPRIT is that rank, or -2 if another one
 * came at nearly the same time.  All times are stamps of the program.  FILE.N
 * are files that it writes.
 */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RANKS 4
#define LATE_US 3000
#define LATE_FILE_US 8000
#define CLOSE_NS 20000
#define WARM_UP (-1) /* a round that is not noted */
#define ITEMS 64     /* of each buffer */

/* For whom a member waits. */
enum waits {
	SOURCES, /* for the last of those that send to it */
	LOWER,	 /* for the last of lower rank */
	FIRST,	 /* the root, for the first other one */
	ROOT,	 /* for the root */
	TOGETHER /* for the last, if none left before it came */
};

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* The communicator of a case, and the members that send to each member. */
struct group {
	MPI_Comm comm;
	int count, me;	  /* members of both groups; number of this rank */
	int world[RANKS]; /* rank of each member */
	int sends[RANKS][RANKS]; /* [from][to], by members */
};

static int rank;
static FILE *out;
static struct group world, cart, graph, dist, sub, inter;

/* Arguments of the calls: item counts by rank of the communicator. */
static int to[RANKS], from[RANKS], places[RANKS], bytes[RANKS];
static int sent[ITEMS], got[ITEMS];
static MPI_Datatype types[RANKS];
static MPI_Aint addresses[RANKS];
static int root;
static MPI_File file;
static const char *file_name;

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* A case in its three forms; a persistent one is made by form PERSISTENT. */
#if MPI_VERSION >= 4
#define INIT(name, ...) MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#else
#define INIT(name, ...) abort()
#endif
#define CASE(name, nonblocking, ...) \
	static void call_##name(MPI_Comm comm, enum form form, \
	    MPI_Request *request) \
	{ \
		if (form == BLOCKING) \
			MPI_##name(__VA_ARGS__); \
		else if (form == NONBLOCKING) \
			MPI_##nonblocking(__VA_ARGS__, request); \
		else \
			INIT(name, __VA_ARGS__); \
	}

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

/* A collective on a communicator. */
struct test {
	const char *name, *nonblocking;
	const char *what; /* end of the name of the case */
	void (*call)(MPI_Comm comm, enum form form, MPI_Request *request);
	const struct group *group;
	enum waits waits;
};

/* A round of a test, with the last call that began an operation. */
struct round {
	enum form form;
	int late; /* member */
	const char *begin_call;
	int begin_nth;
};

/* Counts of calls by name, of those that are recorded. */
static int off;
static struct {
	char name[40];
	int count;
} calls[64];

static int
called(const char *name)
{
	int i = 0;

	if (off)
		return 0;
	while (calls[i].count && strcmp(calls[i].name, name) != 0)
		i++;
	snprintf(calls[i].name, sizeof(calls[i].name), "%s", name);
	return ++calls[i].count;
}

/* The stamps of a round: begin of the operation, enter and exit of the call
   that completes it. */
struct stamps {
	int64_t begin, enter, exit;
};

/* Returns whether this rank waits for another member. */
static int
is_awaited(const struct test *t, int other)
{
	int me = t->group->me;

	if (other == me)
		return 0;
	switch (t->waits) {
	case SOURCES:
		return t->group->sends[other][me] != 0;
	case LOWER:
		return other < me;
	case FIRST:
		return me == root;
	case ROOT:
		return other == root;
	default:
		return 1;
	}
}

/* Returns the member that this rank waits for, or -1 if there is none.  close:
   out, whether another one began at nearly the same time */
static int
culprit_of(const struct test *t, const struct stamps *all, int *close)
{
	int best = -1;

	*close = 0;
	for (int m = 0; m < t->group->count; m++)
		if (is_awaited(t, m) &&
		    (best < 0 ||
			(t->waits == FIRST ? all[m].begin < all[best].begin :
					     all[m].begin > all[best].begin)))
			best = m;
	for (int m = 0; m < t->group->count; m++) {
		if (t->waits == TOGETHER && best >= 0 &&
		    (all[m].exit < all[best].begin ||
			all[m].exit < all[t->group->me].begin))
			return -1;
		if (m != best && is_awaited(t, m) &&
		    llabs(all[m].begin - all[best].begin) < CLOSE_NS)
			*close = 1;
	}
	return best;
}

static void
note(const struct test *t, const struct round *r, const struct stamps *mine)
{
	const struct group *g = t->group;
	struct stamps all[RANKS], by_rank[RANKS];
	const char *wait = r->form == BLOCKING ? r->begin_call : "MPI_Wait";
	int culprit, nth, close;
	int64_t ns = 0;

	MPI_Allgather(mine, sizeof(*mine), MPI_BYTE, by_rank, sizeof(*mine),
	    MPI_BYTE, MPI_COMM_WORLD);
	if (g->me < 0)
		return;
	nth = r->form == BLOCKING ? r->begin_nth : called(wait);
	if (r->late == WARM_UP)
		return;
	for (int m = 0; m < g->count; m++)
		all[m] = by_rank[g->world[m]];
	culprit = culprit_of(t, all, &close);
	if (culprit >= 0)
		ns = (all[culprit].begin < mine->exit ? all[culprit].begin :
							mine->exit) -
		    mine->enter;
	if (ns <= 0)
		ns = 0, culprit = -1;
	else
		culprit = close ? -2 : g->world[culprit];
	fprintf(out, "%s%s-%d %d %s %d %lld %lld %lld %d %s %d %lld\n", t->name,
	    t->what, (int)r->form, r->late, wait, nth, (long long)mine->enter,
	    (long long)mine->exit, (long long)ns, culprit, r->begin_call,
	    r->begin_nth, (long long)mine->begin);
}

/* Lets a member begin late, or all but the root if the root waits for the
   first. */
static void
begin_late(const struct test *t, int late, int us)
{
	const int *world = t->group->world;

	MPI_Barrier(MPI_COMM_WORLD);
	if (late != WARM_UP &&
	    (t->waits == FIRST ? rank != world[root] : rank == world[late]))
		usleep(us);
}

static void
round_of(const struct test *t, enum form form, MPI_Request *request, int late)
{
	struct stamps s = { 0, 0, 0 };
	struct round r = { form, late, "MPI_Start", 0 };

	if (form != PERSISTENT)
		r.begin_call = form == BLOCKING ? t->name : t->nonblocking;
	begin_late(t, late, LATE_US);
	if (t->group->me >= 0) {
		r.begin_nth = called(r.begin_call);
		s.begin = s.enter = now_ns();
		if (form == PERSISTENT)
			MPI_Start(request);
		else
			t->call(t->group->comm, form, request);
		if (form != BLOCKING) {
			s.enter = now_ns();
			MPI_Wait(request, MPI_STATUS_IGNORE);
		}
		s.exit = now_ns();
	}
	note(t, &r, &s);
}

static void
forms_of(const struct test *t)
{
	const struct group *g = t->group;

	for (enum form f = BLOCKING; f < FORMS; f++) {
		MPI_Request request = MPI_REQUEST_NULL;

		if (f == PERSISTENT && MPI_VERSION < 4)
			return;
		if (f == PERSISTENT && g->me >= 0)
			t->call(g->comm, f, &request);
		for (int late = WARM_UP; late < g->count; late++)
			round_of(t, f, &request, late);
		if (f == PERSISTENT && g->me >= 0)
			MPI_Request_free(&request);
	}
}

#define RUN(name, nonblocking, what, group, waits) \
	forms_of(&(struct test){ "MPI_" #name, "MPI_" #nonblocking, what, \
	    call_##name, group, waits })

/* Sets the members of an intracommunicator. */
static void
group_set(struct group *g, MPI_Comm comm)
{
	MPI_Group mine, all;
	int numbers[RANKS] = { 0, 1, 2, 3 };

	memset(g, 0, sizeof(*g));
	g->comm = comm;
	g->me = -1;
	if (comm == MPI_COMM_NULL)
		return;
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Comm_group(comm, &mine);
	MPI_Comm_size(comm, &g->count);
	MPI_Comm_rank(comm, &g->me);
	MPI_Group_translate_ranks(mine, g->count, numbers, all, g->world);
	MPI_Group_free(&mine);
	MPI_Group_free(&all);
}

/* Sets the counts of a case: item counts that this rank sends and receives, in
   the order of its blocks. */
static void
counts_set(const int *sends, const int *receives, int count)
{
	for (int i = 0; i < RANKS; i++) {
		to[i] = i < count ? sends[i] : 0;
		from[i] = i < count ? receives[i] : 0;
		places[i] = i * 4;
		bytes[i] = i * 16;
		addresses[i] = i * 16;
		types[i] = MPI_INT;
	}
}

static void
sends_all(struct group *g, int value)
{
	for (int a = 0; a < RANKS; a++)
		for (int b = 0; b < RANKS; b++)
			g->sends[a][b] = value;
}

/* Every member sends to every other one. */
static void
dense(struct group *g)
{
	static const int ones[RANKS] = { 1, 1, 1, 1 };

	sends_all(g, 1);
	counts_set(ones, ones, RANKS);
}

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
	RUN(Gatherv, Igatherv, what, g, FIRST);
	RUN(Scatterv, Iscatterv, what, g, ROOT);
	/* The last member gets no block. */
	from[g->count - 1] = 0;
	for (int m = 0; m < RANKS; m++)
		g->sends[m][g->count - 1] = 0;
	RUN(Reduce_scatter, Ireduce_scatter, what, g, SOURCES);
	sparse(g);
	RUN(Alltoallv, Ialltoallv, g == &world ? "-some" : what, g, SOURCES);
	RUN(Alltoallw, Ialltoallw, what, g, SOURCES);
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

/* Switches the recording of a rank off or on. */
static void
record(int of, int on)
{
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

int
main(int argc, char **argv)
{
	char name[4096];
	int members[3] = { 3, 1, 0 };
	MPI_Group all, some;
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(name, sizeof(name), "%s.%d", argv[1], rank);
	out = fopen(name, "w");
	if (out == NULL)
		MPI_Abort(MPI_COMM_WORLD, 1);
	group_set(&world, MPI_COMM_WORLD);
	vectors(&world, "");
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 3, members, &some);
	MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
	group_set(&sub, comm);
	if (comm == MPI_COMM_NULL) {
		sub.count = 3;
		memcpy(sub.world, members, sizeof(members));
	}
	vectors(&sub, "-sub");
	topologies();
	intercommunicator();
	file_name = argv[2];
	files(1);
#ifndef OPEN_MPI
	unrecorded_file();
#endif
	files(0);
	fclose(out);
	MPI_Finalize();
	return 0;
}
