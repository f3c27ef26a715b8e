/* SPDX-License-Identifier: MIT */
/*
 * collectors/control/snapshot.c - copies a live run
 *
 * Processes continue to write while their spaces are copied.  Each row and each
 * tuple in a copy is whole, but they are of different moments.  A row is copied
 * until two readings are equal, at most SNAPSHOT_TRIES times.  The copied
 * counts of a ring exclude the tuples that were overwritten meanwhile.  Logs of
 * definitions are copied last: a definition is written before the first row
 * that refers to it.
 *
 * The copy of a space that is still recorded says so in its head.
 *
 * A copy is sparse: slots that hold no tuple take no disk space.  Disk space is
 * reserved before it is written through a mapping, because a full disk is an
 * error then, but a signal later.
 */

#include "collectors/control/snapshot_private.h"

#include "collectors/control/control_private.h"
#include "collectors/control/fail_private.h"
#include "collectors/space/copy_private.h"
#include "collectors/space/ring_private.h"
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
		return CONTROL_FAIL("%s: %s", s->name, strerror(errno));
	s->bytes = (uint64_t)status.st_size;
	if (s->bytes == 0)
		return CONTROL_FAIL("%s: is empty", s->name);
	if (ftruncate(s->to_fd, (off_t)s->bytes) != 0)
		return CONTROL_FAIL("%s: copy: %s", s->name, strerror(errno));
	s->from = mmap(NULL, s->bytes, PROT_READ, MAP_SHARED, s->from_fd, 0);
	if (s->from == MAP_FAILED)
		s->from = NULL;
	s->to = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
	    s->to_fd, 0);
	if (s->to == MAP_FAILED)
		s->to = NULL;
	return (s->from != NULL && s->to != NULL) ||
	    CONTROL_FAIL("%s: cannot be mapped: %s", s->name, strerror(errno));
}

/* Reserves disk space of the copy. */
static bool
snapshot_reserve(const struct snapshot *s, uint64_t offset, uint64_t bytes)
{
	int error = bytes == 0 ?
	    0 :
	    posix_fallocate(s->to_fd, (off_t)offset, (off_t)bytes);

	return error == 0 ||
	    CONTROL_FAIL("%s: copy: %s", s->name, strerror(error));
}

/* Returns the part at an offset; NULL if no complete part is there. */
static const struct es_space_part *
snapshot_part(const struct snapshot *s, uint64_t at)
{
	const struct es_space_part *part;

	/* A file without parts ends anywhere. */
	if (at % ES_SPACE_PAGE != 0 || at > s->bytes ||
	    s->bytes - at < ES_SPACE_PAGE)
		return NULL;
	part = (const struct es_space_part *)(s->from + at);
	if (memcmp(part->magic, ES_SPACE_PART_MAGIC, sizeof(part->magic)) != 0)
		return NULL;
	/* The other fields were written before the magic; see
	   part_publish_locked. */
	es_space_fence(memory_order_acquire);
	return part->bytes >= ES_SPACE_PAGE &&
		part->bytes % ES_SPACE_PAGE == 0 &&
		part->bytes <= s->bytes - at ?
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
static bool
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

	if (!snapshot_reserve(s, at, from->bytes))
		return false;
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
	return true;
}

/* Returns true if all that belongs to a ring lies in [from, to). */
static bool
snapshot_is_inside(const struct es_space_ring *ring, uint64_t from, uint64_t to)
{
	const uint64_t places[][3] = {
		{ ring->hot_offset, 1, sizeof(struct es_space_hot) },
		{ ring->ring_offset, ring->capacity, ring->tuple_bytes },
		{ ring->chunks_offset,
		    es_space_chunk_count(ring->capacity, ring->chunk_tuples),
		    sizeof(struct es_space_chunk) },
		{ ring->profile_offset,
		    (uint64_t)ring->profile_ops * ring->profile_classes,
		    sizeof(struct es_space_profile_row) },
		{ ring->matrix_offset,
		    (uint64_t)ring->matrix_peers * ring->matrix_categories,
		    sizeof(struct es_space_matrix_row) },
	};

	for (size_t n = 0; n < sizeof(places) / sizeof(places[0]); n++) {
		if (!es__ring_inside(places[n][0], places[n][1], places[n][2],
			from, to))
			return false;
	}
	return true;
}

/* Returns true if the tuples and chunks of a ring have a size, and the ring
   lies in [from, to). */
static bool
snapshot_holds(const struct snapshot *s, const struct es_space_ring *ring,
    uint64_t from, uint64_t to)
{
	return (ring->tuple_bytes > 0 && ring->chunk_tuples > 0 &&
		   snapshot_is_inside(ring, from, to)) ||
	    CONTROL_FAIL("%s: is damaged", s->name);
}

/* Copies the checksums of a ring, before its tuples, which may be overwritten
   meanwhile. */
static void
snapshot_chunks(struct snapshot *s, const struct es_space_ring *ring)
{
	struct es_space_chunk *from =
	    (struct es_space_chunk *)(s->from + ring->chunks_offset);
	struct es_space_chunk *to =
	    (struct es_space_chunk *)(s->to + ring->chunks_offset);
	uint64_t count =
	    es_space_chunk_count(ring->capacity, ring->chunk_tuples);

	for (; count > 0; count--, from++, to++) {
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
}

/* The counts of a ring at one moment. */
struct snapshot_counts {
	uint64_t completed, filled, limit, base;
};

/* Reads the counts of a ring which does not grow meanwhile. */
static struct snapshot_counts
snapshot_count(const struct es_space_hot *hot)
{
	struct snapshot_counts c;
	uint64_t limit =
	    atomic_load_explicit(&hot->limit, memory_order_acquire);

	do {
		c.limit = limit;
		/* Acquire: tuples are written before the counts that include
		   them. */
		c.completed =
		    atomic_load_explicit(&hot->completed, memory_order_acquire);
		c.filled =
		    atomic_load_explicit(&hot->filled, memory_order_acquire);
		c.base = atomic_load_explicit(&hot->base, memory_order_relaxed);
		es_space_fence(memory_order_acquire);
		limit = atomic_load_explicit(&hot->limit, memory_order_relaxed);
	} while (limit != c.limit);
	if (c.completed > c.filled)
		c.completed = c.filled;
	return c;
}

/* Returns the size of the slots that hold the first `filled` tuples. */
static uint64_t
snapshot_used(const struct es_space_ring *ring, const struct snapshot_counts *c)
{
	uint64_t all = ring->capacity * ring->tuple_bytes;
	uint64_t slots = c->limit != 0 && c->limit < all ? c->limit : all;
	uint64_t held = c->filled - c->base;

	return held < slots / ring->tuple_bytes ? held * ring->tuple_bytes :
						  slots;
}

/* Copies a ring as a reader would see it now. */
static bool
snapshot_ring(struct snapshot *s, const struct es_space_ring *ring)
{
	struct es_space_hot *from =
	    (struct es_space_hot *)(s->from + ring->hot_offset);
	struct es_space_hot *to =
	    (struct es_space_hot *)(s->to + ring->hot_offset);
	struct snapshot_counts counts;
	uint64_t bytes;

	if (!snapshot_reserve(s, ring->hot_offset, sizeof(*to)) ||
	    !snapshot_reserve(s, ring->chunks_offset,
		es_space_chunk_count(ring->capacity, ring->chunk_tuples) *
		    sizeof(struct es_space_chunk)))
		return false;
	snapshot_chunks(s, ring);
	memcpy(to, from, sizeof(*to));
	counts = snapshot_count(from);
	bytes = snapshot_used(ring, &counts);
	if (!snapshot_reserve(s, ring->ring_offset, bytes))
		return false;
	memcpy(s->to + ring->ring_offset, s->from + ring->ring_offset, bytes);
	/* The tuples are copied before `reserved` is read, so that it excludes
	   all that were overwritten. */
	es_space_fence(memory_order_acquire);
	atomic_store_explicit(&to->reserved,
	    atomic_load_explicit(&from->reserved, memory_order_relaxed),
	    memory_order_relaxed);
	atomic_store_explicit(&to->filled, counts.filled, memory_order_relaxed);
	atomic_store_explicit(&to->completed, counts.completed,
	    memory_order_relaxed);
	atomic_store_explicit(&to->limit, counts.limit, memory_order_relaxed);
	atomic_store_explicit(&to->base, counts.base, memory_order_relaxed);
	/* Readers find by it that these counts belong together. */
	atomic_store_explicit(&to->checksum, es__seal_hot(to),
	    memory_order_relaxed);
	return true;
}

/* Copies a part with a ring. */
static bool
snapshot_part_ring(struct snapshot *s, uint64_t at)
{
	const struct es_space_part *part =
	    (const struct es_space_part *)(s->from + at);
	struct es_space_ring ring;

	memcpy(&ring, part + 1, sizeof(ring));
	if (!snapshot_holds(s, &ring, at, at + part->bytes))
		return false;
	if (!snapshot_reserve(s, at, ES_SPACE_PART_RING))
		return false;
	memcpy(s->to + at, s->from + at, ES_SPACE_PART_RING);
	return snapshot_ring(s, &ring);
}

/* Copies profile and matrix of a collector. */
static bool
snapshot_summary(struct snapshot *s, const struct es_space_ring *ring)
{
	uint64_t profile = (uint64_t)ring->profile_ops * ring->profile_classes;
	uint64_t matrix =
	    (uint64_t)ring->matrix_peers * ring->matrix_categories;
	size_t bytes = sizeof(struct es_space_profile_row);
	uint64_t n;

	if (!snapshot_reserve(s, ring->profile_offset, profile * bytes))
		return false;
	for (n = ring->profile_offset; profile > 0; profile--, n += bytes)
		snapshot_row(s->to + n, s->from + n, bytes);
	bytes = sizeof(struct es_space_matrix_row);
	if (!snapshot_reserve(s, ring->matrix_offset, matrix * bytes))
		return false;
	for (n = ring->matrix_offset; matrix > 0; matrix--, n += bytes)
		snapshot_row(s->to + n, s->from + n, bytes);
	return true;
}

/* Copies what the collectors have recorded.  Rows come first and together,
   because they are compared with each other. */
static bool
snapshot_collectors(struct snapshot *s, const struct es_space_head *head)
{
	const struct es_space_ring *rings =
	    (const struct es_space_ring *)(s->from + head->collectors_offset);
	uint32_t n;

	for (n = 0; n < head->collector_count; n++) {
		if (!snapshot_holds(s, &rings[n], head->live_offset,
			head->file_bytes))
			return false;
	}
	for (n = 0; n < head->collector_count; n++) {
		if (!snapshot_summary(s, &rings[n]))
			return false;
	}
	for (n = 0; n < head->collector_count; n++) {
		if (!snapshot_ring(s, &rings[n]))
			return false;
	}
	return true;
}

/* Copies the head, the definitions and the latest readings of the clocks. */
static bool
snapshot_head(struct snapshot *s, const struct es_space_head *head)
{
	const struct es_space_live *live =
	    (const struct es_space_live *)(s->from + head->live_offset);
	uint64_t bytes = head->live_offset + sizeof(*live);
	uint64_t sequence;

	if (!snapshot_reserve(s, 0, bytes))
		return false;
	for (int try = 0; try < SNAPSHOT_TRIES; try++) {
		sequence =
		    atomic_load_explicit(&live->sequence, memory_order_acquire);
		memcpy(s->to, s->from, bytes);
		es_space_fence(memory_order_acquire);
		if (atomic_load_explicit(&live->sequence,
			memory_order_relaxed) == sequence)
			break;
	}
	return true;
}

/* Returns true if the process of a space records, or may do so on another
   host. */
static bool
snapshot_is_live(const struct es_space_head *head,
    const struct es_space_live *live)
{
	struct es_space_info info = { .pid = head->pid,
		.host_name = head->host_name,
		.clock_domain = head->clock_domain };

	if (atomic_load_explicit(&live->closed, memory_order_acquire) != 0 ||
	    (es__space_is_copy(head) &&
		atomic_load_explicit(&live->copy, memory_order_relaxed) ==
		    ES_COPY_KILLED) ||
	    memchr(head->host_name, 0, sizeof(head->host_name)) == NULL ||
	    memchr(head->clock_domain, 0, sizeof(head->clock_domain)) == NULL)
		return false;
	return !control_is_here(head->host_name) || control_is_running(&info);
}

/* Marks the copy of a space that is still recorded. */
static void
snapshot_mark(struct snapshot *s, const struct es_space_head *head)
{
	struct es_space_live *live =
	    (struct es_space_live *)(s->to + head->live_offset);

	if (!snapshot_is_live(head, live))
		return;
	memcpy(s->to, ES_SPACE_COPY_MAGIC, sizeof(head->magic));
	es__copy_mark(live, ES_COPY_TAKEN,
	    atomic_load_explicit(&live->left_out, memory_order_relaxed));
}

/* Copies the parts of one kind that lie in [from, to). */
static bool
snapshot_kind(struct snapshot *s, uint32_t kind, uint64_t from, uint64_t to)
{
	const struct es_space_part *part;

	for (uint64_t at = from; at < to; at += part->bytes) {
		part = snapshot_part(s, at);
		if (part->kind == kind &&
		    !(kind == ES_PART_RING ? snapshot_part_ring(s, at) :
					     snapshot_rows(s, at)))
			return false;
	}
	return true;
}

/* Copies the parts from offset *end on, and sets it to the end of the last one.
   Rows come first and together, because they are compared with each other.
   Logs are copied again from offset first on. */
static bool
snapshot_parts(struct snapshot *s, uint64_t first, uint64_t *end)
{
	const struct es_space_part *part;
	uint64_t next = *end;

	while ((part = snapshot_part(s, *end)) != NULL)
		*end += part->bytes;
	return snapshot_kind(s, ES_PART_ROWS, next, *end) &&
	    snapshot_kind(s, ES_PART_RING, next, *end) &&
	    snapshot_kind(s, ES_PART_LOG, first, *end);
}

/* Returns true if the original is a space that this command knows. */
static bool
snapshot_knows(const struct snapshot *s, const struct es_space_head *head)
{
	if (s->bytes < sizeof(*head) ||
	    (memcmp(head->magic, ES_SPACE_MAGIC, sizeof(head->magic)) != 0 &&
		!es__space_is_copy(head)))
		return CONTROL_FAIL("%s: not an event space", s->name);
	if (head->version != ES_SPACE_VERSION)
		return CONTROL_FAIL("%s: has format %u, not %u", s->name,
		    head->version, ES_SPACE_VERSION);
	return (head->file_bytes <= s->bytes &&
		   es__ring_inside(head->live_offset, 1,
		       sizeof(struct es_space_live), sizeof(*head),
		       head->file_bytes) &&
		   es__ring_inside(head->collectors_offset,
		       head->collector_count, sizeof(struct es_space_ring),
		       sizeof(*head), head->live_offset)) ||
	    CONTROL_FAIL("%s: is damaged", s->name);
}

static bool
snapshot_copy(struct snapshot *s)
{
	const struct es_space_head *head;
	uint64_t first, end, before;

	if (!snapshot_map(s))
		return false;
	head = (const struct es_space_head *)s->from;
	if (!snapshot_knows(s, head) || !snapshot_head(s, head) ||
	    !snapshot_collectors(s, head))
		return false;
	snapshot_mark(s, head);
	first = end = head->file_bytes;
	do {
		before = end;
		if (!snapshot_parts(s, first, &end))
			return false;
		/* Parts that rows refer to may have been added meanwhile. */
		if (!snapshot_map(s))
			return false;
	} while (end != before);
	return ftruncate(s->to_fd, (off_t)end) == 0 ||
	    CONTROL_FAIL("%s: copy: %s", s->name, strerror(errno));
}

static bool
snapshot_space(struct snapshot *s)
{
	bool done = snapshot_copy(s);

	if (s->from != NULL)
		munmap(s->from, s->bytes);
	if (s->to != NULL)
		munmap(s->to, s->bytes);
	return done;
}

/* Copies a file that does not change: the map, or a topology. */
static bool
snapshot_plain(struct snapshot *s)
{
	char buffer[65536];
	ssize_t bytes;

	while ((bytes = read(s->from_fd, buffer, sizeof(buffer))) > 0) {
		if (write(s->to_fd, buffer, (size_t)bytes) != bytes)
			return CONTROL_FAIL("%s: copy: %s", s->name,
			    strerror(errno));
	}
	return bytes == 0 || CONTROL_FAIL("%s: %s", s->name, strerror(errno));
}

/* Returns true for a file that has an end. */
static bool
snapshot_is_file(const struct snapshot *s)
{
	struct stat status;

	return (fstat(s->from_fd, &status) == 0 && S_ISREG(status.st_mode)) ||
	    CONTROL_FAIL("%s: not a file", s->name);
}

static bool
snapshot_file(const char *run, const char *to, const char *name,
    bool (*copy)(struct snapshot *s))
{
	char from_file[PATH_MAX], to_file[PATH_MAX];
	struct snapshot s = { .name = from_file };
	bool done;

	snprintf(from_file, sizeof(from_file), "%s/%s", run, name);
	snprintf(to_file, sizeof(to_file), "%s/%s", to, name);
	s.from_fd = open(from_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s.from_fd < 0)
		return CONTROL_FAIL("%s: %s", from_file, strerror(errno));
	s.to_fd = open(to_file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (s.to_fd < 0) {
		close(s.from_fd);
		return CONTROL_FAIL("%s: %s", to_file, strerror(errno));
	}
	done = snapshot_is_file(&s) && copy(&s);
	close(s.from_fd);
	close(s.to_fd);
	return done;
}

static bool
snapshot_ends(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);

	return name[0] != '.' && length > end &&
	    strcmp(name + length - end, suffix) == 0;
}

bool
snapshot_take(const char *run, const char *to)
{
	DIR *dir = opendir(run);
	const struct dirent *entry;
	bool done = dir != NULL || CONTROL_FAIL("%s: %s", run, strerror(errno));
	uint32_t spaces = 0;

	while (done && (entry = readdir(dir)) != NULL) {
		if (snapshot_ends(entry->d_name, ".space")) {
			done = snapshot_file(run, to, entry->d_name,
			    snapshot_space);
			spaces++;
		} else if (strcmp(entry->d_name, "map") == 0 ||
		    snapshot_ends(entry->d_name, ".topology")) {
			done = snapshot_file(run, to, entry->d_name,
			    snapshot_plain);
		}
	}
	if (dir != NULL)
		closedir(dir);
	if (done && spaces == 0)
		done = CONTROL_FAIL("%s: contains no event space", run);
	if (!done)
		/* Only an empty directory is removed. */
		rmdir(to);
	return done;
}
