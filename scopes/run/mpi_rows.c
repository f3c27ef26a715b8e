/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_rows.c - reads the rows of MPI processes, also while they
 * count
 *
 * A row begins with a key and its epoch.  It is read like the rows of
 * collectors (collectors/space/space.c): when the epoch is the same before and
 * after, the row was not reset meanwhile.
 */

#include "scopes/run/mpi_private.h"

#include "scopes/run/mapless_private.h"
#include "scopes/run/run_private.h"

#include <string.h>

#define ROW_TRIES 100

/* All rows begin with a key of 16 bytes, then the epoch. */
#define ROW_KEY_BYTES 16u

_Static_assert(offsetof(struct es_mpi_profile, epoch) == ROW_KEY_BYTES &&
	offsetof(struct es_mpi_matrix, epoch) == ROW_KEY_BYTES &&
	offsetof(struct es_mpi_collective, epoch) == ROW_KEY_BYTES,
    "rows begin alike");

void
es_mpi_rows_begin(const struct es_mpi *mpi, uint32_t rank,
    enum es_mpi_part what, struct es_mpi_rows *rows)
{
	*rows = (struct es_mpi_rows){ .mpi = mpi,
		.rank = rank,
		.what = what,
		.thread = PATHS_NONE };
}

/* Goes to the next part of the kind; false: there is none. */
static bool
rows_next_part(struct es_mpi_rows *rows, size_t row_bytes)
{
	const struct es_mpi_rank *rank = &rows->mpi->ranks[rows->rank];

	while (rank->space != NULL &&
	    es_space_rows(rank->space, rows->next_part, &rows->part) ==
		PATHS_OK) {
		rows->next_part++;
		rows->next_row = 0;
		if (rows->part.what != rows->what ||
		    rows->part.kind != ES_PART_ROWS ||
		    rows->part.row_bytes != row_bytes)
			continue;
		rows->thread = es__mapless_collector(
		    &rows->mpi->run->mapless[rank->process], rows->part.owner);
		return true;
	}
	rows->part.count = rows->next_row = 0;
	return false;
}

/* Copies a row; false: it counts nothing since the last reset, or was reset
   during each try. */
static bool
row_copy(const struct es_mpi_control *control, const char *from,
    size_t row_bytes, char *to)
{
	size_t words = (row_bytes - ROW_KEY_BYTES) / sizeof(uint64_t);
	/* In a damaged space it has any content, but is aligned. */
	_Atomic uint64_t *row = (_Atomic uint64_t *)(from + ROW_KEY_BYTES);
	uint64_t *copy = (uint64_t *)(to + ROW_KEY_BYTES);

	memcpy(to, from, ROW_KEY_BYTES);
	for (int try = 0; try < ROW_TRIES; try++) {
		uint64_t now = control == NULL ? 0 :
						 2 *
			(uint64_t)atomic_load_explicit(&control->epoch,
			    memory_order_acquire);

		/* Pairs with the releases in es_record_clear_row. */
		copy[0] = atomic_load_explicit(&row[0], memory_order_acquire);
		if (copy[0] != now)
			return false;
		for (size_t i = 1; i < words; i++)
			copy[i] =
			    atomic_load_explicit(&row[i], memory_order_relaxed);
		es_space_fence(memory_order_acquire);
		if (atomic_load_explicit(&row[0], memory_order_relaxed) ==
		    copy[0])
			return copy[1] > 0;
	}
	return false;
}

/* Copies the next row that counts something. */
static bool
rows_next(struct es_mpi_rows *rows, size_t row_bytes, void *row)
{
	const struct es_mpi_control *control =
	    rows->mpi->ranks[rows->rank].control;

	for (;;) {
		const char *from;

		if (rows->next_row >= rows->part.count) {
			if (!rows_next_part(rows, row_bytes))
				return false;
			continue;
		}
		from = (const char *)rows->part.rows +
		    rows->next_row++ * row_bytes;
		if (row_copy(control, from, row_bytes, row))
			return true;
	}
}

bool
es_mpi_rows_profile(struct es_mpi_rows *rows, struct es_mpi_profile *row)
{
	if (!rows_next(rows, sizeof(*row), row))
		return false;
	row->site = es_mpi_find_site(rows->mpi, rows->rank, row->site);
	rows->member = es_mpi_find_comm(rows->mpi, rows->rank, row->comm);
	row->comm = rows->member.comm;
	row->phase = es_mpi_find_phase(rows->mpi, rows->rank, row->phase);
	return true;
}

bool
es_mpi_rows_matrix(struct es_mpi_rows *rows, struct es_mpi_matrix *row)
{
	if (!rows_next(rows, sizeof(*row), row))
		return false;
	row->peer = es_mpi_find_peer(rows->mpi, rows->rank, row->peer);
	row->phase = es_mpi_find_phase(rows->mpi, rows->rank, row->phase);
	return true;
}

bool
es_mpi_rows_collective(struct es_mpi_rows *rows, struct es_mpi_collective *row)
{
	if (!rows_next(rows, sizeof(*row), row))
		return false;
	rows->member = es_mpi_find_comm(rows->mpi, rows->rank, row->comm);
	row->comm = rows->member.comm;
	row->phase = es_mpi_find_phase(rows->mpi, rows->rank, row->phase);
	return true;
}
