/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/window.c - hooks of calls on windows
 */

#include "collectors/mpi/call/window_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/call/p2p_private.h"
#include "collectors/mpi/object/comm_make_private.h"
#include "collectors/mpi/object/comm_table_private.h"
#include "collectors/mpi/object/members_private.h"
#include "collectors/mpi/object/rank_set_private.h"
#include "collectors/mpi/process/process_private.h"

static struct mpi_world *
window_world(const struct mpi_call *call)
{
	const struct mpi_thread *t = call->thread;

	return t == NULL || t->process == NULL ? NULL : t->process->world;
}

void
mpi_put_made(struct mpi_call *call, const struct mpi_args *args)
{
	mpi_request_made(call, args, MPI_REQUEST_ELSE);
}

/* Returns the bytes that a get, or a call that fetches and updates, sends to
   the target.  MPI_NO_OP sends nothing. */
static uint64_t
get_sent(const struct mpi_call *call, const struct mpi_args *args)
{
	if (call->function == MPI_FN_Rget ||
	    (call->function != MPI_FN_Compare_and_swap &&
		(mpi_handle)args->other == mpi_abi.op_no_op))
		return 0;
	if (call->function == MPI_FN_Get_accumulate ||
	    call->function == MPI_FN_Rget_accumulate)
		return mpi_window_bytes(call, args->count, args->type);
	return call->bytes;
}

void
mpi_get_other(struct mpi_call *call, const struct mpi_args *args)
{
	uint64_t sent;

	switch (call->function) {
	case MPI_FN_Rget:
		call->bytes = mpi_window_bytes(call, args->count, args->type);
		break;
	case MPI_FN_Get_accumulate:
	case MPI_FN_Rget_accumulate:
		/* The target's count and type are those of the result. */
		call->bytes = mpi_window_bytes(call, args->count2, args->type2);
		break;
	default: /* MPI_Fetch_and_op, MPI_Compare_and_swap */
		call->bytes = mpi_window_bytes(call, 1, args->type);
	}
	mpi_window_count(call, ES_MPI_CATEGORY_GET, call->bytes);
	sent = get_sent(call, args);
	if (sent > 0)
		mpi_window_count(call, ES_MPI_CATEGORY_PUT, sent);
	if (call->function == MPI_FN_Rget ||
	    call->function == MPI_FN_Rget_accumulate)
		mpi_request_made(call, args, MPI_REQUEST_ELSE);
}

static bool
window_makes(const struct mpi_call *call)
{
	switch (call->function) {
	case MPI_FN_Win_create:
	case MPI_FN_Win_create_dynamic:
	case MPI_FN_Win_allocate:
	case MPI_FN_Win_allocate_shared:
		return true;
	default:
		return false;
	}
}

static bool
window_has_target(const struct mpi_call *call)
{
	switch (call->function) {
	case MPI_FN_Win_lock:
	case MPI_FN_Win_unlock:
	case MPI_FN_Win_flush:
	case MPI_FN_Win_flush_local:
		return true;
	default:
		return false;
	}
}

/* Gives a fence or MPI_Win_free its number on the window, also when it is not
   recorded, so that the following ones have equal numbers in all ranks. */
static void
window_number(struct mpi_call *call, const struct mpi_args *args)
{
	struct mpi_comm *win =
	    mpi_comm_find_other(call->thread, args->comm, MPI_KIND_WINDOW);

	if (win != NULL)
		call->match = mpi_collective_number(win);
}

/* Sets the type of a lock. */
static void
window_lock(struct mpi_call *call, const struct mpi_args *args)
{
	if (call->function == MPI_FN_Win_lock)
		call->match = args->number == mpi_abi.lock_exclusive ?
		    ES_MPI_LOCK_EXCLUSIVE :
		    ES_MPI_LOCK_SHARED;
	else if (call->function == MPI_FN_Win_lock_all)
		call->match = ES_MPI_LOCK_SHARED;
}

/* Returns the peer that stands for the ranks of a group. */
static int32_t
group_peer(const struct mpi_call *call, struct mpi_world *w, mpi_handle group)
{
	struct mpi_rank_sets *sets = call->thread->rank_sets;
	struct mpi_members *members;
	int32_t peer = ES_MPI_PEER_NONE;

	pthread_mutex_lock(&w->lock);
	members = mpi_members_make_locked(w, group);
	pthread_mutex_unlock(&w->lock);
	if (members == NULL)
		return ES_MPI_PEER_NONE;
	if (mpi_rank_set_begin(sets, ES_MPI_RANKS_GROUP,
		(uint32_t)members->count)) {
		for (int32_t n = 0; n < members->count; n++)
			mpi_rank_set_add(sets, members->world[n]);
		peer = mpi_rank_set_peer(sets);
	}
	mpi_members_unref(members);
	return peer;
}

/* Sets the group of a post or start.  MPI is asked only about another group
   than at the last call. */
static void
window_group(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_world *w, struct mpi_group_kept *kept)
{
	mpi_handle group = (mpi_handle)args->other;
	/* Relaxed: a reused handle comes from a call that returned after the
	   old group was freed. */
	uint32_t generation =
	    atomic_load_explicit(&w->groups_freed, memory_order_relaxed);

	if (!(call->mode & ES_MODE_TRACE))
		return;
	if (kept->peer == 0 || kept->group != group ||
	    kept->generation != generation)
		*kept = (struct mpi_group_kept){ group, generation,
			group_peer(call, w, group) };
	call->peer = kept->peer;
}

void
mpi_group_free_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_world *w = window_world(call);

	(void)args;
	/* Relaxed: see window_group. */
	if (w != NULL)
		atomic_fetch_add_explicit(&w->groups_freed, 1,
		    memory_order_relaxed);
}

void
mpi_group_free_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	(void)call;
	(void)args;
	(void)result;
}

void
mpi_window_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_world *w = window_world(call);
	const struct mpi_comm *comm;

	if (w == NULL)
		return;
	if (window_makes(call)) {
		comm = mpi_comm_find(call->thread, args->comm);
		call->comm = comm == NULL ? ES_MPI_COMM_NULL : comm->id;
		return;
	}
	mpi_window_of(call, args);
	if (!window_has_target(call))
		call->peer = ES_MPI_PEER_NONE;
	window_lock(call, args);
	if (call->function == MPI_FN_Win_post)
		window_group(call, args, w, &call->thread->comms->posted);
	else if (call->function == MPI_FN_Win_start)
		window_group(call, args, w, &call->thread->comms->started);
	else if (call->function == MPI_FN_Win_fence ||
	    call->function == MPI_FN_Win_free)
		window_number(call, args);
	/* Before the call, as in mpi_comm_before: another thread may be given
	   the handle at once. */
	if (call->function == MPI_FN_Win_free)
		mpi_comm_table_remove(w, mpi_key(args->comm, MPI_KIND_WINDOW));
}

static void
window_made(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_world *w)
{
	struct mpi_comm *base = mpi_comm_find(call->thread, args->comm), *win;
	mpi_handle handle = mpi_args_made_win(args);

	if (base == NULL || handle == mpi_abi.win_null)
		return;
	win = mpi_comm_make_window(w, base, mpi_key(handle, MPI_KIND_WINDOW));
	if (win == NULL)
		return;
	call->tag = (int32_t)win->window;
	call->match = 1;
}

void
mpi_window_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_world *w = window_world(call);
	if (w == NULL || result != 0)
		return;
	if (window_makes(call))
		window_made(call, args, w);
	else if (call->function == MPI_FN_Win_test && *args->flag != 0)
		call->match = 1;
}
