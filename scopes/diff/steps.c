/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/steps.c - finds the iterations in which a difference is spent
 *
 * They are the range of iterations with the largest sum of differences, each
 * less half of what it would have if all iterations had the same.
 *
 * Source	Bentley: Programming Pearls, column 8
 */

#include "scopes/diff/steps_private.h"

#include <math.h>
#include <stdlib.h>

/* Part of a difference that its iterations have at least, of the whole one of
   its threads, and by how much these may differ from each other. */
#define PLACE_LEAST 0.8
#define PLACE_MOST 1.25

/* The differences of a loop, by iteration divided by the width of a bin. */
struct places {
	double *ns;
	size_t count;
	uint64_t width, iterations;
	double sum;
};

/* A range of bins. */
struct range {
	size_t first, last;
	double sum;
};

static struct range
places_best(const struct places *p, double sign)
{
	double least = sign * p->sum / (double)p->count / 2;
	double sum = 0, most = -INFINITY;
	struct range best = { 0, 0, 0 };
	size_t first = 0;

	for (size_t n = 0; n < p->count; n++) {
		if (sum <= 0) {
			sum = 0;
			first = n;
		}
		sum += sign * p->ns[n] - least;
		if (sum > most) {
			most = sum;
			best.first = first;
			best.last = n;
		}
	}
	for (size_t n = best.first; n <= best.last; n++)
		best.sum += p->ns[n];
	return best;
}

static bool
place_takes(const struct es__diff_bin *b, uint32_t loop, const bool *member)
{
	return b->loop == loop && member[b->who];
}

/* Adds up the differences of the members in a loop.  Returns false if there is
   nothing, or no memory. */
static bool
places_fill(const struct es_diff *d, uint32_t loop, const bool *member,
    enum es_diff_kind kind, struct places *p)
{
	*p = (struct places){ .width = 1 };
	for (size_t n = 0; n < d->bin_count; n++) {
		const struct es__diff_bin *b = &d->bins[n];

		if (!place_takes(b, loop, member))
			continue;
		while (p->width < b->count)
			p->width *= 2;
		if (b->first + b->count > p->iterations)
			p->iterations = b->first + b->count;
	}
	p->count = (size_t)((p->iterations + p->width - 1) / p->width);
	p->ns = p->count == 0 ? NULL : calloc(p->count, sizeof(*p->ns));
	for (size_t n = 0; p->ns != NULL && n < d->bin_count; n++) {
		const struct es__diff_bin *b = &d->bins[n];
		double ns = b->run == 1 ? b->kinds[kind] : -b->kinds[kind];

		if (!place_takes(b, loop, member))
			continue;
		p->ns[b->first / p->width] += ns;
		p->sum += ns;
	}
	return p->ns != NULL;
}

/* Returns the difference of the threads in a kind of time. */
static double
place_whole(const struct es_diff *d, const bool *member, enum es_diff_kind kind)
{
	double ns = 0;

	for (uint32_t n = 0; n < d->keys.count; n++)
		if (d->entries[n].key.kind == kind &&
		    member[d->entries[n].key.who])
			ns += d->entries[n].ns[1] - d->entries[n].ns[0];
	return ns;
}

/* Returns whether a part is nearly a whole. */
static bool
place_is(double part, double whole)
{
	return part / whole >= PLACE_LEAST && part / whole <= PLACE_MOST;
}

/* Writes the place of a cause into it, if a loop has it.  A loop is known to
   have it if it has the whole difference of the threads in this kind of time:
   iterations do not tell one activity from another. */
static void
place_in(const struct es_diff *d, uint32_t loop, const bool *member,
    struct es_diff_cause *cause)
{
	double own = cause->ns * (double)cause->members;
	double whole = place_whole(d, member, cause->kind);
	struct places p;
	struct range best;

	if (!places_fill(d, loop, member, cause->kind, &p))
		return;
	best = places_best(&p, own < 0 ? -1 : 1);
	if (place_is(best.sum, own) ||
	    (place_is(best.sum, whole) && own / whole >= 1 - PLACE_LEAST)) {
		cause->loop = es__diff_name(d, loop);
		cause->first = best.first * p.width;
		cause->last = (best.last + 1) * p.width - 1;
		if (cause->last >= p.iterations)
			cause->last = p.iterations - 1;
		/* Nearly all of them. */
		if ((double)(best.last - best.first + 1) >=
		    0.9 * (double)p.count) {
			cause->first = 1;
			cause->last = 0;
		}
	}
	free(p.ns);
}

void
es__diff_place(const struct es_diff *d, const bool *member,
    struct es_diff_cause *cause)
{
	bool *tried = calloc((size_t)d->texts.count + 1, sizeof(*tried));

	/* The steps come before other loops. */
	for (unsigned steps = 2; tried != NULL && steps-- > 0;)
		for (size_t n = 0; cause->loop == NULL && n < d->bin_count;
		     n++) {
			const struct es__diff_bin *b = &d->bins[n];

			if (b->steps != steps || tried[b->loop] ||
			    (cause->kind == ES_DIFF_OPERATIONS && !b->waits))
				continue;
			tried[b->loop] = true;
			place_in(d, b->loop, member, cause);
		}
	free(tried);
}
