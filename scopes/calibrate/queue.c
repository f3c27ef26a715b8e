/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/queue.c - the queue of messages that wait for a receive
 *
 * One rank has not received thousands of messages of a second rank.  If the
 * receive of a message of a third rank has to search them, messages of all
 * senders are in one queue.  The search of the same messages for one of their
 * own sender is the scale.
 */

#include "scopes/calibrate/queue_private.h"

#include "scopes/model/quantile_private.h"

#define QUEUE_CROWD 8192u
#define QUEUE_REPEATS 50u

/* Factor from which on the time of a receive grows with the queue. */
#define QUEUE_GROWS 2

/* Measures receives with a number of messages in the queue.  Results: least
   times. */
static void
queue_receive(struct es__calibrate *c, uint32_t count, double *behind,
    double *same)
{
	struct es__measure_crowd crowd = { 0, 1, 2, count, QUEUE_REPEATS };
	double seconds[2][QUEUE_REPEATS] = { { 0 } };

	if (c->rank <= 2)
		c->measure->crowd(&crowd, c->rank, seconds[0], seconds[1]);
	es__pace_share(c, seconds, sizeof(seconds), 0);
	*behind = es__quantile(seconds[0], QUEUE_REPEATS, 0);
	*same = es__quantile(seconds[1], QUEUE_REPEATS, 0);
}

/* Compares what the queue adds to both receives.  A library that finds a
   message without a search has no queue that could be found. */
static enum es_model_queue
queue_verdict(const struct es__calibrate_queue *queue)
{
	double behind = queue->behind_s - queue->empty_s;
	double same = queue->same_s - queue->empty_s;

	if (queue->same_s < QUEUE_GROWS * queue->empty_s)
		return ES_MODEL_QUEUE_UNKNOWN;
	return behind > same / 2 ? ES_MODEL_QUEUE_ONE : ES_MODEL_QUEUE_PEERS;
}

void
es__queue_measure(struct es__calibrate *c)
{
	struct es__calibrate_queue *queue = &c->queue;
	double again, ignored;

	if (c->size < 3)
		return;
	es__pace_begin(c, ES__PACE_QUEUE, NULL, 1);
	if (!es__pace_on(c) && c->pace.interrupted)
		return;
	queue->crowd = QUEUE_CROWD;
	queue_receive(c, 0, &queue->empty_s, &ignored);
	queue_receive(c, QUEUE_CROWD, &queue->behind_s, &queue->same_s);
	/* Ranks that share cores take each other's caches away, so the shorter
	   time with an empty queue holds. */
	queue_receive(c, 0, &again, &ignored);
	if (again < queue->empty_s)
		queue->empty_s = again;
	queue->verdict = queue_verdict(queue);
	queue->measured = true;
}
