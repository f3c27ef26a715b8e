/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/stats.c - measures how regular the loops of a sequence are
 */

#include "scopes/phase/stats_private.h"

#include "libpaths/log.h"

#include <math.h>

/* A node predicts from at most as many iterations; a power of two. */
#define ITERATIONS_MAX 64u

/* Number of times that a node was left by an edge after some iterations. */
struct choice {
	uint64_t key; /* node, iterations and edge, + 1 */
	uint64_t count;
};

static bool
choice_used(const void *item)
{
	return ((const struct choice *)item)->key != 0;
}

static uint64_t
choice_hash(const void *item)
{
	uint64_t key = ((const struct choice *)item)->key;

	key *= UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 32;
}

static bool
choice_equal(const void *a, const void *b)
{
	return ((const struct choice *)a)->key ==
	    ((const struct choice *)b)->key;
}

static const struct paths__hash_kind choices_kind = { sizeof(struct choice),
	choice_used, choice_hash, choice_equal };

static uint64_t
choice_key(uint32_t node, uint64_t iterations, uint32_t edge)
{
	if (iterations >= ITERATIONS_MAX)
		iterations = ITERATIONS_MAX - 1;
	return ((uint64_t)node * ITERATIONS_MAX + iterations) * 65536 + edge +
	    1;
}

static void
stats_step(struct es__phase_to *to, uint32_t node, uint32_t edge,
    const struct es__phase_state *state)
{
	struct es__phase_stats *s = (void *)to;
	struct choice choice = { .key = 0 }, *found;
	uint32_t out = s->graph->nodes[node].out;

	/* A node with one edge has no choice. */
	if (s->graph->edges[out].out == ES__PHASE_NONE)
		return;
	choice.key = choice_key(node, state->instance, edge);
	found = paths__hash_put(&s->choices, &choices_kind, &choice);
	if (found != NULL)
		found->count++;
	else
		s->failed = true;
}

static void
stats_begin(struct es__phase_to *to, uint32_t loop,
    const struct es__phase_state *state, bool again, uint64_t before)
{
	struct es__phase_stats *s = (void *)to;
	struct es__phase_measure *m = &s->loops[loop];
	uint64_t length = state->begin - before;

	m->iterations++;
	if (!again)
		return;
	if (m->lengths++ == 0 || length < m->length_min)
		m->length_min = length;
	m->length_sum += (double)length;
	m->length_squares += (double)length * (double)length;
}

/* Notes an instance with several iterations. */
static void
stats_repeat(struct es__phase_measure *m)
{
	uint64_t gap = m->instances - m->repeat_at;

	if (m->repeats++ > 0) {
		if (m->repeats == 2 || gap < m->repeat_gap_min)
			m->repeat_gap_min = gap;
		if (gap > m->repeat_gap_max)
			m->repeat_gap_max = gap;
	}
	m->repeat_at = m->instances;
}

static void
stats_leave(struct es__phase_to *to, uint32_t loop,
    const struct es__phase_state *state, uint64_t event)
{
	struct es__phase_stats *s = (void *)to;
	struct es__phase_measure *m = &s->loops[loop];

	(void)event;
	/* The last instance is never added, and the first one neither. */
	if (m->instances++ == 0)
		m->count_first = state->instance;
	if (m->instances > 2) {
		if (m->counts++ == 0 || m->count_last < m->count_min)
			m->count_min = m->count_last;
		m->count_sum += (double)m->count_last;
		m->count_squares +=
		    (double)m->count_last * (double)m->count_last;
	}
	m->count_last = state->instance;
	if (m->count_last > m->count_max)
		m->count_max = m->count_last;
	if (m->count_last > 1)
		stats_repeat(m);
}

/* The bits of a context: of counts that are described one after the other, each
   with the frequencies so far. */
struct context {
	uint64_t key; /* node and iterations */
	uint64_t count;
	double bits;
};

static double
log2_gamma(double x)
{
	int sign; /* lgamma would write it to a variable of all threads */

	return lgamma_r(x, &sign) / log(2.0);
}

/* Adds a choice to its context.  `symbols` symbols are equally likely at
   first, and together count as one. */
static void
context_add(struct context *c, uint64_t count, uint32_t symbols)
{
	double first = 1.0 / symbols;

	c->count += count;
	c->bits -= log2_gamma((double)count + first) - log2_gamma(first);
}

/* Returns the bits of a context. */
static double
context_bits(const struct context *c)
{
	return c->bits + log2_gamma((double)c->count + 1) - log2_gamma(1);
}

static int
choice_order(const void *left, const void *right)
{
	const struct choice *a = left, *b = right;

	return a->key < b->key ? -1 : a->key > b->key;
}

/* Returns the bits of a node whose choices are given in order, when the number
   of iterations is known. */
static double
choices_bits(const struct es__phase_stats *s, const struct choice *choices,
    size_t count)
{
	struct context context = { .key = 0 };
	double bits = 0;

	for (size_t n = 0; n < count; n++) {
		uint64_t key = (choices[n].key - 1) / 65536;

		if (context.count > 0 && key != context.key) {
			bits += context_bits(&context);
			context = (struct context){ .count = 0 };
		}
		context.key = key;
		context_add(&context, choices[n].count, s->symbols + 1);
	}
	return bits + context_bits(&context);
}

/* Returns the bits of a node, when the number of iterations is not known. */
static double
node_bits(const struct es__phase_stats *s, uint32_t node)
{
	struct context context = { .key = 0 };
	uint32_t e = s->graph->nodes[node].out;

	for (; e != ES__PHASE_NONE; e = s->graph->edges[e].out)
		context_add(&context, s->graph->edges[e].count, s->symbols + 1);
	return context_bits(&context);
}

/* Adds the bits of a node to all its loops.  One more bit chooses between both
   ways to describe it. */
static void
bits_node(struct es__phase_stats *s, uint32_t node,
    const struct choice *choices, size_t count)
{
	uint32_t loop = s->nest->loop_of[node];
	double bits = node_bits(s, node), known;

	if (count > 0) {
		known = choices_bits(s, choices, count);
		bits = 1 + (known < bits ? known : bits);
	}
	for (; loop != ES__PHASE_NONE; loop = s->nest->loops[loop].parent)
		s->loops[loop].bits_loop += bits;
}

/* Adds the bits of all nodes; the choices are in order. */
static void
bits_nodes(struct es__phase_stats *s, const struct choice *choices,
    size_t count)
{
	size_t first = 0;

	for (uint32_t n = 0; n < s->graph->node_count; n++) {
		size_t last = first;

		while (last < count &&
		    (choices[last].key - 1) / 65536 / ITERATIONS_MAX == n)
			last++;
		if (s->nest->loop_of[n] != ES__PHASE_NONE)
			bits_node(s, n, choices + first, last - first);
		first = last;
	}
}

/* A symbol of a node in a loop. */
struct share {
	uint32_t loop, symbol;
	uint64_t count;
};

static int
share_order(const void *left, const void *right)
{
	const struct share *a = left, *b = right;

	if (a->loop != b->loop)
		return a->loop < b->loop ? -1 : 1;
	return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

/* Sets the bits of a loop whose symbols are given in order. */
static void
bits_shares(struct es__phase_stats *s, const struct share *shares, size_t count)
{
	struct es__phase_measure *m = &s->loops[shares->loop];
	double total = 0, bits = 0;
	size_t different = 0;

	for (size_t n = 0; n < count;) {
		double sum = 0;
		size_t first = n;

		for (; n < count && shares[n].symbol == shares[first].symbol;
		     n++)
			sum += (double)shares[n].count;
		total += sum;
		bits -= sum * log2(sum);
		different++;
	}
	bits += total * log2(total);
	/* One symbol is compared with all of the sequence. */
	m->bits_independent =
	    different > 1 ? bits : total * log2((double)s->symbols);
}

static paths_status
bits_independent(struct es__phase_stats *s)
{
	struct share *shares = NULL;
	size_t count = 0, room = 0, last;

	for (uint32_t n = 0; n < s->graph->node_count; n++)
		for (uint32_t loop = s->nest->loop_of[n];
		     loop != ES__PHASE_NONE; loop = s->nest->loops[loop].parent)
			room++;
	shares = malloc((room + 1) * sizeof(*shares));
	if (shares == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for loops");
	for (uint32_t n = 0; n < s->graph->node_count; n++)
		for (uint32_t loop = s->nest->loop_of[n];
		     loop != ES__PHASE_NONE; loop = s->nest->loops[loop].parent)
			shares[count++] =
			    (struct share){ loop, s->graph->nodes[n].symbol,
				    s->graph->nodes[n].count };
	qsort(shares, count, sizeof(*shares), share_order);
	for (size_t n = 0; n < count; n = last) {
		last = n + 1;
		while (last < count && shares[last].loop == shares[n].loop)
			last++;
		bits_shares(s, shares + n, last - n);
	}
	free(shares);
	return PATHS_OK;
}

static int
symbol_order(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

/* Counts the different symbols of a graph. */
static paths_status
stats_symbols(struct es__phase_stats *s)
{
	uint32_t *symbols =
	    malloc((s->graph->node_count + 1) * sizeof(*symbols));
	size_t count = 0;

	if (symbols == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for loops");
	for (size_t n = 0; n < s->graph->node_count; n++)
		if (s->graph->nodes[n].symbol != ES__PHASE_END)
			symbols[count++] = s->graph->nodes[n].symbol;
	qsort(symbols, count, sizeof(*symbols), symbol_order);
	for (size_t n = 0; n < count; n++)
		s->symbols += n == 0 || symbols[n] != symbols[n - 1];
	free(symbols);
	return PATHS_OK;
}

paths_status
es__phase_stats_open(struct es__phase_stats *stats,
    const struct es__phase_graph *graph, const struct es__phase_nest *nest)
{
	*stats = (struct es__phase_stats){ .to = { stats_begin, stats_leave,
					       stats_step },
		.graph = graph,
		.nest = nest };
	stats->loops = calloc(nest->loop_count + 1, sizeof(*stats->loops));
	if (stats->loops == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for loops");
	return stats_symbols(stats);
}

void
es__phase_stats_close(struct es__phase_stats *stats)
{
	free(stats->loops);
	free(stats->choices.slots);
	stats->loops = NULL;
	stats->choices.slots = NULL;
}

paths_status
es__phase_stats_end(struct es__phase_stats *stats)
{
	struct choice *choices = stats->choices.slots;
	size_t count = 0;

	if (stats->failed)
		return paths_log_fail(PATHS_ENOMEM, "no memory for loops");
	/* The table is not used any more as one. */
	for (size_t n = 0; n < stats->choices.room; n++)
		if (choices[n].key != 0)
			choices[count++] = choices[n];
	if (count > 0)
		qsort(choices, count, sizeof(*choices), choice_order);
	bits_nodes(stats, choices, count);
	return bits_independent(stats);
}
