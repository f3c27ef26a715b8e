/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/hull.c - the messages that bound an offset
 *
 * Monotone chain.  Messages come nearly in order of time, so they are reduced
 * block by block: a block that is not in order is sorted, and its hull is
 * appended.  The hull of all blocks is found in the end.  A few dozen points of
 * millions remain.
 *
 * The delay of a message depends on its size, so each class of size has a hull.
 * Sizes are exact classes while there are few of them, else powers of two.
 *
 * Source	Duda, Harrus, Haddad, Bernard: Estimating Global Time in
 *		Distributed Systems, ICDCS 1987 (the hulls)
 *		Andrew: Another Efficient Algorithm for Convex Hulls in Two
 *		Dimensions, 1979 (the monotone chain)
 */

#include "scopes/align/hull_private.h"

#include "libpaths/base/array.h"

#include <stdlib.h>

#define BLOCK 1024u
#define CLASSES 16u

struct chain {
	struct es__align_point *points;
	size_t count, room;
	double sign; /* 1: lower hull; -1: upper hull */
};

/* Classes of size of a link and direction. */
struct classes {
	double bytes[CLASSES];
	struct chain chains[CLASSES]; /* of blocks */
	struct chain block[CLASSES];  /* points of the current block */
	bool ordered[CLASSES];
	unsigned count;
	bool powers; /* more sizes than classes */
};

static int
point_order(const void *left, const void *right)
{
	const struct es__align_point *a = left, *b = right;

	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Returns whether q is not below the line from p to r. */
static bool
point_is_above(const struct es__align_point *p, const struct es__align_point *q,
    const struct es__align_point *r, double sign)
{
	return sign *
	    ((q->offset - p->offset) * (r->x - p->x) -
		(r->offset - p->offset) * (q->x - p->x)) >=
	    0;
}

/* Reduces points in order to their hull; returns how many are left. */
static size_t
chain_reduce(struct es__align_point *points, size_t count, double sign)
{
	size_t kept = 0;

	for (size_t n = 0; n < count; n++) {
		struct es__align_point p = points[n];

		if (kept > 0 && points[kept - 1].x == p.x) {
			if (sign * (p.offset - points[kept - 1].offset) >= 0)
				continue;
			kept--;
		}
		while (kept >= 2 &&
		    point_is_above(&points[kept - 2], &points[kept - 1], &p,
			sign))
			kept--;
		points[kept++] = p;
	}
	return kept;
}

static bool
chain_append(struct chain *to, const struct es__align_point *points,
    size_t count)
{
	if (!paths__array_reserve(&to->points, to->count + count, &to->room,
		sizeof(*points)))
		return false;
	for (size_t n = 0; n < count; n++)
		to->points[to->count++] = points[n];
	return true;
}

/* Appends the hull of the block of a class to the chain of the class. */
static bool
class_flush(struct classes *c, unsigned n)
{
	struct chain *block = &c->block[n];

	if (block->count == 0)
		return true;
	if (!c->ordered[n])
		qsort(block->points, block->count, sizeof(*block->points),
		    point_order);
	block->count = chain_reduce(block->points, block->count, block->sign);
	if (!chain_append(&c->chains[n], block->points, block->count))
		return false;
	block->count = 0;
	c->ordered[n] = true;
	return true;
}

/* Returns the class of a size; a new one has its block made ready. */
static unsigned
class_of(struct classes *c, uint32_t bytes, double sign)
{
	double size = bytes;
	unsigned n;

	if (c->powers)
		return bytes == 0 ? 0 :
				    (31u - (unsigned)__builtin_clz(bytes)) / 2;
	for (n = 0; n < c->count && c->bytes[n] != size; n++)
		;
	if (n < c->count)
		return n;
	if (n == CLASSES) {
		/* Earlier points may stay in any class. */
		c->powers = true;
		for (n = 0; n < CLASSES; n++)
			c->ordered[n] = false;
		c->count = CLASSES;
		return class_of(c, bytes, sign);
	}
	c->bytes[n] = size;
	c->ordered[n] = true;
	c->chains[n].sign = c->block[n].sign = sign;
	c->count++;
	return n;
}

static bool
class_add(struct classes *c, const struct es__align_message *m, double sign)
{
	unsigned n = class_of(c, m->bytes, sign);
	struct chain *block = &c->block[n];
	struct es__align_point point = { m->x, m->y - m->x, m->bytes };

	if (!paths__array_grow(&block->points, block->count, &block->room,
		sizeof(point)))
		return false;
	if (block->count > 0 && point.x < block->points[block->count - 1].x)
		c->ordered[n] = false;
	block->points[block->count++] = point;
	return block->count < BLOCK || class_flush(c, n);
}

/* Moves the hulls of all classes into one list. */
static bool
classes_take(struct classes *c, struct es__align_hull *hull)
{
	for (unsigned n = 0; n < c->count; n++) {
		struct chain *chain = &c->chains[n];
		struct chain all = { hull->points, hull->count, hull->room, 0 };
		bool done;

		if (!class_flush(c, n))
			return false;
		if (chain->count == 0)
			continue;
		qsort(chain->points, chain->count, sizeof(*chain->points),
		    point_order);
		chain->count =
		    chain_reduce(chain->points, chain->count, chain->sign);
		done = chain_append(&all, chain->points, chain->count);
		hull->points = all.points;
		hull->count = all.count;
		hull->room = all.room;
		if (!done)
			return false;
	}
	return true;
}

static void
hull_measure(struct es__align_hull *hull)
{
	for (size_t n = 0; n < hull->count; n++) {
		double bytes = hull->points[n].bytes;

		if (n == 0 || bytes < hull->least_bytes)
			hull->least_bytes = bytes;
		if (n == 0 || bytes > hull->most_bytes)
			hull->most_bytes = bytes;
	}
}

static paths_status
hull_find(struct es__align_link *link, unsigned back)
{
	struct es__align_hull *hull = &link->hulls[back];
	struct classes *c = calloc(1, sizeof(*c));
	bool done = c != NULL;

	for (size_t n = 0; done && n < link->count; n++)
		if (link->messages[n].back == back)
			done = class_add(c, &link->messages[n],
			    back != 0 ? -1 : 1);
	done = done && classes_take(c, hull);
	hull_measure(hull);
	for (unsigned n = 0; c != NULL && n < CLASSES; n++) {
		free(c->chains[n].points);
		free(c->block[n].points);
	}
	free(c);
	return done ? PATHS_OK : PATHS_ENOMEM;
}

paths_status
es__align_hulls(struct es__align_link *link)
{
	paths_status st;

	es__align_hulls_fini(link);
	st = hull_find(link, 0);
	return st == PATHS_OK ? hull_find(link, 1) : st;
}

void
es__align_hulls_fini(struct es__align_link *link)
{
	for (unsigned back = 0; back < 2; back++) {
		free(link->hulls[back].points);
		link->hulls[back] = (struct es__align_hull){ 0 };
	}
}
