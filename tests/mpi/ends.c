/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/ends.c - MPI programs that fail, hang or reach limits
 *
 *	ends WHAT [NUMBER] [FILE]
 *
 * After each call a rank writes the number of its calls that have returned to
 * FILE, so that the number is known however the rank ends.  FILE holds two u64
 * words for each rank: its process id and this number.
 */

#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int rank, ranks;
static long number;
static const char *file;

/* Counter of this rank: a word of FILE, or a private one. */
static volatile uint64_t *
counter(void)
{
	static uint64_t own;
	uint64_t *words;
	int fd;

	if (!file)
		return &own;
	fd = open(file, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		exit(4);
	words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (words == MAP_FAILED)
		exit(4);
	close(fd);
	words[2 * rank] = (uint64_t)getpid();
	return &words[2 * rank + 1];
}

/* Exchanges n messages with the neighbours. */
static void
exchange(long n)
{
	volatile uint64_t *calls = counter();
	int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
	char in[16], out[16] = "";

	for (long i = 0; i < n; i++) {
		MPI_Sendrecv(out, 16, MPI_CHAR, right, 1, in, 16, MPI_CHAR,
		    left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		*calls += 1;
	}
}

/* One rank aborts with the given status. */
static void
end_abort(void)
{
	exchange(1000);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == ranks - 1)
		MPI_Abort(MPI_COMM_WORLD, (int)number);
	exchange(1000000000);
}

/* All ranks exit with the given status and never call MPI_Finalize. */
static void
end_exit(void)
{
	exchange(1000);
	MPI_Barrier(MPI_COMM_WORLD);
	_exit((int)number);
}

/* The last rank sends to a rank that does not exist, after an error of a call
   that returned. */
static void
end_error(void)
{
	exchange(10);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Send(NULL, 0, MPI_INT, 7, 1, MPI_COMM_SELF);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == ranks - 1)
		MPI_Send(NULL, 0, MPI_INT, ranks + 7, 1, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* The last rank calls exit(3) without MPI_Finalize. */
static void
end_leave(void)
{
	exchange(10);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == ranks - 1)
		exit((int)number);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Each rank locks its own window, and then waits for the lock of the next. */
static void
end_lock(void)
{
	static int memory, one = 1;
	int next = (rank + 1) % ranks;
	MPI_Win win;

	MPI_Win_create(&memory, sizeof(memory), sizeof(memory), MPI_INFO_NULL,
	    MPI_COMM_WORLD, &win);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
	MPI_Put(&one, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
	MPI_Win_flush(rank, win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
	MPI_Put(&one, 1, MPI_INT, next, 0, 1, MPI_INT, win);
	MPI_Win_unlock(next, win);
}

/* All ranks exit with a status other than 0 after MPI_Finalize. */
static void
end_status(void)
{
	exchange(10);
	MPI_Finalize();
	exit((int)number);
}

static void
end_forever(void)
{
	exchange(1000000000);
}

/* Each rank waits for a message of the next one, which sends after it received
   its own. */
static void
end_deadlock(void)
{
	char in[16];

	exchange(10);
	MPI_Recv(in, 16, MPI_CHAR, (rank + 1) % ranks, 77, MPI_COMM_WORLD,
	    MPI_STATUS_IGNORE);
}

/* The others wait for rank 2, which calls MPI no more. */
static void
end_astray(void)
{
	exchange(10);
	MPI_Barrier(MPI_COMM_WORLD);
	while (rank == 2)
		pause();
	MPI_Barrier(MPI_COMM_WORLD);
}

/* The same, and rank 2 computes without an end. */
static void
end_spin(void)
{
	exchange(10);
	MPI_Barrier(MPI_COMM_WORLD);
	for (volatile long n = 0; rank == 2; n++)
		;
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Ranks enter the barriers of two communicators in another order. */
static void
end_barriers(void)
{
	MPI_Comm other;

	exchange(10);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	if (rank % 2 == 0)
		MPI_Barrier(MPI_COMM_WORLD);
	MPI_Barrier(other);
	if (rank % 2 == 1)
		MPI_Barrier(MPI_COMM_WORLD);
}

static MPI_Win
window(void)
{
	static char memory[16];
	MPI_Win win;

	exchange(10);
	MPI_Win_create(memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
	    &win);
	return win;
}

/* Each rank has a lock, and then locks what the next one has. */
static void
end_locks(void)
{
	MPI_Win win = window();
	char out = 0;

	for (int i = 0; i < 2; i++) {
		int target = (rank + i) % ranks;

		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
		MPI_Put(&out, 1, MPI_CHAR, target, 0, 1, MPI_CHAR, win);
		MPI_Win_flush(target, win);
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

/* Rank 0 waits for the accesses of rank 1, which waits for a message. */
static void
end_epochs(void)
{
	MPI_Win win = window();
	MPI_Group world, other;
	int member = rank == 0;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &member, &other);
	if (rank == 0) {
		MPI_Win_post(other, 0, win);
		MPI_Win_wait(win);
	} else if (rank == 1) {
		MPI_Win_start(other, 0, win);
		MPI_Recv(NULL, 0, MPI_INT, 0, 77, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* All ranks but the last are in a fence, and that one waits for a message. */
static void
end_fences(void)
{
	MPI_Win win = window();

	MPI_Win_fence(0, win);
	if (rank == ranks - 1)
		MPI_Recv(NULL, 0, MPI_INT, 0, 77, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
	MPI_Win_fence(0, win);
}

/* The last rank is ended by signal `number`, outside of MPI. */
static void
end_fault(void)
{
	exchange(10);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == ranks - 1)
		raise((int)number);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* All ranks send, and receive messages that no rank sends. */
static void
end_sendrecv(void)
{
	char in[16], out[16] = "";

	exchange(10);
	MPI_Sendrecv(out, 16, MPI_CHAR, (rank + 1) % ranks, 1, in, 16, MPI_CHAR,
	    (rank + 1) % ranks, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 0 receives from rank 2 with another tag than that of the message. */
static void
end_tag(void)
{
	char one[16] = "";

	exchange(10);
	if (rank == 2)
		MPI_Send(one, 16, MPI_CHAR, 0, 9, MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Recv(one, 16, MPI_CHAR, 2, 99, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 receives by MPI_Sendrecv and rank 3 by MPI_Waitall, of each other,
   with other tags than those of the messages; one request is matched. */
static void
end_tags(void)
{
	char one[16] = "", in[3][16];
	const int tags[] = { 5, 97, 96 };
	MPI_Request requests[3];

	exchange(10);
	if (rank == 1 || rank == 3)
		MPI_Send(one, 16, MPI_CHAR, 4 - rank, rank + 6, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Sendrecv(one, 16, MPI_CHAR, 3, 5, in[0], 16, MPI_CHAR, 3,
		    98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int n = 0; rank == 3 && n < 3; n++)
		MPI_Irecv(in[n], 16, MPI_CHAR, 1, tags[n], MPI_COMM_WORLD,
		    &requests[n]);
	if (rank == 3)
		MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 2 is in a barrier while the others are in an allreduce. */
static void
end_mixed(void)
{
	double in = 1, out;

	exchange(10);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2)
		MPI_Barrier(MPI_COMM_WORLD);
	else
		MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
}

/* Rank 2 calls a broadcast with another root than the others, who wait for
   it. */
static void
end_roots(void)
{
	int value = 0;

	exchange(10);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Bcast(&value, 1, MPI_INT, rank == 2 ? 0 : 2, MPI_COMM_WORLD);
}

/* Rank 0 broadcasts to ranks of which one is in a barrier: its data need not
   wait for them. */
static void
end_uneven(void)
{
	static char data[1 << 22];

	exchange(10);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2)
		MPI_Barrier(MPI_COMM_WORLD);
	else
		MPI_Bcast(data, sizeof(data), MPI_CHAR, 0, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Messages to the right neighbour and from the left one are all completed; one
   more receive from the right neighbour never is. */
static void
neighbours(MPI_Request requests[3], int more)
{
	static char in[32], out[16];
	int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;

	MPI_Irecv(in, 16, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, 16, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[1]);
	if (more)
		MPI_Irecv(in + 16, 16, MPI_CHAR, right, 77, MPI_COMM_WORLD,
		    &requests[2]);
	MPI_Waitall(2 + more, requests, MPI_STATUSES_IGNORE);
}

static void
end_waitall(void)
{
	MPI_Request requests[3];

	for (int i = 0; i < 10; i++)
		neighbours(requests, 0);
	neighbours(requests, 1);
}

/* All ranks but the last enter a barrier; the last waits for a message from
   rank 0. */
static void
end_begun(void)
{
	MPI_Request request;
	char in[16];

	exchange(10);
	if (rank == ranks - 1) {
		MPI_Recv(in, 16, MPI_CHAR, 0, 77, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
		return;
	}
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Looks like a deadlock to a reader that takes completed calls for pending
   ones. */
static void
end_busy(void)
{
	MPI_Request requests[3];

	for (;;) {
		exchange(1);
		neighbours(requests, 0);
		MPI_Ibarrier(MPI_COMM_WORLD, requests);
		MPI_Wait(requests, MPI_STATUS_IGNORE);
	}
}

/* Calls MPI from as many call paths as there are paths through this
   function. */
__attribute__((noinline)) static int
visit(unsigned path, unsigned depth)
{
	int flag;

	if (depth == 0)
		return MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag,
		    MPI_STATUS_IGNORE);
	if (path & 1)
		return 1 + visit(path >> 1, depth - 1);
	return 2 + visit(path >> 1, depth - 1);
}

static void
end_paths(void)
{
	volatile uint64_t *calls = counter();
	int sum = 0;

	for (long i = 0; i < number; i++) {
		sum += visit((unsigned)i, 12);
		*calls += 1;
	}
	if (sum == 0)
		exit(5);
}

/* Sends a message on each of many communicators, of which eight exist at a
   time. */
static void
end_communicators(void)
{
	MPI_Comm comm[8];
	int in;

	for (long i = 0; i < number; i += 8) {
		for (int k = 0; k < 8; k++)
			MPI_Comm_dup(MPI_COMM_SELF, &comm[k]);
		for (int k = 0; k < 8; k++)
			MPI_Sendrecv(&k, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0,
			    1, comm[k], MPI_STATUS_IGNORE);
		for (int k = 0; k < 8; k++)
			MPI_Comm_free(&comm[k]);
	}
}

/* Sends a message of many MiB to itself; the pages of the buffer are not
   used. */
static void
end_big(void)
{
	size_t bytes = (size_t)number << 20;
	char *out = mmap(NULL, bytes, PROT_READ,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *in = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MPI_Request request;
	MPI_Datatype mib;

	if (out == MAP_FAILED || in == MAP_FAILED)
		exit(6);
	MPI_Type_contiguous(1 << 20, MPI_CHAR, &mib);
	MPI_Type_commit(&mib);
	MPI_Irecv(in, (int)number, mib, 0, 1, MPI_COMM_SELF, &request);
	MPI_Send(out, (int)number, mib, 0, 1, MPI_COMM_SELF);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Type_free(&mib);
}

/* Spawned processes exchange messages with each other and with their
   parents. */
static void
end_spawn(const char *program)
{
	MPI_Comm parent, children;
	int in = 0;

	MPI_Comm_get_parent(&parent);
	if (parent == MPI_COMM_NULL) {
		char *arguments[] = { "spawn", NULL };

		MPI_Comm_spawn(program, arguments, ranks, MPI_INFO_NULL, 0,
		    MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
		MPI_Sendrecv(&rank, 1, MPI_INT, rank, 5, &in, 1, MPI_INT, rank,
		    5, children, MPI_STATUS_IGNORE);
		MPI_Comm_disconnect(&children);
	} else {
		exchange(10);
		MPI_Sendrecv(&rank, 1, MPI_INT, rank, 5, &in, 1, MPI_INT, rank,
		    5, parent, MPI_STATUS_IGNORE);
		MPI_Comm_disconnect(&parent);
	}
	if (in != rank)
		exit(7);
}

static long
used_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* Computes on all ranks on one core at the same time, for a number of
   milliseconds of CPU time.  MPI_Init may have used more than that. */
static void
end_core(void)
{
	cpu_set_t one;
	long begin;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	MPI_Bcast(&one, sizeof(one), MPI_BYTE, 0, MPI_COMM_WORLD);
	sched_setaffinity(0, sizeof(one), &one);
	MPI_Barrier(MPI_COMM_WORLD);
	begin = used_ms();
	while (used_ms() - begin < number)
		;
}

static void
end_named(const char *what, const char *program)
{
	static const struct {
		const char *what;
		void (*end)(void);
	} ends[] = {
		{ "abort", end_abort },
		{ "exit", end_exit },
		{ "status", end_status },
		{ "forever", end_forever },
		{ "deadlock", end_deadlock },
		{ "fault", end_fault },
		{ "leave", end_leave },
		{ "error", end_error },
		{ "lock", end_lock },
		{ "astray", end_astray },
		{ "spin", end_spin },
		{ "barriers", end_barriers },
		{ "sendrecv", end_sendrecv },
		{ "waitall", end_waitall },
		{ "mixed", end_mixed },
		{ "roots", end_roots },
		{ "uneven", end_uneven },
		{ "tag", end_tag },
		{ "tags", end_tags },
		{ "begun", end_begun },
		{ "busy", end_busy },
		{ "paths", end_paths },
		{ "communicators", end_communicators },
		{ "big", end_big },
		{ "core", end_core },
		{ "locks", end_locks },
		{ "epochs", end_epochs },
		{ "fences", end_fences },
	};

	if (strcmp(what, "spawn") == 0) {
		end_spawn(program);
		return;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strcmp(what, ends[i].what) == 0) {
			ends[i].end();
			return;
		}
	exit(2);
}

int
main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	number = argc > 2 ? atol(argv[2]) : 0;
	file = argc > 3 ? argv[3] : NULL;
	end_named(argc > 1 ? argv[1] : "", argv[0]);
	MPI_Finalize();
	return 0;
}
