/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/module_private.h - the loaded files of a process
 */

#ifndef COLLECTORS_MPI_SITE_MODULE_PRIVATE_H
#define COLLECTORS_MPI_SITE_MODULE_PRIVATE_H

#include "collectors/mpi/base/log_private.h"

/* The longest build id; a longer one is ignored. */
#define MPI_BUILD_ID_BYTES 64u

/* A file, kept for ever; it has the same number when it is loaded again. */
struct mpi_module {
	struct es_mpi_module entry;
	uint8_t build_id[MPI_BUILD_ID_BYTES];
	char *path;
	bool logged;
};

/* Executable memory of a loaded module. */
struct mpi_range {
	uintptr_t from, to;
	uintptr_t base; /* memory address minus address in the file */
	uint32_t module;
};

/* The loaded files, under the lock of struct mpi_site_table. */
struct mpi_modules {
	struct mpi_module *modules;
	uint32_t count;
	struct mpi_range *ranges; /* by address */
	size_t range_count;
	/* Modules loaded and unloaded so far, when the ranges were read. */
	uint64_t loaded, unloaded;
};

void mpi_modules_fini(struct mpi_modules *modules);

/* Reads the loaded modules if they changed.  If there is no memory, some are
   missing. */
void mpi_modules_refresh(struct mpi_modules *modules);

/* Returns the range that an address is in; NULL: it is in no file. */
const struct mpi_range *mpi_modules_find(const struct mpi_modules *modules,
    const void *address);

/* Returns the frame of a return address, and logs its module once. */
struct es_mpi_frame mpi_modules_frame(struct mpi_modules *modules,
    struct mpi_log *log, const void *address);

#endif
