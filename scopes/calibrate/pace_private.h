/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/pace_private.h - shares the time among the steps of a
 * calibration
 *
 * A step repeats its measurements in rounds.  It ends after its last round, or
 * when its share of the remaining time is used up.  Time that it does not use
 * goes to the following steps.
 */

#ifndef SCOPES_CALIBRATE_PACE_PRIVATE_H
#define SCOPES_CALIBRATE_PACE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct es__calibrate;

/* The steps that take time, in their order. */
enum es__pace_step {
	ES__PACE_EAGER,
	ES__PACE_PING,
	ES__PACE_STREAM,
	ES__PACE_QUEUE,
	ES__PACE_CONTENTION,
	ES__PACE_STEPS
};

struct es__pace {
	double begin_s, end_s; /* begin and end of the calibration */
	double step_end_s;
	double weight_left;
	/* Silence after which another rank counts as lost. */
	unsigned silence_s;
	uint32_t turns; /* of other ranks, until they share a result */
	bool quiet;
	bool interrupted;
};

/* Returns the time after which a rank takes another one for lost: rank 0
   reports it, unless it is lost itself. */
static inline unsigned
es__pace_silence(uint32_t rank, unsigned silence_s)
{
	return silence_s + (rank == 0 ? 0 : 2);
}

/* Returns the time of a clock, in seconds. */
double es__pace_now(void);

/* Begins to count time, and to watch for lost ranks. */
void es__pace_open(struct es__calibrate *c, double seconds, unsigned silence_s,
    bool quiet);

/* Stops to watch for lost ranks. */
void es__pace_close(void);

/*
 * es__pace_begin - begin a step, or the part of a step for a locality
 *
 * locality	for the line that is printed; NULL: none
 * parts	number of remaining parts of the step, including this one
 */
void es__pace_begin(struct es__calibrate *c, enum es__pace_step step,
    const char *locality, uint32_t parts);

/*
 * es__pace_on - ask if the step goes on; called by all ranks
 *
 * Returns	false: the time of the step is used up, or a rank was
 *		interrupted
 */
bool es__pace_on(struct es__calibrate *c);

/* Returns the seconds that this step has left; the same at all ranks. */
double es__pace_left(struct es__calibrate *c);

/*
 * es__pace_wait - wait longer for the next es__pace_share
 *
 * For a rank that does not measure: those that do watch each other, in each
 * turn.
 *
 * turns	of the measurement; a turn may take as long as a rank may be
 *		silent
 */
void es__pace_wait(struct es__calibrate *c, uint32_t turns);

/* Sends data to all ranks. */
void es__pace_share(struct es__calibrate *c, void *data, size_t bytes,
    uint32_t from);

#endif
