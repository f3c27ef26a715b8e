/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_run.c - a run of MPI processes: the map is made by the reader
 *
 * No map tells of these processes: each left an event space alone.  Each gets
 * a process, an element PROCESS.mpi, and for each of its threads a path there
 * with one collector.  Ranks come in their order, then what has no rank in the
 * world of the first: processes that were spawned.
 */

#include "scopes/run/run_private.h"

#include "collectors/mpi_space.h"
#include "libpaths/log.h"
#include "libpaths/stage.h"
#include "scopes/run/mpi_private.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above so many missing ranks only their number is told. */
#define MISSING_MAX 65536

/* Longer names are cut, so that what is added to them still fits. */
#define NAME_BYTES_MAX 200

/* The event spaces of a directory, and what is known to be missing. */
struct alone_list {
	struct es__run_alone *all;
	uint32_t count, room;
};

static void
alone_fini(struct es__run_alone *alone)
{
	es_space_close(alone->space);
	free(alone->owners);
	free(alone->trouble);
	free(alone->world_name);
	free(alone->name);
}

void
es__run_alone_destroy(struct es__run_alone *all, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		alone_fini(&all[n]);
	free(all);
}

/* The next place in the list, zero; NULL: no memory. */
static struct es__run_alone *
list_add(struct alone_list *list, const char *name)
{
	struct es__run_alone *alone;

	if (list->count == list->room) {
		uint32_t room = list->room * 2 + 16;
		void *larger = reallocarray(list->all, room, sizeof(*alone));

		if (larger == NULL)
			return NULL;
		list->all = larger;
		list->room = room;
	}
	alone = &list->all[list->count];
	*alone = (struct es__run_alone){ .rank = -1 };
	alone->name = strdup(name);
	if (alone->name == NULL)
		return NULL;
	list->count++;
	return alone;
}

/* What a path map takes for a name. */
static void
name_make_fit(char *name)
{
	if (strlen(name) > NAME_BYTES_MAX)
		name[NAME_BYTES_MAX] = '\0';
	for (char *c = name; *c != '\0'; c++) {
		if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL)
			*c = '-';
	}
	if (name[0] == '-' || name[0] == '\0')
		name[0] = '_';
}

static int
owner_order(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static const struct es_mpi_control *
alone_control(const struct es_space *space)
{
	struct es_space_rows rows;

	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		if (rows.what == ES_MPI_CONTROL && rows.kind == ES_PART_ROWS &&
		    rows.row_bytes == sizeof(struct es_mpi_control) &&
		    rows.count > 0)
			return rows.rows;
	}
	return NULL;
}

static void
alone_read_rank(struct es__run_alone *alone)
{
	const struct es_mpi_control *control =
	    alone->space != NULL ? alone_control(alone->space) : NULL;
	int end = 0;

	if (control != NULL) {
		alone->control = control;
		alone->rank = control->rank;
		alone->world_size = control->world_size;
		alone->spawned = (control->flags & ES_MPI_SPAWNED) != 0;
	}
	/* It may have ended before it knew; the name of its file tells. */
	if (alone->rank < 0 &&
	    (sscanf(alone->name, "r%9" SCNd32 "%n", &alone->rank, &end) != 1 ||
		alone->name[end] != '\0'))
		alone->rank = -1;
}

/* What the launcher calls its world. */
static paths_status
alone_read_world(struct es__run_alone *alone)
{
	struct es__mpi_log log = { .space = alone->space };
	struct es_mpi_process head;
	const char *name = NULL;

	while (name == NULL && es__mpi_log_next(&log)) {
		if (log.kind != ES_MPI_ENTRY_PROCESS ||
		    log.count < sizeof(head))
			continue;
		memcpy(&head, log.bytes, sizeof(head));
		if (head.library_bytes <= log.count &&
		    head.command_bytes <= log.count)
			name = es__mpi_log_text(&log,
			    sizeof(head) + head.library_bytes +
				head.command_bytes);
	}
	if (name == NULL || name[0] == '\0')
		return PATHS_OK;
	alone->world_name = strdup(name);
	return alone->world_name == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for worlds") :
	    PATHS_OK;
}

/* The numbers of its threads: those of its collectors, and of other rows. */
static paths_status
alone_read_owners(struct es__run_alone *alone)
{
	struct es_space_collector collector;
	struct es_space_rows rows;
	uint32_t count = 0, kept = 0;
	uint32_t n;

	for (n = 0; es_space_rows(alone->space, n, &rows) == PATHS_OK; n++)
		;
	alone->owners = calloc((size_t)n + alone->info.collector_count + 1,
	    sizeof(*alone->owners));
	if (alone->owners == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	for (n = 0; es_space_rows(alone->space, n, &rows) == PATHS_OK; n++) {
		if (rows.what == ES_MPI_THREAD && rows.count > 0)
			alone->owners[count++] = rows.owner;
	}
	for (n = 0; es_space_collector(alone->space, n, &collector) == PATHS_OK;
	     n++)
		alone->owners[count++] = collector.owner;
	qsort(alone->owners, count, sizeof(*alone->owners), owner_order);
	for (n = 0; n < count; n++) {
		if (kept == 0 || alone->owners[kept - 1] != alone->owners[n])
			alone->owners[kept++] = alone->owners[n];
	}
	alone->owner_count = kept;
	return PATHS_OK;
}

/* Why a space cannot be used. */
static paths_status
alone_refuse(struct es__run_alone *alone, const char *why)
{
	es_space_close(alone->space);
	alone->space = NULL;
	alone->trouble = strdup(why);
	return alone->trouble == NULL ? PATHS_ENOMEM : PATHS_OK;
}

/* A space that cannot be read is kept, to be told. */
static paths_status
alone_open(struct es__run_alone *alone, const char *file)
{
	paths_status st = es_space_open(file, &alone->space);

	if (st == PATHS_OK) {
		es_space_info(alone->space, &alone->info);
		if (alone->info.process == ES_SPACE_ALONE)
			st = alone_read_owners(alone);
		else
			st = alone_refuse(alone, "it belongs to a path map");
	} else if (st != PATHS_ENOMEM)
		st = alone_refuse(alone, paths_log_last());
	if (st == PATHS_OK && alone->space != NULL)
		st = alone_read_world(alone);
	alone_read_rank(alone);
	name_make_fit(alone->name);
	return st;
}

static int
name_is_space(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 6 && entry->d_name[0] != '.' &&
	    strcmp(entry->d_name + n - 6, ".space") == 0;
}

static paths_status
list_open(struct alone_list *list, const char *dir, char *name)
{
	char *file;
	struct es__run_alone *alone;
	paths_status st;

	if (asprintf(&file, "%s/%s", dir, name) < 0)
		return PATHS_ENOMEM;
	name[strlen(name) - strlen(".space")] = '\0';
	alone = list_add(list, name);
	st = alone == NULL ? PATHS_ENOMEM : alone_open(alone, file);
	free(file);
	return st;
}

static paths_status
list_read(struct alone_list *list, const char *dir)
{
	struct dirent **names;
	int count = scandir(dir, &names, name_is_space, versionsort);
	paths_status st = PATHS_OK;

	for (int n = 0; n < count; n++) {
		if (st == PATHS_OK)
			st = list_open(list, dir, names[n]->d_name);
		free(names[n]);
	}
	if (count >= 0)
		free(names);
	return st == PATHS_ENOMEM ? paths_log_fail(st, "no memory for a run") :
				    st;
}

static bool
alone_is_of_world(const struct es__run_alone *alone)
{
	return alone->rank >= 0 && !alone->spawned;
}

/* Ranks of the world in their order, then those of others, world by world. */
static int
alone_order(const void *left, const void *right)
{
	const struct es__run_alone *a = left, *b = right;

	if (alone_is_of_world(a) != alone_is_of_world(b))
		return alone_is_of_world(a) ? -1 : 1;
	if (a->world != b->world)
		return a->world < b->world ? -1 : 1;
	if ((alone_is_of_world(a) || a->world_name != NULL) &&
	    a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strverscmp(a->name, b->name);
}

/* Another world than that of the run, which somebody names. */
static bool
alone_is_named(const struct es__run_alone *alone)
{
	return !alone_is_of_world(alone) && alone->world_name != NULL &&
	    alone->rank >= 0;
}

/* When the first process of its world made its space. */
static uint64_t
list_world_began(const struct alone_list *list, const char *name)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t n = 0; n < list->count; n++) {
		const struct es__run_alone *a = &list->all[n];

		if (alone_is_named(a) && strcmp(a->world_name, name) == 0 &&
		    a->info.start.realtime_ns < first)
			first = a->info.start.realtime_ns;
	}
	return first;
}

/* The world that begins after all that have a number; NULL: there is none. */
static const char *
list_next_world(const struct alone_list *list)
{
	uint64_t first = UINT64_MAX;
	const char *name = NULL;

	for (uint32_t n = 0; n < list->count; n++) {
		const struct es__run_alone *a = &list->all[n];
		uint64_t began;

		if (!alone_is_named(a) || a->world != 0)
			continue;
		began = list_world_began(list, a->world_name);
		if (name == NULL || began < first) {
			first = began;
			name = a->world_name;
		}
	}
	return name;
}

/* Number the worlds that have names, and call their ranks after them. */
static paths_status
list_number_worlds(struct alone_list *list)
{
	const char *name;

	for (uint32_t w = 1; (name = list_next_world(list)) != NULL; w++)
		for (uint32_t n = 0; n < list->count; n++) {
			struct es__run_alone *a = &list->all[n];

			if (!alone_is_named(a) ||
			    strcmp(a->world_name, name) != 0)
				continue;
			a->world = w;
			free(a->name);
			if (asprintf(&a->name, "w%" PRIu32 ".r%" PRId32, w,
				a->rank) < 0) {
				a->name = NULL;
				return paths_log_fail(PATHS_ENOMEM,
				    "no memory for worlds");
			}
		}
	return PATHS_OK;
}

/* The least size of the world that a rank knows: a damaged one is larger. */
static int32_t
list_world_size(const struct alone_list *list)
{
	int32_t size = 0;

	for (uint32_t n = 0; n < list->count; n++) {
		const struct es__run_alone *alone = &list->all[n];

		if (alone_is_of_world(alone) &&
		    alone->world_size > alone->rank &&
		    (size == 0 || alone->world_size < size))
			size = alone->world_size;
	}
	return size;
}

/* Ranks from *rank to before `to` left nothing. */
static paths_status
list_add_missing(struct alone_list *list, int32_t *rank, int32_t to)
{
	char name[16];

	for (; *rank < to; ++*rank) {
		struct es__run_alone *alone;

		snprintf(name, sizeof(name), "r%" PRId32, *rank);
		alone = list_add(list, name);
		if (alone == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a run");
		alone->rank = *rank;
	}
	return PATHS_OK;
}

/* Add the ranks of the world that left nothing; the list is in order. */
static paths_status
list_complete(struct alone_list *list)
{
	int32_t size = list_world_size(list);
	uint32_t found = list->count;
	int32_t next = 0;
	paths_status st = PATHS_OK;

	if (size > MISSING_MAX + (int64_t)found)
		return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < found; n++) {
		int32_t rank = list->all[n].rank;

		if (!alone_is_of_world(&list->all[n]) || rank >= size)
			break;
		st = list_add_missing(list, &next, rank);
		next = rank + 1;
	}
	if (st == PATHS_OK)
		st = list_add_missing(list, &next, size);
	for (uint32_t n = 0; n < list->count; n++) {
		if (alone_is_of_world(&list->all[n]) &&
		    list->all[n].space == NULL)
			list->all[n].world_size = size;
	}
	qsort(list->all, list->count, sizeof(*list->all), alone_order);
	return st;
}

static void
write_thread(FILE *to, const struct es__run_alone *alone, uint32_t n)
{
	char suffix[16] = "";

	if (n > 0)
		snprintf(suffix, sizeof(suffix), ".%" PRIu32, alone->owners[n]);
	fprintf(to, "thread %s%s -process %s\n", alone->name, suffix,
	    alone->name);
	fprintf(to, "path %s%s %s.mpi {{collector} {element %s.mpi}}\n",
	    alone->name, suffix, alone->name, alone->name);
}

/* The host of a process; of one that left nothing it is not known. */
static void
host_name(const struct es__run_alone *alone, char name[ES_SPACE_TEXT_BYTES])
{
	snprintf(name, ES_SPACE_TEXT_BYTES, "%s",
	    alone->space != NULL ? alone->info.host_name : "unknown");
	name_make_fit(name);
}

static int
host_order(const void *left, const void *right)
{
	return strcmp(left, right);
}

static paths_status
write_hosts(FILE *to, const struct alone_list *list)
{
	char(*hosts)[ES_SPACE_TEXT_BYTES] =
	    calloc(list->count + (size_t)1, sizeof(*hosts));

	if (hosts == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < list->count; n++)
		host_name(&list->all[n], hosts[n]);
	qsort(hosts, list->count, sizeof(*hosts), host_order);
	for (uint32_t n = 0; n < list->count; n++) {
		if (n == 0 || strcmp(hosts[n - 1], hosts[n]) != 0)
			fprintf(to, "host %s\n", hosts[n]);
	}
	free(hosts);
	return PATHS_OK;
}

static void
write_process(FILE *to, struct es__run_alone *alone, uint32_t *collectors)
{
	char host[ES_SPACE_TEXT_BYTES];
	uint32_t threads = alone->owner_count > 0 ? alone->owner_count : 1;

	host_name(alone, host);
	fprintf(to, "process %s -host %s\n", alone->name, host);
	fprintf(to, "element %s.mpi -process %s -type mpi\n", alone->name,
	    alone->name);
	for (uint32_t n = 0; n < threads; n++)
		write_thread(to, alone, n);
	alone->first = *collectors;
	*collectors += threads;
}

static paths_status
list_map(struct alone_list *list, const char *dir, struct paths_map **map)
{
	uint32_t collectors = 0;
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = open_memstream(&text, &bytes);
	paths_status st;

	if (to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a map");
	fputs("pathmap 1\n", to);
	/* Who has the stage already needs no plugin to bring it. */
	if (paths_stage_find("collector") == NULL)
		fputs("plugin libcollectors.so.0\n", to);
	st = write_hosts(to, list);
	for (uint32_t n = 0; n < list->count; n++)
		write_process(to, &list->all[n], &collectors);
	if (fclose(to) != 0 || st != PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a map");
	else
		st = paths_map_parse(text, bytes, dir, map);
	free(text);
	return st;
}

static paths_status
run_take(struct es_run *run, uint32_t process)
{
	struct es__run_alone *alone = &run->alone[process];
	paths_status st;

	if (alone->space != NULL) {
		st = es__run_take_space(run, process, alone->space);
		if (st == PATHS_OK) {
			alone->space = NULL;
			es__run_tell_damage(run, process);
			return PATHS_OK;
		}
		if (st == PATHS_ENOMEM)
			return st;
		alone->trouble = strdup(paths_log_last());
	}
	run->states[process] =
	    alone->trouble == NULL ? ES__SPACE_MISSING : ES__SPACE_DAMAGED;
	es_run_diagnose(run, ES_ERROR, run->map->processes[process].name,
	    "its event space: %s",
	    alone->trouble != NULL ? alone->trouble :
				     "this rank of the world left none");
	return PATHS_OK;
}

static void
run_tell_missing(struct es_run *run, int32_t size)
{
	uint32_t there = run->map->process_count;

	if (size > MISSING_MAX + (int64_t)there)
		es_run_diagnose(run, ES_ERROR, "world",
		    "of %" PRId32 " ranks not more than %" PRIu32
		    " left an event space",
		    size, there);
}

/* Those of a map are for the reader of maps. */
static bool
list_is_mpi(const struct alone_list *list)
{
	for (uint32_t n = 0; n < list->count; n++) {
		if (list->all[n].space != NULL)
			return true;
	}
	return false;
}

static paths_status
list_open_run(struct alone_list *list, const char *dir, struct es_run **out)
{
	struct paths_map *map;
	struct es_run *run;
	int32_t size = list_world_size(list);
	paths_status st = list_complete(list);

	if (st == PATHS_OK)
		st = list_map(list, dir, &map);
	if (st == PATHS_OK)
		st = es__run_create(dir, map, &run);
	if (st != PATHS_OK)
		return st;
	run->alone = list->all;
	list->all = NULL;
	run_tell_missing(run, size);
	for (uint32_t p = 0; st == PATHS_OK && p < map->process_count; p++)
		st = run_take(run, p);
	if (st == PATHS_OK)
		st = es__mpi_open(run, &run->mpi);
	if (st == PATHS_OK)
		*out = run;
	else
		es_run_close(run);
	return st;
}

paths_status
es__run_open_alone(const char *dir, struct es_run **run)
{
	struct alone_list list = { 0 };
	paths_status st = list_read(&list, dir);

	if (st == PATHS_OK && !list_is_mpi(&list))
		st = PATHS_ENOENT;
	if (st == PATHS_OK)
		st = list_number_worlds(&list);
	if (st == PATHS_OK) {
		qsort(list.all, list.count, sizeof(*list.all), alone_order);
		st = list_open_run(&list, dir, run);
	}
	if (list.all != NULL)
		es__run_alone_destroy(list.all, list.count);
	return st;
}

uint32_t
es__run_alone_collector(const struct es_run *run, uint32_t process,
    uint32_t owner)
{
	const struct es__run_alone *alone = &run->alone[process];
	const uint32_t *found = bsearch(&owner, alone->owners,
	    alone->owner_count, sizeof(owner), owner_order);

	return found == NULL ? PATHS_NONE :
			       alone->first + (uint32_t)(found - alone->owners);
}
