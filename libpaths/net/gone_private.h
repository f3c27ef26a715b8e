/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/gone_private.h - finds processes that ended without a connection
 *
 * A server waits until each process that has a chain to it has come and closed
 * its hops.  The end of a process that has never come is seen by its launcher
 * alone, which writes it into the run directory (PATHS__ENDS_FILE).
 *
 * The file has a line for each process that has ended, in the order of their
 * ends:
 *
 *	signal|status|lost NUMBER self|run TICKS DOMAIN NAME
 *	signal|status|gone NUMBER rank TICKS DOMAIN PID@RANK
 *
 * "lost" stands for a process whose host does not answer or could not start
 * it, and "run" for one that ended after eventspace run had sent it a signal.
 * TICKS is the time at which the end was noticed, on the clock of DOMAIN
 * (paths_clock_domain); 0 for a process of another host.  The second form is of
 * MPI ranks, by `eventspace mpi` (collectors/mpi/command/watch.c): PID is the
 * process id, RANK that which the launcher gave it, or -1, and "gone" stands for
 * an end whose status is not known.
 */

#ifndef LIBPATHS_NET_GONE_PRIVATE_H
#define LIBPATHS_NET_GONE_PRIVATE_H

#include "libpaths/net/hop_private.h"

#define PATHS__ENDS_FILE "ends"

/* Returns true when a process has a connection to this one. */
typedef bool paths__gone_has(const void *from, uint32_t process);

/* Ends the hops that no connection has opened and whose process has ended and
   has no connection now.  Reads the file, so it is not to be called often. */
void paths__gone_end(struct paths__hops *hops, paths__gone_has *has,
    const void *from);

#endif
