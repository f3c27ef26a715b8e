/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/world.c - opens and closes the world of a process
 */

#include "collectors/mpi/object/world_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/object/comm_private.h"
#include "collectors/mpi/object/members_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

#define WORLD_BUCKETS 64u /* at first; a power of two */

static _Atomic mpi_handle world_session_group; /* of the latest session */

void
mpi_world_set_session_group(struct mpi_world *world, mpi_handle group)
{
	/* Release: the partner is mpi_world_session_group. */
	atomic_store_explicit(&world_session_group, group,
	    memory_order_release);
	if (world == NULL)
		return;
	/* The groups of earlier sessions ended with those sessions. */
	pthread_mutex_lock(&world->lock);
	world->group = group;
	world->others = 0;
	pthread_mutex_unlock(&world->lock);
}

mpi_handle
mpi_world_session_group(void)
{
	return atomic_load_explicit(&world_session_group, memory_order_acquire);
}

paths_status
mpi_world_open(bool session, int32_t size, struct mpi_log *log,
    struct mpi_world **world)
{
	struct mpi_world *w = calloc(1, sizeof(*w));

	if (w != NULL)
		w->buckets = calloc(WORLD_BUCKETS, sizeof(struct mpi_comm *));
	if (w == NULL || w->buckets == NULL) {
		free(w);
		return paths_log_fail(PATHS_ENOMEM, "no memory for the world");
	}
	w->group = session ?
	    mpi_world_session_group() :
	    mpi_group_of(mpi_abi.call.comm_group, mpi_abi.comm_world);
	if (w->group == 0) {
		free(w->buckets);
		free(w);
		return paths_log_fail(PATHS_EIO,
		    "MPI gives no group of the world");
	}
	pthread_mutex_init(&w->lock, NULL);
	w->bucket_count = WORLD_BUCKETS;
	w->log = log;
	w->size = size;
	w->next_id = ES_MPI_COMM_SELF + 1;
	*world = w;
	return PATHS_OK;
}

void
mpi_world_close(struct mpi_world *world)
{
	if (world == NULL)
		return;
	for (uint32_t n = 0; n < world->bucket_count; n++)
		while (world->buckets[n] != NULL) {
			struct mpi_comm *comm = world->buckets[n];

			world->buckets[n] = comm->next;
			mpi_comm_release(comm);
		}
	mpi_group_drop(world->group);
	mpi_group_drop(world->others);
	pthread_mutex_destroy(&world->lock);
	free(world->made);
	free(world->buckets);
	free(world);
}
