/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/stub_mpi.h - the ABI of a fake MPI
 *
 * STUB_NARROW: the ABI of MPICH, with handles of 4 bytes; otherwise of MPI-5.
 */

#ifndef TESTS_COLLECTORS_MPI_STUB_MPI_H
#define TESTS_COLLECTORS_MPI_STUB_MPI_H

#include <stdint.h>

#ifdef STUB_NARROW

typedef int MPI_Comm, MPI_Group, MPI_Datatype, MPI_Request, MPI_Session;
typedef struct {
	int count_low, count_high;
	int MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;

#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_COMM_NULL ((MPI_Comm)0x04000000)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
#define MPI_BYTE ((MPI_Datatype)0x4c00010d)
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_IN_PLACE ((void *)-1)
#define STUB_GROUP ((MPI_Group)0x48000001)
#define STUB_REQUEST ((MPI_Request)0x6c000000)
#define STUB_SESSION ((MPI_Session)0x38000001)
#define STUB_COMBINER_NAMED 1

#else

typedef struct stub_comm *MPI_Comm;
typedef struct stub_group *MPI_Group;
typedef struct stub_type *MPI_Datatype;
typedef struct stub_request *MPI_Request;
typedef struct stub_session *MPI_Session;
typedef struct {
	int MPI_SOURCE, MPI_TAG, MPI_ERROR;
	int count;
	int reserved[4];
} MPI_Status;

#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_REQUEST_NULL ((MPI_Request)0x180)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-2)
#define MPI_PROC_NULL (-3)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)1)
#define STUB_GROUP ((MPI_Group)0x1000)
#define STUB_REQUEST ((MPI_Request)0x2000)
#define STUB_SESSION ((MPI_Session)0x3000)
#define STUB_COMBINER_NAMED 101

#endif

#endif
