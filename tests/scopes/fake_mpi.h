/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_mpi.h - runs of MPI processes whose every number is known
 *
 * Event spaces as the interposer leaves them (collectors/mpi_space.h), without
 * MPI.  One tick is 1 ns, and true time 0 is when all spaces were made.  What
 * goes wrong ends the test.
 */

#ifndef TESTS_SCOPES_FAKE_MPI_H
#define TESTS_SCOPES_FAKE_MPI_H

#include "tests/scopes/fake_space.h"

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"
#include "collectors/tuple.h"

struct fake_mpi;

/*
 * A run directory with ranks 0 .. ranks - 1 of one world, files rN.space, of
 * one thread each, whose ring keeps up to `keep` tuples; with 0 they have no
 * ring.
 */
struct fake_mpi *fake_mpi_create(uint32_t ranks, uint64_t keep);

const char *fake_mpi_dir(const struct fake_mpi *run);

/* One more process, NAME.space: its rank and the size of its own world.
   Returns its index, which stands wherever `rank` does below. */
uint32_t fake_mpi_spawn(struct fake_mpi *run, const char *name, int32_t rank,
    int32_t world_size);

/* One more thread of a process; returns its number, from 1. */
uint32_t fake_mpi_thread(struct fake_mpi *run, uint32_t rank);

/* Let a process have another host, "odin" otherwise, and another clock;
   before its first tuple. */
void fake_mpi_host(struct fake_mpi *run, uint32_t rank, const char *host,
    const struct fake_clock *clock);

/* What the process and its threads tell of themselves, to be changed. */
struct es_mpi_control *fake_mpi_control(struct fake_mpi *run, uint32_t rank);
struct es_mpi_thread *fake_mpi_thread_row(struct fake_mpi *run, uint32_t rank,
    uint32_t thread);

/* Since when a thread is inside a call. */
void fake_mpi_since(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    uint64_t ns);

/* Record a tuple; start and stop are true times in ns, stop 0: still inside. */
void fake_mpi_add(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct es_tuple_mpi *tuple);

/* Record a call of the first thread of a process, the one after its last: in
   the world, unless the tuple says where. */
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

/* Add an entry to the log of a process: any bytes. */
void fake_mpi_log(struct fake_mpi *run, uint32_t rank, uint32_t kind,
    const void *bytes, size_t count);

/* Entries of the log.  Members are ranks of the world; with remote_size the
   last ones are those of the remote group.  size, runs and local_runs of comm
   are set here. */
void fake_mpi_process(struct fake_mpi *run, uint32_t rank, const char *library,
    const char *command);
/* The same of one whose world the launcher names. */
void fake_mpi_process_of(struct fake_mpi *run, uint32_t rank,
    const char *library, const char *command, const char *world);
void fake_mpi_comm(struct fake_mpi *run, uint32_t rank,
    const struct es_mpi_comm *comm, const int32_t *members, const char *name);
void fake_mpi_name(struct fake_mpi *run, uint32_t rank, uint32_t kind,
    uint32_t id, const char *name);
/* build_id: in hex; size and time are those of the file, if it is there. */
void fake_mpi_module(struct fake_mpi *run, uint32_t rank, uint32_t id,
    const char *build_id, const char *path);
/* frames: ends with a module UINT32_MAX - 1. */
void fake_mpi_site(struct fake_mpi *run, uint32_t rank, uint32_t id,
    const struct es_mpi_frame *frames);
#define FAKE_MPI_NO_FRAME (UINT32_MAX - 1)

/* Let the run last at least to a true time. */
void fake_mpi_last(struct fake_mpi *run, uint64_t ns);

/* End recording; FAKE_RUN_LIVE leaves processes that seem to run. */
void fake_mpi_end(struct fake_mpi *run, enum fake_run_state state);

/* Forget the run and leave the directory. */
void fake_mpi_forget(struct fake_mpi *run);

/* Remove the directory and all that is in it, and forget the run. */
void fake_mpi_remove(struct fake_mpi *run);

#endif
