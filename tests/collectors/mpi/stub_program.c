/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/stub_program.c - a program for stub_mpi.c
 *
 * A shared object that abi_test.c opens with RTLD_LOCAL, together with its MPI,
 * as interpreters open their modules.  stub_main returns the line of the first
 * wrong result, modulo 250 to fit an exit status; 0: all results are right.
 */

#include "tests/collectors/mpi/stub_mpi.h"

#include <stdbool.h>
#include <stddef.h>

/* Arguments of 32 bits are passed with arbitrary upper halves, which the ABI
   leaves undefined.  With STUB_NARROW handles have 32 bits too. */
#ifdef STUB_NARROW
typedef uint64_t argument;
#define DIRTY(value) \
	((uint64_t)(uint32_t)(value) | UINT64_C(0xdeadbeef00000000))
#define HANDLE(value) DIRTY(value)
#else
typedef uint64_t argument;
#define DIRTY(value) \
	((uint64_t)(uint32_t)(value) | UINT64_C(0xdeadbeef00000000))
#define HANDLE(value) ((uint64_t)(uintptr_t)(value))
#endif

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Session_init(const void *info, const void *errors,
    MPI_Session *session);
int MPI_Session_finalize(MPI_Session *session);
int MPI_Group_from_session_pset(argument session, const char *name,
    MPI_Group *group);
int MPI_Comm_create_from_group(argument group, const char *name,
    const void *info, const void *errors, MPI_Comm *comm);
int MPI_Send(const void *buffer, argument count, argument type, argument target,
    argument tag, argument comm);
int MPI_Send_c(const void *buffer, int64_t count, argument type,
    argument target, argument tag, argument comm);
int MPI_Recv(void *buffer, argument count, argument type, argument source,
    argument tag, argument comm, MPI_Status *status);
int MPI_Barrier(argument comm);
int PMPI_Send(const void *buffer, argument count, argument type,
    argument target, argument tag, argument comm);
int MPI_Ssend(const void *buffer, argument count, argument type,
    argument target, argument tag, argument comm);

#define FORTRAN(name) \
	void name(const void *buffer, const int *count, const int *type, \
	    const int *target, const int *tag, const int *comm, int *error)
FORTRAN(mpi_send);
FORTRAN(mpi_send_);
FORTRAN(mpi_send__);
FORTRAN(MPI_SEND);
FORTRAN(mpi_send_f08_);
FORTRAN(mpi_send_f08ts_);

__attribute__((visibility("default"))) int stub_main(const char *what);

#define EXPECT(holds) \
	do { \
		if (!(holds)) \
			return __LINE__ % 250; \
	} while (0)

static int
messages(void)
{
	int buffer[4] = { 0 };
	MPI_Status status = { .MPI_SOURCE = 77 };

	EXPECT(MPI_Send(buffer, DIRTY(3), HANDLE(MPI_INT), DIRTY(0), DIRTY(5),
		   HANDLE(MPI_COMM_WORLD)) == 0);
	EXPECT(MPI_Recv(buffer, DIRTY(4), HANDLE(MPI_INT),
		   DIRTY(MPI_ANY_SOURCE), DIRTY(MPI_ANY_TAG),
		   HANDLE(MPI_COMM_WORLD), MPI_STATUS_IGNORE) == 0);
	EXPECT(MPI_Send(buffer, DIRTY(1), HANDLE(MPI_INT), DIRTY(MPI_PROC_NULL),
		   DIRTY(6), HANDLE(MPI_COMM_WORLD)) == 0);
	EXPECT(MPI_Send_c(buffer, INT64_C(5) << 32, HANDLE(MPI_INT), DIRTY(0),
		   DIRTY(8), HANDLE(MPI_COMM_WORLD)) == 0);
	EXPECT(MPI_Recv(buffer, DIRTY(4), HANDLE(MPI_INT), DIRTY(0), DIRTY(8),
		   HANDLE(MPI_COMM_WORLD), &status) == 0);
	EXPECT(status.MPI_SOURCE == 0 && status.MPI_TAG == 8);
	EXPECT(MPI_Barrier(HANDLE(MPI_COMM_WORLD)) == 0);
	return 0;
}

/* Calls MPI_Send by each name that Fortran compilers give it. */
static int
fortran(void)
{
	FORTRAN((*const forms[])) = { mpi_send, mpi_send_, mpi_send__, MPI_SEND,
		mpi_send_f08_, mpi_send_f08ts_ };
	const int type = (int)(intptr_t)MPI_INT, target = 0;
	const int comm = (int)(intptr_t)MPI_COMM_WORLD;
	int buffer[8];

	for (int n = 0; n < 6; n++) {
		int count = n + 1, error = 7;

		forms[n](buffer, &count, &type, &target, &n, &comm, &error);
		EXPECT(error == 0);
	}
	/* ierror is optional in mpi_f08. */
	mpi_send_f08_(buffer, &target, &type, &target, &target, &comm, NULL);
	return 0;
}

/* Begins a session and sends a message in it. */
static int
begin_session(int tag, MPI_Session *session)
{
	MPI_Group group;
	MPI_Comm comm;

	EXPECT(MPI_Session_init(NULL, NULL, session) == 0);
	EXPECT(MPI_Group_from_session_pset(HANDLE(*session), "mpi://WORLD",
		   &group) == 0);
	EXPECT(MPI_Comm_create_from_group(HANDLE(group), "all", NULL, NULL,
		   &comm) == 0);
	EXPECT(MPI_Send(NULL, DIRTY(1), HANDLE(MPI_INT), DIRTY(0), DIRTY(tag),
		   HANDLE(comm)) == 0);
	return 0;
}

/* Runs one session, then two at once.  The first of the two ends; the second
   ends if `end` is set. */
static int
sessions(bool end)
{
	MPI_Session first, second;

	EXPECT(begin_session(1, &first) == 0);
	EXPECT(MPI_Session_finalize(&first) == 0);
	EXPECT(begin_session(2, &first) == 0);
	EXPECT(begin_session(3, &second) == 0);
	EXPECT(MPI_Session_finalize(&first) == 0);
	return end ? MPI_Session_finalize(&second) : 0;
}

/* Runs a session to its end, then calls MPI_Init and sends a message, without
   MPI_Finalize. */
static int
session_before_init(void)
{
	MPI_Session session;

	EXPECT(begin_session(1, &session) == 0);
	EXPECT(MPI_Session_finalize(&session) == 0);
	EXPECT(MPI_Init(NULL, NULL) == 0);
	return MPI_Send(NULL, 1, HANDLE(MPI_INT), 0, 2, HANDLE(MPI_COMM_WORLD));
}

int
stub_main(const char *what)
{
	int result = 0;

	if (*what == 'i')
		return session_before_init();
	if (*what == 'a' || *what == 'o')
		return sessions(*what == 'a');
	EXPECT(MPI_Init(NULL, NULL) == 0);
	if (*what == 'm')
		result = messages();
	else if (*what == 'f')
		result = fortran();
	else if (*what == 'p')
		result = PMPI_Send(NULL, 2, HANDLE(MPI_INT), 0, 3,
		    HANDLE(MPI_COMM_WORLD));
	else
		result = MPI_Ssend(NULL, 0, 0, 0, 0, 0);
	EXPECT(MPI_Finalize() == 0);
	return result;
}
