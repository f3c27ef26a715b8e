/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/onesided.c - waits of one-sided communication, probes and
 * partitions, with the program's own stamps
 *
 *	onesided TRUTH [CASE]
 *
 * Four ranks; ranks 3, 2 and 1 form a team, in this order.  In each round a
 * member is late by 8 ms.  Each member stamps its calls, and computes from the
 * stamps of all members how long each call waited.  Writes files TRUTH.RANK,
 * with a line for each call:
 *
 *	ROUND RANK FUNCTION NUMBER ENTER EXIT PATTERN NS CULPRIT
 *
 * NUMBER counts the calls of the function by the rank, from 1.  A call
 * that did not wait has the pattern "-", and one with two reasons two lines.
 *
 * A case runs alone, on three ranks, with the same late member in all rounds.
 * Between its rounds the ranks meet without MPI, so nothing but the case waits.
 */

#include "tests/mpi/meeting_private.h"

#include <stdint.h>
#include <time.h>

#define MEMBERS 3
#define SLOTS 8
#ifndef LATE
#define LATE 8000000 /* ns; half of it is the shortest wait */
#endif
#define ROUNDS 8
#define ALONE 24 /* rounds of a case that runs alone */

struct slot {
	int64_t enter, exit;
};

static struct call {
	const char *function;
	int number;
	struct {
		const char *pattern;
		int64_t ns;
		int culprit; /* member */
	} waits[2];
} calls[SLOTS];

static struct slot own[SLOTS], all[MEMBERS][SLOTS];
static struct {
	const char *function;
	int count;
} functions[32];
static MPI_Comm team;
static MPI_Win windows[2];
static double memory[2][1024], out[1024];
static int me, world, ranks, round_number;
static const char *only; /* case that runs alone; NULL: all run */
static FILE *truth;

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void
late(int64_t ns)
{
	struct timespec ts = { .tv_nsec = ns };

	nanosleep(&ts, NULL);
}

static int
count_of(const char *function)
{
	int n = 0;

	while (functions[n].function != NULL &&
	    strcmp(functions[n].function, function) != 0)
		n++;
	functions[n].function = function;
	return ++functions[n].count;
}

/* Makes a call with stamps. */
#define CALL(slot, name, ...) \
	do { \
		calls[slot].function = name; \
		calls[slot].number = count_of(name); \
		own[slot].enter = now_ns(); \
		__VA_ARGS__; \
		own[slot].exit = now_ns(); \
	} while (0)

static void
begin(void)
{
	round_number++;
	memset(calls, 0, sizeof(calls));
	memset(own, 0, sizeof(own));
	if (only == NULL) {
		CALL(7, "Barrier", MPI_Barrier(team));
		return;
	}
	meeting_wait();
	own[7].exit = now_ns();
}

static void
exchange(void)
{
	if (only != NULL)
		meeting_gather(own, sizeof(own), all, me, MEMBERS);
	else
		MPI_Allgather(own, sizeof(own), MPI_BYTE, all, sizeof(own),
		    MPI_BYTE, team);
}

static void
note(int slot, const char *pattern, int culprit, int64_t ns)
{
	int n = calls[slot].waits[0].pattern != NULL;

	if (ns <= 0)
		return;
	calls[slot].waits[n].pattern = pattern;
	calls[slot].waits[n].ns = ns;
	calls[slot].waits[n].culprit = culprit;
}

static void
end(void)
{
	for (int s = 0; s < SLOTS; s++)
		for (int n = 0; calls[s].function != NULL && n < 2; n++) {
			const char *pattern = calls[s].waits[n].pattern;

			if (pattern == NULL && n > 0)
				continue;
			fprintf(truth, "%d %d MPI_%s %d %lld %lld %s %lld %d\n",
			    round_number, world, calls[s].function,
			    calls[s].number, (long long)own[s].enter,
			    (long long)own[s].exit,
			    pattern == NULL ? "-" : pattern,
			    (long long)calls[s].waits[n].ns,
			    ranks - 1 - calls[s].waits[n].culprit);
		}
}

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t
most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Notes the wait for the member that entered last, if all leave after it.
   skip: the first part of the wait, which is for another reason */
static void
note_last(int slot, const char *pattern, int64_t skip)
{
	int64_t left = INT64_MAX;
	int last = 0;

	for (int m = 0; m < MEMBERS; m++) {
		if (all[m][slot].enter > all[last][slot].enter)
			last = m;
		left = least(left, all[m][slot].exit);
	}
	if (left > all[last][slot].enter)
		note(slot, pattern, last,
		    all[last][slot].enter - own[slot].enter - most(skip, 0));
}

/* Returns the late member of a round whose members take turns. */
static int
turn_of(int round, int members)
{
	return only != NULL ? 1 % members : round % members;
}

/* Windows are made and freed. */
static void
windows_made(int round)
{
	MPI_Win win;

	begin();
	if (me == turn_of(round, MEMBERS))
		late(LATE);
	CALL(0, "Win_create",
	    MPI_Win_create(memory[0], sizeof(memory[0]), sizeof(double),
		MPI_INFO_NULL, team, &win));
	exchange();
	note_last(0, "Create", 0);
	end();
	begin();
	if (me == turn_of(round + 1, MEMBERS))
		late(LATE);
	CALL(0, "Win_free", MPI_Win_free(&win));
	exchange();
	note_last(0, "Free", 0);
	end();
}

/* Member 1 puts into the memory of member 0, which is in the fence. */
static void
fences(int round)
{
	MPI_Win win = windows[round % 2];
	int64_t accessed = 0;

	begin();
	if (me == 1) {
		late(LATE / 2);
		CALL(1, "Put",
		    MPI_Put(out, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, win));
		late(LATE / 2);
	}
	CALL(0, "Win_fence", MPI_Win_fence(0, win));
	exchange();
	if (me == 0)
		accessed = all[1][1].exit - own[0].enter;
	note(0, "Early_Fence", 1, accessed);
	note_last(0, "Fence", accessed);
	end();
}

/* The wait of member 0 for the post of member 1. */
static void
note_post(int slot)
{
	int64_t post = all[1][0].enter;

	if (post <= own[slot].exit)
		note(slot, "Late_Post", 1, post - own[slot].enter);
}

/* Makes the group of one member, and frees an old group. */
static MPI_Group
group_of(MPI_Win win, int member, MPI_Group old)
{
	MPI_Group group, other;

	if (old != MPI_GROUP_NULL)
		MPI_Group_free(&old);
	MPI_Win_get_group(win, &group);
	MPI_Group_incl(group, 1, &member, &other);
	MPI_Group_free(&group);
	return other;
}

/* Member 0 accesses member 1.  post, put, complete: delays before these. */
static void
epochs(int round, int64_t post, int64_t put, int64_t complete)
{
	MPI_Win win = windows[round % 2];
	static MPI_Group other = MPI_GROUP_NULL;
	int64_t accessed;

	if (round % 4 == 0)
		other = group_of(win, me == 0, other);
	begin();
	if (me == 0) {
		CALL(0, "Win_start", MPI_Win_start(other, 0, win));
		late(put);
		CALL(1, "Put",
		    MPI_Put(out, 4, MPI_DOUBLE, 1, 0, 4, MPI_DOUBLE, win));
		late(complete);
		CALL(2, "Win_complete", MPI_Win_complete(win));
	} else if (me == 1) {
		late(post);
		CALL(0, "Win_post", MPI_Win_post(other, 0, win));
		CALL(1, "Win_wait", MPI_Win_wait(win));
	}
	exchange();
	if (me == 0) {
		for (int slot = 0; slot < 3; slot++)
			note_post(slot);
	} else if (me == 1) {
		accessed =
		    most(own[1].enter, least(all[0][1].exit, all[0][2].enter));
		note(1, "Early_Wait", 0, accessed - own[1].enter);
		note(1, "Late_Complete", 0, all[0][2].enter - accessed);
	}
	end();
}

/* The wait of the present member for the lock of member 1: in the first of its
   calls that ended after the unlock began, and began before it ended. */
static void
note_lock(void)
{
	const struct slot *unlock = &all[1][3];

	for (int slot = 0; slot < 4; slot++)
		if (own[slot].exit > unlock->enter) {
			note(slot, "Lock", 1,
			    least(unlock->exit, own[slot].exit) -
				own[slot].enter);
			return;
		}
}

/* Members 1 and 2 lock the memory of member 0, which is inside of MPI. */
static void
locks(int round)
{
	MPI_Win win = windows[round % 2];
	int shares = round % 4 < 2 ? 1 : 2; /* the other one excludes */
	int type = me == shares ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;

	begin();
	if (me == 2)
		CALL(4, "Recv",
		    MPI_Recv(NULL, 0, MPI_INT, 1, 1, team, MPI_STATUS_IGNORE));
	if (me > 0) {
		CALL(0, "Win_lock", MPI_Win_lock(type, 0, 0, win));
		CALL(1, "Put",
		    MPI_Put(out, 4, MPI_DOUBLE, 0, 4 * me, 4, MPI_DOUBLE, win));
		CALL(2, "Win_flush", MPI_Win_flush(0, win));
		if (me == 1) {
			CALL(4, "Send", MPI_Send(NULL, 0, MPI_INT, 2, 1, team));
			late(LATE);
		}
		CALL(3, "Win_unlock", MPI_Win_unlock(0, win));
	}
	if (me == 2)
		CALL(5, "Send", MPI_Send(NULL, 0, MPI_INT, 0, 1, team));
	if (me == 0)
		CALL(4, "Recv",
		    MPI_Recv(NULL, 0, MPI_INT, 2, 1, team, MPI_STATUS_IGNORE));
	exchange();
	if (me == 2) {
		note_lock();
		note(4, "Late_Sender", 1, all[1][4].enter - own[4].enter);
	} else if (me == 0) {
		note(4, "Late_Sender", 2, all[2][5].enter - own[4].enter);
	}
	end();
}

/* The wait of member 1 until member 0, which has left the barrier, enters its
   next call. */
static void
note_progress(int slot)
{
	int64_t enter = all[0][0].enter;

	if (calls[slot].function != NULL && enter < own[slot].exit &&
	    all[0][7].exit < own[slot].enter)
		note(slot, "Progress", 0, enter - own[slot].enter);
}

/* Member 1 accesses the memory of member 0, which is outside of MPI. */
static void
progress(int round)
{
	MPI_Win win = windows[round % 2];
	MPI_Request request;

	begin();
	if (me == 1) {
		late(LATE / 8);
		CALL(0, "Win_lock_all", MPI_Win_lock_all(0, win));
		if (round % 2 == 0) {
			CALL(1, "Get",
			    MPI_Get(out, 4, MPI_DOUBLE, 0, 8, 4, MPI_DOUBLE,
				win));
			CALL(2, "Win_flush", MPI_Win_flush(0, win));
		} else {
			CALL(1, "Rget",
			    MPI_Rget(out, 4, MPI_DOUBLE, 0, 8, 4, MPI_DOUBLE,
				win, &request));
			CALL(2, "Wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
		}
		CALL(3, "Win_unlock_all", MPI_Win_unlock_all(win));
		CALL(4, "Send", MPI_Send(NULL, 0, MPI_INT, 0, 1, team));
		CALL(5, "Send", MPI_Send(NULL, 0, MPI_INT, 2, 1, team));
	} else {
		if (me == 0)
			late(LATE);
		CALL(0, "Recv",
		    MPI_Recv(NULL, 0, MPI_INT, 1, 1, team, MPI_STATUS_IGNORE));
	}
	exchange();
	for (int slot = 0; me == 1 && slot < 4; slot++)
		note_progress(slot);
	if (me != 1)
		note(0, "Late_Sender", 1,
		    all[1][me == 0 ? 4 : 5].enter - own[0].enter);
	end();
}

/* Member 0 probes for a message of a late sender, from any source. */
static void
probes(int round)
{
	int sender = 1 + turn_of(round, 2);
	MPI_Message message;
	MPI_Status status;

	begin();
	if (me == sender) {
		late(LATE);
		CALL(0, "Send", MPI_Send(NULL, 0, MPI_INT, 0, 5, team));
	} else if (me == 0 && round % 4 < 2) {
		CALL(0, "Probe",
		    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, team, &status));
		CALL(1, "Recv",
		    MPI_Recv(NULL, 0, MPI_INT, status.MPI_SOURCE, 5, team,
			MPI_STATUS_IGNORE));
	} else if (me == 0) {
		CALL(0, "Mprobe",
		    MPI_Mprobe(MPI_ANY_SOURCE, 5, team, &message, &status));
		CALL(1, "Mrecv",
		    MPI_Mrecv(NULL, 0, MPI_INT, &message, MPI_STATUS_IGNORE));
	}
	exchange();
	if (me == 0)
		note(0, "Late_Sender", sender,
		    all[sender][0].enter - own[0].enter);
	end();
}

#if MPI_VERSION >= 4
/* Member 1 sends two partitions to member 0, the second one late. */
static void
partitions(void)
{
	MPI_Request request = MPI_REQUEST_NULL;

	if (me == 0)
		MPI_Precv_init(memory[0], 2, 8, MPI_DOUBLE, 1, 6, team,
		    MPI_INFO_NULL, &request);
	else if (me == 1)
		MPI_Psend_init(out, 2, 8, MPI_DOUBLE, 0, 6, team, MPI_INFO_NULL,
		    &request);
	for (int round = 0; round < (only != NULL ? ALONE : ROUNDS); round++) {
		int arrived = round % 2 == 0;

		begin();
		if (me < 2)
			MPI_Start(&request);
		if (me == 1) {
			count_of("Pready");
			MPI_Pready(0, request);
			late(LATE);
			CALL(0, "Pready", MPI_Pready(1, request));
			CALL(1, "Wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
		} else if (me == 0) {
			/* Tests in every other round. */
			while (!arrived) {
				late(LATE / 32);
				MPI_Parrived(request, 1, &arrived);
			}
			CALL(0, "Wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
		}
		exchange();
		if (me == 0)
			note(0, "Late_Sender", 1,
			    all[1][0].enter - own[0].enter);
		end();
	}
	if (me < 2)
		MPI_Request_free(&request);
}
#else
static void
partitions(void)
{
}
#endif

/* The access of member 0 begins before the exposure of member 1. */
static void
late_post(int round)
{
	epochs(round, LATE, 0, 0);
}

/* Member 0 puts, and completes its access, late. */
static void
late_complete(int round)
{
	epochs(round, 0, LATE / 2, LATE / 2);
}

static const struct {
	const char *name;
	void (*round)(int round);
} cases[] = {
	{ "create", windows_made },
	{ "fence", fences },
	{ "post", late_post },
	{ "complete", late_complete },
	{ "lock", locks },
	{ "progress", progress },
	{ "probe", probes },
};
#define CASES (int)(sizeof(cases) / sizeof(cases[0]))
#define FENCED 2 /* the first ones, in an epoch of fences */

static void
fence_all(int assertion)
{
	for (int n = 0; n < 2; n++) {
		MPI_Win_fence(assertion, windows[n]);
		count_of("Win_fence");
	}
}

/* Makes the windows of the team. */
static void
open_windows(MPI_Comm *other)
{
	MPI_Comm_rank(team, &me);
	MPI_Comm_dup(team, other);
	for (int n = 0; n < 2; n++) {
		MPI_Win_create(memory[n], sizeof(memory[n]), sizeof(double),
		    MPI_INFO_NULL, n == 0 ? team : *other, &windows[n]);
		count_of("Win_create");
	}
}

static void
run_all(void)
{
	fence_all(0);
	for (int round = 0; round < ROUNDS; round++)
		for (int n = 0; n < FENCED; n++)
			cases[n].round(round);
	fence_all(MPI_MODE_NOSUCCEED);
	for (int round = 0; round < ROUNDS; round++)
		for (int n = FENCED; n < CASES; n++)
			cases[n].round(round);
	partitions();
}

static void
run_alone(void)
{
	if (strcmp(only, "partition") == 0) {
		partitions();
		return;
	}
	for (int n = 0; n < CASES; n++) {
		if (strcmp(only, cases[n].name) != 0)
			continue;
		if (n < FENCED)
			fence_all(0);
		for (int round = 0; round < ALONE; round++)
			cases[n].round(round);
		if (n < FENCED)
			fence_all(MPI_MODE_NOSUCCEED);
	}
}

int
main(int argc, char **argv)
{
	MPI_Comm other;
	char name[4096];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &world);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (argc > 2) {
		only = argv[2];
		meeting_open(argv[1]);
	}
	snprintf(name, sizeof(name), "%s.%d", argv[1], world);
	truth = fopen(name, "w");
	if (truth == NULL)
		abort();
	MPI_Comm_split(MPI_COMM_WORLD, world >= ranks - MEMBERS, -world, &team);
	if (world >= ranks - MEMBERS) {
		open_windows(&other);
		if (only != NULL)
			run_alone();
		else
			run_all();
		for (int n = 0; n < 2; n++)
			MPI_Win_free(&windows[n]);
		MPI_Comm_free(&other);
	}
	MPI_Comm_free(&team);
	fclose(truth);
	MPI_Finalize();
	return 0;
}
