/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/build.c - adds hosts, processes, threads, elements and paths
 * to a map that has no text
 *
 * Arrays double in the arena of the map.  The space of the smaller arrays stays
 * there unused; it is less than that of the last one.
 */

#include "libpaths/map_build.h"

#include "libpaths/base/type_private.h"
#include "libpaths/log.h"
#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/item_private.h"
#include "libpaths/map/name_private.h"
#include "libpaths/map/option_private.h"
#include "libpaths/map/stage_private.h"

#include <stdlib.h>
#include <string.h>

/* The first room of an array, which then doubles. */
#define BUILD_ROOM_FIRST 16u

static struct paths__map *
build_whole(struct paths_map *map)
{
	return (struct paths__map *)map;
}

static paths_status
build_nomem(const struct paths_map *map)
{
	return paths__error_nomem((const struct paths__map *)map);
}

/* Copies a text into the arena; NULL: no memory. */
static const char *
build_text(struct paths_map *map, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = paths__arena_take(&build_whole(map)->arena, bytes);

	return copy == NULL ? NULL : memcpy(copy, text, bytes);
}

paths_status
paths_map_build_open(const char *name, struct paths_map **out)
{
	struct paths__map *m = calloc(1, sizeof(*m));
	struct paths_map *map;

	if (m == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
		    name);
	map = &m->map;
	map->file = build_text(map, name);
	map->text = "";
	if (map->file == NULL) {
		map->file = name;
		(void)build_nomem(map);
		paths_map_close(map);
		return PATHS_ENOMEM;
	}
	*out = map;
	return PATHS_OK;
}

/* Gives the array at `array`, of `count` things, room for one more. */
static paths_status
build_grow(struct paths_map *map, void *array, uint32_t count, size_t bytes)
{
	void **at = array;
	bool full = count == 0 ||
	    (count >= BUILD_ROOM_FIRST && (count & (count - 1)) == 0);
	size_t room = count == 0 ? BUILD_ROOM_FIRST : 2 * (size_t)count;
	void *larger;

	if (!full)
		return PATHS_OK;
	larger = paths__arena_take(&build_whole(map)->arena, room * bytes);
	if (larger == NULL)
		return build_nomem(map);
	if (count > 0)
		memcpy(larger, *at, count * bytes);
	*at = larger;
	return PATHS_OK;
}

/* Checks the name of a thing and keeps it; copy: out, the map's copy. */
static paths_status
build_name(struct paths_map *map, enum paths__map_kind kind, uint32_t index,
    const char *name, const char **copy)
{
	static const char *const kinds[PATHS__MAP_KINDS] = {
		[PATHS__MAP_HOST] = "a host",
		[PATHS__MAP_PROCESS] = "a process",
		[PATHS__MAP_THREAD] = "a thread",
		[PATHS__MAP_ELEMENT] = "an element",
	};
	struct paths__map *m = build_whole(map);

	if (!paths__type_is_word(name, PATHS_MAP_NAME_BYTES_MAX))
		return paths_log_fail(PATHS_EINVAL,
		    "%s: %s: expected a name: 1 to %d of A-Z a-z 0-9 . _ -, no "
		    "- first",
		    map->file, name, PATHS_MAP_NAME_BYTES_MAX);
	if (paths__name_find(m, kind, 0, name) != NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: %s: expected another name, %s has this one", map->file,
		    name, kinds[kind]);
	*copy = build_text(map, name);
	if (*copy == NULL)
		return build_nomem(map);
	return paths__name_add(m,
	    &(struct paths__name){ .kind = kind,
		.name = *copy,
		.index = index });
}

/* Checks an index of a thing that a new one refers to. */
static paths_status
build_index(const struct paths_map *map, const char *what, uint32_t index,
    uint32_t count)
{
	return index < count ? PATHS_OK :
			       paths_log_fail(PATHS_EINVAL, "%s: no %s %u",
				   map->file, what, index);
}

paths_status
paths_map_build_host(struct paths_map *map, const char *name)
{
	struct paths_map_host host = { .address = NULL };
	paths_status st;

	st = build_grow(map, &map->hosts, map->host_count, sizeof(host));
	if (st == PATHS_OK)
		st = build_name(map, PATHS__MAP_HOST, map->host_count, name,
		    &host.name);
	if (st == PATHS_OK)
		map->hosts[map->host_count++] = host;
	return st;
}

paths_status
paths_map_build_process(struct paths_map *map, const char *name, uint32_t host)
{
	struct paths_map_process process = { .host = host };
	paths_status st = build_index(map, "host", host, map->host_count);

	if (st != PATHS_OK)
		return st;
	st = build_grow(map, &map->processes, map->process_count,
	    sizeof(process));
	if (st == PATHS_OK)
		st = build_name(map, PATHS__MAP_PROCESS, map->process_count,
		    name, &process.name);
	if (st == PATHS_OK)
		map->processes[map->process_count++] = process;
	return st;
}

paths_status
paths_map_build_thread(struct paths_map *map, const char *name,
    uint32_t process)
{
	struct paths_map_thread thread = { .process = process, .core = -1 };
	paths_status st =
	    build_index(map, "process", process, map->process_count);

	if (st != PATHS_OK)
		return st;
	st = build_grow(map, &map->threads, map->thread_count, sizeof(thread));
	if (st == PATHS_OK)
		st = build_name(map, PATHS__MAP_THREAD, map->thread_count, name,
		    &thread.name);
	if (st == PATHS_OK)
		map->threads[map->thread_count++] = thread;
	return st;
}

/* Adds the instance of an element.  Elements are the first instances, so its
   index is that of the element. */
static paths_status
build_element_instance(struct paths_map *map,
    const struct paths_map_element *element)
{
	const struct paths_map_instance instance = {
		.ops = paths__stage_get_element(),
		.name = element->name,
		.process = element->process,
		.element = element->instance,
		.item = PATHS_NONE,
		.tail = PATHS_NONE,
	};

	return paths__item_add_instance(build_whole(map), &instance);
}

paths_status
paths_map_build_element(struct paths_map *map, const char *name,
    uint32_t process, const char *type)
{
	struct paths_map_element element = { .process = process,
		.keep = PATHS_MAP_KEEP_DEFAULT,
		.full = PATHS_FULL_BLOCK,
		.take = PATHS_TAKE_EACH,
		.instance = map->element_count };
	paths_status st =
	    build_index(map, "process", process, map->process_count);

	if (st != PATHS_OK)
		return st;
	if (map->path_count > 0)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: %s: expected all elements before the first path",
		    map->file, name);
	st = paths_type_parse(type, &element.type);
	if (st != PATHS_OK)
		return st;
	st = build_grow(map, &map->elements, map->element_count,
	    sizeof(element));
	if (st == PATHS_OK)
		st = build_name(map, PATHS__MAP_ELEMENT, map->element_count,
		    name, &element.name);
	if (st == PATHS_OK)
		st = build_element_instance(map, &element);
	if (st == PATHS_OK)
		map->elements[map->element_count++] = element;
	return st;
}

/* Adds an item of a kind to the last chain, with its default options. */
static paths_status
build_item(struct paths_map *map, const struct paths_stage_ops *ops,
    const char *const words[1], struct paths_map_item **item)
{
	struct paths__map *m = build_whole(map);
	const struct paths_map_chain *chain =
	    &map->chains[map->chain_count - 1];
	const struct paths_option *const options[2] = { ops->options, NULL };
	const struct paths__given given = { .who = ops->name,
		.words = { words[0] == NULL ? 0 : 1, (const char **)words } };
	struct paths_map_value *values[2];
	paths_status st = paths__option_read(m, &given, options, values);

	if (st == PATHS_OK)
		st = paths__item_add(m, map->chain_count - 1, chain->process, 0,
		    item);
	if (st != PATHS_OK)
		return st;
	(*item)->ops = ops;
	(*item)->values = values[0];
	(*item)->above = (*item)->below = chain->type;
	return PATHS_OK;
}

/* Adds the stage that only this path has. */
static paths_status
build_stage(struct paths_map *map, const struct paths_stage_ops *ops)
{
	struct paths_map_instance instance = {
		.ops = ops,
		.element = PATHS_NONE,
		.item = map->item_count,
		.tail = PATHS_NONE,
		.inputs = 1,
	};
	const char *none[1] = { NULL };
	struct paths_map_item *item;
	paths_status st = build_item(map, ops, none, &item);

	if (st != PATHS_OK)
		return st;
	item->instance = map->instance_count;
	instance.process = item->process;
	instance.name = paths__item_name(build_whole(map), item);
	if (instance.name == NULL)
		return build_nomem(map);
	return paths__item_add_instance(build_whole(map), &instance);
}

/* Adds the element at the end of the path. */
static paths_status
build_end(struct paths_map *map, uint32_t element)
{
	struct paths_map_instance *instance = &map->instances[element];
	const char *name[1] = { map->elements[element].name };
	struct paths_map_item *item;
	uint32_t number = map->item_count;
	paths_status st =
	    build_item(map, paths__stage_get_element(), name, &item);

	if (st != PATHS_OK)
		return st;
	if (instance->item == PATHS_NONE)
		instance->item = number;
	item->instance = element;
	item->input = instance->inputs++;
	return PATHS_OK;
}

/* Checks that a path may pass a kind of stage; ops: out. */
static paths_status
build_kind(const struct paths_map *map, const char *kind,
    const struct paths_stage_ops **ops)
{
	*ops = paths_stage_find(kind);
	if (*ops == NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: %s: expected a kind of stage", map->file, kind);
	if (((*ops)->flags & ~PATHS_STAGE_ANY_BYTES) != 0 ||
	    (*ops)->types != NULL || *ops == paths__stage_get_proxy())
		return paths_log_fail(PATHS_EINVAL,
		    "%s: %s: expected a stage that only passes operations on",
		    map->file, kind);
	return PATHS_OK;
}

static paths_status
build_path_check(const struct paths_map *map, uint32_t thread, uint32_t element)
{
	paths_status st = build_index(map, "thread", thread, map->thread_count);

	if (st == PATHS_OK)
		st = build_index(map, "element", element, map->element_count);
	if (st != PATHS_OK)
		return st;
	if (map->threads[thread].process != map->elements[element].process)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: element %s is not in the process of thread %s",
		    map->file, map->elements[element].name,
		    map->threads[thread].name);
	if (paths__name_find((const struct paths__map *)map, PATHS__MAP_PATH,
		thread, map->elements[element].name) != NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: thread %s has a path to %s already", map->file,
		    map->threads[thread].name, map->elements[element].name);
	return PATHS_OK;
}

/* Adds a path and its chain, which has no items yet. */
static paths_status
build_path(struct paths_map *map, uint32_t thread, uint32_t element)
{
	const struct paths_map_element *e = &map->elements[element];
	const struct paths__name name = { .kind = PATHS__MAP_PATH,
		.thread = thread,
		.name = e->name,
		.index = map->path_count };
	paths_status st =
	    build_grow(map, &map->paths, map->path_count, sizeof(*map->paths));

	if (st == PATHS_OK)
		st = paths__name_add(build_whole(map), &name);
	if (st == PATHS_OK)
		st = paths__item_add_chain(build_whole(map), map->path_count,
		    PATHS_NONE, e->process);
	if (st != PATHS_OK)
		return st;
	map->chains[map->chain_count - 1].type = e->type;
	map->paths[map->path_count++] = (struct paths_map_path){
		.thread = thread,
		.element = element,
		.element_name = e->name,
		.chain = map->chain_count - 1,
		.use = PATHS_USE_ANY,
	};
	return PATHS_OK;
}

paths_status
paths_map_build_path(struct paths_map *map, uint32_t thread, uint32_t element,
    const char *kind)
{
	const struct paths_stage_ops *ops;
	paths_status st = build_path_check(map, thread, element);

	if (st == PATHS_OK)
		st = build_kind(map, kind, &ops);
	if (st == PATHS_OK)
		st = build_path(map, thread, element);
	if (st == PATHS_OK)
		st = build_stage(map, ops);
	return st == PATHS_OK ? build_end(map, element) : st;
}
