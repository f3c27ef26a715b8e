/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/request.c - hash table of the requests that the program
 * has not completed or freed: linear probing, with a biased lock
 */

#include "collectors/mpi/object/request_private.h"
#include "collectors/mpi_space.h"
#include "libpaths/base/lines.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOTS_FIRST_LOG2 6u
/* Numbers that a thread takes at a time, because threads share the counter. */
#define NUMBERS_AT_ONCE 256u
#define SPINS 64

static void
requests_lock(struct mpi_request_table *t)
{
	unsigned spins = 0;

	/* Acquire: the partner is requests_unlock. */
	while (atomic_exchange_explicit(&t->lock, 1, memory_order_acquire))
		while (atomic_load_explicit(&t->lock, memory_order_relaxed))
			if (++spins % SPINS == 0)
				sched_yield();
}

static void
requests_unlock(struct mpi_request_table *t)
{
	atomic_store_explicit(&t->lock, 0, memory_order_release);
}

/* Begins the access of a thread to its own table. */
static inline void
requests_begin(struct mpi_request_table *t)
{
	if (t->one_table)
		return;
	atomic_store_explicit(&t->busy, 1, memory_order_relaxed);
	/* The barrier in requests_share orders this store before the load. */
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(!atomic_load_explicit(&t->shared,
				 memory_order_acquire),
		1))
		return;
	atomic_store_explicit(&t->busy, 0, memory_order_release);
	requests_lock(t);
}

static inline void
requests_end(struct mpi_request_table *t)
{
	if (t->one_table)
		return;
	if (__builtin_expect(atomic_load_explicit(&t->busy,
				 memory_order_relaxed) != 0,
		1))
		/* Release: partner is requests_share. */
		atomic_store_explicit(&t->busy, 0, memory_order_release);
	else
		requests_unlock(t);
}

/* Called by the first other thread, with the lock: the owner uses the lock from
   now on. */
static void
requests_share(struct mpi_request_table *t)
{
	unsigned spins = 0;

	atomic_store_explicit(&t->shared, 1, memory_order_seq_cst);
	/* Cannot fail after requests_register. */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) !=
	    0)
		abort();
	/* Acquire: partner is requests_end. */
	while (atomic_load_explicit(&t->busy, memory_order_acquire))
		if (++spins % SPINS == 0)
			sched_yield();
}

static void
requests_lock_other(struct mpi_request_table *t)
{
	requests_lock(t);
	/* Relaxed: written with the lock, or before the table is published. */
	if (!atomic_load_explicit(&t->shared, memory_order_relaxed))
		requests_share(t);
}

/* Registers the process for membarrier.  Returns false if the kernel does not
   have it; each table then uses its lock from the start. */
static bool
requests_register(void)
{
	return syscall(SYS_membarrier,
		   MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static struct mpi_request_table *
requests_create(void)
{
	struct mpi_request_table *t = paths__lines_zero(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->slots = paths__lines_zero(1u << SLOTS_FIRST_LOG2, sizeof(*t->slots));
	if (t->slots == NULL) {
		free(t);
		return NULL;
	}
	t->mask = (1u << SLOTS_FIRST_LOG2) - 1;
	t->shift = 64 - SLOTS_FIRST_LOG2;
	return t;
}

struct mpi_request_table *
mpi_request_table_open(struct mpi_request_tables *tables, bool multiple,
    _Atomic uint64_t *count)
{
	/* Acquire: the table is complete; the partner is the
	   compare-exchange below. */
	struct mpi_request_table *first =
	    atomic_load_explicit(&tables->first, memory_order_acquire);
	struct mpi_request_table *t;

	if (!multiple && first != NULL)
		return first;
	t = requests_create();
	if (t == NULL)
		return NULL;
	t->one_table = !multiple;
	t->count = count;
	t->tables = tables;
	if (multiple && !requests_register())
		atomic_store_explicit(&t->shared, 1, memory_order_relaxed);
	do
		t->next = first;
	while (!atomic_compare_exchange_weak_explicit(&tables->first, &first, t,
	    memory_order_acq_rel, memory_order_acquire));
	return t;
}

void
mpi_request_tables_close(struct mpi_request_tables *tables)
{
	struct mpi_request_table *t = atomic_exchange_explicit(&tables->first,
	    NULL, memory_order_acquire);

	while (t != NULL) {
		struct mpi_request_table *next = t->next;

		free(t->slots);
		free(t->queue);
		free(t);
		t = next;
	}
}

uint32_t
mpi_request_more_numbers(struct mpi_request_table *own)
{
	/* Relaxed: no other data depends on the order. */
	own->number = atomic_fetch_add_explicit(&own->tables->numbers,
			  NUMBERS_AT_ONCE, memory_order_relaxed) &
	    ~ES_MPI_MATCH_ANY;
	own->numbers_end = own->number + NUMBERS_AT_ONCE;
	/* The last block ends before the bit ES_MPI_MATCH_ANY; 0 means "none"
	   in tuples. */
	if (own->numbers_end == ES_MPI_MATCH_ANY)
		own->numbers_end = ES_MPI_MATCH_ANY - 1;
	return ++own->number;
}

static bool
requests_grow(struct mpi_request_table *t)
{
	struct mpi_request *old = t->slots;
	uint32_t count = t->mask + 1;
	struct mpi_request *slots =
	    paths__lines_zero(2 * (size_t)count, sizeof(*slots));

	if (slots == NULL)
		return false;
	t->slots = slots;
	t->mask = 2 * count - 1;
	t->shift--;
	for (uint32_t i = 0; i < count; i++)
		if (old[i].handle != 0)
			*mpi_request_slot(t, old[i].handle) = old[i];
	free(old);
	return true;
}

static bool
requests_grow_queue(struct mpi_request_table *t)
{
	uint32_t room = t->queue_room == 0 ? 16 : 2 * t->queue_room;
	struct mpi_request *queue = realloc(t->queue, room * sizeof(*queue));

	if (queue == NULL)
		return false;
	t->queue = queue;
	for (uint32_t i = room; i > t->queue_room; i--) {
		queue[i - 1].later = t->queue_free;
		t->queue_free = i;
	}
	t->queue_room = room;
	return true;
}

/* Appends an empty entry to the queue of a handle.  Only entries without
   partitions are queued; `partitions` of the first entry holds 1 + the index of
   the last one.  Returns NULL if there is no memory. */
static struct mpi_request *
requests_queue(struct mpi_request_table *t, struct mpi_request *first)
{
	uint32_t place;

	if (t->queue_free == 0 && !requests_grow_queue(t))
		return NULL;
	place = t->queue_free;
	t->queue_free = t->queue[place - 1].later;
	t->queue[place - 1].later = 0;
	if (first->later == 0)
		first->later = place;
	else
		t->queue[first->partitions - 1].later = place;
	first->partitions = place;
	t->queued++;
	return &t->queue[place - 1];
}

/* Replaces the first entry of a handle by the next one. */
static void
requests_unqueue(struct mpi_request_table *t, struct mpi_request *first)
{
	uint32_t place = first->later;
	uint32_t last = first->partitions;

	*first = t->queue[place - 1];
	if (first->later != 0)
		first->partitions = last;
	t->queue[place - 1].later = t->queue_free;
	t->queue_free = place;
	t->queued--;
}

static void
requests_clear(struct mpi_request_table *t, struct mpi_request *slot)
{
	uint32_t gap = (uint32_t)(slot - t->slots);
	uint32_t i = gap;

	for (;;) {
		i = (i + 1) & t->mask;
		if (t->slots[i].handle == 0)
			break;
		/* An entry moves unless its search begins after the gap. */
		if (((i - mpi_request_home(t, t->slots[i].handle)) & t->mask) <
		    ((i - gap) & t->mask))
			continue;
		t->slots[gap] = t->slots[i];
		gap = i;
	}
	t->slots[gap].handle = 0;
	t->used--;
}

void
mpi_request_remove(struct mpi_request_table *t, struct mpi_request *slot)
{
	if (slot->later != 0)
		requests_unqueue(t, slot);
	else
		requests_clear(t, slot);
}

/* Returns whether the request may have been complete when it was made, so that
   others may have its handle. */
static bool
request_may_share(const struct mpi_request *r)
{
	if (r->flags & MPI_REQUEST_PERSISTENT || r->kind == MPI_REQUEST_MESSAGE)
		return false;
	/* A receive from MPI_PROC_NULL is complete at once. */
	return r->kind != MPI_REQUEST_RECV || r->peer == ES_MPI_PEER_PROC_NULL;
}

/* Inserts a request whose handle is in the table: after the old ones if both
   may share the handle; else in place of them, because they have ended. */
static bool
requests_again(struct mpi_request_table *t, struct mpi_request *slot,
    const struct mpi_request *request)
{
	struct mpi_request *behind;

	if (request_may_share(slot) && request_may_share(request)) {
		behind = requests_queue(t, slot);
		if (behind == NULL)
			return false;
		*behind = *request;
		behind->later = 0;
		return true;
	}
	while (slot->later != 0)
		requests_unqueue(t, slot);
	*slot = *request;
	slot->later = 0;
	return true;
}

static bool
requests_put(struct mpi_request_table *t, const struct mpi_request *request)
{
	struct mpi_request *slot = mpi_request_slot(t, request->handle);

	if (__builtin_expect(slot->handle != 0, 0))
		return requests_again(t, slot, request);
	if (__builtin_expect(2 * t->used > t->mask, 0)) {
		if (!requests_grow(t))
			return false;
		slot = mpi_request_slot(t, request->handle);
	}
	*slot = *request;
	/* *request may have been copied from a queue. */
	slot->later = 0;
	t->used++;
	return true;
}

bool
mpi_request_put(struct mpi_request_table *own,
    const struct mpi_request *request)
{
	bool done;

	if (own == NULL)
		return false;
	requests_begin(own);
	done = requests_put(own, request);
	mpi_request_recount(own);
	requests_end(own);
	return done;
}

struct mpi_request *
mpi_request_place_behind(struct mpi_request_table *own,
    struct mpi_request *first)
{
	struct mpi_request *place;

	if (!request_may_share(first))
		return NULL;
	place = requests_queue(own, first);
	mpi_request_recount(own);
	return place;
}

struct mpi_request *
mpi_request_place_multiple(struct mpi_request_table *own, uintptr_t handle)
{
	struct mpi_request *slot;

	requests_begin(own);
	slot = mpi_request_slot(own, handle);
	if (__builtin_expect(slot->handle != 0 || 2 * own->used > own->mask,
		0)) {
		requests_end(own);
		return NULL;
	}
	own->used++;
	mpi_request_recount(own);
	return slot;
}

void
mpi_request_placed_multiple(struct mpi_request_table *own)
{
	requests_end(own);
}

/* Changes to an entry that is found. */
struct request_deed {
	bool remove;	     /* an entry that is not persistent */
	bool remove_lasting; /* a persistent one */
	uint8_t set, clear;  /* of its flags */
};

static inline bool
requests_do(struct mpi_request_table *t, uintptr_t handle,
    struct request_deed deed, struct mpi_request *request)
{
	struct mpi_request *slot = mpi_request_slot(t, handle);

	if (slot->handle == 0)
		return false;
	/* Only if needed: a store to one byte delays the copy of the entry. */
	if (deed.set | deed.clear)
		slot->flags = (uint8_t)((slot->flags & ~deed.clear) | deed.set);
	*request = *slot;
	if (slot->flags & MPI_REQUEST_PERSISTENT ? deed.remove_lasting :
						   deed.remove) {
		mpi_request_remove(t, slot);
		mpi_request_recount(t);
	}
	return true;
}

/* Searches the tables of the other threads in turn. */
static bool
requests_do_one_by_one(struct mpi_request_table *own, uintptr_t handle,
    struct request_deed deed, struct mpi_request *request)
{
	/* Acquire: the table is complete; the partner is the exchange in
	   mpi_request_table_open. */
	struct mpi_request_table *t =
	    atomic_load_explicit(&own->tables->first, memory_order_acquire);
	bool found = false;

	for (; t != NULL && !found; t = t->next) {
		if (t == own)
			continue;
		requests_lock_other(t);
		found = requests_do(t, handle, deed, request);
		requests_unlock(t);
	}
	return found;
}

/* Searches with all other tables locked.  Under a shared handle another thread
   may have taken our entry from a table that was not yet searched, while its
   own entry is in a table that was. */
static bool
requests_do_all_locked(struct mpi_request_table *own, uintptr_t handle,
    struct request_deed deed, struct mpi_request *request)
{
	/* Acquire, as above. */
	struct mpi_request_table *first =
	    atomic_load_explicit(&own->tables->first, memory_order_acquire);
	struct mpi_request_table *t;
	bool found = false;

	/* Always locked in the order of the list.  The own table was searched
	   before, and only the calling thread adds to it. */
	for (t = first; t != NULL; t = t->next)
		if (t != own)
			requests_lock_other(t);
	for (t = first; t != NULL; t = t->next) {
		if (t == own)
			continue;
		found = found || requests_do(t, handle, deed, request);
		requests_unlock(t);
	}
	return found;
}

static bool __attribute__((noinline))
requests_do_elsewhere(struct mpi_request_table *own, uintptr_t handle,
    struct request_deed deed, struct mpi_request *request)
{
	/* Relaxed: a total, ordered with nothing. */
	atomic_fetch_add_explicit(&own->tables->searches, 1,
	    memory_order_relaxed);
	return requests_do_one_by_one(own, handle, deed, request) ||
	    requests_do_all_locked(own, handle, deed, request);
}

static inline bool
requests_do_anywhere(struct mpi_request_table *own, uintptr_t handle,
    struct request_deed deed, struct mpi_request *request)
{
	bool found;

	if (own == NULL)
		return false;
	requests_begin(own);
	found = requests_do(own, handle, deed, request);
	requests_end(own);
	if (__builtin_expect(found || own->one_table, 1))
		return found;
	return requests_do_elsewhere(own, handle, deed, request);
}

bool
mpi_request_take(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request)
{
	struct mpi_request *slot;

	requests_begin(own);
	slot = mpi_request_slot(own, handle);
	if (__builtin_expect(slot->handle != 0 && slot->later == 0 &&
		    !(slot->flags & MPI_REQUEST_PERSISTENT),
		1)) {
		*request = *slot;
		requests_clear(own, slot);
		mpi_request_recount(own);
		requests_end(own);
		return true;
	}
	requests_end(own);
	return requests_do_anywhere(own, handle,
	    (struct request_deed){ .remove = true }, request);
}

bool
mpi_request_drop(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request)
{
	return requests_do_anywhere(own, handle,
	    (struct request_deed){ .remove = true, .remove_lasting = true },
	    request);
}

bool
mpi_request_look(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request)
{
	return requests_do_anywhere(own, handle, (struct request_deed){ 0 },
	    request);
}

bool
mpi_request_mark(struct mpi_request_table *own, uintptr_t handle, uint8_t set,
    uint8_t clear, struct mpi_request *request)
{
	return requests_do_anywhere(own, handle,
	    (struct request_deed){ .set = set, .clear = clear }, request);
}
