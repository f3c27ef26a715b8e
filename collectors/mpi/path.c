/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/path.c - call paths: where a call came from
 *
 * By frame pointers as long as they tell the same as unwinding does, which is
 * held against each other whenever a path is new; by the unwinder of libunwind
 * from the first difference on.  libunwind is opened for ourselves alone:
 * linked, its backtrace() would be the program's too.  Without it the C
 * library's unwinder serves, which is ten times slower.
 *
 * A path ends where the C library called the program, so it has main or the
 * function of a thread as its last frame whatever found it.
 */

#include "collectors/mpi/path_private.h"
#include "collectors/mpi/setting_private.h"

#include "libpaths/log.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Frames of our own that unwinding sees first. */
#define PATH_OWN_FRAMES 8
#define PATH_SLOTS_LOG2 8u

typedef int path_unwind(void **addresses, int size);

/* One path: `count` addresses, innermost first. */
struct path_known {
	uint64_t hash;
	uint32_t id; /* 0: free */
	uint32_t count;
	const void **addresses;
};

struct mpi_paths {
	uint32_t depth;
	struct path_known *slots; /* at most half are taken */
	uint64_t mask;
	uint64_t count;
	uint64_t unloaded; /* modules, when the slots were filled */
	uintptr_t stack_from, stack_end; /* of the thread */
};

/* What is found out once for the process. */
static struct {
	pthread_once_t once;
	path_unwind *unwind;
	uintptr_t libc_from, libc_to;
	_Atomic bool no_frame_pointers; /* they told something else once */
} path_ways = { .once = PTHREAD_ONCE_INIT };

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
	void *library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
	void *libc_function = dlsym(RTLD_DEFAULT, "__libc_start_main");

	if (library != NULL)
		path_ways.unwind =
		    (path_unwind *)dlsym(library, "unw_backtrace");
	if (path_ways.unwind == NULL)
		path_ways.unwind = backtrace;
	dl_iterate_phdr(path_visit, libc_function);
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
	if (p == NULL || p->slots == NULL) {
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
	p->count = 0;
}

void
mpi_paths_close(struct mpi_paths *paths)
{
	if (paths == NULL)
		return;
	path_forget(paths);
	free(paths->slots);
	free(paths);
}

static bool
path_is_libc(const void *address)
{
	return (uintptr_t)address - path_ways.libc_from <
	    path_ways.libc_to - path_ways.libc_from;
}

/*
 * The frames from `address` on, by frame pointers.  Whatever these are, only
 * the stack of this thread between us and its end is read.
 */
static uint32_t
path_walk(const struct mpi_paths *p, const void *address, const void **to)
{
	const uintptr_t *frame = __builtin_frame_address(0);
	uint32_t count = 0;
	int own = 0;

	/* A program may have stacks of its own making. */
	if ((uintptr_t)frame < p->stack_from || (uintptr_t)frame > p->stack_end)
		return 0;
	while (count < p->depth) {
		const void *back = (const void *)frame[1];
		uintptr_t next = frame[0];

		if (count > 0 || back == address) {
			if (path_is_libc(back))
				break;
			to[count++] = back;
		} else if (++own > PATH_OWN_FRAMES) {
			break;
		}
		if (next <= (uintptr_t)frame || next % sizeof(next) != 0 ||
		    next > p->stack_end - 2 * sizeof(next))
			break;
		frame = (const uintptr_t *)next;
	}
	return count;
}

/* The same by unwinding; at least `address` itself. */
static uint32_t
path_unwind_from(const struct mpi_paths *p, const void *address,
    const void **to)
{
	void *all[MPI_PATH_FRAMES_MAX + PATH_OWN_FRAMES];
	int n = path_ways.unwind(all, (int)p->depth + PATH_OWN_FRAMES);
	int at = 0;
	uint32_t count = 0;

	while (at < n && all[at] != address)
		at++;
	to[0] = address;
	if (at >= n)
		return 1;
	while (at < n && count < p->depth && !path_is_libc(all[at]))
		to[count++] = all[at++];
	return count > 0 ? count : 1;
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
	if (k->id != 0) { /* it was known, and frame pointers told another */
		free(copy);
		return;
	}
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

/* Whether frame pointers found what unwinding finds.  That is put in its place
   otherwise, and frame pointers are not used any more. */
static __attribute__((cold, noinline)) uint32_t
path_check(const struct mpi_paths *p, const void **addresses, uint32_t count)
{
	const void *other[MPI_PATH_FRAMES_MAX];
	const void *address = addresses[0];
	uint32_t n = path_unwind_from(p, address, other);

	if (n == count && memcmp(addresses, other, n * sizeof(*other)) == 0)
		return count;
	/* Relaxed: a thread that sees it late finds the same out itself. */
	atomic_store_explicit(&path_ways.no_frame_pointers, true,
	    memory_order_relaxed);
	memcpy(addresses, other, n * sizeof(*other));
	return n;
}

uint32_t
mpi_path_find(struct mpi_thread *thread, const void *address)
{
	struct mpi_paths *p = thread->sites->paths;
	const void *addresses[MPI_PATH_FRAMES_MAX];
	const struct path_known *k;
	bool walked = !atomic_load_explicit(&path_ways.no_frame_pointers,
	    memory_order_relaxed);
	uint32_t count;

	addresses[0] = address;
	count = walked ? path_walk(p, address, addresses) :
			 path_unwind_from(p, address, addresses);
	k = path_slot(p, path_hash(addresses, count), addresses, count);
	if (__builtin_expect(k->id != 0, 1))
		return k->id;
	if (walked)
		count = path_check(p, addresses, count);
	return path_add(thread, addresses, count);
}
