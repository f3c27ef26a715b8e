/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/site_table.c - hash table of the call sites of a process
 *
 * A site is identified by module and offset of each of its frames, so it is the
 * same wherever a module is loaded.  Threads share the table and lock it; each
 * thread keeps the numbers that it was given (site.c, callpath.c).
 */

#include "collectors/mpi/site/site_table_private.h"

#include "collectors/mpi/site/module_private.h"

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

struct mpi_site_table {
	pthread_mutex_t lock; /* protects all members but log */
	struct mpi_log *log;
	struct mpi_modules modules;
	struct site_known *slots; /* linear probing; at most half are taken */
	uint64_t mask;
	uint32_t count;
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
	mpi_modules_fini(&table->modules);
	pthread_mutex_destroy(&table->lock);
	free(table);
}

static uint64_t
site_table_hash(const struct es_mpi_frame *frames, uint32_t count)
{
	uint64_t h = count;

	for (uint32_t i = 0; i < count; i++) {
		h = (h ^ frames[i].module) * UINT64_C(0x9e3779b97f4a7c15);
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

uint32_t
mpi_site_table_number(struct mpi_site_table *table,
    const void *const *addresses, uint32_t count, uint64_t *unloaded)
{
	struct es_mpi_frame frames[MPI_SITE_FRAMES_MAX];
	uint32_t id;

	pthread_mutex_lock(&table->lock);
	mpi_modules_refresh(&table->modules);
	*unloaded = table->modules.unloaded;
	for (uint32_t i = 0; i < count; i++)
		frames[i] = mpi_modules_frame(&table->modules, table->log,
		    addresses[i]);
	id = site_table_add_locked(table, frames, count);
	pthread_mutex_unlock(&table->lock);
	return id;
}
