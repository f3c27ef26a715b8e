/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/module_private.h - the files that addresses are in
 */

#ifndef COLLECTORS_MPI_SITE_MODULE_PRIVATE_H
#define COLLECTORS_MPI_SITE_MODULE_PRIVATE_H

#include "collectors/mpi/process/process_private.h"

/* No build id is longer than this; of longer ones nothing is known. */
#define MPI_BUILD_ID_BYTES 64u

/* A file, for ever; the same one loaded again has the same place. */
struct mpi_module {
	struct es_mpi_module entry;
	uint8_t build_id[MPI_BUILD_ID_BYTES];
	char *path;
	bool logged;
};

/* Executable memory of a module that is loaded now. */
struct mpi_range {
	uintptr_t from, to;
	uintptr_t base; /* what is added to addresses in the file */
	uint32_t module;
};

/* Not locked: that is the caller's. */
struct mpi_modules {
	struct mpi_module *modules;
	uint32_t count;
	struct mpi_range *ranges; /* by address */
	size_t range_count;
	uint64_t loaded, unloaded; /* ever, when the ranges were read */
};

void mpi_modules_fini(struct mpi_modules *modules);

/* Read what is loaded, if that changed.  Without memory some are missing. */
void mpi_modules_refresh(struct mpi_modules *modules);

/* Where an address is; NULL: in no file. */
const struct mpi_range *mpi_modules_find(const struct mpi_modules *modules,
    const void *address);

/* The frame of a return address; its module is logged. */
struct es_mpi_frame mpi_modules_frame(struct mpi_modules *modules,
    struct mpi_process *process, const void *address);

#endif
