/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/call_nodes.c - makes trees of the call paths of MPI calls,
 * with the time and the waiting of each node
 */

#include "scopes/views/mpi/call_nodes_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest name of a function whose name is not known. */
#define NAME_BYTES 512

/* A node in the table, by its key; index + 1, so that 0 is free. */
struct slot {
	uint32_t index;
	uint32_t parent;
	const char *function, *file;
	int line;
	bool mpi;
};

static bool
slot_used(const void *item)
{
	return ((const struct slot *)item)->index != 0;
}

static uint64_t
slot_hash(const void *item)
{
	const struct slot *s = item;
	uint64_t hash = (uintptr_t)s->function;

	hash = (hash ^ s->parent) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 29 ^ (uintptr_t)s->file) *
	    UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 29 ^ (unsigned)s->line) *
	    UINT64_C(0x9e3779b97f4a7c15);
	return hash >> 32;
}

static bool
slot_equal(const void *left, const void *right)
{
	const struct slot *a = left, *b = right;

	return a->parent == b->parent && a->function == b->function &&
	    a->file == b->file && a->line == b->line && a->mpi == b->mpi;
}

static const struct paths__hash_kind slot_kind = {
	.bytes = sizeof(struct slot),
	.used = slot_used,
	.hash = slot_hash,
	.equal = slot_equal,
};

/* Finds the child of a node, or adds it; file and line: place of the call. */
static paths_status
nodes_child(struct es__call_nodes *t, uint32_t parent, const char *function,
    const struct es__place *at, uint32_t *child)
{
	struct slot key = { .index = (uint32_t)t->count + 1,
		.parent = parent,
		.function = function,
		.file = at == NULL ? NULL : at->file,
		.line = at == NULL ? 0 : at->line };
	struct slot *slot;

	if (!paths__array_grow(&t->list, t->count, &t->room,
		sizeof(*t->list)) ||
	    (slot = paths__hash_put(&t->table, &slot_kind, &key)) == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for call paths");
	if (slot->index == key.index)
		t->list[t->count++] = (struct es__call_node){ .parent = parent,
			.depth = parent == PATHS_NONE ?
			    0 :
			    t->list[parent].depth + 1,
			.function = function,
			.file = key.file,
			.line = key.line,
			.rank = PATHS_NONE,
			.most_rank = PATHS_NONE };
	*child = slot->index - 1;
	return PATHS_OK;
}

static const char *
name_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* Returns the name of the function of a frame; else what is known of the
   frame; NULL: no memory. */
static const char *
nodes_name(struct es__call_nodes *t, const struct es__place *place)
{
	char text[NAME_BYTES] = "unknown";

	if (place->function != NULL)
		return place->function;
	if (place->file != NULL)
		snprintf(text, sizeof(text), "%s:%d", name_base(place->file),
		    place->line);
	else if (place->module != NULL && place->offset >= 0)
		snprintf(text, sizeof(text), "%s+0x%llx",
		    name_base(place->module->path),
		    (unsigned long long)place->offset);
	return es__intern_name(&t->texts, text);
}

/* Adds calls to a node.  All calls of a rank come one after the other. */
static void
node_add(struct es__call_node *node, const struct es__call_sum *sum)
{
	if (sum->rank != node->rank) {
		node->ranks++;
		node->rank = sum->rank;
		node->rank_ns = 0;
	}
	node->calls += sum->calls;
	node->time_ns += sum->time_ns;
	node->wait_ns += sum->wait_ns;
	node->rank_ns += sum->time_ns;
	if (node->most_rank == PATHS_NONE || node->rank_ns > node->most_ns ||
	    node->most_rank == node->rank) {
		node->most_rank = node->rank;
		node->most_ns = node->rank_ns;
	}
}

/* Walks to the child with a frame, and adds calls to it. */
static paths_status
nodes_step(struct es__call_nodes *t, uint32_t *at, const char *function,
    const struct es__place *place, const struct es__call_sum *sum)
{
	paths_status st = PATHS_ENOMEM;

	if (function != NULL)
		st = nodes_child(t, *at, function, place, at);
	if (st == PATHS_OK)
		node_add(&t->list[*at], sum);
	return st;
}

/* Adds calls from the outermost function to that of MPI. */
static paths_status
nodes_add_down(struct es__call_nodes *t, const struct es__place *frames,
    size_t count, const char *function, const struct es__call_sum *sum)
{
	uint32_t at = PATHS_NONE;
	paths_status st = PATHS_OK;

	for (size_t n = count; st == PATHS_OK && n-- > 0;)
		st = nodes_step(t, &at, nodes_name(t, &frames[n]),
		    n + 1 == count ? NULL : &frames[n + 1], sum);
	if (st == PATHS_OK)
		st = nodes_step(t, &at, function,
		    count == 0 ? NULL : &frames[0], sum);
	if (st == PATHS_OK)
		t->list[at].mpi = true;
	return st;
}

/* Adds calls from the function of MPI to its outermost caller. */
static paths_status
nodes_add_up(struct es__call_nodes *t, const struct es__place *frames,
    size_t count, const char *function, const struct es__call_sum *sum)
{
	uint32_t at = PATHS_NONE;
	paths_status st = nodes_step(t, &at, function, NULL, sum);

	if (st == PATHS_OK)
		t->list[at].mpi = true;
	for (size_t n = 0; st == PATHS_OK && n < count; n++)
		st = nodes_step(t, &at, nodes_name(t, &frames[n]), &frames[n],
		    sum);
	return st;
}

static paths_status
nodes_add(struct es__call_nodes *t, const struct es__places *places,
    bool callers, const struct es__call_sum *sum)
{
	const struct es_mpi_function *f = es_mpi_function(sum->function);
	const struct es__site_places *site =
	    sum->site < places->site_count ? &places->sites[sum->site] : NULL;
	const struct es__place *frames =
	    site == NULL ? NULL : &places->list[site->first];
	size_t count = site == NULL ? 0 : site->count;
	const char *function = es__intern_text(&t->texts,
	    f == NULL ? "unknown MPI function" : f->name);

	t->time_ns += sum->time_ns;
	return callers ? nodes_add_up(t, frames, count, function, sum) :
			 nodes_add_down(t, frames, count, function, sum);
}

/* A node, its time, and the range of its children among all of them. */
struct ordered {
	uint32_t index, parent;
	int64_t time_ns;
};

/* Orders by parent, roots first, then by time, the shortest first. */
static int
ordered_order(const void *left, const void *right)
{
	const struct ordered *a = left, *b = right;
	uint32_t x = a->parent + 1, y = b->parent + 1;

	if (x != y)
		return x < y ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->index > b->index ? -1 : a->index < b->index;
}

/* Memory for the order of a tree. */
struct ordering {
	struct ordered *list;
	uint32_t *first; /* children of a node in the list, at index + 1; one
			    more tells the end */
	uint32_t *stack, *number;
	struct es__call_node *nodes;
};

static bool
ordering_open(struct ordering *o, size_t count)
{
	o->list = calloc(count, sizeof(*o->list));
	o->first = calloc(count + 2, sizeof(*o->first));
	o->stack = calloc(count, sizeof(*o->stack));
	o->number = calloc(count, sizeof(*o->number));
	o->nodes = calloc(count, sizeof(*o->nodes));
	return o->list != NULL && o->first != NULL && o->stack != NULL &&
	    o->number != NULL && o->nodes != NULL;
}

static void
ordering_sort(struct ordering *o, const struct es__call_nodes *t)
{
	for (size_t n = 0; n < t->count; n++) {
		o->list[n] = (struct ordered){ (uint32_t)n, t->list[n].parent,
			t->list[n].time_ns };
		o->first[(size_t)(t->list[n].parent + 1) + 1]++;
	}
	for (size_t n = 0; n <= t->count; n++)
		o->first[n + 1] += o->first[n];
	qsort(o->list, t->count, sizeof(*o->list), ordered_order);
}

/* Puts the children of a node on the stack, the longest on top. */
static size_t
ordering_push(struct ordering *o, uint32_t node, size_t height)
{
	for (uint32_t n = o->first[node + 1];
	     n < o->first[(size_t)(node + 1) + 1]; n++)
		o->stack[height++] = o->list[n].index;
	return height;
}

/* Puts the nodes in depth-first order. */
static paths_status
nodes_order(struct es__call_nodes *t)
{
	struct ordering o = { 0 };
	size_t height, count = 0;

	if (t->count == 0)
		return PATHS_OK;
	if (ordering_open(&o, t->count)) {
		ordering_sort(&o, t);
		height = ordering_push(&o, PATHS_NONE, 0);
		while (height > 0) {
			uint32_t n = o.stack[--height];

			o.number[n] = (uint32_t)count;
			o.nodes[count] = t->list[n];
			if (t->list[n].parent != PATHS_NONE)
				o.nodes[count].parent =
				    o.number[t->list[n].parent];
			count++;
			height = ordering_push(&o, n, height);
		}
		memcpy(t->list, o.nodes, count * sizeof(*t->list));
	}
	free(o.list);
	free(o.first);
	free(o.stack);
	free(o.number);
	free(o.nodes);
	return count > 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for call paths");
}

paths_status
es__call_nodes_make(const struct es__call_sums *sums,
    const struct es__places *places, bool callers, struct es__call_nodes *nodes)
{
	paths_status st = PATHS_OK;

	*nodes = (struct es__call_nodes){ .count = 0 };
	for (size_t n = 0; st == PATHS_OK && n < sums->count; n++)
		st = nodes_add(nodes, places, callers, &sums->list[n]);
	return st == PATHS_OK ? nodes_order(nodes) : st;
}

void
es__call_nodes_fini(struct es__call_nodes *nodes)
{
	es__intern_fini(&nodes->texts);
	free(nodes->list);
	free(nodes->table.slots);
}
