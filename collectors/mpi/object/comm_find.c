/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_find.c - finds communicators that a thread did not
 * just use
 */

#include "collectors/mpi/object/comm_find_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/object/comm_make_private.h"
#include "collectors/mpi/object/comm_table_private.h"
#include "collectors/mpi/object/members_private.h"
#include "libpaths/base/lines.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Enters a communicator, window or file whose creation was not seen. */
static struct mpi_comm *
comm_find_meet(struct mpi_world *w, mpi_handle handle, enum mpi_kind kind)
{
	const struct mpi_origin origin = { .met = true };
	struct mpi_comm *comm;
	mpi_handle group;

	if (kind == MPI_KIND_COMM)
		return mpi_comm_make(w, handle, &origin);
	group =
	    mpi_group_of(kind == MPI_KIND_WINDOW ? mpi_abi.call.win_get_group :
						   mpi_abi.call.file_get_group,
		handle);
	if (group == 0)
		return NULL;
	comm = mpi_comm_make_group(w, group, mpi_key(handle, kind));
	mpi_group_drop(group);
	return comm;
}

static bool
comm_find_is_null(mpi_handle handle, enum mpi_kind kind)
{
	switch (kind) {
	case MPI_KIND_WINDOW:
		return handle == mpi_abi.win_null;
	case MPI_KIND_FILE:
		return handle == mpi_abi.file_null;
	default:
		return handle == mpi_abi.comm_null;
	}
}

static unsigned
comm_find_place(uint64_t key)
{
	return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 61);
}

struct mpi_comm *
mpi_comm_find_kept(struct mpi_comms *comms, uint64_t key)
{
	const struct mpi_comm_kept *kept = &comms->kept[comm_find_place(key)];

	/* Relaxed, as in mpi_comm_found. */
	if (kept->key != key ||
	    kept->generation !=
		atomic_load_explicit(comms->generation, memory_order_relaxed))
		return NULL;
	comms->last = *kept;
	return kept->comm;
}

struct mpi_comm *
mpi_comm_find_slow(struct mpi_comms *comms, mpi_handle handle,
    enum mpi_kind kind)
{
	struct mpi_world *w = comms->world;
	uint64_t key = mpi_key(handle, kind);
	struct mpi_comm *comm;
	uint32_t generation;

	if (comm_find_is_null(handle, kind))
		return NULL;
	pthread_mutex_lock(&w->lock);
	/* Read before the search: a communicator that is removed afterwards is
	   looked up again. */
	generation = atomic_load_explicit(&w->generation, memory_order_relaxed);
	comm = mpi_comm_table_lookup_locked(w, key);
	pthread_mutex_unlock(&w->lock);
	if (comm == NULL)
		return comm_find_meet(w, handle, kind);
	comms->last = (struct mpi_comm_kept){ key, generation, comm };
	comms->kept[comm_find_place(key)] = comms->last;
	return comm;
}

paths_status
mpi_comms_open(struct mpi_world *world, struct mpi_comms **comms)
{
	struct mpi_comms *c = paths__lines_zero(1, sizeof(*c));

	if (c == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the communicators of a thread");
	c->generation = &world->generation;
	c->world = world;
	*comms = c;
	return PATHS_OK;
}

void
mpi_comms_close(struct mpi_comms *comms)
{
	free(comms);
}
