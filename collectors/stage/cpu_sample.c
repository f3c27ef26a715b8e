/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/cpu_sample.c - samples how long a thread that runs
 * operations had no core
 *
 * A thread samples for the collector that it enters or leaves when a sample is
 * due; all its collectors share the time of the next one.  The rows have the
 * number of the collector that sampled first, which is one at the begin of a
 * path of the thread.
 */

#include "collectors/stage/cpu_sample_private.h"

#include "collectors/space/cpu_private.h"

#include <pthread.h>
#include <stdlib.h>

__thread uint64_t es__cpu_sample_due;

static __thread struct es__cpu *cpu_sampler;

static pthread_once_t cpu_once = PTHREAD_ONCE_INIT;
static pthread_key_t cpu_key;
static bool cpu_key_made;

static void
cpu_sample_end(void *sampler)
{
	es__cpu_close(sampler);
	free(sampler);
	cpu_sampler = NULL;
	/* Operations in later destructors are not sampled. */
	es__cpu_sample_due = UINT64_MAX;
}

static void
cpu_sample_prepare(void)
{
	cpu_key_made = pthread_key_create(&cpu_key, cpu_sample_end) == 0;
}

/* Returns the sampler of the thread; NULL: it has none. */
static struct es__cpu *
cpu_sample_self(void)
{
	pthread_once(&cpu_once, cpu_sample_prepare);
	if (cpu_sampler == NULL && cpu_key_made) {
		cpu_sampler = calloc(1, sizeof(*cpu_sampler));
		(void)pthread_setspecific(cpu_key, cpu_sampler);
	}
	return cpu_sampler;
}

void
es__cpu_sample_take(const struct es_record_ring *ring, uint64_t now,
    enum es_cpu_side side)
{
	struct es__cpu *cpu = cpu_sample_self();
	struct es__cpu_place place = { .record = ring->record,
		.side = side,
		.now = now };

	es__cpu_sample_due = UINT64_MAX;
	if (cpu == NULL || ring->record == NULL)
		return;
	place.owner = es__cpu_collector(ring);
	place.mark = (uint64_t)place.owner << 40 ^
	    atomic_load_explicit(&ring->hot->reserved, memory_order_relaxed);
	es__cpu_sample(cpu, &place);
	es__cpu_sample_due = cpu->due;
}
