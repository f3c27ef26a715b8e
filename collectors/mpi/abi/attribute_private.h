/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/attribute_private.h - attributes of functions and data of
 * the recording path
 */

#ifndef COLLECTORS_MPI_ABI_ATTRIBUTE_PRIVATE_H
#define COLLECTORS_MPI_ABI_ATTRIBUTE_PRIVATE_H

/* For functions that run at every call: compilers do not inline them by
   themselves, because of their size. */
#define MPI_INLINE inline __attribute__((always_inline))
/* For data of this shared object: no table (GOT) is read for its address. */
#define MPI_OWN __attribute__((visibility("hidden")))

#endif
