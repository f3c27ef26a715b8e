/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/waiting_private.h - rounds in which a known member is late
 *
 * In each round of a case one member begins an operation 3 ms after the others,
 * or all but the root do.  Every rank writes a line for each call that may wait
 * to the file `out`:
 *
 *	CASE ROUND CALL NTH ENTER_NS EXIT_NS WAIT_NS CULPRIT BEGIN_CALL
 *	    BEGIN_NTH BEGIN_NS
 *
 * NTH counts the calls of the function CALL of this rank from 1; the operation
 * began in call BEGIN_NTH of BEGIN_CALL.  WAIT_NS is the time from ENTER_NS to
 * the begin of the rank that the call waits for by the counts of the program,
 * which is at most that of the call; CULPRIT is that rank, or -2 if another one
 * came at nearly the same time.  All times are stamps of the program.
 *
 * If a case and a member are given, or "each", only that case runs, and the
 * member is late in all rounds, or each in turn.  Between rounds, ranks then
 * meet without MPI, so nothing but the case waits.
 *
 * Programs of a single source include this file.
 */

#ifndef TESTS_MPI_WAITING_PRIVATE_H
#define TESTS_MPI_WAITING_PRIVATE_H

#include "tests/mpi/meeting_private.h"

#include <stdint.h>
#include <time.h>

#define RANKS 4
#ifndef LATE_US
#define LATE_US 3000
#endif
#define CLOSE_NS 20000
#define WARM_UP (-1) /* a round that is not noted */
#define ALONE 24     /* rounds of a case that runs alone */
#define ITEMS 64     /* of each buffer */

/* For whom a member waits. */
enum waits {
	SOURCES, /* for the last of those that send to it */
	LOWER,	 /* for the last of lower rank */
	OTHERS,	 /* the root, for the last other one */
	ROOT,	 /* for the root */
	SENDER,	 /* an even member, for the next one, which sends to it */
	PARTNER, /* for the other one of members 2n and 2n + 1 */
	SENDERS, /* member 0, for the last other one; these send to it */
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

static int rank, member; /* of the world, and of the communicator of a test */
static FILE *out;
static const char *only; /* case that runs alone; NULL: all run */
static int only_late;	 /* its late member; -1: each in turn */

/* Arguments of the calls: item counts by rank of the communicator. */
static int to[RANKS], from[RANKS], places[RANKS], bytes[RANKS];
static int sent[ITEMS], got[ITEMS];
static MPI_Datatype types[RANKS];
static MPI_Aint addresses[RANKS];
static int root;

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

/* The calls of messages, by form: of even members, or of member 0 if it waits
   for all others, and of the others. */
struct pair {
	const char *calls[2][FORMS];
	const char *completes; /* after the even members' calls */
};

/* A collective on a communicator, or messages of its members. */
struct test {
	const char *name, *nonblocking;
	const char *what; /* end of the name of the case */
	void (*call)(MPI_Comm comm, enum form form, MPI_Request *request);
	const struct group *group;
	enum waits waits;
	const struct pair *pair; /* NULL: a collective */
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
} calls[96];

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

/* Returns which calls of a pair this rank makes: those of receivers, 0, or of
   senders, 1. */
static int
side_of(const struct test *t)
{
	return t->waits == SENDERS ? t->group->me > 0 : t->group->me % 2;
}

/* Returns whether this rank takes part in an operation: the last one of an odd
   number has no partner. */
static int
takes_part(const struct test *t)
{
	const struct group *g = t->group;

	return g->me >= 0 &&
	    (t->pair == NULL || t->waits == SENDERS || (g->me ^ 1) < g->count);
}

/* Returns whether this rank sends, and receives nothing. */
static int
sends_only(const struct test *t)
{
	return t->pair != NULL && t->waits != PARTNER && side_of(t) == 1;
}

static const char *
begin_name(const struct test *t, enum form form)
{
	if (t->pair != NULL)
		return t->pair->calls[side_of(t)][form];
	return form == PERSISTENT ? "MPI_Start" :
	    form == BLOCKING	  ? t->name :
				    t->nonblocking;
}

static const char *
completes_name(const struct test *t)
{
	return t->pair != NULL && side_of(t) == 0 ? t->pair->completes :
						    "MPI_Wait";
}

/* Completes the requests of an operation. */
static void
complete(const struct test *t, MPI_Request *requests)
{
	const char *name = completes_name(t);
	int n, index[RANKS];

	if (strcmp(name, "MPI_Wait") == 0)
		MPI_Wait(requests, MPI_STATUS_IGNORE);
	else if (strcmp(name, "MPI_Waitall") == 0)
		MPI_Waitall(RANKS, requests, MPI_STATUSES_IGNORE);
	else if (strcmp(name, "MPI_Waitany") == 0)
		MPI_Waitany(RANKS, requests, &n, MPI_STATUS_IGNORE);
	else
		MPI_Waitsome(RANKS, requests, &n, index, MPI_STATUSES_IGNORE);
}

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
	case OTHERS:
		return me == root;
	case ROOT:
		return other == root;
	case SENDER:
	case PARTNER:
		return other == (me ^ 1);
	case SENDERS:
		return me == 0 || other == 0;
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
		    (best < 0 || all[m].begin > all[best].begin))
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
	const char *wait =
	    r->form == BLOCKING ? r->begin_call : completes_name(t);
	int culprit, nth, close;
	int64_t ns = 0;

	if (only != NULL) {
		meeting_gather(mine, sizeof(*mine), by_rank, rank, RANKS);
	} else {
		called("MPI_Allgather");
		MPI_Allgather(mine, sizeof(*mine), MPI_BYTE, by_rank,
		    sizeof(*mine), MPI_BYTE, MPI_COMM_WORLD);
	}
	if (!takes_part(t))
		return;
	nth = r->form == BLOCKING ? r->begin_nth : called(wait);
	if (r->late == WARM_UP)
		return;
	for (int m = 0; m < g->count; m++)
		all[m] = by_rank[g->world[m]];
	culprit = culprit_of(t, all, &close);
	/* The message was buffered if the sender went on before the receiver
	   came: persistent sends of Open MPI are not. */
	if (sends_only(t) && mine->exit < all[culprit].begin)
		return;
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

/* Returns whether a rank begins late. */
static int
is_late(const struct test *t, int late)
{
	return late != WARM_UP && rank == t->group->world[late];
}

static void
begin_late(const struct test *t, int late, int us)
{
	if (only != NULL) {
		meeting_wait();
	} else {
		called("MPI_Barrier");
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (!is_late(t, late))
		return;
	usleep((useconds_t)us);
}

/* Starts the persistent requests of an operation. */
static void
start(const char *name, MPI_Request *requests)
{
	int count = 0;

	while (count < RANKS && requests[count] != MPI_REQUEST_NULL)
		count++;
	if (strcmp(name, "MPI_Start") == 0)
		MPI_Start(requests);
	else
		MPI_Startall(count, requests);
}

static void
round_of(const struct test *t, enum form form, MPI_Request *requests, int late)
{
	struct stamps s = { 0, 0, 0 };
	struct round r = { form, late, NULL, 0 };

	begin_late(t, late, LATE_US);
	if (takes_part(t)) {
		r.begin_call = begin_name(t, form);
		r.begin_nth = called(r.begin_call);
		/* Member 0 has a receive for each other one. */
		for (int n = 2; t->waits == SENDERS && form == NONBLOCKING &&
		     member == 0 && n < t->group->count;
		     n++)
			called(r.begin_call);
		s.begin = s.enter = now_ns();
		if (form == PERSISTENT)
			start(r.begin_call, requests);
		else
			t->call(t->group->comm, form, requests);
		if (form != BLOCKING) {
			s.enter = now_ns();
			complete(t, requests);
		}
		s.exit = now_ns();
	}
	note(t, &r, &s);
}

/* Returns whether a test has a form. */
static int
has_form(const struct test *t, enum form form)
{
	if (t->pair != NULL)
		return t->pair->calls[0][form] != NULL;
	/* A persistent Scatter of MPICH 4.0 fails. */
	return form != PERSISTENT ||
	    (MPI_VERSION >= 4 && strcmp(t->name, "MPI_Scatter") != 0);
}

/* Returns whether a form of a test runs. */
static int
is_asked(const struct test *t, enum form form)
{
	char name[80];

	snprintf(name, sizeof(name), "%s%s-%d", t->name, t->what, (int)form);
	return only == NULL || strcmp(name, only) == 0;
}

/* Number of rounds after the warm-up. */
static int
rounds_of(const struct test *t)
{
	return only != NULL ? ALONE : t->group->count;
}

/* Returns the late one of so many members in a round. */
static int
late_in(int count, int round)
{
	if (round == WARM_UP)
		return WARM_UP;
	return only != NULL && only_late >= 0 ? only_late : round % count;
}

static void
forms_of(const struct test *t)
{
	member = t->group->me;
	for (enum form f = BLOCKING; f < FORMS; f++) {
		MPI_Request requests[RANKS];

		if (!has_form(t, f) || !is_asked(t, f))
			continue;
		for (int n = 0; n < RANKS; n++)
			requests[n] = MPI_REQUEST_NULL;
		if (f == PERSISTENT && takes_part(t))
			t->call(t->group->comm, f, requests);
		for (int n = WARM_UP; n < rounds_of(t); n++)
			round_of(t, f, requests, late_in(t->group->count, n));
		for (int n = 0; n < RANKS; n++)
			if (requests[n] != MPI_REQUEST_NULL)
				MPI_Request_free(&requests[n]);
	}
}

static void
receive(MPI_Comm comm, enum form form, MPI_Request *request, int source)
{
	int *to = got + (source < 0 ? 0 : source);

	if (form == BLOCKING)
		MPI_Recv(to, 1, MPI_INT, source, 3, comm, MPI_STATUS_IGNORE);
	else if (form == NONBLOCKING)
		MPI_Irecv(to, 1, MPI_INT, source, 3, comm, request);
	else
		MPI_Recv_init(to, 1, MPI_INT, source, 3, comm, request);
}

static void
send(MPI_Comm comm, enum form form, MPI_Request *request, int target)
{
	if (form == BLOCKING)
		MPI_Send(sent, 1, MPI_INT, target, 3, comm);
	else if (form == NONBLOCKING)
		MPI_Isend(sent, 1, MPI_INT, target, 3, comm, request);
	else
		MPI_Send_init(sent, 1, MPI_INT, target, 3, comm, request);
}

/* Member 2n receives from any source, to which member 2n + 1 sends. */
static void
call_any(MPI_Comm comm, enum form form, MPI_Request *requests)
{
	if (member % 2 == 1)
		send(comm, form, requests, member - 1);
	else
		receive(comm, form, requests, MPI_ANY_SOURCE);
}

/* Member 0 receives a message of each other one, in any order. */
static void
call_gather(MPI_Comm comm, enum form form, MPI_Request *requests)
{
	int count;

	MPI_Comm_size(comm, &count);
	if (member > 0)
		send(comm, form, requests, 0);
	for (int n = 1; n < count && member == 0; n++)
		receive(comm, form, &requests[n - 1], MPI_ANY_SOURCE);
}

/* Members 2n and 2n + 1 send to each other. */
static void
call_exchange(MPI_Comm comm, enum form form, MPI_Request *request)
{
	int other = member ^ 1;

#if MPI_VERSION >= 4
	if (form == NONBLOCKING) {
		/* MPICH 4.0 does not tell the source of a message. */
		MPI_Isendrecv(sent, 1, MPI_INT, other, 3, got, 1, MPI_INT,
		    other, 3, comm, request);
		return;
	}
#endif
	MPI_Sendrecv(sent, 1, MPI_INT, other, 3, got, 1, MPI_INT,
	    MPI_ANY_SOURCE, 3, comm, MPI_STATUS_IGNORE);
}

static const struct pair pair_wait = {
	{ { "MPI_Recv", "MPI_Irecv", "MPI_Start" },
	    { "MPI_Send", "MPI_Isend", "MPI_Start" } },
	"MPI_Wait"
};
static const struct pair pair_waitall = {
	{ { NULL, "MPI_Irecv", "MPI_Startall" },
	    { NULL, "MPI_Isend", "MPI_Start" } },
	"MPI_Waitall"
};

#if MPI_VERSION >= 4
#define ISENDRECV "MPI_Isendrecv"
#else
#define ISENDRECV NULL
#endif
static const struct pair pair_exchange = {
	{ { "MPI_Sendrecv", ISENDRECV, NULL },
	    { "MPI_Sendrecv", ISENDRECV, NULL } },
	"MPI_Wait"
};

/* Runs a test of messages. */
#define RUN_PAIR(name, what, group, waits, pair) \
	forms_of(&(struct test){ #name, NULL, what, call_##name, group, waits, \
	    &pair })

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

/* Makes an intracommunicator of ranks of the world.  The other ranks know its
   members, too. */
static void
group_make(struct group *g, const int *members, int count)
{
	MPI_Group all, some;
	MPI_Comm comm;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, count, members, &some);
	MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
	MPI_Group_free(&some);
	MPI_Group_free(&all);
	group_set(g, comm);
	g->count = count;
	memcpy(g->world, members, (size_t)count * sizeof(*members));
}

/* Starts MPI, and opens the file PREFIX.RANK.  which: number of the argument
   that may name the case to run */
static void
begin(int *argc, char ***argv, int which)
{
	char name[4096];

	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (*argc > which + 1) {
		only = (*argv)[which];
		only_late = atoi((*argv)[which + 1]);
		if (strcmp((*argv)[which + 1], "each") == 0)
			only_late = -1;
		meeting_open((*argv)[1]);
	}
	snprintf(name, sizeof(name), "%s.%d", (*argv)[1], rank);
	out = fopen(name, "w");
	if (out == NULL)
		MPI_Abort(MPI_COMM_WORLD, 1);
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

#endif
