/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/cpu_sample_private.h - samples how long a thread that runs
 * operations had no core
 */

#ifndef COLLECTORS_STAGE_CPU_SAMPLE_PRIVATE_H
#define COLLECTORS_STAGE_CPU_SAMPLE_PRIVATE_H

#include "collectors/cpu_space.h"
#include "collectors/record.h"

#include "libpaths/language.h"

/* Time of the next sample of the thread in ticks; 0 before the first one. */
extern __thread uint64_t es__cpu_sample_due
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Samples for a collector that an operation enters, at or behind
   es__cpu_sample_due.  Returns the time afterwards, in ticks: the sample is not
   part of the operation. */
uint64_t es__cpu_sample_enter(const struct es_record_ring *ring, uint64_t now)
    __attribute__((cold));

/* Samples for a collector that an operation leaves. */
void es__cpu_sample_leave(const struct es_record_ring *ring, uint64_t now)
    __attribute__((cold));

#endif
