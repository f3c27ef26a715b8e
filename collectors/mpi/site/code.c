/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/code.c - finds what kind of code calls MPI
 *
 * An extension module NAME.SUFFIX.so defines PyInit_NAME.  mpi4py's is MPI,
 * also with the name of an MPI in the suffix.  libffi calls for ctypes and
 * cffi.
 */

#include "collectors/mpi/site/code_private.h"

#include "collectors/mpi/python/interpreter_private.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names of modules are no extension modules. */
#define CODE_NAME_BYTES 256
/* Files whose kinds are kept. */
#define CODE_FILES 32u

/* Returns whether a loaded file defines a name. */
static bool
code_defines(const char *path, const char *name, const void *base)
{
	void *file = dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_LOCAL);
	const void *found = file == NULL ? NULL : dlsym(file, name);
	Dl_info info;
	bool defines = found != NULL && dladdr(found, &info) != 0 &&
	    info.dli_fbase == base;

	if (file != NULL)
		dlclose(file);
	return defines;
}

static enum mpi_code
code_of_file(const Dl_info *info)
{
	const char *slash = strrchr(info->dli_fname, '/');
	const char *name = slash == NULL ? info->dli_fname : slash + 1;
	int length = (int)strcspn(name, ".");
	char initialise[CODE_NAME_BYTES];

	if (strncmp(name, "libffi", 6) == 0)
		return MPI_CODE_BINDING;
	if ((size_t)snprintf(initialise, sizeof(initialise), "PyInit_%.*s",
		length, name) >= sizeof(initialise) ||
	    !code_defines(info->dli_fname, initialise, info->dli_fbase))
		return MPI_CODE_PROGRAM;
	return strcmp(initialise, "PyInit_MPI") == 0 ||
		strcmp(initialise, "PyInit__ctypes") == 0 ||
		strcmp(initialise, "PyInit__cffi_backend") == 0 ?
	    MPI_CODE_BINDING :
	    MPI_CODE_EXTENSION;
}

/* The kinds of some files, by their address and name in the loader.  Another
   file can have both when a file was unloaded, so all are forgotten then. */
static struct {
	pthread_mutex_t lock;	     /* protects the others */
	unsigned long long unloaded; /* files, when these were found */
	struct {
		const void *base;
		const char *name;
		enum mpi_code code;
	} files[CODE_FILES];
	uint32_t next; /* to be replaced */
} code_known = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int
code_visit(struct dl_phdr_info *info, size_t bytes, void *unloaded)
{
	(void)bytes;
	*(unsigned long long *)unloaded = info->dlpi_subs;
	return 1;
}

/* Returns the number of files that were unloaded until now. */
static unsigned long long
code_unloaded(void)
{
	unsigned long long unloaded = 0;

	dl_iterate_phdr(code_visit, &unloaded);
	return unloaded;
}

static bool
code_recall(const Dl_info *info, unsigned long long unloaded,
    enum mpi_code *code)
{
	bool found = false;

	pthread_mutex_lock(&code_known.lock);
	if (code_known.unloaded != unloaded)
		memset(code_known.files, 0, sizeof(code_known.files));
	code_known.unloaded = unloaded;
	for (uint32_t n = 0; n < CODE_FILES && !found; n++) {
		found = code_known.files[n].base == info->dli_fbase &&
		    code_known.files[n].name == info->dli_fname;
		if (found)
			*code = code_known.files[n].code;
	}
	pthread_mutex_unlock(&code_known.lock);
	return found;
}

static void
code_remember(const Dl_info *info, enum mpi_code code)
{
	uint32_t n;

	pthread_mutex_lock(&code_known.lock);
	n = code_known.next++ % CODE_FILES;
	code_known.files[n].base = info->dli_fbase;
	code_known.files[n].name = info->dli_fname;
	code_known.files[n].code = code;
	pthread_mutex_unlock(&code_known.lock);
}

enum mpi_code
mpi_code_of(const void *address)
{
	const struct mpi_python *python = mpi_python_find();
	Dl_info info, interpreter;
	unsigned long long unloaded;
	enum mpi_code code;

	if (python == NULL)
		return MPI_CODE_PROGRAM;
	/* The call instruction: the return address may lie after the file. */
	if (dladdr((const char *)address - 1, &info) == 0 ||
	    info.dli_fname == NULL)
		return MPI_CODE_NOWHERE;
	unloaded = code_unloaded();
	if (code_recall(&info, unloaded, &code))
		return code;
	code = dladdr(python->code_type, &interpreter) != 0 &&
		interpreter.dli_fbase == info.dli_fbase ?
	    MPI_CODE_INTERPRETER :
	    code_of_file(&info);
	code_remember(&info, code);
	return code;
}
