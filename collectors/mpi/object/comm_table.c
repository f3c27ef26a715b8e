/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_table.c - hash table of the communicators of a
 * process, by key
 *
 * Buckets with chains.  Windows and files are in the table too, under keys that
 * no communicator has.
 */

#include "collectors/mpi/object/comm_table_private.h"

#include "collectors/mpi/object/members_private.h"

#include <stdlib.h>

static struct mpi_comm **
comm_table_bucket(const struct mpi_world *w, uint64_t key)
{
	return &w->buckets[mpi_mix(0, key) & (w->bucket_count - 1)];
}

struct mpi_comm *
mpi_comm_table_lookup_locked(const struct mpi_world *w, uint64_t key)
{
	struct mpi_comm *comm = *comm_table_bucket(w, key);

	while (comm != NULL && comm->key != key)
		comm = comm->next;
	return comm;
}

static void
comm_table_grow_locked(struct mpi_world *w)
{
	uint32_t old_count = w->bucket_count;
	struct mpi_comm **old = w->buckets;
	struct mpi_comm **wide = calloc((size_t)old_count * 2, sizeof(*wide));

	if (wide == NULL)
		return; /* chains get longer */
	w->buckets = wide;
	w->bucket_count = old_count * 2;
	for (uint32_t n = 0; n < old_count; n++) {
		struct mpi_comm *comm = old[n];

		while (comm != NULL) {
			struct mpi_comm *next = comm->next;
			struct mpi_comm **to = comm_table_bucket(w, comm->key);

			comm->next = *to;
			*to = comm;
			comm = next;
		}
	}
	free(old);
}

/* Takes a key out of the table, and makes the caches of all threads invalid. */
static struct mpi_comm *
comm_table_unlink_locked(struct mpi_world *w, uint64_t key)
{
	struct mpi_comm **at = comm_table_bucket(w, key), *comm;

	while (*at != NULL && (*at)->key != key)
		at = &(*at)->next;
	comm = *at;
	if (comm == NULL)
		return NULL;
	*at = comm->next;
	w->count--;
	/* Relaxed: see mpi_comm_found. */
	atomic_fetch_add_explicit(&w->generation, 1, memory_order_relaxed);
	return comm;
}

void
mpi_comm_table_put_locked(struct mpi_world *world, struct mpi_comm *comm)
{
	struct mpi_comm **to;

	/* A communicator that the table has under this key was freed unseen. */
	mpi_comm_release(comm_table_unlink_locked(world, comm->key));
	if (world->count >= world->bucket_count)
		comm_table_grow_locked(world);
	to = comm_table_bucket(world, comm->key);
	comm->next = *to;
	*to = comm;
	world->count++;
}

void
mpi_comm_table_put(struct mpi_world *world, struct mpi_comm *comm)
{
	pthread_mutex_lock(&world->lock);
	mpi_comm_table_put_locked(world, comm);
	pthread_mutex_unlock(&world->lock);
}

void
mpi_comm_table_remove(struct mpi_world *world, uint64_t key)
{
	struct mpi_comm *comm;

	pthread_mutex_lock(&world->lock);
	comm = comm_table_unlink_locked(world, key);
	pthread_mutex_unlock(&world->lock);
	mpi_comm_release(comm);
}
