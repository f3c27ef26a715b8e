/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/type.c - asks MPI for the sizes of datatypes
 *
 * Only the sizes of predefined datatypes are cached, because the handle of a
 * derived datatype may be reused for a type of another size.
 */

#include "collectors/mpi/object/type_private.h"

#include "collectors/mpi/abi/abi_private.h"

_Atomic uint64_t mpi_types_kept[MPI_TYPES_KEPT];

static bool
type_is_named(mpi_handle type)
{
	int integers, addresses, types, combiner;

	return mpi_abi.call.type_get_envelope != NULL &&
	    mpi_abi.call.type_get_envelope(type, &integers, &addresses, &types,
		&combiner) == 0 &&
	    combiner == mpi_abi.combiner_named;
}

/* Returns the size that MPICH puts into the handle of a basic type; 0: the type
   is not basic. */
static int
type_basic_size(mpi_handle type)
{
	return mpi_abi.row == MPI_ABI_MPICH && type >> 24 == 0x4c ?
	    (int)(type >> 8 & 0xff) :
	    0;
}

uint64_t
mpi_type_ask(mpi_handle type)
{
	int64_t wide = 0;
	int size = type_basic_size(type);
	bool basic = size > 0;

	if (!basic &&
	    (type == mpi_abi.type_null ||
		mpi_abi.call.type_size(type, &size) != 0))
		return 0;
	if (size == mpi_abi.undefined) {
		if (mpi_abi.call.type_size_x == NULL ||
		    mpi_abi.call.type_size_x(type, &wide) != 0)
			return 0;
		return (uint64_t)wide;
	}
	if (size > 0 && size <= UINT16_MAX && type >> 48 == 0 &&
	    (basic || type_is_named(type)))
		/* Relaxed: type and size are one word. */
		atomic_store_explicit(&mpi_types_kept[mpi_type_place(type)],
		    (uint64_t)size << 48 | type, memory_order_relaxed);
	return (uint64_t)size;
}
