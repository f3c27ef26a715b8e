/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/cpu_sample.c - samples how long a thread that runs
 * operations had no core
 *
 * A thread samples for the collector that it enters or leaves when a sample is
 * due; all its collectors share the time of the next one.  The rows have the
 * number of the collector that sampled first, which is one at the begin of a
 * path of the thread.  When the thread ends, the next one that samples
 * first at this collector continues its rows.
 */

#include "collectors/stage/cpu_sample_private.h"

#include "collectors/space/cpu_private.h"
#include "collectors/space/record_private.h"

#include <pthread.h>
#include <stdlib.h>

__thread uint64_t es__cpu_sample_due;

/* A sampler, with the number of the collector that sampled first. */
struct cpu_sampler {
	struct es__cpu cpu;
	uint32_t owner;
	struct cpu_sampler *next; /* among those of threads that ended */
};

static __thread struct cpu_sampler *cpu_self;

/* Samplers of threads that ended.  A list without a lock, which a process that
   is forked at any time can use. */
static struct cpu_sampler *_Atomic cpu_idle;

static pthread_once_t cpu_once = PTHREAD_ONCE_INIT;
static pthread_key_t cpu_key;
static bool cpu_key_made;

static void
cpu_idle_add(struct cpu_sampler *s)
{
	/* Relaxed: the exchange compares it. */
	s->next = atomic_load_explicit(&cpu_idle, memory_order_relaxed);
	/* Release: pairs with the acquire in cpu_idle_take. */
	while (!atomic_compare_exchange_weak_explicit(&cpu_idle, &s->next, s,
	    memory_order_release, memory_order_relaxed))
		;
}

static void
cpu_sample_end(void *sampler)
{
	struct cpu_sampler *s = sampler;

	es__cpu_pause(&s->cpu);
	cpu_idle_add(s);
	cpu_self = NULL;
	/* Operations in later destructors are not sampled. */
	es__cpu_sample_due = UINT64_MAX;
}

static void
cpu_sample_prepare(void)
{
	cpu_key_made = pthread_key_create(&cpu_key, cpu_sample_end) == 0;
}

/* Takes the sampler of a thread that ended whose rows are those of a collector;
   NULL: there is none.  Takes all from the list at first, so no other thread
   can change what it reads; those for older spaces are of no use. */
static struct cpu_sampler *
cpu_idle_take(const struct es_record *record, uint32_t owner)
{
	struct cpu_sampler *s, *next, *found = NULL;

	/* Acquire: pairs with the release in cpu_idle_add. */
	s = atomic_exchange_explicit(&cpu_idle, NULL, memory_order_acquire);
	for (; s != NULL; s = next) {
		next = s->next;
		if (found == NULL && s->owner == owner &&
		    s->cpu.serial == record->serial)
			found = s;
		else if (s->cpu.serial < record->serial)
			free(s);
		else
			cpu_idle_add(s);
	}
	return found;
}

/* Returns the sampler of the thread; NULL: it has none. */
static struct cpu_sampler *
cpu_sample_self(const struct es_record *record, uint32_t owner)
{
	pthread_once(&cpu_once, cpu_sample_prepare);
	if (cpu_self != NULL || !cpu_key_made)
		return cpu_self;
	cpu_self = cpu_idle_take(record, owner);
	if (cpu_self == NULL) {
		cpu_self = calloc(1, sizeof(*cpu_self));
		if (cpu_self != NULL)
			cpu_self->owner = owner;
	}
	(void)pthread_setspecific(cpu_key, cpu_self);
	return cpu_self;
}

static void
cpu_sample_take(const struct es_record_ring *ring, uint64_t now,
    enum es_cpu_side side)
{
	struct es__cpu_place place = { .record = ring->record,
		.side = side,
		.now = now };
	struct cpu_sampler *s;

	/* Without a record or memory, the thread tries again in a second. */
	es__cpu_sample_due = now + paths_clock_ns_to_ticks(1000000000);
	if (ring->record == NULL)
		return;
	place.owner = es__cpu_collector(ring);
	s = cpu_sample_self(ring->record, place.owner);
	if (s == NULL)
		return;
	/* A sampler that begins in a new space has its rows there. */
	if (s->cpu.serial < ring->record->serial)
		s->owner = place.owner;
	place.mark = (uint64_t)place.owner << 40 ^
	    atomic_load_explicit(&ring->hot->reserved, memory_order_relaxed);
	es__cpu_sample(&s->cpu, &place);
	es__cpu_sample_due = s->cpu.due;
}

uint64_t
es__cpu_sample_enter(const struct es_record_ring *ring, uint64_t now)
{
	/* The kernel may give the core away when a system call of the sample
	   ends.  That time is not part of the operation either. */
	for (int n = 0; n < ES__CPU_TRIES && now > es__cpu_sample_due; n++) {
		cpu_sample_take(ring, now, ES_CPU_OUTSIDE);
		now = paths_clock_ticks();
	}
	return now;
}

void
es__cpu_sample_leave(const struct es_record_ring *ring, uint64_t now)
{
	cpu_sample_take(ring, now, ES_CPU_INSIDE);
}
