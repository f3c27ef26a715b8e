/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/site.c - keeps the numbers of call sites that a thread
 * has met
 *
 * A thread finds a site that it has met by the return address alone.  A new one
 * is numbered by the table of the process.  When a module was unloaded, the
 * thread forgets all addresses, because another module may be loaded there.
 */

#include "collectors/mpi/site/site_private.h"

#include "collectors/mpi/site/python_site_private.h"
#include "libpaths/base/lines.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

#define SITE_SLOTS_LOG2 8u

paths_status
mpi_sites_open(struct mpi_site_table *table, struct mpi_sites **sites)
{
	struct mpi_sites *s = paths__lines_zero(1, sizeof(*s));
	paths_status st;

	if (s == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
	s->slots = calloc((size_t)1 << SITE_SLOTS_LOG2, sizeof(*s->slots));
	s->shift = 64 - SITE_SLOTS_LOG2;
	s->mask = (UINT64_C(1) << SITE_SLOTS_LOG2) - 1;
	s->table = table;
	st = s->slots == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for call sites") :
	    mpi_callpaths_open(table, &s->callpaths);
	if (st != PATHS_OK) {
		mpi_sites_close(s);
		return st;
	}
	*sites = s;
	return PATHS_OK;
}

void
mpi_sites_close(struct mpi_sites *sites)
{
	if (sites == NULL)
		return;
	mpi_callpaths_close(sites->callpaths);
	mpi_python_sites_close(sites->python);
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

/* Keeps the number of a site.  Without memory it is looked up again at the next
   call. */
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

/* Forgets all sites after a module was unloaded. */
static void
site_forget(struct mpi_sites *s, uint64_t unloaded)
{
	memset(s->slots, 0, (s->mask + 1) * sizeof(*s->slots));
	s->count = 0;
	s->unloaded = unloaded;
	mpi_python_sites_close(s->python);
	s->python = NULL;
}

uint32_t
mpi_site_add(struct mpi_sites *sites, const void *address)
{
	struct mpi_site site = { .address = address };
	struct mpi_site_frame frame = { .address = address };
	uint64_t unloaded = sites->unloaded;
	uint32_t python =
	    mpi_python_site(&sites->python, sites->table, address, &unloaded);

	site.id = python != 0 ?
	    python :
	    mpi_site_table_number(sites->table, &frame, 1, &unloaded);
	if (__builtin_expect(unloaded != sites->unloaded, 0))
		site_forget(sites, unloaded);
	if (python == 0 && site.id != 0)
		site_keep(sites, &site);
	return site.id;
}
