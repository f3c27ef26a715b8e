/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/pace.c - shares the time among the steps of a calibration
 */

#include "scopes/calibrate/pace_private.h"

#include "scopes/calibrate/calibrate_private.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The answers to es__pace_on; the largest one holds. */
enum pace_answer { PACE_ON, PACE_OVER, PACE_INTERRUPTED };

static const struct pace_step {
	const char *text;
	double weight;
} pace_steps[ES__PACE_STEPS] = {
	[ES__PACE_EAGER] = { "eager limits", 20 },
	[ES__PACE_PING] = { "ping-pong", 25 },
	[ES__PACE_STREAM] = { "streams", 80 },
	[ES__PACE_QUEUE] = { "queue of unexpected messages", 5 },
	[ES__PACE_CONTENTION] = { "contention", 5 },
};

/* Turns that another rank waits for, at most: where there are more, they are
   quick. */
#define PACE_TURNS 32u

/* The line that the handler prints. */
static char pace_line[256];

/* Runs when no rank has answered for long.  Leaving without MPI_Finalize makes
   the launcher end the other ranks. */
static void
pace_silent(int number)
{
	ssize_t ignored = write(STDERR_FILENO, pace_line, strlen(pace_line));

	(void)number;
	(void)ignored;
	_exit(1);
}

double
es__pace_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Restarts the time after which a rank counts as lost. */
static void
pace_watch(const struct es__calibrate *c)
{
	(void)alarm(es__pace_silence(c->rank, c->pace.silence_s));
}

static void
pace_describe(const struct es__calibrate *c, const char *step)
{
	snprintf(pace_line, sizeof(pace_line),
	    "eventspace calibrate: rank %u: another rank has not answered for "
	    "%u s, in the step: %s\n",
	    c->rank, c->pace.silence_s, step);
}

void
es__pace_open(struct es__calibrate *c, double seconds, unsigned silence_s,
    bool quiet)
{
	struct sigaction action = { .sa_handler = pace_silent };

	c->pace.begin_s = es__pace_now();
	c->pace.end_s = c->pace.begin_s + seconds;
	c->pace.quiet = quiet;
	c->pace.silence_s = silence_s;
	for (int step = 0; step < ES__PACE_STEPS; step++)
		c->pace.weight_left += pace_steps[step].weight;
	pace_describe(c, "localities");
	(void)sigaction(SIGALRM, &action, NULL);
	pace_watch(c);
}

void
es__pace_close(void)
{
	(void)alarm(0);
}

void
es__pace_begin(struct es__calibrate *c, enum es__pace_step step,
    const char *locality, uint32_t parts)
{
	double weight = pace_steps[step].weight / parts, now = es__pace_now();
	char text[120];

	snprintf(text, sizeof(text), "%s%s%s", pace_steps[step].text,
	    locality == NULL ? "" : ", ", locality == NULL ? "" : locality);
	pace_describe(c, text);
	if (c->rank == 0 && !c->pace.quiet && !c->pace.interrupted)
		fprintf(stderr, "eventspace calibrate: %4.1f s: %s\n",
		    now - c->pace.begin_s, text);
	c->pace.step_end_s =
	    now + (c->pace.end_s - now) * weight / c->pace.weight_left;
	c->pace.weight_left -= weight;
}

bool
es__pace_on(struct es__calibrate *c)
{
	uint32_t answer = PACE_ON;

	if (c->pace.interrupted)
		return false;
	if (c->interrupted())
		answer = PACE_INTERRUPTED;
	else if (c->rank == 0 && es__pace_now() >= c->pace.step_end_s)
		answer = PACE_OVER;
	pace_watch(c);
	answer = c->measure->agree(answer);
	pace_watch(c);
	c->pace.interrupted = answer == PACE_INTERRUPTED;
	return answer == PACE_ON;
}

double
es__pace_left(struct es__calibrate *c)
{
	double left = c->pace.step_end_s - es__pace_now();

	es__pace_share(c, &left, sizeof(left), 0);
	return left;
}

void
es__pace_wait(struct es__calibrate *c, uint32_t turns)
{
	c->pace.turns = turns < PACE_TURNS ? turns : PACE_TURNS;
}

void
es__pace_share(struct es__calibrate *c, void *data, size_t bytes, uint32_t from)
{
	uint64_t silence_s =
	    (uint64_t)es__pace_silence(c->rank, c->pace.silence_s) *
	    (1 + c->pace.turns);

	c->pace.turns = 0;
	(void)alarm(silence_s < INT32_MAX ? (unsigned)silence_s : INT32_MAX);
	c->measure->share(data, bytes, from);
	pace_watch(c);
}
