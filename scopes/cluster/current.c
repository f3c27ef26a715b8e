/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/current.c - the slots on which processes ran
 */

#include "scopes/cluster/current_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

/* A process, with the slots of its host. */
struct ran {
	uint32_t process;
	uint32_t first, end; /* slots of its host */
	uint32_t cores;	     /* slots of its binding, each core once */
};

static bool
binding_has(const struct es__binding *binding, uint32_t kernel)
{
	return kernel / 64 < binding->words &&
	    (binding->mask[kernel / 64] >> kernel % 64 & 1) != 0;
}

/* Returns whether a binding allows a PU of a slot. */
static bool
slot_is_bound(const struct es__slots *slots, uint32_t n,
    const struct es__binding *binding)
{
	const struct es__slot *slot = &slots->slots[n];
	const struct paths_topology *t =
	    &slots->cluster->hosts[slot->host].topology;

	if (binding->core != PATHS_NONE)
		return slot->host_core == binding->core;
	for (uint32_t k = slot->at; k < t->count; k++) {
		if (t->pus[k].core != t->pus[slot->at].core ||
		    (slots->pus && k > slot->at))
			break;
		if (binding_has(binding, t->pus[k].kernel))
			return true;
	}
	return false;
}

static bool
binding_is_known(const struct es__binding *binding)
{
	return binding->words > 0 || binding->core != PATHS_NONE;
}

/* Finds the slots of the host of a process. */
static paths_status
ran_find(const struct es__slots *slots, const struct es__binding *binding,
    struct ran *ran)
{
	size_t host = es__cluster_find(slots->cluster, binding->host);

	if (host == slots->cluster->count ||
	    slots->first[host] == slots->first[host + 1])
		return paths_log_fail(PATHS_ENOENT,
		    "the machine has no host %s, where rank %u ran",
		    binding->host, ran->process);
	ran->first = slots->first[host];
	ran->end = slots->first[host + 1];
	if (!binding_is_known(binding))
		return PATHS_OK;
	for (uint32_t n = ran->first; n < ran->end; n++) {
		bool again = n > ran->first &&
		    slots->slots[n].pu == slots->slots[n - 1].pu;

		if (!again)
			ran->cores += slot_is_bound(slots, n, binding);
	}
	return PATHS_OK;
}

/* Processes with fewest choices come first, those without a binding last. */
static int
ran_order(const void *left, const void *right)
{
	const struct ran *a = left, *b = right;
	uint32_t m = a->cores == 0 ? UINT32_MAX : a->cores;
	uint32_t n = b->cores == 0 ? UINT32_MAX : b->cores;

	if (m != n)
		return m < n ? -1 : 1;
	return (a->process > b->process) - (a->process < b->process);
}

/* Takes the first free slot of the host, or of the binding.  Returns PATHS_NONE
   if there is none. */
static uint32_t
ran_take(const struct es__slots *slots, const struct ran *ran,
    const struct es__binding *binding, bool *taken)
{
	for (uint32_t n = ran->first; n < ran->end; n++) {
		if (taken[n] ||
		    (binding != NULL && !slot_is_bound(slots, n, binding)))
			continue;
		taken[n] = true;
		return n;
	}
	return PATHS_NONE;
}

/* Gives a process without a slot any one of its host. */
static paths_status
ran_place(const struct es__slots *slots, const struct ran *ran,
    const struct es__binding *binding, bool *taken, uint32_t *slot)
{
	if (*slot == PATHS_NONE)
		*slot = ran_take(slots, ran, NULL, taken);
	if (*slot != PATHS_NONE)
		return PATHS_OK;
	return paths_log_fail(PATHS_ERANGE,
	    "host %s has more ranks than its %u slots: --per-core makes more",
	    binding->host, ran->end - ran->first);
}

static void
notes_take(struct es__current_notes *notes, const struct ran *ran,
    const struct es__binding *binding, bool found)
{
	notes->unknown += !binding_is_known(binding);
	notes->wide += found && ran->cores > 1;
	notes->taken += binding_is_known(binding) && !found;
}

static paths_status
current_place(const struct es__slots *slots, const struct es__binding *bindings,
    struct ran *all, uint32_t count, uint32_t *at)
{
	bool *taken = calloc(slots->count, sizeof(*taken));
	paths_status st = PATHS_OK;

	if (taken == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	for (uint32_t n = 0; n < count; n++)
		at[all[n].process] = all[n].cores == 0 ?
		    PATHS_NONE :
		    ran_take(slots, &all[n], &bindings[all[n].process], taken);
	/* Now all have a slot of their binding for which there is one. */
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = ran_place(slots, &all[n], &bindings[all[n].process], taken,
		    &at[all[n].process]);
	free(taken);
	return st;
}

paths_status
es__current_find(const struct es__slots *slots,
    const struct es__binding *bindings, uint32_t count, uint32_t *at,
    struct es__current_notes *notes)
{
	struct ran *all = calloc(count, sizeof(*all));
	paths_status st = all == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for ranks") :
	    PATHS_OK;

	*notes = (struct es__current_notes){ 0 };
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		all[n].process = n;
		st = ran_find(slots, &bindings[n], &all[n]);
	}
	if (st == PATHS_OK) {
		qsort(all, count, sizeof(*all), ran_order);
		st = current_place(slots, bindings, all, count, at);
	}
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		const struct es__binding *b = &bindings[all[n].process];

		notes_take(notes, &all[n], b,
		    all[n].cores > 0 &&
			slot_is_bound(slots, at[all[n].process], b));
	}
	free(all);
	return st;
}
