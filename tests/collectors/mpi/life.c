/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/life.c - an MPI program for life.tap: begin, end, and
 * control of recording
 *
 * life CASE, see life.tap.  It runs without a launcher, as the only rank.
 */

#include "collectors/mpi.h"

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
barriers(int count)
{
	for (int n = 0; n < count; n++)
		MPI_Barrier(MPI_COMM_SELF);
}

static void
begin(void)
{
	MPI_Init(NULL, NULL);
}

/* Calls that are allowed before MPI_Init and after MPI_Finalize. */
static int
whole(void)
{
	int flag, version;

	MPI_Initialized(&flag);
	MPI_Get_version(&version, &flag);
	begin();
	barriers(2);
	MPI_Finalize();
	MPI_Finalized(&flag);
	return flag ? 7 : 1;
}

static int
unfinished(void)
{
	begin();
	barriers(3);
	_exit(8);
}

static int
aborted(void)
{
	begin();
	barriers(3);
	MPI_Abort(MPI_COMM_WORLD, 9);
	return 1;
}

static int
killed(void)
{
	begin();
	barriers(1000);
	raise(SIGKILL);
	return 1;
}

/* No rank sends the message. */
static int
hung(void)
{
	int word;

	begin();
	barriers(2);
	MPI_Recv(&word, 1, MPI_INT, 0, 17, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	return 1;
}

static int
switched(void)
{
	MPI_Pcontrol(0);
	begin();
	barriers(5);
	MPI_Pcontrol(1);
	barriers(7); /* recorded, no phase */
	MPI_Pcontrol(0);
	barriers(9);
	MPI_Pcontrol(1);
	MPI_Pcontrol(5);
	barriers(11); /* recorded, phase 5 */
	MPI_Pcontrol(2);
	MPI_Pcontrol(-1);
	barriers(13); /* recorded, no phase */
	MPI_Finalize();
	return 0;
}

static uint64_t
barriers_counted(void)
{
	const struct es_mpi_control *control = NULL;
	struct es_space_rows rows;
	uint64_t calls = 0;

	for (uint32_t n = 0; es_mpi_rows(n, &rows) == PATHS_OK; n++) {
		const struct es_mpi_profile *p = rows.rows;

		if (rows.what == ES_MPI_CONTROL)
			control = rows.rows;
		if (rows.what != ES_MPI_PROFILE || control == NULL)
			continue;
		for (uint64_t i = 0; i < rows.count; i++) {
			if (p[i].epoch == 2 * (uint64_t)control->epoch)
				calls += p[i].calls;
		}
	}
	return calls;
}

/* Without an interposer the result is 3. */
static int
speaking(void)
{
	if (es_mpi_phase("first") == PATHS_ENOENT)
		return es_mpi_start() == PATHS_ENOENT ? 3 : 1;
	if (es_mpi_reset() != PATHS_EINVAL)
		return 1;
	begin();
	barriers(4);
	if (es_mpi_reset() != PATHS_OK || es_mpi_mode(8) != PATHS_EINVAL)
		return 1;
	barriers(6);
	es_mpi_phase("second");
	barriers(8);
	es_mpi_stop();
	barriers(10);
	es_mpi_mode(ES_MODE_PROFILE);
	es_mpi_phase(NULL);
	barriers(12);
	es_mpi_stop();
	printf("counted %llu\n", (unsigned long long)barriers_counted());
	es_mpi_start();
	MPI_Finalize();
	return 0;
}

/* Begins more phases than a small disk has room for. */
static int
filling(void)
{
	begin();
	for (int n = 0; n < 2000; n++) {
		MPI_Pcontrol(10 + n);
		barriers(1);
	}
	MPI_Finalize();
	return 6;
}

/* Shows its progress by the size of a file, until another file exists. */
static int
running(void)
{
	int fd = open("loops", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	begin();
	for (int n = 0; access("stop", F_OK) != 0; n++) {
		barriers(100);
		if (ftruncate(fd, n + 1) != 0)
			return 1;
	}
	MPI_Finalize();
	return 0;
}

/* Makes a file after its calls, and waits. */
static int
resting(void)
{
	begin();
	barriers(10000);
	if (creat("rests", 0600) < 0)
		return 1;
	while (access("stop", F_OK) != 0)
		usleep(10000);
	MPI_Finalize();
	return 0;
}

static void *
churning_thread(void *unused)
{
	(void)unused;
	barriers(5);
	return NULL;
}

/* Starts one thread after the other. */
static int
churning(void)
{
	pthread_t thread;
	int level;

	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	for (int n = 0; n < 300; n++) {
		if (pthread_create(&thread, NULL, churning_thread, NULL) != 0)
			return 1;
		pthread_join(thread, NULL);
	}
	MPI_Finalize();
	return 0;
}

static int
forking(void)
{
	int rank, status;
	pid_t child;

	begin();
	barriers(2);
	child = fork();
	if (child == 0) {
		for (int n = 0; n < 50; n++)
			MPI_Comm_rank(MPI_COMM_WORLD, &rank);
		_exit(0);
	}
	waitpid(child, &status, 0);
	barriers(2);
	MPI_Finalize();
	return status == 0 ? 0 : 1;
}

/* Runs in a child.  Returns its exit status, which is 5 if all calls return
   what they promise. */
static int
child_that_speaks(void)
{
	struct es_space_rows rows;
	int rank;

	if (es_mpi_phase("of the child") != PATHS_OK ||
	    es_mpi_mode(ES_MODE_OFF) != PATHS_OK)
		return 1;
	if (es_mpi_reset() != PATHS_EINVAL ||
	    es_mpi_rows(0, &rows) != PATHS_EINVAL)
		return 2;
	MPI_Pcontrol(1);
	MPI_Pcontrol(0);
	MPI_Pcontrol(2);
	MPI_Pcontrol(9);
	for (int n = 0; n < 50; n++)
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	es_mpi_start();
	return rank == 0 ? 5 : 3;
}

/* A child sets modes and phases, and calls exit. */
static int
forking_to_speak(void)
{
	int status;
	pid_t child;

	begin();
	es_mpi_phase("of the parent");
	barriers(2);
	child = fork();
	if (child == 0)
		exit(child_that_speaks());
	waitpid(child, &status, 0);
	barriers(3);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static jmp_buf out;

static void
jump(MPI_Comm *comm, int *error, ...)
{
	(void)comm;
	(void)error;
	longjmp(out, 1);
}

/* Has a larger stack frame than any wrapper. */
static __attribute__((noinline)) void
fail_deep(void)
{
	volatile char large[4096];

	large[0] = 0;
	MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER + large[0]);
}

/* An error handler may leave by a jump. */
static int
jumping(void)
{
	MPI_Errhandler handler;

	begin();
	MPI_Comm_create_errhandler(jump, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
	if (setjmp(out) == 0)
		fail_deep();
	barriers(4);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);
	MPI_Finalize();
	return 0;
}

static __attribute__((noinline)) void
twice_called(void)
{
	MPI_Barrier(MPI_COMM_SELF);
	__asm__ volatile("");
}

static __attribute__((noinline)) void
one_caller(void)
{
	twice_called();
	__asm__ volatile("");
}

static __attribute__((noinline)) void
other_caller(void)
{
	twice_called();
	__asm__ volatile("");
}

/* Calls from four sites; the second is on two paths. */
static int
placing(void)
{
	begin();
	for (int n = 0; n < 100; n++) {
		one_caller();
		other_caller();
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}

/* Has a stack frame of varying size. */
static __attribute__((noinline)) void
with_array(int bytes)
{
	volatile char array[bytes];

	array[0] = 1;
	MPI_Barrier(MPI_COMM_SELF);
	array[bytes - 1] = array[0];
}

static __attribute__((noinline)) void
short_way(int bytes)
{
	with_array(bytes);
	__asm__ volatile("");
}

static __attribute__((noinline)) void
long_way(int bytes)
{
	volatile char more[64];

	more[0] = 0;
	with_array(bytes + more[0]);
	__asm__ volatile("");
}

static __attribute__((noinline)) void
recurse(int depth)
{
	if (depth > 0)
		recurse(depth - 1);
	else
		MPI_Barrier(MPI_COMM_WORLD);
	__asm__ volatile("");
}

/* Calls from one site on two call paths, with different stack addresses; and
   from another site, 1 to 5 recursive calls deep. */
static int
winding(void)
{
	void (*volatile ways[2])(int) = { short_way, long_way };

	begin();
	for (int bytes = 16; bytes < 416; bytes++)
		ways[bytes % 2](bytes);
	for (int n = 0; n < 500; n++)
		recurse(n % 5);
	MPI_Finalize();
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} cases[] = { { "whole", whole }, { "unfinished", unfinished },
		{ "aborted", aborted }, { "killed", killed }, { "hung", hung },
		{ "switched", switched }, { "speaking", speaking },
		{ "filling", filling }, { "running", running },
		{ "resting", resting }, { "churning", churning },
		{ "forking", forking },
		{ "forking_to_speak", forking_to_speak },
		{ "jumping", jumping }, { "placing", placing },
		{ "winding", winding } };

	for (size_t n = 0; argc == 2 && n < sizeof(cases) / sizeof(cases[0]);
	     n++) {
		if (strcmp(argv[1], cases[n].name) == 0)
			return cases[n].run();
	}
	return 2;
}
