/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/site_table.c - hash table of the call sites of a process
 *
 * A site is identified by module and offset of each of its frames, so it is the
 * same wherever a module is loaded; or by function, file and line, if an
 * interpreter runs the frame.  Threads share the table and lock it; each thread
 * keeps the numbers that it was given (site.c, callpath.c, python_site.c,
 * mixed_path.c).
 */

#include "collectors/mpi/site/site_table_private.h"

#include "collectors/mpi/site/module_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/hash.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

#define SITE_TABLE_SLOTS_LOG2 8u

struct site_known {
	uint64_t hash;
	uint32_t id; /* 0: free */
	uint32_t count;
	struct es_mpi_frame *frames;
};

/* A place in a source. */
struct site_source {
	uint64_t hash; /* of the texts and the line; equal in all ranks */
	uint32_t id;   /* 0: free */
	uint32_t line;
	char *function; /* with its 0; the file follows */
};

/* More places are not kept: a program makes them without end. */
#define SITE_SOURCES_MAX (1u << 16)

struct mpi_site_table {
	pthread_mutex_t lock; /* protects all members but log */
	struct mpi_log *log;
	struct mpi_modules modules;
	struct site_known *slots; /* linear probing; at most half are taken */
	uint64_t mask;
	uint32_t count;
	struct paths__hash sources;
	uint64_t *source_hashes; /* by id - 1 */
	size_t source_room;
};

static bool
site_source_used(const void *item)
{
	return ((const struct site_source *)item)->id != 0;
}

static uint64_t
site_source_hash(const void *item)
{
	return ((const struct site_source *)item)->hash;
}

static bool
site_source_equal(const void *a, const void *b)
{
	const struct site_source *x = a, *y = b;

	return x->hash == y->hash && x->line == y->line &&
	    strcmp(x->function, y->function) == 0 &&
	    strcmp(strchr(x->function, 0) + 1, strchr(y->function, 0) + 1) == 0;
}

static const struct paths__hash_kind site_sources = {
	.bytes = sizeof(struct site_source),
	.used = site_source_used,
	.hash = site_source_hash,
	.equal = site_source_equal,
};

paths_status
mpi_site_table_open(struct mpi_log *log, struct mpi_site_table **table)
{
	struct mpi_site_table *t = calloc(1, sizeof(*t));

	if (t != NULL)
		t->slots = calloc((size_t)1 << SITE_TABLE_SLOTS_LOG2,
		    sizeof(*t->slots));
	if (t == NULL || t->slots == NULL) {
		free(t);
		return paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
	}
	t->log = log;
	t->mask = (UINT64_C(1) << SITE_TABLE_SLOTS_LOG2) - 1;
	pthread_mutex_init(&t->lock, NULL);
	*table = t;
	return PATHS_OK;
}

void
mpi_site_table_close(struct mpi_site_table *table)
{
	if (table == NULL)
		return;
	for (uint64_t i = 0; i <= table->mask; i++)
		free(table->slots[i].frames);
	free(table->slots);
	for (size_t i = 0; i < table->sources.room; i++)
		free(((struct site_source *)table->sources.slots)[i].function);
	free(table->sources.slots);
	free(table->source_hashes);
	mpi_modules_fini(&table->modules);
	pthread_mutex_destroy(&table->lock);
	free(table);
}

static uint64_t
site_table_hash(const struct es_mpi_frame *frames, uint32_t count)
{
	uint64_t h = count;

	for (uint32_t i = 0; i < count; i++) {
		h = (h ^ frames[i].module ^ (uint64_t)frames[i].source << 32) *
		    UINT64_C(0x9e3779b97f4a7c15);
		h = (h ^ h >> 32 ^ frames[i].offset) *
		    UINT64_C(0xc2b2ae3d27d4eb4f);
	}
	return h ^ h >> 32;
}

/* Returns the slot of these frames, or the free slot where they belong. */
static struct site_known *
site_table_slot(const struct mpi_site_table *t, uint64_t hash,
    const struct es_mpi_frame *frames, uint32_t count)
{
	uint64_t at = hash & t->mask;
	struct site_known *k = &t->slots[at];

	while (k->id != 0 &&
	    (k->hash != hash || k->count != count ||
		memcmp(k->frames, frames, count * sizeof(*frames)) != 0)) {
		at = (at + 1) & t->mask;
		k = &t->slots[at];
	}
	return k;
}

static bool
site_table_grow_locked(struct mpi_site_table *t)
{
	struct mpi_site_table old = *t;

	if (2 * ((uint64_t)t->count + 1) <= t->mask + 1)
		return true;
	t->slots = calloc(2 * (old.mask + 1), sizeof(*t->slots));
	if (t->slots == NULL) {
		t->slots = old.slots;
		return false;
	}
	t->mask = 2 * old.mask + 1;
	for (uint64_t i = 0; i <= old.mask; i++) {
		struct site_known *k = &old.slots[i];

		if (k->id != 0)
			*site_table_slot(t, k->hash, k->frames, k->count) = *k;
	}
	free(old.slots);
	return true;
}

static uint32_t
site_table_add_locked(struct mpi_site_table *t,
    const struct es_mpi_frame *frames, uint32_t count)
{
	uint64_t hash = site_table_hash(frames, count);
	size_t bytes = count * sizeof(*frames);
	struct es_mpi_site entry = { .id = t->count + 1, .frames = count };
	struct site_known *k;

	if (!site_table_grow_locked(t))
		return 0;
	k = site_table_slot(t, hash, frames, count);
	if (k->id != 0)
		return k->id;
	k->frames = malloc(bytes);
	if (k->frames == NULL)
		return 0;
	memcpy(k->frames, frames, bytes);
	k->hash = hash;
	k->count = count;
	mpi_log_append(t->log, ES_MPI_ENTRY_SITE,
	    (const struct iovec[]){ { &entry, sizeof(entry) },
		{ k->frames, bytes } },
	    2);
	k->id = ++t->count;
	return k->id;
}

/* Returns the frame of the run for a frame of the process. */
static struct es_mpi_frame
site_table_frame_locked(struct mpi_site_table *t,
    const struct mpi_site_frame *frame)
{
	struct es_mpi_frame out = { .module = UINT32_MAX,
		.source = frame->source };

	if (frame->address == NULL) {
		/* Readers that know no sources tell places by this number. */
		out.offset = t->source_hashes[frame->source - 1];
		return out;
	}
	out = mpi_modules_frame(&t->modules, t->log, frame->address);
	out.source = frame->source;
	return out;
}

uint32_t
mpi_site_table_number(struct mpi_site_table *table,
    const struct mpi_site_frame *frames, uint32_t count, uint64_t *unloaded)
{
	struct es_mpi_frame found[MPI_SITE_FRAMES_MAX];
	uint32_t id;

	pthread_mutex_lock(&table->lock);
	mpi_modules_refresh(&table->modules);
	*unloaded = table->modules.unloaded;
	for (uint32_t i = 0; i < count; i++)
		found[i] = site_table_frame_locked(table, &frames[i]);
	id = site_table_add_locked(table, found, count);
	pthread_mutex_unlock(&table->lock);
	return id;
}

/* Adds a source, and takes its texts.  False: there is no memory. */
static bool
site_table_add_source_locked(struct mpi_site_table *t,
    struct site_source *source)
{
	struct es_mpi_source entry = { .line = source->line };
	const char *file = strchr(source->function, 0) + 1;

	if (t->sources.count >= SITE_SOURCES_MAX ||
	    !paths__array_grow(&t->source_hashes, t->sources.count,
		&t->source_room, sizeof(*t->source_hashes)))
		return false;
	t->source_hashes[t->sources.count] = source->hash;
	source->id = entry.id = (uint32_t)t->sources.count + 1;
	if (paths__hash_put(&t->sources, &site_sources, source) == NULL)
		return false;
	entry.function_bytes = (uint32_t)(file - source->function);
	entry.file_bytes = (uint32_t)strlen(file) + 1;
	mpi_log_append(t->log, ES_MPI_ENTRY_SOURCE,
	    (const struct iovec[]){ { &entry, sizeof(entry) },
		{ source->function,
		    entry.function_bytes + (size_t)entry.file_bytes } },
	    2);
	return true;
}

static uint32_t
site_table_find_source_locked(struct mpi_site_table *t,
    struct site_source *source)
{
	const struct site_source *known =
	    paths__hash_find(&t->sources, &site_sources, source);

	if (known == NULL && site_table_add_source_locked(t, source))
		return source->id;
	free(source->function);
	return known == NULL ? 0 : known->id;
}

uint32_t
mpi_site_table_source(struct mpi_site_table *table, const char *function,
    const char *file, uint32_t line)
{
	size_t function_bytes = strlen(function) + 1;
	size_t bytes = function_bytes + strlen(file) + 1;
	struct site_source source = { .line = line };
	uint32_t id;

	source.function = malloc(bytes);
	if (source.function == NULL)
		return 0;
	memcpy(source.function, function, function_bytes);
	memcpy(source.function + function_bytes, file, bytes - function_bytes);
	source.hash = line;
	for (size_t n = 0; n < bytes; n++)
		source.hash = (source.hash ^ (uint8_t)source.function[n]) *
		    UINT64_C(0x100000001b3);
	source.hash ^= source.hash >> 32;
	pthread_mutex_lock(&table->lock);
	id = site_table_find_source_locked(table, &source);
	pthread_mutex_unlock(&table->lock);
	return id;
}
