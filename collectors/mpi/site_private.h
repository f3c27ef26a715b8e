/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site_private.h - where a call was made
 *
 * A site is a return address, or with --path N the N innermost ones, of the
 * program.  The process numbers its sites from 1 and logs them by module and
 * offset, so they mean the same in all ranks; each thread keeps the numbers of
 * those that it has met.
 */

#ifndef COLLECTORS_MPI_SITE_PRIVATE_H
#define COLLECTORS_MPI_SITE_PRIVATE_H

#include "collectors/mpi/call_private.h"

#define MPI_SITE_FRAMES_MAX 32u

struct mpi_site {
	const void *address; /* NULL: free */
	uint32_t id;
	uint32_t reserved;
};

/* What a thread knows of sites. */
struct mpi_sites {
	struct mpi_site *slots; /* at most half are taken */
	uint32_t shift;		/* 64 - log2 of their number */
	uint32_t depth;		/* frames; 0: the return address alone */
	uint64_t mask;
	uint64_t count;
};

paths_status mpi_sites_open(struct mpi_sites **sites) PATHS_CHECKED;
void mpi_sites_close(struct mpi_sites *sites);

/* The number of a site that this thread has not met.  0: no room. */
uint32_t mpi_site_add(struct mpi_thread *thread, const void *address)
    __attribute__((cold));

/* The number of a call path, of which `address` is the innermost frame. */
uint32_t mpi_site_path(struct mpi_thread *thread, const void *address);

static inline uint64_t
mpi_site_slot(const struct mpi_sites *s, const void *address)
{
	return (uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >>
	    s->shift;
}

/* The number of the site of a call. */
static inline uint32_t
mpi_site_find(struct mpi_thread *thread, const void *address)
{
	const struct mpi_sites *s = thread->sites;
	uint64_t at = mpi_site_slot(s, address);

	if (__builtin_expect(s->depth != 0, 0))
		return mpi_site_path(thread, address);
	while (__builtin_expect(s->slots[at].address != address, 0)) {
		if (s->slots[at].address == NULL)
			return mpi_site_add(thread, address);
		at = (at + 1) & s->mask;
	}
	return s->slots[at].id;
}

#endif
