/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/phases.c - the loops of the program in all threads of a run
 *
 * First the loops of each thread are found, then those of different threads are
 * compared.  Then the number of iterations of each phase is known, and the
 * iterations of each thread are put into bins.
 */

#include "scopes/phase/phases_private.h"

#include "scopes/phase/fill_private.h"
#include "scopes/phase/same_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* Limits of bins of all threads, and of one. */
#define ROWS_MAX ((size_t)1 << 20)
#define BINS_MAX ((size_t)1 << 14)
#define BINS_MIN ((size_t)64)

/* The work on a thread. */
struct thread {
	struct es__phase_reader reader;
	struct es__phase_detection detection;
	uint32_t *phase_of; /* of each loop that was found */
	uint32_t steps;	    /* loop; ES__PHASE_NONE: none */
};

struct phases {
	struct es_analysis *a;
	struct es__phases *result;
	struct thread *threads;
	const struct es__mpi_intervals *intervals; /* NULL: no MPI processes */
	bool *polls;				   /* by function */
	uint32_t function_count;
	bool by_program; /* operations on paths have steps */
};

static bool
function_polls(const struct es_mpi_function *function)
{
	return function->role == ES_MPI_ROLE_TEST ||
	    function->role == ES_MPI_ROLE_IPROBE;
}

static paths_status
phases_polls(struct phases *p)
{
	while (es_mpi_function(p->function_count) != NULL)
		p->function_count++;
	p->polls = calloc(p->function_count + (size_t)1, sizeof(*p->polls));
	if (p->polls == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	for (uint32_t n = 0; n < p->function_count; n++)
		p->polls[n] = function_polls(es_mpi_function(n));
	return PATHS_OK;
}

/* Returns whether loops of a thread are searched. */
static bool
thread_counts(const struct phases *p, uint32_t thread)
{
	const struct es__list *heads = &p->a->graph.heads[thread];

	return heads->count > 0 &&
	    (!p->by_program ||
		es__collector_calls(&p->a->run->collectors[heads->ids[0]]));
}

/* Finds the loops of a thread. */
static paths_status
phases_detect(void *context, size_t item, void *result)
{
	struct phases *p = context;
	struct thread *t = &p->threads[item];
	paths_status st;

	(void)result;
	t->steps = ES__PHASE_NONE;
	if (!thread_counts(p, (uint32_t)item))
		return PATHS_OK;
	st = es__phase_reader_open(&t->reader, p->a, (uint32_t)item,
	    &(struct es__phase_rules){ p->intervals, p->polls,
		p->function_count });
	if (st == PATHS_OK)
		st = es__phase_detect(&t->reader.source, &t->detection);
	/* The loops of a part do not fit to the whole. */
	if (t->reader.failed)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	if (st == PATHS_OK)
		t->steps = es__phase_steps(&t->detection);
	return st;
}

/* Returns whether no tuple of a thread is missing at its end. */
static bool
thread_ended(const struct phases *p, uint32_t thread)
{
	uint32_t process = p->a->map->threads[thread].process;
	enum es__space_state state = p->a->run->states[process];

	return state == ES__SPACE_CLOSED;
}

static bool
thread_lost(const struct phases *p, uint32_t thread)
{
	const struct es__list *heads = &p->a->graph.heads[thread];

	for (uint32_t n = 0; n < heads->count; n++)
		if (p->a->run->collectors[heads->ids[n]].discarded > 0)
			return true;
	return false;
}

/* Adds the phases of a thread, and its parts. */
static paths_status
phases_thread(struct phases *p, uint32_t thread)
{
	struct thread *t = &p->threads[thread];
	struct es__phases *all = p->result;
	paths_status st;

	all->part_first[thread] = (uint32_t)all->part_count;
	t->phase_of = malloc((t->detection.count + 1) * sizeof(*t->phase_of));
	if (t->phase_of == NULL ||
	    !paths__array_reserve(&all->parts,
		all->part_count + t->detection.count + 1, &all->part_room,
		sizeof(*all->parts)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	st = es__phase_same(all, &t->detection, &t->reader, t->phase_of);
	for (uint32_t n = 0; st == PATHS_OK && n < t->detection.count; n++) {
		const struct es__phase_found *f = &t->detection.found[n];
		struct es__phase *phase = &all->phases[t->phase_of[n]];

		all->parts[all->part_count++] =
		    (struct es__phase_part){ .phase = t->phase_of[n],
			    .thread = thread,
			    .iterations = f->iterations,
			    .instances = f->instances,
			    .calls = f->calls };
		if (f->iterations > phase->iterations)
			phase->iterations = f->iterations;
		if (phase->iterations_least == 0 ||
		    f->iterations < phase->iterations_least)
			phase->iterations_least = f->iterations;
	}
	return st;
}

/* Chooses the phase whose iterations are the steps: of those that threads take
   for it, the one with the most operations. */
static void
phases_steps(struct phases *p)
{
	struct es__phases *all = p->result;

	all->steps = PATHS_NONE;
	for (uint32_t n = 0; n < p->a->map->thread_count; n++) {
		const struct thread *t = &p->threads[n];
		uint32_t phase;

		if (t->steps == ES__PHASE_NONE)
			continue;
		phase = t->phase_of[t->steps];
		if (all->steps == PATHS_NONE ||
		    all->phases[phase].events > all->phases[all->steps].events)
			all->steps = phase;
	}
	if (all->steps != PATHS_NONE)
		all->phases[all->steps].steps = true;
}

/* Numbers the iterations of threads whose first ones were discarded from the
   end, and sets the bins. */
static void
phases_numbers(struct phases *p)
{
	struct es__phases *all = p->result;
	size_t most = ROWS_MAX / (p->a->map->thread_count + (size_t)1);

	most = most > BINS_MAX ? BINS_MAX : most;
	most = most < BINS_MIN ? BINS_MIN : most;
	for (size_t n = 0; n < all->part_count; n++) {
		struct es__phase_part *part = &all->parts[n];

		if (thread_lost(p, part->thread) &&
		    thread_ended(p, part->thread))
			part->offset = all->phases[part->phase].iterations -
			    part->iterations;
	}
	for (size_t n = 0; n < all->phase_count; n++)
		while (
		    all->phases[n].iterations >> all->phases[n].shift >= most)
			all->phases[n].shift++;
}

/* Puts the iterations of a thread into bins. */
static paths_status
phases_fill(void *context, size_t item, void *result)
{
	struct phases *p = context;
	struct thread *t = &p->threads[item];
	struct es__phase_reader times = { .feed_count = 0 };
	struct es__phase_target *targets;
	paths_status st;

	(void)result;
	if (t->detection.count == 0)
		return PATHS_OK;
	targets = calloc(t->detection.count, sizeof(*targets));
	if (targets == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	for (uint32_t n = 0; n < t->detection.count; n++) {
		targets[n].part =
		    &p->result->parts[p->result->part_first[item] + n];
		targets[n].shift = p->result->phases[t->phase_of[n]].shift;
	}
	st = es__phase_reader_open(&times, p->a, (uint32_t)item,
	    &(struct es__phase_rules){ p->intervals, p->polls,
		p->function_count });
	if (st == PATHS_OK)
		st = es__phase_fill(&t->reader, &times, &t->detection, targets);
	es__phase_reader_close(&times);
	free(targets);
	return st;
}

static void
phases_destroy(struct es__kept *kept)
{
	struct es__phases *all = (void *)kept;

	for (size_t n = 0; n < all->phase_count; n++)
		free(all->phases[n].keys);
	for (size_t n = 0; n < all->part_count; n++)
		free(all->parts[n].bins);
	free(all->phases);
	free(all->parts);
	free(all->part_first);
	free(all);
}

static paths_status
phases_find(struct phases *p)
{
	uint32_t count = p->a->map->thread_count;
	struct es__work work = { .count = count,
		.context = p,
		.work = phases_detect };
	paths_status st = phases_polls(p);

	if (st == PATHS_OK && es_run_mpi(p->a->run) != NULL)
		st = es__mpi_intervals_get(p->a, &p->intervals);
	for (uint32_t c = 0; c < p->a->run->collector_count; c++)
		p->by_program |= p->a->overviews[c].step_last > 0;
	p->threads = calloc(count + (size_t)1, sizeof(*p->threads));
	p->result->part_first =
	    calloc(count + (size_t)1, sizeof(*p->result->part_first));
	if (p->threads == NULL || p->result->part_first == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	if (st == PATHS_OK)
		st = es__work_run(&work, p->a->threads);
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = phases_thread(p, n);
	p->result->part_first[count] = (uint32_t)p->result->part_count;
	if (st != PATHS_OK)
		return st;
	phases_steps(p);
	phases_numbers(p);
	work.work = phases_fill;
	return es__work_run(&work, p->a->threads);
}

static void
phases_close(struct phases *p)
{
	for (uint32_t n = 0; p->threads != NULL && n < p->a->map->thread_count;
	     n++) {
		es__phase_detect_close(&p->threads[n].detection);
		es__phase_reader_close(&p->threads[n].reader);
		free(p->threads[n].phase_of);
	}
	free(p->threads);
	free(p->polls);
}

paths_status
es__phases_get(struct es_analysis *a, const struct es__phases **phases)
{
	struct es__kept *kept = es__analysis_kept(a, phases_destroy);
	struct phases p = { .a = a };
	paths_status st;

	if (kept != NULL) {
		*phases = (const void *)kept;
		return PATHS_OK;
	}
	p.result = calloc(1, sizeof(*p.result));
	if (p.result == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	st = phases_find(&p);
	phases_close(&p);
	if (st != PATHS_OK) {
		phases_destroy(&p.result->kept);
		return st;
	}
	es__analysis_keep(a, &p.result->kept, phases_destroy);
	*phases = p.result;
	return PATHS_OK;
}

const struct es__phase_part *
es__phases_part(const struct es__phases *phases, uint32_t thread,
    uint32_t phase)
{
	for (uint32_t n = phases->part_first[thread];
	     n < phases->part_first[thread + 1]; n++)
		if (phases->parts[n].phase == phase)
			return &phases->parts[n];
	return NULL;
}

uint32_t
es__phases_bin(const struct es__phase_part *part, uint64_t ticks)
{
	size_t low = 0, high = part->bin_count;

	/* Bins before the first iteration are empty, and start at 0. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (part->bins[middle].start <= ticks)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || part->bins[low - 1].iterations == 0 ||
	    ticks >= part->bins[low - 1].stop)
		return PATHS_NONE;
	return (uint32_t)(low - 1);
}
