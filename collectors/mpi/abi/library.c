/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/library.c - looks symbols up in the MPI libraries of this
 * process
 */

#include "collectors/mpi/abi/library_private.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct library_list {
	bool all; /* also libraries that are not of MPI */
	char **paths;
	size_t count;
};

static const char *
library_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static bool
library_may_be_mpi(const char *name)
{
	return strncmp(name, "libmpi", 6) == 0 ||
	    strncmp(name, "libsimgrid.so", 13) == 0;
}

/* Only keeps the name: to open a library inside of the walk could deadlock. */
static int
library_visit(struct dl_phdr_info *info, size_t bytes, void *to)
{
	struct library_list *list = to;
	char **longer;

	(void)bytes;
	if (info->dlpi_name == NULL || info->dlpi_name[0] == '\0' ||
	    (!list->all && !library_may_be_mpi(library_name(info->dlpi_name))))
		return 0;
	longer = realloc(list->paths, (list->count + 1) * sizeof(*list->paths));
	if (longer == NULL)
		return 1;
	list->paths = longer;
	list->paths[list->count] = strdup(info->dlpi_name);
	if (list->paths[list->count] == NULL)
		return 1;
	list->count++;
	return 0;
}

static void
library_each(bool all, mpi_library_seen *seen, void *to)
{
	struct library_list list = { .all = all };
	bool more = true;

	dl_iterate_phdr(library_visit, &list);
	for (size_t i = 0; i < list.count; i++) {
		void *handle =
		    more ? dlopen(list.paths[i], RTLD_NOW | RTLD_NOLOAD) : NULL;

		if (handle != NULL) {
			more = seen(to, library_name(list.paths[i]), handle);
			/* The library stays loaded: it was open before. */
			dlclose(handle);
		}
		free(list.paths[i]);
	}
	free(list.paths);
}

void
mpi_library_each(mpi_library_seen *seen, void *to)
{
	library_each(false, seen, to);
}

struct library_wanted {
	const char *symbol;
	void *found;
};

bool
mpi_library_same(const void *one, const void *other)
{
	Dl_info a, b;

	return dladdr(one, &a) != 0 && dladdr(other, &b) != 0 &&
	    a.dli_fbase == b.dli_fbase;
}

static bool
library_ask(void *to, const char *name, void *handle)
{
	struct library_wanted *wanted = to;
	void *found = dlsym(handle, wanted->symbol);

	(void)name;
	if (found == NULL || mpi_library_same(found, (void *)&mpi_library_each))
		return true;
	wanted->found = found;
	return false;
}

static void *
library_find(bool all, const char *symbol)
{
	struct library_wanted wanted = { .symbol = symbol };

	library_each(all, library_ask, &wanted);
	return wanted.found;
}

void *
mpi_library_next(const char *symbol)
{
	void *found = dlsym(RTLD_NEXT, symbol);

	return found != NULL ? found : library_find(false, symbol);
}

void *
mpi_library_data(const char *symbol)
{
	void *found = dlsym(RTLD_DEFAULT, symbol);

	return found != NULL ? found : library_find(false, symbol);
}

void *
mpi_library_namesake(const char *symbol)
{
	return library_find(false, symbol) != NULL ? NULL :
						     library_find(true, symbol);
}
