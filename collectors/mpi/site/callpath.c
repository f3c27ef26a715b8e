/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/callpath.c - call paths: where a call came from
 *
 * A path is unwound once, by the tables that exceptions are unwound by.  That
 * also tells where on the stack each return address of it stands.  The next
 * call from the same place, with the stack and the frame pointer where they
 * were then, has come the same way if the same addresses still stand there:
 * what a frame takes follows from where in its function the call is, beginning
 * with the innermost one.  (A frame that takes more for an array at one time
 * than at another is told apart by the frame pointer, which such functions
 * have.)  So no path costs more than to compare its addresses, with frame
 * pointers or without.
 *
 * A path ends where the C library called the program, so it has main or the
 * function of a thread as its last frame.
 */

#include "collectors/mpi/process/setting_private.h"
#include "collectors/mpi/site/callpath_private.h"

#include "libpaths/log.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

/* Frames of our own that unwinding sees first, at most. */
#define PATH_OWN_FRAMES 8
#define PATH_SLOTS_LOG2 8u
#define PATH_SEEN_LOG2 10u

/* One path: `count` addresses, innermost first. */
struct path_known {
	uint64_t hash;
	uint32_t id; /* 0: free */
	uint32_t count;
	const void **addresses;
};

/* A return address, and where it stands from the innermost frame on. */
struct path_back {
	const void *address;
	uintptr_t offset;
};

/* Where a path was seen last. */
struct path_seen {
	const void *address; /* the innermost; NULL: free */
	uintptr_t stack;     /* where its frame begins */
	uintptr_t base;	     /* its frame pointer, if it is one; 0 */
	uint32_t id;
	uint32_t count;
	struct path_back back[]; /* behind the first; room for depth */
};

struct mpi_paths {
	uint32_t depth;
	struct path_known *slots; /* at most half are taken */
	uint64_t mask;
	uint64_t count;
	uint64_t unloaded;		 /* modules, when these were filled */
	uintptr_t stack_from, stack_end; /* of the thread */
	char *seen;			 /* struct path_seen, */
	size_t seen_bytes;		 /* so far apart */
};

/* What is found out once for the process. */
static struct {
	pthread_once_t once;
	_Unwind_Reason_Code (*unwind)(_Unwind_Trace_Fn, void *);
	_Unwind_Ptr (*address)(struct _Unwind_Context *);
	_Unwind_Word (*frame)(struct _Unwind_Context *);
	uintptr_t libc_from, libc_to;
} path_ways = { .once = PTHREAD_ONCE_INIT };

/* A path that is being unwound. */
struct path_walk {
	const struct mpi_paths *paths;
	const void *addresses[MPI_PATH_FRAMES_MAX];
	uintptr_t places[MPI_PATH_FRAMES_MAX]; /* where they stand */
	uint32_t count;
	uint32_t own; /* frames of our own so far */
};

static int
path_visit(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t inside = (uintptr_t)data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && inside >= from &&
		    inside < from + p->p_memsz) {
			path_ways.libc_from = from;
			path_ways.libc_to = from + p->p_memsz;
			return 1;
		}
	}
	return 0;
}

static void
path_prepare(void)
{
	/* As the C library does it for its own backtrace(). */
	void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);

	if (library != NULL) {
		*(void **)&path_ways.unwind =
		    dlsym(library, "_Unwind_Backtrace");
		*(void **)&path_ways.address = dlsym(library, "_Unwind_GetIP");
		*(void **)&path_ways.frame = dlsym(library, "_Unwind_GetCFA");
	}
	if (path_ways.unwind == NULL || path_ways.address == NULL ||
	    path_ways.frame == NULL) {
		paths_log_warn("libgcc_s.so.1 does not unwind: call paths have "
			       "one frame");
		path_ways.unwind = NULL;
	}
	dl_iterate_phdr(path_visit, dlsym(RTLD_DEFAULT, "__libc_start_main"));
}

void
mpi_paths_move(struct mpi_paths *paths)
{
	pthread_attr_t attributes;
	void *from = NULL;
	size_t bytes = 0;

	if (paths == NULL)
		return;
	paths->stack_from = paths->stack_end = 0;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &from, &bytes) == 0) {
		paths->stack_from = (uintptr_t)from;
		paths->stack_end = (uintptr_t)from + bytes;
	}
	pthread_attr_destroy(&attributes);
}

paths_status
mpi_paths_open(struct mpi_paths **paths)
{
	uint32_t depth = (uint32_t)mpi_setting_number(MPI_SETTING_PATH,
	    MPI_PATH_FRAMES_MAX, 0);
	struct mpi_paths *p;

	*paths = NULL;
	if (depth == 0)
		return PATHS_OK;
	pthread_once(&path_ways.once, path_prepare);
	p = calloc(1, sizeof(*p));
	if (p != NULL)
		p->slots =
		    calloc((size_t)1 << PATH_SLOTS_LOG2, sizeof(*p->slots));
	if (p != NULL) {
		p->seen_bytes =
		    sizeof(struct path_seen) + depth * sizeof(struct path_back);
		p->seen = calloc((size_t)1 << PATH_SEEN_LOG2, p->seen_bytes);
	}
	if (p == NULL || p->slots == NULL || p->seen == NULL) {
		if (p != NULL) {
			free(p->slots);
			free(p->seen);
		}
		free(p);
		return paths_log_fail(PATHS_ENOMEM, "no memory for call paths");
	}
	p->depth = depth;
	p->mask = (UINT64_C(1) << PATH_SLOTS_LOG2) - 1;
	mpi_paths_move(p);
	*paths = p;
	return PATHS_OK;
}

static void
path_forget(struct mpi_paths *p)
{
	for (uint64_t i = 0; i <= p->mask; i++)
		free(p->slots[i].addresses);
	memset(p->slots, 0, (p->mask + 1) * sizeof(*p->slots));
	memset(p->seen, 0, p->seen_bytes << PATH_SEEN_LOG2);
	p->count = 0;
}

void
mpi_paths_close(struct mpi_paths *paths)
{
	if (paths == NULL)
		return;
	path_forget(paths);
	free(paths->slots);
	free(paths->seen);
	free(paths);
}

static bool
path_is_libc(const void *address)
{
	return (uintptr_t)address - path_ways.libc_from <
	    path_ways.libc_to - path_ways.libc_from;
}

/* One frame, from the innermost of our own on. */
static _Unwind_Reason_Code
path_take(struct _Unwind_Context *context, void *walk)
{
	struct path_walk *w = walk;
	const void *address = (const void *)path_ways.address(context);

	if (w->count == 0 && address != w->addresses[0])
		return ++w->own > PATH_OWN_FRAMES ? _URC_END_OF_STACK :
						    _URC_NO_REASON;
	if (w->count > 0 && path_is_libc(address))
		return _URC_END_OF_STACK;
	w->addresses[w->count] = address;
	/* The frame that this address returns to begins behind it. */
	w->places[w->count] =
	    (uintptr_t)path_ways.frame(context) - sizeof(address);
	w->count++;
	return w->count < w->paths->depth ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* The path from addresses[0] on, which is at least that one. */
static void
path_unwind(struct path_walk *w)
{
	if (path_ways.unwind != NULL)
		(void)path_ways.unwind(path_take, w);
	if (w->count == 0)
		w->count = 1;
}

static uint64_t
path_hash(const void *const *addresses, uint32_t count)
{
	uint64_t h = count;

	/* The products do not wait for each other. */
	for (uint32_t i = 0; i < count; i++)
		h += (uintptr_t)addresses[i] *
		    (UINT64_C(0x9e3779b97f4a7c15) +
			i * UINT64_C(0x3c6ef372fe94f82a));
	return h ^ h >> 32;
}

/* The slot of a path, or the free one where it goes. */
static struct path_known *
path_slot(const struct mpi_paths *p, uint64_t hash,
    const void *const *addresses, uint32_t count)
{
	uint64_t at = hash & p->mask;
	struct path_known *k = &p->slots[at];

	while (k->id != 0 &&
	    (k->hash != hash || k->count != count ||
		memcmp(k->addresses, addresses, count * sizeof(*addresses)) !=
		    0)) {
		at = (at + 1) & p->mask;
		k = &p->slots[at];
	}
	return k;
}

/* Room for one more. */
static bool
path_grow(struct mpi_paths *p)
{
	struct mpi_paths old = *p;

	if (2 * (p->count + 1) <= p->mask + 1)
		return true;
	p->slots = calloc(2 * (old.mask + 1), sizeof(*p->slots));
	if (p->slots == NULL) {
		p->slots = old.slots;
		return false;
	}
	p->mask = 2 * old.mask + 1;
	for (uint64_t i = 0; i <= old.mask; i++) {
		struct path_known *k = &old.slots[i];

		if (k->id != 0)
			*path_slot(p, k->hash, k->addresses, k->count) = *k;
	}
	free(old.slots);
	return true;
}

/* Keep the number of a path.  Without memory it will be asked for again. */
static void
path_keep(struct mpi_paths *p, uint32_t id, const void *const *addresses,
    uint32_t count)
{
	uint64_t hash = path_hash(addresses, count);
	const void **copy = malloc(count * sizeof(*copy));
	struct path_known *k;

	if (copy == NULL || !path_grow(p)) {
		free(copy);
		return;
	}
	memcpy(copy, addresses, count * sizeof(*copy));
	k = path_slot(p, hash, addresses, count);
	*k = (struct path_known){ .hash = hash,
		.id = id,
		.count = count,
		.addresses = copy };
	p->count++;
}

/* A path that this thread has not met. */
static __attribute__((cold, noinline)) uint32_t
path_add(struct mpi_thread *thread, const void *const *addresses,
    uint32_t count)
{
	struct mpi_paths *p = thread->sites->paths;
	uint64_t unloaded;
	uint32_t id =
	    mpi_site_number(thread->process, addresses, count, &unloaded);

	if (unloaded != p->unloaded) {
		path_forget(p);
		p->unloaded = unloaded;
	}
	if (id != 0)
		path_keep(p, id, addresses, count);
	return id;
}

/* What tells a call that may have come the way of another. */
struct path_place {
	const void *address;
	uintptr_t stack, base;
};

/* Find the frame that called us.  Our own functions, and they alone, are known
   to have frame pointers.  False: it is on no stack that we know. */
static bool
path_place(const struct mpi_paths *p, const uintptr_t *frame,
    struct path_place *place)
{
	for (int own = 0; own < PATH_OWN_FRAMES; own++) {
		uintptr_t next;

		if ((uintptr_t)frame < p->stack_from ||
		    (uintptr_t)frame > p->stack_end - 2 * sizeof(next) ||
		    (uintptr_t)frame % sizeof(next) != 0)
			return false;
		next = frame[0];
		if ((const void *)frame[1] == place->address) {
			place->stack = (uintptr_t)(frame + 2);
			place->base =
			    next >= place->stack && next < p->stack_end ? next :
									  0;
			return true;
		}
		if (next <= (uintptr_t)frame)
			return false;
		frame = (const uintptr_t *)next;
	}
	return false;
}

static struct path_seen *
path_seen_at(const struct mpi_paths *p, const struct path_place *place)
{
	uint64_t hash = ((uintptr_t)place->address ^ place->stack << 20) *
	    UINT64_C(0x9e3779b97f4a7c15);

	return (struct path_seen *)(p->seen +
	    (hash >> (64 - PATH_SEEN_LOG2)) * p->seen_bytes);
}

static bool
path_is_seen(const struct path_seen *seen, const struct path_place *place)
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

/* Remember where the addresses of a path stand, if they do. */
static void
path_see(struct mpi_paths *p, const struct path_walk *w,
    const struct path_place *place, uint32_t id)
{
	struct path_seen *seen = path_seen_at(p, place);

	seen->address = NULL;
	for (uint32_t i = 1; i < w->count; i++) {
		uintptr_t at = w->places[i];

		if (at < place->stack || at >= p->stack_end ||
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
path_unseen(struct mpi_thread *thread, const struct path_place *place,
    bool known)
{
	struct mpi_paths *p = thread->sites->paths;
	struct path_walk w = { .paths = p, .addresses = { place->address } };
	const struct path_known *k;
	uint32_t id;

	path_unwind(&w);
	k = path_slot(p, path_hash(w.addresses, w.count), w.addresses, w.count);
	id = k->id != 0 ? k->id : path_add(thread, w.addresses, w.count);
	if (known && id != 0)
		path_see(p, &w, place, id);
	return id;
}

uint32_t
mpi_path_find(struct mpi_thread *thread, const void *address)
{
	struct mpi_paths *p = thread->sites->paths;
	struct path_place place = { .address = address };
	bool known = path_place(p, __builtin_frame_address(0), &place);

	if (__builtin_expect(known, 1)) {
		const struct path_seen *seen = path_seen_at(p, &place);

		if (__builtin_expect(path_is_seen(seen, &place), 1))
			return seen->id;
	}
	return path_unseen(thread, &place, known);
}
