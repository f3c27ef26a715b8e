/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/snapshot.c - a copy of a run that goes on
 *
 * Processes write on while theirs are copied.  What a copy holds was there at
 * one moment or another of the copying, each row and each tuple whole: a row is
 * copied until it holds still, of a ring what was overwritten meanwhile is left
 * out by the count that its reader looks at, and definitions are copied last,
 * because they are made before anything refers to them.
 */

#include "collectors/mpi/command/main_private.h"

#include "collectors/space_format.h"
#include "libpaths/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

/* Map as much of both files as the first has by now. */
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
		return main_fail("%s: %s", s->name, strerror(errno));
	s->bytes = (uint64_t)status.st_size;
	/* A full disk is an error here, and a signal in a mapping. */
	errno = s->bytes == 0 ? EINVAL :
				posix_fallocate(s->to_fd, 0, (off_t)s->bytes);
	if (errno != 0)
		return main_fail("%s: copy: %s", s->name, strerror(errno));
	s->from = mmap(NULL, s->bytes, PROT_READ, MAP_SHARED, s->from_fd, 0);
	if (s->from == MAP_FAILED)
		s->from = NULL;
	s->to = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
	    s->to_fd, 0);
	if (s->to == MAP_FAILED)
		s->to = NULL;
	return (s->from != NULL && s->to != NULL) ||
	    main_fail("%s: cannot be mapped: %s", s->name, strerror(errno));
}

/* The part at an offset, whole; NULL: none yet. */
static const struct es_space_part *
snapshot_part(const struct snapshot *s, uint64_t at)
{
	const struct es_space_part *part;

	if (at > s->bytes || s->bytes - at < ES_SPACE_PAGE)
		return NULL;
	part = (const struct es_space_part *)(s->from + at);
	if (memcmp(part->magic, ES_SPACE_PART_MAGIC, sizeof(part->magic)) != 0)
		return NULL;
	/* The rest is behind the magic; see part_publish. */
	es_space_fence(memory_order_acquire);
	return part->bytes >= ES_SPACE_PAGE && part->bytes <= s->bytes - at ?
	    part :
	    NULL;
}

/* One row, as it was at one moment. */
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

/* Rows, or a log: as many as are there by now. */
static void
snapshot_rows(struct snapshot *s, uint64_t at)
{
	const struct es_space_part *from =
	    (const struct es_space_part *)(s->from + at);
	struct es_space_part *to = (struct es_space_part *)(s->to + at);
	/* Acquire: the rows before the count that tells of them. */
	uint64_t used = atomic_load_explicit(&from->used, memory_order_acquire);
	uint64_t room = (from->bytes - sizeof(*from)) /
	    (from->row_bytes == 0 ? 1 : from->row_bytes);

	if (used > room)
		used = room;
	memcpy(to, from, offsetof(struct es_space_part, used));
	if (from->kind == ES_PART_LOG)
		memcpy(to + 1, from + 1, used);
	for (uint64_t n = 0; from->kind != ES_PART_LOG && n < used; n++)
		snapshot_row((char *)(to + 1) + n * from->row_bytes,
		    (const char *)(from + 1) + n * from->row_bytes,
		    from->row_bytes);
	atomic_store_explicit(&to->used, used, memory_order_relaxed);
}

/* A ring: what a reader would see that looks at it now. */
static void
snapshot_ring(struct snapshot *s, uint64_t at)
{
	const struct es_space_part *part =
	    (const struct es_space_part *)(s->from + at);
	struct es_space_hot *from =
	    (struct es_space_hot *)(s->from + at + ES_SPACE_PART_RING);
	struct es_space_hot *to =
	    (struct es_space_hot *)(s->to + at + ES_SPACE_PART_RING);
	/* Acquire: the tuples before the counts that tell of them. */
	uint64_t filled =
	    atomic_load_explicit(&from->filled, memory_order_acquire);
	uint64_t completed =
	    atomic_load_explicit(&from->completed, memory_order_acquire);

	memcpy(s->to + at, s->from + at, part->bytes);
	/* The tuples before `reserved`: what was overwritten is left out. */
	es_space_fence(memory_order_acquire);
	atomic_store_explicit(&to->reserved,
	    atomic_load_explicit(&from->reserved, memory_order_relaxed),
	    memory_order_relaxed);
	atomic_store_explicit(&to->filled, filled, memory_order_relaxed);
	atomic_store_explicit(&to->completed,
	    completed < filled ? completed : filled, memory_order_relaxed);
}

/* Head, definitions and the latest moment on all clocks. */
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

/* Copy the parts of one kind that lie in [from, to). */
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

/* Parts from an offset on; their end.  Rows first, side by side, because they
   are compared with each other.  Logs are copied again each time. */
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
		return main_fail("%s: no event space", s->name);
	if (head->collector_count != 0)
		return main_fail("%s: is of no MPI process", s->name);
	snapshot_head(s, head);
	first = end = head->file_bytes;
	do {
		before = end;
		end = snapshot_parts(s, first, end);
		/* More may have come meanwhile, which rows refer to. */
		if (!snapshot_map(s))
			return false;
	} while (end != before);
	return ftruncate(s->to_fd, (off_t)end) == 0 ||
	    main_fail("%s: copy: %s", s->name, strerror(errno));
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
		return main_fail("%s: %s", from_file, strerror(errno));
	s.to_fd = open(to_file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (s.to_fd < 0) {
		close(s.from_fd);
		return main_fail("%s: %s", to_file, strerror(errno));
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
	bool done = dir != NULL || main_fail("%s: %s", run, strerror(errno));
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
		done = main_fail("%s: holds no event space", run);
	if (!done)
		/* It goes if nothing was copied yet. */
		rmdir(to);
	return done;
}
