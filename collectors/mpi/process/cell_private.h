/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/cell_private.h - the rows that a thread counts in
 *
 * Profile, matrix and collective rows begin with a key of 16 bytes and an
 * epoch.  They are in parts of the space and never move; the thread finds them
 * through indexes of its own.  One thread writes a row, so counting needs no
 * locked instruction.
 */

#ifndef COLLECTORS_MPI_PROCESS_CELL_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_CELL_PRIVATE_H

#include "collectors/mpi/abi/attribute_private.h"
#include "collectors/mpi/object/thread_state_private.h"
#include "collectors/mpi/process/call_private.h"
#include "collectors/mpi_function.h"

/* The first 16 bytes of a row. */
struct mpi_cell_key {
	uint64_t word[2];
};

/* The beginning of each row. */
struct mpi_cell {
	struct mpi_cell_key key;
	_Atomic uint64_t epoch;
};

_Static_assert(offsetof(struct es_mpi_profile, epoch) ==
	    sizeof(struct mpi_cell_key) &&
	offsetof(struct es_mpi_matrix, epoch) == sizeof(struct mpi_cell_key) &&
	offsetof(struct es_mpi_collective, epoch) ==
	    sizeof(struct mpi_cell_key),
    "every row is a cell");

/* Number of rows in the cache of mpi_cell_recent: the rows that were used
   last. */
#define MPI_CELLS_RECENT 256u

/* The rows of one kind: a hash table with linear probing. */
struct mpi_cell_index {
	struct mpi_cell *recent[MPI_CELLS_RECENT]; /* NULL: none yet */
	struct mpi_cell **slots; /* NULL: free; see cell_index_grow */
	uint32_t shift;		 /* 64 - log2 of their number */
	uint32_t what;		 /* enum es_mpi_part */
	uint32_t row_bytes;
	uint64_t mask;
	uint64_t count;
	struct es_space_part *part; /* the newest; NULL: none yet */
};

struct mpi_cells {
	struct mpi_cell_index profile;
	struct mpi_cell_index matrix;
	struct mpi_cell_index collective;
	bool told; /* the lack of room was reported */

	/*
	 * The row of the last call.  Its duration is counted in a bin only when
	 * the next call is counted.  The processor reads the clock after it
	 * knows the addresses of all earlier stores.  The address of a bin
	 * depends on the clock, so the next call would wait for it.
	 */
	struct es_mpi_profile *unsorted; /* never NULL */
	uint64_t unsorted_ticks;
	struct es_mpi_profile nobody; /* `unsorted` before the first call */
};

/* Creates and destroys the indexes of a thread, which are empty at first. */
paths_status mpi_cells_open(struct mpi_cells **cells) PATHS_CHECKED;
void mpi_cells_close(struct mpi_cells *cells);

/* Counts the last call in its bin, when no other call follows. */
void mpi_cells_settle(struct mpi_cells *cells);

/* Adds a row for a key.  On a full disk the row is in private memory, and is
   counted in control->lost.  Without memory, returns a row that no reader sees,
   and which is not added. */
struct mpi_cell *mpi_cell_add(struct mpi_thread *thread,
    struct mpi_cell_index *index, const struct mpi_cell_key *key)
    __attribute__((cold));

/* Clears a row, for the present epoch. */
void mpi_cell_clear(struct mpi_cells *cells, struct mpi_cell *cell,
    uint32_t row_bytes, uint64_t epoch) __attribute__((cold));

static inline uint64_t
mpi_cell_slot(const struct mpi_cell_index *x, const struct mpi_cell_key *key)
{
	/* The high bits of a product depend on all bits of its factors. */
	return (key->word[0] * UINT64_C(0x9e3779b97f4a7c15) ^
		   key->word[1] * UINT64_C(0xc2b2ae3d27d4eb4f)) >>
	    x->shift;
}

/* Returns the present epoch, as rows contain it.  Relaxed: a reset may take
   effect one call later. */
static inline uint64_t
mpi_cell_epoch(const struct mpi_thread *thread)
{
	return 2 *
	    (uint64_t)atomic_load_explicit(&thread->control->epoch,
		memory_order_relaxed);
}

/* Returns the row of a key if it is at `place` (modulo MPI_CELLS_RECENT) of the
   recent rows and of the present epoch; else NULL.  Few keys in use have the
   same place. */
static MPI_INLINE struct mpi_cell *
mpi_cell_recent(const struct mpi_thread *thread, const struct mpi_cell_index *x,
    const struct mpi_cell_key *key, uint32_t place)
{
	struct mpi_cell *cell = x->recent[place % MPI_CELLS_RECENT];

	return __builtin_expect(cell != NULL &&
		       cell->key.word[0] == key->word[0] &&
		       cell->key.word[1] == key->word[1] &&
		       atomic_load_explicit(&cell->epoch,
			   memory_order_relaxed) == mpi_cell_epoch(thread),
		   1) ?
	    cell :
	    NULL;
}

/* Returns the row of a key, in the present epoch. */
static inline struct mpi_cell *
mpi_cell_find(struct mpi_thread *thread, struct mpi_cell_index *x,
    const struct mpi_cell_key *key)
{
	uint64_t at = mpi_cell_slot(x, key);
	struct mpi_cell *cell = x->slots[at];
	uint64_t epoch = mpi_cell_epoch(thread);

	while (__builtin_expect(cell != NULL &&
		(cell->key.word[0] != key->word[0] ||
		    cell->key.word[1] != key->word[1]),
	    0)) {
		at = (at + 1) & x->mask;
		cell = x->slots[at];
	}
	if (__builtin_expect(cell == NULL, 0))
		cell = mpi_cell_add(thread, x, key);
	if (__builtin_expect(atomic_load_explicit(&cell->epoch,
				 memory_order_relaxed) != epoch,
		0))
		mpi_cell_clear(thread->cells, cell, x->row_bytes, epoch);
	return cell;
}

/* Returns the row of a key, in the present epoch, and enters it among the
   recent rows. */
static inline struct mpi_cell *
mpi_cell_again(struct mpi_thread *thread, struct mpi_cell_index *x,
    const struct mpi_cell_key *key, uint32_t place)
{
	struct mpi_cell *cell = mpi_cell_find(thread, x, key);

	x->recent[place % MPI_CELLS_RECENT] = cell;
	return cell;
}

static inline uint32_t
mpi_phase(const struct mpi_thread *t)
{
	return atomic_load_explicit(&t->control->phase, memory_order_relaxed);
}

/* Returns the key of a matrix row. */
static inline struct mpi_cell_key
mpi_matrix_key(const struct mpi_thread *t, int32_t peer,
    enum es_mpi_category category)
{
	return (struct mpi_cell_key){ .word = { (uint32_t)peer |
					      (uint64_t)category << 32,
					  mpi_phase(t) } };
}

/* Counts the last call in its bin. */
static MPI_INLINE void
mpi_cells_sort(struct mpi_cells *cells)
{
	_Atomic uint32_t *bin =
	    &cells->unsorted->bins[es_mpi_bin(cells->unsorted_ticks)];

	/* Relaxed, as below. */
	atomic_store_explicit(bin,
	    atomic_load_explicit(bin, memory_order_relaxed) + 1,
	    memory_order_relaxed);
}

static MPI_INLINE void
mpi_cell_count_call(struct mpi_cells *cells, struct mpi_cell *cell,
    uint64_t bytes, uint64_t ticks)
{
	struct es_mpi_profile *row = (struct es_mpi_profile *)cell;
	uint64_t calls =
	    atomic_load_explicit(&row->calls, memory_order_relaxed);

	/* All are relaxed: readers need only the order of the epoch. */
	if (__builtin_expect(calls == 0 ||
		    ticks < atomic_load_explicit(&row->min_ticks,
				memory_order_relaxed),
		0))
		atomic_store_explicit(&row->min_ticks, ticks,
		    memory_order_relaxed);
	if (__builtin_expect(ticks >
		    atomic_load_explicit(&row->max_ticks, memory_order_relaxed),
		0))
		atomic_store_explicit(&row->max_ticks, ticks,
		    memory_order_relaxed);
	atomic_store_explicit(&row->calls, calls + 1, memory_order_relaxed);
	es_record_add(&row->bytes, bytes);
	es_record_add(&row->sum_ticks, ticks);
	mpi_cells_sort(cells);
	cells->unsorted = row;
	cells->unsorted_ticks = ticks;
}

void mpi_count_call_slow(struct mpi_thread *thread, struct mpi_cell_key key,
    uint32_t place, uint64_t bytes, uint64_t ticks) __attribute__((noinline));

/* Counts a call in its profile row. */
static MPI_INLINE void
mpi_count_call(const struct mpi_call *call)
{
	struct mpi_thread *t = call->thread;
	uint64_t bytes = call->bytes, ticks = call->stop - call->start;
	uint32_t comm = call->collective ? call->comm : 0;
	uint32_t size = es_space_size_class(bytes);
	struct mpi_cell_key key = {
		.word = { call->site | (uint64_t)call->function << 32 |
			(uint64_t)size << 48 | (uint64_t)call->flags << 56,
		    mpi_phase(t) | (uint64_t)comm << 32 },
	};
	/* Sites are numbered from 1, and few rows belong to one site. */
	uint32_t place = call->site + 37 * size + 13 * call->flags + 29 * comm;
	struct mpi_cell *cell =
	    mpi_cell_recent(t, &t->cells->profile, &key, place);

	if (__builtin_expect(cell == NULL, 0))
		mpi_count_call_slow(t, key, place, bytes, ticks);
	else
		mpi_cell_count_call(t->cells, cell, bytes, ticks);
}

static MPI_INLINE void
mpi_cell_count_message(struct mpi_cell *cell, uint64_t bytes)
{
	struct es_mpi_matrix *row = (struct es_mpi_matrix *)cell;

	es_record_add(&row->messages, 1);
	es_record_add(&row->bytes, bytes);
	es_record_add(&row->classes[es_space_size_class(bytes)], 1);
}

void mpi_count_matrix_slow(struct mpi_thread *thread, struct mpi_cell_key key,
    uint32_t place, uint64_t bytes) __attribute__((noinline));

/* Counts one message to, or from, a world rank.  For hooks of calls whose mode
   has ES_MODE_MATRIX. */
static MPI_INLINE void
mpi_count_matrix(struct mpi_thread *t, int32_t peer,
    enum es_mpi_category category, uint64_t bytes)
{
	struct mpi_cell_key key = mpi_matrix_key(t, peer, category);
	uint32_t place = (uint32_t)peer + 37 * category;
	struct mpi_cell *cell =
	    mpi_cell_recent(t, &t->cells->matrix, &key, place);

	if (__builtin_expect(cell == NULL, 0))
		mpi_count_matrix_slow(t, key, place, bytes);
	else
		mpi_cell_count_message(cell, bytes);
}

static MPI_INLINE void
mpi_cell_count_collective(struct mpi_cell *cell, uint64_t bytes)
{
	struct es_mpi_collective *row = (struct es_mpi_collective *)cell;

	es_record_add(&row->calls, 1);
	es_record_add(&row->bytes, bytes);
	es_record_add(&row->classes[es_space_size_class(bytes)], 1);
}

void mpi_count_collective_slow(struct mpi_thread *thread,
    struct mpi_cell_key key, uint32_t place, uint64_t bytes)
    __attribute__((noinline));

/* Counts one collective as it was called.  For hooks of calls whose mode has
   ES_MODE_MATRIX.
   which	communicator, and function << 32
   bytes	of one pair */
static MPI_INLINE void
mpi_count_collective(struct mpi_thread *t, uint64_t which, int32_t root,
    uint64_t bytes)
{
	struct mpi_cell_key key = {
		.word = { which,
		    (uint32_t)root | (uint64_t)mpi_phase(t) << 32 },
	};
	uint32_t place = (uint32_t)(which + (which >> 32) * 5);
	struct mpi_cell *cell =
	    mpi_cell_recent(t, &t->cells->collective, &key, place);

	if (__builtin_expect(cell == NULL, 0))
		mpi_count_collective_slow(t, key, place, bytes);
	else
		mpi_cell_count_collective(cell, bytes);
}

/* Returns whether the overlap of a call is counted.  A trace has it anyway, so
   the modes with trace save the time. */
static MPI_INLINE bool
mpi_counts_overlap(const struct mpi_call *call)
{
	return (call->mode & (ES_MODE_TRACE | ES_MODE_PROFILE)) ==
	    ES_MODE_PROFILE;
}

static MPI_INLINE void
mpi_cell_count_overlap(struct mpi_cell *cell, uint64_t ticks)
{
	struct es_mpi_profile *row = (struct es_mpi_profile *)cell;

	es_record_add(&row->calls, 1);
	es_record_add(&row->sum_ticks, ticks);
}

/* Takes values, not the call, which stays in registers. */
void mpi_count_overlap_slow(struct mpi_thread *thread, struct mpi_cell_key key,
    uint32_t place, uint64_t ticks) __attribute__((noinline));

/* Counts the ticks from the first request that a call completes to the call, in
   a row of function ES_MPI_COMPLETED beside the row of the call. */
static MPI_INLINE void
mpi_count_overlap(const struct mpi_call *call, uint64_t ticks)
{
	struct mpi_thread *t = call->thread;
	uint32_t size, place;
	struct mpi_cell_key key;
	struct mpi_cell *cell;

	if (!mpi_counts_overlap(call))
		return;
	/* A Wait mostly completes requests of known age. */
	if (__builtin_expect(ticks == 0, 0))
		return;
	size = es_space_size_class(call->bytes);
	place = call->site + 37 * size + 13 * call->flags + 101;
	key.word[0] = call->site | (uint64_t)ES_MPI_COMPLETED << 32 |
	    (uint64_t)size << 48 | (uint64_t)call->flags << 56;
	key.word[1] = mpi_phase(t);
	cell = mpi_cell_recent(t, &t->cells->profile, &key, place);
	if (__builtin_expect(cell == NULL, 0))
		mpi_count_overlap_slow(t, key, place, ticks);
	else
		mpi_cell_count_overlap(cell, ticks);
}

#endif
