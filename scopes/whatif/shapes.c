/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/shapes.c - reads the joins of another path map
 *
 * The time of a stage of the new map is estimated from the run: it is the mean
 * of the stages with the same kind and options and, if the stage is shared, the
 * same name; if there are none, of those with the same kind and options; if
 * there are none, of those with the same kind.  For a proxy, only proxies
 * between the same two hosts count, in either direction; all proxies inside a
 * host are alike.
 */

#include "scopes/whatif/shapes_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

/* Time at an instance of a stage in the run, sums of all operations, and the
   number of operations that passed it. */
struct shape_cost {
	double down_ns, up_ns, passes;
};

struct shape_work {
	const struct es__whatif_run *run;
	const struct paths_map *map; /* of the run */
	struct shape_cost *costs;    /* of each instance of the run */
	double *ops;		     /* of each path of the run */
	/* The replay that measures: of each activity, the operation of its
	   thread in which it had a part; of each thread, its operation. */
	uint64_t *parts, *numbers;
	const char *file;
};

/* State while the shape of a map is made. */
struct shape_maker {
	const struct shape_work *work;
	const struct paths_map *map;
	struct es__whatif_shape *shape;
	uint32_t *nodes; /* of each instance: join of the shape; PATHS_NONE */
};

static paths_status
shape_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a shape");
}

/* ---- what stages take */

/* Adds the time of a part of an operation.  The first part at a stage is the
   way down, later parts are the way up. */
static void
shape_watch(void *to, const struct es__whatif_event *event)
{
	struct shape_work *w = to;
	const struct es__graph_activity *a =
	    &w->run->model.graph->names.list[event->activity];
	struct shape_cost *cost;

	if (a->function == 0) {
		if (!event->part) {
			w->numbers[event->thread]++;
			w->ops[a->site]++;
		}
		return;
	}
	cost = &w->costs[a->site - w->map->path_count];
	if (w->parts[event->activity] == w->numbers[event->thread])
		cost->up_ns += event->own_ns;
	else
		cost->down_ns += event->own_ns;
	w->parts[event->activity] = w->numbers[event->thread];
}

/* Is called for each item of a path down to the element.  Returns false to
   stop. */
typedef bool shape_visit(void *to, const struct paths_map_item *item);

static void
shape_walk(const struct paths_map *map, uint32_t path, shape_visit *visit,
    void *to)
{
	uint32_t chain = map->paths[path].chain;

	while (chain != PATHS_NONE) {
		const struct paths_map_chain *c = &map->chains[chain];

		chain = PATHS_NONE;
		for (uint32_t n = 0; n < c->count; n++) {
			const struct paths_map_item *item =
			    &map->items[c->first + n];

			if (!visit(to, item))
				return;
			if (item->ops->flags & PATHS_STAGE_JOIN)
				chain = map->instances[item->instance].tail;
		}
	}
}

struct shape_pass {
	struct shape_work *work;
	uint32_t path;
};

static bool
shape_passes(void *to, const struct paths_map_item *item)
{
	struct shape_pass *p = to;

	p->work->costs[item->instance].passes += p->work->ops[p->path];
	return true;
}

static paths_status
shape_measure(struct shape_work *w)
{
	struct es__whatif_setting setting =
	    es__whatif_unchanged(&w->run->model);
	const struct es__graph *g = w->run->model.graph;
	struct es__whatif_times times;
	paths_status st;

	w->costs =
	    calloc((size_t)w->map->instance_count + 1, sizeof(*w->costs));
	w->ops = calloc((size_t)w->map->path_count + 1, sizeof(*w->ops));
	w->parts = calloc((size_t)g->names.count + 1, sizeof(*w->parts));
	w->numbers = calloc((size_t)g->thread_count + 1, sizeof(*w->numbers));
	if (w->costs == NULL || w->ops == NULL || w->parts == NULL ||
	    w->numbers == NULL)
		return shape_no_memory();
	setting.watch = shape_watch;
	setting.to = w;
	st = es__whatif_pass(&w->run->model, &setting, &times);
	if (st != PATHS_OK)
		return st;
	free(times.end_ns);
	for (uint32_t n = 0; n < w->map->path_count; n++)
		shape_walk(w->map, n, shape_passes,
		    &(struct shape_pass){ w, n });
	return PATHS_OK;
}

/* ---- stages that are alike */

static bool
shape_is_collector(const struct paths_map_item *item)
{
	return strcmp(item->ops->name, "collector") == 0;
}

static bool
shape_same_kind(const struct paths_map_item *a, const struct paths_map_item *b)
{
	return strcmp(a->ops->name, b->ops->name) == 0;
}

/* Returns whether two items of the same kind have the same options. */
static bool
shape_same_options(const struct paths_map_item *a,
    const struct paths_map_item *b)
{
	const struct paths_option *option = a->ops->options;

	if (a->via != b->via)
		return false;
	if (a->ops != b->ops || a->values == NULL || b->values == NULL)
		return true;
	for (size_t n = 0; option != NULL && option[n].name != NULL; n++) {
		const char *x = a->values[n].text, *y = b->values[n].text;

		if (option[n].kind != PATHS_OPTION_CHAIN &&
		    ((x == NULL) != (y == NULL) ||
			(x != NULL && strcmp(x, y) != 0)))
			return false;
	}
	return true;
}

/* Returns the name of the host of a process. */
static const char *
shape_host(const struct paths_map *map, uint32_t process)
{
	return map->hosts[map->processes[process].host].name;
}

/* Returns whether two proxies are between the same hosts, in either direction,
   or both inside a host. */
static bool
shape_same_hosts(const struct paths_map *a, const struct paths_map_item *x,
    const struct paths_map *b, const struct paths_map_item *y)
{
	const char *from = shape_host(a, x->process),
		   *to = shape_host(a, x->target),
		   *begin = shape_host(b, y->process),
		   *end = shape_host(b, y->target);

	if (strcmp(from, to) == 0 || strcmp(begin, end) == 0)
		return strcmp(from, to) == 0 && strcmp(begin, end) == 0;
	return (strcmp(from, begin) == 0 && strcmp(to, end) == 0) ||
	    (strcmp(from, end) == 0 && strcmp(to, begin) == 0);
}

/* Returns how similar an instance of the run is to an item of a map, from 0 to
   3. */
static unsigned
shape_alike(const struct shape_maker *m, const struct paths_map_item *item,
    uint32_t instance)
{
	const struct paths_map *map = m->work->map;
	const struct paths_map_instance *i = &map->instances[instance];

	if (i->item == PATHS_NONE || m->work->costs[instance].passes <= 0 ||
	    !shape_same_kind(item, &map->items[i->item]))
		return 0;
	if (item->target != PATHS_NONE &&
	    !shape_same_hosts(m->map, item, map, &map->items[i->item]))
		return 0;
	if (!shape_same_options(item, &map->items[i->item]))
		return 1;
	return strcmp(i->name, m->map->instances[item->instance].name) == 0 ?
	    3 :
	    2;
}

/* Estimates the time of an item; false: not known. */
static bool
shape_cost(const struct shape_maker *m, const struct paths_map_item *item,
    struct shape_cost *cost)
{
	unsigned best = 1;

	*cost = (struct shape_cost){ 0 };
	for (uint32_t n = 0; n < m->work->map->instance_count; n++) {
		const struct shape_cost *of = &m->work->costs[n];
		unsigned alike = shape_alike(m, item, n);

		if (alike < best)
			continue;
		if (alike > best)
			*cost = (struct shape_cost){ 0 };
		best = alike;
		cost->down_ns += of->down_ns;
		cost->up_ns += of->up_ns;
		cost->passes += of->passes;
	}
	if (cost->passes <= 0)
		return false;
	cost->down_ns /= cost->passes;
	cost->up_ns /= cost->passes;
	return true;
}

/* ---- a shape */

/* State while a path is followed downward. */
struct shape_path {
	struct shape_maker *maker;
	struct es__whatif_shape_node *node; /* the last one */
	bool joins;
	paths_status st;
};

static paths_status
shape_unknown(const struct shape_maker *m, const struct paths_map_item *item)
{
	if (item->target != PATHS_NONE)
		return paths_log_fail(PATHS_EINVAL,
		    "map=%s: %s: the run has no stage of the kind %s between "
		    "the hosts %s and %s, so its time is not known",
		    m->work->file, m->map->instances[item->instance].name,
		    item->ops->name, shape_host(m->map, item->process),
		    shape_host(m->map, item->target));
	return paths_log_fail(PATHS_EINVAL,
	    "map=%s: %s: the run has no stage of the kind %s, so its time is "
	    "not known",
	    m->work->file, m->map->instances[item->instance].name,
	    item->ops->name);
}

/* Adds an item to the way from the last thread or join. */
static bool
shape_item(void *to, const struct paths_map_item *item)
{
	struct shape_path *p = to;
	struct shape_maker *m = p->maker;
	struct shape_cost cost;
	bool joins = (item->ops->flags & PATHS_STAGE_JOIN) != 0, old;
	uint32_t *number = &m->nodes[item->instance];

	if (shape_is_collector(item))
		return true;
	if (!shape_cost(m, item, &cost))
		p->st = shape_unknown(m, item);
	else if (item->ops->flags & (PATHS_STAGE_BEHIND | PATHS_STAGE_SIDE))
		p->st = paths_log_fail(PATHS_EINVAL,
		    "map=%s: %s: another tree with a stage of the kind %s "
		    "cannot be replayed",
		    m->work->file, m->map->instances[item->instance].name,
		    item->ops->name);
	if (p->st != PATHS_OK)
		return false;
	if (joins) {
		p->joins = true;
		old = *number != PATHS_NONE;
		if (!old)
			*number = m->shape->join_count++;
		p->node->next = *number;
		p->node = &m->shape->joins[*number];
		if (old)
			return false;
		p->node->next = PATHS_NONE;
	}
	p->node->down_ns += cost.down_ns;
	p->node->up_ns += cost.up_ns;
	return true;
}

/* Sorts the joins so that a join comes before the joins below it.  They were
   numbered as paths were followed, so a path may lead to a join with a smaller
   number. */
static paths_status
shape_sort(struct es__whatif_shape *shape, uint32_t members)
{
	uint32_t count = shape->join_count, used = 0;
	uint32_t *depths = calloc((size_t)count + 1, sizeof(*depths));
	uint32_t *places = calloc((size_t)count + 1, sizeof(*places));
	struct es__whatif_shape_node *sorted =
	    calloc((size_t)count + 1, sizeof(*sorted));
	bool done = depths != NULL && places != NULL && sorted != NULL;

	for (uint32_t n = 0; done && n < count; n++)
		for (uint32_t at = n; at != PATHS_NONE;
		     at = shape->joins[at].next)
			depths[n]++;
	for (uint32_t depth = count; done && depth > 0; depth--)
		for (uint32_t n = 0; n < count; n++)
			if (depths[n] == depth) {
				sorted[used] = shape->joins[n];
				places[n] = used++;
			}
	for (uint32_t n = 0; done && n < count; n++) {
		shape->joins[n] = sorted[n];
		if (sorted[n].next != PATHS_NONE)
			shape->joins[n].next = places[sorted[n].next];
	}
	for (uint32_t n = 0; done && n < members; n++)
		if (shape->members[n].next != PATHS_NONE)
			shape->members[n].next = places[shape->members[n].next];
	free(depths);
	free(places);
	free(sorted);
	return done ? PATHS_OK : shape_no_memory();
}

/* Makes the shape of paths of a map. */
static paths_status
shape_make(const struct shape_work *w, const struct paths_map *map,
    const uint32_t *paths, uint32_t count, struct es__whatif_shape *shape)
{
	struct shape_maker m = { w, map, shape,
		malloc(((size_t)map->instance_count + 1) * sizeof(uint32_t)) };
	paths_status st = PATHS_OK;

	shape->through = 0;
	shape->members = calloc((size_t)count + 1, sizeof(*shape->members));
	shape->joins =
	    calloc((size_t)map->instance_count + 1, sizeof(*shape->joins));
	if (m.nodes == NULL || shape->members == NULL || shape->joins == NULL)
		st = shape_no_memory();
	for (uint32_t n = 0; st == PATHS_OK && n < map->instance_count; n++)
		m.nodes[n] = PATHS_NONE;
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		struct shape_path p = { .maker = &m,
			.node = &shape->members[n] };

		p.node->next = PATHS_NONE;
		shape_walk(map, paths[n], shape_item, &p);
		st = p.st;
		shape->through += p.joins;
	}
	free(m.nodes);
	return st == PATHS_OK ? shape_sort(shape, count) : st;
}

static void
shape_free(struct es__whatif_shape *shape)
{
	free(shape->members);
	free(shape->joins);
}

/* ---- elements */

/* Returns the path of another map with the same thread and element: of several,
   that with the same number; PATHS_NONE: there is none. */
static uint32_t
shapes_path(const struct paths_map *old, uint32_t path,
    const struct paths_map *new)
{
	const struct paths_map_path *of = &old->paths[path];
	uint32_t before = 0;

	for (uint32_t n = 0; n < path; n++)
		before += old->paths[n].thread == of->thread &&
		    strcmp(old->paths[n].element_name, of->element_name) == 0;
	for (uint32_t n = 0; n < new->path_count; n++)
		if (strcmp(new->threads[new->paths[n].thread].name,
			old->threads[of->thread].name) == 0 &&
		    strcmp(new->paths[n].element_name, of->element_name) == 0 &&
		    before-- == 0)
			return n;
	return PATHS_NONE;
}

/* The stages of a path, without collectors. */
struct shape_kinds {
	const struct paths_map_item *items[64];
	size_t count;
	bool joins;
};

static bool
shape_kind(void *to, const struct paths_map_item *item)
{
	struct shape_kinds *k = to;

	k->joins |= (item->ops->flags & PATHS_STAGE_JOIN) != 0;
	if (!shape_is_collector(item) && k->count < 64)
		k->items[k->count++] = item;
	return true;
}

/* Compares two paths.  Returns whether one of them passes a join.  If none
   does, sets *different. */
static bool
shapes_join(const struct paths_map *old, uint32_t path,
    const struct paths_map *new, uint32_t other, bool *different)
{
	struct shape_kinds a = { .count = 0 }, b = { .count = 0 };

	shape_walk(old, path, shape_kind, &a);
	shape_walk(new, other, shape_kind, &b);
	*different = a.count != b.count;
	for (size_t n = 0; !*different && n < a.count; n++)
		*different = !shape_same_kind(a.items[n], b.items[n]) ||
		    !shape_same_options(a.items[n], b.items[n]);
	return a.joins || b.joins;
}

/* Collects the joined paths to an element, beginning with one of them, and
   makes their shapes. */
static paths_status
shapes_take(const struct shape_work *w, const struct paths_map *new,
    uint32_t first, struct es__whatif_shapes *shapes)
{
	struct es__whatif_joined *j = &shapes->list[shapes->count];
	const struct paths_map *old = w->map;
	uint32_t *paths =
		     calloc(2 * ((size_t)old->path_count + 1), sizeof(*paths)),
		 *others;
	paths_status st = paths == NULL ? shape_no_memory() : PATHS_OK;

	j->element = old->paths[first].element_name;
	others = paths == NULL ? NULL : paths + old->path_count;
	for (uint32_t n = first; st == PATHS_OK && n < old->path_count; n++) {
		bool different;
		uint32_t other;

		if (strcmp(old->paths[n].element_name, j->element) != 0)
			continue;
		other = shapes_path(old, n, new);
		if (!shapes_join(old, n, new, other, &different))
			continue;
		shapes->joined[n] = shapes->count;
		shapes->members[n] = j->member_count;
		paths[j->member_count] = n;
		others[j->member_count++] = other;
	}
	shapes->count++;
	if (st == PATHS_OK)
		st = shape_make(w, old, paths, j->member_count, &j->old);
	if (st == PATHS_OK)
		st = shape_make(w, new, others, j->member_count, &j->new);
	free(paths);
	if (st == PATHS_OK &&
	    (j->old.through != j->member_count ||
		j->new.through != j->member_count))
		return paths_log_fail(PATHS_EINVAL,
		    "map=%s: some paths to %s pass no join", w->file,
		    j->element);
	j->moments = calloc(2 *
		((size_t)(j->old.join_count > j->new.join_count ?
			 j->old.join_count :
			 j->new.join_count) +
		    1),
	    sizeof(*j->moments));
	return st != PATHS_OK || j->moments != NULL ? st : shape_no_memory();
}

/* Checks that another map has the paths of the run. */
static paths_status
shapes_have(const struct shape_work *w, const struct paths_map *new)
{
	const struct paths_map *old = w->map;

	for (uint32_t n = 0; n < old->path_count; n++)
		if (shapes_path(old, n, new) == PATHS_NONE)
			return paths_log_fail(PATHS_EINVAL,
			    "map=%s: thread %s has no path to %s", w->file,
			    old->threads[old->paths[n].thread].name,
			    old->paths[n].element_name);
	return PATHS_OK;
}

/* Makes the shapes of all elements whose operations are joined. */
static paths_status
shapes_make(const struct shape_work *w, const struct paths_map *new,
    struct es__whatif_shapes *shapes)
{
	const struct paths_map *old = w->map;
	paths_status st = shapes_have(w, new);

	for (uint32_t n = 0; st == PATHS_OK && n < old->path_count; n++) {
		uint32_t other = shapes_path(old, n, new);
		bool different;

		if (shapes_join(old, n, new, other, &different)) {
			if (shapes->joined[n] == PATHS_NONE)
				st = shapes_take(w, new, n, shapes);
		} else if (different) {
			return paths_log_fail(PATHS_EINVAL,
			    "map=%s: the path of %s to %s differs and passes "
			    "no join; only trees of joins can be replaced",
			    w->file, old->threads[old->paths[n].thread].name,
			    old->paths[n].element_name);
		}
	}
	return st;
}

static paths_status
shapes_alloc(const struct paths_map *map, struct es__whatif_shapes **shapes)
{
	struct es__whatif_shapes *s = calloc(1, sizeof(*s));
	size_t paths = (size_t)map->path_count + 1;

	*shapes = s;
	if (s == NULL)
		return shape_no_memory();
	s->path_count = map->path_count;
	s->list = calloc(paths, sizeof(*s->list));
	s->joined = malloc(paths * sizeof(*s->joined));
	s->members = calloc(paths, sizeof(*s->members));
	if (s->list == NULL || s->joined == NULL || s->members == NULL)
		return shape_no_memory();
	for (size_t n = 0; n < paths; n++)
		s->joined[n] = PATHS_NONE;
	return PATHS_OK;
}

paths_status
es__whatif_shapes_read(const struct es__whatif_run *run, const char *file,
    struct es__whatif_shapes **shapes)
{
	const struct paths_map_reader reader = { .plugins = NULL };
	struct shape_work w = { .run = run, .file = file };
	struct paths_map *new = NULL;
	paths_status st;

	*shapes = NULL;
	if (!run->paths)
		return paths_log_fail(PATHS_EINVAL,
		    "map=%s: is for paths; an MPI run has no path map", file);
	w.map = run->analysis->map;
	/* The n-th operation of each thread is the same joined operation, so
	   none may be missing. */
	for (uint32_t n = 0; n < run->analysis->run->collector_count; n++)
		if (run->analysis->run->collectors[n].discarded > 0)
			return paths_log_fail(PATHS_EINVAL,
			    "map=%s: the run has discarded tuples, so it is "
			    "not known which operations were joined first",
			    file);
	st = paths_map_read(file, &reader, &new);
	if (st != PATHS_OK)
		return st == PATHS_ENOMEM ? st : PATHS_EINVAL;
	st = shapes_alloc(w.map, shapes);
	if (st == PATHS_OK)
		st = shape_measure(&w);
	if (st == PATHS_OK)
		st = shapes_make(&w, new, *shapes);
	paths_map_close(new);
	free(w.costs);
	free(w.ops);
	free(w.parts);
	free(w.numbers);
	return st;
}

void
es__whatif_shapes_free(struct es__whatif_shapes *s)
{
	if (s == NULL)
		return;
	for (uint32_t n = 0; s->list != NULL && n < s->count; n++) {
		shape_free(&s->list[n].old);
		shape_free(&s->list[n].new);
		free(s->list[n].moments);
	}
	free(s->list);
	free(s->joined);
	free(s->members);
	free(s);
}
