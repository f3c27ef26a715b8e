/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/mpi_made.h - makes MPI runs of any length for benchmarks
 *
 * Eight ranks repeat a step: each computes, exchanges halos with both
 * neighbours (Irecv, Irecv, Isend, Isend, Waitall), sends to or receives from a
 * partner, and calls Allreduce.  Every 16th step has a Bcast, every 64th a
 * Barrier.  A rank needs 7 calls, or 11 tuples, for a step.  Waits follow from
 * the times that the ranks compute, which are random and the same in each run.
 */

#ifndef TESTS_BENCH_MPI_MADE_H
#define TESTS_BENCH_MPI_MADE_H

#include "tests/scopes/fake_mpi.h"

/* Ranks of a made run. */
#define MPI_MADE_RANKS 8u

/* Makes a run of at least `calls` calls, which has ended.  lost: the first rank
   has no core for a part of its time, so that delays are followed. */
struct fake_mpi *mpi_made(uint64_t calls, bool lost);

/* Returns the number of calls and of tuples of a run that mpi_made makes. */
uint64_t mpi_made_calls(uint64_t calls);
uint64_t mpi_made_tuples(uint64_t calls);

/* Makes a run in which each rank leaves all its calls of MPI_Scan before the
   next rank enters the first one, and returns its calls. */
struct fake_mpi *mpi_made_early(uint64_t calls);
uint64_t mpi_made_early_calls(uint64_t calls);

#endif
