/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/log.c - the definitions that rows and tuples refer to
 *
 * An entry is written whole before readers see any of it, and never lies in two
 * parts.  Definitions are made where they are first needed, so the log of a
 * process that is killed has all that its rows refer to.
 */

#include "collectors/mpi/process/process_private.h"

#include "libpaths/log.h"

#include <string.h>

#define LOG_PART_BYTES (UINT64_C(16) << 10)
#define LOG_PART_BYTES_MAX (UINT64_C(8) << 20)

/* Have room for so many bytes in the newest part. */
static bool
log_room_locked(struct mpi_process *p, uint64_t bytes)
{
	uint64_t room = LOG_PART_BYTES;
	struct es_space_part *part = p->log;

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
	return es_record_add_rows(p->record,
		   &(struct es_record_part){ .what = ES_MPI_LOG,
		       .row_bytes = 1,
		       .room = room },
		   &p->log) == PATHS_OK;
}

/* The process tells once that its disk is full. */
static void
log_lost_locked(struct mpi_process *p)
{
	/* Relaxed: a count, ordered with nothing. */
	if (atomic_fetch_add_explicit(&p->control->lost, 1,
		memory_order_relaxed) == 0)
		paths_log_warn("%s; what finds no room is not recorded",
		    paths_log_last());
}

static void
log_append_locked(struct mpi_process *p, const struct es_mpi_entry *entry,
    const struct iovec *parts, size_t count)
{
	struct es_space_part *part = p->log;
	/* Relaxed: written under the lock that is held. */
	uint64_t used = atomic_load_explicit(&part->used, memory_order_relaxed);
	char *to = (char *)(part + 1) + used;

	memcpy(to, entry, sizeof(*entry));
	to += sizeof(*entry);
	for (size_t i = 0; i < count; i++) {
		/* One without bytes may be nowhere. */
		if (parts[i].iov_len != 0)
			memcpy(to, parts[i].iov_base, parts[i].iov_len);
		to += parts[i].iov_len;
	}
	/* The entry before the count that tells of it; the acquire is in
	   es_space_rows. */
	atomic_store_explicit(&part->used, used + sizeof(*entry) + entry->bytes,
	    memory_order_release);
}

void
mpi_log(struct mpi_process *process, uint32_t kind, const struct iovec *parts,
    size_t count)
{
	struct es_mpi_entry entry = { .kind = kind };
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += parts[i].iov_len;
	/* The space is zero where nothing was written: that is the padding. */
	bytes = (bytes + 7) & ~UINT64_C(7);
	entry.bytes = (uint32_t)bytes;
	pthread_mutex_lock(&process->log_lock);
	if (bytes <= UINT32_MAX &&
	    log_room_locked(process, sizeof(entry) + bytes))
		log_append_locked(process, &entry, parts, count);
	else
		log_lost_locked(process);
	pthread_mutex_unlock(&process->log_lock);
}
