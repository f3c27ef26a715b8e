/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/comm_make.c - makes communicators: members, identity,
 * number
 *
 * Each member computes the identity of a communicator from data that all
 * members know: the identity of the parent, the members, and the number of
 * communicators with these members that were made of the parent before.
 */

#include "collectors/mpi/object/comm_make_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/object/comm_table_private.h"
#include "collectors/mpi/object/members_private.h"

#include <stdlib.h>
#include <string.h>

/* Hash table with linear probing: counts the communicators that were made from
   one parent, or without a parent, by a key of their members. */
struct mpi_made {
	uint32_t room, used; /* room: a power of two */
	struct {
		uint64_t key; /* 0: free */
		uint64_t count;
	} of[];
};

#define MADE_ROOM 8u /* at first */

/* Returns a table of twice the room, or a first table if m is NULL; NULL: there
   is no memory. */
static struct mpi_made *
made_grow(struct mpi_made *m)
{
	uint32_t room = m == NULL ? MADE_ROOM : m->room * 2, at;
	struct mpi_made *wide =
	    calloc(1, sizeof(*wide) + room * sizeof(wide->of[0]));

	if (wide == NULL)
		return NULL;
	wide->room = room;
	for (uint32_t n = 0; m != NULL && n < m->room; n++) {
		if (m->of[n].key == 0)
			continue;
		at = (uint32_t)m->of[n].key & (room - 1);
		while (wide->of[at].key != 0)
			at = (at + 1) & (room - 1);
		wide->of[at] = m->of[n];
		wide->used++;
	}
	free(m);
	return wide;
}

/* Counts one more communicator with a key, and returns how many were made
   before. */
static uint64_t
made_count(struct mpi_made **made, uint64_t key)
{
	struct mpi_made *m = *made;
	uint32_t at;

	if (m == NULL || m->used * 2 >= m->room) {
		m = made_grow(m);
		if (m == NULL)
			return 0;
		*made = m;
	}
	key |= key == 0;
	at = (uint32_t)key & (m->room - 1);
	while (m->of[at].key != 0 && m->of[at].key != key)
		at = (at + 1) & (m->room - 1);
	m->used += m->of[at].key == 0;
	m->of[at].key = key;
	return m->of[at].count++;
}

/* Returns a number that is the same in all members, and that no other
   communicator has. */
static uint64_t
comm_identify_locked(struct mpi_world *w, const struct mpi_comm *comm,
    const struct mpi_origin *origin)
{
	struct mpi_comm *parent = origin->parent;
	const struct mpi_members *a = comm->local, *b = comm->remote;
	uint64_t key =
	    mpi_mix(parent == NULL ? 0 : parent->identity, origin->salt);

	/* Both sides begin with the group whose first member is lower. */
	if (b != NULL && b->count > 0 &&
	    (a->count == 0 || b->world[0] < a->world[0])) {
		a = comm->remote;
		b = comm->local;
	}
	key = mpi_mix(key, a->hash);
	if (b != NULL)
		key = mpi_mix(key, b->hash);
	return mpi_mix(key,
	    made_count(parent == NULL ? &w->made : &parent->made, key));
}

/* Groups of a communicator; 0: none. */
struct comm_groups {
	mpi_handle local, remote;
};

/* Asks MPI for rank and groups.  Nothing is locked meanwhile, because MPI calls
   the program's error handler when the handle is invalid. */
static bool
comm_ask(mpi_handle handle, struct mpi_comm *comm, struct comm_groups *g)
{
	int inter = 0;

	if (mpi_abi.call.comm_test_inter(handle, &inter) != 0 ||
	    mpi_abi.call.comm_rank(handle, &comm->rank) != 0)
		return false;
	comm->inter = inter != 0;
	g->local = mpi_group_of(mpi_abi.call.comm_group, handle);
	if (comm->inter)
		g->remote =
		    mpi_group_of(mpi_abi.call.comm_remote_group, handle);
	return g->local != 0 && (!comm->inter || g->remote != 0);
}

/* Sets the members that each call reads. */
static void
comm_set_peers(struct mpi_comm *comm)
{
	const struct mpi_members *named =
	    comm->inter ? comm->remote : comm->local;

	comm->world = named->same ? NULL : named->world;
	comm->peers = named->count;
	comm->size = comm->local->count;
}

static bool
comm_fill_locked(struct mpi_world *w, struct mpi_comm *comm,
    const struct comm_groups *g, const struct mpi_origin *origin)
{
	const struct mpi_comm *like = origin->like;

	if (like != NULL) {
		comm->rank = like->rank;
		comm->inter = like->inter;
		comm->local = mpi_members_ref(like->local);
		if (like->remote != NULL)
			comm->remote = mpi_members_ref(like->remote);
	} else {
		comm->local = mpi_members_make_locked(w, g->local);
		if (comm->inter)
			comm->remote = mpi_members_make_locked(w, g->remote);
	}
	if (comm->local == NULL || (comm->inter && comm->remote == NULL))
		return false;
	comm_set_peers(comm);
	return true;
}

static void
comm_log(struct mpi_log *log, const struct mpi_comm *comm,
    const struct mpi_origin *origin, const char *name)
{
	const struct mpi_members *l = comm->local, *r = comm->remote;
	const struct mpi_comm *parent = origin->parent;
	struct es_mpi_comm entry = {
		.id = comm->id,
		.parent = parent == NULL ? 0 : parent->id,
		.identity = comm->identity,
		.flags = origin->flags | (comm->inter ? ES_MPI_COMM_INTER : 0),
		.rank = comm->rank,
		.size = (uint32_t)l->count,
		.remote_size = r == NULL ? 0 : (uint32_t)r->count,
		.runs = l->run_count + (r == NULL ? 0 : r->run_count),
		.local_runs = l->run_count,
	};
	struct iovec parts[] = {
		{ &entry, sizeof(entry) },
		{ l->runs, l->run_count * sizeof(*l->runs) },
		{ r == NULL ? NULL : r->runs,
		    r == NULL ? 0 : r->run_count * sizeof(*r->runs) },
		{ (void *)(uintptr_t)name, strlen(name) + 1 },
	};

	mpi_log_append(log, ES_MPI_ENTRY_COMM, parts,
	    sizeof(parts) / sizeof(parts[0]));
}

/* Sets identity and number of the communicator, and logs it.  When all numbers
   are used, further communicators share ES_MPI_COMM_MORE and are not logged. */
static void
comm_define_locked(struct mpi_world *w, struct mpi_comm *comm,
    const struct mpi_origin *origin)
{
	const char *name = "";

	comm->identity = comm_identify_locked(w, comm, origin);
	if (comm->key == mpi_key(mpi_abi.comm_world, MPI_KIND_COMM)) {
		comm->id = ES_MPI_COMM_WORLD;
		name = "MPI_COMM_WORLD";
	} else if (comm->key == mpi_key(mpi_abi.comm_self, MPI_KIND_COMM)) {
		comm->id = ES_MPI_COMM_SELF;
		name = "MPI_COMM_SELF";
	} else {
		comm->id = (uint16_t)w->next_id;
		w->next_id += w->next_id < ES_MPI_COMM_MORE;
	}
	if (comm->id != ES_MPI_COMM_MORE)
		comm_log(w->log, comm, origin, name);
}

/* Fills in a new communicator and enters it into the table.  Returns the
   existing one if another thread has met the same handle first. */
static struct mpi_comm *
comm_enter_locked(struct mpi_world *w, struct mpi_comm *comm,
    const struct comm_groups *groups, const struct mpi_origin *origin)
{
	struct mpi_comm *known = NULL;

	if (origin->met)
		known = mpi_comm_table_lookup_locked(w, comm->key);
	if (known != NULL)
		return known;
	if (!comm_fill_locked(w, comm, groups, origin))
		return NULL;
	comm_define_locked(w, comm, origin);
	if (!origin->later)
		mpi_comm_table_put_locked(w, comm);
	return comm;
}

struct mpi_comm *
mpi_comm_make(struct mpi_world *world, mpi_handle handle,
    const struct mpi_origin *origin)
{
	struct mpi_comm *comm = mpi_comm_alloc(mpi_key(handle, MPI_KIND_COMM));
	struct mpi_comm *entered = NULL;
	struct comm_groups groups = { 0 };

	if (comm == NULL)
		return NULL;
	if (origin->like != NULL || comm_ask(handle, comm, &groups)) {
		pthread_mutex_lock(&world->lock);
		entered = comm_enter_locked(world, comm, &groups, origin);
		pthread_mutex_unlock(&world->lock);
	}
	mpi_group_drop(groups.local);
	mpi_group_drop(groups.remote);
	if (entered != comm)
		mpi_comm_release(comm);
	return entered;
}

struct mpi_comm *
mpi_comm_make_group(struct mpi_world *world, mpi_handle group, uint64_t key)
{
	struct mpi_comm *comm = mpi_comm_alloc(key), *known = NULL;

	if (comm == NULL)
		return NULL;
	comm->rank = -1;
	pthread_mutex_lock(&world->lock);
	known = mpi_comm_table_lookup_locked(world, key);
	if (known == NULL)
		comm->local = mpi_members_make_locked(world, group);
	if (comm->local != NULL) {
		comm_set_peers(comm);
		mpi_comm_table_put_locked(world, comm);
		known = comm;
	}
	pthread_mutex_unlock(&world->lock);
	if (known != comm)
		mpi_comm_release(comm);
	return known;
}

static struct mpi_comm *
comm_alloc_on(struct mpi_comm *base, uint64_t key)
{
	struct mpi_comm *comm = mpi_comm_alloc(key);

	if (comm == NULL)
		return NULL;
	mpi_comm_hold(base);
	comm->base = base;
	comm->world = base->world;
	comm->peers = base->peers;
	comm->rank = base->rank;
	comm->size = base->size;
	comm->id = base->id;
	return comm;
}

struct mpi_comm *
mpi_comm_make_on(struct mpi_world *world, struct mpi_comm *base, uint64_t key)
{
	struct mpi_comm *comm = comm_alloc_on(base, key);

	if (comm != NULL)
		mpi_comm_table_put(world, comm);
	return comm;
}

struct mpi_comm *
mpi_comm_make_window(struct mpi_world *world, struct mpi_comm *base,
    uint64_t key)
{
	/* Relaxed: MPI orders the calls that make windows. */
	uint32_t number = 1 +
	    atomic_fetch_add_explicit(&base->windows, 1, memory_order_relaxed);
	struct mpi_comm *comm = comm_alloc_on(base, key);

	if (comm == NULL)
		return NULL;
	comm->window = number;
	atomic_init(&comm->collectives, 1);
	mpi_comm_table_put(world, comm);
	return comm;
}
