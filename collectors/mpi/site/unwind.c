/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/unwind.c - unwinds the native frames of an MPI call
 *
 * Uses the tables of exception handling, which do not need frame pointers.  A
 * path ends where the C library called the program, so its last frame is main
 * or the function of a thread.
 */

#include "collectors/mpi/site/unwind_private.h"

#include "libpaths/log.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unwind.h>

/* Largest number of frames of the interposer, which are unwound first. */
#define UNWIND_OWN_FRAMES 12

/* The unwinder and the C library of this process; set once. */
static struct {
	pthread_once_t once;
	_Unwind_Reason_Code (*unwind)(_Unwind_Trace_Fn, void *);
	_Unwind_Ptr (*address)(struct _Unwind_Context *);
	_Unwind_Word (*frame)(struct _Unwind_Context *);
	uintptr_t libc_from, libc_to;
} unwinder = { .once = PTHREAD_ONCE_INIT };

static int
unwind_visit(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t inside = (uintptr_t)data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && inside >= from &&
		    inside < from + p->p_memsz) {
			unwinder.libc_from = from;
			unwinder.libc_to = from + p->p_memsz;
			return 1;
		}
	}
	return 0;
}

static void
unwind_open(void)
{
	/* backtrace() of the C library loads the same library. */
	void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);

	if (library != NULL) {
		*(void **)&unwinder.unwind =
		    dlsym(library, "_Unwind_Backtrace");
		*(void **)&unwinder.address = dlsym(library, "_Unwind_GetIP");
		*(void **)&unwinder.frame = dlsym(library, "_Unwind_GetCFA");
	}
	if (unwinder.unwind == NULL || unwinder.address == NULL ||
	    unwinder.frame == NULL) {
		paths_log_warn("libgcc_s.so.1 does not unwind: call paths have "
			       "one frame");
		unwinder.unwind = NULL;
	}
	dl_iterate_phdr(unwind_visit, dlsym(RTLD_DEFAULT, "__libc_start_main"));
}

void
mpi_unwind_prepare(void)
{
	pthread_once(&unwinder.once, unwind_open);
}

static bool
unwind_is_libc(const void *address)
{
	return (uintptr_t)address - unwinder.libc_from <
	    unwinder.libc_to - unwinder.libc_from;
}

/* Adds one frame.  The frames of the interposer come first and are only
   counted. */
static _Unwind_Reason_Code
unwind_take(struct _Unwind_Context *context, void *unwind)
{
	struct mpi_unwind *u = unwind;
	const void *address = (const void *)unwinder.address(context);

	if (u->count == 0 && address != u->addresses[0])
		return ++u->own > UNWIND_OWN_FRAMES ? _URC_END_OF_STACK :
						      _URC_NO_REASON;
	if (u->count > 0 && unwind_is_libc(address))
		return _URC_END_OF_STACK;
	u->addresses[u->count] = address;
	/* The frame of the caller begins after the return address. */
	u->places[u->count] =
	    (uintptr_t)unwinder.frame(context) - sizeof(address);
	u->count++;
	return u->count < u->most ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void
mpi_unwind(struct mpi_unwind *unwind)
{
	unwind->count = unwind->own = 0;
	unwind->places[0] = 0;
	if (unwinder.unwind != NULL)
		(void)unwinder.unwind(unwind_take, unwind);
	if (unwind->count == 0)
		unwind->count = 1;
}
