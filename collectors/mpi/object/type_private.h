/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/type_private.h - the sizes of datatypes
 */

#ifndef COLLECTORS_MPI_OBJECT_TYPE_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_TYPE_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/abi/attribute_private.h"

#include <stdatomic.h>

/* Asks MPI for the size of a type: the slow path of mpi_type_bytes. */
uint64_t mpi_type_ask(mpi_handle type);

/* Cache of the sizes of predefined datatypes, which never change.  An entry
   holds the handle in its low 48 bits and the size in the 16 bits above. */
#define MPI_TYPES_KEPT 64u
extern _Atomic uint64_t mpi_types_kept[MPI_TYPES_KEPT] MPI_OWN;

static inline unsigned
mpi_type_place(mpi_handle type)
{
	return (unsigned)(type * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

/* Returns the size that MPI_Type_size returns; 0 for MPI_DATATYPE_NULL. */
static inline uint64_t
mpi_type_bytes(mpi_handle type)
{
	uint64_t kept;

	/* Relaxed: type and size are one word. */
	kept = atomic_load_explicit(&mpi_types_kept[mpi_type_place(type)],
	    memory_order_relaxed);
	if (__builtin_expect((kept << 16) >> 16 == type && kept != 0, 1))
		return kept >> 48;
	return mpi_type_ask(type);
}

#endif
