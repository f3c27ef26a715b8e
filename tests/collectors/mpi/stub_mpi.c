/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/stub_mpi.c - an MPI of one rank, in a chosen ABI
 *
 * It sends to itself, one message at a time.  Its Fortran procedures call those
 * of C by their MPI_ names, as some MPIs do.
 */

#include "tests/collectors/mpi/stub_mpi.h"

#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
/* Defines a procedure under its MPI_ and PMPI_ names. */
#define PROCEDURE(name, parameters) \
	EXPORT int PMPI_##name parameters; \
	EXPORT int MPI_##name parameters \
	    __attribute__((weak, alias("PMPI_" #name))); \
	int PMPI_##name parameters

static int stub_tag, stub_count, stub_level;

#ifdef STUB_UNKNOWN
#define STUB_VERSION "An MPI that nobody knows"
#elif defined STUB_NARROW
#define STUB_VERSION "MPICH Version:\t9.9\nand more"
EXPORT extern const char MPII_Version_ABI[];
const char MPII_Version_ABI[] = "9:9:9";
#else
#define STUB_VERSION "A stub of MPI-5"
PROCEDURE(Abi_get_version, (int *major, int *minor))
{
	*major = 1;
	*minor = 0;
	return 0;
}
#endif

PROCEDURE(Get_library_version, (char *text, int *length))
{
	*length = (int)(sizeof(STUB_VERSION) - 1);
	memcpy(text, STUB_VERSION, sizeof(STUB_VERSION));
	return 0;
}

PROCEDURE(Init, (int *argc, char ***argv))
{
	(void)argc;
	(void)argv;
	stub_level = 1;
	return 0;
}

PROCEDURE(Finalize, (void))
{
	stub_level = 2;
	return 0;
}

PROCEDURE(Initialized, (int *flag))
{
	*flag = stub_level > 0;
	return 0;
}

PROCEDURE(Finalized, (int *flag))
{
	*flag = stub_level > 1;
	return 0;
}

PROCEDURE(Query_thread, (int *level))
{
	*level = 0;
	return 0;
}

PROCEDURE(Session_init,
    (const void *info, const void *errors, MPI_Session *session))
{
	(void)info;
	(void)errors;
	*session = STUB_SESSION;
	return 0;
}

PROCEDURE(Session_finalize, (MPI_Session * session))
{
	return *session != STUB_SESSION;
}

PROCEDURE(Group_from_session_pset,
    (MPI_Session session, const char *name, MPI_Group *group))
{
	*group = STUB_GROUP;
	return session != STUB_SESSION || strcmp(name, "mpi://WORLD") != 0;
}

PROCEDURE(Comm_create_from_group,
    (MPI_Group group, const char *name, const void *info, const void *errors,
	MPI_Comm *comm))
{
	(void)name;
	(void)info;
	(void)errors;
	*comm = MPI_COMM_WORLD;
	return group != STUB_GROUP;
}

PROCEDURE(Comm_rank, (MPI_Comm comm, int *rank))
{
	*rank = 0;
	return comm != MPI_COMM_WORLD;
}

PROCEDURE(Comm_size, (MPI_Comm comm, int *size))
{
	*size = 1;
	return comm != MPI_COMM_WORLD;
}

PROCEDURE(Comm_test_inter, (MPI_Comm comm, int *inter))
{
	*inter = 0;
	return comm != MPI_COMM_WORLD;
}

PROCEDURE(Comm_get_parent, (MPI_Comm * comm))
{
	*comm = MPI_COMM_NULL;
	return 0;
}

PROCEDURE(Comm_group, (MPI_Comm comm, MPI_Group *group))
{
	*group = STUB_GROUP;
	return comm != MPI_COMM_WORLD;
}

PROCEDURE(Group_size, (MPI_Group group, int *size))
{
	*size = 1;
	return group != STUB_GROUP;
}

PROCEDURE(Group_rank, (MPI_Group group, int *rank))
{
	*rank = 0;
	return group != STUB_GROUP;
}

PROCEDURE(Group_free, (MPI_Group * group))
{
	return *group != STUB_GROUP;
}

PROCEDURE(Group_translate_ranks,
    (MPI_Group from, int n, const int *ranks, MPI_Group to, int *found))
{
	memcpy(found, ranks, (size_t)n * sizeof(*ranks));
	return from != to;
}

PROCEDURE(Type_size, (MPI_Datatype type, int *size))
{
	*size = type == MPI_BYTE ? 1 : 4;
	return type != MPI_BYTE && type != MPI_INT;
}

PROCEDURE(Type_get_envelope,
    (MPI_Datatype type, int *integers, int *addresses, int *types,
	int *combiner))
{
	*integers = *addresses = *types = 0;
	*combiner = STUB_COMBINER_NAMED;
	return type != MPI_BYTE && type != MPI_INT;
}

PROCEDURE(Get_count, (const MPI_Status *status, MPI_Datatype type, int *count))
{
	(void)status;
	*count = type == MPI_BYTE ? stub_count * 4 : stub_count;
	return 0;
}

/* Handles of 4 bytes: the upper half of the register is undefined. */
PROCEDURE(Send,
    (const void *buffer, int count, MPI_Datatype type, int target, int tag,
	MPI_Comm comm))
{
	(void)buffer;
	stub_tag = tag;
	stub_count = count;
	return target > 0 || type != MPI_INT || comm != MPI_COMM_WORLD;
}

PROCEDURE(Send_c,
    (const void *buffer, int64_t count, MPI_Datatype type, int target, int tag,
	MPI_Comm comm))
{
	return PMPI_Send(buffer, (int)(count >> 32), type, target, tag, comm);
}

PROCEDURE(Recv,
    (void *buffer, int count, MPI_Datatype type, int source, int tag,
	MPI_Comm comm, MPI_Status *status))
{
	(void)buffer;
	(void)count;
	if (status != MPI_STATUS_IGNORE) {
		status->MPI_SOURCE = 0;
		status->MPI_TAG = stub_tag;
	}
	return (source != 0 && source != MPI_ANY_SOURCE) ||
	    (tag != stub_tag && tag != MPI_ANY_TAG) || type != MPI_INT ||
	    comm != MPI_COMM_WORLD;
}

PROCEDURE(Barrier, (MPI_Comm comm))
{
	return comm != MPI_COMM_WORLD;
}

/* Handles in Fortran have the values of those in C. */
#define FORTRAN(name) \
	EXPORT void name(const void *buffer, const int *count, \
	    const int *type, const int *target, const int *tag, \
	    const int *comm, int *error); \
	void name(const void *buffer, const int *count, const int *type, \
	    const int *target, const int *tag, const int *comm, int *error)
#define FORTRAN_CALLS(send) \
	send(buffer, *count, (MPI_Datatype)(intptr_t)*type, *target, *tag, \
	    (MPI_Comm)(intptr_t)*comm)

FORTRAN(mpi_send_)
{
	*error = FORTRAN_CALLS(MPI_Send);
}

FORTRAN(mpi_send_f08_)
{
	int result = FORTRAN_CALLS(PMPI_Send);

	if (error != NULL)
		*error = result;
}

FORTRAN(mpi_send_f08ts_)
{
	*error = FORTRAN_CALLS(MPI_Send);
}
