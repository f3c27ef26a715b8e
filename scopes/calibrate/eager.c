/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/eager.c - asks and probes the eager limit
 *
 * A message up to this size is sent without waiting for its receive.  MPI
 * libraries tell it by variables of MPI_T, if at all, and these may be of a
 * transport that is not used.  The probe finds the largest message that is sent
 * before its receive is posted, by bisection.
 */

#include "scopes/calibrate/eager_private.h"

#define ARRAY_COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Time to send a message: while bisecting, and for the verdict. */
#define EAGER_BISECT_NS 20000000u
#define EAGER_WAIT_NS 200000000u

/* Failed trials of the smallest message that is not eager, before the probe
   ends. */
#define EAGER_TRIALS 3

/* Open MPI's limits include the header of a message. */
#define EAGER_HEADER 56u

/* Variables of Open MPI 4 and 5, in the order in which it prefers the
   transports. */
static const struct eager_variable {
	const char *name;
	bool inside; /* of a host */
} eager_variables[] = {
	{ "btl_vader_eager_limit", true },
	{ "btl_sm_eager_limit", true },
	{ "btl_openib_eager_limit", false },
	{ "btl_tcp_eager_limit", false },
};

/* Asks on rank 0.  Its answer holds for all, because a limit is set for a
   job. */
static void
eager_ask(struct es__calibrate *c, struct es__calibrate_class *class)
{
	uint64_t value = 0;

	for (size_t n = 0; n < ARRAY_COUNT(eager_variables); n++)
		if (c->rank == 0 && value == 0 &&
		    eager_variables[n].inside == class->inside &&
		    c->measure->asked(eager_variables[n].name, &value))
			value = value > EAGER_HEADER ? value - EAGER_HEADER : 0;
	es__pace_share(c, &value, sizeof(value), 0);
	class->eager_asked = value;
}

/* Returns true if a message of this size is eager. */
static bool
eager_try(struct es__calibrate *c, const struct es__calibrate_pair *pair,
    uint64_t bytes, uint64_t wait_ns)
{
	struct es__measure_side side;
	bool eager = false;

	if (es__calibrate_side(c, pair, &side))
		eager = c->measure->eager(side, c->memory, (uint32_t)bytes,
		    wait_ns);
	es__pace_share(c, &eager, sizeof(eager), pair->first);
	return eager;
}

/* Bisects.  Eager: the largest message that was; over: the smallest that was
   not.  A busy machine can only make a message seem not to be eager, so the
   verdict on `over` is repeated, with more time, and may begin another search
   above it. */
static void
eager_probe(struct es__calibrate *c, struct es__calibrate_class *class)
{
	uint64_t eager = 0, over = (uint64_t)ES__CALIBRATE_LONGEST + 1, tried;
	int trials = 0;

	/* Goes on when its time is over: half a search tells nothing. */
	while (
	    trials < EAGER_TRIALS && (es__pace_on(c) || !c->pace.interrupted)) {
		tried = over - eager > 1 ? (eager + over) / 2 : over;
		if (tried > ES__CALIBRATE_LONGEST)
			break;
		if (eager_try(c, &class->pairs[0], tried,
			tried == over ? EAGER_WAIT_NS : EAGER_BISECT_NS)) {
			eager = tried;
			if (tried == over)
				over = (uint64_t)ES__CALIBRATE_LONGEST + 1;
			trials = 0;
		} else if (tried == over)
			trials++;
		else
			over = tried;
	}
	/* 0: it was interrupted, or has found no limit. */
	class->eager_probed = trials == EAGER_TRIALS ? eager : 0;
}

void
es__eager_find(struct es__calibrate *c)
{
	for (size_t n = 0; n < c->class_count; n++) {
		struct es__calibrate_class *class = &c->classes[n];

		es__pace_begin(c, ES__PACE_EAGER, class->name,
		    (uint32_t)c->class_count);
		eager_ask(c, class);
		eager_probe(c, class);
	}
}
