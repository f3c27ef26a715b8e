/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/machine.c - makes machines from arrays and descriptions
 */

#include "scopes/place/machine_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The order of slots in the tree: by the groups of each level, then by number.
 */
static int
machine_order(const void *a, const void *b, void *context)
{
	const struct es_machine_tree *tree = context;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	const uint32_t *one = tree->groups + (size_t)left * tree->level_count;
	const uint32_t *two = tree->groups + (size_t)right * tree->level_count;

	for (uint32_t n = 0; n < tree->level_count; n++)
		if (one[n] != two[n])
			return one[n] < two[n] ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* Returns the first level on which two slots of the tree differ. */
static uint32_t
machine_shared(const struct es_machine_tree *tree, uint32_t a, uint32_t b)
{
	const uint32_t *one = tree->groups + (size_t)a * tree->level_count;
	const uint32_t *two = tree->groups + (size_t)b * tree->level_count;
	uint32_t n = 0;

	while (n < tree->level_count && one[n] == two[n])
		n++;
	return n;
}

static paths_status
machine_allocate(struct es_machine *m)
{
	size_t slots = m->slot_count;

	m->place = calloc(slots, sizeof(*m->place));
	m->slot = calloc(slots, sizeof(*m->slot));
	m->code = calloc(slots, sizeof(*m->code));
	m->group = calloc(slots * (m->level_count + 1), sizeof(*m->group));
	if (m->place == NULL || m->slot == NULL || m->code == NULL ||
	    m->group == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < m->level_count; n++)
		if ((m->first[n] = calloc(slots + 1, sizeof(**m->first))) ==
		    NULL)
			return PATHS_ENOMEM;
	return PATHS_OK;
}

/* Numbers the groups of all levels in the order of places. */
static void
machine_groups(struct es_machine *m, const struct es_machine_tree *tree)
{
	for (uint32_t at = 0; at < m->slot_count; at++) {
		uint32_t same = at == 0 ?
		    0 :
		    machine_shared(tree, m->slot[at - 1], m->slot[at]);

		m->place[m->slot[at]] = at;
		for (uint32_t n = 0; n < m->level_count; n++) {
			if (n >= same)
				m->first[n][m->group_count[n]++] = at;
			m->group[(size_t)n * m->slot_count + at] =
			    m->group_count[n] - 1;
		}
	}
	for (uint32_t n = 0; n < m->level_count; n++)
		m->first[n][m->group_count[n]] = m->slot_count;
}

static unsigned
machine_bits(uint32_t largest)
{
	return largest == 0 ? 0 : 32u - (unsigned)__builtin_clz(largest);
}

/* Gives each place its code, and each bit of the codes its depth. */
static paths_status
machine_codes(struct es_machine *m)
{
	unsigned bit = 0;

	for (uint32_t level = 0; level <= m->level_count; level++) {
		uint32_t largest = 0;
		unsigned bits;

		for (uint32_t at = 0; at < m->slot_count; at++)
			if (es__machine_child(m, level, at) > largest)
				largest = es__machine_child(m, level, at);
		bits = machine_bits(largest);
		if (bit + bits > 64)
			return paths_log_fail(PATHS_ERANGE,
			    "the groups of the machine are too unequal: "
			    "their numbers take more than 64 bits");
		for (uint32_t at = 0; bits > 0 && at < m->slot_count; at++)
			m->code[at] |= (uint64_t)es__machine_child(m, level, at)
			    << (64 - bit - bits);
		for (; bits > 0; bits--) {
			m->between[bit] = m->distance[level];
			m->depth[bit++] = (uint8_t)level;
		}
	}
	m->depth[ES__MACHINE_SAME] = (uint8_t)m->level_count;
	return PATHS_OK;
}

static paths_status
machine_distances(struct es_machine *m, const double *distances)
{
	for (uint32_t n = 0; n <= m->level_count; n++) {
		m->distance[n] = distances == NULL ?
		    2.0 * (m->level_count + 1 - n) :
		    distances[n];
		if (!isfinite(m->distance[n]) || m->distance[n] < 0)
			return paths_log_fail(PATHS_EINVAL,
			    "distance %g of depth %u: not a number from 0 up",
			    m->distance[n], n);
		if (n > 0 && m->distance[n] > m->distance[n - 1])
			return paths_log_fail(PATHS_EINVAL,
			    "distance %g of depth %u is larger than %g of "
			    "depth %u",
			    m->distance[n], n, m->distance[n - 1], n - 1);
	}
	return PATHS_OK;
}

static paths_status
machine_fill(struct es_machine *m, const struct es_machine_tree *tree)
{
	paths_status st = machine_allocate(m);

	if (st != PATHS_OK)
		return paths_log_fail(st, "no memory for a machine");
	st = machine_distances(m, tree->distances);
	if (st != PATHS_OK)
		return st;
	for (uint32_t n = 0; n < m->slot_count; n++)
		m->slot[n] = n;
	qsort_r(m->slot, m->slot_count, sizeof(*m->slot), machine_order,
	    (void *)(uintptr_t)tree);
	machine_groups(m, tree);
	return machine_codes(m);
}

paths_status
es_machine_create(const struct es_machine_tree *tree,
    struct es_machine **machine)
{
	struct es_machine *m;
	paths_status st;

	if (tree->slot_count == 0)
		return paths_log_fail(PATHS_EINVAL, "the machine has no slots");
	if (tree->slot_count > ES_MACHINE_SLOTS ||
	    tree->level_count > ES_MACHINE_LEVELS)
		return paths_log_fail(PATHS_ERANGE,
		    "a machine of %u slots and %u levels of groups: at most "
		    "%u and %u",
		    tree->slot_count, tree->level_count, ES_MACHINE_SLOTS,
		    ES_MACHINE_LEVELS);
	m = calloc(1, sizeof(*m));
	if (m == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a machine");
	m->slot_count = tree->slot_count;
	m->level_count = tree->level_count;
	st = machine_fill(m, tree);
	if (st == PATHS_OK)
		*machine = m;
	else
		es_machine_destroy(m);
	return st;
}

void
es_machine_destroy(struct es_machine *m)
{
	if (m == NULL)
		return;
	for (uint32_t n = 0; n < m->level_count; n++)
		free(m->first[n]);
	free(m->place);
	free(m->slot);
	free(m->code);
	free(m->group);
	free(m);
}

uint32_t
es_machine_slots(const struct es_machine *m)
{
	return m->slot_count;
}

uint32_t
es_machine_levels(const struct es_machine *m)
{
	return m->level_count;
}

uint32_t
es_machine_group(const struct es_machine *m, uint32_t slot, uint32_t level)
{
	return m->group[(size_t)level * m->slot_count + m->place[slot]];
}

uint32_t
es_machine_depth(const struct es_machine *m, uint32_t a, uint32_t b)
{
	return m->depth[es__machine_differ(m->code[m->place[a]],
	    m->code[m->place[b]])];
}

double
es_machine_distance(const struct es_machine *m, uint32_t a, uint32_t b)
{
	return es__machine_between(m, m->code[m->place[a]],
	    m->code[m->place[b]]);
}
