/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_log.c - stores the waits of a thread, in the order in which
 * they are found
 */

#include "scopes/mpi/wait_log_private.h"

#include "scopes/mpi/scratch_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES 16384u

void
es__wait_file_open(struct es__wait_file *file, const char *dir)
{
	file->fd = es__scratch_file(dir, 0);
	/* Relaxed: no other thread has the file yet. */
	atomic_store_explicit(&file->bytes, 0, memory_order_relaxed);
}

void
es__wait_file_close(struct es__wait_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

/* Writes all bytes of a block.  Returns false if there is no room. */
static bool
block_write(int fd, const uint8_t *bytes, size_t count, uint64_t offset)
{
	while (count > 0) {
		ssize_t n = pwrite(fd, bytes, count, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		count -= (size_t)n;
		offset += (uint64_t)n;
	}
	return true;
}

/* Writes a full block to the file, or keeps it in memory. */
static paths_status
log_keep(struct es__wait_log *log, uint8_t *bytes, uint32_t count)
{
	struct es__wait_block block = { .memory = bytes, .bytes = count };

	if (!paths__array_grow(&log->blocks, log->block_count, &log->block_room,
		sizeof(*log->blocks)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	if (log->file != NULL && log->file->fd >= 0) {
		/* Relaxed: each block has a part of the file of its own. */
		block.offset = atomic_fetch_add_explicit(&log->file->bytes,
		    count, memory_order_relaxed);
		if (block_write(log->file->fd, bytes, count, block.offset))
			block.memory = NULL;
	}
	log->blocks[log->block_count++] = block;
	return PATHS_OK;
}

/* Ends the block that is being filled. */
static paths_status
log_flush(struct es__wait_log *log)
{
	paths_status st = log_keep(log, log->block, log->used);

	if (st != PATHS_OK)
		return st;
	if (log->blocks[log->block_count - 1].memory != NULL)
		log->block = NULL;
	log->used = 0;
	return PATHS_OK;
}

paths_status
es__wait_log_add(struct es__wait_log *log, const struct es_timeline_span *span)
{
	paths_status st = PATHS_OK;

	if (log->used + ES_TIMELINE_SPAN_BYTES > BLOCK_BYTES)
		st = log_flush(log);
	if (st != PATHS_OK)
		return st;
	if (log->block == NULL)
		log->block = malloc(BLOCK_BYTES);
	if (log->block == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	log->used = (uint32_t)(es_timeline_span_put(log->block + log->used,
				   log->stop_ns, span) -
	    log->block);
	log->stop_ns = span->stop_ns;
	log->count++;
	return PATHS_OK;
}

void
es__wait_log_close(struct es__wait_log *log)
{
	for (size_t n = 0; n < log->block_count; n++)
		free(log->blocks[n].memory);
	free(log->blocks);
	free(log->block);
	*log = (struct es__wait_log){ .file = log->file };
}

/* Reads block n into memory for BLOCK_BYTES. */
static bool
log_read(const struct es__wait_log *log, size_t n, uint8_t *bytes)
{
	const struct es__wait_block *b = &log->blocks[n];
	size_t done = 0;

	if (b->memory != NULL) {
		memcpy(bytes, b->memory, b->bytes);
		return true;
	}
	while (done < b->bytes) {
		ssize_t got = pread(log->file->fd, bytes + done,
		    b->bytes - done, (off_t)(b->offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

void
es__wait_log_pack(const struct es__wait_log *log, struct es__pack *pack)
{
	uint8_t bytes[BLOCK_BYTES];
	uint64_t numbers[4] = { log->block_count, log->used,
		(uint64_t)log->stop_ns, log->count };

	es__pack_put(pack, numbers, sizeof(numbers));
	for (size_t n = 0; n < log->block_count; n++) {
		if (!log_read(log, n, bytes) && pack->st == PATHS_OK)
			pack->st = paths_log_fail(PATHS_EIO,
			    "a file of waits cannot be read");
		es__pack_put_array(pack, bytes, log->blocks[n].bytes, 1);
	}
	es__pack_put(pack, log->block, log->used);
}

void
es__wait_log_unpack(struct es__wait_log *log, struct es__pack *pack)
{
	uint64_t numbers[4] = { 0 };
	size_t bytes;

	es__wait_log_close(log);
	es__pack_get(pack, numbers, sizeof(numbers));
	for (uint64_t n = 0; pack->st == PATHS_OK && n < numbers[0]; n++) {
		uint8_t *block = es__pack_get_array(pack, &bytes, 1);

		if (pack->st == PATHS_OK && bytes > BLOCK_BYTES)
			pack->st = paths_log_fail(PATHS_EDAMAGED,
			    "waits of another rank have not their size");
		if (pack->st == PATHS_OK)
			pack->st = log_keep(log, block, (uint32_t)bytes);
		if (pack->st != PATHS_OK ||
		    log->blocks[log->block_count - 1].memory == NULL)
			free(block);
	}
	log->block = malloc(BLOCK_BYTES);
	if (pack->st == PATHS_OK && log->block == NULL)
		pack->st = paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	if (pack->st == PATHS_OK && numbers[1] > BLOCK_BYTES)
		pack->st = paths_log_fail(PATHS_EDAMAGED,
		    "waits of another rank have not their size");
	if (pack->st != PATHS_OK)
		return;
	es__pack_get(pack, log->block, (size_t)numbers[1]);
	log->used = (uint32_t)numbers[1];
	log->stop_ns = (int64_t)numbers[2];
	log->count = numbers[3];
}

/* Goes to the next block.  The last block of a log is still in memory. */
static paths_status
cursor_turn(struct es__wait_cursor *cursor)
{
	const struct es__wait_log *log = cursor->log;

	if (cursor->next_block > log->block_count)
		return PATHS_ENOENT;
	if (cursor->next_block == log->block_count) {
		cursor->next_block++;
		cursor->at = log->block;
		cursor->end = log->block + log->used;
		return log->used > 0 ? PATHS_OK : PATHS_ENOENT;
	}
	if (cursor->memory == NULL)
		cursor->memory = malloc(BLOCK_BYTES);
	if (cursor->memory == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	if (!log_read(log, cursor->next_block, cursor->memory))
		return paths_log_fail(PATHS_EIO,
		    "a file of waits cannot be read");
	cursor->at = cursor->memory;
	cursor->end = cursor->memory + log->blocks[cursor->next_block++].bytes;
	return PATHS_OK;
}

paths_status
es__wait_cursor_next(struct es__wait_cursor *cursor,
    struct es_timeline_span *span)
{
	if (cursor->at == cursor->end) {
		paths_status st = cursor_turn(cursor);

		if (st != PATHS_OK)
			return st;
	}
	cursor->at = es_timeline_span_get(cursor->at, cursor->end,
	    cursor->stop_ns, span);
	if (cursor->at == NULL)
		return paths_log_fail(PATHS_EDAMAGED, "a wait is cut");
	cursor->stop_ns = span->stop_ns;
	return PATHS_OK;
}

void
es__wait_cursor_close(struct es__wait_cursor *cursor)
{
	free(cursor->memory);
	cursor->memory = NULL;
}
