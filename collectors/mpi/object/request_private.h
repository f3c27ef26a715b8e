/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/request_private.h - the requests that are on their way
 *
 * What a call that made a request knows, kept under the request's handle for
 * the call that completes it.  Below MPI_THREAD_MULTIPLE the program itself
 * takes care that one thread at a time calls MPI: a process has one table, and
 * nobody locks anything.  With it every thread has its own, because a table
 * that all write to costs a miss of the cache at each call; whoever completes
 * a request that another thread made looks through the others' tables.
 *
 * A table costs its thread no lock until another thread comes for the first
 * time.  That one sets `shared` and has the kernel put a barrier into all
 * threads (membarrier); then either it sees the owner's `busy` and waits, or
 * the owner sees `shared`.  From then on the table has a lock.
 *
 * An MPI may give the same handle to all requests that were complete when they
 * were made (Open MPI's ompi_request_empty, the lightweight request of MPICH):
 * such entries queue up under their handle, first in, first out.
 *
 * Source: biased locks, Kawachiya et al., OOPSLA 2002; deletion without marks,
 * Knuth, The Art of Computer Programming 3, algorithm 6.4 R.
 */

#ifndef COLLECTORS_MPI_OBJECT_REQUEST_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_REQUEST_PRIVATE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpi_comm;
struct mpi_carried;

enum mpi_request_kind {
	MPI_REQUEST_SEND,
	MPI_REQUEST_RECV,
	MPI_REQUEST_COLLECTIVE,
	MPI_REQUEST_ELSE,    /* of a window or file, generalized */
	MPI_REQUEST_MESSAGE, /* that Mprobe matched; under its own handle */
	MPI_REQUEST_COMM     /* of Comm_idup */
};

#define MPI_REQUEST_PERSISTENT 1u  /* stays when it is complete */
#define MPI_REQUEST_PARTITIONED 2u /* bytes count when they are ready */
#define MPI_REQUEST_ACTIVE 4u	   /* a persistent one: started */
#define MPI_REQUEST_READY 8u	   /* known to be complete */
#define MPI_REQUEST_CANCELLED 16u  /* or at least it was asked to be */

struct mpi_request {
	uintptr_t handle;      /* what counts of it; 0: the slot is free */
	struct mpi_comm *comm; /* held; NULL unless any source may send */
	struct mpi_carried *carried; /* of a collective or communicator */
	uint64_t bytes;		     /* sent, or of all partitions */
	int32_t peer;		     /* in the world; asked for, if a receive */
	int32_t tag;
	uint32_t number;
	uint32_t partitions;
	uint32_t later;	   /* 1 + place of the next of this handle */
	uint16_t function; /* that made it */
	uint16_t comm_id;
	uint8_t kind;
	uint8_t flags;
};

_Static_assert(sizeof(struct mpi_request) <= 64, "at most a cache line");

/* The tables of a process. */
struct mpi_request_tables {
	_Atomic(struct mpi_request_table *) first;
	_Atomic uint32_t numbers;  /* given out */
	_Atomic uint64_t searches; /* for what another thread made */
};

struct mpi_request_table {
	/* Its thread's, or whose the lock is. */
	struct mpi_request *slots;
	uint32_t mask;	/* of a slot's place */
	uint32_t shift; /* of the hash */
	uint32_t used;	/* slots */
	uint32_t queued;
	struct mpi_request *queue; /* those behind the first of a handle */
	uint32_t queue_room;
	uint32_t queue_free;	 /* 1 + place of the first free one */
	_Atomic uint64_t *count; /* of entries, for readers */

	/* Its thread's alone. */
	uint32_t number; /* the last one given out here */
	uint32_t numbers_end;
	bool alone; /* below MPI_THREAD_MULTIPLE */
	struct mpi_request_tables *tables;
	struct mpi_request_table *next;

	_Atomic uint32_t busy; /* its thread: is inside, without the lock */

	alignas(64) _Atomic uint32_t shared; /* whoever came first */
	_Atomic uint32_t lock;
};

/*
 * The table of one more thread, or, below MPI_THREAD_MULTIPLE, that of the
 * process.  `count` is kept at the number of entries.  Tables are there until
 * the process ends.  NULL: no memory.
 */
struct mpi_request_table *
mpi_request_table_open(struct mpi_request_tables *tables, bool multiple,
    _Atomic uint64_t *count);

/* All tables of a process, when nobody looks any more. */
void mpi_request_tables_close(struct mpi_request_tables *tables);

/* Remember a request.  One with the same handle is forgotten, unless both can
   be of those that share one.  false: no memory. */
bool mpi_request_put(struct mpi_request_table *own,
    const struct mpi_request *request);

/* Where the searches for a handle begin. */
static inline uint32_t
mpi_request_home(const struct mpi_request_table *t, uintptr_t handle)
{
	return (uint32_t)(handle * UINT64_C(0x9e3779b97f4a7c15) >> t->shift);
}

/* Where the handle is, or else the free slot that ends the search. */
static inline struct mpi_request *
mpi_request_slot(const struct mpi_request_table *t, uintptr_t handle)
{
	uint32_t i = mpi_request_home(t, handle);

	while (t->slots[i].handle != handle && t->slots[i].handle != 0)
		i = (i + 1) & t->mask;
	return &t->slots[i];
}

static inline void
mpi_request_recount(const struct mpi_request_table *t)
{
	/* Relaxed: for whoever looks from outside. */
	atomic_store_explicit(t->count, t->used + t->queued,
	    memory_order_relaxed);
}

/* End an entry: the next of its handle comes in its place, or the gap that it
   leaves in the searches of others is closed. */
void mpi_request_remove(struct mpi_request_table *t, struct mpi_request *slot);

struct mpi_request *mpi_request_place_shared(struct mpi_request_table *own,
    uintptr_t handle);
void mpi_request_placed_shared(struct mpi_request_table *own);

/* Behind those of the same handle, where there are such that can share it. */
struct mpi_request *mpi_request_place_behind(struct mpi_request_table *own,
    struct mpi_request *first);

/* The common case of mpi_request_put, without a copy: a place for the entry of
   a handle that is not there yet, or, below MPI_THREAD_MULTIPLE, of a send.  It
   is to be filled before mpi_request_placed.  NULL, and nothing is to be done:
   it has to be put. */
static inline struct mpi_request *
mpi_request_place(struct mpi_request_table *own, uintptr_t handle, bool send)
{
	struct mpi_request *slot;

	if (__builtin_expect(!own->alone, 0))
		return mpi_request_place_shared(own, handle);
	slot = mpi_request_slot(own, handle);
	if (__builtin_expect(slot->handle != 0 && send, 0))
		return mpi_request_place_behind(own, slot);
	if (__builtin_expect(slot->handle != 0 || 2 * own->used > own->mask, 0))
		return NULL;
	own->used++;
	mpi_request_recount(own);
	return slot;
}

static inline void
mpi_request_placed(struct mpi_request_table *own)
{
	if (__builtin_expect(!own->alone, 0))
		mpi_request_placed_shared(own);
}

/* Below MPI_THREAD_MULTIPLE: an entry of which nothing is special, where it
   stands, until mpi_request_over; NULL: it is not there, or something is. */
static inline struct mpi_request *
mpi_request_plain(const struct mpi_request_table *own, uintptr_t handle)
{
	struct mpi_request *slot = mpi_request_slot(own, handle);

	return slot->handle == 0 || slot->flags != 0 || slot->comm != NULL ||
		slot->kind > MPI_REQUEST_ELSE ?
	    NULL :
	    slot;
}

/* It is; mpi_request_recount follows. */
static inline void
mpi_request_over(struct mpi_request_table *own, struct mpi_request *slot)
{
	uint32_t next = ((uint32_t)(slot - own->slots) + 1) & own->mask;

	if (__builtin_expect(own->slots[next].handle != 0 || slot->later != 0,
		0)) {
		mpi_request_remove(own, slot);
	} else {
		slot->handle = 0;
		own->used--;
	}
}

/* Take a request out of whichever table it is in; a persistent one is copied
   and stays.  false: it is in none. */
bool mpi_request_take(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request);

/* The same, and it does not stay either. */
bool mpi_request_drop(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request);

/* A copy, which leaves everything as it is. */
bool mpi_request_look(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request);

/* Change the flags, of the first of that handle, and copy it then. */
bool mpi_request_mark(struct mpi_request_table *own, uintptr_t handle,
    uint8_t set, uint8_t clear, struct mpi_request *request);

uint32_t mpi_request_more_numbers(struct mpi_request_table *own);

/* A number that no other request of the process has; never 0. */
static inline uint32_t
mpi_request_number(struct mpi_request_table *own)
{
	if (__builtin_expect(own->number == own->numbers_end, 0))
		return mpi_request_more_numbers(own);
	return ++own->number;
}

#endif
