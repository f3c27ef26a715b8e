/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_paths.c - the waits of operations on paths, in
 * order
 *
 * A work item is a block of operations of a tree.  The operations of a path are
 * in order of time, so the log of a path is too.
 */

#include "scopes/views/run/timeline_paths_private.h"

#include "scopes/path/waits_work_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/operation.h"
#include "scopes/waits_at.h"

#include <stdlib.h>

/* A wait of an operation on a path. */
struct wait {
	struct es_timeline_span span;
	uint32_t path;
};

/* A block of operations of a tree, and its waits until they are logged. */
struct piece {
	uint32_t tree;
	uint64_t block;
	struct wait *waits;
	size_t count, room;
};

struct finder {
	const struct es_analysis *a;
	struct es__timeline_paths *paths;
	struct es__waits_plan *plans; /* of each tree */
	uint32_t plan_count;
	struct piece *pieces;
	size_t piece_count, piece_room;
};

/* Returns the pattern of a wait of an operation above a stage. */
static uint32_t
wait_pattern(const struct es__segment *segment, uint32_t op)
{
	if (segment->join != PATHS_NONE)
		return ES__TIMELINE_JOIN;
	return op == PATHS_READ ? ES__TIMELINE_READ : ES__TIMELINE_WRITE;
}

const char *
es__timeline_pattern_name(uint32_t pattern)
{
	switch (pattern) {
	case ES__TIMELINE_JOIN:
		return ES_WAITS_JOIN;
	case ES__TIMELINE_READ:
		return ES_WAITS_READ;
	case ES__TIMELINE_WRITE:
		return ES_WAITS_WRITE;
	default:
		return es__wait_pattern_name(pattern);
	}
}

/* Adds the waits of the current operation on a path. */
static paths_status
piece_add(struct piece *piece, const struct es_analysis *a,
    const struct es__waits_plan *plan, const struct waits_worker *w,
    const struct es__track *track)
{
	const struct es__waits_moment *moments = es__waits_work_moments(w);
	uint32_t c = track->head;
	uint32_t op =
	    es__waits_work_lanes(w)[a->graph.segments[c].slot].tuple->op;

	for (; c != PATHS_NONE; c = a->graph.segments[c].below) {
		const struct es__segment *s = &a->graph.segments[c];
		const struct es__waits_moment *m = &moments[s->slot];

		if (m->wait_ns <= 0)
			continue;
		if (!paths__array_grow(&piece->waits, piece->count,
			&piece->room, sizeof(*piece->waits)))
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for waits");
		piece->waits[piece->count++] = (struct wait){
			{ m->start_ns, m->start_ns + m->wait_ns,
			    es_operation_group(ES_OPERATION_PATH, op),
			    wait_pattern(s, op),
			    es__waits_plan_thread(plan, a, m->culprit) },
			track->path
		};
	}
	return PATHS_OK;
}

static paths_status
finder_work(void *context, size_t item, void *result)
{
	struct finder *f = context;
	struct piece *piece = &f->pieces[item];
	const struct es__waits_plan *plan = &f->plans[piece->tree];
	const struct es__list *tracks = &plan->tree->tracks;
	struct es__range range = plan->blocks > 1 ?
	    es__range_block(plan->range, piece->block) :
	    plan->range;
	struct waits_worker *w = NULL;
	paths_status st = es__waits_work_open(plan, f->a, range, &w);

	(void)result;
	while (st == PATHS_OK && es__waits_work_next(w, NULL))
		for (uint32_t n = 0; st == PATHS_OK && n < tracks->count; n++) {
			const struct es__track *track =
			    &f->a->graph.tracks[tracks->ids[n]];

			if (track->head != PATHS_NONE)
				st = piece_add(piece, f->a, plan, w, track);
		}
	es__waits_work_close(w);
	return st;
}

static paths_status
finder_done(void *context, size_t item, void *result)
{
	struct finder *f = context;
	struct piece *piece = &f->pieces[item];
	paths_status st = PATHS_OK;

	(void)result;
	for (size_t n = 0; st == PATHS_OK && n < piece->count; n++)
		st = es__wait_log_add(&f->paths->logs[piece->waits[n].path],
		    &piece->waits[n].span);
	free(piece->waits);
	piece->waits = NULL;
	return st;
}

/* Returns tuples of one of the paths of the tree, by turns. */
static const void *
finder_reads(const void *context, size_t item)
{
	const struct finder *f = context;
	const struct es__list *tracks =
	    &f->plans[f->pieces[item].tree].tree->tracks;
	uint32_t head =
	    f->a->graph.tracks[tracks->ids[item % tracks->count]].head;

	return head == PATHS_NONE ?
	    NULL :
	    es__work_tuples(&f->a->run->collectors[head]);
}

static void
finder_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct piece *piece =
	    &((const struct finder *)context)->pieces[item];

	es__pack_put_array(pack, piece->waits, piece->count,
	    sizeof(*piece->waits));
}

static void
finder_unpack(void *context, size_t item, struct es__pack *pack)
{
	struct piece *piece = &((struct finder *)context)->pieces[item];

	free(piece->waits);
	piece->waits =
	    es__pack_get_array(pack, &piece->count, sizeof(*piece->waits));
}

/* Cuts the trees in which operations may wait into pieces. */
static paths_status
finder_plan(struct finder *f)
{
	const struct es__stage_graph *graph = &f->a->graph;
	paths_status st = PATHS_OK;

	f->plans = calloc(graph->tree_count + 1, sizeof(*f->plans));
	if (f->plans == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	for (uint32_t t = 0; st == PATHS_OK && t < graph->tree_count; t++) {
		struct es__waits_plan *plan = &f->plans[f->plan_count++];

		st = es__waits_plan_init(plan, f->a, &graph->trees[t],
		    (struct es__steps){ 0 });
		for (uint64_t block = 0;
		     st == PATHS_OK && plan->blame_rows > 0 &&
		     plan->tree->tracks.count > 0 && block < plan->blocks;
		     block++) {
			if (!paths__array_grow(&f->pieces, f->piece_count,
				&f->piece_room, sizeof(*f->pieces)))
				return paths_log_fail(PATHS_ENOMEM,
				    "no memory for waits");
			f->pieces[f->piece_count++] =
			    (struct piece){ .tree = t, .block = block };
		}
	}
	return st;
}

static void
finder_fini(struct finder *f)
{
	for (uint32_t n = 0; n < f->plan_count; n++)
		es__waits_plan_fini(&f->plans[n]);
	for (size_t n = 0; n < f->piece_count; n++)
		free(f->pieces[n].waits);
	free(f->plans);
	free(f->pieces);
}

paths_status
es__timeline_paths_open(struct es__timeline_paths *paths,
    const struct es_analysis *a)
{
	struct finder f = { .a = a, .paths = paths };
	struct es__work work = { .context = &f,
		.work = finder_work,
		.done = finder_done,
		.reads = finder_reads,
		.pack = finder_pack,
		.unpack = finder_unpack };
	paths_status st;

	es__wait_file_open(&paths->file, a->scratch);
	paths->count = a->map->path_count;
	paths->logs = calloc((size_t)paths->count + 1, sizeof(*paths->logs));
	if (paths->logs == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	for (uint32_t n = 0; n < paths->count; n++)
		paths->logs[n].file = &paths->file;
	st = finder_plan(&f);
	work.count = f.piece_count;
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	finder_fini(&f);
	return st;
}

void
es__timeline_paths_close(struct es__timeline_paths *paths)
{
	es__wait_file_close(&paths->file);
	for (uint32_t n = 0; paths->logs != NULL && n < paths->count; n++)
		es__wait_log_close(&paths->logs[n]);
	free(paths->logs);
}
