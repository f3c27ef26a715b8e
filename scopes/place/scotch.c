/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/scotch.c - placement by Scotch
 *
 * Scotch maps graphs with whole numbers on trees with whole numbers.  It has
 * random numbers and parsers of its own that all threads share.
 *
 * Source	Pellegrini: Scotch and libScotch 7.0 user's guide
 */

#include "scopes/place/scotch_private.h"

#include "libpaths/log.h"

#ifdef ES_SCOTCH

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The header of Scotch uses FILE. */
#ifdef ES_SCOTCH_FOLDER
#include <scotch/scotch.h>
#else
#include <scotch.h>
#endif

/* The sum of all loads times the largest distance stays below this. */
#define SCOTCH_SUM 1e9
/* Distances that are not whole numbers become parts of this one. */
#define SCOTCH_DISTANCE 1000.0
/* The scale of smaller distances would not be finite. */
#define SCOTCH_LEAST 1e-300
/* A machine that is not symmetric is part of one with at most this many. */
#define SCOTCH_PADDED (1u << 18)

#if SCOTCH_VERSION >= 7
/* The graph for one thread: several ones coarsen a large graph in an order that
   is not the same in each call. */
struct scotch_alone {
	SCOTCH_Context context;
	SCOTCH_Graph graph;
	bool open;
};

/* Returns the graph to map; NULL: it cannot be had. */
static SCOTCH_Graph *
scotch_alone_open(struct scotch_alone *alone, SCOTCH_Graph *graph)
{
	if (SCOTCH_contextInit(&alone->context) != 0)
		return NULL;
	alone->open = true;
	SCOTCH_graphInit(&alone->graph);
	return SCOTCH_contextOptionSetNum(&alone->context,
		   SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
		SCOTCH_contextThreadSpawn(&alone->context, 1, NULL) == 0 &&
		SCOTCH_contextBindGraph(&alone->context, graph,
		    &alone->graph) == 0 ?
	    &alone->graph :
	    NULL;
}

static void
scotch_alone_close(struct scotch_alone *alone)
{
	if (!alone->open)
		return;
	SCOTCH_graphExit(&alone->graph);
	SCOTCH_contextExit(&alone->context);
}
#else
struct scotch_alone {
	bool unused;
};

/* Before version 7, Scotch has one thread. */
static SCOTCH_Graph *
scotch_alone_open(struct scotch_alone *alone, SCOTCH_Graph *graph)
{
	(void)alone;
	return graph;
}

static void
scotch_alone_close(struct scotch_alone *alone)
{
	(void)alone;
}
#endif

struct scotch {
	const struct es_machine *m;
	const struct es_traffic *t;
	SCOTCH_Graph graph;
	struct scotch_alone alone;
	SCOTCH_Arch whole, part; /* part: the slots of the machine in whole */
	SCOTCH_Strat strategy;
	SCOTCH_Num *row, *partner, *load, *leaf, *mapped;
	SCOTCH_Num arity[ES_MACHINE_LEVELS + 1], link[ES_MACHINE_LEVELS + 1];
	SCOTCH_Num levels; /* of arity and link, without those of one child */
	SCOTCH_Num padded; /* leaves of whole */
};

/* Scotch keeps states that threads share. */
static pthread_mutex_t scotch_turn = PTHREAD_MUTEX_INITIALIZER;

/* Tells if all distances are small whole numbers. */
static bool
scotch_whole(const struct es_machine *m)
{
	for (uint32_t n = 0; n <= m->level_count; n++)
		if (m->distance[n] != floor(m->distance[n]) ||
		    m->distance[n] > SCOTCH_DISTANCE)
			return false;
	return true;
}

/* Sets the costs of links, whose sums from the bottom are the distances.  On
   levels with one child no slots differ; they are left out, because Scotch
   divides by zero on them.  Returns the largest distance. */
static double
scotch_links(struct scotch *s)
{
	const struct es_machine *m = s->m;
	double scale = scotch_whole(m) ? 1 : SCOTCH_DISTANCE / m->distance[0];
	double largest = 0;

	for (uint32_t n = 0; n <= m->level_count; n++) {
		double distance = floor(m->distance[n] * scale + 0.5);

		if (s->arity[n] == 1)
			continue;
		if (s->levels == 0)
			largest = distance;
		else
			s->link[s->levels - 1] -= (SCOTCH_Num)distance;
		s->arity[s->levels] = s->arity[n];
		s->link[s->levels++] = (SCOTCH_Num)distance;
	}
	return largest;
}

/* Finds the smallest symmetric tree that has the machine, and the leaf of each
   place in it. */
static paths_status
scotch_leaves(struct scotch *s)
{
	const struct es_machine *m = s->m;
	double padded = 1;

	for (uint32_t level = 0; level <= m->level_count; level++) {
		SCOTCH_Num arity = 1;

		for (uint32_t at = 0; at < m->slot_count; at++) {
			SCOTCH_Num child =
			    (SCOTCH_Num)es__machine_child(m, level, at);

			if (child >= arity)
				arity = child + 1;
		}
		s->arity[level] = arity;
		padded *= (double)arity;
		if (padded > SCOTCH_PADDED)
			return PATHS_ENOENT;
	}
	s->padded = (SCOTCH_Num)padded;
	for (uint32_t at = 0; at < m->slot_count; at++)
		for (uint32_t level = 0; level <= m->level_count; level++)
			s->leaf[at] = s->leaf[at] * s->arity[level] +
			    (SCOTCH_Num)es__machine_child(m, level, at);
	return PATHS_OK;
}

static paths_status
scotch_allocate(struct scotch *s)
{
	size_t count = s->t->count, entries = s->t->row[count];

	if (entries >= INT32_MAX)
		return PATHS_ENOENT;
	s->row = calloc(count + 1, sizeof(*s->row));
	s->partner = calloc(entries + 1, sizeof(*s->partner));
	s->load = calloc(entries + 1, sizeof(*s->load));
	s->leaf = calloc(s->m->slot_count, sizeof(*s->leaf));
	s->mapped = calloc(count, sizeof(*s->mapped));
	if (s->row == NULL || s->partner == NULL || s->load == NULL ||
	    s->leaf == NULL || s->mapped == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for Scotch");
	return PATHS_OK;
}

/* Makes the graph, with loads that cannot overflow. */
static paths_status
scotch_graph(struct scotch *s, double distance)
{
	const struct es_traffic *t = s->t;
	double sum = 0, scale = 1;

	for (uint32_t p = 0; p < t->count; p++)
		sum += t->sum[p];
	if (sum * distance > SCOTCH_SUM || sum * distance < SCOTCH_SUM / 1e6)
		scale = SCOTCH_SUM / (sum * distance);
	if (!isfinite(scale))
		return PATHS_ENOENT;
	for (uint32_t p = 0; p <= t->count; p++)
		s->row[p] = (SCOTCH_Num)t->row[p];
	for (size_t n = 0; n < t->row[t->count]; n++) {
		s->partner[n] = (SCOTCH_Num)t->partner[n];
		s->load[n] = (SCOTCH_Num)(t->weight[n] * scale + 0.5);
		if (s->load[n] < 1)
			s->load[n] = 1;
	}
	return SCOTCH_graphBuild(&s->graph, 0, (SCOTCH_Num)t->count, s->row,
		   NULL, NULL, NULL, (SCOTCH_Num)t->row[t->count], s->partner,
		   s->load) == 0 ?
	    PATHS_OK :
	    PATHS_ENOENT;
}

static bool
scotch_strategy(struct scotch *s, enum es__scotch_strategy strategy)
{
	static const SCOTCH_Num flags[] = {
		[ES__SCOTCH_QUALITY] = SCOTCH_STRATQUALITY,
		[ES__SCOTCH_RECURSIVE] =
		    SCOTCH_STRATRECURSIVE | SCOTCH_STRATQUALITY,
		[ES__SCOTCH_PLAIN] = SCOTCH_STRATDEFAULT,
	};

	if (strategy == ES__SCOTCH_DEFAULT)
		return true;
	return SCOTCH_stratGraphMapBuild(&s->strategy, flags[strategy],
		   (SCOTCH_Num)s->m->slot_count, 0.01) == 0;
}

/* Makes the architecture; only a symmetric machine is one of its own. */
static SCOTCH_Arch *
scotch_arch(struct scotch *s)
{
	if (SCOTCH_archTleaf(&s->whole, s->levels, s->arity, s->link) != 0)
		return NULL;
	if (s->padded == (SCOTCH_Num)s->m->slot_count)
		return &s->whole;
	if (SCOTCH_archSub(&s->part, &s->whole, (SCOTCH_Num)s->m->slot_count,
		s->leaf) != 0)
		return NULL;
	return &s->part;
}

static paths_status
scotch_map(struct scotch *s, uint32_t seed, uint32_t *places)
{
	SCOTCH_Arch *arch = scotch_arch(s);
	SCOTCH_Graph *graph = scotch_alone_open(&s->alone, &s->graph);

	if (arch == NULL || graph == NULL)
		return PATHS_ENOENT;
	SCOTCH_randomSeed((SCOTCH_Num)(seed & INT32_MAX));
	SCOTCH_randomReset();
	if (SCOTCH_graphMap(graph, arch, &s->strategy, s->mapped) != 0)
		return PATHS_ENOENT;
	for (uint32_t p = 0; p < s->t->count; p++) {
		if (s->mapped[p] < 0 ||
		    s->mapped[p] >= (SCOTCH_Num)s->m->slot_count)
			return PATHS_ENOENT;
		places[p] = (uint32_t)s->mapped[p];
	}
	return PATHS_OK;
}

static void
scotch_fini(struct scotch *s)
{
	SCOTCH_stratExit(&s->strategy);
	scotch_alone_close(&s->alone);
	SCOTCH_graphExit(&s->graph);
	SCOTCH_archExit(&s->part);
	SCOTCH_archExit(&s->whole);
	free(s->row);
	free(s->partner);
	free(s->load);
	free(s->leaf);
	free(s->mapped);
}

static paths_status
scotch_run(const struct es_machine *m, const struct es_traffic *t,
    enum es__scotch_strategy strategy, uint32_t seed, uint32_t *places)
{
	struct scotch s = { .m = m, .t = t };
	paths_status st;

	SCOTCH_graphInit(&s.graph);
	SCOTCH_archInit(&s.whole);
	SCOTCH_archInit(&s.part);
	SCOTCH_stratInit(&s.strategy);
	st = scotch_allocate(&s);
	if (st == PATHS_OK)
		st = scotch_leaves(&s);
	if (st == PATHS_OK)
		st = scotch_graph(&s, scotch_links(&s));
	if (st == PATHS_OK && !scotch_strategy(&s, strategy))
		st = PATHS_ENOENT;
	if (st == PATHS_OK)
		st = scotch_map(&s, seed, places);
	scotch_fini(&s);
	return st;
}

paths_status
es__scotch(const struct es_machine *m, const struct es_traffic *t,
    enum es__scotch_strategy strategy, uint32_t seed, uint32_t *places)
{
	paths_status st;

	/* Another variant of the library may have numbers of another size. */
	if (SCOTCH_numSizeof() != sizeof(SCOTCH_Num) || t->count < 2 ||
	    t->row[t->count] == 0 || m->distance[0] < SCOTCH_LEAST)
		return PATHS_ENOENT;
	pthread_mutex_lock(&scotch_turn);
	st = scotch_run(m, t, strategy, seed, places);
	pthread_mutex_unlock(&scotch_turn);
	return st;
}

#else

paths_status
es__scotch(const struct es_machine *m, const struct es_traffic *t,
    enum es__scotch_strategy strategy, uint32_t seed, uint32_t *places)
{
	(void)m;
	(void)t;
	(void)strategy;
	(void)seed;
	(void)places;
	return PATHS_ENOENT;
}

#endif
