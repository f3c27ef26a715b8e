/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/run.c - open a run directory: the map, the spaces, who is who
 *
 * A run whose `map` is gone is read with the map that its first event space
 * carries.  Spaces of another map than the run's are refused: their numbers
 * would mean something else.
 */

#include "scopes/run/run_private.h"

#include "libpaths/log.h"
#include "scopes/run/mpi_private.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A collector is the stage that floor 2 brings under this name. */
#define COLLECTOR_STAGE "collector"

static bool
item_collects(const struct paths_map_item *item)
{
	return strcmp(item->ops->name, COLLECTOR_STAGE) == 0;
}

static void
run_place(struct es_run *run, struct es_collector *collector, uint32_t item)
{
	const struct paths_map_item *place = &run->map->items[item];
	uint32_t path = run->map->chains[place->chain].path;

	collector->process = place->process;
	collector->item = item;
	collector->stage = place->instance;
	collector->chain = place->chain;
	collector->path = path;
	collector->thread =
	    path == PATHS_NONE ? PATHS_NONE : run->map->paths[path].thread;
	collector->position = place->position;
	collector->entry = PATHS_NONE;
}

static void
run_find_collectors(struct es_run *run)
{
	const struct paths_map *map = run->map;

	for (uint32_t s = 0; s < map->instance_count; s++)
		run->by_stage[s] = PATHS_NONE;
	for (uint32_t i = 0; i < map->item_count; i++) {
		uint32_t n = run->collector_count;

		if (!item_collects(&map->items[i]))
			continue;
		run_place(run, &run->collectors[n], i);
		run->by_stage[map->items[i].instance] = n;
		run->collector_count++;
	}
}

paths_status
es__run_create(const char *dir, struct paths_map *map, struct es_run **out)
{
	struct es_run *run = calloc(1, sizeof(*run));

	if (run == NULL) {
		paths_map_close(map);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
	}
	run->map = map;
	pthread_mutex_init(&run->diagnosing, NULL);
	/* At least one of each, so that NULL means failure. */
	run->dir = strdup(dir);
	run->spaces = calloc(map->process_count + 1, sizeof(*run->spaces));
	run->states = calloc(map->process_count + 1, sizeof(*run->states));
	run->collectors = calloc(map->item_count + 1, sizeof(*run->collectors));
	run->copies = calloc(map->item_count + 1, sizeof(*run->copies));
	run->by_stage = calloc(map->instance_count + 1, sizeof(*run->by_stage));
	if (run->dir == NULL || run->spaces == NULL || run->states == NULL ||
	    run->collectors == NULL || run->copies == NULL ||
	    run->by_stage == NULL) {
		es_run_close(run);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
	}
	run_find_collectors(run);
	*out = run;
	return PATHS_OK;
}

void
es_run_close(struct es_run *run)
{
	if (run == NULL)
		return;
	for (uint32_t p = 0; run->spaces && p < run->map->process_count; p++)
		es_space_close(run->spaces[p]);
	for (uint32_t c = 0; c < run->collector_count; c++)
		free(run->copies[c]);
	es__run_forget(run);
	es__mpi_close(run->mpi);
	if (run->alone != NULL)
		es__run_alone_destroy(run->alone, run->map->process_count);
	free(run->by_stage);
	free(run->copies);
	free(run->collectors);
	free(run->states);
	free(run->spaces);
	free(run->dir);
	pthread_mutex_destroy(&run->diagnosing);
	paths_map_close(run->map);
	free(run);
}

/* Tuples that stay as they are: use them in place. */
static paths_status
run_show(struct es_collector *collector, const struct es_space *space)
{
	struct es_space_span spans[2];
	paths_status st = es_space_span(space, collector->entry, spans);

	if (st != PATHS_OK)
		return st;
	collector->older = spans[0].tuples;
	collector->older_count = spans[0].count;
	collector->newer = spans[1].tuples;
	collector->count = spans[0].count + spans[1].count;
	collector->first = spans[0].count ? spans[0].first : spans[1].first;
	return PATHS_OK;
}

/* Tuples that are being overwritten: all views shall see the same ones. */
static paths_status
run_copy(struct es_collector *collector, const struct es_space *space,
    const struct es_space_collector *now, void **copy)
{
	struct es_space_run part = { .first = now->first,
		.count = now->count - now->first };
	paths_status st;

	*copy = malloc(part.count * now->type->bytes + 1);
	if (*copy == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory to copy %llu tuples",
		    (unsigned long long)part.count);
	st = es_space_read(space, collector->entry, &part, *copy);
	if (st != PATHS_OK)
		return st;
	collector->older = *copy;
	collector->older_count = part.count;
	collector->newer = NULL;
	collector->count = part.count;
	collector->first = part.first;
	return PATHS_OK;
}

/* Which collector of a process an entry of its space is; NONE: none. */
static uint32_t
run_find_collector(const struct es_run *run, uint32_t process,
    const struct es_space_collector *entry)
{
	uint32_t id = PATHS_NONE;

	if (run->alone != NULL)
		return es__run_alone_collector(run, process, entry->owner);
	if (entry->instance < run->map->instance_count)
		id = run->by_stage[entry->instance];

	return id != PATHS_NONE && run->collectors[id].process == process ?
	    id :
	    PATHS_NONE;
}

static paths_status
run_take_collector(struct es_run *run, uint32_t process, struct es_space *space,
    bool live, uint32_t entry)
{
	struct es_space_collector now;
	struct es_collector *collector;
	uint32_t id;
	paths_status st = es_space_collector(space, entry, &now);

	if (st != PATHS_OK)
		return st;
	id = run_find_collector(run, process, &now);
	if (id == PATHS_NONE)
		return paths_log_fail(PATHS_EDAMAGED,
		    "stage %u of its collector %u is no collector of its",
		    now.instance, entry);
	collector = &run->collectors[id];
	if (collector->entry != PATHS_NONE)
		return paths_log_fail(PATHS_EDAMAGED, "stage %u is there twice",
		    now.instance);
	collector->entry = entry;
	collector->type = now.type;
	st = live ? run_copy(collector, space, &now, &run->copies[id]) :
		    run_show(collector, space);
	if (st == PATHS_OK && collector->first >= now.reset)
		collector->discarded = collector->first - now.reset;
	return st;
}

/* What a space that is refused had shown so far. */
static void
run_drop_space(struct es_run *run, uint32_t process)
{
	for (uint32_t c = 0; c < run->collector_count; c++) {
		struct es_collector *collector = &run->collectors[c];

		if (collector->process != process)
			continue;
		free(run->copies[c]);
		run->copies[c] = NULL;
		run_place(run, collector, collector->item);
		collector->type = NULL;
		collector->count = collector->discarded = 0;
	}
}

/* Whether a process has ended, and its parent did not look yet.  One whose
   first thread has ended looks so too, but others are left. */
static bool
process_is_zombie(uint64_t pid)
{
	char file[64], text[1024];
	unsigned threads = 0;
	const char *name_end;
	char state = 0;
	size_t bytes;
	FILE *from;

	snprintf(file, sizeof(file), "/proc/%" PRIu64 "/stat", pid);
	from = fopen(file, "re");
	if (from == NULL)
		return false;
	bytes = fread(text, 1, sizeof(text) - 1, from);
	fclose(from);
	text[bytes] = '\0';
	/* A name may have anything in it; state and threads are the third and
	   the twentieth of all words. */
	name_end = strrchr(text, ')');
	return name_end != NULL &&
	    sscanf(name_end,
		") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		"%*s %*s %u",
		&state, &threads) == 2 &&
	    state == 'Z' && threads <= 1;
}

/* A process of another machine is taken to be alive. */
static bool
process_ended(const struct es_space_info *info)
{
	char host[HOST_NAME_MAX + 1] = "";

	gethostname(host, sizeof(host) - 1);
	if (strcmp(host, info->host_name) != 0 || info->pid == 0)
		return false;
	return kill((pid_t)info->pid, 0) != 0 ? errno == ESRCH :
						process_is_zombie(info->pid);
}

static bool
space_fits(const struct es_run *run, uint32_t process,
    const struct es_space_info *info)
{
	if (run->alone != NULL)
		return info->process == ES_SPACE_ALONE;
	return info->process == process &&
	    info->map_bytes == run->map->text_bytes &&
	    memcmp(info->map_text, run->map->text, info->map_bytes) == 0;
}

paths_status
es__run_take_space(struct es_run *run, uint32_t process, struct es_space *space)
{
	enum es__space_state state = ES__SPACE_LIVE;
	struct es_space_info info;
	paths_status st = PATHS_OK;

	es_space_info(space, &info);
	if (!space_fits(run, process, &info))
		return paths_log_fail(PATHS_EDAMAGED,
		    "it was written with another map");
	if (info.closed)
		state = ES__SPACE_CLOSED;
	else if (process_ended(&info))
		state = ES__SPACE_KILLED;
	for (uint32_t n = 0; st == PATHS_OK && n < info.collector_count; n++)
		st = run_take_collector(run, process, space,
		    state == ES__SPACE_LIVE, n);
	if (st != PATHS_OK) {
		run_drop_space(run, process);
		return st;
	}
	run->spaces[process] = space;
	run->states[process] = state;
	return PATHS_OK;
}

/* The file of a process; NULL: no memory. */
static char *
run_file(const struct es_run *run, const char *name)
{
	char *file;

	return asprintf(&file, "%s/%s.space", run->dir, name) < 0 ? NULL : file;
}

void
es__run_tell_damage(struct es_run *run, uint32_t process)
{
	const char *subject = run->map->processes[process].name;
	const char *text;

	if (run->states[process] == ES__SPACE_KILLED)
		es_run_diagnose(run, ES_WARNING, subject,
		    "the process ended without closing its event space");
	for (uint32_t n = 0;
	     (text = es_space_damage(run->spaces[process], n)) != NULL; n++)
		es_run_diagnose(run, ES_WARNING, subject, "%s", text);
}

static paths_status
run_open_space(struct es_run *run, uint32_t process)
{
	const char *name = run->map->processes[process].name;
	struct es_space *space = NULL;
	char *file = run_file(run, name);
	paths_status st;

	if (file == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	st = es_space_open(file, &space);
	free(file);
	if (st == PATHS_OK) {
		st = es__run_take_space(run, process, space);
		if (st == PATHS_OK) {
			es__run_tell_damage(run, process);
			return PATHS_OK;
		}
		es_space_close(space);
	}
	if (st == PATHS_ENOMEM)
		return st;
	run->states[process] =
	    st == PATHS_ENOENT ? ES__SPACE_MISSING : ES__SPACE_DAMAGED;
	es_run_diagnose(run, ES_ERROR, name, "its event space: %s",
	    paths_log_last());
	return PATHS_OK;
}

/* A process without collectors need not leave a space. */
static bool
process_collects(const struct es_run *run, uint32_t process)
{
	for (uint32_t c = 0; c < run->collector_count; c++) {
		if (run->collectors[c].process == process)
			return true;
	}
	return false;
}

static paths_status
map_from_space(const char *file, struct paths_map **map)
{
	struct es_space_info info;
	struct es_space *space;
	paths_status st = es_space_open(file, &space);

	if (st != PATHS_OK)
		return st;
	es_space_info(space, &info);
	st = paths_map_parse(info.map_text, info.map_bytes, file, map);
	es_space_close(space);
	return st;
}

static int
name_is_space(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 6 && strcmp(entry->d_name + n - 6, ".space") == 0;
}

/* The map in the first space that can be read. */
static paths_status
map_from_spaces(const char *dir, struct paths_map **map)
{
	struct dirent **names;
	int count = scandir(dir, &names, name_is_space, alphasort);
	paths_status st = PATHS_ENOENT;

	for (int n = 0; n < count; n++) {
		char *file;

		if (st != PATHS_OK &&
		    asprintf(&file, "%s/%s", dir, names[n]->d_name) >= 0) {
			st = map_from_space(file, map);
			free(file);
		}
		free(names[n]);
	}
	if (count >= 0)
		free(names);
	return st;
}

static paths_status
run_open_map(const char *dir, const char *file, struct es_run **out)
{
	struct paths_map *map;
	struct es_run *run;
	bool found = access(file, F_OK) == 0;
	paths_status st =
	    found ? paths_map_load(file, &map) : map_from_spaces(dir, &map);

	if (!found && st != PATHS_OK)
		return paths_log_fail(PATHS_ENOENT,
		    "%s: no map, and no event space that carries one", dir);
	if (st == PATHS_OK)
		st = es__run_create(dir, map, &run);
	if (st != PATHS_OK)
		return st;
	if (!found)
		es_run_diagnose(run, ES_WARNING, "map",
		    "it is missing; the one in an event space is used");
	for (uint32_t p = 0; st == PATHS_OK && p < map->process_count; p++) {
		if (process_collects(run, p))
			st = run_open_space(run, p);
	}
	if (st == PATHS_OK)
		*out = run;
	else
		es_run_close(run);
	return st;
}

paths_status
es_run_open(const char *dir, struct es_run **out)
{
	char *file;
	paths_status st = PATHS_ENOENT;

	if (asprintf(&file, "%s/map", dir) < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	if (access(file, F_OK) != 0)
		st = es__run_open_alone(dir, out);
	if (st == PATHS_ENOENT)
		st = run_open_map(dir, file, out);
	free(file);
	return st;
}

bool
es_run_is(const char *dir)
{
	DIR *opened = opendir(dir);
	const struct dirent *entry;
	bool is = false;

	while (opened != NULL && !is && (entry = readdir(opened)) != NULL)
		is = strcmp(entry->d_name, "map") == 0 || name_is_space(entry);
	if (opened != NULL)
		(void)closedir(opened);
	return is;
}

const char *
es_run_dir(const struct es_run *run)
{
	return run->dir;
}

const struct paths_map *
es_run_map(const struct es_run *run)
{
	return run->map;
}

bool
es_run_live(const struct es_run *run)
{
	for (uint32_t p = 0; p < run->map->process_count; p++) {
		if (run->states[p] == ES__SPACE_LIVE)
			return true;
	}
	return false;
}

const struct es_space *
es_run_space(const struct es_run *run, uint32_t process)
{
	return run->spaces[process];
}

const struct es_collector *
es_run_collector(const struct es_run *run, uint32_t collector)
{
	return collector < run->collector_count ? &run->collectors[collector] :
						  NULL;
}

uint32_t
es_run_collector_count(const struct es_run *run)
{
	return run->collector_count;
}
