/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_table.c - the communicators that a process knows
 *
 * A table of the process, by handles; windows and files are in it too, under
 * keys that no communicator has.  What is in it is shared by references: the
 * table's own, those of requests, and those of windows to the communicator
 * that they were made with.
 */

#include "collectors/mpi/object/comm_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/abi/lines_private.h"
#include "collectors/mpi/object/world_private.h"
#include "collectors/mpi/process/process_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

static struct mpi_comm **
comm_bucket(const struct mpi_world *w, uint64_t key)
{
	return &w->buckets[mpi_mix(0, key) & (w->bucket_count - 1)];
}

struct mpi_comm *
mpi_comm_lookup_locked(const struct mpi_world *w, uint64_t key)
{
	struct mpi_comm *comm = *comm_bucket(w, key);

	while (comm != NULL && comm->key != key)
		comm = comm->next;
	return comm;
}

static void
comm_grow_locked(struct mpi_world *w)
{
	uint32_t old_count = w->bucket_count;
	struct mpi_comm **old = w->buckets;
	struct mpi_comm **wide = calloc((size_t)old_count * 2, sizeof(*wide));

	if (wide == NULL)
		return; /* longer chains will do */
	w->buckets = wide;
	w->bucket_count = old_count * 2;
	for (uint32_t n = 0; n < old_count; n++) {
		struct mpi_comm *comm = old[n];

		while (comm != NULL) {
			struct mpi_comm *next = comm->next;
			struct mpi_comm **to = comm_bucket(w, comm->key);

			comm->next = *to;
			*to = comm;
			comm = next;
		}
	}
	free(old);
}

/* Take a key out of the table; what threads keep of it counts no more. */
static struct mpi_comm *
comm_unlink_locked(struct mpi_world *w, uint64_t key)
{
	struct mpi_comm **at = comm_bucket(w, key), *comm;

	while (*at != NULL && (*at)->key != key)
		at = &(*at)->next;
	comm = *at;
	if (comm == NULL)
		return NULL;
	*at = comm->next;
	w->count--;
	/* Relaxed: see mpi_comm_find. */
	atomic_fetch_add_explicit(&w->generation, 1, memory_order_relaxed);
	return comm;
}

void
mpi_comm_link_locked(struct mpi_world *world, struct mpi_comm *comm)
{
	struct mpi_comm **to;

	/* One that is there was freed where nobody saw it. */
	mpi_comm_release(comm_unlink_locked(world, comm->key));
	if (world->count >= world->bucket_count)
		comm_grow_locked(world);
	to = comm_bucket(world, comm->key);
	comm->next = *to;
	*to = comm;
	world->count++;
}

void
mpi_comm_link(struct mpi_world *world, struct mpi_comm *comm)
{
	pthread_mutex_lock(&world->lock);
	mpi_comm_link_locked(world, comm);
	pthread_mutex_unlock(&world->lock);
}

void
mpi_comm_forget(struct mpi_world *world, uint64_t key)
{
	struct mpi_comm *comm;

	pthread_mutex_lock(&world->lock);
	comm = comm_unlink_locked(world, key);
	pthread_mutex_unlock(&world->lock);
	mpi_comm_release(comm);
}

/* One that nobody saw being made. */
static struct mpi_comm *
comm_meet(struct mpi_world *w, mpi_handle handle, enum mpi_kind kind)
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
comm_is_null(mpi_handle handle, enum mpi_kind kind)
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
comm_place(uint64_t key)
{
	return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 61);
}

struct mpi_comm *
mpi_comm_again(struct mpi_comms *comms, uint64_t key)
{
	const struct mpi_comm_kept *kept = &comms->kept[comm_place(key)];

	/* Relaxed, as in mpi_comm_found. */
	if (kept->key != key ||
	    kept->generation !=
		atomic_load_explicit(comms->generation, memory_order_relaxed))
		return NULL;
	comms->last = *kept;
	return kept->comm;
}

struct mpi_comm *
mpi_comm_search(struct mpi_thread *thread, mpi_handle handle,
    enum mpi_kind kind)
{
	struct mpi_world *w = thread->process->world;
	uint64_t key = mpi_key(handle, kind);
	struct mpi_comms *c = thread->comms;
	struct mpi_comm *comm;
	uint32_t generation;

	if (comm_is_null(handle, kind))
		return NULL;
	pthread_mutex_lock(&w->lock);
	/* Before the search: what is forgotten after it is searched again. */
	generation = atomic_load_explicit(&w->generation, memory_order_relaxed);
	comm = mpi_comm_lookup_locked(w, key);
	pthread_mutex_unlock(&w->lock);
	if (comm == NULL)
		return comm_meet(w, handle, kind);
	c->last = (struct mpi_comm_kept){ key, generation, comm };
	c->kept[comm_place(key)] = c->last;
	return comm;
}

paths_status
mpi_comms_open(struct mpi_thread *thread)
{
	struct mpi_comms *comms = mpi_lines(1, sizeof(*comms));

	if (comms == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the communicators of a thread");
	comms->generation = &thread->process->world->generation;
	thread->comms = comms;
	return PATHS_OK;
}

void
mpi_comms_close(struct mpi_comms *comms)
{
	free(comms);
}
