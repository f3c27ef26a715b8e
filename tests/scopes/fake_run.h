/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_run.h - makes run directories with known numbers
 *
 * The writer of floor 2 writes the event spaces; then their clocks are set.
 * One tick is 1 ns; all spaces were made at true time 0.  A failure ends the
 * test.
 */

#ifndef TESTS_SCOPES_FAKE_RUN_H
#define TESTS_SCOPES_FAKE_RUN_H

#include "tests/scopes/fake_space.h"

#include "collectors/tuple.h"
#include "libpaths/map.h"

struct fake_run;

/*
 * Makes a run directory with the map, and a space for each process that has a
 * collector; each collector keeps up to `keep` tuples.
 */
struct fake_run *fake_run_create(const char *map_text, uint64_t keep);

const char *fake_run_dir(const struct fake_run *run);
const struct paths_map *fake_run_map(const struct fake_run *run);

/*
 * Sets the clock of a process ahead by offset_ns at time 0, and faster by ppm,
 * before its first tuple.  Processes of one host share a clock: set all of
 * them.
 */
void fake_run_clock(struct fake_run *run, uint32_t process, int64_t offset_ns,
    double ppm);

/* Sets the clock of a process, before its first tuple. */
void fake_run_clock_of(struct fake_run *run, uint32_t process,
    const struct fake_clock *clock);

/*
 * Records a tuple; start and stop: true times in ns; stop 0: still inside.
 * collector: its number in es_run, by the order of items in the map.
 */
void fake_run_add(struct fake_run *run, uint32_t collector,
    const struct es_tuple_path *tuple);

/* Records a tuple of another type, by its fields start and stop. */
void fake_run_add_raw(struct fake_run *run, uint32_t collector,
    const void *tuple);

/* Counts a message to a process, with several rows as a collector of several
   peers has. */
void fake_run_message(struct fake_run *run, uint32_t collector, uint32_t peer,
    enum paths_kind kind, uint64_t bytes);

/*
 * Ends recording.  LIVE: the processes seem to run; KILLED: they seem to have
 * been killed.  May be called again for a live run.
 */
void fake_run_end(struct fake_run *run, enum fake_run_state state);

/* Frees the run and leaves the directory. */
void fake_run_forget(struct fake_run *run);

/* Removes the directory with its files, and frees the run. */
void fake_run_remove(struct fake_run *run);

/* Makes a run whose collectors record tuples of this type. */
struct fake_run *fake_run_create_of(const char *map_text, uint64_t keep,
    const struct es_tuple_type *type);

#endif
