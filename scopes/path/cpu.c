/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/cpu.c - reads the samples that tell how long threads had no core
 *
 * A live process may overwrite an interval while it is read; such an interval
 * is left out.
 */

#include "scopes/path/cpu_private.h"

#include "scopes/run/mapless_private.h"
#include "scopes/run/run_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* Returns the thread of the map that rows of a process belong to; PATHS_NONE:
   not known. */
static uint32_t
cpu_owner(const struct es_run *run, uint32_t process, uint32_t owner)
{
	if (run->mapless != NULL)
		return es__mapless_collector(&run->mapless[process], owner);
	for (uint32_t n = 0; n < run->collector_count; n++) {
		const struct es_collector *c = &run->collectors[n];

		if (c->process == process && c->entry == owner &&
		    c->thread != PATHS_NONE &&
		    run->map->threads[c->thread].process == process)
			return c->thread;
	}
	return PATHS_NONE;
}

static uint64_t
cpu_word(const paths_atomic_u64 *word)
{
	/* Relaxed: the sum may be a little old. */
	return atomic_load_explicit(word, memory_order_relaxed);
}

/* Adds the sums of a row.  bytes: size of the row, which is smaller in event
   spaces of older versions */
static void
cpu_add_sums(struct es__cpu_thread *t, const struct es_cpu_sums *sums,
    uint64_t bytes)
{
	uint64_t first = cpu_word(&sums->first), last = cpu_word(&sums->last);
	uint64_t longest_ns =
	    bytes == sizeof(*sums) ? cpu_word(&sums->longest_ns) : 0;

	t->samples += cpu_word(&sums->samples);
	t->ticks += last > first ? last - first : 0;
	t->idle_ns += cpu_word(&sums->idle_ns);
	t->inside += cpu_word(&sums->inside);
	if (longest_ns > t->longest_ns)
		t->longest_ns = longest_ns;
	for (int side = 0; side < ES_CPU_SIDES; side++) {
		t->cpu_ns[side] += cpu_word(&sums->cpu_ns[side]);
		t->lost_ns[side] += cpu_word(&sums->lost_ns[side]);
	}
}

/* Copies an interval; false: it is being written, or damaged. */
static bool
cpu_copy(const struct es_cpu_lost *from, struct es__cpu_interval *to)
{
	/* Acquire: pairs with the release in cpu_keep. */
	to->start = atomic_load_explicit(&from->start, memory_order_acquire);
	to->stop = cpu_word(&from->stop);
	to->lost_ns = cpu_word(&from->lost_ns);
	to->idle_ns = cpu_word(&from->idle_ns);
	es_space_fence(memory_order_acquire);
	return to->start != 0 && to->start == cpu_word(&from->start) &&
	    to->start < to->stop;
}

static paths_status
cpu_add_intervals(struct es__cpu_thread *t, const struct es_space_rows *rows)
{
	const struct es_cpu_lost *from = rows->rows;

	if (!paths__array_reserve(&t->intervals,
		t->interval_count + (size_t)rows->count, &t->interval_room,
		sizeof(*t->intervals)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	for (uint64_t n = 0; n < rows->count; n++)
		t->interval_count +=
		    cpu_copy(&from[n], &t->intervals[t->interval_count]);
	return PATHS_OK;
}

static paths_status
cpu_add_rows(const struct es_run *run, uint32_t process,
    const struct es_space_rows *rows, struct es__cpu_threads *threads)
{
	uint32_t thread;

	if (rows->kind != ES_PART_ROWS || rows->count == 0 ||
	    (rows->what != ES_CPU_SUMS && rows->what != ES_CPU_LOST))
		return PATHS_OK;
	thread = cpu_owner(run, process, rows->owner);
	if (thread >= threads->count)
		return PATHS_OK;
	if (rows->what == ES_CPU_LOST &&
	    rows->row_bytes == sizeof(struct es_cpu_lost))
		return cpu_add_intervals(&threads->threads[thread], rows);
	if (rows->what == ES_CPU_SUMS &&
	    (rows->row_bytes == sizeof(struct es_cpu_sums) ||
		rows->row_bytes == offsetof(struct es_cpu_sums, longest_ns)))
		cpu_add_sums(&threads->threads[thread], rows->rows,
		    rows->row_bytes);
	return PATHS_OK;
}

paths_status
es__cpu_threads_read(const struct es_run *run, struct es__cpu_threads *threads)
{
	struct es_space_rows rows;
	paths_status st = PATHS_OK;

	threads->count = run->map->thread_count;
	threads->threads =
	    calloc((size_t)threads->count + 1, sizeof(*threads->threads));
	if (threads->threads == NULL) {
		threads->count = 0;
		return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	}
	for (uint32_t p = 0; p < run->map->process_count; p++)
		for (uint32_t n = 0; st == PATHS_OK && run->spaces[p] != NULL &&
		     es_space_rows(run->spaces[p], n, &rows) == PATHS_OK;
		     n++)
			st = cpu_add_rows(run, p, &rows, threads);
	return st;
}

void
es__cpu_threads_fini(struct es__cpu_threads *threads)
{
	for (uint32_t n = 0; n < threads->count; n++)
		free(threads->threads[n].intervals);
	free(threads->threads);
}
