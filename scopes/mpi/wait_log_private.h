/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_log_private.h - stores the waits of a thread, in the order in
 * which they are found
 *
 * A log grows with the run, but its memory does not: full blocks are written to
 * a file without a name, which all logs of an analysis share.
 */

#ifndef SCOPES_MPI_WAIT_LOG_PRIVATE_H
#define SCOPES_MPI_WAIT_LOG_PRIVATE_H

#include "scopes/job/pack_private.h"
#include "scopes/timeline.h"

#include "libpaths/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The file of several logs, which different threads may write to. */
struct es__wait_file {
	int fd; /* -1: there is no file, so blocks stay in memory */
	/* Number of reserved bytes; each writer of a block adds to it. */
	_Atomic uint64_t bytes;
};

/* A full block: in the file, or in memory. */
struct es__wait_block {
	uint8_t *memory; /* NULL: in the file */
	uint64_t offset;
	uint32_t bytes;
};

struct es__wait_log {
	struct es__wait_file *file;
	uint8_t *block; /* block that is being filled; NULL: none yet */
	uint32_t used;
	struct es__wait_block *blocks;
	size_t block_count, block_room;
	int64_t stop_ns; /* end of the last wait */
	uint64_t count;	 /* number of waits */
};

/* Position of a reader in a complete log. */
struct es__wait_cursor {
	const struct es__wait_log *log;
	size_t next_block;
	uint8_t *memory; /* the current block */
	const uint8_t *at, *end;
	int64_t stop_ns;
};

/* Opens the file in a directory; see es__scratch_file. */
void es__wait_file_open(struct es__wait_file *file, const char *dir);
void es__wait_file_close(struct es__wait_file *file);

/*
 * es__wait_log_add - add a wait
 *
 * log		all zeros but for `file`, at first
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EIO
 * Threads	one for each log
 */
paths_status es__wait_log_add(struct es__wait_log *log,
    const struct es_timeline_span *span) PATHS_CHECKED;
void es__wait_log_close(struct es__wait_log *log);

/* Send a log to another process of the job, or receive it in place of an empty
   log. */
void es__wait_log_pack(const struct es__wait_log *log, struct es__pack *pack);
void es__wait_log_unpack(struct es__wait_log *log, struct es__pack *pack);

/*
 * es__wait_cursor_next - read the next wait
 *
 * cursor	all zeros but for `log`, at first; the caller calls
 *		es__wait_cursor_close
 *
 * Returns	PATHS_OK; PATHS_ENOENT: no more; PATHS_ENOMEM; PATHS_EIO
 */
paths_status es__wait_cursor_next(struct es__wait_cursor *cursor,
    struct es_timeline_span *span) PATHS_CHECKED;
void es__wait_cursor_close(struct es__wait_cursor *cursor);

#endif
