/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/inside_cycle.c - finds deadlocks: threads that wait for each
 * other in a cycle
 */

#include "scopes/path/inside_cycle_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Shortest operation of a live run that counts, in ns.  Shorter ones may be
   about to return. */
#define SETTLED_NS INT64_C(1000000000)

/* Largest number of threads of a cycle that the diagnostic names. */
#define CYCLE_NAMED 16u

struct cycles {
	struct es_analysis *a;
	const struct es__inside_paths *inside;
	struct es__wait_for_graph graph;
	uint32_t *seen; /* of each thread */
};

/* Returns whether a thread had ended before those that waited for it. */
static bool
thread_ended(const struct es_analysis *a, uint32_t thread)
{
	uint32_t process = a->map->threads[thread].process;
	const struct es__end *end = &a->run->ends[process];
	struct es_space_info info;

	if (a->run->spaces[process] == NULL)
		return false;
	es_space_info(a->run->spaces[process], &info);
	if (a->run->states[process] == ES__SPACE_CLOSED ||
	    info.exit_status >= 0 || (end->known && !end->sent))
		return true;
	return es_run_live(a->run) && a->run->states[process] != ES__SPACE_LIVE;
}

/* Returns whether a thread, whose operations under way are ops[first] to
   ops[end - 1], can only go on if another thread ends one of their waits. */
static bool
ops_block(const struct cycles *c, size_t first, size_t end)
{
	bool live = es_run_live(c->a->run), blocks = false;

	for (size_t n = first; n < end; n++) {
		const struct es__inside_op *op = &c->inside->ops[n];

		if (op->count == 0 || (live && op->inside_ns < SETTLED_NS))
			return false;
		blocks |= op->blocks;
	}
	return blocks;
}

/* Makes the node of a thread.  Returns the index of the first operation of the
   next thread. */
static size_t
node_make(struct cycles *c, size_t first)
{
	const struct es__inside_op *ops = c->inside->ops;
	struct es__wait_for_node *node = &c->graph.nodes[c->graph.node_count++];
	size_t end = first;

	*node = (struct es__wait_for_node){ .rank = ops[first].thread,
		.arcs = ES__WAIT_FOR_NOTHING,
		.first = ops[first].first };
	for (; end < c->inside->op_count && ops[end].thread == node->rank;
	     end++)
		node->count += ops[end].count;
	/* A thread with several operations under way goes on when any of them
	   returns. */
	if (ops_block(c, first, end))
		node->arcs =
		    end - first > 1 ? ES__WAIT_FOR_ANY : ops[first].mode;
	return end;
}

static paths_status
graph_make(struct cycles *c)
{
	struct es__wait_for_graph *g = &c->graph;
	size_t threads = c->a->map->thread_count + (size_t)1;

	*g = (struct es__wait_for_graph){ .arcs = c->inside->arcs,
		.targets = c->inside->targets,
		.rank_count = c->a->map->thread_count };
	g->nodes = calloc(threads, sizeof(*g->nodes));
	g->ended = calloc(threads, sizeof(*g->ended));
	g->unreachable = calloc(threads, sizeof(*g->unreachable));
	g->next = calloc(threads, sizeof(*g->next));
	c->seen = calloc(threads, sizeof(*c->seen));
	if (g->nodes == NULL || g->ended == NULL || g->unreachable == NULL ||
	    g->next == NULL || c->seen == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	memset(c->seen, 0xff, threads * sizeof(*c->seen));
	for (uint32_t t = 0; t < g->rank_count; t++)
		g->ended[t] = thread_ended(c->a, t);
	for (size_t n = 0; n < c->inside->op_count;)
		n = node_make(c, n);
	return PATHS_OK;
}

/* Returns the operation of a thread of a cycle. */
static const struct es__inside_op *
cycle_op(const struct cycles *c, uint32_t thread)
{
	const struct es__inside_op *op = c->inside->ops;

	while (op->thread != thread || !op->blocks)
		op++;
	return op;
}

static void
cycle_write_op(const struct cycles *c, FILE *to, uint32_t thread)
{
	static const char *const words[] = { "in", "in a write to",
		"in a read of", "in an exchange with", "in a delete of" };
	const struct es__inside_op *op = cycle_op(c, thread);
	const struct paths_map *map = c->a->map;
	const struct paths_map_instance *stage = &map->instances[op->stage];

	fprintf(to, "%s %s", map->threads[thread].name,
	    words[op->op <= PATHS_DELETE ? op->op : 0]);
	if (op->element != PATHS_NONE)
		fprintf(to, " %s", map->elements[op->element].name);
	if (stage->element == PATHS_NONE)
		fprintf(to, " at %s (%s)", stage->name, stage->ops->name);
}

/* Returns how long all threads of a cycle have been in their operations. */
static int64_t
cycle_ns(const struct cycles *c, uint32_t start, uint32_t count)
{
	int64_t least = INT64_MAX;

	for (uint32_t n = 0; n < count; n++) {
		int64_t ns = cycle_op(c, start)->inside_ns;

		least = ns < least ? ns : least;
		start = c->graph.next[start];
	}
	return least;
}

static paths_status
cycle_report(const struct cycles *c, uint32_t start, uint32_t count)
{
	const struct paths_map *map = c->a->map;
	uint32_t named = count < CYCLE_NAMED ? count : CYCLE_NAMED;
	int64_t ns = cycle_ns(c, start, count);
	char time[PATHS_UNIT_TEXT_BYTES];
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	uint32_t t = start;

	if (to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a sentence");
	fputs(count > 1 ? "threads " : "thread ", to);
	for (uint32_t n = 0; n < named; n++, t = c->graph.next[t])
		fprintf(to, "%s -> ", map->threads[t].name);
	fprintf(to, "%s%s %s", named < count ? "... -> " : "",
	    map->threads[start].name,
	    count > 1 ? "wait for each other" : "waits for itself");
	if (ns > 0)
		fprintf(to, " for %s",
		    paths_unit_text(PATHS_UNIT_TIME, (double)ns, time));
	t = start;
	for (uint32_t n = 0; n < named; n++, t = c->graph.next[t]) {
		fputs(n == 0 ? ": " : ", ", to);
		cycle_write_op(c, to, t);
	}
	if (fclose(to) == 0)
		es_run_diagnose(c->a->run, ES_WARNING, "deadlock", "%s", text);
	free(text);
	return PATHS_OK;
}

/* Reports each cycle once, from its lowest thread. */
static paths_status
cycles_report(struct cycles *c)
{
	const struct es__wait_for_graph *g = &c->graph;
	paths_status st = PATHS_OK;

	for (uint32_t t = 0; st == PATHS_OK && t < g->rank_count; t++) {
		uint32_t start = PATHS_NONE, count = 0, least;

		if (g->unreachable[t] && !g->ended[t])
			count = es__wait_for_unreachable_cycle(g, t, c->seen, t,
			    &start);
		least = start;
		for (uint32_t n = 0; n < count; n++) {
			start = g->next[start];
			least = start < least ? start : least;
		}
		if (count > 0)
			st = cycle_report(c, least, count);
	}
	return st;
}

paths_status
es__inside_cycle_diagnose(struct es_analysis *a,
    const struct es__inside_paths *inside)
{
	struct cycles c = { .a = a, .inside = inside };
	paths_status st = graph_make(&c);

	if (st == PATHS_OK) {
		es__wait_for_unreachable(&c.graph);
		st = cycles_report(&c);
	}
	free(c.graph.nodes);
	free(c.graph.ended);
	free(c.graph.unreachable);
	free(c.graph.next);
	free(c.seen);
	return st;
}
