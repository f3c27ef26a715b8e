/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/chain.c - turns chains of a path map into items and instances
 *
 * The items of a chain are consecutive.  The stages after a buffer, and the
 * second chain of a tee, become chains of their own, which are numbered after
 * the chain that they are part of.  So do the chains of a merge.
 */

#include "libpaths/map/chain_private.h"

#include "libpaths/map/declare_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/item_private.h"
#include "libpaths/map/name_private.h"
#include "libpaths/map/option_private.h"
#include "libpaths/map/split_private.h"
#include "libpaths/map/stage_private.h"
#include "libpaths/map/unknown_private.h"

#include <string.h>

/* A chain while its items are added. */
struct making {
	const struct paths__map_line *line;
	struct paths__words words;
	uint32_t next; /* index of the next word */
	uint32_t chain;
	uint32_t process; /* of the next item */
	uint32_t depth;
	bool ended; /* no item may follow */
};

static struct paths_map_item *
chain_last(struct paths__map *m)
{
	return &m->map.items[m->map.item_count - 1];
}

static paths_status
chain_add_item(struct paths__map *m, const struct making *making)
{
	struct paths_map_item *item;

	if (m->map.item_count == PATHS__MAP_ITEMS_MAX)
		return paths__error_syntax(m, making->line->number,
		    making->words.word[making->next],
		    "expected at most %u stages on all chains",
		    PATHS__MAP_ITEMS_MAX);
	return paths__item_add(m, making->chain, making->process,
	    making->line->number, &item);
}

static paths_status
chain_options(struct paths__map *m, const struct making *making,
    const struct paths__words *words, struct paths_map_item *item)
{
	const struct paths__given given = { making->line->number,
		words->word[0], { words->count - 1, words->word + 1 } };
	const struct paths_option *const options[2] = { item->ops->options,
		NULL };
	struct paths_map_value *values[2];
	paths_status st = paths__option_read(m, &given, options, values);

	item->values = values[0];
	return st;
}

/* Enters an element or a shared stage, which must be in the process that the
   chain has reached. */
static paths_status
chain_enter(struct paths__map *m, struct making *making,
    struct paths_map_item *item)
{
	struct paths_map_instance *to = &m->map.instances[item->instance];
	const struct paths_map_process *processes = m->map.processes;

	making->ended = true;
	if (to->item == PATHS_NONE)
		to->item = (uint32_t)(item - m->map.items);
	if (to->process == making->process)
		return PATHS_OK;
	return paths__error_syntax(m, item->line, to->name,
	    "expected {proxy %s} before it: it is in process %s, the chain in "
	    "%s",
	    processes[to->process].name, processes[to->process].name,
	    processes[making->process].name);
}

/* Reads {element NAME}. */
static paths_status
chain_element(struct paths__map *m, struct making *making,
    const struct paths__words *words)
{
	struct paths_map_item *item = chain_last(m);
	const struct paths__name *found;
	const char *name;
	paths_status st;

	item->ops = paths__stage_get_element();
	st = chain_options(m, making, words, item);
	if (st != PATHS_OK)
		return st;
	name = paths_map_option(item, "name")->text;
	found = paths__name_find(m, PATHS__MAP_ELEMENT, 0, name);
	if (found == NULL)
		return paths__error_syntax(m, item->line, name,
		    "expected the name of an element");
	item->instance = m->map.elements[found->index].instance;
	return chain_enter(m, making, item);
}

/* Reads {STAGE}. */
static paths_status
chain_stage(struct paths__map *m, struct making *making, uint32_t stage,
    const struct paths__words *words)
{
	struct paths_map_item *item = chain_last(m);
	const struct paths__map_line *line = m->by[PATHS__MAP_STAGE][stage];

	if (words->count > 1)
		return paths__error_syntax(m, item->line, words->word[1],
		    "expected no more words: %s has its options in line %u",
		    words->word[0], line->number);
	item->ops = line->ops;
	item->values = line->own;
	item->instance = m->map.element_count + stage;
	return chain_enter(m, making, item);
}

/* Returns true when a process has an endpoint over TCP.  Without one it gets
   port 0, for which the launcher chooses a port. */
static bool
chain_listens(struct paths_map_process *process)
{
	for (uint32_t n = 0; n < process->listen_count; n++) {
		if (process->listen[n].via == PATHS_MAP_VIA_TCP)
			return true;
	}
	if (process->listen_count == PATHS_MAP_LISTEN_MAX)
		return false;
	process->listen[process->listen_count++] =
	    (struct paths_map_listen){ .via = PATHS_MAP_VIA_TCP };
	return true;
}

/* Chooses and checks the kind of connection of a proxy. */
static paths_status
chain_via(struct paths__map *m, struct paths_map_item *item)
{
	const struct paths_map_process *from = &m->map.processes[item->process];
	struct paths_map_process *to = &m->map.processes[item->target];

	if (item->via == PATHS_MAP_VIA_AUTO)
		item->via = from->host == to->host ? PATHS_MAP_VIA_SHM :
						     PATHS_MAP_VIA_TCP;
	if (item->via == PATHS_MAP_VIA_TCP && !chain_listens(to))
		return paths__error_syntax(m, item->line, to->name,
		    "expected a process with an endpoint tcp:, or with "
		    "fewer than %d others",
		    PATHS_MAP_LISTEN_MAX);
	if (item->via != PATHS_MAP_VIA_TCP && from->host != to->host)
		return paths__error_syntax(m, item->line, to->name,
		    "expected a process of host %s, as %s is: it is on %s",
		    m->map.hosts[from->host].name, from->name,
		    m->map.hosts[to->host].name);
	return PATHS_OK;
}

/* Reads {proxy PROCESS ?-via KIND?}. */
static paths_status
chain_proxy(struct paths__map *m, struct making *making,
    struct paths_map_item *item)
{
	const struct paths_map_value *via = paths_map_option(item, "-via");
	const char *process = paths_map_option(item, "process")->text;
	const struct paths__name *found =
	    paths__name_find(m, PATHS__MAP_PROCESS, 0, process);

	if (found == NULL)
		return paths__error_syntax(m, item->line, process,
		    "expected the name of a process");
	if (found->index == item->process)
		return paths__error_syntax(m, item->line, process,
		    "expected another process: the chain is in this one");
	item->target = found->index;
	item->via = (enum paths_map_via)via->number;
	making->process = found->index;
	return chain_via(m, item);
}

/* Reports an unknown kind; for a collector, also the plugin that has it. */
static paths_status
chain_unknown(const struct paths__map *m, uint32_t line, const char *kind)
{
	if (strcmp(kind, "collector") == 0)
		return paths__error_syntax(m, line, kind,
		    "expected the line \"plugin libcollectors.so.0\" in the "
		    "map, which brings this kind of stage");
	return paths__error_syntax(m, line, kind,
	    "expected a stage of the map or a kind of stage");
}

/* Finds the kind of a stage that only this chain has. */
static paths_status
chain_kind(struct paths__map *m, struct paths_map_item *item, const char *kind)
{
	paths_status st = PATHS_OK;

	item->ops = paths_stage_find(kind);
	if (item->ops == NULL)
		st = paths__unknown_stage(m, item->line, kind, 0, &item->ops);
	if (st != PATHS_OK)
		return st;
	if (item->ops == NULL)
		return chain_unknown(m, item->line, kind);
	if ((item->ops->flags & PATHS_STAGE_JOIN) != 0)
		return paths__error_syntax(m, item->line, kind,
		    "expected a stage line with a name for it");
	return PATHS_OK;
}

/* Reads {KIND ?options?}. */
static paths_status
chain_own(struct paths__map *m, struct making *making,
    const struct paths__words *words)
{
	struct paths_map_item *item = chain_last(m);
	struct paths_map_instance instance = {
		.process = item->process,
		.element = PATHS_NONE,
		.item = m->map.item_count - 1,
		.tail = PATHS_NONE,
		.inputs = 1,
	};
	paths_status st = chain_kind(m, item, words->word[0]);

	if (st == PATHS_OK && !paths__unknown_is_bare(item->ops))
		st = chain_options(m, making, words, item);
	if (st != PATHS_OK)
		return st;
	instance.ops = item->ops;
	instance.name = paths__item_name(m, item);
	item->instance = m->map.instance_count;
	making->ended = (item->ops->flags & PATHS_STAGE_END) != 0;
	if (instance.name == NULL)
		return paths__error_nomem(m);
	if (item->ops == paths__stage_get_proxy())
		st = chain_proxy(m, making, item);
	return st == PATHS_OK ? paths__item_add_instance(m, &instance) : st;
}

/* Reads the next word of a chain. */
static paths_status
chain_item(struct paths__map *m, struct making *making)
{
	const char *word = making->words.word[making->next];
	const struct paths__name *stage;
	struct paths__words words;
	paths_status st =
	    paths__split_list(m, making->line->number, word, &words);

	if (st != PATHS_OK)
		return st;
	if (words.count == 0)
		return paths__error_syntax(m, making->line->number, "{}",
		    "expected a stage");
	if (making->ended)
		return paths__error_syntax(m, making->line->number, word,
		    "expected nothing after the end of the chain");
	st = chain_add_item(m, making);
	making->next++;
	if (st != PATHS_OK)
		return st;
	if (strcmp(words.word[0], "element") == 0)
		return chain_element(m, making, &words);
	stage = paths__name_find(m, PATHS__MAP_STAGE, 0, words.word[0]);
	if (stage != NULL)
		return chain_stage(m, making, stage->index, &words);
	return chain_own(m, making, &words);
}

static paths_status chain_make(struct paths__map *m, struct making *making,
    uint32_t path, uint32_t stage);

/* Makes a chain of an item that is the value of an option. */
static paths_status
chain_side(struct paths__map *m, const struct making *above,
    const struct paths_map_item *item, struct paths_map_value *value)
{
	struct making making = {
		.line = above->line,
		.process = item->process,
		.depth = above->depth + 1,
	};
	paths_status st;

	value->number = m->map.chain_count;
	st = paths__split_list(m, item->line, value->text, &making.words);
	if (st != PATHS_OK)
		return st;
	return chain_make(m, &making, PATHS_NONE, item->instance);
}

/* Makes the chains of an item, if its kind has some. */
static paths_status
chain_sides(struct paths__map *m, const struct making *above, uint32_t n)
{
	/* A copy, because the array of items grows. */
	const struct paths_map_item item = m->map.items[n];
	const struct paths_option *o = item.ops->options;
	paths_status st = PATHS_OK;
	bool found = false;

	if ((item.ops->flags & PATHS_STAGE_SIDE) == 0)
		return PATHS_OK;
	for (uint32_t i = 0; st == PATHS_OK && o != NULL && o[i].name != NULL;
	     i++) {
		if (o[i].kind != PATHS_OPTION_CHAIN ||
		    item.values[i].text == NULL)
			continue;
		found = true;
		st = chain_side(m, above, &item, &item.values[i]);
	}
	if (st == PATHS_OK && !found)
		return paths__error_syntax(m, item.line, item.ops->name,
		    "expected a second chain");
	return st;
}

/* Makes the chain after a stage such as a buffer. */
static paths_status
chain_behind(struct paths__map *m, const struct making *above, uint32_t n)
{
	struct making making = {
		.line = above->line,
		.words = above->words,
		.next = above->next,
		.process = above->process,
		.depth = above->depth + 1,
	};

	if ((m->map.items[n].ops->flags & PATHS_STAGE_BEHIND) == 0)
		return PATHS_OK;
	return chain_make(m, &making, PATHS_NONE, m->map.items[n].instance);
}

static paths_status
chain_items(struct paths__map *m, struct making *making)
{
	const uint32_t line = making->line->number;
	uint32_t flags = 0;

	while (making->next < making->words.count &&
	    (flags & PATHS_STAGE_BEHIND) == 0) {
		paths_status st = chain_item(m, making);

		if (st != PATHS_OK)
			return st;
		flags = chain_last(m)->ops->flags;
	}
	/* An unknown kind may be one that ends a chain. */
	if (making->ended || making->next < making->words.count ||
	    (flags & PATHS_STAGE_UNKNOWN) != 0)
		return PATHS_OK;
	if (m->map.chains[making->chain].count == 0)
		return paths__error_syntax(m, line, "{}",
		    "expected a chain with an end");
	return paths__error_syntax(m, line, chain_last(m)->ops->name,
	    "expected an element, a shared stage or another end after it");
}

/* Adds a chain and then the chains that are part of it. */
static paths_status
chain_make(struct paths__map *m, struct making *making, uint32_t path,
    uint32_t stage)
{
	uint32_t first = m->map.item_count;
	uint32_t end;
	paths_status st;

	if (making->depth > PATHS__MAP_DEPTH_MAX)
		return paths__error_syntax(m, making->line->number,
		    m->map.instances[stage].ops->name,
		    "expected at most %d chains inside one another",
		    PATHS__MAP_DEPTH_MAX);
	making->chain = m->map.chain_count;
	st = paths__item_add_chain(m, path, stage, making->process);
	if (st == PATHS_OK)
		st = chain_items(m, making);
	end = m->map.item_count;
	for (uint32_t n = first; st == PATHS_OK && n < end; n++)
		st = chain_sides(m, making, n);
	return st == PATHS_OK ? chain_behind(m, making, end - 1) : st;
}

/* Makes the chain of a path line, or of -next of a stage line. */
static paths_status
chain_line(struct paths__map *m, const struct paths__map_line *line)
{
	struct making making = { .line = line };
	uint32_t path = PATHS_NONE;
	uint32_t stage = PATHS_NONE;
	struct paths_map_value *value;
	paths_status st;

	if (line->kind == PATHS__MAP_PATH) {
		path = line->index;
		making.process =
		    m->map.threads[m->map.paths[path].thread].process;
		m->map.paths[path].chain = m->map.chain_count;
		value = &line->values[PATHS__PATH_CHAIN];
	} else {
		stage = m->map.element_count + line->index;
		making.process = line->process;
		value = &line->values[PATHS__STAGE_NEXT];
	}
	value->number = m->map.chain_count;
	st = paths__split_list(m, line->number, value->text, &making.words);
	if (st != PATHS_OK)
		return st;
	return chain_make(m, &making, path, stage);
}

/* Adds the instances of all elements and shared stages, also of those that no
   chain enters. */
static paths_status
chain_shared(struct paths__map *m)
{
	struct paths_map_instance instance = { .item = PATHS_NONE,
		.tail = PATHS_NONE };
	paths_status st = PATHS_OK;

	instance.ops = paths__stage_get_element();
	for (uint32_t n = 0; st == PATHS_OK && n < m->map.element_count; n++) {
		instance.name = m->map.elements[n].name;
		instance.process = m->map.elements[n].process;
		instance.element = n;
		st = paths__item_add_instance(m, &instance);
	}
	instance.element = PATHS_NONE;
	for (uint32_t n = 0; st == PATHS_OK && n < m->counts[PATHS__MAP_STAGE];
	     n++) {
		const struct paths__map_line *line = m->by[PATHS__MAP_STAGE][n];

		instance.ops = line->ops;
		instance.name = line->values[PATHS__STAGE_NAME].text;
		instance.process = line->process;
		st = paths__item_add_instance(m, &instance);
	}
	return st;
}

paths_status
paths__chain_make_all(struct paths__map *m)
{
	paths_status st = chain_shared(m);

	for (uint32_t n = 0; st == PATHS_OK && n < m->line_count; n++) {
		const struct paths__map_line *line = &m->lines[n];

		if (line->kind == PATHS__MAP_PATH ||
		    line->kind == PATHS__MAP_STAGE)
			st = chain_line(m, line);
	}
	return st;
}
