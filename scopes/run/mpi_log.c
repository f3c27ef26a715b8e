/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_log.c - reads the log of definitions of an MPI process
 *
 * A damaged entry ends its part, because the begin of the next one is unknown.
 */

#include "scopes/run/mpi_log_private.h"

#include <string.h>

/* Goes to the next part that is a log; false: there is none. */
static bool
log_next_part(struct es__mpi_log *log)
{
	while (
	    es_space_rows(log->space, log->next_part, &log->part) == PATHS_OK) {
		log->next_part++;
		log->at = 0;
		if (log->part.what == ES_MPI_LOG &&
		    log->part.kind == ES_PART_LOG)
			return true;
	}
	return false;
}

/* Reads the next entry of the part; false: there is none, or it is damaged. */
static bool
log_entry(struct es__mpi_log *log)
{
	uint64_t left = log->part.count - log->at;
	struct es_mpi_entry entry;

	if (left >= sizeof(entry)) {
		memcpy(&entry, (const char *)log->part.rows + log->at,
		    sizeof(entry));
		left -= sizeof(entry);
		if (entry.bytes % 8 == 0 && entry.bytes <= left) {
			log->kind = entry.kind;
			log->bytes = (const char *)log->part.rows + log->at +
			    sizeof(entry);
			log->count = entry.bytes;
			log->at += sizeof(entry) + entry.bytes;
			return true;
		}
	}
	log->damaged = log->damaged || log->at < log->part.count;
	return false;
}

bool
es__mpi_log_next(struct es__mpi_log *log)
{
	while (!log_entry(log)) {
		if (!log_next_part(log)) {
			log->part.count = log->at = 0;
			return false;
		}
	}
	return true;
}

const char *
es__mpi_log_text(const struct es__mpi_log *log, uint64_t at)
{
	if (at >= log->count ||
	    memchr(log->bytes + at, 0, log->count - at) == NULL)
		return NULL;
	return log->bytes + at;
}
