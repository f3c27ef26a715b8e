/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/site_private.h - the call sites that a thread has met
 *
 * A site is a return address in the program, or with --path N the N innermost
 * ones.  A process numbers its sites from 1.  It logs them by module and
 * offset, which are comparable between ranks.  Each thread keeps the numbers of
 * the sites that it has met.
 *
 * The site of a call from Python is a place in Python (python_site.c).  Return
 * addresses of such calls have no slots, so they take the way of new ones.
 */

#ifndef COLLECTORS_MPI_SITE_SITE_PRIVATE_H
#define COLLECTORS_MPI_SITE_SITE_PRIVATE_H

#include "collectors/mpi/object/thread_state_private.h"
#include "collectors/mpi/site/callpath_private.h"

struct mpi_site {
	const void *address; /* NULL: free */
	uint32_t id;
	uint32_t reserved;
};

/* The sites that a thread has met: a hash table with linear probing. */
struct mpi_sites {
	struct mpi_site *slots; /* at most half are taken */
	uint32_t shift;		/* 64 - log2 of their number */
	uint64_t mask;
	uint64_t count;
	uint64_t unloaded; /* modules, when the slots were last emptied */
	struct mpi_callpaths *callpaths; /* NULL: sites are single addresses */
	struct mpi_python_sites *python; /* NULL: none yet */
	struct mpi_site_table *table;
};

/* Creates an empty table of a thread, for sites that `table` numbers. */
paths_status mpi_sites_open(struct mpi_site_table *table,
    struct mpi_sites **sites) PATHS_CHECKED;
void mpi_sites_close(struct mpi_sites *sites);

/* Returns the number of a site that has no slot: the thread has not met it, or
   it is in Python.  0: there is no memory. */
uint32_t mpi_site_add(struct mpi_sites *sites, const void *address)
    __attribute__((cold));

static inline uint64_t
mpi_site_slot(const struct mpi_sites *s, const void *address)
{
	return (uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >>
	    s->shift;
}

/* Returns the number of the site of a call. */
static inline uint32_t
mpi_site_find(struct mpi_thread *thread, const void *address)
{
	struct mpi_sites *s = thread->sites;
	uint64_t at = mpi_site_slot(s, address);

	/* With call paths all slots are free. */
	while (__builtin_expect(s->slots[at].address != address, 0)) {
		if (s->slots[at].address == NULL)
			return s->callpaths == NULL ?
			    mpi_site_add(s, address) :
			    mpi_callpath_find(s->callpaths, address);
		at = (at + 1) & s->mask;
	}
	return s->slots[at].id;
}

#endif
