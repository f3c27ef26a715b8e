/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/request_private.h - hash table of the requests that the
 * program has not completed or freed
 *
 * An entry keeps the data of the call that made a request, under the handle of
 * the request, for the call that completes it.  Below MPI_THREAD_MULTIPLE the
 * program lets one thread at a time call MPI: a process has one table, without
 * a lock.  With MPI_THREAD_MULTIPLE every thread has a table of its own,
 * because a table that all threads write costs a cache miss at each call; a
 * thread that completes a request of another thread searches the tables of the
 * others.
 *
 * A table costs its thread no lock until another thread searches it for the
 * first time (biased locking).  The other thread sets `shared` and makes the
 * kernel put a memory barrier into all threads (membarrier).  Then either the
 * other thread sees `busy` and waits, or the owner sees `shared`.  From then on
 * the table has a lock.
 *
 * An MPI may give the same handle to all requests that were complete when they
 * were made (ompi_request_empty of Open MPI, the lightweight request of MPICH).
 * Such entries form a queue under their handle, first in, first out.
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
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "kind is the low byte of a word"
#endif

struct mpi_comm;
struct mpi_carried;

enum mpi_request_kind {
	MPI_REQUEST_SEND,
	MPI_REQUEST_RECV,
	MPI_REQUEST_COLLECTIVE,
	MPI_REQUEST_ELSE,    /* of a window or file, or generalized */
	MPI_REQUEST_MESSAGE, /* not a request: a message that Mprobe matched */
	MPI_REQUEST_COMM     /* of Comm_idup */
};

#define MPI_REQUEST_PERSISTENT 1u  /* stays when it is complete */
#define MPI_REQUEST_PARTITIONED 2u /* counts bytes of ready partitions */
#define MPI_REQUEST_ACTIVE 4u	   /* persistent, and started */
#define MPI_REQUEST_READY 8u	   /* known to be complete */
#define MPI_REQUEST_CANCELLED 16u  /* MPI_Cancel was called */
#define MPI_REQUEST_ISENDRECV 32u  /* may end with an empty status */

struct mpi_request {
	uintptr_t handle;	     /* masked; 0: the slot is free */
	struct mpi_comm *comm;	     /* held; NULL unless from any source */
	struct mpi_carried *carried; /* of a collective or communicator */
	uint64_t bytes;		     /* sent, or of all partitions */
	int32_t peer;		     /* world rank of the target or source */
	int32_t tag;
	uint32_t number;
	uint32_t partitions; /* 0: not partitioned; if later is not 0, in the
				first entry: 1 + index of the last in queue */
	uint32_t later;	     /* 1 + index in queue of the next entry of this
			      handle, or of the next free element; 0: none */
	uint16_t function;   /* that made the request */
	uint16_t comm_id;
	/* One word for mpi_request_set and mpi_request_age. */
	uint8_t kind;
	uint8_t flags;
	uint8_t made[6]; /* the end of the call that made the request: the lower
			    48 bits of the ticks; 0: not known */
};

_Static_assert(sizeof(struct mpi_request) <= 64, "at most a cache line");
_Static_assert(offsetof(struct mpi_request, kind) + 8 ==
	    sizeof(struct mpi_request) &&
	offsetof(struct mpi_request, flags) ==
	    offsetof(struct mpi_request, kind) + 1,
    "kind, flags and made are a word");

/* Sets kind, flags, and the time from which mpi_request_age counts, by one
   store.  made: ticks; 0: not known */
static inline void
mpi_request_set(struct mpi_request *r, uint8_t kind, uint8_t flags,
    uint64_t made)
{
	uint64_t word = kind | (uint64_t)flags << 8 | made << 16;

	memcpy((char *)r + offsetof(struct mpi_request, kind), &word,
	    sizeof(word));
}

/* Returns the ticks since a request was made, of up to a day; 0: not known, as
   for persistent requests. */
static inline uint64_t
mpi_request_age(const struct mpi_request *r, uint64_t now)
{
	uint64_t word, made;

	memcpy(&word, (const char *)r + offsetof(struct mpi_request, kind),
	    sizeof(word));
	made = word >> 16 << 16;
	return made == 0 || (word & (MPI_REQUEST_PERSISTENT << 8)) != 0 ?
	    0 :
	    ((now << 16) - made) >> 16;
}

/* The tables of a process. */
struct mpi_request_tables {
	_Atomic(struct mpi_request_table *) first;
	_Atomic uint32_t numbers;  /* given out so far */
	_Atomic uint64_t searches; /* for requests of other threads */
};

struct mpi_request_table {
	/* Accessed by the owner, or with the lock. */
	struct mpi_request *slots;
	uint32_t mask;		   /* slots - 1 */
	uint32_t shift;		   /* of the hash */
	uint32_t used;		   /* slots */
	uint32_t queued;	   /* entries in queue */
	struct mpi_request *queue; /* entries after the first of a handle */
	uint32_t queue_room;
	uint32_t queue_free; /* 1 + index of the first free element; 0: none */
	_Atomic uint64_t *count; /* of entries, for readers */

	/* Accessed by the owner only. */
	uint32_t number;      /* the last one that the owner took */
	uint32_t numbers_end; /* the last one before mpi_request_more_numbers */
	bool one_table;	      /* of the process: below MPI_THREAD_MULTIPLE */
	struct mpi_request_tables *tables;
	struct mpi_request_table *next;

	_Atomic uint32_t busy; /* the owner uses the table without the lock */

	/* 1: all threads use the lock.  Set by the first other thread, or at
	   once if there is no membarrier. */
	alignas(64) _Atomic uint32_t shared;
	_Atomic uint32_t lock;
};

/*
 * Opens the table of one more thread, or returns that of the process below
 * MPI_THREAD_MULTIPLE.  Tables exist until the process ends.  NULL: there is no
 * memory.
 *
 * count	is set to the number of entries of a new table at each change
 */
struct mpi_request_table *
mpi_request_table_open(struct mpi_request_tables *tables, bool multiple,
    _Atomic uint64_t *count);

/* Destroys all tables of a process, when no thread uses them any more. */
void mpi_request_tables_close(struct mpi_request_tables *tables);

/* Enters a request.  It replaces an entry with the same handle, unless both may
   share the handle.  false: there is no memory. */
bool mpi_request_put(struct mpi_request_table *own,
    const struct mpi_request *request);

/* Returns the index where the searches for a handle begin. */
static inline uint32_t
mpi_request_home(const struct mpi_request_table *t, uintptr_t handle)
{
	return (uint32_t)(handle * UINT64_C(0x9e3779b97f4a7c15) >> t->shift);
}

/* Returns the slot of a handle, or the free slot that ends the search. */
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
	/* Relaxed: readers need no order. */
	atomic_store_explicit(t->count, t->used + t->queued,
	    memory_order_relaxed);
}

/* Removes an entry: the next one of its handle moves into the slot, or entries
   of other handles move so that their searches meet no gap. */
void mpi_request_remove(struct mpi_request_table *t, struct mpi_request *slot);

/* The parts of mpi_request_place and mpi_request_placed with
   MPI_THREAD_MULTIPLE. */
struct mpi_request *mpi_request_place_multiple(struct mpi_request_table *own,
    uintptr_t handle);
void mpi_request_placed_multiple(struct mpi_request_table *own);

/* Returns a place after the entries of the same handle; NULL: `first` cannot
   share its handle, or there is no memory. */
struct mpi_request *mpi_request_place_behind(struct mpi_request_table *own,
    struct mpi_request *first);

/* Returns a place for a new entry, which the caller fills before it calls
   mpi_request_placed: the fast path of mpi_request_put, without a copy, for a
   new handle or, below MPI_THREAD_MULTIPLE, for any send.  NULL: the caller
   uses mpi_request_put instead, without mpi_request_placed. */
static inline struct mpi_request *
mpi_request_place(struct mpi_request_table *own, uintptr_t handle, bool send)
{
	struct mpi_request *slot;

	if (__builtin_expect(!own->one_table, 0))
		return mpi_request_place_multiple(own, handle);
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
	if (__builtin_expect(!own->one_table, 0))
		mpi_request_placed_multiple(own);
}

/* Below MPI_THREAD_MULTIPLE: returns the slot of a plain request, which has no
   flags and a known source, until mpi_request_over; NULL: the table has no such
   request. */
static inline struct mpi_request *
mpi_request_plain(const struct mpi_request_table *own, uintptr_t handle)
{
	struct mpi_request *slot = mpi_request_slot(own, handle);

	return slot->handle == 0 || slot->flags != 0 || slot->comm != NULL ||
		slot->kind > MPI_REQUEST_ELSE ?
	    NULL :
	    slot;
}

/* Removes a plain request; the caller then calls mpi_request_recount. */
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

/* Copies a request and removes it from its table, unless it is persistent.
   Returns false if no table has it. */
bool mpi_request_take(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request);

/* Copies a request and removes it from its table, even if it is persistent.
   Returns false if no table has it. */
bool mpi_request_drop(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request);

/* Copies a request and changes nothing.  Returns false if no table has it. */
bool mpi_request_look(struct mpi_request_table *own, uintptr_t handle,
    struct mpi_request *request);

/* Changes the flags of the first request of a handle, and copies it.  Returns
   false if no table has it. */
bool mpi_request_mark(struct mpi_request_table *own, uintptr_t handle,
    uint8_t set, uint8_t clear, struct mpi_request *request);

/* Takes more numbers from those of the process, and returns the first. */
uint32_t mpi_request_more_numbers(struct mpi_request_table *own);

/* Returns a number for a request of the process; never 0.  Numbers repeat after
   2^31 requests, and do not have the bit ES_MPI_MATCH_ANY. */
static inline uint32_t
mpi_request_number(struct mpi_request_table *own)
{
	if (__builtin_expect(own->number == own->numbers_end, 0))
		return mpi_request_more_numbers(own);
	return ++own->number;
}

#endif
