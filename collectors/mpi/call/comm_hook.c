/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/comm_hook.c - hooks of calls that make, name and free
 * communicators
 *
 * A communicator is removed from the table before MPI frees it, because MPI may
 * give its handle to another thread at once.  If MPI does not free it, its next
 * use enters it again.
 */

#include "collectors/mpi/call/comm_hook_private.h"

#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/object/comm_make_private.h"
#include "collectors/mpi/object/comm_table_private.h"
#include "collectors/mpi/object/world_private.h"
#include "collectors/mpi/process/process_private.h"

#include <stdlib.h>
#include <string.h>

/* A communicator that MPI_Comm_idup makes, until its request is complete. */
struct mpi_comm_later {
	struct mpi_carried carried;
	struct mpi_comm *comm;
	struct mpi_args args; /* args.made: MPI stores the handle there */
};

static struct mpi_world *
hook_world(const struct mpi_call *call)
{
	const struct mpi_thread *t = call->thread;

	return t == NULL || t->process == NULL ? NULL : t->process->world;
}

static bool
hook_frees(const struct mpi_call *call)
{
	return call->function == MPI_FN_Comm_free ||
	    call->function == MPI_FN_Comm_disconnect;
}

/* Returns whether all members of the new communicator call the function with
   the same argument comm. */
static bool
hook_has_parent(const struct mpi_call *call)
{
	switch (call->function) {
	case MPI_FN_Comm_dup:
	case MPI_FN_Comm_dup_with_info:
	case MPI_FN_Comm_idup:
	case MPI_FN_Comm_idup_with_info:
	case MPI_FN_Comm_create:
	case MPI_FN_Comm_create_group:
	case MPI_FN_Comm_split:
	case MPI_FN_Comm_split_type:
	case MPI_FN_Cart_create:
	case MPI_FN_Cart_sub:
	case MPI_FN_Graph_create:
	case MPI_FN_Dist_graph_create:
	case MPI_FN_Dist_graph_create_adjacent:
	case MPI_FN_Intercomm_merge:
		return true;
	default:
		return false;
	}
}

static uint32_t
hook_flags(const struct mpi_call *call)
{
	switch (call->function) {
	case MPI_FN_Comm_spawn:
	case MPI_FN_Comm_spawn_multiple:
		return ES_MPI_COMM_SPAWNED;
	case MPI_FN_Comm_get_parent:
		return ES_MPI_COMM_PARENT;
	default:
		return 0;
	}
}

static bool
hook_copies(const struct mpi_call *call)
{
	return call->function == MPI_FN_Comm_dup ||
	    call->function == MPI_FN_Comm_dup_with_info ||
	    call->function == MPI_FN_Comm_idup ||
	    call->function == MPI_FN_Comm_idup_with_info;
}

void
mpi_comm_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_world *w = hook_world(call);
	const struct mpi_comm *comm;

	if (w == NULL || args->comm == 0)
		return;
	comm = mpi_comm_find(call->thread, args->comm);
	if (comm == NULL)
		return;
	call->comm = comm->id;
	if (hook_frees(call))
		mpi_comm_table_remove(w, comm->key);
}

/* Frees the entry, and releases a communicator that was not entered into the
   table. */
static void
later_forget(struct mpi_carried *carried)
{
	struct mpi_comm_later *later = (struct mpi_comm_later *)carried;

	mpi_comm_release(later->comm);
	free(later);
}

void
mpi_comm_arrived(struct mpi_thread *thread, struct mpi_carried *carried)
{
	struct mpi_comm_later *later = (struct mpi_comm_later *)carried;
	struct mpi_world *w = thread->process->world;
	mpi_handle handle = mpi_args_made_comm(&later->args);

	if (handle != mpi_abi.comm_null) {
		later->comm->key = mpi_key(handle, MPI_KIND_COMM);
		mpi_comm_table_put(w, later->comm);
		later->comm = NULL;
	}
	later_forget(carried);
}

static void
hook_made_later(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_origin *origin)
{
	struct mpi_comm_later *later = calloc(1, sizeof(*later));
	struct mpi_request r;

	if (later == NULL)
		return;
	origin->later = true;
	later->carried.forget = later_forget;
	later->args = *args;
	later->comm = mpi_comm_make(hook_world(call), 0, origin);
	if (later->comm == NULL) {
		later_forget(&later->carried);
	} else if (mpi_request_describe(call, args, MPI_REQUEST_COMM, &r)) {
		r.carried = &later->carried;
		mpi_request_keep(call, args, &r);
	} else {
		mpi_comm_arrived(call->thread, &later->carried);
	}
}

/* Logs the name of a communicator.  A name in Fortran is padded with blanks. */
static void
hook_named(const struct mpi_call *call, const struct mpi_args *args)
{
	const char *text = args->other;
	size_t bytes = args->number < 0 ? strlen(text) : (size_t)args->number;
	struct es_mpi_name name = { .id = call->comm };
	struct iovec parts[] = {
		{ &name, sizeof(name) },
		{ (void *)(uintptr_t)text, 0 },
		{ (void *)(uintptr_t) "", 1 },
	};

	while (args->number >= 0 && bytes > 0 && text[bytes - 1] == ' ')
		bytes--;
	name.bytes = (uint32_t)bytes + 1;
	parts[1].iov_len = bytes;
	if (call->comm != ES_MPI_COMM_NULL && call->comm != ES_MPI_COMM_MORE)
		mpi_log_append(&call->thread->process->log,
		    ES_MPI_ENTRY_COMM_NAME, parts, 3);
}

static void
hook_made(struct mpi_call *call, const struct mpi_args *args)
{
	struct mpi_world *w = hook_world(call);
	struct mpi_origin origin = {
		/* MPI_Comm_get_parent returns the same handle each time. */
		.met = call->function == MPI_FN_Comm_get_parent,
		.salt = (uint32_t)args->tag,
		.flags = hook_flags(call),
	};
	mpi_handle handle;

	if (hook_has_parent(call))
		origin.parent = mpi_comm_find(call->thread, args->comm);
	if (hook_copies(call))
		origin.like = origin.parent;
	if (call->function == MPI_FN_Comm_idup ||
	    call->function == MPI_FN_Comm_idup_with_info) {
		/* The completion of the request is seen only while calls are
		   recorded. */
		if (call->mode != ES_MODE_OFF)
			hook_made_later(call, args, &origin);
		return;
	}
	handle = mpi_args_made_comm(args);
	if (handle != mpi_abi.comm_null)
		mpi_comm_make(w, handle, &origin);
}

/* Keeps the group "mpi://WORLD" of a session, which is the world of a program
   that never calls MPI_Init. */
static void
hook_session(struct mpi_call *call, const struct mpi_args *args)
{
	mpi_handle session =
	    mpi_args_handle(args, args->made, 0, mpi_abi.call.session_f2c);
	const struct mpi_thread *t = call->thread;
	mpi_handle group = 0;

	mpi_process_session_begun();
	if (t != NULL &&
	    mpi_abi.call.group_from_session_pset(session, "mpi://WORLD",
		&group) == 0)
		mpi_world_set_session_group(t->process != NULL &&
			    t->process->session ?
			t->process->world :
			NULL,
		    group);
}

/* Begins to record a program that uses sessions and has not called MPI_Init, at
   its first communicator. */
static void
hook_open_session(struct mpi_call *call)
{
	mpi_handle group = mpi_world_session_group();
	int rank = -1, size = 0;

	if (call->thread != NULL && call->thread->process == NULL &&
	    group != 0 && mpi_abi.call.group_rank(group, &rank) == 0 &&
	    mpi_abi.call.group_size(group, &size) == 0 && rank >= 0)
		mpi_process_open(call->thread, rank, size);
}

void
mpi_comm_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	if (result != 0 || hook_frees(call))
		return;
	if (call->function == MPI_FN_Session_init) {
		hook_session(call, args);
		return;
	}
	if (call->function == MPI_FN_Comm_create_from_group ||
	    call->function == MPI_FN_Intercomm_create_from_groups)
		hook_open_session(call);
	if (hook_world(call) == NULL)
		return;
	if (call->function == MPI_FN_Comm_set_name)
		hook_named(call, args);
	else
		hook_made(call, args);
}
