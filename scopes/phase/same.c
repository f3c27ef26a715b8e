/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/same.c - finds the loops of different threads that are the same
 * loop of the program
 */

#include "scopes/phase/same_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* The loops of a thread. */
struct same {
	struct es__phases *phases;
	const struct es__phase_detection *detection;
	const struct es__phase_reader *reader;
	uint32_t *phase_of; /* of each loop that was found */
	bool *taken;	    /* phases that a loop of the thread is */
};

static int
key_order(const void *left, const void *right)
{
	return memcmp(left, right, sizeof(struct es__phase_key));
}

/* Returns the operations of a loop, in order, each once; NULL: no memory. */
static struct es__phase_key *
loop_keys(const struct same *s, uint32_t loop, size_t *count)
{
	const struct es__phase_detection *d = s->detection;
	struct es__phase_key *keys =
	    malloc((d->graph.node_count + 1) * sizeof(*keys));
	size_t all = 0;

	*count = 0;
	if (keys == NULL)
		return NULL;
	for (uint32_t n = 0; n < d->graph.node_count; n++) {
		uint32_t of = d->nest.loop_of[n];

		if (of != ES__PHASE_NONE &&
		    es__phase_nest_inside(&d->nest, of, loop))
			keys[all++] = s->reader->keys[d->graph.nodes[n].symbol];
	}
	qsort(keys, all, sizeof(*keys), key_order);
	for (size_t n = 0; n < all; n++)
		if (n == 0 || key_order(&keys[n], &keys[*count - 1]) != 0)
			keys[(*count)++] = keys[n];
	return keys;
}

/* Returns whether an operation is a collective call: threads that make it are
   at the same place of the program. */
static bool
key_meets(const struct es__phase_key *key)
{
	const struct es_mpi_function *function =
	    key->comm == PATHS_NONE ? NULL : es_mpi_function(key->op);

	return function != NULL && function->role >= ES_MPI_ROLE_BARRIER &&
	    function->role <= ES_MPI_ROLE_NEIGHBOR;
}

/* The operations that two lists have in common. */
struct common {
	size_t count;
	bool meets; /* a collective call is among it */
};

static struct common
keys_common(const struct es__phase *a, const struct es__phase *b)
{
	struct common common = { .count = 0 };

	for (size_t n = 0, m = 0; n < a->key_count && m < b->key_count;) {
		int order = key_order(&a->keys[n], &b->keys[m]);

		common.count += order == 0;
		common.meets |= order == 0 && key_meets(&a->keys[n]);
		n += order <= 0;
		m += order >= 0;
	}
	return common;
}

/* Returns whether two loops contain a collective call of the same function on
   the same communicator. */
static bool
keys_meet(const struct es__phase *a, const struct es__phase *b)
{
	for (size_t n = 0; n < a->key_count; n++)
		for (size_t m = 0; m < b->key_count; m++)
			if (key_meets(&a->keys[n]) &&
			    a->keys[n].comm == b->keys[m].comm &&
			    a->keys[n].op == b->keys[m].op)
				return true;
	return false;
}

/* Adds the operations of a loop to those of its phase.  Returns false without
   memory. */
static bool
keys_join(struct es__phase *phase, const struct es__phase *loop)
{
	size_t all = phase->key_count + loop->key_count, count = 0;
	struct es__phase_key *keys = malloc((all + 1) * sizeof(*keys));
	size_t n = 0, m = 0;

	if (keys == NULL)
		return false;
	while (n < phase->key_count || m < loop->key_count) {
		int order = n == phase->key_count ?
		    1 :
		    m == loop->key_count ?
		    -1 :
		    key_order(&phase->keys[n], &loop->keys[m]);

		keys[count++] = order <= 0 ? phase->keys[n] : loop->keys[m];
		n += order <= 0;
		m += order >= 0;
	}
	free(phase->keys);
	phase->keys = keys;
	phase->key_count = count;
	/* The thread with the most operations names the loop. */
	if (loop->key_count > phase->key_most) {
		phase->key_most = loop->key_count;
		phase->first = loop->first;
		phase->last = loop->last;
	}
	return true;
}

/* Returns the last operation of an iteration: the most frequent one that leads
   back to its begin. */
static uint32_t
loop_last(const struct es__phase_detection *d, uint32_t loop)
{
	uint32_t last = d->nest.loops[loop].header;
	uint64_t most = 0;

	for (uint32_t e = 0; e < d->graph.edge_count; e++)
		if (d->nest.back_of[e] == loop &&
		    d->graph.edges[e].count > most) {
			most = d->graph.edges[e].count;
			last = d->graph.edges[e].from;
		}
	return last;
}

/* Returns the phase that a loop is; PATHS_NONE: none. */
static uint32_t
phase_find(const struct same *s, const struct es__phase *loop)
{
	uint32_t best = PATHS_NONE;
	double most = 0;

	for (uint32_t n = 0; n < s->phases->phase_count; n++) {
		const struct es__phase *p = &s->phases->phases[n];
		struct common common;
		size_t least;
		double share;

		if (p->parent != loop->parent || s->taken[n])
			continue;
		common = keys_common(loop, p);
		least = loop->key_count < p->key_count ? loop->key_count :
							 p->key_count;
		share = (double)common.count /
		    (double)(loop->key_count + p->key_count - common.count);
		if ((common.meets || 2 * common.count >= least) &&
		    share > most) {
			most = share;
			best = n;
		}
	}
	return best;
}

/* Returns whether two loops have an operation on an element in common.  Threads
   may use one element together, and others with their neighbours. */
static bool
paths_meet(const struct es__phase *a, const struct es__phase *b)
{
	for (size_t n = 0; n < a->key_count; n++)
		for (size_t m = 0; m < b->key_count; m++)
			if (a->keys[n].comm == PATHS_NONE &&
			    key_order(&a->keys[n], &b->keys[m]) == 0)
				return true;
	return false;
}

/* Returns a phase with as many iterations and the same collective call, from
   other call sites, or the same operation on an element; PATHS_NONE: none. */
static uint32_t
phase_meets(const struct same *s, const struct es__phase *loop)
{
	for (uint32_t n = 0; n < s->phases->phase_count; n++) {
		const struct es__phase *p = &s->phases->phases[n];

		if (p->parent == loop->parent && !s->taken[n] &&
		    p->iterations == loop->iterations &&
		    (keys_meet(loop, p) || paths_meet(loop, p)))
			return n;
	}
	return PATHS_NONE;
}

/* Adds a phase; takes the keys.  Returns PATHS_NONE without memory. */
static uint32_t
phase_add(struct es__phases *phases, const struct es__phase *phase)
{
	if (!paths__array_grow(&phases->phases, phases->phase_count,
		&phases->phase_room, sizeof(*phases->phases))) {
		free(phase->keys);
		return PATHS_NONE;
	}
	phases->phases[phases->phase_count] = *phase;
	return (uint32_t)phases->phase_count++;
}

/* Returns the phase of a loop, which is added if there is none; PATHS_NONE: no
   memory. */
static uint32_t
same_loop(const struct same *s, uint32_t found)
{
	const struct es__phase_detection *d = s->detection;
	const struct es__phase_found *f = &d->found[found];
	struct es__phase phase = { .parent = f->parent == ES__PHASE_NONE ?
		    PATHS_NONE :
		    s->phase_of[f->parent] };
	uint32_t header = d->nest.loops[f->loop].header, same;
	bool joined;

	phase.keys = loop_keys(s, f->loop, &phase.key_count);
	if (phase.keys == NULL)
		return PATHS_NONE;
	phase.key_most = phase.key_count;
	phase.first = s->reader->keys[d->graph.nodes[header].symbol];
	phase.last =
	    s->reader->keys[d->graph.nodes[loop_last(d, f->loop)].symbol];
	phase.iterations = f->iterations;
	same = phase_find(s, &phase);
	if (same == PATHS_NONE)
		same = phase_meets(s, &phase);
	phase.iterations = 0;
	if (same != PATHS_NONE) {
		joined = keys_join(&s->phases->phases[same], &phase);
		free(phase.keys);
		return joined ? same : PATHS_NONE;
	}
	return phase_add(s->phases, &phase);
}

paths_status
es__phase_same(struct es__phases *phases,
    const struct es__phase_detection *detection,
    const struct es__phase_reader *reader, uint32_t *phase_of)
{
	struct same s = { phases, detection, reader, phase_of, NULL };
	paths_status st;

	s.taken = calloc(phases->phase_count + detection->count + 1,
	    sizeof(*s.taken));
	st = s.taken == NULL ? PATHS_ENOMEM : PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < detection->count; n++) {
		uint32_t loop = detection->found[n].loop;

		phase_of[n] = same_loop(&s, n);
		if (phase_of[n] == PATHS_NONE) {
			st = PATHS_ENOMEM;
			break;
		}
		s.taken[phase_of[n]] = true;
		phases->phases[phase_of[n]].threads++;
		phases->phases[phase_of[n]].events +=
		    detection->nest.loops[loop].events;
	}
	free(s.taken);
	return st == PATHS_OK ? st : paths_log_fail(st, "no memory for phases");
}
