/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_cover.c - which MPI calls are searched for waiting
 */

#include "scopes/mpi/wait_cover_private.h"

#include "collectors/mpi_space.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define NONE ES__COVER_NONE
#define LOCAL ES__COVER_LOCAL
#define PATTERN ES__COVER_PATTERN

/*
 * The first rule that applies to a function decides.  Without a name, a rule is
 * for all functions of the role.  Nonblocking and persistent forms only make
 * requests: es__wait_cover_of knows that they do not wait.
 */
struct cover_rule {
	enum es_mpi_role role;
	const char *name;
	enum es__wait_cover trace, profile;
};

static const struct cover_rule cover_rules[] = {
	{ ES_MPI_ROLE_OTHER, "MPI_Session_finalize", NONE, NONE },
	{ ES_MPI_ROLE_OTHER, NULL, LOCAL, LOCAL },
	{ ES_MPI_ROLE_START, NULL, LOCAL, LOCAL },
	{ ES_MPI_ROLE_READY, NULL, LOCAL, LOCAL },
	{ ES_MPI_ROLE_TEST, NULL, LOCAL, LOCAL },
	{ ES_MPI_ROLE_IPROBE, NULL, LOCAL, LOCAL },
	{ ES_MPI_ROLE_REQUEST, NULL, LOCAL, LOCAL },
	/* Point-to-point. */
	{ ES_MPI_ROLE_SEND, "MPI_Bsend", LOCAL, LOCAL },
	{ ES_MPI_ROLE_SEND, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_RECV, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_SENDRECV, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_WAIT, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_WAIT_MANY, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_PROBE, NULL, PATTERN, PATTERN },
	/* Collectives, also as operations that a Wait completes. */
	{ ES_MPI_ROLE_BARRIER, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_N_TO_N, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_ONE_TO_N, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_N_TO_ONE, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_SCAN, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_NEIGHBOR, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_COMM, "MPI_Comm_set_name", LOCAL, LOCAL },
	{ ES_MPI_ROLE_COMM, "MPI_Comm_get_parent", LOCAL, LOCAL },
	{ ES_MPI_ROLE_COMM, "MPI_Session_init", LOCAL, LOCAL },
	{ ES_MPI_ROLE_COMM, NULL, NONE, NONE },
	/* One-sided. */
	{ ES_MPI_ROLE_PUT, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_GET, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_WINDOW, "MPI_Win_post", LOCAL, LOCAL },
	{ ES_MPI_ROLE_WINDOW, "MPI_Win_test", LOCAL, LOCAL },
	{ ES_MPI_ROLE_WINDOW, "MPI_Win_sync", LOCAL, LOCAL },
	{ ES_MPI_ROLE_WINDOW, NULL, PATTERN, PATTERN },
	/* Files: calls of one rank wait for the file system only; for the
	   others see covers_fill. */
	{ ES_MPI_ROLE_FILE, "MPI_File_read", LOCAL, LOCAL },
	{ ES_MPI_ROLE_FILE, "MPI_File_read_at", LOCAL, LOCAL },
	{ ES_MPI_ROLE_FILE, "MPI_File_write", LOCAL, LOCAL },
	{ ES_MPI_ROLE_FILE, "MPI_File_write_at", LOCAL, LOCAL },
	{ ES_MPI_ROLE_FILE, "MPI_File_delete", LOCAL, LOCAL },
	{ ES_MPI_ROLE_FILE, "MPI_File_seek", LOCAL, LOCAL },
	{ ES_MPI_ROLE_FILE, NULL, NONE, NONE },
	{ ES_MPI_ROLE_INIT, NULL, PATTERN, PATTERN },
	{ ES_MPI_ROLE_FINALIZE, NULL, PATTERN, PATTERN },
};

/* Numbers of functions are u16 in profile rows; those of known functions are
   far below. */
#define COVER_FUNCTIONS 1024u

/* Covers of the operation of each function, and of a call of it that completes
   all of its requests. */
static uint8_t covers[ES__WAIT_DATA_COUNT][COVER_FUNCTIONS];
static uint8_t covers_call[ES__WAIT_DATA_COUNT][COVER_FUNCTIONS];
static pthread_once_t covers_once = PTHREAD_ONCE_INIT;

static bool
rule_applies(const struct cover_rule *rule, const struct es_mpi_function *f)
{
	return rule->role == f->role &&
	    (rule->name == NULL || strcmp(rule->name, f->name) == 0);
}

/* Returns whether a function only makes a request.  It does not wait itself,
   but its number can also stand for the operation in the record of the call
   that starts or completes it. */
static bool
cover_only_begins(const struct es_mpi_function *f)
{
	return (f->flags & (ES_MPI_NONBLOCKING | ES_MPI_PERSISTENT)) != 0 ||
	    f->role == ES_MPI_ROLE_ISEND || f->role == ES_MPI_ROLE_IRECV ||
	    f->role == ES_MPI_ROLE_ISENDRECV ||
	    f->role == ES_MPI_ROLE_SEND_INIT ||
	    f->role == ES_MPI_ROLE_RECV_INIT;
}

static void
covers_fill(void)
{
	const struct es_mpi_function *f;

	for (uint32_t n = 0;
	     n < COVER_FUNCTIONS && (f = es_mpi_function(n)) != NULL; n++) {
		const struct cover_rule *rule = cover_rules;
		const struct cover_rule *end =
		    rule + sizeof(cover_rules) / sizeof(*rule);

		while (rule < end && !rule_applies(rule, f))
			rule++;
		if (rule < end) {
			covers[ES__WAIT_DATA_TRACE][n] =
			    (uint8_t)(f->flags & ES_MPI_FILE_COLLECTIVE ?
				    PATTERN :
				    rule->trace);
			covers[ES__WAIT_DATA_PROFILE][n] =
			    (uint8_t)rule->profile;
		}
		for (unsigned data = 0; data < ES__WAIT_DATA_COUNT; data++)
			covers_call[data][n] = cover_only_begins(f) ?
			    (uint8_t)LOCAL :
			    covers[data][n];
	}
}

enum es__wait_cover
es__wait_cover_of_operation(uint32_t function, enum es__wait_data data)
{
	pthread_once(&covers_once, covers_fill);
	return function < COVER_FUNCTIONS ?
	    (enum es__wait_cover)covers[data][function] :
	    ES__COVER_NONE;
}

enum es__wait_cover
es__wait_cover_of(uint32_t function, uint32_t flags, enum es__wait_data data)
{
	const struct es_mpi_function *f;

	pthread_once(&covers_once, covers_fill);
	if (function >= COVER_FUNCTIONS)
		return ES__COVER_NONE;
	if ((flags & ES_MPI_ELSE) == 0 || data != ES__WAIT_DATA_PROFILE)
		return (enum es__wait_cover)covers_call[data][function];
	f = es_mpi_function(function);
	return f != NULL &&
		(f->role == ES_MPI_ROLE_WAIT ||
		    f->role == ES_MPI_ROLE_WAIT_MANY) ?
	    ES__COVER_NONE :
	    (enum es__wait_cover)covers_call[data][function];
}
