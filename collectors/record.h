/* SPDX-License-Identifier: MIT */
/*
 * collectors/record.h - writes the event space of a process
 *
 * Used by collectors.  es_record_open allocates and touches the memory of the
 * rings and rows in its spec.  es_record_add_ring and es_record_add_rows do so
 * for the parts that they add.  No other function allocates memory.  A ring
 * that can grow has at first the memory of `first` tuples.  A thread of the
 * process provides more before the ring is full for the first time.  When this
 * thread comes late, or the disk is full, the ring overwrites its oldest tuple
 * as if it could not grow; the recording thread never waits.  The inline
 * functions, which record, do no allocation, lock, system call or division, and
 * never wait for a reader; but about once a second es_record_complete reads all
 * clocks.  A collector has one writer at a time: the thread that runs its
 * operation.
 *
 * In a child of fork(2), the mappings of its parent's spaces are private
 * copies: nothing that the child records or closes reaches the files, and parts
 * cannot be added.
 *
 * A tuple is recorded in these steps:
 *
 *	t = es_record_reserve(ring);	readers no longer use the oldest tuple
 *	fill in all of *t, with stop 0
 *	es_record_fill(ring);		readers can read *t
 *	...				the operation
 *	fill in stop and the results of the operation
 *	es_record_complete(ring, stop);
 */

#ifndef COLLECTORS_RECORD_H
#define COLLECTORS_RECORD_H

#include "collectors/space.h"
#include "collectors/space_format.h"

PATHS_BEGIN_DECLS

struct es_record;

/* The least number of tuples from which a ring can grow. */
#define ES_RECORD_FIRST_LEAST 1024u

/* The specification of a collector. */
struct es_record_collector {
	uint32_t instance; /* in the map */
	uint32_t mode;	   /* ES_MODE_... */
	const struct es_tuple_type *type;
	uint64_t capacity;    /* tuples, at least 1 */
	uint64_t first;	      /* tuples that have memory when it is opened: a
				 power of two of ES_RECORD_FIRST_LEAST or
				 more, and capacity is first times a power of
				 two; 0: all */
	uint32_t profile_ops; /* rows: profile_ops x profile_classes */
	uint32_t profile_classes;
	uint32_t matrix_peers; /* rows: matrix_peers x matrix_categories */
	uint32_t matrix_categories;
};

/* The specification of a space. */
struct es_record_spec {
	const char *directory; /* of the run */
	const char *process_name;
	uint32_t process; /* index in the map; ES_SPACE_MAPLESS */
	uint32_t collector_count;
	const char *map_text;
	size_t map_bytes;
	const struct es_record_collector *collectors;
	const struct es_tuple_type *added; /* of the collectors that
					      es_record_add_ring adds, or NULL
					      if it adds none */
	bool buffer; /* the file is PROCESS.buffer: a server keeps the space,
			and the rings do not grow */
};

/* The specification of a part that is added to a space. */
struct es_record_part {
	uint32_t what;	    /* kind of its rows, a number for readers */
	uint32_t owner;	    /* number of the thread that writes it */
	uint32_t row_bytes; /* a multiple of 8; 1: a log */
	uint64_t room;	    /* rows */
};

/* The memory that a collector writes to; constant after open. */
struct es_record_ring {
	struct es_space_hot *hot;
	char *tuples;
	uint32_t tuple_bytes;
	uint32_t profile_classes;
	uint32_t matrix_categories;
	struct es_space_profile_row *profile;
	struct es_space_matrix_row *matrix;
	struct es_record *record;
};

/*
 * es_record_open - creates the event space of a process
 *
 * The file directory/process_name.space appears complete or not at all, and
 * replaces an older one that no process writes.  Its disk space is allocated
 * here.
 *
 * spec		not kept
 * record	out
 *
 * Returns	PATHS_OK
 *		PATHS_EBUSY	a process, which the message names, or this one
 *				writes the file
 *		PATHS_EINVAL	a type that breaks the rules of tuple.h, a
 *				ring without a slot, a name that is too long
 *		PATHS_ERANGE	the space is larger than a file can be
 *		PATHS_EFULL	the disk is full, or the file would exceed
 *				RLIMIT_FSIZE
 *		PATHS_EIO	a system call failed
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_record_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_record_open(const struct es_record_spec *spec,
    struct es_record **record) PATHS_CHECKED;

/*
 * es_record_close - ends the recording of a space
 *
 * Warns when the file was removed while it was open.  When the process exits,
 * its exit status is written into the space that was closed last, and into
 * those that are still open.
 *
 * record	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, after all threads have stopped recording
 * Since	0.1
 */
ES_API void es_record_close(struct es_record *record);

/*
 * es_record_end - marks the recording of a space as ended
 *
 * Threads may continue to record until es_record_close.
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_record_end(struct es_record *record);

/*
 * es_record_resume - cancels the mark of es_record_end
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
ES_API void es_record_resume(struct es_record *record);

/*
 * es_record_add_rows - adds a part for rows, or for the bytes of a log
 *
 * The rows begin at part + 1 and are zero.  The writer of a row publishes it by
 * incrementing `used` of the part with release order.
 *
 * part	out
 *
 * Returns	PATHS_OK
 *		PATHS_EFULL	the disk is full, or the file would exceed
 *				RLIMIT_FSIZE
 *		PATHS_EIO	a system call failed
 *		PATHS_EINVAL	the size of a row, or of all rows, is invalid
 *		PATHS_ENOMEM
 * Ownership	the record's
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_record_add_rows(struct es_record *record,
    const struct es_record_part *want, struct es_space_part **part)
    PATHS_CHECKED;

/*
 * es_record_add_ring - adds a collector
 *
 * Its tuples have the type `added` of the spec.  It has no profile and no
 * matrix, and does not grow: `first` is 0.
 *
 * owner	number of the thread that writes it
 * ring	out
 *
 * Returns	as es_record_add_rows
 * Ownership	the record's
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_record_add_ring(struct es_record *record,
    const struct es_record_collector *want, uint32_t owner,
    struct es_record_ring *ring) PATHS_CHECKED;

/*
 * es_record_ring - gets the memory that a collector writes to
 *
 * n	in the order of spec->collectors
 * ring	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such collector
 * Ownership	the record's
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_record_ring(struct es_record *record, uint32_t n,
    struct es_record_ring *ring) PATHS_CHECKED;

/*
 * es_record_switches - returns the number of changes of modes in the space
 *
 * Returns	the word that every es_space_switch increments
 * Ownership	the record's
 * Threads	any
 * Since	0.1
 */
ES_API const paths_atomic_u32 *es_record_switches(
    const struct es_record *record);

/*
 * es_record_fd - returns the open file of the space
 *
 * Returns	a descriptor, for es_space_open_fd; -1 in a forked process
 * Ownership	the record's
 * Threads	any
 * Since	0.1
 */
ES_API int es_record_fd(const struct es_record *record);

/*
 * es_record_clock, es_record_clear_row, es_record_complete_slow - slow paths of
 * the functions below
 *
 * es_record_clock publishes a clock pair if one is due.  es_record_clear_row
 * clears a row of a profile or a matrix, and sets its epoch.
 * es_record_complete_slow does what es_record_complete does.  Behind the last
 * slot it also takes more slots into use if their memory is there and no tuple
 * has to move, and it publishes a clock pair if one is due.
 *
 * Returns	nothing
 * Threads	the collector's writer
 * Since	0.1
 */
ES_API void es_record_clock(const struct es_record_ring *ring)
    __attribute__((cold));
ES_API void es_record_clear_row(paths_atomic_u64 *row, uint32_t words,
    uint64_t epoch) __attribute__((cold));
ES_API void es_record_complete_slow(const struct es_record_ring *ring)
    __attribute__((cold));

/*
 * es_record_reserve - reserves the next slot of the ring
 *
 * Returns	the slot, which the caller fills in
 * Threads	the collector's writer
 * Since	0.1
 */
static inline void *
es_record_reserve(const struct es_record_ring *ring)
{
	struct es_space_hot *hot = ring->hot;
	uint64_t n = atomic_load_explicit(&hot->reserved, memory_order_relaxed);

	atomic_store_explicit(&hot->reserved, n + 1, memory_order_relaxed);
	/* Before the slot is overwritten; see es_space_read. */
	es_space_fence(memory_order_release);
	return ring->tuples + hot->next;
}

/*
 * es_record_fill - publishes the tuple in the slot that was reserved last
 *
 * Returns	nothing
 * Threads	the collector's writer
 * Since	0.1
 */
static inline void
es_record_fill(const struct es_record_ring *ring)
{
	struct es_space_hot *hot = ring->hot;
	uint64_t next = hot->next + ring->tuple_bytes;

	if (__builtin_expect(next >= hot->wrap, 0)) {
		next = 0;
		/* Behind the last slot, es_record_complete is slow. */
		hot->clock_due = 0;
	}
	hot->next = next;
	/* Release: pairs with the acquire in space_window. */
	atomic_store_explicit(&hot->filled,
	    atomic_load_explicit(&hot->reserved, memory_order_relaxed),
	    memory_order_release);
}

/*
 * es_record_complete - records that the operation of the newest tuple returned
 *
 * Also takes a calibration of the clock when the last one is a second old, and
 * behind the last slot lets the ring grow.
 *
 * stop	the current time in ticks
 *
 * Returns	nothing
 * Threads	the collector's writer
 * Since	0.1
 */
static inline void
es_record_complete(const struct es_record_ring *ring, uint64_t stop)
{
	struct es_space_hot *hot = ring->hot;

	if (__builtin_expect(stop >= hot->clock_due, 0))
		es_record_complete_slow(ring);
	else
		atomic_store_explicit(&hot->completed,
		    atomic_load_explicit(&hot->filled, memory_order_relaxed),
		    memory_order_release);
}

/*
 * es_record_add - adds to a word that has one writer
 *
 * With one writer this needs no atomic read-modify-write instruction.
 *
 * Returns	nothing
 * Threads	the word's writer
 * Since	0.1
 */
static inline void
es_record_add(paths_atomic_u64 *word, uint64_t n)
{
	atomic_store_explicit(word,
	    atomic_load_explicit(word, memory_order_relaxed) + n,
	    memory_order_relaxed);
}

/*
 * es_record_profile - counts an operation that has returned
 *
 * row		op * profile_classes + class, one of the ring's rows
 * ticks	duration of the operation
 * ok		whether it succeeded
 *
 * Returns	nothing
 * Threads	the collector's writer
 * Since	0.1
 */
static inline void
es_record_profile(const struct es_record_ring *ring, uint32_t row,
    uint64_t ticks, bool ok)
{
	struct es_space_profile_row *r = &ring->profile[row];
	/* Relaxed: an operation that misses a reset counts as before it. */
	uint64_t epoch = 2 *
	    (uint64_t)atomic_load_explicit(&ring->hot->epoch,
		memory_order_relaxed);
	unsigned bin = 63u - (unsigned)__builtin_clzll(ticks | 1);

	if (__builtin_expect(atomic_load_explicit(&r->epoch,
				 memory_order_relaxed) != epoch,
		0))
		es_record_clear_row(&r->epoch, sizeof(*r) / sizeof(r->epoch),
		    epoch);
	if (ticks < atomic_load_explicit(&r->min_ticks, memory_order_relaxed) ||
	    atomic_load_explicit(&r->count, memory_order_relaxed) == 0)
		atomic_store_explicit(&r->min_ticks, ticks,
		    memory_order_relaxed);
	if (ticks > atomic_load_explicit(&r->max_ticks, memory_order_relaxed))
		atomic_store_explicit(&r->max_ticks, ticks,
		    memory_order_relaxed);
	es_record_add(&r->count, 1);
	es_record_add(&r->ok, ok);
	es_record_add(&r->sum_ticks, ticks);
	es_record_add(&r->bins[bin], 1);
}

/*
 * es_record_matrix - counts a message
 *
 * row		peer * matrix_categories + category, one of the ring's rows
 * bytes	size of the message
 *
 * Returns	nothing
 * Threads	the collector's writer
 * Since	0.1
 */
static inline void
es_record_matrix(const struct es_record_ring *ring, uint32_t row,
    uint64_t bytes)
{
	struct es_space_matrix_row *r = &ring->matrix[row];
	uint64_t epoch = 2 *
	    (uint64_t)atomic_load_explicit(&ring->hot->epoch,
		memory_order_relaxed);

	if (__builtin_expect(atomic_load_explicit(&r->epoch,
				 memory_order_relaxed) != epoch,
		0))
		es_record_clear_row(&r->epoch, sizeof(*r) / sizeof(r->epoch),
		    epoch);
	es_record_add(&r->messages, 1);
	es_record_add(&r->bytes, bytes);
	es_record_add(&r->classes[es_space_size_class(bytes)], 1);
}

PATHS_END_DECLS

#endif
