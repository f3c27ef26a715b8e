/* SPDX-License-Identifier: MIT */
/*
 * collectors/cpu_space.h - rows that tell how long a thread had no core
 *
 * On a machine with more runnable threads than cores, an operation begins late
 * although its thread had nothing else to do.  The kernel counts the time that
 * a thread was runnable without a core.  A recording thread reads this count at
 * most ES_CPU_HZ times a second, where an operation begins or ends.  From one
 * sample to the next is an interval, which has three parts: time on a core,
 * time runnable without a core (lost), and time in which the thread was not
 * runnable (idle), because it slept, waited for a file, or had no processor of
 * the host of its virtual machine.
 *
 * Any space may have these parts, for each thread that records operations:
 *
 *	ES_CPU_SUMS	one struct es_cpu_sums: exact sums of the whole run
 *	ES_CPU_LOST	struct es_cpu_lost of intervals with lost or idle time
 *
 * The owner of a part is the number of the thread in an MPI process; elsewhere
 * it is the number, in the space, of the collector that sampled first.  Readers
 * that do not know these parts skip them.
 */

#ifndef COLLECTORS_CPU_SPACE_H
#define COLLECTORS_CPU_SPACE_H

#include "collectors/space_format.h"

PATHS_BEGIN_DECLS

/* Largest number of samples of a thread in a second. */
#define ES_CPU_HZ 1000u

/* `what` of the parts. */
#define ES_CPU_SUMS 65u
#define ES_CPU_LOST 66u

/* The place where an interval ends. */
enum es_cpu_side {
	ES_CPU_OUTSIDE, /* an operation begins: the thread computed before */
	ES_CPU_INSIDE,	/* an operation ends */
	ES_CPU_SIDES
};

/* Written by the thread. */
struct es_cpu_sums {
	paths_atomic_u64 samples;
	/* Ticks of the first and last sample.  When a later thread continues
	   the rows of one that ended, `first` moves on by the time between the
	   last sample of the one and the first of the other. */
	paths_atomic_u64 first, last;
	/* Sums over intervals, by the place where they end; lost time in and
	   between MPI calls is divided where an interval has both. */
	paths_atomic_u64 cpu_ns[ES_CPU_SIDES];
	paths_atomic_u64 lost_ns[ES_CPU_SIDES];
	paths_atomic_u64 idle_ns; /* outside of operations, at least */
	paths_atomic_u64 inside;  /* ticks in operations from first to last; 0:
				     not known */
	/* Longest time on a core outside of operations in one interval; older
	   spaces end before it. */
	paths_atomic_u64 longest_ns;
};

/* An interval.  When the parts have no room for more rows, those of the oldest
   intervals are overwritten; `start` is 0 meanwhile. */
struct es_cpu_lost {
	paths_atomic_u64 start, stop; /* ticks */
	paths_atomic_u64 lost_ns;     /* taken to lie before stop */
	paths_atomic_u64 idle_ns;     /* outside of operations, at least */
};

PATHS_END_DECLS

#endif
