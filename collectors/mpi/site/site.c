/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/site.c - where a call was made
 *
 * A thread finds a site that it has met by the address alone.  When that fails
 * the process is asked, under a lock, by module and offset.  Addresses that a
 * thread kept are forgotten once a module was unloaded, because the next one
 * may be loaded in its place.
 */

#include "collectors/mpi/abi/lines_private.h"
#include "collectors/mpi/site/callpath_private.h"
#include "collectors/mpi/site/module_private.h"
#include "collectors/mpi/site/site_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

#define SITE_SLOTS_LOG2 8u

struct site_known {
	uint64_t hash;
	uint32_t id; /* 0: free */
	uint32_t count;
	struct es_mpi_frame *frames;
};

struct mpi_site_table {
	pthread_mutex_t lock; /* of all below */
	struct mpi_modules modules;
	struct site_known *slots; /* at most half are taken */
	uint64_t mask;
	uint32_t count;
};

paths_status
mpi_site_table_open(struct mpi_process *process)
{
	struct mpi_site_table *t = calloc(1, sizeof(*t));

	if (t != NULL)
		t->slots =
		    calloc((size_t)1 << SITE_SLOTS_LOG2, sizeof(*t->slots));
	if (t == NULL || t->slots == NULL) {
		free(t);
		return paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
	}
	t->mask = (UINT64_C(1) << SITE_SLOTS_LOG2) - 1;
	pthread_mutex_init(&t->lock, NULL);
	process->sites = t;
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
site_hash(const struct es_mpi_frame *frames, uint32_t count)
{
	uint64_t h = count;

	for (uint32_t i = 0; i < count; i++) {
		h = (h ^ frames[i].module) * UINT64_C(0x9e3779b97f4a7c15);
		h = (h ^ h >> 32 ^ frames[i].offset) *
		    UINT64_C(0xc2b2ae3d27d4eb4f);
	}
	return h ^ h >> 32;
}

/* The slot of these frames, or the free one where they go. */
static struct site_known *
site_slot(const struct mpi_site_table *t, uint64_t hash,
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
site_grow_locked(struct mpi_site_table *t)
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
			*site_slot(t, k->hash, k->frames, k->count) = *k;
	}
	free(old.slots);
	return true;
}

static uint32_t
site_number_locked(struct mpi_process *p, const struct es_mpi_frame *frames,
    uint32_t count)
{
	struct mpi_site_table *t = p->sites;
	uint64_t hash = site_hash(frames, count);
	size_t bytes = count * sizeof(*frames);
	struct es_mpi_site entry = { .id = t->count + 1, .frames = count };
	struct site_known *k;

	if (!site_grow_locked(t))
		return 0;
	k = site_slot(t, hash, frames, count);
	if (k->id != 0)
		return k->id;
	k->frames = malloc(bytes);
	if (k->frames == NULL)
		return 0;
	memcpy(k->frames, frames, bytes);
	k->hash = hash;
	k->count = count;
	mpi_log(p, ES_MPI_ENTRY_SITE,
	    (const struct iovec[]){ { &entry, sizeof(entry) },
		{ k->frames, bytes } },
	    2);
	k->id = ++t->count;
	return k->id;
}

uint32_t
mpi_site_number(struct mpi_process *process, const void *const *addresses,
    uint32_t count, uint64_t *unloaded)
{
	struct mpi_site_table *t = process->sites;
	struct es_mpi_frame frames[MPI_PATH_FRAMES_MAX];
	uint32_t id;

	pthread_mutex_lock(&t->lock);
	mpi_modules_refresh(&t->modules);
	*unloaded = t->modules.unloaded;
	for (uint32_t i = 0; i < count; i++)
		frames[i] =
		    mpi_modules_frame(&t->modules, process, addresses[i]);
	id = site_number_locked(process, frames, count);
	pthread_mutex_unlock(&t->lock);
	return id;
}

paths_status
mpi_sites_open(struct mpi_thread *thread)
{
	struct mpi_sites *s = mpi_lines(1, sizeof(*s));
	paths_status st;

	if (s == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
	s->slots = calloc((size_t)1 << SITE_SLOTS_LOG2, sizeof(*s->slots));
	s->shift = 64 - SITE_SLOTS_LOG2;
	s->mask = (UINT64_C(1) << SITE_SLOTS_LOG2) - 1;
	st = s->slots == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for call sites") :
	    mpi_paths_open(&s->paths);
	if (st != PATHS_OK) {
		mpi_sites_close(s);
		return st;
	}
	thread->sites = s;
	return PATHS_OK;
}

void
mpi_sites_close(struct mpi_sites *sites)
{
	if (sites == NULL)
		return;
	mpi_paths_close(sites->paths);
	free(sites->slots);
	free(sites);
}

static void
site_put(struct mpi_sites *s, const struct mpi_site *site)
{
	uint64_t at = mpi_site_slot(s, site->address);

	while (s->slots[at].address != NULL)
		at = (at + 1) & s->mask;
	s->slots[at] = *site;
}

/* Keep a number.  Without memory it will be asked for again. */
static void
site_keep(struct mpi_sites *s, const struct mpi_site *site)
{
	struct mpi_sites old = *s;

	if (2 * (s->count + 1) > s->mask + 1) {
		s->slots = calloc(2 * (old.mask + 1), sizeof(*s->slots));
		if (s->slots == NULL) {
			s->slots = old.slots;
			return;
		}
		s->shift--;
		s->mask = 2 * old.mask + 1;
		for (uint64_t i = 0; i <= old.mask; i++) {
			if (old.slots[i].address != NULL)
				site_put(s, &old.slots[i]);
		}
		free(old.slots);
	}
	site_put(s, site);
	s->count++;
}

uint32_t
mpi_site_add(struct mpi_thread *thread, const void *address)
{
	struct mpi_sites *s = thread->sites;
	struct mpi_site site = { .address = address };
	uint64_t unloaded;

	site.id = mpi_site_number(thread->process, &address, 1, &unloaded);
	if (unloaded != s->unloaded) {
		memset(s->slots, 0, (s->mask + 1) * sizeof(*s->slots));
		s->count = 0;
		s->unloaded = unloaded;
	}
	if (site.id != 0)
		site_keep(s, &site);
	return site.id;
}
