/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/cpu.c - samples how long a thread had no core
 *
 * The run-queue delay in /proc/thread-self/schedstat is exact whenever the
 * thread reads it, because the kernel adds to it when the thread gets a core.
 * The time on a core in this file is that of the last tick of the kernel, so
 * it is read with clock_gettime instead.
 *
 * The parts of a thread that hardly lost its core take two pages of the space;
 * parts for more intervals are added when they are needed.  When the thread
 * ends, a later one can continue them.
 *
 * Samples are taken in pairs, so that their interval has one call, or the time
 * between two calls.  A thread that has taken fewer samples than it may takes
 * the next ones at once.
 */

#include "collectors/space/cpu_private.h"

#include "collectors/space/cpu_split_private.h"
#include "collectors/space/record_private.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Shorter losses are not kept as intervals; the sums have them.  Both samples
   of a pair are at least as far apart. */
#define CPU_LEAST_NS 20000u

/* Samples that a thread may take at once, after it took fewer than it may.  The
   rest of ES_CPU_HZ, less one that is half of a pair, are taken in turn. */
#define CPU_SAVED 8u
#define CPU_STEADY_HZ (ES_CPU_HZ - CPU_SAVED - 2)

static bool
cpu_open_file(struct es__cpu *cpu)
{
	struct stat about;

	cpu->fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	cpu->is_open = cpu->fd >= 0 && fstat(cpu->fd, &about) == 0;
	if (cpu->is_open) {
		cpu->device = about.st_dev;
		cpu->inode = about.st_ino;
	}
	return cpu->is_open;
}

/* Reads a decimal number, which a blank ends; returns what is behind it; NULL:
   there is none. */
static const char *
cpu_number(const char *text, uint64_t *number)
{
	const char *at = text;

	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		*number = *number * 10 + (uint64_t)(*at - '0');
	return at > text && *at == ' ' ? at + 1 : NULL;
}

/* Reads the run-queue delay and the time on a core so far.  The program may
   have closed the descriptor, and opened another file with its number. */
static bool
cpu_read(const struct es__cpu *cpu, uint64_t *cpu_ns, uint64_t *lost_ns)
{
	struct timespec spent;
	char text[96];
	const char *at = text;
	ssize_t n = pread(cpu->fd, text, sizeof(text) - 1, 0);

	if (n <= 0 || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) != 0)
		return false;
	text[n] = '\0';
	at = cpu_number(at, lost_ns);
	if (at != NULL)
		at = cpu_number(at, lost_ns);
	*cpu_ns = (uint64_t)spent.tv_sec * 1000000000 + (uint64_t)spent.tv_nsec;
	return at != NULL;
}

/* Adds a part with zero rows. */
static struct es_space_part *
cpu_add_part(const struct es__cpu_place *place, uint32_t what,
    uint32_t row_bytes, uint64_t room)
{
	struct es_record_part want = { .what = what,
		.owner = place->owner,
		.row_bytes = row_bytes,
		.room = room };
	struct es_space_part *part;

	return es_record_add_rows(place->record, &want, &part) == PATHS_OK ?
	    part :
	    NULL;
}

/* Goes to the part of the next row: a new one if there may be more, else the
   first one. */
static void
cpu_next_part(struct es__cpu *cpu, const struct es__cpu_place *place)
{
	struct es_space_part *part = NULL;

	if (cpu->part_count < ES__CPU_PARTS && !cpu->full)
		part =
		    cpu_add_part(place, ES_CPU_LOST, sizeof(struct es_cpu_lost),
			es__cpu_part_rows(cpu->part_count));
	cpu->full = part == NULL;
	if (part != NULL)
		cpu->parts[cpu->part_count++] = part;
	cpu->part = cpu->full ? 0 : cpu->part_count - 1;
	cpu->row = 0;
}

/* Returns the row for the next interval, that of the oldest one if there is no
   room; NULL: there are no rows. */
static struct es_cpu_lost *
cpu_row(struct es__cpu *cpu, const struct es__cpu_place *place)
{
	struct es_space_part *part;

	if (cpu->part + 1 < cpu->part_count &&
	    cpu->row == cpu->parts[cpu->part]->room) {
		cpu->part++;
		cpu->row = 0;
	} else if (cpu->part_count == 0 ||
	    cpu->row == cpu->parts[cpu->part]->room) {
		cpu_next_part(cpu, place);
	}
	if (cpu->part_count == 0)
		return NULL;
	part = cpu->parts[cpu->part];
	return (struct es_cpu_lost *)(part + 1) + cpu->row++;
}

/* Keeps an interval. */
static void
cpu_keep(struct es__cpu *cpu, const struct es__cpu_place *place,
    const struct es_cpu_lost *interval)
{
	struct es_cpu_lost *row = cpu_row(cpu, place);
	struct es_space_part *part;

	if (row == NULL)
		return;
	part = cpu->parts[cpu->part];
	/* A reader that sees a word of the new interval sees no start, or the
	   new one. */
	atomic_store_explicit(&row->start, 0, memory_order_relaxed);
	es_space_fence(memory_order_release);
	atomic_store_explicit(&row->stop, interval->stop, memory_order_relaxed);
	atomic_store_explicit(&row->lost_ns, interval->lost_ns,
	    memory_order_relaxed);
	atomic_store_explicit(&row->idle_ns, interval->idle_ns,
	    memory_order_relaxed);
	/* Release: the acquire is in the reader. */
	atomic_store_explicit(&row->start, interval->start,
	    memory_order_release);
	if (cpu->row > atomic_load_explicit(&part->used, memory_order_relaxed))
		atomic_store_explicit(&part->used, cpu->row,
		    memory_order_release);
}

/* Returns the time of an interval that may lie in operations, in ns. */
static uint64_t
cpu_inside_ns(const struct es__cpu *cpu, const struct es__cpu_place *place,
    uint64_t ns)
{
	uint64_t inside_ns = 0;

	if (cpu->inside != 0)
		inside_ns =
		    paths_clock_ticks_to_ns(cpu->inside - cpu->inside_last);
	else if (place->side == ES_CPU_INSIDE)
		inside_ns = ns;
	else if (place->mark != cpu->mark && cpu->due > cpu->ticks)
		/* Operations that were not sampled ended before the sample was
		   due. */
		inside_ns = paths_clock_ticks_to_ns(cpu->due - cpu->ticks);
	return inside_ns < ns ? inside_ns : ns;
}

/* Notes a time on a core outside of operations, if none was longer. */
static void
cpu_longest(struct es_cpu_sums *sums, uint64_t ns)
{
	/* Relaxed: a sum of one writer. */
	if (ns > atomic_load_explicit(&sums->longest_ns, memory_order_relaxed))
		atomic_store_explicit(&sums->longest_ns, ns,
		    memory_order_relaxed);
}

/* Adds the interval from the last sample on. */
static void
cpu_add(struct es__cpu *cpu, const struct es__cpu_place *place, uint64_t cpu_ns,
    uint64_t lost_ns)
{
	struct es_cpu_sums *sums = cpu->sums;
	uint64_t ns = paths_clock_ticks_to_ns(place->now - cpu->ticks);
	uint64_t known_ns = cpu_ns + lost_ns;
	uint64_t idle_ns = ns > known_ns ? ns - known_ns : 0;
	uint64_t inside_ns = cpu_inside_ns(cpu, place, ns);
	uint64_t outside_lost_ns = place->side == ES_CPU_OUTSIDE ? lost_ns : 0;
	uint64_t elsewhere_ns; /* not on a core outside of operations */

	if (cpu->inside != 0)
		outside_lost_ns = es__cpu_split(&cpu->split,
		    &(struct es__cpu_spent){ ns, inside_ns, lost_ns });
	idle_ns -= idle_ns < inside_ns ? idle_ns : inside_ns;
	es_record_add(&sums->cpu_ns[place->side], cpu_ns);
	es_record_add(&sums->lost_ns[ES_CPU_OUTSIDE], outside_lost_ns);
	es_record_add(&sums->lost_ns[ES_CPU_INSIDE], lost_ns - outside_lost_ns);
	es_record_add(&sums->idle_ns, idle_ns);
	elsewhere_ns = inside_ns + outside_lost_ns + idle_ns;
	cpu_longest(sums, ns > elsewhere_ns ? ns - elsewhere_ns : 0);
	if (lost_ns > CPU_LEAST_NS || idle_ns > CPU_LEAST_NS)
		cpu_keep(cpu, place,
		    &(struct es_cpu_lost){ cpu->ticks, place->now, lost_ns,
			idle_ns });
}

/* Returns the time that a thread lost between the time of its sample and the
   reading of the counts.  It belongs to the next interval. */
static uint64_t
cpu_late_ns(const struct es__cpu *cpu, uint64_t now, uint64_t cpu_ns,
    uint64_t lost_ns)
{
	uint64_t ns = paths_clock_ticks_to_ns(now - cpu->ticks);
	uint64_t known_ns = cpu_ns - cpu->cpu_ns + lost_ns - cpu->lost_ns;

	if (known_ns <= ns)
		return 0;
	known_ns -= ns;
	return known_ns < lost_ns - cpu->lost_ns ? known_ns :
						   lost_ns - cpu->lost_ns;
}

/* Sets the time of the next sample. */
static void
cpu_next(struct es__cpu *cpu, uint64_t hz, uint64_t now)
{
	uint64_t period = hz / CPU_STEADY_HZ;

	if (cpu->paid + CPU_SAVED * period < now)
		cpu->paid = now - CPU_SAVED * period;
	cpu->paid += period;
	cpu->pair_begun = !cpu->pair_begun;
	cpu->due = now + hz / (1000000000 / CPU_LEAST_NS);
	if (!cpu->pair_begun && cpu->due < cpu->paid)
		cpu->due = cpu->paid;
}

/* Closes the file of the thread, unless its descriptor is that of another file
   of the program by now. */
static void
cpu_close_file(struct es__cpu *cpu)
{
	struct stat about;

	if (cpu->is_open && fstat(cpu->fd, &about) == 0 &&
	    about.st_dev == cpu->device && about.st_ino == cpu->inode)
		close(cpu->fd);
	cpu->is_open = false;
}

/* Stops the sampling for this space.  The thread looks for a later one once a
   second. */
static void
cpu_stop(struct es__cpu *cpu, const struct es__cpu_place *place)
{
	cpu_close_file(cpu);
	cpu->sums = NULL;
	cpu->due = place->now + place->record->hz;
}

/* Opens the file of the thread, and reads the counts at the start. */
static bool
cpu_open(struct es__cpu *cpu, const struct es__cpu_place *place)
{
	return !place->record->forked && cpu_open_file(cpu) &&
	    cpu_read(cpu, &cpu->cpu_ns, &cpu->lost_ns);
}

/* Keeps the time since the sample was due as lost: the recorder took it from
   the thread to open files and to add parts to the space. */
static void
cpu_keep_start(struct es__cpu *cpu, const struct es__cpu_place *place)
{
	uint64_t lost_ns;

	cpu->ticks = paths_clock_ticks();
	lost_ns = paths_clock_ticks_to_ns(cpu->ticks - place->now);
	if (lost_ns > CPU_LEAST_NS)
		cpu_keep(cpu, place,
		    &(struct es_cpu_lost){ place->now, cpu->ticks, lost_ns,
			0 });
}

/* Begins to sample for a space.  A space that cannot have its rows is not
   sampled. */
static void
cpu_begin(struct es__cpu *cpu, const struct es__cpu_place *place)
{
	struct es_space_part *part = NULL;
	uint64_t inside = cpu->inside;

	es__cpu_close(cpu);
	cpu->inside = cpu->inside_first = cpu->inside_last = inside;
	cpu->serial = place->record->serial;
	if (cpu_open(cpu, place))
		part = cpu_add_part(place, ES_CPU_SUMS, sizeof(*cpu->sums), 1);
	if (part == NULL) {
		cpu_stop(cpu, place);
		return;
	}
	cpu->sums = (struct es_cpu_sums *)(part + 1);
	/* Release: the acquire is in es_space_rows. */
	atomic_store_explicit(&part->used, 1, memory_order_release);
	cpu_keep_start(cpu, place);
	atomic_store_explicit(&cpu->sums->first, cpu->ticks,
	    memory_order_relaxed);
}

/* Continues the rows of a thread that ended.  The time without a thread is
   not sampled, so the first sample moves on by it. */
static void
cpu_resume(struct es__cpu *cpu, const struct es__cpu_place *place)
{
	struct es_cpu_sums *sums = cpu->sums;

	if (!cpu_open(cpu, place)) {
		cpu_stop(cpu, place);
		return;
	}
	cpu_keep_start(cpu, place);
	/* Calls after the last sample of the other thread do not count. */
	cpu->inside_first = cpu->inside -
	    atomic_load_explicit(&sums->inside, memory_order_relaxed);
	cpu->inside_last = cpu->inside;
	es_record_add(&sums->first,
	    cpu->ticks -
		atomic_load_explicit(&sums->last, memory_order_relaxed));
	atomic_store_explicit(&sums->last, cpu->ticks, memory_order_relaxed);
}

void
es__cpu_sample(struct es__cpu *cpu, const struct es__cpu_place *place)
{
	const struct es_record *record = place->record;
	uint64_t now = place->now, cpu_ns, lost_ns;

	if (cpu->serial > record->serial)
		cpu_next(cpu, record->hz, now);
	if (cpu->serial < record->serial)
		cpu_begin(cpu, place);
	else if (cpu->serial == record->serial && cpu->sums != NULL &&
	    !cpu->is_open)
		cpu_resume(cpu, place);
	if (cpu->serial > record->serial)
		return;
	if (cpu->sums == NULL || record->forked ||
	    !cpu_read(cpu, &cpu_ns, &lost_ns)) {
		cpu_stop(cpu, place);
		return;
	}
	if (now > cpu->ticks && (int64_t)(cpu_ns - cpu->cpu_ns) >= 0 &&
	    (int64_t)(lost_ns - cpu->lost_ns) >= 0) {
		lost_ns -= cpu_late_ns(cpu, now, cpu_ns, lost_ns);
		cpu_add(cpu, place, cpu_ns - cpu->cpu_ns,
		    lost_ns - cpu->lost_ns);
	}
	if (now < cpu->ticks)
		now = cpu->ticks;
	atomic_store_explicit(&cpu->sums->last, now, memory_order_relaxed);
	atomic_store_explicit(&cpu->sums->inside,
	    cpu->inside - cpu->inside_first, memory_order_relaxed);
	es_record_add(&cpu->sums->samples, 1);
	cpu->ticks = now;
	cpu->cpu_ns = cpu_ns;
	cpu->lost_ns = lost_ns;
	cpu->inside_last = cpu->inside;
	cpu->mark =
	    place->side == ES_CPU_INSIDE ? place->mark : ES__CPU_NO_MARK;
	cpu_next(cpu, record->hz, now);
}

uint32_t
es__cpu_collector(const struct es_record_ring *ring)
{
	const struct es_space_head *h =
	    (const struct es_space_head *)ring->record->base;
	const char *first = ring->record->base + h->live_offset;

	return (uint32_t)(((const char *)ring->hot - first) / ES_SPACE_ALIGN) -
	    1;
}

void
es__cpu_pause(struct es__cpu *cpu)
{
	if (cpu->sums == NULL)
		es__cpu_close(cpu);
	cpu_close_file(cpu);
	cpu->due = 0;
}

void
es__cpu_close(struct es__cpu *cpu)
{
	cpu_close_file(cpu);
	*cpu = (struct es__cpu){ .due = 0 };
}
