/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/cell.c - adds the rows that a thread counts in
 *
 * Rows are in parts of the event space.  Each new part is twice as large as the
 * one before, up to a bound, so small programs take little room and large ones
 * have few parts.  Each kind of row has an index, a hash table in private
 * memory, which is doubled when it is half full.
 */

#include "collectors/mpi/process/cell_private.h"
#include "collectors/mpi/process/process_private.h"
#include "libpaths/base/lines.h"

#include "libpaths/log.h"

#include <stdlib.h>

#define CELL_PART_BYTES (UINT64_C(32) << 10)
#define CELL_PART_BYTES_MAX (UINT64_C(8) << 20)
#define CELL_SLOTS_LOG2 6u

static bool
cell_index_init(struct mpi_cell_index *x, uint32_t what, size_t row_bytes)
{
	x->slots = calloc((size_t)1 << CELL_SLOTS_LOG2, sizeof(*x->slots));
	x->shift = 64 - CELL_SLOTS_LOG2;
	x->mask = (UINT64_C(1) << CELL_SLOTS_LOG2) - 1;
	x->what = what;
	x->row_bytes = (uint32_t)row_bytes;
	return x->slots != NULL;
}

paths_status
mpi_cells_open(struct mpi_cells **cells)
{
	struct mpi_cells *c = paths__lines_zero(1, sizeof(*c));

	if (c == NULL ||
	    !cell_index_init(&c->profile, ES_MPI_PROFILE,
		sizeof(struct es_mpi_profile)) ||
	    !cell_index_init(&c->matrix, ES_MPI_MATRIX,
		sizeof(struct es_mpi_matrix)) ||
	    !cell_index_init(&c->collective, ES_MPI_COLLECTIVE,
		sizeof(struct es_mpi_collective))) {
		mpi_cells_close(c);
		return paths_log_fail(PATHS_ENOMEM, "no memory for rows");
	}
	c->unsorted = &c->nobody;
	*cells = c;
	return PATHS_OK;
}

void
mpi_cells_close(struct mpi_cells *cells)
{
	if (cells == NULL)
		return;
	free(cells->profile.slots);
	free(cells->matrix.slots);
	free(cells->collective.slots);
	free(cells);
}

void
mpi_cells_settle(struct mpi_cells *cells)
{
	mpi_cells_sort(cells);
	cells->unsorted = &cells->nobody;
}

static void
cell_index_put(struct mpi_cell_index *x, struct mpi_cell *cell)
{
	uint64_t at = mpi_cell_slot(x, &cell->key);

	while (x->slots[at] != NULL)
		at = (at + 1) & x->mask;
	x->slots[at] = cell;
}

/* Makes room for one more row in the index.  If there is no memory to double
   the index, it is filled until one slot is free; false: only that is free. */
static bool
cell_index_grow(struct mpi_cell_index *x)
{
	struct mpi_cell_index old = *x;

	if (2 * (x->count + 1) <= x->mask + 1)
		return true;
	x->slots = calloc(2 * (old.mask + 1), sizeof(*x->slots));
	if (x->slots == NULL) {
		x->slots = old.slots;
		return x->count < x->mask;
	}
	x->shift--;
	x->mask = 2 * old.mask + 1;
	for (uint64_t i = 0; i <= old.mask; i++) {
		if (old.slots[i] != NULL)
			cell_index_put(x, old.slots[i]);
	}
	free(old.slots);
	return true;
}

static uint64_t
cell_part_bytes(const struct es_space_part *before)
{
	uint64_t bytes = before == NULL ? CELL_PART_BYTES : 2 * before->bytes;

	return bytes < CELL_PART_BYTES_MAX ? bytes : CELL_PART_BYTES_MAX;
}

/* Returns the next row of the part, or of a new one; NULL: there is no room. */
static struct mpi_cell *
cell_row(struct mpi_thread *t, struct mpi_cell_index *x)
{
	uint64_t used = 0;
	uint64_t bytes;

	if (x->part != NULL)
		/* Relaxed: this thread alone writes it. */
		used =
		    atomic_load_explicit(&x->part->used, memory_order_relaxed);
	if (x->part == NULL || used == x->part->room) {
		bytes = cell_part_bytes(x->part) - sizeof(*x->part);
		if (es_record_add_rows(t->process->record,
			&(struct es_record_part){ .what = x->what,
			    .owner = t->number,
			    .row_bytes = x->row_bytes,
			    .room = bytes / x->row_bytes },
			&x->part) != PATHS_OK)
			return NULL;
		used = 0;
	}
	return (struct mpi_cell *)((char *)(x->part + 1) + used * x->row_bytes);
}

/* Returns a row in private memory, because the event space cannot grow; NULL:
   there is no memory either. */
static struct mpi_cell *
cell_lost(struct mpi_thread *t, const struct mpi_cell_index *x)
{
	/* Relaxed: a count, ordered with nothing. */
	atomic_fetch_add_explicit(&t->control->lost, 1, memory_order_relaxed);
	if (!t->cells->told)
		paths_log_warn("%s; rows without room are not counted",
		    paths_log_last());
	t->cells->told = true;
	return calloc(1, x->row_bytes);
}

struct mpi_cell *
mpi_cell_add(struct mpi_thread *thread, struct mpi_cell_index *x,
    const struct mpi_cell_key *key)
{
	/* A call whose row finds no memory is counted here.  No reader sees
	   this row, and no key is equal to its key. */
	static struct es_mpi_profile waste = { .site = UINT32_MAX,
		.function = UINT16_MAX,
		.size_class = UINT8_MAX,
		.flags = UINT8_MAX,
		.phase = UINT32_MAX,
		.comm = UINT32_MAX };
	bool room = cell_index_grow(x);
	struct mpi_cell *cell = room ? cell_row(thread, x) : NULL;
	bool lost = cell == NULL;

	if (lost)
		cell = room ? cell_lost(thread, x) : NULL;
	if (cell == NULL)
		return (struct mpi_cell *)&waste;
	cell->key = *key;
	cell_index_put(x, cell);
	x->count++;
	if (!lost)
		/* Release: the key is written before the count that shows the
		   row; the acquire is in es_space_rows. */
		atomic_fetch_add_explicit(&x->part->used, 1,
		    memory_order_release);
	return cell;
}

void
mpi_cell_clear(struct mpi_cells *cells, struct mpi_cell *cell,
    uint32_t row_bytes, uint64_t epoch)
{
	if ((struct mpi_cell *)cells->unsorted == cell)
		cells->unsorted = &cells->nobody;
	es_record_clear_row(&cell->epoch,
	    (row_bytes - (uint32_t)sizeof(cell->key)) / 8, epoch);
}

void
mpi_count_call_slow(struct mpi_thread *t, struct mpi_cell_key key,
    uint32_t place, uint64_t bytes, uint64_t ticks)
{
	struct mpi_cell *cell =
	    mpi_cell_again(t, &t->cells->profile, &key, place);

	mpi_cell_count_call(t->cells, cell, bytes, ticks);
}

void
mpi_count_matrix_slow(struct mpi_thread *t, struct mpi_cell_key key,
    uint32_t place, uint64_t bytes)
{
	struct mpi_cell *cell =
	    mpi_cell_again(t, &t->cells->matrix, &key, place);

	mpi_cell_count_message(cell, bytes);
}

void
mpi_count_collective_slow(struct mpi_thread *t, struct mpi_cell_key key,
    uint32_t place, uint64_t bytes)
{
	struct mpi_cell *cell =
	    mpi_cell_again(t, &t->cells->collective, &key, place);

	mpi_cell_count_collective(cell, bytes);
}

void
mpi_count_overlap_slow(struct mpi_thread *t, struct mpi_cell_key key,
    uint32_t place, uint64_t ticks)
{
	struct mpi_cell *cell =
	    mpi_cell_again(t, &t->cells->profile, &key, place);

	mpi_cell_count_overlap(cell, ticks);
}
