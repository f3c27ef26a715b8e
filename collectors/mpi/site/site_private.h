/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/site_private.h - where a call was made
 *
 * A site is a return address, or with --path N the N innermost ones, of the
 * program.  The process numbers its sites from 1 and logs them by module and
 * offset, so they mean the same in all ranks; each thread keeps the numbers of
 * those that it has met.
 */

#ifndef COLLECTORS_MPI_SITE_SITE_PRIVATE_H
#define COLLECTORS_MPI_SITE_SITE_PRIVATE_H

#include "collectors/mpi/object/thread_state_private.h"

#define MPI_PATH_FRAMES_MAX 32u

struct mpi_site {
	const void *address; /* NULL: free */
	uint32_t id;
	uint32_t reserved;
};

struct mpi_paths; /* path.c */

/* What a thread knows of sites. */
struct mpi_sites {
	struct mpi_site *slots; /* at most half are taken */
	uint32_t shift;		/* 64 - log2 of their number */
	uint64_t mask;
	uint64_t count;
	uint64_t unloaded;	 /* modules, when the slots were filled */
	struct mpi_paths *paths; /* NULL: the return address alone */
};

/* What a process knows of them. */
struct mpi_site_table;

paths_status mpi_site_table_open(struct mpi_process *process) PATHS_CHECKED;
void mpi_site_table_close(struct mpi_site_table *table);

paths_status mpi_sites_open(struct mpi_thread *thread) PATHS_CHECKED;
void mpi_sites_close(struct mpi_sites *sites);

/* The number that a call path has in the process, also one it had before.
   Also says how many modules were unloaded so far: addresses found before the
   last of them may mean something else now.  0: no memory. */
uint32_t mpi_site_number(struct mpi_process *process,
    const void *const *addresses, uint32_t count, uint64_t *unloaded);

/* The number of a site that this thread has not met. */
uint32_t mpi_site_add(struct mpi_thread *thread, const void *address)
    __attribute__((cold));

/* The number of the call path of which `address` is the innermost frame. */
uint32_t mpi_path_find(struct mpi_thread *thread, const void *address);

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

	/* Of call paths nothing is kept there. */
	while (__builtin_expect(s->slots[at].address != address, 0)) {
		if (s->slots[at].address == NULL)
			return s->paths == NULL ?
			    mpi_site_add(thread, address) :
			    mpi_path_find(thread, address);
		at = (at + 1) & s->mask;
	}
	return s->slots[at].id;
}

#endif
