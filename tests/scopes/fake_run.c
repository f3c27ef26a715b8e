/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_run.c - makes run directories with known numbers
 */

#include "tests/scopes/fake_run.h"

#include "collectors/record.h"
#include "libpaths/log.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_run_process {
	struct es_record *record; /* NULL: ended, or without collectors */
	bool has_space;
	struct fake_clock clock;
};

struct fake_collector {
	uint32_t process;
	uint32_t instance;
	struct es_record_ring ring;
};

struct fake_run {
	char dir[256];
	struct paths_map *map;
	const struct es_tuple_type *type;
	struct fake_run_process *processes;
	struct fake_collector *collectors;
	uint32_t collector_count;
	uint64_t last_ns; /* latest time recorded */
};

const char *
fake_run_dir(const struct fake_run *run)
{
	return run->dir;
}

const struct paths_map *
fake_run_map(const struct fake_run *run)
{
	return run->map;
}

static void
fake_write(const char *file, const char *text)
{
	FILE *to = fopen(file, "w");

	EXPECT_TRUE(to != NULL);
	EXPECT_TRUE(fputs(text, to) >= 0);
	EXPECT_EQ(0, fclose(to));
}

/* Numbers the collectors as es_run does: in the order of their items. */
static void
fake_number(struct fake_run *run)
{
	const struct paths_map *map = run->map;

	run->collectors = calloc(map->item_count + 1, sizeof(*run->collectors));
	EXPECT_TRUE(run->collectors != NULL);
	for (uint32_t i = 0; i < map->item_count; i++)
		if (strcmp(map->items[i].ops->name, "collector") == 0)
			run->collectors[run->collector_count++] =
			    (struct fake_collector){ .process =
							 map->items[i].process,
				    .instance = map->items[i].instance };
}

/* Returns the collector of an instance of a process, or NULL. */
static struct fake_collector *
fake_find(const struct fake_run *run, uint32_t process, uint32_t instance)
{
	for (uint32_t i = 0; i < run->collector_count; i++)
		if (run->collectors[i].process == process &&
		    run->collectors[i].instance == instance)
			return &run->collectors[i];
	return NULL;
}

/* Makes the space of a process, with collectors in the order of instances. */
static void
fake_open_process(struct fake_run *run, uint32_t process, uint64_t keep)
{
	const struct paths_map *map = run->map;
	struct es_record_collector *list =
	    calloc(map->instance_count + 1, sizeof(*list));
	struct es_record_spec spec = { .directory = run->dir,
		.process_name = map->processes[process].name,
		.process = process,
		.map_text = map->text,
		.map_bytes = map->text_bytes,
		.collectors = list };
	struct es_record *record = NULL;

	for (uint32_t n = 0; n < map->instance_count; n++)
		if (fake_find(run, process, n) != NULL)
			list[spec.collector_count++] =
			    (struct es_record_collector){ .instance = n,
				    .mode = ES_MODE_TRACE,
				    .type = run->type,
				    .capacity = keep,
				    .matrix_peers = map->process_count,
				    .matrix_categories = PATHS_DELETE + 1 };
	if (spec.collector_count > 0)
		EXPECT_OK(es_record_open(&spec, &record));
	for (uint32_t i = 0; i < spec.collector_count; i++)
		EXPECT_OK(es_record_ring(record, i,
		    &fake_find(run, process, list[i].instance)->ring));
	run->processes[process].record = record;
	run->processes[process].has_space = record != NULL;
	free(list);
}

struct fake_run *
fake_run_create_of(const char *map_text, uint64_t keep,
    const struct es_tuple_type *type)
{
	struct fake_run *run = calloc(1, sizeof(*run));
	char file[300];

	EXPECT_TRUE(run != NULL);
	run->type = type;
	fake_dir_create(run->dir);
	snprintf(file, sizeof(file), "%s/map", run->dir);
	fake_write(file, map_text);
	if (paths_map_load(file, &run->map) != PATHS_OK)
		EXPECT_STR_EQ("", paths_log_last());
	fake_number(run);
	run->processes =
	    calloc(run->map->process_count + 1, sizeof(*run->processes));
	EXPECT_TRUE(run->processes != NULL);
	for (uint32_t p = 0; p < run->map->process_count; p++)
		fake_open_process(run, p, keep);
	return run;
}

struct fake_run *
fake_run_create(const char *map_text, uint64_t keep)
{
	return fake_run_create_of(map_text, keep, es_tuple_type_find("path"));
}

void
fake_run_clock(struct fake_run *run, uint32_t process, int64_t offset_ns,
    double ppm)
{
	run->processes[process].clock =
	    (struct fake_clock){ .offset_ns = offset_ns, .ppm = ppm };
}

void
fake_run_clock_of(struct fake_run *run, uint32_t process,
    const struct fake_clock *clock)
{
	run->processes[process].clock = *clock;
}

/* Replaces the true time in a field by ticks; returns the true time. */
static uint64_t
fake_stamp(const struct fake_run_process *process,
    const struct es_tuple_field *field, char *tuple)
{
	uint64_t ns = 0;
	uint64_t ticks;

	if (field == NULL)
		return 0;
	memcpy(&ns, tuple + field->offset, sizeof(ns));
	ticks = fake_clock_ticks(&process->clock, ns);
	if (ns != 0 || field->offset == 0)
		memcpy(tuple + field->offset, &ticks, sizeof(ticks));
	return ns;
}

void
fake_run_add_raw(struct fake_run *run, uint32_t collector, const void *tuple)
{
	const struct fake_collector *c = &run->collectors[collector];
	const struct fake_run_process *process = &run->processes[c->process];
	const struct es_tuple_field *stop =
	    es_tuple_field_find(run->type, "stop");
	char *slot;
	uint64_t ns;

	EXPECT_TRUE(collector < run->collector_count);
	slot = es_record_reserve(&c->ring);
	memcpy(slot, tuple, run->type->bytes);
	ns = fake_stamp(process, &run->type->fields[0], slot);
	run->last_ns = ns > run->last_ns ? ns : run->last_ns;
	ns = fake_stamp(process, stop, slot);
	run->last_ns = ns > run->last_ns ? ns : run->last_ns;
	es_record_fill(&c->ring);
	if (ns != 0 || stop == NULL)
		es_record_complete(&c->ring, 0);
}

void
fake_run_add(struct fake_run *run, uint32_t collector,
    const struct es_tuple_path *tuple)
{
	EXPECT_STR_EQ("path", run->type->name);
	fake_run_add_raw(run, collector, tuple);
}

void
fake_run_message(struct fake_run *run, uint32_t collector, uint32_t peer,
    enum paths_kind kind, uint64_t bytes)
{
	EXPECT_TRUE(collector < run->collector_count);
	es_record_matrix(&run->collectors[collector].ring,
	    peer * (PATHS_DELETE + 1) + (uint32_t)kind, bytes);
}

static void
fake_end_process(const struct fake_run *run, uint32_t process,
    enum fake_run_state state)
{
	const struct paths_map_process *place = &run->map->processes[process];
	struct fake_end end = { .state = state,
		.host = run->map->hosts[place->host].name,
		.last_ns = run->last_ns };
	char file[512];

	snprintf(file, sizeof(file), "%s/%s.space", run->dir, place->name);
	fake_space_end(file, &run->processes[process].clock, &end);
}

void
fake_run_end(struct fake_run *run, enum fake_run_state state)
{
	for (uint32_t p = 0; p < run->map->process_count; p++) {
		if (!run->processes[p].has_space)
			continue;
		es_record_close(run->processes[p].record);
		run->processes[p].record = NULL;
		fake_end_process(run, p, state);
	}
}

static void
fake_close(struct fake_run *run)
{
	for (uint32_t p = 0; p < run->map->process_count; p++) {
		es_record_close(run->processes[p].record);
		run->processes[p].record = NULL;
	}
}

void
fake_run_forget(struct fake_run *run)
{
	fake_close(run);
	paths_map_close(run->map);
	free(run->processes);
	free(run->collectors);
	free(run);
}

void
fake_run_remove(struct fake_run *run)
{
	/* Closes first, because the writer warns when its file is gone. */
	fake_close(run);
	fake_dir_remove(run->dir);
	fake_run_forget(run);
}
