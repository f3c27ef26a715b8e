/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_pattern.c - names the reasons why a rank waits inside an MPI
 * call
 */

#include "scopes/mpi/wait_pattern_private.h"

#include "collectors/mpi_space.h"

#include <string.h>

const char *
es__wait_pattern_name(enum es__wait_pattern pattern)
{
	static const char *const names[ES__WAIT_PATTERNS] = {
		[ES__WAIT_LATE_SENDER] = "Late Sender",
		[ES__WAIT_LATE_RECEIVER] = "Late Receiver",
		[ES__WAIT_ONE_SIDED] = "One-Sided Wait",
		[ES__WAIT_FENCE] = "Wait at Fence",
		[ES__WAIT_N_TO_N] = "Wait at N x N",
		[ES__WAIT_N_TO_N_EMPTY] = "Wait at N x N, No Bytes",
		[ES__WAIT_BARRIER] = "Wait at Barrier",
		[ES__WAIT_LATE_BROADCAST] = "Late Broadcast",
		[ES__WAIT_EARLY_REDUCE] = "Early Reduce",
		[ES__WAIT_EARLY_SCAN] = "Early Scan",
		[ES__WAIT_NEIGHBOUR] = "Late Neighbour",
		[ES__WAIT_FILE] = "Wait at File Collective",
		[ES__WAIT_FINALIZE] = "Wait at Finalize",
		[ES__WAIT_ORDER_SAME] = "Late Sender, Wrong Order, Same Source",
		[ES__WAIT_ORDER_OTHER] =
		    "Late Sender, Wrong Order, Different Source",
		[ES__WAIT_BARRIER_COMPLETION] = "Barrier Completion",
		[ES__WAIT_N_TO_N_COMPLETION] = "N x N Completion",
		[ES__WAIT_NEIGHBOUR_COMPLETION] = "Neighbour Completion",
		[ES__WAIT_FILE_COMPLETION] = "File Completion",
		[ES__WAIT_INIT_COMPLETION] = "Init Completion",
		[ES__WAIT_PEER_PROGRESS] = "Wait for Peer Progress",
		[ES__WAIT_WINDOW_CREATE] = "Wait at Create",
		[ES__WAIT_WINDOW_FREE] = "Wait at Free",
		[ES__WAIT_EARLY_FENCE] = "Early Fence",
		[ES__WAIT_LATE_POST] = "Late Post",
		[ES__WAIT_EARLY_WAIT] = "Early Wait",
		[ES__WAIT_LATE_COMPLETE] = "Late Complete",
		[ES__WAIT_LOCK] = "Lock Competition",
		[ES__WAIT_FOR_PROGRESS] = "Wait for Progress",
		[ES__WAIT_REDUCE] = "Wait at Reduce",
	};

	return names[pattern];
}

/* Returns the pattern of a call that completes requests, by their direction. */
static enum es__wait_pattern
pattern_of_wait(uint32_t flags)
{
	if (flags & ES_MPI_ELSE)
		return ES__WAIT_NONE;
	return flags & ES_MPI_SENT ? ES__WAIT_LATE_RECEIVER :
				     ES__WAIT_LATE_SENDER;
}

/* Returns the pattern of a send.  A buffered send does not wait, because it
   ends when its data is copied. */
static enum es__wait_pattern
pattern_of_send(const char *name)
{
	return strcmp(name, "MPI_Bsend") == 0 ? ES__WAIT_NONE :
						ES__WAIT_LATE_RECEIVER;
}

/* Returns the pattern of a call on a window.  The functions named here are
   called by all members. */
static enum es__wait_pattern
pattern_of_window(const char *name)
{
	static const char *const together[] = { "MPI_Win_fence",
		"MPI_Win_create", "MPI_Win_create_dynamic", "MPI_Win_allocate",
		"MPI_Win_allocate_shared", "MPI_Win_free" };
	static const char *const alone[] = { "MPI_Win_post", "MPI_Win_test",
		"MPI_Win_sync" };

	for (size_t n = 0; n < sizeof(together) / sizeof(together[0]); n++)
		if (strcmp(name, together[n]) == 0)
			return ES__WAIT_FENCE;
	for (size_t n = 0; n < sizeof(alone) / sizeof(alone[0]); n++)
		if (strcmp(name, alone[n]) == 0)
			return ES__WAIT_NONE;
	return ES__WAIT_ONE_SIDED;
}

enum es__wait_pattern
es__wait_pattern_of(const struct es_mpi_function *function, uint32_t flags)
{
	if (function == NULL ||
	    function->flags & (ES_MPI_NONBLOCKING | ES_MPI_PERSISTENT))
		return ES__WAIT_NONE;
	switch (function->role) {
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_SENDRECV:
	case ES_MPI_ROLE_PROBE:
		return ES__WAIT_LATE_SENDER;
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
		return pattern_of_wait(flags);
	case ES_MPI_ROLE_SEND:
		return pattern_of_send(function->name);
	case ES_MPI_ROLE_PUT:
	case ES_MPI_ROLE_GET:
		return ES__WAIT_ONE_SIDED;
	case ES_MPI_ROLE_WINDOW:
		return pattern_of_window(function->name);
	case ES_MPI_ROLE_N_TO_N:
		return ES__WAIT_N_TO_N;
	case ES_MPI_ROLE_NEIGHBOR:
		return ES__WAIT_NEIGHBOUR;
	case ES_MPI_ROLE_SCAN:
		return ES__WAIT_EARLY_SCAN;
	case ES_MPI_ROLE_BARRIER:
		return ES__WAIT_BARRIER;
	case ES_MPI_ROLE_ONE_TO_N:
		return flags & ES_MPI_ROOT ? ES__WAIT_NONE :
					     ES__WAIT_LATE_BROADCAST;
	case ES_MPI_ROLE_N_TO_ONE:
		return flags & ES_MPI_ROOT ? ES__WAIT_EARLY_REDUCE :
					     ES__WAIT_NONE;
	default:
		return ES__WAIT_NONE;
	}
}
