/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/yield.c - ranks of MPICH yield the processor while they wait
 *
 * A module for LD_PRELOAD.  Debian's MPICH calls ucp_worker_progress until its
 * call can return.  On a machine with fewer cores than ranks, a rank that waits
 * then uses up its time slice, while the rank that it waits for has no core.
 * Measurements (tests/bench) do not load this module.
 *
 * The module also mends MPI_Finalize of MPICH 4.0.  There a rank closes its
 * connections, for which it needs answers, and then waits in read(2) for the
 * other ranks, without looking at its connections.  Over TCP, a rank that is
 * later then waits for an answer for ever: some of ten runs on a busy machine
 * end so.  So a rank that waits in read(2) makes progress on its connections.
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

typedef unsigned progress(void *worker);
typedef void destroy(void *worker);
typedef ssize_t reading(int fd, void *buffer, size_t bytes);
progress ucp_worker_progress;
destroy ucp_worker_destroy;

/* The worker of a thread, which makes progress on it; else NULL. */
static _Thread_local void *own_worker;
/* The thread is inside of UCX, which reads, too. */
static _Thread_local int inside;

/* Returns a function of the library, which a program may have opened for itself
   alone, out of reach of RTLD_NEXT. */
static void *
find_function(_Atomic(void *) *found, const char *library, const char *name)
{
	void *next = atomic_load_explicit(found, memory_order_relaxed);

	if (next == NULL) {
		next = dlsym(library == NULL ?
			RTLD_NEXT :
			dlopen(library, RTLD_LAZY | RTLD_NOLOAD),
		    name);
		/* Relaxed: all threads write the same value. */
		atomic_store_explicit(found, next, memory_order_relaxed);
	}
	return next;
}

static unsigned
make_progress(void *worker)
{
	static _Atomic(void *) found;
	progress *next = (progress *)find_function(&found, "libucp.so.0",
	    "ucp_worker_progress");
	unsigned count;

	inside++;
	count = next(worker);
	inside--;
	if (count == 0)
		(void)sched_yield();
	return count;
}

__attribute__((visibility("default"))) unsigned
ucp_worker_progress(void *worker)
{
	own_worker = worker;
	return make_progress(worker);
}

__attribute__((visibility("default"))) void
ucp_worker_destroy(void *worker)
{
	static _Atomic(void *) found;

	own_worker = NULL;
	((destroy *)find_function(&found, "libucp.so.0", "ucp_worker_destroy"))(
	    worker);
}

__attribute__((visibility("default"))) ssize_t
read(int fd, void *buffer, size_t bytes)
{
	static _Atomic(void *) found;
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	if (own_worker != NULL && inside == 0 &&
	    (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0)
		while (poll(&ready, 1, 0) == 0)
			(void)make_progress(own_worker);
	return (
	    (reading *)find_function(&found, NULL, "read"))(fd, buffer, bytes);
}
