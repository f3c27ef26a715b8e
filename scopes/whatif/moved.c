/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/moved.c - work that moves between ranks
 *
 * Factors are found for a block of epochs at a time, so that tables by epoch
 * and rank, or by epoch and code, take little memory.
 */

#include "scopes/whatif/moved_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

/* Entries of a table of a block, unless one epoch has more. */
#define MOVED_TABLE ((size_t)1 << 17)

static paths_status
no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
}

/* ---- computations */

paths_status
es__whatif_moved_init(struct es__whatif_moved *moved,
    const struct es__whatif_model *model, const bool *selected)
{
	uint32_t count = model->graph->names.count;
	struct es__graph_names *codes = calloc(1, sizeof(*codes));
	bool memory;

	*moved = (struct es__whatif_moved){ .of = malloc(((size_t)count + 1) *
						sizeof(*moved->of)) };
	memory = codes != NULL && moved->of != NULL;
	for (uint32_t n = 0; memory && n < count; n++) {
		struct es__graph_activity code = {
			.thread =
			    model->ranks[model->graph->names.list[n].thread],
			.site = model->classes->of[n],
		};

		moved->of[n] = PATHS_NONE;
		if (!selected[n])
			continue;
		moved->of[n] = es__graph_names_put(codes, &code);
		memory = moved->of[n] != PATHS_NONE;
	}
	if (memory)
		moved->parts =
		    calloc((size_t)codes->count + 1, sizeof(*moved->parts));
	if (moved->parts != NULL)
		moved->count = codes->count;
	for (uint32_t n = 0; n < moved->count; n++) {
		moved->parts[n].rank = codes->list[n].thread;
		moved->parts[n].class = codes->list[n].site;
	}
	if (codes != NULL)
		es__graph_names_fini(codes);
	free(codes);
	return moved->parts != NULL ? PATHS_OK : no_memory();
}

void
es__whatif_moved_fini(struct es__whatif_moved *moved)
{
	for (uint32_t n = 0; n < moved->count; n++) {
		free(moved->parts[n].list);
		free(moved->parts[n].takes);
	}
	free(moved->parts);
	free(moved->of);
	*moved = (struct es__whatif_moved){ 0 };
}

bool
es__whatif_moved_add(struct es__whatif_moved *moved, uint32_t activity,
    uint32_t epoch, double ns)
{
	struct es__whatif_parts *parts = &moved->parts[moved->of[activity]];

	if (parts->count == 0 || parts->list[parts->count - 1].epoch != epoch) {
		if (!paths__array_grow(&parts->list, parts->count, &parts->room,
			sizeof(*parts->list)))
			return false;
		parts->list[parts->count++] =
		    (struct es__whatif_part){ .epoch = epoch, .factor = 1 };
	}
	parts->list[parts->count - 1].ns += ns;
	parts->list[parts->count - 1].count++;
	parts->ns += ns;
	return true;
}

/* ---- codes that a rank does not have */

/* Finds similar code. */
struct similar {
	const struct es__graph_activity *codes; /* by class */
	uint32_t class_count;
	bool *any; /* of each class: a rank has it */
	/* Parts of the current rank with most time, by site: of code that
	   begins after a call there, and of code that ends before one. */
	uint32_t *after, *before;
	bool *has; /* by class: the current rank has that code */
	size_t sites;
};

static uint32_t
more_time(const struct es__whatif_moved *moved, uint32_t a, uint32_t b)
{
	if (a == PATHS_NONE || b == PATHS_NONE)
		return a == PATHS_NONE ? b : a;
	return moved->parts[b].ns > moved->parts[a].ns ? b : a;
}

/* Returns the entry of a site; NULL: the site is not known. */
static uint32_t *
similar_at(const struct similar *s, uint32_t *of, uint32_t site)
{
	return site < s->sites ? &of[site] : NULL;
}

/* Notes, or forgets, the parts of a rank. */
static void
similar_note(const struct similar *s, const struct es__whatif_moved *moved,
    const uint32_t *order, size_t count, bool forget)
{
	for (size_t n = 0; n < count; n++) {
		uint32_t class = moved->parts[order[n]].class;
		const struct es__graph_activity *code = &s->codes[class];
		uint32_t *ends[] = { similar_at(s, s->after, code->from),
			similar_at(s, s->before, code->site) };

		s->has[class] = !forget;
		for (size_t e = 0; e < 2; e++)
			if (ends[e] != NULL)
				*ends[e] = forget ?
				    PATHS_NONE :
				    more_time(moved, *ends[e], order[n]);
	}
}

/* For each code that a rank does not have, chooses the code in which the rank
   takes its work; false: no memory. */
static bool
similar_rank(const struct similar *s, struct es__whatif_moved *moved,
    const uint32_t *order, size_t count)
{
	bool memory = true;

	similar_note(s, moved, order, count, false);
	for (uint32_t c = 0; memory && c < s->class_count; c++) {
		const struct es__graph_activity *code = &s->codes[c];
		const uint32_t *after = similar_at(s, s->after, code->from);
		const uint32_t *before = similar_at(s, s->before, code->site);
		struct es__whatif_parts *parts;
		uint32_t to;

		if (!s->any[c] || s->has[c])
			continue;
		to = more_time(moved, after == NULL ? PATHS_NONE : *after,
		    before == NULL ? PATHS_NONE : *before);
		if (to == PATHS_NONE)
			continue;
		parts = &moved->parts[to];
		memory = paths__array_grow(&parts->takes, parts->take_count,
		    &parts->take_room, sizeof(*parts->takes));
		if (memory)
			parts->takes[parts->take_count++] = c;
	}
	similar_note(s, moved, order, count, true);
	return memory;
}

/* Lists the parts of each rank, one rank behind the other.  first: of each rank
   and behind the last one */
static void
similar_order(const struct es__whatif_moved *moved, uint32_t ranks,
    size_t *first, uint32_t *order)
{
	for (uint32_t n = 0; n < moved->count; n++)
		first[moved->parts[n].rank + 1]++;
	for (uint32_t r = 0; r < ranks; r++)
		first[r + 1] += first[r];
	/* This moves first[r] to the end of rank r, which is the begin of rank
	   r + 1; so shift them by one. */
	for (uint32_t n = 0; n < moved->count; n++)
		order[first[moved->parts[n].rank]++] = n;
	memmove(&first[1], first, ranks * sizeof(*first));
	first[0] = 0;
}

static bool
similar_alloc(struct similar *s)
{
	for (uint32_t n = 0; n < s->class_count; n++) {
		const uint32_t ends[] = { s->codes[n].from, s->codes[n].site };

		for (size_t e = 0; e < 2; e++)
			if (ends[e] != PATHS_NONE && ends[e] >= s->sites)
				s->sites = (size_t)ends[e] + 1;
	}
	s->any = calloc((size_t)s->class_count + 1, sizeof(*s->any));
	s->has = calloc((size_t)s->class_count + 1, sizeof(*s->has));
	s->after = malloc((s->sites + 1) * sizeof(*s->after));
	s->before = malloc((s->sites + 1) * sizeof(*s->before));
	if (s->any == NULL || s->has == NULL || s->after == NULL ||
	    s->before == NULL)
		return false;
	for (size_t n = 0; n < s->sites; n++)
		s->after[n] = s->before[n] = PATHS_NONE;
	return true;
}

/* Chooses, for all ranks, the code in which they take the work of codes that
   they do not have. */
static paths_status
moved_similar(struct es__whatif_moved *moved,
    const struct es__whatif_model *model)
{
	struct similar s = { .codes = model->classes->names.list,
		.class_count = model->classes->count };
	size_t *first = calloc((size_t)model->rank_room + 2, sizeof(*first));
	uint32_t *order = malloc(((size_t)moved->count + 1) * sizeof(*order));
	bool memory = similar_alloc(&s) && first != NULL && order != NULL;

	for (uint32_t n = 0; memory && n < moved->count; n++)
		s.any[moved->parts[n].class] |= moved->parts[n].count > 0;
	if (memory)
		similar_order(moved, model->rank_room, first, order);
	for (uint32_t r = 0; memory && r < model->rank_room; r++)
		memory = similar_rank(&s, moved, &order[first[r]],
		    first[r + 1] - first[r]);
	free(first);
	free(order);
	free(s.any);
	free(s.has);
	free(s.after);
	free(s.before);
	return memory ? PATHS_OK : no_memory();
}

/* ---- factors */

/* State for a block of epochs. */
struct moving {
	struct es__whatif_moved *moved;
	const struct es__whatif_goals *goals;
	size_t ranks, classes;
	uint32_t first, end; /* epochs */
	/* For each entry of moved->parts: its first part in the block. */
	size_t *from;
	double *excess; /* of each epoch: ns that move */
	/* Ns that move by code; index: epoch * classes + class. */
	double *pool;
	/* Ns that a rank takes in code that it has in the epoch; index: epoch *
	   ranks + rank. */
	double *taken;
};

/* A part, and the sum of its rank before and after the change, in ns. */
struct moving_part {
	const struct es__whatif_parts *parts;
	struct es__whatif_part *part;
	double sum, goal;
	size_t epoch; /* in the block */
};

/* Returns the next part that is in the block; NULL: there is none. */
static struct es__whatif_part *
moving_next(const struct moving *m, uint32_t n, size_t *at,
    struct moving_part *next)
{
	struct es__whatif_parts *parts = &m->moved->parts[n];
	struct es__whatif_part *part;
	size_t of;

	/* Code that never took time has an empty list. */
	if (*at >= parts->count || parts->list[*at].epoch >= m->end)
		return NULL;
	part = &parts->list[*at];
	++*at;
	of = (size_t)part->epoch * m->ranks + parts->rank;
	*next = (struct moving_part){ .parts = parts,
		.part = part,
		.sum = m->goals->sums[of],
		.goal = m->goals->goals[m->goals->share ? parts->rank :
							  part->epoch],
		.epoch = part->epoch - m->first };
	return part;
}

static void
moving_gives(const struct moving *m, const struct moving_part *p)
{
	double ns = p->part->ns * (1 - p->goal / p->sum);

	if (p->goal >= p->sum)
		return;
	p->part->factor = p->goal / p->sum;
	m->excess[p->epoch] += ns;
	m->pool[p->epoch * m->classes + p->parts->class] += ns;
}

/* Returns the ns of work that a rank takes in the code of a part. */
static double
moving_takes(const struct moving *m, const struct moving_part *p)
{
	const double *pool = &m->pool[p->epoch * m->classes];
	double ns = pool[p->parts->class];

	for (size_t n = 0; n < p->parts->take_count; n++)
		ns += pool[p->parts->takes[n]];
	return ns * (p->goal - p->sum) / m->excess[p->epoch];
}

/* Sets the factor and more_ns of a part that takes work.  norm: factor of the
   rank, so that its new sum is the goal */
static void
moving_grow(const struct moving *m, const struct moving_part *p, double norm)
{
	double ns = moving_takes(m, p);
	double scaled = ns < p->part->ns ? ns : p->part->ns;

	p->part->factor = (1 + scaled / p->part->ns) * norm;
	p->part->more_ns = (ns - scaled) / p->part->count * norm;
}

/* Computes factor and more_ns of all parts in a block. */
static void
moving_block(const struct moving *m)
{
	struct moving_part p;
	double *taken;

	for (uint32_t n = 0; n < m->moved->count; n++)
		for (size_t at = m->from[n]; moving_next(m, n, &at, &p);)
			moving_gives(m, &p);
	for (uint32_t n = 0; n < m->moved->count; n++)
		for (size_t at = m->from[n]; moving_next(m, n, &at, &p);)
			if (p.goal > p.sum && m->excess[p.epoch] > 0) {
				taken = &m->taken[p.epoch * m->ranks];
				taken[p.parts->rank] += moving_takes(m, &p);
			}
	for (uint32_t n = 0; n < m->moved->count; n++)
		while (moving_next(m, n, &m->from[n], &p))
			if (p.goal > p.sum && m->excess[p.epoch] > 0) {
				taken = &m->taken[p.epoch * m->ranks];
				moving_grow(m, &p,
				    p.goal / (p.sum + taken[p.parts->rank]));
			}
}

paths_status
es__whatif_moved_find(struct es__whatif_moved *moved,
    const struct es__whatif_model *model, const struct es__whatif_goals *goals)
{
	size_t width = model->rank_room > model->classes->count ?
	    model->rank_room :
	    model->classes->count;
	size_t epochs = MOVED_TABLE / (width + 1) + 1;
	struct moving m = { .moved = moved,
		.goals = goals,
		.ranks = model->rank_room,
		.classes = model->classes->count };
	paths_status st = moved_similar(moved, model);

	if (epochs > goals->epoch_count)
		epochs = goals->epoch_count;
	m.from = calloc((size_t)moved->count + 1, sizeof(*m.from));
	m.excess = calloc(epochs + 1, sizeof(*m.excess));
	m.pool = calloc(epochs * m.classes + 1, sizeof(*m.pool));
	m.taken = calloc(epochs * m.ranks + 1, sizeof(*m.taken));
	if (m.from == NULL || m.excess == NULL || m.pool == NULL ||
	    m.taken == NULL)
		st = no_memory();
	while (st == PATHS_OK && m.first < goals->epoch_count) {
		m.end = m.first + (uint32_t)epochs;
		memset(m.excess, 0, epochs * sizeof(*m.excess));
		memset(m.pool, 0, epochs * m.classes * sizeof(*m.pool));
		memset(m.taken, 0, epochs * m.ranks * sizeof(*m.taken));
		moving_block(&m);
		m.first = m.end;
	}
	free(m.from);
	free(m.excess);
	free(m.pool);
	free(m.taken);
	return st;
}
