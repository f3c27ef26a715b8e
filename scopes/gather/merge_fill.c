/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/merge_fill.c - makes a batch of what the children of a merge
 * hold
 */

#include "scopes/gather/merge_fill_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Appends the notes about children.  Returns false when one does not fit. */
static bool
fill_notes(struct merge *m, struct es__batch_out *out)
{
	for (uint32_t n = 0; n < m->count; n++) {
		struct merge_child *child = &m->children[n];
		size_t bytes = strlen(child->note) + 1;
		struct es__record *r;

		if (bytes == 1)
			continue;
		r = es__batch_put(out, ES__RECORD_NOTE, bytes);
		if (r == NULL)
			return false;
		memcpy(r + 1, child->note, bytes);
		child->note[0] = '\0';
	}
	return true;
}

/* Appends records of a child.  Returns false when one does not fit. */
static bool
fill_child(struct merge_child *child, struct es__batch_out *out,
    paths_status *st)
{
	const struct es__record *r;
	struct es__batch before = child->batch;

	if (child->fresh)
		child->more = false;
	child->fresh = false;
	while ((r = es__batch_next(&child->batch, st)) != NULL) {
		if (r->kind == ES__RECORD_MORE) {
			child->more = true;
		} else if (!es__batch_copy(out, r)) {
			child->batch = before;
			return false;
		}
		before = child->batch;
	}
	if (*st != PATHS_OK && out->used > 0) {
		/* Whole records are returned first; the next read fails. */
		child->batch = before;
		*st = PATHS_OK;
		return false;
	}
	child->holds = false;
	return true;
}

static paths_status
fill_unordered(struct merge *m, struct es__batch_out *out)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < m->count; n++) {
		struct merge_child *child = &m->children[m->turn];

		if (child->holds && !fill_child(child, out, &st))
			break;
		m->turn = (m->turn + 1) % m->count;
	}
	return st;
}

/* Adds the new batches of children to the order. */
static paths_status
fill_add(struct merge *m)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < m->count; n++) {
		struct merge_child *child = &m->children[n];

		if (!child->fresh)
			continue;
		child->fresh = child->more = false;
		st = es__order_add(&m->order, n, child->batch.at,
		    (size_t)(child->batch.end - child->batch.at), &child->more);
	}
	return st;
}

void
es__merge_begin(struct merge_child *child)
{
	struct paths_op *op = paths_inner_op(child->inner);
	void *tuple = op->tuple;

	if (child->merge->ordered) {
		op->tuple = child->spare;
		child->spare = tuple;
	}
	es__batch_init(&child->batch, tuple, op->bytes);
	child->ready = false;
	child->holds = child->fresh = true;
}

/* Finds the children whose batch was returned, and begins with the batches
   behind.  Returns false if there is none. */
static bool
fill_go_on(struct merge *m)
{
	bool some = false;

	for (uint32_t n = 0; n < m->count; n++) {
		struct merge_child *child = &m->children[n];

		child->holds &= child->fresh || es__order_has(&m->order, n);
		if (child->holds || !child->ready)
			continue;
		es__merge_begin(child);
		some = true;
	}
	return some;
}

static paths_status
fill_ordered(struct merge *m, struct es__batch_out *out)
{
	bool wanted[MERGE_CHILDREN];
	paths_status st;

	do {
		st = fill_add(m);
		for (uint32_t n = 0; n < m->count; n++)
			wanted[n] = m->children[n].more;
		if (st == PATHS_OK)
			st = es__order_take(&m->order, out, wanted);
	} while (fill_go_on(m) && st == PATHS_OK);
	return st;
}

static bool
fill_holds(const struct merge *m)
{
	for (uint32_t n = 0; n < m->count; n++)
		if (m->children[n].holds)
			return true;
	return false;
}

/* Returns true if there is more to read now: children hold more, or are asked,
   or said that there is more. */
static bool
fill_has_more(const struct merge *m)
{
	for (uint32_t n = 0; n < m->count; n++) {
		const struct merge_child *child = &m->children[n];

		if (child->holds || child->ready ||
		    ((child->asked || child->more) && !child->late))
			return true;
	}
	return false;
}

/* Returns true if no child is left. */
static bool
fill_is_over(const struct merge *m)
{
	for (uint32_t n = 0; n < m->count; n++)
		if (!m->children[n].lost || m->children[n].holds)
			return false;
	return true;
}

paths_status
es__merge_fill(struct merge *m, struct es__batch_out *out)
{
	paths_status st = PATHS_OK;
	bool whole;

	out->room -= sizeof(struct es__record);
	whole = fill_notes(m, out);
	if (whole)
		st = m->ordered ? fill_ordered(m, out) : fill_unordered(m, out);
	out->room += sizeof(struct es__record);
	if (st != PATHS_OK || (out->used == 0 && !fill_has_more(m)))
		return st == PATHS_OK && fill_is_over(m) ?
		    paths_log_fail(PATHS_ELOST, "all chains are lost") :
		    st;
	if (out->used == 0 && !m->ordered && fill_holds(m))
		return paths_log_fail(PATHS_EINVAL,
		    "a batch of %zu bytes is too small", out->room);
	if (!whole || fill_has_more(m))
		(void)es__batch_put(out, ES__RECORD_MORE, 0);
	return PATHS_OK;
}
