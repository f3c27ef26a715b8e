/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/shape.c - replays the joins of an element as another path map
 * arranges them
 */

#include "scopes/whatif/shape_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

/* ---- times */

static void
shape_reach(double *moment, double ns)
{
	if (ns > *moment)
		*moment = ns;
}

/* Adds the time at which each member goes on, multiplied by `sign`, to
   `more`. */
static void
shape_add(const struct es__whatif_joined *j,
    const struct es__whatif_shape *shape, const double *arrivals, double sign,
    double *more)
{
	double *down = j->moments, *up = j->moments + shape->join_count;

	/* Computes with differences to the first arrival, which are precise. */
	for (uint32_t n = 0; n < shape->join_count; n++)
		down[n] = -1e300;
	for (uint32_t n = 0; n < j->member_count; n++)
		shape_reach(&down[shape->members[n].next],
		    arrivals[n] - arrivals[0] + shape->members[n].down_ns);
	for (uint32_t n = 0; n < shape->join_count; n++)
		if (shape->joins[n].next != PATHS_NONE)
			shape_reach(&down[shape->joins[n].next],
			    down[n] + shape->joins[n].down_ns);
	for (uint32_t n = shape->join_count; n-- > 0;) {
		const struct es__whatif_shape_node *join = &shape->joins[n];

		up[n] = join->up_ns +
		    (join->next == PATHS_NONE ? down[n] + join->down_ns :
						up[join->next]);
	}
	for (uint32_t n = 0; n < j->member_count; n++)
		more[n] += sign *
		    (up[shape->members[n].next] + shape->members[n].up_ns);
}

void
es__whatif_shape_more(const struct es__whatif_joined *j, const double *arrivals,
    double *more)
{
	for (uint32_t n = 0; n < j->member_count; n++)
		more[n] = 0;
	shape_add(j, &j->new, arrivals, 1, more);
	shape_add(j, &j->old, arrivals, -1, more);
}

/* ---- a replay */

/* Largest number of operations of an element that are under way at once.  A
   thread can begin the next operation before another thread has left the last
   one. */
#define MEETINGS_OPEN 4u

struct meeting {
	uint64_t number; /* of the operation, from 1; 0: none */
	uint32_t arrived;
	double latest_ns;
	double *arrivals, *more; /* of each member */
};

struct es__whatif_meetings {
	const struct es__whatif_shapes *shapes;
	struct meeting *list; /* of each element, MEETINGS_OPEN */
	double *values;
	/* For each path: number of its current operation, from 1. */
	uint64_t *numbers;
};

paths_status
es__whatif_meetings_open(const struct es__whatif_shapes *shapes,
    struct es__whatif_meetings **meetings)
{
	struct es__whatif_meetings *m;
	size_t members = 0, used = 0;

	*meetings = NULL;
	if (shapes == NULL)
		return PATHS_OK;
	for (uint32_t n = 0; n < shapes->count; n++)
		members += shapes->list[n].member_count;
	*meetings = m = calloc(1, sizeof(*m));
	if (m == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	m->shapes = shapes;
	m->list =
	    calloc((size_t)shapes->count * MEETINGS_OPEN + 1, sizeof(*m->list));
	m->values = calloc(2 * MEETINGS_OPEN * members + 1, sizeof(*m->values));
	m->numbers =
	    calloc((size_t)shapes->path_count + 1, sizeof(*m->numbers));
	if (m->list == NULL || m->values == NULL || m->numbers == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	for (uint32_t n = 0; n < shapes->count * MEETINGS_OPEN; n++) {
		uint32_t count = shapes->list[n / MEETINGS_OPEN].member_count;

		m->list[n].arrivals = &m->values[used];
		m->list[n].more = &m->values[used + count];
		used += 2 * (size_t)count;
	}
	return PATHS_OK;
}

void
es__whatif_meetings_close(struct es__whatif_meetings *m)
{
	if (m == NULL)
		return;
	free(m->list);
	free(m->values);
	free(m->numbers);
	free(m);
}

static struct meeting *
meetings_at(const struct es__whatif_meetings *m, uint32_t path)
{
	return &m->list[m->shapes->joined[path] * MEETINGS_OPEN +
	    m->numbers[path] % MEETINGS_OPEN];
}

bool
es__whatif_meetings_arrive(struct es__whatif_meetings *m, uint32_t path,
    double ns)
{
	const struct es__whatif_joined *j;
	struct meeting *meeting;

	if (m == NULL || m->shapes->joined[path] == PATHS_NONE)
		return false;
	j = &m->shapes->list[m->shapes->joined[path]];
	m->numbers[path]++;
	meeting = meetings_at(m, path);
	if (meeting->number != m->numbers[path]) {
		meeting->number = m->numbers[path];
		meeting->arrived = 0;
		meeting->latest_ns = ns;
	}
	meeting->arrivals[m->shapes->members[path]] = ns;
	shape_reach(&meeting->latest_ns, ns);
	if (++meeting->arrived == j->member_count)
		es__whatif_shape_more(j, meeting->arrivals, meeting->more);
	return true;
}

double
es__whatif_meetings_leave(const struct es__whatif_meetings *m, uint32_t path,
    double ns)
{
	const struct meeting *meeting = meetings_at(m, path);
	const struct es__whatif_joined *j =
	    &m->shapes->list[m->shapes->joined[path]];

	/* If not all threads have arrived, the operation ends as in the run. */
	if (meeting->number != m->numbers[path] ||
	    meeting->arrived != j->member_count)
		return ns;
	ns += meeting->more[m->shapes->members[path]];
	return ns > meeting->latest_ns ? ns : meeting->latest_ns;
}
