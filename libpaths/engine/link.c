/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/link.c - links the stages of a path to the list that
 * operations follow
 *
 * The links and their positions are constant.  Only the list, the ups and the
 * counts of ups in the links change, between two operations.
 */

#include "libpaths/engine/link_private.h"

#include "libpaths/engine/program_private.h"

static const struct paths_stage_ops *
link_ops(const struct paths_path *path, const struct paths__link *link)
{
	return path->program->map->items[link->item].ops;
}

void
paths__link_set(struct paths_path *path, uint32_t at, uint32_t item)
{
	struct paths__link *link = &path->links[at];

	link->item = item;
	link->down = link_ops(path, link)->down;
	link->self = paths__program_item_port(path->program, item);
	link->slot = &path->slots[at];
}

/* Adds the up of a link, if it has one. */
static void
link_add_up(struct paths_path *path, struct paths__link *link)
{
	const struct paths_stage_ops *ops = link_ops(path, link);

	link->above = (uint16_t)path->up_count;
	if (ops->up)
		path->ups[path->up_count++] = (struct paths__up){
			.up = ops->up,
			.self = link->self,
			.slot = link->slot,
		};
	link->until = (uint16_t)path->up_count;
}

/* The word of paths without a stage that can rest, and of new paths. */
static const paths_atomic_u32 link_restless;

/* Finds the word of the first stage that can rest. */
static void
link_find_rest(struct paths_path *path)
{
	for (uint32_t i = 0; i < path->link_count; i++) {
		const struct paths__link *link = &path->links[i];

		if (link_ops(path, link)->rests == NULL)
			continue;
		(void)link_ops(path, link)->rests(link->self, &path->rest_word);
		return;
	}
}

/* Returns true when a stage rests until the word of the path changes.  A stage
   with a word of its own is never left out. */
static bool
link_rests(const struct paths_path *path, const struct paths__link *link)
{
	const struct paths_stage_ops *ops = link_ops(path, link);
	const paths_atomic_u32 *word = NULL;

	return ops->rests && ops->rests(link->self, &word) &&
	    word == path->rest_word;
}

void
paths__link_init(struct paths_path *path)
{
	path->rest_word = &link_restless;
	path->rest_seen = 1; /* not the value of the word */
}

void
paths__link_again(struct paths_path *path)
{
	const struct paths__link **to = &path->first;

	link_find_rest(path);
	/* Acquire: pairs with the release of the thread that changed the word
	   after the state of a stage.  Read before the states: a change that
	   follows is seen by the next operation. */
	path->rest_seen =
	    atomic_load_explicit(path->rest_word, memory_order_acquire);
	path->up_count = 0;
	for (uint32_t i = 0; i < path->link_count; i++) {
		struct paths__link *link = &path->links[i];

		if (link_rests(path, link))
			continue;
		link_add_up(path, link);
		*to = link;
		to = &link->next;
	}
}
