/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/space_report.c - prints the state of an MPI event space
 *
 * space_report FILE prints lines of these forms:
 *
 *	state running|finalized|aborted ended|open
 *	mode MODE
 *	calls NUMBER		recorded calls of all threads
 *	nested NUMBER
 *	threads NUMBER
 *	tuples NAME...		tuples of all rings, in order
 *	profile NAME PHASE CALLS	calls since the last reset, sorted
 *	inside NAME		for each thread that is inside a call
 *	sites NUMBER
 *	path FRAMES		for each site
 *	module FILE		for each module that has sites
 *	lost NUMBER
 *	unrecorded NUMBER	threads
 */

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"
#include "collectors/space.h"
#include "collectors/tuple.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 100000u
#define TUPLES 64u

static struct es_space *space;
static const struct es_mpi_control *control;
static char *lines[LINES]; /* of the profile */
static size_t line_count;
static const char *phases[1024];
static uint64_t calls, nested, threads, sites;

static const char *
name_of(uint32_t function)
{
	const struct es_mpi_function *f = es_mpi_function(function);

	if (f == NULL)
		return "?";
	return strncmp(f->name, "MPI_", 4) == 0 ? f->name + 4 : f->name;
}

static void
each(uint32_t what, void (*take)(const void *row))
{
	struct es_space_rows rows;

	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		for (uint64_t i = 0;
		     rows.what == what && rows.row_bytes > 1 && i < rows.count;
		     i++)
			take((const char *)rows.rows + i * rows.row_bytes);
	}
}

static void
each_entry(void (*take)(const struct es_mpi_entry *entry))
{
	struct es_space_rows rows;
	const struct es_mpi_entry *entry;

	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		for (uint64_t at = 0;
		     rows.what == ES_MPI_LOG && at < rows.count;
		     at += sizeof(*entry) + entry->bytes) {
			entry = (const struct es_mpi_entry *)((const char *)
								  rows.rows +
			    at);
			take(entry);
		}
	}
}

static void
take_control(const void *row)
{
	control = row;
}

static void
take_thread(const void *row)
{
	const struct es_mpi_thread *t = row;

	calls += atomic_load(&t->calls);
	nested += atomic_load(&t->nested);
	threads++;
}

static void
take_inside(const void *row)
{
	const struct es_mpi_thread *t = row;

	if (atomic_load(&t->inside) != 0)
		printf("inside %s\n", name_of(atomic_load(&t->inside) - 1));
}

static void
take_definition(const struct es_mpi_entry *entry)
{
	const struct es_mpi_name *phase = (const void *)(entry + 1);

	if (entry->kind == ES_MPI_ENTRY_PHASE && phase->id < 1024)
		phases[phase->id] = (const char *)(phase + 1);
	sites += entry->kind == ES_MPI_ENTRY_SITE;
}

static void
take_place(const struct es_mpi_entry *entry)
{
	const struct es_mpi_module *module = (const void *)(entry + 1);
	const struct es_mpi_site *site = (const void *)(entry + 1);

	if (entry->kind == ES_MPI_ENTRY_MODULE)
		printf("module %s\n",
		    (const char *)(module + 1) + module->build_id_bytes);
	else if (entry->kind == ES_MPI_ENTRY_SITE)
		printf("path %u\n", site->frames);
}

static void
take_profile(const void *row)
{
	const struct es_mpi_profile *p = row;
	const char *phase = p->phase < 1024 ? phases[p->phase] : "?";

	if (atomic_load(&p->epoch) ==
		2 * (uint64_t)atomic_load(&control->epoch) &&
	    atomic_load(&p->calls) != 0 && line_count < LINES &&
	    asprintf(&lines[line_count], "profile %s %s %llu",
		name_of(p->function), phase == NULL ? "-" : phase,
		(unsigned long long)atomic_load(&p->calls)) > 0)
		line_count++;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
print_profile(void)
{
	each(ES_MPI_PROFILE, take_profile);
	qsort(lines, line_count, sizeof(*lines), compare);
	for (size_t n = 0; n < line_count; n++)
		puts(lines[n]);
}

static void
print_tuples(void)
{
	static struct es_tuple_mpi tuples[TUPLES];
	struct es_space_collector c;

	printf("tuples");
	for (uint32_t n = 0; es_space_collector(space, n, &c) == PATHS_OK;
	     n++) {
		struct es_space_run run = { .first = c.first, .count = TUPLES };

		if (es_space_read(space, n, &run, tuples) != PATHS_OK)
			continue;
		for (uint64_t i = 0; i < run.count; i++)
			printf(" %s%s", name_of(tuples[i].op),
			    tuples[i].stop == 0 ? "..." : "");
	}
	putchar('\n');
}

int
main(int argc, char **argv)
{
	static const char *const states[] = { "running", "finalized",
		"aborted" };
	struct es_space_info info;

	if (argc != 2 || es_space_open(argv[1], &space) != PATHS_OK)
		return 1;
	es_space_info(space, &info);
	each(ES_MPI_CONTROL, take_control);
	each(ES_MPI_THREAD, take_thread);
	each_entry(take_definition);
	if (control == NULL)
		return 1;
	printf("state %s %s\n", states[atomic_load(&control->state) % 3],
	    info.closed ? "ended" : "open");
	printf("mode %u\ncalls %llu\nnested %llu\nthreads %llu\n",
	    atomic_load(&control->mode), (unsigned long long)calls,
	    (unsigned long long)nested, (unsigned long long)threads);
	print_tuples();
	print_profile();
	each(ES_MPI_THREAD, take_inside);
	printf("sites %llu\n", (unsigned long long)sites);
	each_entry(take_place);
	printf("lost %llu\nunrecorded %u\n",
	    (unsigned long long)atomic_load(&control->lost),
	    atomic_load(&control->unrecorded_threads));
	es_space_close(space);
	return 0;
}
