/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/detect.c - finds the loops of one sequence of symbols
 *
 * Tries graphs of a higher order when a graph has places that it cannot
 * explain.  The higher order must then explain most of the sequence.
 */

#include "scopes/phase/detect_private.h"
#include "scopes/phase/turn_private.h"

#include "libpaths/log.h"

#include <math.h>

#define SYMBOLS 4096u

/* A loop has at least as many iterations, and calls. */
#define ITERATIONS_MIN 3u
#define CALLS_MIN 20u
/* Random sequences pass with a probability below 2^-40. */
#define BITS_MIN 40.0
/* Smallest share of bits that a loop saves. */
#define SAVED_MIN 0.1
/* A loop is irregular if the lengths of its iterations vary as those between
   two occurrences of a symbol in a random sequence, and by much, and some have
   nothing but the symbol. */
#define VARIED_MIN 0.5
#define RANDOM_MIN 0.6
#define LENGTHS_MIN 10u
#define SKIPPED_MIN 0.01
/* The iterations of a sampled loop are at least so many, and so even. */
#define SAMPLED_MIN 5.0
#define SAMPLED_SPREAD 0.1
/* A higher order must leave at most this share of bits. */
#define ORDER_BITS_MAX 0.5
/* Symbols by which that is decided before all are read. */
#define TRY_SYMBOLS (UINT64_C(1) << 18)

/* Reads a sequence, at most about `most` symbols of it, into a graph. */
static paths_status
detect_graph(struct es__phase_source *source, uint64_t most,
    struct es__phase_graph *graph)
{
	uint32_t symbols[SYMBOLS];
	paths_status st = PATHS_OK;
	size_t count;

	source->rewind(source);
	while (st == PATHS_OK && !graph->full && graph->events < most &&
	    (count = source->read(source, symbols, SYMBOLS)) > 0)
		st = es__phase_graph_add(graph, symbols, count);
	return st == PATHS_OK ? es__phase_graph_end(graph) : st;
}

paths_status
es__phase_follow(struct es__phase_source *source,
    struct es__phase_detection *detection, struct es__phase_to *to)
{
	uint32_t symbols[SYMBOLS];
	struct es__phase_walk walk;
	paths_status st =
	    es__phase_walk_open(&walk, &detection->graph, &detection->nest, to);
	size_t count;

	source->rewind(source);
	while (st == PATHS_OK &&
	    (count = source->read(source, symbols, SYMBOLS)) > 0)
		st = es__phase_walk_add(&walk, symbols, count);
	if (st == PATHS_OK)
		st = es__phase_walk_end(&walk);
	es__phase_walk_close(&walk);
	return st;
}

/* Returns the bits that describe a sequence, if the next symbol is predicted
   from the node alone. */
static double
graph_bits(const struct es__phase_graph *graph)
{
	double bits = 0;

	for (size_t n = 0; n < graph->node_count; n++)
		if (graph->nodes[n].count > 0)
			bits += (double)graph->nodes[n].count *
			    log2((double)graph->nodes[n].count);
	for (size_t n = 0; n < graph->edge_count; n++)
		bits -= (double)graph->edges[n].count *
		    log2((double)graph->edges[n].count);
	return bits;
}

static double
variance(double count, double sum, double squares)
{
	return squares / count - sum / count * (sum / count);
}

/* Returns whether a loop has an inner loop with most of its events, which some
   iterations do not enter. */
static bool
loop_skips(const struct es__phase_stats *s, uint32_t loop)
{
	const struct es__phase_loop *l = &s->nest->loops[loop];
	double entered =
	    (1 - SKIPPED_MIN) * (double)(s->loops[loop].iterations - 1);

	for (uint32_t n = loop + 1; n < s->nest->loop_count; n++)
		if (s->nest->loops[n].parent == loop &&
		    s->nest->loops[n].events * 2 > l->events)
			return (double)s->loops[n].instances < entered;
	return false;
}

/* Returns whether the iterations of a loop are as long as the distances between
   two occurrences of a symbol in a random sequence. */
static bool
loop_random(const struct es__phase_stats *s, uint32_t loop)
{
	const struct es__phase_measure *m = &s->loops[loop];
	double mean, above;

	if (m->lengths < LENGTHS_MIN || !loop_skips(s, loop))
		return false;
	mean = m->length_sum / (double)m->lengths;
	above = mean - (double)m->length_min;
	return above >= VARIED_MIN * mean &&
	    variance((double)m->lengths, m->length_sum, m->length_squares) >=
	    RANDOM_MIN * above * (above + 1);
}

static bool
loop_accepted(const struct es__phase_stats *s, uint32_t loop,
    uint64_t iterations)
{
	const struct es__phase_loop *l = &s->nest->loops[loop];
	const struct es__phase_measure *m = &s->loops[loop];
	double saved = m->bits_independent - m->bits_loop;

	if (l->irregular || iterations < ITERATIONS_MIN ||
	    l->events < CALLS_MIN || loop_random(s, loop))
		return false;
	/* A sequence of one symbol has nothing to compare with. */
	if (s->symbols == 1)
		return true;
	return saved >= BITS_MIN && saved >= SAVED_MIN * m->bits_independent;
}

/* Returns whether each instance of a loop has the same number of even
   iterations, and a loop around it adds few calls. */
static bool
loop_sampled(const struct es__phase_stats *s, uint32_t loop, double calls,
    double around)
{
	const struct es__phase_measure *m = &s->loops[loop];
	double count, spread = SAMPLED_SPREAD * calls;

	if (m->counts < 2 || m->lengths < 2)
		return false;
	count = m->count_sum / (double)m->counts;
	return count >= SAMPLED_MIN &&
	    variance((double)m->counts, m->count_sum, m->count_squares) <
	    1e-6 * count * count &&
	    variance((double)m->lengths, m->length_sum, m->length_squares) <=
	    spread * spread &&
	    around - count * calls <= calls / 2;
}

static double
loop_calls(const struct es__phase_stats *s, uint32_t loop, uint64_t iterations)
{
	const struct es__phase_measure *m = &s->loops[loop];

	if (m->lengths > 0)
		return m->length_sum / (double)m->lengths;
	return (double)s->nest->loops[loop].events / (double)iterations;
}

/* Lists the loops that are accepted, outer ones first. */
static paths_status
detect_found(struct es__phase_detection *d, const struct es__phase_stats *s)
{
	d->found = calloc(d->nest.loop_count + 1, sizeof(*d->found));
	d->found_of = malloc((d->nest.loop_count + 1) * sizeof(*d->found_of));
	if (d->found == NULL || d->found_of == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for loops");
	for (uint32_t n = 0; n < d->nest.loop_count; n++) {
		struct es__phase_found *f = &d->found[d->count];
		uint32_t up = d->nest.loops[n].parent;
		uint64_t iterations = s->loops[n].iterations;

		d->found_of[n] = ES__PHASE_NONE;
		if (!loop_accepted(s, n, iterations))
			continue;
		while (
		    up != ES__PHASE_NONE && d->found_of[up] == ES__PHASE_NONE)
			up = d->nest.loops[up].parent;
		f->loop = n;
		f->parent = up == ES__PHASE_NONE ? up : d->found_of[up];
		f->iterations = iterations;
		f->instances = s->loops[n].instances;
		f->calls = loop_calls(s, n, iterations);
		f->sampled = f->parent != ES__PHASE_NONE &&
		    loop_sampled(s, n, f->calls, d->found[f->parent].calls);
		d->found_of[n] = d->count++;
	}
	return PATHS_OK;
}

/* Measures the loops of a detection, and rejects those that mean nothing.
   `again`: the loops were changed by what was measured. */
static paths_status
detect_measure(struct es__phase_source *source, struct es__phase_detection *d,
    bool *again)
{
	struct es__phase_stats stats = { .symbols = 0 };
	paths_status st = es__phase_stats_open(&stats, &d->graph, &d->nest);

	if (st == PATHS_OK)
		st = es__phase_follow(source, d, &stats.to);
	*again = st == PATHS_OK && es__phase_turn(&d->nest, &stats);
	if (*again)
		st = es__phase_nest_again(&d->nest);
	else if (st == PATHS_OK &&
	    (st = es__phase_stats_end(&stats)) == PATHS_OK)
		st = detect_found(d, &stats);
	es__phase_stats_close(&stats);
	return st;
}

/* Returns the events in outermost loops that were found. */
static uint64_t
detect_covered(const struct es__phase_detection *d)
{
	uint64_t covered = 0;

	for (uint32_t n = 0; n < d->count; n++)
		if (d->found[n].parent == ES__PHASE_NONE)
			covered += d->nest.loops[d->found[n].loop].events;
	return covered;
}

static paths_status
detect_order(struct es__phase_source *source, unsigned order,
    struct es__phase_detection *d)
{
	paths_status st = es__phase_graph_open(&d->graph, order);
	bool again = true;

	if (st == PATHS_OK)
		st = detect_graph(source, UINT64_MAX, &d->graph);
	if (st != PATHS_OK || d->graph.full)
		return st;
	d->events = d->graph.events - order;
	st = es__phase_nest_make(&d->nest, &d->graph);
	/* Each change is of another header, so this ends. */
	while (st == PATHS_OK && again)
		st = detect_measure(source, d, &again);
	return st;
}

void
es__phase_detect_close(struct es__phase_detection *detection)
{
	es__phase_nest_close(&detection->nest);
	es__phase_graph_close(&detection->graph);
	free(detection->found);
	free(detection->found_of);
	*detection = (struct es__phase_detection){ .count = 0 };
}

/* Returns whether the loops of a detection need no better explanation. */
static bool
detect_clear(const struct es__phase_detection *d)
{
	return !d->nest.unclear && 2 * detect_covered(d) >= d->events;
}

/* Returns whether a graph of a higher order explains much of the begin of a
   sequence, which a symbol takes so many bits of with order 1. */
static paths_status
detect_try(struct es__phase_source *source, unsigned order, double bits,
    bool *better)
{
	struct es__phase_graph graph;
	paths_status st = es__phase_graph_open(&graph, order);

	if (st == PATHS_OK)
		st = detect_graph(source, TRY_SYMBOLS, &graph);
	*better = st == PATHS_OK && !graph.full &&
	    graph_bits(&graph) <= ORDER_BITS_MAX * bits * (double)graph.events;
	es__phase_graph_close(&graph);
	return st;
}

/* Finds the loops with a higher order.  Keeps those that were found if they are
   no better. */
static paths_status
detect_higher(struct es__phase_source *source, unsigned order,
    struct es__phase_detection *detection, bool *better)
{
	double bits = graph_bits(&detection->graph);
	struct es__phase_detection next = { .count = 0 };
	paths_status st = detect_try(source, order,
	    bits / (double)detection->graph.events, better);

	if (st != PATHS_OK || !*better)
		return st;
	st = detect_order(source, order, &next);
	*better = st == PATHS_OK && !next.graph.full &&
	    graph_bits(&next.graph) <= ORDER_BITS_MAX * bits &&
	    detect_clear(&next);
	if (!*better) {
		es__phase_detect_close(&next);
		return st;
	}
	es__phase_detect_close(detection);
	*detection = next;
	/* The nest refers to the graph that was copied. */
	detection->nest.graph = &detection->graph;
	return PATHS_OK;
}

paths_status
es__phase_detect(struct es__phase_source *source,
    struct es__phase_detection *detection)
{
	static const unsigned orders[] = { 2, 3, 4, 6, 8 };
	bool better = false;
	paths_status st;

	*detection = (struct es__phase_detection){ .count = 0 };
	st = detect_order(source, 1, detection);
	if (st != PATHS_OK || detection->graph.full || detect_clear(detection))
		return st;
	for (size_t n = 0; st == PATHS_OK && !better &&
	     n < sizeof(orders) / sizeof(orders[0]);
	     n++)
		st = detect_higher(source, orders[n], detection, &better);
	return st;
}

/* Returns the loop of the largest number of events in a loop, or of all. */
static uint32_t
steps_inner(const struct es__phase_detection *d, uint32_t parent)
{
	uint32_t best = ES__PHASE_NONE;

	for (uint32_t n = 0; n < d->count; n++)
		if (d->found[n].parent == parent &&
		    (best == ES__PHASE_NONE ||
			d->nest.loops[d->found[n].loop].events >
			    d->nest.loops[d->found[best].loop].events))
			best = n;
	return best;
}

uint32_t
es__phase_steps(const struct es__phase_detection *detection)
{
	uint32_t steps = steps_inner(detection, ES__PHASE_NONE), inner;

	while (steps != ES__PHASE_NONE) {
		const struct es__phase_found *f = &detection->found[steps];

		inner = steps_inner(detection, steps);
		if (inner == ES__PHASE_NONE)
			break;
		/* A program that repeats its whole work a few times, or adds a
		   call to every tenth step. */
		if (!detection->found[inner].sampled &&
		    (f->iterations >= 10 ||
			detection->nest.loops[detection->found[inner].loop]
				    .events *
				10 <
			    detection->nest.loops[f->loop].events * 8))
			break;
		steps = inner;
	}
	return steps;
}
