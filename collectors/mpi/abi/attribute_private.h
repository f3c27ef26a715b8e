/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/attribute_private.h - attributes of functions and data of
 * the recording path
 */

#ifndef COLLECTORS_MPI_ABI_ATTRIBUTE_PRIVATE_H
#define COLLECTORS_MPI_ABI_ATTRIBUTE_PRIVATE_H

/* For functions that run at every call: compilers take them for too large. */
#define MPI_INLINE inline __attribute__((always_inline))
/* For data of this object: its address need not be looked up. */
#define MPI_OWN __attribute__((visibility("hidden")))

#endif
