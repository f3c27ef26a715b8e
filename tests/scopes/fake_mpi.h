/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_mpi.h - makes runs of MPI processes with known numbers
 *
 * Event spaces are as the interposer leaves them (collectors/mpi_space.h),
 * without MPI.  One tick is 1 ns; all spaces were made at true time 0.  A
 * failure ends the test.
 */

#ifndef TESTS_SCOPES_FAKE_MPI_H
#define TESTS_SCOPES_FAKE_MPI_H

#include "tests/scopes/fake_space.h"

#include "collectors/cpu_space.h"
#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"
#include "collectors/tuple.h"

struct fake_mpi;

/*
 * Makes a run directory with ranks 0 .. ranks - 1 of one world, in files
 * rN.space.  Each has one thread with a ring of `keep` tuples; 0: without a
 * ring.
 */
struct fake_mpi *fake_mpi_create(uint32_t ranks, uint64_t keep);

const char *fake_mpi_dir(const struct fake_mpi *run);

/* Adds a process in NAME.space, with its rank and the size of its own world.
   Returns its index, which the functions below take as `rank`. */
uint32_t fake_mpi_spawn(struct fake_mpi *run, const char *name, int32_t rank,
    int32_t world_size);

/* Lets a process have the clock of a host, ahead by offset_ns, before its first
   tuple. */
void fake_mpi_clock(struct fake_mpi *run, uint32_t rank, const char *host,
    int64_t offset_ns);

/* Adds a thread to a process; returns its number, from 1. */
uint32_t fake_mpi_thread(struct fake_mpi *run, uint32_t rank);

/* Return rows of a process and of a thread, for the test to change. */
struct es_mpi_control *fake_mpi_control(struct fake_mpi *run, uint32_t rank);
struct es_mpi_thread *fake_mpi_thread_row(struct fake_mpi *run, uint32_t rank,
    uint32_t thread);

/* Returns the ticks of a process at a true time. */
uint64_t fake_mpi_ticks(struct fake_mpi *run, uint32_t rank, uint64_t ns);

/* Sets the start of the call that a thread is inside. */
void fake_mpi_since(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    uint64_t ns);

/* Records a tuple; start and stop: true times in ns; stop 0: still inside. */
void fake_mpi_add(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_tuple_mpi *tuple);

/* Records the next call of the first thread of a process: in the world, unless
   the tuple has a communicator. */
void fake_mpi_call(struct fake_mpi *run, uint32_t rank, const char *name,
    struct es_tuple_mpi tuple);
#define FAKE_MPI_CALL(run, rank, function, from, to, ...) \
	fake_mpi_call(run, rank, "MPI_" function, \
	    (struct es_tuple_mpi){ .start = (from), \
		.stop = (to), \
		__VA_ARGS__ })

/* Add a row; ticks are ns. */
void fake_mpi_profile(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_mpi_profile *row);
void fake_mpi_matrix(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_mpi_matrix *row);
void fake_mpi_collective(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_mpi_collective *row);

/* Adds the samples of the first thread of a process: their sums, and `count`
   intervals of true times. */
void fake_mpi_cpu(struct fake_mpi *run, uint32_t rank,
    const struct es_cpu_sums *sums, const struct es_cpu_lost *lost,
    uint32_t count);

/* Adds any bytes as an entry to the log of a process. */
void fake_mpi_log(struct fake_mpi *run, uint32_t rank, uint32_t kind,
    const void *bytes, size_t count);

/* Add entries to the log.  Members are ranks of the world; with remote_size the
   last ones are the remote group.  The functions set size, runs and local_runs
   of comm. */
void fake_mpi_process(struct fake_mpi *run, uint32_t rank, const char *library,
    const char *command);
/* Adds the same for a process whose launcher names its world. */
void fake_mpi_process_of(struct fake_mpi *run, uint32_t rank,
    const char *library, const char *command, const char *world);
void fake_mpi_comm(struct fake_mpi *run, uint32_t rank,
    const struct es_mpi_comm *comm, const int32_t *members, const char *name);
void fake_mpi_name(struct fake_mpi *run, uint32_t rank, uint32_t kind,
    uint32_t id, const char *name);
/* build_id: in hex; size and time are taken from the file, if it exists. */
void fake_mpi_module(struct fake_mpi *run, uint32_t rank, uint32_t id,
    const char *build_id, const char *path);
/* frames: ends with a module UINT32_MAX - 1. */
void fake_mpi_site(struct fake_mpi *run, uint32_t rank, uint32_t id,
    const struct es_mpi_frame *frames);
#define FAKE_MPI_NO_FRAME (UINT32_MAX - 1)

/* Lets the run last at least to a true time. */
void fake_mpi_last(struct fake_mpi *run, uint64_t ns);

/* Ends recording; FAKE_RUN_LIVE: the processes seem to run. */
void fake_mpi_end(struct fake_mpi *run, enum fake_run_state state);

/* Frees the run and leaves the directory. */
void fake_mpi_forget(struct fake_mpi *run);

/* Removes the directory with its files, and frees the run. */
void fake_mpi_remove(struct fake_mpi *run);

#endif
