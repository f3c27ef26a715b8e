/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/interpreter.c - finds the CPython of this process
 *
 * The interpreter is in the program or in a shared object, and exports its
 * names, because extension modules need them.  Of its functions three are
 * called, and none needs the GIL: Py_GetVersion, Py_IsInitialized, and
 * PyGILState_GetThisThreadState, which reads a variable of the thread.
 *
 * Structures of a debug build, or of an interpreter with changes, have other
 * sizes than those of the layout.  Such an interpreter is left out.
 */

#include "collectors/mpi/python/interpreter_private.h"

#include "collectors/mpi/base/setting_private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Frames that are looked at for a code object: others are shims. */
#define INTERPRETER_FRAMES 8

_Atomic(const struct mpi_python *) mpi_python_found;

static pthread_mutex_t interpreter_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpi_python interpreter; /* written once, under the lock */

bool
mpi_python_read(const void *address, void *to, size_t bytes)
{
	struct iovec from = { (void *)(uintptr_t)address, bytes };
	struct iovec here = { to, bytes };

	return process_vm_readv(getpid(), &here, 1, &from, 1, 0) ==
	    (ssize_t)bytes;
}

/* Returns the minor version of a final release, as "3.11.2 (main, ...";
   0: it is none. */
static uint32_t
interpreter_minor(const char *version)
{
	unsigned long minor;
	char *end;

	if (strncmp(version, "3.", 2) != 0)
		return 0;
	minor = strtoul(version + 2, &end, 10);
	if (*end != '.' || minor > 99)
		return 0;
	(void)strtoul(end + 1, &end, 10);
	return *end == ' ' || *end == '+' ? (uint32_t)minor : 0;
}

static bool
interpreter_layout(struct mpi_python_layout *layout)
{
	const void *runtime = dlsym(RTLD_DEFAULT, "_PyRuntime");
	uint64_t words[MPI_PYTHON_DEBUG_WORDS];
	const char *(*version)(void);

	*(void **)&version = dlsym(RTLD_DEFAULT, "Py_GetVersion");
	if (runtime == NULL || version == NULL)
		return false;
	return mpi_python_layout_of(interpreter_minor(version()), layout) ||
	    (mpi_python_read(runtime, words, sizeof(words)) &&
		mpi_python_layout_read(words, layout));
}

/* Returns whether a type has a name and a size. */
static bool
interpreter_type_is(const struct mpi_python_layout *layout, const char *type,
    const char *name, uint64_t size)
{
	const char *found;
	uint64_t bytes;
	char text[16] = "";

	return type != NULL &&
	    mpi_python_read(type + layout->type_name, &found, sizeof(found)) &&
	    mpi_python_read(type + layout->type_bytes, &bytes, sizeof(bytes)) &&
	    mpi_python_read(found, text, strlen(name) + 1) &&
	    strcmp(text, name) == 0 && bytes == size;
}

static bool
interpreter_open(struct mpi_python *p)
{
	const struct mpi_python_layout *l = &p->layout;

	*(void **)&p->thread =
	    dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
	*(void **)&p->initialized = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
	if (p->thread == NULL || p->initialized == NULL ||
	    !interpreter_layout(&p->layout))
		return false;
	p->code_type = dlsym(RTLD_DEFAULT, "PyCode_Type");
	p->text_type = dlsym(RTLD_DEFAULT, "PyUnicode_Type");
	p->bytes_type = dlsym(RTLD_DEFAULT, "PyBytes_Type");
	/* The size of bytes has one byte for the 0 at the end. */
	return interpreter_type_is(l, p->code_type, "code", l->code_bytes) &&
	    interpreter_type_is(l, p->text_type, "str", l->text_bytes) &&
	    interpreter_type_is(l, p->bytes_type, "bytes", l->bytes_data + 1);
}

static bool
interpreter_pointer(const char *base, uint32_t offset, const char **to)
{
	return base != NULL && mpi_python_read(base + offset, to, sizeof(*to));
}

/* Returns whether the calling thread has a frame with a code object, where the
   layout tells.  Later reads rely on that. */
static bool
interpreter_runs(const struct mpi_python *p)
{
	const struct mpi_python_layout *l = &p->layout;
	const char *thread = p->thread(), *frame, *code, *type = NULL;
	bool more = l->thread_frame != MPI_PYTHON_NONE ?
	    interpreter_pointer(thread, l->thread_frame, &frame) :
	    interpreter_pointer(thread, l->thread_c_frame, &frame) &&
		interpreter_pointer(frame, l->c_frame_frame, &frame);

	for (int n = 0; more && n < INTERPRETER_FRAMES; n++) {
		if (!interpreter_pointer(frame, l->frame_code, &code))
			return false;
		code = (const char *)((uintptr_t)code & ~l->frame_tags);
		if (!interpreter_pointer(code, l->object_type, &type) ||
		    type == p->code_type)
			return type == p->code_type;
		more = interpreter_pointer(frame, l->frame_previous, &frame);
	}
	return false;
}

const struct mpi_python *
mpi_python_find(void)
{
	/* Acquire: the interpreter is complete. */
	const struct mpi_python *found =
	    atomic_load_explicit(&mpi_python_found, memory_order_acquire);
	struct mpi_python p = { .thread = NULL };

	if (found != NULL ||
	    mpi_setting_number(MPI_SETTING_PYTHON, 1, 1) == 0 ||
	    !interpreter_open(&p) || !interpreter_runs(&p))
		return found;
	pthread_mutex_lock(&interpreter_lock);
	/* Relaxed: written under the lock. */
	found = atomic_load_explicit(&mpi_python_found, memory_order_relaxed);
	if (found == NULL) {
		interpreter = p;
		found = &interpreter;
		/* Release: the partner is the acquire above, and that of
		   readers. */
		atomic_store_explicit(&mpi_python_found, found,
		    memory_order_release);
	}
	pthread_mutex_unlock(&interpreter_lock);
	return found;
}
