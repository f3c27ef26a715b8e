/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/log.c - the log of definitions that rows and tuples
 * refer to
 *
 * An entry is written as a whole before readers see any of it, and never lies
 * in two parts.  A definition is logged before a row or tuple refers to it, so
 * the log of a killed process defines everything that its rows refer to.
 */

#include "collectors/mpi/base/log_private.h"

#include "libpaths/log.h"

#include <string.h>

#define LOG_PART_BYTES (UINT64_C(16) << 10)
#define LOG_PART_BYTES_MAX (UINT64_C(8) << 20)

void
mpi_log_init(struct mpi_log *log, struct es_record *record,
    struct es_mpi_control *control)
{
	pthread_mutex_init(&log->lock, NULL);
	log->record = record;
	log->control = control;
	log->part = NULL;
}

void
mpi_log_fini(struct mpi_log *log)
{
	pthread_mutex_destroy(&log->lock);
}

/* Makes room for `bytes` bytes in the newest part, or adds a part. */
static bool
log_room_locked(struct mpi_log *log, uint64_t bytes)
{
	uint64_t room = LOG_PART_BYTES;
	struct es_space_part *part = log->part;

	if (part != NULL) {
		/* Relaxed: written under the lock that is held. */
		if (part->room -
			atomic_load_explicit(&part->used,
			    memory_order_relaxed) >=
		    bytes)
			return true;
		room = 2 * part->bytes;
		if (room > LOG_PART_BYTES_MAX)
			room = LOG_PART_BYTES_MAX;
	}
	room -= sizeof(*part);
	if (room < bytes)
		room = bytes;
	return es_record_add_rows(log->record,
		   &(struct es_record_part){ .what = ES_MPI_LOG,
		       .row_bytes = 1,
		       .room = room },
		   &log->part) == PATHS_OK;
}

/* Counts a lost entry, and reports it if no entry or row was lost before. */
static void
log_lost_locked(struct mpi_log *log)
{
	/* Relaxed: a count, ordered with nothing. */
	if (atomic_fetch_add_explicit(&log->control->lost, 1,
		memory_order_relaxed) == 0)
		paths_log_warn("%s; definitions without room are not recorded",
		    paths_log_last());
}

static void
log_append_locked(struct mpi_log *log, const struct es_mpi_entry *entry,
    const struct iovec *parts, size_t count)
{
	struct es_space_part *part = log->part;
	/* Relaxed: written under the lock that is held. */
	uint64_t used = atomic_load_explicit(&part->used, memory_order_relaxed);
	char *to = (char *)(part + 1) + used;

	memcpy(to, entry, sizeof(*entry));
	to += sizeof(*entry);
	for (size_t i = 0; i < count; i++) {
		/* The address of an empty part may be NULL. */
		if (parts[i].iov_len != 0)
			memcpy(to, parts[i].iov_base, parts[i].iov_len);
		to += parts[i].iov_len;
	}
	/* Release: the entry is written before the count that shows it; the
	   acquire is in es_space_rows. */
	atomic_store_explicit(&part->used, used + sizeof(*entry) + entry->bytes,
	    memory_order_release);
}

void
mpi_log_append(struct mpi_log *log, uint32_t kind, const struct iovec *parts,
    size_t count)
{
	struct es_mpi_entry entry = { .kind = kind };
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += parts[i].iov_len;
	/* The padding needs no writing: a new part of a space is zero. */
	bytes = (bytes + 7) & ~UINT64_C(7);
	entry.bytes = (uint32_t)bytes;
	pthread_mutex_lock(&log->lock);
	if (bytes <= UINT32_MAX && log_room_locked(log, sizeof(entry) + bytes))
		log_append_locked(log, &entry, parts, count);
	else
		log_lost_locked(log);
	pthread_mutex_unlock(&log->lock);
}
