/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_space.h - sets the clocks of event spaces
 *
 * The writer of floor 2 makes a space; fake_space_end then sets its clocks.
 * One tick is 1 ns; all spaces were made at true time 0.  A failure ends the
 * test.
 */

#ifndef TESTS_SCOPES_FAKE_SPACE_H
#define TESTS_SCOPES_FAKE_SPACE_H

#include <stdint.h>

/* A clock that is ahead by offset_ns at time 0, and faster by ppm; or one that
   a function reads, in ns at a true time. */
struct fake_clock {
	int64_t offset_ns;
	double ppm;
	uint64_t (*read)(const void *context, uint64_t ns); /* or NULL */
	const void *context;
};

/* Returns the reading of a clock at a true time. */
uint64_t fake_clock_ticks(const struct fake_clock *clock, uint64_t ns);

/* The state of the process that wrote a space: ended; seemingly running;
   killed; killed and not waited for by its parent; running without its first
   thread; not closed, with an id that a later process has, of another boot, or
   of another host. */
enum fake_run_state {
	FAKE_RUN_ENDED,
	FAKE_RUN_FAILED, /* ended with exit status 1 */
	FAKE_RUN_LIVE,
	FAKE_RUN_KILLED,
	FAKE_RUN_ZOMBIE,
	FAKE_RUN_HEADLESS,
	FAKE_RUN_REUSED,
	FAKE_RUN_REBOOTED,
	FAKE_RUN_ABROAD
};

struct fake_end {
	enum fake_run_state state;
	const char *host;    /* of the clock */
	const char *machine; /* name of the host; NULL: this one */
	uint64_t last_ns;    /* latest time recorded */
};

/* Sets the clocks of a space that is complete. */
void fake_space_end(const char *file, const struct fake_clock *clock,
    const struct fake_end *end);

/* Makes a directory below TMPDIR; dir: out. */
void fake_dir_create(char dir[256]);

/* Removes a directory and the files in it. */
void fake_dir_remove(const char *dir);

#endif
