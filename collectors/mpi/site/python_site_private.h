/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/python_site_private.h - call sites in Python that a
 * thread has met
 */

#ifndef COLLECTORS_MPI_SITE_PYTHON_SITE_PRIVATE_H
#define COLLECTORS_MPI_SITE_PYTHON_SITE_PRIVATE_H

#include "collectors/mpi/python/place_private.h"
#include "collectors/mpi/site/site_table_private.h"

struct mpi_python_sites;

/* Makes a thread forget its sites.  NULL is allowed. */
void mpi_python_sites_close(struct mpi_python_sites *sites);

/*
 * Returns the number of the site of a call that Python makes through an
 * extension module; 0: the call is none of these, and its site is its return
 * address.
 *
 * sites	in and out: of the thread; NULL there at first
 * address	return address of the call
 * unloaded	out if a site is new: see mpi_site_table_number
 */
uint32_t mpi_python_site(struct mpi_python_sites **sites,
    struct mpi_site_table *table, const void *address, uint64_t *unloaded);

/* Result of mpi_python_source. */
enum mpi_python_known {
	MPI_PYTHON_UNKNOWN,
	MPI_PYTHON_IMPORT, /* in the import of a module: its caller is meant */
	MPI_PYTHON_KNOWN
};

/* Finds the source of a place in Python; *frame is written only if it is
   known. */
enum mpi_python_known mpi_python_source(const struct mpi_python *python,
    struct mpi_site_table *table, const struct mpi_python_at *at,
    struct mpi_site_frame *frame);

/* Numbers the site of a call that is made while Python ends; 0: it is none. */
uint32_t mpi_python_exit_site(const struct mpi_python *python,
    struct mpi_site_table *table, uint64_t *unloaded);

#endif
