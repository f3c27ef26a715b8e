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

static size_t
keys_common(const struct es__phase_key *a, size_t a_count,
    const struct es__phase_key *b, size_t b_count)
{
	size_t common = 0;

	for (size_t n = 0, m = 0; n < a_count && m < b_count;) {
		int order = key_order(&a[n], &b[m]);

		common += order == 0;
		n += order <= 0;
		m += order >= 0;
	}
	return common;
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
		size_t common, least;
		double share;

		if (p->parent != loop->parent || s->taken[n])
			continue;
		common = keys_common(loop->keys, loop->key_count, p->keys,
		    p->key_count);
		least = loop->key_count < p->key_count ? loop->key_count :
							 p->key_count;
		share = (double)common /
		    (double)(loop->key_count + p->key_count - common);
		if (2 * common >= least && share > most) {
			most = share;
			best = n;
		}
	}
	return best;
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

	phase.keys = loop_keys(s, f->loop, &phase.key_count);
	if (phase.keys == NULL)
		return PATHS_NONE;
	same = phase_find(s, &phase);
	if (same != PATHS_NONE) {
		free(phase.keys);
		return same;
	}
	phase.first = s->reader->keys[d->graph.nodes[header].symbol];
	phase.last =
	    s->reader->keys[d->graph.nodes[loop_last(d, f->loop)].symbol];
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
