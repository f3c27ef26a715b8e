/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/binding.c - logs the processors on which a thread may
 * run
 *
 * The kernel is asked when the thread first calls MPI, because launchers may
 * bind a rank before or after it executes the program.
 */

#include "collectors/mpi/process/binding_private.h"

#include <sched.h>

void
mpi_binding_log(struct mpi_log *log, uint32_t thread)
{
	uint64_t mask[ES_MPI_BINDING_WORDS] = { 0 };
	struct es_mpi_binding entry = { .thread = thread };

	if (sched_getaffinity(0, sizeof(mask), (cpu_set_t *)(void *)mask) != 0)
		return;
	for (uint32_t n = 0; n < ES_MPI_BINDING_WORDS; n++) {
		if (mask[n] != 0)
			entry.words = n + 1;
	}
	mpi_log_append(log, ES_MPI_ENTRY_BINDING,
	    (const struct iovec[]){ { &entry, sizeof(entry) },
		{ mask, entry.words * sizeof(*mask) } },
	    2);
}
