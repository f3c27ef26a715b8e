/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/callpath.c - numbers the call path of an MPI call
 *
 * A path is unwound once (unwind.c), which also gives the stack address of each
 * of its return addresses.  A later call has the same path if it has the same
 * return address, stack pointer and frame pointer, and if the same return
 * addresses are at the same stack addresses: the size of a frame follows from
 * the position of the call in its function, beginning with the innermost frame.
 * (A function with a frame of variable size has a frame pointer, which differs
 * when the size differs.)  So a known path costs one comparison for each
 * address, with or without frame pointers.
 *
 * mixed_path.c numbers the paths of threads that run Python.
 */

#include "collectors/mpi/site/callpath_private.h"

#include "collectors/mpi/base/setting_private.h"
#include "collectors/mpi/python/interpreter_private.h"
#include "collectors/mpi/site/mixed_path_private.h"
#include "collectors/mpi/site/unwind_private.h"

#include "libpaths/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of frames of the interposer. */
#define CALLPATH_OWN_FRAMES 8
#define CALLPATH_SLOTS_LOG2 8u
#define CALLPATH_SEEN_LOG2 10u
/* Seen paths are in sets, because a function that calls another one twice has
   paths that begin alike. */
#define CALLPATH_WAYS 4u

/* One path: `count` addresses, innermost first. */
struct callpath_known {
	uint64_t hash;
	uint32_t id; /* 0: free */
	uint32_t count;
	const void **addresses;
};

/* A return address, and its offset from the innermost frame. */
struct callpath_back {
	const void *address;
	uintptr_t offset;
};

/* A path, and the stack addresses that it had last. */
struct callpath_seen {
	const void *address; /* innermost; NULL: free */
	uintptr_t stack;     /* beginning of its frame */
	uintptr_t base;	     /* its frame pointer; 0: none */
	uint32_t id;
	uint32_t count;
	struct callpath_back back[]; /* after the innermost; room for depth */
};

struct mpi_callpaths {
	uint32_t depth;
	struct callpath_known *slots; /* at most half are taken */
	uint64_t mask;
	uint64_t count;
	uint64_t unloaded;	/* modules, when the slots were last emptied */
	struct mpi_stack stack; /* of the thread */
	struct mpi_mixed_paths *mixed; /* through Python; NULL: none yet */
	char *seen;	   /* array of struct callpath_seen, each with `back` */
	size_t seen_bytes; /* of one of these */
	uint32_t way;	   /* that is replaced next */
	struct mpi_site_table *table;
};

void
mpi_callpaths_move(struct mpi_callpaths *callpaths)
{
	pthread_attr_t attributes;
	void *from = NULL;
	size_t bytes = 0;

	if (callpaths == NULL)
		return;
	callpaths->stack = (struct mpi_stack){ 0 };
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &from, &bytes) == 0)
		callpaths->stack = (struct mpi_stack){ (uintptr_t)from,
			(uintptr_t)from + bytes };
	pthread_attr_destroy(&attributes);
}

paths_status
mpi_callpaths_open(struct mpi_site_table *table,
    struct mpi_callpaths **callpaths)
{
	uint32_t depth = (uint32_t)mpi_setting_number(MPI_SETTING_PATH,
	    MPI_SITE_FRAMES_MAX, 0);
	struct mpi_callpaths *p;

	*callpaths = NULL;
	if (depth == 0)
		return PATHS_OK;
	mpi_unwind_prepare();
	(void)mpi_python_find();
	p = calloc(1, sizeof(*p));
	if (p != NULL)
		p->slots =
		    calloc((size_t)1 << CALLPATH_SLOTS_LOG2, sizeof(*p->slots));
	if (p != NULL) {
		p->seen_bytes = sizeof(struct callpath_seen) +
		    depth * sizeof(struct callpath_back);
		p->seen =
		    calloc((size_t)1 << CALLPATH_SEEN_LOG2, p->seen_bytes);
	}
	if (p == NULL || p->slots == NULL || p->seen == NULL) {
		if (p != NULL) {
			free(p->slots);
			free(p->seen);
		}
		free(p);
		return paths_log_fail(PATHS_ENOMEM, "no memory for call paths");
	}
	p->table = table;
	p->depth = depth;
	p->mask = (UINT64_C(1) << CALLPATH_SLOTS_LOG2) - 1;
	mpi_callpaths_move(p);
	*callpaths = p;
	return PATHS_OK;
}

static void
callpath_forget(struct mpi_callpaths *p)
{
	for (uint64_t i = 0; i <= p->mask; i++)
		free(p->slots[i].addresses);
	memset(p->slots, 0, (p->mask + 1) * sizeof(*p->slots));
	memset(p->seen, 0, p->seen_bytes << CALLPATH_SEEN_LOG2);
	p->count = 0;
	mpi_mixed_close(p->mixed);
	p->mixed = NULL;
}

void
mpi_callpaths_close(struct mpi_callpaths *callpaths)
{
	if (callpaths == NULL)
		return;
	callpath_forget(callpaths);
	free(callpaths->slots);
	free(callpaths->seen);
	free(callpaths);
}

static uint64_t
callpath_hash(const void *const *addresses, uint32_t count)
{
	uint64_t h = count;

	/* The products do not wait for each other. */
	for (uint32_t i = 0; i < count; i++)
		h += (uintptr_t)addresses[i] *
		    (UINT64_C(0x9e3779b97f4a7c15) +
			i * UINT64_C(0x3c6ef372fe94f82a));
	return h ^ h >> 32;
}

/* Returns the slot of a path, or the free slot where it belongs. */
static struct callpath_known *
callpath_slot(const struct mpi_callpaths *p, uint64_t hash,
    const void *const *addresses, uint32_t count)
{
	uint64_t at = hash & p->mask;
	struct callpath_known *k = &p->slots[at];

	while (k->id != 0 &&
	    (k->hash != hash || k->count != count ||
		memcmp(k->addresses, addresses, count * sizeof(*addresses)) !=
		    0)) {
		at = (at + 1) & p->mask;
		k = &p->slots[at];
	}
	return k;
}

/* Makes room for one more path; false: there is no memory. */
static bool
callpath_grow(struct mpi_callpaths *p)
{
	struct mpi_callpaths old = *p;

	if (2 * (p->count + 1) <= p->mask + 1)
		return true;
	p->slots = calloc(2 * (old.mask + 1), sizeof(*p->slots));
	if (p->slots == NULL) {
		p->slots = old.slots;
		return false;
	}
	p->mask = 2 * old.mask + 1;
	for (uint64_t i = 0; i <= old.mask; i++) {
		struct callpath_known *k = &old.slots[i];

		if (k->id != 0)
			*callpath_slot(p, k->hash, k->addresses, k->count) = *k;
	}
	free(old.slots);
	return true;
}

/* Keeps the number of a path.  Without memory it is looked up again at the next
   call. */
static void
callpath_keep(struct mpi_callpaths *p, uint32_t id,
    const void *const *addresses, uint32_t count)
{
	uint64_t hash = callpath_hash(addresses, count);
	const void **copy = malloc(count * sizeof(*copy));
	struct callpath_known *k;

	if (copy == NULL || !callpath_grow(p)) {
		free(copy);
		return;
	}
	memcpy(copy, addresses, count * sizeof(*copy));
	k = callpath_slot(p, hash, addresses, count);
	*k = (struct callpath_known){ .hash = hash,
		.id = id,
		.count = count,
		.addresses = copy };
	p->count++;
}

/* Forgets all paths if a module was unloaded. */
static void
callpath_check(struct mpi_callpaths *p, uint64_t unloaded)
{
	if (unloaded == p->unloaded)
		return;
	callpath_forget(p);
	p->unloaded = unloaded;
}

/* Numbers a path that this thread has not met. */
static __attribute__((cold, noinline)) uint32_t
callpath_add(struct mpi_callpaths *p, const void *const *addresses,
    uint32_t count)
{
	struct mpi_site_frame frames[MPI_SITE_FRAMES_MAX];
	uint64_t unloaded;
	uint32_t id;

	for (uint32_t i = 0; i < count; i++)
		frames[i] = (struct mpi_site_frame){ .address = addresses[i] };
	id = mpi_site_table_number(p->table, frames, count, &unloaded);
	callpath_check(p, unloaded);
	if (id != 0)
		callpath_keep(p, id, addresses, count);
	return id;
}

/* Finds the frame of the program that called the interposer, by frame pointers,
   which only the functions of the interposer are known to have.  False: the
   frame is not on the stack of the thread. */
static bool
callpath_place(const struct mpi_callpaths *p, const uintptr_t *frame,
    struct mpi_call_place *place)
{
	for (int own = 0; own < CALLPATH_OWN_FRAMES; own++) {
		uintptr_t next;

		if ((uintptr_t)frame < p->stack.from ||
		    (uintptr_t)frame > p->stack.end - 2 * sizeof(next) ||
		    (uintptr_t)frame % sizeof(next) != 0)
			return false;
		next = frame[0];
		if ((const void *)frame[1] == place->address) {
			place->stack = (uintptr_t)(frame + 2);
			place->base =
			    next >= place->stack && next < p->stack.end ? next :
									  0;
			return true;
		}
		if (next <= (uintptr_t)frame)
			return false;
		frame = (const uintptr_t *)next;
	}
	return false;
}

/* Returns one of the CALLPATH_WAYS places of a path. */
static struct callpath_seen *
callpath_seen_at(const struct mpi_callpaths *p,
    const struct mpi_call_place *place, uint32_t way)
{
	uint64_t hash = ((uintptr_t)place->address ^ place->stack << 20) *
	    UINT64_C(0x9e3779b97f4a7c15);

	hash = hash >> (64 - CALLPATH_SEEN_LOG2) & ~(CALLPATH_WAYS - 1ull);
	return (struct callpath_seen *)(p->seen + (hash + way) * p->seen_bytes);
}

static bool
callpath_is_seen(const struct callpath_seen *seen,
    const struct mpi_call_place *place)
{
	if (seen->address != place->address || seen->stack != place->stack ||
	    seen->base != place->base)
		return false;
	for (uint32_t i = 0; i < seen->count; i++) {
		if (*(const void *const *)(place->stack +
			seen->back[i].offset) != seen->back[i].address)
			return false;
	}
	return true;
}

/* Keeps the stack addresses of a path, if the return addresses are found
   there. */
static void
callpath_see(struct mpi_callpaths *p, const struct mpi_unwind *w,
    const struct mpi_call_place *place, uint32_t id)
{
	struct callpath_seen *seen = callpath_seen_at(p, place, 0);

	/* The first way that is free, or else each in turn. */
	for (uint32_t way = 1; seen->address != NULL && way < CALLPATH_WAYS;
	     way++)
		seen = callpath_seen_at(p, place, way);
	if (seen->address != NULL)
		seen = callpath_seen_at(p, place, p->way++ % CALLPATH_WAYS);
	seen->address = NULL;
	for (uint32_t i = 1; i < w->count; i++) {
		uintptr_t at = w->places[i];

		if (at < place->stack || at >= p->stack.end ||
		    *(const void *const *)at != w->addresses[i])
			return;
		seen->back[i - 1].address = w->addresses[i];
		seen->back[i - 1].offset = at - place->stack;
	}
	seen->stack = place->stack;
	seen->base = place->base;
	seen->id = id;
	seen->count = w->count - 1;
	seen->address = place->address;
}

static __attribute__((cold, noinline)) uint32_t
callpath_unseen(struct mpi_callpaths *p, const struct mpi_call_place *place,
    bool known)
{
	const void *addresses[MPI_SITE_FRAMES_MAX] = { place->address };
	uintptr_t places[MPI_SITE_FRAMES_MAX];
	struct mpi_unwind w = { addresses, places, p->depth, 0, 0 };
	const struct callpath_known *k;
	uint32_t id;

	mpi_unwind(&w);
	k = callpath_slot(p, callpath_hash(w.addresses, w.count), w.addresses,
	    w.count);
	id = k->id != 0 ? k->id : callpath_add(p, w.addresses, w.count);
	if (known && id != 0)
		callpath_see(p, &w, place, id);
	return id;
}

/* Numbers a path of a thread that may run Python; 0: it runs none. */
static __attribute__((noinline)) uint32_t
callpath_python(struct mpi_callpaths *p, const struct mpi_call_place *place,
    bool placed)
{
	struct mpi_mixed_look look = { .table = p->table,
		.place = place,
		.stack = p->stack,
		.depth = p->depth,
		.placed = placed };
	uint64_t unloaded = p->unloaded;
	uint32_t id = mpi_mixed_find(&p->mixed, &look, &unloaded);

	callpath_check(p, unloaded);
	return id;
}

static bool
callpath_may_be_python(void)
{
	/* Relaxed: mpi_mixed_find acquires. */
	return atomic_load_explicit(&mpi_python_found, memory_order_relaxed) !=
	    NULL;
}

uint32_t
mpi_callpath_find(struct mpi_callpaths *callpaths, const void *address)
{
	const struct mpi_callpaths *p = callpaths;
	struct mpi_call_place place = { .address = address };
	bool known = callpath_place(p, __builtin_frame_address(0), &place);
	uint32_t id;

	if (__builtin_expect(callpath_may_be_python(), 0)) {
		id = callpath_python(callpaths, &place, known);
		if (id != 0)
			return id;
	}
	if (__builtin_expect(known, 1)) {
		for (uint32_t way = 0; way < CALLPATH_WAYS; way++) {
			const struct callpath_seen *seen =
			    callpath_seen_at(p, &place, way);

			if (callpath_is_seen(seen, &place))
				return seen->id;
		}
	}
	/* An interpreter that was loaded meanwhile runs paths that are new. */
	if (!callpath_may_be_python() && mpi_python_find() != NULL) {
		id = callpath_python(callpaths, &place, known);
		if (id != 0)
			return id;
	}
	return callpath_unseen(callpaths, &place, known);
}
