/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/snapshot.c - copies a live run
 *
 * Processes continue to write while their spaces are copied.  Each row and each
 * tuple in a copy is whole, but they are of different moments.  A row is copied
 * until two readings are equal, at most SNAPSHOT_TRIES times.  The copied
 * counts of a ring exclude the tuples that were overwritten meanwhile.  Logs of
 * definitions are copied last: a definition is written before the first row
 * that refers to it.
 */

#include "collectors/mpi/command/snapshot_private.h"

#include "collectors/mpi/command/fail_private.h"
#include "collectors/space/seal_private.h"
#include "collectors/space_format.h"
#include "libpaths/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SNAPSHOT_TRIES 8

/* A file of a run, and its copy. */
struct snapshot {
	const char *name;
	int from_fd, to_fd;
	char *from, *to;
	uint64_t bytes; /* of both mappings */
};

/* Maps both files, the copy as long as the original is now. */
static bool
snapshot_map(struct snapshot *s)
{
	struct stat status;

	if (s->from != NULL)
		munmap(s->from, s->bytes);
	if (s->to != NULL)
		munmap(s->to, s->bytes);
	s->from = s->to = NULL;
	if (fstat(s->from_fd, &status) != 0)
		return MPI_FAIL("%s: %s", s->name, strerror(errno));
	s->bytes = (uint64_t)status.st_size;
	/* Reserves the blocks: a full disk is an error here, but a signal when
	   a mapping is written. */
	errno = s->bytes == 0 ? EINVAL :
				posix_fallocate(s->to_fd, 0, (off_t)s->bytes);
	if (errno != 0)
		return MPI_FAIL("%s: copy: %s", s->name, strerror(errno));
	s->from = mmap(NULL, s->bytes, PROT_READ, MAP_SHARED, s->from_fd, 0);
	if (s->from == MAP_FAILED)
		s->from = NULL;
	s->to = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
	    s->to_fd, 0);
	if (s->to == MAP_FAILED)
		s->to = NULL;
	return (s->from != NULL && s->to != NULL) ||
	    MPI_FAIL("%s: cannot be mapped: %s", s->name, strerror(errno));
}

/* Returns the part at an offset; NULL if no complete part is there. */
static const struct es_space_part *
snapshot_part(const struct snapshot *s, uint64_t at)
{
	const struct es_space_part *part;

	if (at > s->bytes || s->bytes - at < ES_SPACE_PAGE)
		return NULL;
	part = (const struct es_space_part *)(s->from + at);
	if (memcmp(part->magic, ES_SPACE_PART_MAGIC, sizeof(part->magic)) != 0)
		return NULL;
	/* The other fields were written before the magic; see
	   part_publish_locked. */
	es_space_fence(memory_order_acquire);
	return part->bytes >= ES_SPACE_PAGE && part->bytes <= s->bytes - at ?
	    part :
	    NULL;
}

/* Copies one row as it was at one moment, unless it changes at each try. */
static void
snapshot_row(void *to, const void *from, size_t bytes)
{
	for (int try = 0; try < SNAPSHOT_TRIES; try++) {
		memcpy(to, from, bytes);
		es_space_fence(memory_order_acquire);
		if (memcmp(to, from, bytes) == 0)
			return;
	}
}

/* Copies the rows, or the log, that a part holds now. */
static void
snapshot_rows(struct snapshot *s, uint64_t at)
{
	const struct es_space_part *from =
	    (const struct es_space_part *)(s->from + at);
	struct es_space_part *to = (struct es_space_part *)(s->to + at);
	/* Acquire: `used`, which is read after it, is not below its count. */
	uint64_t sealed =
	    atomic_load_explicit(&from->sealed, memory_order_acquire);
	/* Acquire: rows are written before the count that includes them. */
	uint64_t used = atomic_load_explicit(&from->used, memory_order_acquire);
	uint64_t room = (from->bytes - sizeof(*from)) /
	    (from->row_bytes == 0 ? 1 : from->row_bytes);

	if (used > room)
		used = room;
	memcpy(to, from, offsetof(struct es_space_part, used));
	to->checksum = from->checksum;
	/* Readers use it for a log, or if the process has ended. */
	atomic_store_explicit(&to->sealed, sealed, memory_order_relaxed);
	if (from->kind == ES_PART_LOG)
		memcpy(to + 1, from + 1, used);
	for (uint64_t n = 0; from->kind != ES_PART_LOG && n < used; n++)
		snapshot_row((char *)(to + 1) + n * from->row_bytes,
		    (const char *)(from + 1) + n * from->row_bytes,
		    from->row_bytes);
	atomic_store_explicit(&to->used, used, memory_order_relaxed);
}

/* Copies the checksums of a ring, before its tuples, which may be overwritten
   meanwhile.  Returns the number of bytes before them. */
static uint64_t
snapshot_chunks(struct snapshot *s, uint64_t at, uint64_t bytes)
{
	const struct es_space_ring *place =
	    (const struct es_space_ring *)(s->from + at +
		sizeof(struct es_space_part));
	uint64_t offset = place->chunks_offset - at;
	struct es_space_chunk *from =
	    (struct es_space_chunk *)(s->from + place->chunks_offset);
	struct es_space_chunk *to =
	    (struct es_space_chunk *)(s->to + place->chunks_offset);

	if (place->chunks_offset < at || offset > bytes)
		return bytes;
	for (; (char *)(from + 1) <= s->from + at + bytes; from++, to++) {
		/* Acquire: pairs with the release in chunk_enter. */
		uint64_t number =
		    atomic_load_explicit(&from->number, memory_order_acquire);

		to->count = from->count;
		to->checksum = from->checksum;
		es_space_fence(memory_order_acquire);
		if (atomic_load_explicit(&from->number, memory_order_relaxed) ==
		    number)
			atomic_store_explicit(&to->number, number,
			    memory_order_relaxed);
	}
	return offset;
}

/* Copies a ring as a reader would see it now. */
static void
snapshot_ring(struct snapshot *s, uint64_t at)
{
	const struct es_space_part *part =
	    (const struct es_space_part *)(s->from + at);
	uint64_t bytes = snapshot_chunks(s, at, part->bytes);
	struct es_space_hot *from =
	    (struct es_space_hot *)(s->from + at + ES_SPACE_PART_RING);
	struct es_space_hot *to =
	    (struct es_space_hot *)(s->to + at + ES_SPACE_PART_RING);
	/* Acquire: tuples are written before the counts that include them. */
	uint64_t filled =
	    atomic_load_explicit(&from->filled, memory_order_acquire);
	uint64_t completed =
	    atomic_load_explicit(&from->completed, memory_order_acquire);

	memcpy(s->to + at, s->from + at, bytes);
	/* The tuples are copied before `reserved` is read, so that it excludes
	   all that were overwritten. */
	es_space_fence(memory_order_acquire);
	atomic_store_explicit(&to->reserved,
	    atomic_load_explicit(&from->reserved, memory_order_relaxed),
	    memory_order_relaxed);
	atomic_store_explicit(&to->filled, filled, memory_order_relaxed);
	atomic_store_explicit(&to->completed,
	    completed < filled ? completed : filled, memory_order_relaxed);
	/* Readers find by it that these counts belong together. */
	atomic_store_explicit(&to->checksum, es__seal_hot(to),
	    memory_order_relaxed);
}

/* Copies the head, the definitions and the latest readings of the clocks. */
static void
snapshot_head(struct snapshot *s, const struct es_space_head *head)
{
	const struct es_space_live *live =
	    (const struct es_space_live *)(s->from + head->live_offset);
	uint64_t sequence;

	for (int try = 0; try < SNAPSHOT_TRIES; try++) {
		sequence =
		    atomic_load_explicit(&live->sequence, memory_order_acquire);
		memcpy(s->to, s->from, head->file_bytes);
		es_space_fence(memory_order_acquire);
		if (atomic_load_explicit(&live->sequence,
			memory_order_relaxed) == sequence)
			return;
	}
}

/* Copies the parts of one kind that lie in [from, to). */
static void
snapshot_kind(struct snapshot *s, uint32_t kind, uint64_t from, uint64_t to)
{
	const struct es_space_part *part;

	for (uint64_t at = from; at < to; at += part->bytes) {
		part = snapshot_part(s, at);
		if (part->kind == kind && kind == ES_PART_RING)
			snapshot_ring(s, at);
		else if (part->kind == kind)
			snapshot_rows(s, at);
	}
}

/* Copies the parts from offset next on.  Rows come first and together, because
   they are compared with each other.  Logs are copied again from offset first
   on.  Returns the end of the last part. */
static uint64_t
snapshot_parts(struct snapshot *s, uint64_t first, uint64_t next)
{
	const struct es_space_part *part;
	uint64_t end = next;

	while ((part = snapshot_part(s, end)) != NULL)
		end += part->bytes;
	snapshot_kind(s, ES_PART_ROWS, next, end);
	snapshot_kind(s, ES_PART_RING, next, end);
	snapshot_kind(s, ES_PART_LOG, first, end);
	return end;
}

static bool
snapshot_copy(struct snapshot *s)
{
	const struct es_space_head *head;
	uint64_t first, end, before;

	if (!snapshot_map(s))
		return false;
	head = (const struct es_space_head *)s->from;
	if (s->bytes < sizeof(*head) ||
	    memcmp(head->magic, ES_SPACE_MAGIC, sizeof(head->magic)) != 0 ||
	    head->file_bytes > s->bytes ||
	    head->live_offset > head->file_bytes - ES_SPACE_ALIGN)
		return MPI_FAIL("%s: not an event space", s->name);
	if (head->collector_count != 0)
		return MPI_FAIL("%s: not the event space of an MPI process",
		    s->name);
	snapshot_head(s, head);
	first = end = head->file_bytes;
	do {
		before = end;
		end = snapshot_parts(s, first, end);
		/* Parts that rows refer to may have been added meanwhile. */
		if (!snapshot_map(s))
			return false;
	} while (end != before);
	return ftruncate(s->to_fd, (off_t)end) == 0 ||
	    MPI_FAIL("%s: copy: %s", s->name, strerror(errno));
}

static bool
snapshot_file(const char *run, const char *to, const char *name)
{
	char from_file[PATH_MAX], to_file[PATH_MAX];
	struct snapshot s = { .name = from_file };
	bool done;

	snprintf(from_file, sizeof(from_file), "%s/%s", run, name);
	snprintf(to_file, sizeof(to_file), "%s/%s", to, name);
	s.from_fd = open(from_file, O_RDONLY | O_CLOEXEC);
	if (s.from_fd < 0)
		return MPI_FAIL("%s: %s", from_file, strerror(errno));
	s.to_fd = open(to_file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (s.to_fd < 0) {
		close(s.from_fd);
		return MPI_FAIL("%s: %s", to_file, strerror(errno));
	}
	done = snapshot_copy(&s);
	if (s.from != NULL)
		munmap(s.from, s.bytes);
	if (s.to != NULL)
		munmap(s.to, s.bytes);
	close(s.from_fd);
	close(s.to_fd);
	return done;
}

bool
snapshot_take(const char *run, const char *to)
{
	static const char suffix[] = ".space";
	DIR *dir = opendir(run);
	const struct dirent *entry;
	bool done = dir != NULL || MPI_FAIL("%s: %s", run, strerror(errno));
	uint32_t spaces = 0;

	while (done && (entry = readdir(dir)) != NULL) {
		size_t length = strlen(entry->d_name);

		if (entry->d_name[0] == '.' || length < sizeof(suffix) ||
		    strcmp(entry->d_name + length - (sizeof(suffix) - 1),
			suffix) != 0)
			continue;
		done = snapshot_file(run, to, entry->d_name);
		spaces++;
	}
	if (dir != NULL)
		closedir(dir);
	if (done && spaces == 0)
		done = MPI_FAIL("%s: contains no event space", run);
	if (!done)
		/* Only an empty directory is removed. */
		rmdir(to);
	return done;
}
