/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/waiting.c - finds the threads that the other threads wait for
 *
 * A thread that is no cause waits longer if its waiting grows by at least half
 * of what the causes explain.  It waits for the causes, or for another thread,
 * if this part of its waiting grows by as much.
 */

#include "scopes/diff/waiting_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

/* Part of what the causes explain that a thread waits longer. */
#define WAITING_LEAST 0.5

/* Stands for all causes. */
#define WAITING_CAUSES UINT32_MAX

/* By how much longer a thread waits in the longer run. */
struct longer {
	bool has, caused;
	double ns;	  /* in all */
	double causes_ns; /* for the causes */
	double most_ns;	  /* for the one of the others that it waits for most */
	uint32_t most;	  /* text */
};

static int
blame_order(const void *left, const void *right)
{
	const struct es__diff_blame *a = left, *b = right;

	if (a->waiter != b->waiter)
		return a->waiter < b->waiter ? -1 : 1;
	return (a->culprit > b->culprit) - (a->culprit < b->culprit);
}

/* Merges the rows of both runs: each pair of threads gets one row. */
static void
blames_merge(struct es_diff *d)
{
	size_t kept = 0;

	if (d->blame_count == 0)
		return;
	qsort(d->blames, d->blame_count, sizeof(*d->blames), blame_order);
	for (size_t n = 1; n < d->blame_count; n++) {
		struct es__diff_blame *last = &d->blames[kept];

		if (blame_order(last, &d->blames[n]) != 0) {
			d->blames[++kept] = d->blames[n];
			continue;
		}
		last->ns[0] += d->blames[n].ns[0];
		last->ns[1] += d->blames[n].ns[1];
	}
	d->blame_count = kept + 1;
}

static void
longer_fill(const struct es_diff *d, const bool *caused, struct longer *all)
{
	double sign = es__diff_sign(d);

	for (uint32_t n = 0; n < d->keys.count; n++) {
		const struct es__diff_entry *e = &d->entries[n];
		struct longer *l = &all[e->key.who];

		l->has = true;
		l->caused = caused[e->key.who];
		if (e->key.kind == ES_DIFF_WAITING)
			l->ns += sign * (e->ns[1] - e->ns[0]);
	}
	for (size_t n = 0; n < d->blame_count; n++) {
		const struct es__diff_blame *b = &d->blames[n];
		struct longer *l = &all[b->waiter];
		double ns = sign * (b->ns[1] - b->ns[0]);

		if (caused[b->culprit]) {
			l->causes_ns += ns;
		} else if (ns > l->most_ns) {
			l->most_ns = ns;
			l->most = b->culprit;
		}
	}
}

/* Counts a thread that waits for a culprit; returns the group. */
static struct es__diff_wait *
wait_count(struct es__diff_wait *groups, size_t *count, uint32_t culprit)
{
	for (size_t n = 0; n < *count; n++)
		if (groups[n].culprit == culprit) {
			groups[n].count++;
			return &groups[n];
		}
	groups[*count] =
	    (struct es__diff_wait){ .culprit = culprit, .count = 1 };
	return &groups[(*count)++];
}

/* The causes come first, then what most threads wait for. */
static int
wait_compare(const void *left, const void *right)
{
	const struct es__diff_wait *a = left, *b = right;

	if ((a->culprit == WAITING_CAUSES) != (b->culprit == WAITING_CAUSES))
		return a->culprit == WAITING_CAUSES ? -1 : 1;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return a->who < b->who ? -1 : a->who > b->who;
}

/* Makes groups of the threads that wait for the same one. */
static void
waits_group(struct es_diff *d, const struct longer *all,
    struct es__diff_wait *groups)
{
	double least = 0;
	size_t count = 0;

	for (size_t n = 0; n < d->cause_count; n++)
		least += WAITING_LEAST * fabs(d->causes[n].share_ns);
	for (uint32_t n = 0; n < d->texts.count; n++) {
		const struct longer *l = &all[n];

		if (!l->has || l->caused)
			continue;
		d->others++;
		if (l->ns < least)
			continue;
		if (l->causes_ns >= least)
			wait_count(groups, &count, WAITING_CAUSES)->who = n;
		else if (l->most_ns >= least)
			wait_count(groups, &count, l->most)->who = n;
		else
			d->waiting_else++;
	}
	qsort(groups, count, sizeof(*groups), wait_compare);
	for (size_t n = 0; n < count; n++)
		if (n < ES__DIFF_WAITS)
			d->waits[d->wait_count++] = groups[n];
		else
			d->waiting_else += groups[n].count;
}

paths_status
es__diff_waiting(struct es_diff *d, const bool *caused)
{
	size_t texts = (size_t)d->texts.count + 1;
	struct longer *all = calloc(texts, sizeof(*all));
	struct es__diff_wait *groups = calloc(texts, sizeof(*groups));
	paths_status st = PATHS_OK;

	if (all == NULL || groups == NULL) {
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a comparison");
	} else {
		blames_merge(d);
		longer_fill(d, caused, all);
		waits_group(d, all, groups);
	}
	free(all);
	free(groups);
	return st;
}

/* Writes the threads of a group. */
static void
write_who(FILE *out, const struct es_diff *d, const struct es__diff_wait *w)
{
	if (w->culprit == WAITING_CAUSES && w->count == d->others)
		fputs(w->count == 1 ? "the other one" : "the others", out);
	else if (w->count == 1)
		fputs(es__diff_name(d, w->who), out);
	else
		fprintf(out, "%u of the others", w->count);
}

/* Writes one thing of a list; only the first one has the verb. */
static void
write_wait(FILE *out, const struct es_diff *d, const struct es__diff_wait *w,
    size_t n)
{
	bool last = n + 1 == d->wait_count && d->waiting_else == 0;
	bool less = es__diff_sign(d) < 0;

	fputs(n == 0 ? "; " : last ? " and " : ", ", out);
	write_who(out, d, w);
	if (n == 0)
		fprintf(out, " wait%s%s", w->count == 1 ? "s" : "",
		    less ? " less" : "");
	fprintf(out, " for %s",
	    w->culprit == WAITING_CAUSES ? "it" : es__diff_name(d, w->culprit));
}

void
es__diff_waiting_write(FILE *out, const struct es_diff *d)
{
	if (d->mean)
		return;
	for (size_t n = 0; n < d->wait_count; n++)
		write_wait(out, d, &d->waits[n], n);
	if (d->waiting_else > 0 && d->wait_count > 0)
		fprintf(out, " and %u for others", d->waiting_else);
	else if (d->waiting_else > 0)
		fprintf(out, "; %u of the others wait%s %s, for no single %s",
		    d->waiting_else, d->waiting_else == 1 ? "s" : "",
		    es__diff_sign(d) < 0 ? "less" : "longer",
		    d->sides[0].mpi ? "rank" : "thread");
}
