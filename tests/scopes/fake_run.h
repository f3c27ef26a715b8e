/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_run.h - run directories whose every number is known
 *
 * The event spaces are written by the writer of floor 2; then their clocks are
 * set, so that time is exact: one tick is 1 ns, and true time 0 is when all
 * spaces were made.  What goes wrong ends the test.
 */

#ifndef TESTS_SCOPES_FAKE_RUN_H
#define TESTS_SCOPES_FAKE_RUN_H

#include "tests/scopes/fake_space.h"

#include "collectors/tuple.h"
#include "libpaths/map.h"

struct fake_run;

/*
 * A run directory with the map, and a space for each process that has a
 * collector; each collector keeps up to `keep` tuples.
 */
struct fake_run *fake_run_create(const char *map_text, uint64_t keep);

const char *fake_run_dir(const struct fake_run *run);
const struct paths_map *fake_run_map(const struct fake_run *run);

/*
 * Let the clock of a process be wrong: ahead by offset_ns at time 0, and
 * faster by ppm.  Processes with the same host share one clock: set all.
 * Before the first tuple of the process.
 */
void fake_run_clock(struct fake_run *run, uint32_t process, int64_t offset_ns,
    double ppm);

/*
 * Record a tuple; start and stop are true times in ns, stop 0: still inside.
 * collector: in the order of the collectors' items in the map, as es_run
 * numbers them.
 */
void fake_run_add(struct fake_run *run, uint32_t collector,
    const struct es_tuple_path *tuple);

/* The same for tuples of another type; start and stop are at their fields. */
void fake_run_add_raw(struct fake_run *run, uint32_t collector,
    const void *tuple);

/*
 * End recording.  LIVE: as if the processes were still running; KILLED: as if
 * they had been killed.  May be called again, to let a live run end.
 */
void fake_run_end(struct fake_run *run, enum fake_run_state state);

/* Forget the run and leave the directory. */
void fake_run_forget(struct fake_run *run);

/* Remove the directory and all that is in it, and forget the run. */
void fake_run_remove(struct fake_run *run);

/* Let collectors record tuples of this type; before the first tuple. */
struct fake_run *fake_run_create_of(const char *map_text, uint64_t keep,
    const struct es_tuple_type *type);

#endif
