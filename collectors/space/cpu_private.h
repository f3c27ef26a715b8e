/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/cpu_private.h - samples how long a thread had no core
 */

#ifndef COLLECTORS_SPACE_CPU_PRIVATE_H
#define COLLECTORS_SPACE_CPU_PRIVATE_H

#include "collectors/cpu_space.h"
#include "collectors/record.h"
#include "collectors/space/cpu_split_private.h"

#include <sys/types.h>

/* Parts with intervals that a thread adds at most.  The first one is a page of
   the file, and each other has twice the bytes of the part before: 4 MiB in
   all. */
#define ES__CPU_PARTS 10u

/* Samples that are taken at most where an operation begins: another one if the
   kernel gave the core away in the last one. */
#define ES__CPU_TRIES 3

/* Returns the rows of the n-th part, from 0 on. */
static inline uint64_t
es__cpu_part_rows(uint32_t n)
{
	return (((uint64_t)ES_SPACE_PAGE << n) - sizeof(struct es_space_part)) /
	    sizeof(struct es_cpu_lost);
}

/* The sampler of a thread, zeros at first.  Only its thread uses it. */
struct es__cpu {
	/* Each operation uses these two. */
	uint64_t due;	 /* time of the next sample in ticks */
	uint64_t inside; /* ticks in operations so far, which the owner may
			    count */
	uint64_t serial; /* of the record that it writes to; 0: none yet */
	uint64_t ticks, cpu_ns, lost_ns; /* of the last sample */
	uint64_t mark;			 /* of the last sample */
	uint64_t inside_first;		 /* at the first sample */
	uint64_t inside_last;		 /* at the last sample */
	uint64_t paid;	 /* time up to which samples are taken, in ticks */
	bool pair_begun; /* the next sample is the other one of a pair */
	struct es__cpu_split split;
	int fd;	      /* of /proc/thread-self/schedstat, if is_open */
	dev_t device; /* of the file */
	ino_t inode;
	bool is_open;
	bool full; /* a part could not be added */
	struct es_cpu_sums *sums;
	struct es_space_part *parts[ES__CPU_PARTS];
	uint32_t part_count;
	uint32_t part; /* of the next row */
	uint64_t row;  /* in this part */
};

/* The `mark` of samples at the begin of an operation. */
#define ES__CPU_NO_MARK UINT64_MAX

/* The place of a sample. */
struct es__cpu_place {
	struct es_record *record;
	uint32_t owner; /* of the rows */
	enum es_cpu_side side;
	uint64_t now;  /* in ticks */
	uint64_t mark; /* number of operations of the thread so far: if it is
			  that of the sample before, none lies between */
};

/*
 * es__cpu_sample - adds the interval that ends now
 *
 * Called where an operation begins or ends behind cpu->due.  Costs two system
 * calls, about 1.5 us; the first sample in a space also adds rows to it.  A
 * thread that records in several spaces is sampled for the one that was opened
 * last, and a process after fork(2) is not sampled for those of its parent.
 */
void es__cpu_sample(struct es__cpu *cpu, const struct es__cpu_place *place)
    __attribute__((cold));

/* Returns the number of a collector of the spec in its space. */
uint32_t es__cpu_collector(const struct es_record_ring *ring);

/* Ends the sampling of a thread.  Its rows stay with the sampler, and the next
   thread that is given it continues them in the same space. */
void es__cpu_pause(struct es__cpu *cpu);

/* Ends the sampling of a thread, and gives its rows up. */
void es__cpu_close(struct es__cpu *cpu);

#endif
