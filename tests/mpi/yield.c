/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/yield.c - ranks of MPICH yield the processor while they wait
 *
 * A module for LD_PRELOAD.  Debian's MPICH calls ucp_worker_progress until its
 * call can return.  On a machine with fewer cores than ranks, a rank that waits
 * then uses up its time slice, while the rank that it waits for has no core.
 * Measurements (tests/bench) do not load this module.
 */

#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

typedef unsigned progress(void *worker);
progress ucp_worker_progress;

/* Returns the function of the library, which a program may have opened for
   itself alone, out of reach of RTLD_NEXT. */
static progress *
find_progress(void)
{
	static progress *_Atomic found; /* written by all, the same value */
	progress *next = atomic_load_explicit(&found, memory_order_relaxed);

	if (next == NULL) {
		next = (progress *)dlsym(dlopen("libucp.so.0",
					     RTLD_LAZY | RTLD_NOLOAD),
		    "ucp_worker_progress");
		atomic_store_explicit(&found, next, memory_order_relaxed);
	}
	return next;
}

__attribute__((visibility("default"))) unsigned
ucp_worker_progress(void *worker)
{
	unsigned count = find_progress()(worker);

	if (count == 0)
		(void)sched_yield();
	return count;
}
