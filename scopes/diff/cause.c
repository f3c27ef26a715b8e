/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/cause.c - finds the code that makes a run longer
 *
 * A cause is an activity that takes a thread longer, without its waiting.  The
 * threads of a cause are those with at least half of the largest difference.
 * It makes the run longer by at most that difference, and by at most the part
 * of these threads of the critical path of the longer run: what others did not
 * wait for is no cause.  If the second run is shorter, causes are what makes
 * the first one longer.
 */

#include "scopes/diff/cause_private.h"

#include "scopes/diff/renamed_private.h"
#include "scopes/diff/steps_private.h"
#include "scopes/diff/waiting_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Least part of the difference of a cause, and of the time of the run. */
#define CAUSE_LEAST 0.1
#define CAUSE_RUN_LEAST 0.01

/* Names of threads that a sentence has at most. */
#define CAUSE_NAMES 3

/* Least part of a cause that another computation has which is told with it. */
#define CAUSE_JOINED 0.02

/* An activity of all threads. */
struct activity {
	uint32_t where, kind;
	uint32_t begin, end; /* UINT32_MAX: none */
	double most_ns;	     /* largest difference of a thread */
	double path_ns;	     /* of its threads, on the path of the longer run */
	double share_ns;
};

/* Returns by how much longer an entry is in the second run. */
static double
entry_more_ns(const struct es__diff_entry *e)
{
	double ns = e->ns[1] - e->ns[0];

	return ns < 0 ? ns + e->renamed_ns : ns - e->renamed_ns;
}

/* Returns by how much longer an entry is in the longer run. */
static double
entry_ns(const struct es_diff *d, const struct es__diff_entry *e)
{
	return es__diff_sign(d) * entry_more_ns(e);
}

static bool
entry_is_own(const struct es__diff_entry *e)
{
	return e->key.kind == ES_DIFF_COMPUTING ||
	    e->key.kind == ES_DIFF_OPERATIONS;
}

/* Adds up the activities of all threads, by number of the text of their
   place and kind. */
static void
activities_fill(const struct es_diff *d, struct activity *all)
{
	unsigned longer = es__diff_sign(d) > 0 ? 1 : 0;

	for (uint32_t n = 0; n < d->keys.count; n++) {
		const struct es__diff_entry *e = &d->entries[n];
		struct activity *a;

		if (!entry_is_own(e))
			continue;
		a = &all[2 * e->key.where + e->key.kind];
		a->where = e->key.where;
		a->kind = e->key.kind;
		a->begin = e->begin;
		a->end = e->end;
		if (entry_ns(d, e) > a->most_ns)
			a->most_ns = entry_ns(d, e);
	}
	for (uint32_t n = 0; n < d->keys.count; n++) {
		const struct es__diff_entry *e = &d->entries[n];
		struct activity *a = &all[2 * e->key.where + e->key.kind % 2];

		if (entry_is_own(e) && entry_ns(d, e) >= a->most_ns / 2)
			a->path_ns += e->path_ns[longer];
	}
}

/* Returns by how much an activity makes the longer run longer, at most.
   Without traces there is no critical path, and the time of operations has the
   waiting in it, which is no cause. */
static double
activity_share(const struct es_diff *d, const struct activity *a,
    double difference)
{
	if (d->sides[0].traced && d->sides[1].traced)
		return fmin(a->most_ns, a->path_ns);
	return a->kind == ES_DIFF_COMPUTING ? fmin(a->most_ns, difference) : 0;
}

static int
activity_compare(const void *left, const void *right)
{
	const struct activity *a = left, *b = right;

	if (a->share_ns != b->share_ns)
		return a->share_ns < b->share_ns ? 1 : -1;
	return a->where < b->where ? -1 : a->where > b->where;
}

/* ---- the threads of a cause */

/* Marks the threads of an activity.  Returns their number. */
static size_t
members_find(const struct es_diff *d, const struct activity *a, bool *member,
    double *sum_ns)
{
	size_t count = 0;

	*sum_ns = 0;
	for (uint32_t n = 0; n < d->keys.count; n++) {
		const struct es__diff_entry *e = &d->entries[n];

		if (e->key.where != a->where || e->key.kind != a->kind ||
		    entry_ns(d, e) < a->most_ns / 2)
			continue;
		member[e->key.who] = true;
		*sum_ns += entry_more_ns(e);
		count++;
	}
	return count;
}

static int
name_compare(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;

	return strverscmp(*a, *b);
}

/* Writes the names of up to CAUSE_NAMES members, as "r1, r2 and r3". */
static void
members_names(const struct es_diff *d, const bool *member, uint32_t texts,
    char text[256])
{
	const char *names[CAUSE_NAMES];
	size_t count = 0;
	int used = 0;

	for (uint32_t n = 0; n < texts && count < CAUSE_NAMES; n++)
		if (member[n])
			names[count++] = es__diff_name(d, n);
	qsort(names, count, sizeof(*names), name_compare);
	for (size_t n = 0; n < count && used < 256; n++)
		used += snprintf(text + used, 256 - (size_t)used, "%s%s",
		    n == 0	      ? "" :
			n + 1 < count ? ", " :
					" and ",
		    names[n]);
}

/* Returns a text for the members. */
static const char *
members_text(struct es_diff *d, const bool *member, uint32_t texts,
    size_t count)
{
	uint32_t threads = d->sides[0].threads;
	const char *noun = d->sides[0].mpi ? "ranks" : "threads";
	char text[256];

	if (!d->mean && count == threads && count == 2)
		snprintf(text, sizeof(text), "both %s", noun);
	else if (!d->mean && count == threads && count > 2)
		snprintf(text, sizeof(text), "all %zu %s", count, noun);
	else if (count > CAUSE_NAMES)
		snprintf(text, sizeof(text), "%zu of %u %s", count, threads,
		    noun);
	else
		members_names(d, member, texts, text);
	return es__intern_text(&d->texts, text);
}

/* ---- computations that are told together */

/* Returns whether two computations begin or end at the same place, as those
   before an operation that several others precede do. */
static bool
activity_meets(const struct activity *a, const struct activity *b)
{
	if (a->kind != ES_DIFF_COMPUTING || b->kind != ES_DIFF_COMPUTING)
		return false;
	return (a->end != UINT32_MAX && a->end == b->end) ||
	    (a->begin != UINT32_MAX && a->begin == b->begin);
}

/* Adds an activity to a cause, if it has the same threads. */
static paths_status
cause_join(struct es_diff *d, struct activity *b, const bool *member,
    uint32_t texts, struct es_diff_cause *c)
{
	bool *other = calloc((size_t)texts + 1, sizeof(*other));
	paths_status st = PATHS_OK;
	double sum_ns;
	char *where;

	if (other == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	if (members_find(d, b, other, &sum_ns) == c->members &&
	    memcmp(other, member, texts) == 0) {
		if (asprintf(&where, "%s and %s", c->where,
			es__diff_name(d, b->where)) < 0) {
			free(other);
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a text");
		}
		c->where = es__intern_text(&d->texts, where);
		st = c->where == NULL ? PATHS_ENOMEM : PATHS_OK;
		free(where);
		c->ns += sum_ns / (double)c->members;
		c->share_ns += es__diff_sign(d) * b->share_ns;
		b->share_ns = 0;
	}
	free(other);
	return st;
}

/* Adds a cause: the activity n, and later ones that are told with it. */
static paths_status
cause_add(struct es_diff *d, struct activity *all, size_t n, bool *caused,
    uint32_t texts)
{
	const struct activity *a = &all[n];
	bool *member = calloc((size_t)texts + 1, sizeof(*member));
	struct es_diff_cause *c = &d->causes[d->cause_count];
	paths_status st = PATHS_OK;
	double sum_ns;

	if (member == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	*c = (struct es_diff_cause){ .kind = a->kind,
		.where = es__diff_name(d, a->where),
		.share_ns = es__diff_sign(d) * a->share_ns };
	c->members = members_find(d, a, member, &sum_ns);
	c->ns = sum_ns / (double)c->members;
	for (size_t m = n + 1; st == PATHS_OK && m < 2 * (size_t)texts; m++)
		if (all[m].share_ns >= CAUSE_JOINED * a->share_ns &&
		    activity_meets(a, &all[m]))
			st = cause_join(d, &all[m], member, texts, c);
	c->who = members_text(d, member, texts, c->members);
	es__diff_place(d, member, c);
	for (uint32_t t = 0; t < texts; t++)
		caused[t] |= member[t];
	free(member);
	d->cause_count++;
	return st == PATHS_OK && c->who == NULL ? PATHS_ENOMEM : st;
}

paths_status
es__diff_causes(struct es_diff *d)
{
	double difference =
	    fabs(d->sides[1].elapsed_ns - d->sides[0].elapsed_ns);
	double least = fmax(CAUSE_LEAST * difference,
	    CAUSE_RUN_LEAST * d->sides[0].elapsed_ns);
	uint32_t texts = d->texts.count;
	struct activity *all = calloc(2 * ((size_t)texts + 1), sizeof(*all));
	bool *caused = calloc((size_t)texts + ES__DIFF_CAUSES + 1, 1);
	paths_status st = PATHS_OK;

	if (all == NULL || caused == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a comparison");
	if (st == PATHS_OK)
		st = es__diff_renamed(d);
	if (st == PATHS_OK)
		activities_fill(d, all);
	for (size_t n = 0; st == PATHS_OK && n < 2 * (size_t)texts; n++)
		all[n].share_ns = activity_share(d, &all[n], difference);
	if (st == PATHS_OK)
		qsort(all, 2 * (size_t)texts, sizeof(*all), activity_compare);
	for (size_t n = 0; st == PATHS_OK && d->cause_count < ES__DIFF_CAUSES &&
	     n < 2 * (size_t)texts;
	     n++)
		if (all[n].share_ns >= least)
			st = cause_add(d, all, n, caused, texts);
	if (st == PATHS_OK && d->cause_count > 0)
		st = es__diff_waiting(d, caused);
	free(all);
	free(caused);
	return st;
}
