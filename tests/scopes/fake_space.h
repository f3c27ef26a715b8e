/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_space.h - event spaces on clocks that are known exactly
 *
 * The writer of floor 2 makes a space; fake_space_end then sets its clocks:
 * one tick is 1 ns, and true time 0 is when all spaces were made.  What goes
 * wrong ends the test.
 */

#ifndef TESTS_SCOPES_FAKE_SPACE_H
#define TESTS_SCOPES_FAKE_SPACE_H

#include <stdint.h>

/* Ahead by offset_ns at time 0, and faster by ppm. */
struct fake_clock {
	int64_t offset_ns;
	double ppm;
};

/* What a clock shows at a true time. */
uint64_t fake_clock_ticks(const struct fake_clock *clock, uint64_t ns);

/* What becomes of the process that wrote a space: it ended, or it looks as if
   it were still running, or as if it had been killed; killed and not waited for
   by its parent; or without its first thread, while others run. */
enum fake_run_state {
	FAKE_RUN_ENDED,
	FAKE_RUN_LIVE,
	FAKE_RUN_KILLED,
	FAKE_RUN_ZOMBIE,
	FAKE_RUN_HEADLESS
};

struct fake_end {
	enum fake_run_state state;
	const char *host;    /* whose clock it has */
	const char *machine; /* how that calls itself; NULL: as this one */
	uint64_t last_ns;    /* the latest time that was recorded */
};

/* Set the clocks of a space that nobody writes any more. */
void fake_space_end(const char *file, const struct fake_clock *clock,
    const struct fake_end *end);

/* A new directory below TMPDIR. */
void fake_dir_create(char dir[256]);

/* Remove a directory and the files in it. */
void fake_dir_remove(const char *dir);

#endif
