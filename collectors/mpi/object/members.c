/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/members.c - finds the world ranks of the members of
 * groups
 *
 * Open MPI translates ranks by comparing each member with each process of the
 * other group.  The world ranks of members mostly follow each other in equal
 * steps.  So members are first compared, some at a time, with the processes
 * that would continue these steps, which takes time in proportion to the size
 * of the group.
 */

#include "collectors/mpi/object/members_private.h"

#include "collectors/mpi/abi/abi_private.h"

#include <stdlib.h>
#include <string.h>

/* Members that are translated by one call. */
#define MEMBERS_STEP 64

mpi_handle
mpi_group_of(int (*ask)(mpi_handle, mpi_handle *), mpi_handle of)
{
	mpi_handle group = 0;

	return ask(of, &group) == 0 ? group : 0;
}

void
mpi_group_drop(mpi_handle group)
{
	if (group != 0)
		mpi_abi.call.group_free(&group);
}

static bool
members_translate(mpi_handle from, int32_t count, const int32_t *ranks,
    mpi_handle to, int32_t *found)
{
	return mpi_abi.call.group_translate_ranks(from, count, ranks, to,
		   found) == 0;
}

/* Translates the next members if they continue the step from world[-2] to
   world[-1], the two members before them; `world` then receives their world
   ranks.  Returns false if they do not. */
static bool
members_guess(struct mpi_world *w, mpi_handle group, const int32_t *ranks,
    int32_t count, int32_t *world)
{
	int32_t guess[MEMBERS_STEP], found[MEMBERS_STEP];
	mpi_handle few = 0;
	bool right;

	for (int32_t i = 0; i < count; i++) {
		int64_t next =
		    world[-1] + ((int64_t)world[-1] - world[-2]) * (i + 1);

		if (world[-1] == world[-2] || next < 0 || next >= w->size)
			return false;
		guess[i] = (int32_t)next;
	}
	if (mpi_abi.call.group_incl(w->group, count, guess, &few) != 0)
		return false;
	right = members_translate(group, count, ranks, few, found);
	for (int32_t i = 0; i < count; i++)
		right = right && found[i] == i;
	mpi_group_drop(few);
	if (right)
		memcpy(world, guess, (size_t)count * sizeof(*guess));
	return right;
}

/* Translates all members; those outside of the world get MPI_UNDEFINED. */
static bool
members_ask(struct mpi_world *w, mpi_handle group, struct mpi_members *m)
{
	int32_t ranks[MEMBERS_STEP];
	int32_t step;

	for (int32_t at = 0; at < m->count; at += step) {
		/* The first two members show the step. */
		step = at == 0 ? 2 : MEMBERS_STEP;
		if (step > m->count - at)
			step = m->count - at;
		for (int32_t i = 0; i < step; i++)
			ranks[i] = at + i;
		if (at > 0 &&
		    members_guess(w, group, ranks, step, m->world + at))
			continue;
		if (!members_translate(group, step, ranks, w->group,
			m->world + at))
			return false;
	}
	return true;
}

/* Adds the processes at `places` of a group, which were never met, to the
   others. */
static bool
others_meet(struct mpi_world *w, mpi_handle group, const int32_t *places,
    int32_t count)
{
	mpi_handle these = 0, all = 0;

	if (mpi_abi.call.group_incl(group, count, places, &these) != 0)
		return false;
	if (w->others != 0) {
		/* A union keeps the order of its first group. */
		if (mpi_abi.call.group_union(w->others, these, &all) != 0)
			all = 0;
		mpi_group_drop(these);
		if (all == 0)
			return false;
		mpi_group_drop(w->others);
		these = all;
	}
	w->others = these;
	w->other_count += count;
	return true;
}

/* Numbers the `count` members at `places`, which are outside of the world. */
static bool
others_number(struct mpi_world *w, mpi_handle group, struct mpi_members *m,
    int32_t *places, int32_t count)
{
	int32_t *found = malloc((size_t)count * sizeof(*found));
	int32_t *strange = malloc((size_t)count * sizeof(*strange));
	int32_t met = w->other_count, strangers = 0;
	bool ok = found != NULL && strange != NULL;

	if (ok && w->others != 0)
		ok = members_translate(group, count, places, w->others, found);
	for (int32_t i = 0; ok && i < count; i++) {
		if (w->others == 0 || found[i] == mpi_abi.undefined) {
			found[i] = met + strangers;
			strange[strangers++] = places[i];
		}
		m->world[places[i]] = w->size + found[i];
	}
	if (ok && strangers > 0)
		ok = others_meet(w, group, strange, strangers);
	free(found);
	free(strange);
	return ok;
}

static bool
members_number(struct mpi_world *w, mpi_handle group, struct mpi_members *m)
{
	int32_t count = 0, *places;
	bool ok;

	for (int32_t i = 0; i < m->count; i++)
		count += m->world[i] == mpi_abi.undefined;
	if (count == 0)
		return true;
	places = malloc((size_t)count * sizeof(*places));
	if (places == NULL)
		return false;
	count = 0;
	for (int32_t i = 0; i < m->count; i++)
		if (m->world[i] == mpi_abi.undefined)
			places[count++] = i;
	ok = others_number(w, group, m, places, count);
	free(places);
	return ok;
}

/* Stores the members as runs of equal steps in `runs`, unless it is NULL, and
   returns the number of runs. */
static uint32_t
members_runs(const struct mpi_members *m, struct es_mpi_ranks *runs)
{
	uint32_t n = 0;

	for (int32_t i = 0; i < m->count; n++) {
		struct es_mpi_ranks run = { m->world[i], 1, 1 };

		if (i + 1 < m->count)
			run.stride = m->world[i + 1] - run.first;
		for (i++; i < m->count &&
		     m->world[i] - m->world[i - 1] == run.stride;
		     i++)
			run.count++;
		if (run.count == 1)
			run.stride = 1;
		if (runs != NULL)
			runs[n] = run;
	}
	return n;
}

static bool
members_describe(const struct mpi_world *w, struct mpi_members *m)
{
	m->run_count = members_runs(m, NULL);
	m->runs = calloc(m->run_count + 1, sizeof(*m->runs));
	if (m->runs == NULL)
		return false;
	members_runs(m, m->runs);
	m->same = m->count == 0 ||
	    (m->run_count == 1 && m->runs[0].first == 0 &&
		m->runs[0].stride == 1);
	m->hash = (uint64_t)m->count;
	/* Each process of the world numbers the others in its own order. */
	for (int32_t i = 0; i < m->count; i++)
		m->hash = mpi_mix(m->hash,
		    m->world[i] < w->size ? (uint64_t)m->world[i] : UINT64_MAX);
	return true;
}

struct mpi_members *
mpi_members_make_locked(struct mpi_world *world, mpi_handle group)
{
	struct mpi_members *m;
	int32_t count = 0;

	if (mpi_abi.call.group_size(group, &count) != 0 || count < 0)
		return NULL;
	m = calloc(1, sizeof(*m) + (size_t)count * sizeof(m->world[0]));
	if (m == NULL)
		return NULL;
	atomic_init(&m->references, 1);
	m->count = count;
	if (members_ask(world, group, m) && members_number(world, group, m) &&
	    members_describe(world, m))
		return m;
	mpi_members_unref(m);
	return NULL;
}

struct mpi_members *
mpi_members_ref(struct mpi_members *members)
{
	/* Relaxed: the caller has a reference already. */
	atomic_fetch_add_explicit(&members->references, 1,
	    memory_order_relaxed);
	return members;
}

void
mpi_members_unref(struct mpi_members *members)
{
	if (members == NULL ||
	    atomic_fetch_sub_explicit(&members->references, 1,
		memory_order_acq_rel) != 1)
		return;
	free(members->runs);
	free(members);
}
