/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/module.c - finds the loaded files that addresses are in
 *
 * A file is identified by its build id, or else by path, size and time, so it
 * is the same in all ranks, wherever it is loaded.
 */

#include "collectors/mpi/site/module_private.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
mpi_modules_fini(struct mpi_modules *m)
{
	for (uint32_t i = 0; i < m->count; i++)
		free(m->modules[i].path);
	free(m->modules);
	free(m->ranges);
}

/* Finds the build id in one segment of notes. */
static bool
module_read_note(const char *note, size_t bytes, struct mpi_module *module)
{
	while (bytes >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)note;
		size_t name = (head->n_namesz + (size_t)3) & ~(size_t)3;
		size_t text = (head->n_descsz + (size_t)3) & ~(size_t)3;
		size_t all = sizeof(*head) + name + text;

		if (all > bytes)
			return false;
		if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 &&
		    memcmp(head + 1, "GNU", 4) == 0 &&
		    head->n_descsz <= MPI_BUILD_ID_BYTES) {
			memcpy(module->build_id,
			    (const char *)(head + 1) + name, head->n_descsz);
			module->entry.build_id_bytes = head->n_descsz;
			return true;
		}
		note += all;
		bytes -= all;
	}
	return false;
}

static void
module_read_build_id(const struct dl_phdr_info *info, struct mpi_module *module)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_NOTE &&
		    module_read_note((const char *)(info->dlpi_addr +
					 p->p_vaddr),
			p->p_memsz, module))
			return;
	}
}

static bool
module_equal(const struct mpi_module *a, const struct mpi_module *b)
{
	if (a->entry.build_id_bytes != b->entry.build_id_bytes)
		return false;
	if (a->entry.build_id_bytes != 0)
		return memcmp(a->build_id, b->build_id,
			   a->entry.build_id_bytes) == 0;
	return a->entry.file_bytes == b->entry.file_bytes &&
	    a->entry.file_seconds == b->entry.file_seconds &&
	    strcmp(a->path, b->path) == 0;
}

/* Returns the index of a module, which is added if it is new; UINT32_MAX: there
   is no memory.  Takes module->path. */
static uint32_t
module_place(struct mpi_modules *m, struct mpi_module *module)
{
	struct mpi_module *more;

	for (uint32_t i = 0; i < m->count; i++) {
		if (module_equal(&m->modules[i], module)) {
			free(module->path);
			return i;
		}
	}
	more = realloc(m->modules, (m->count + (size_t)1) * sizeof(*more));
	if (more == NULL) {
		free(module->path);
		return UINT32_MAX;
	}
	m->modules = more;
	module->entry.id = m->count;
	more[m->count] = *module;
	return m->count++;
}

static char *
module_path(const struct dl_phdr_info *info)
{
	char path[PATH_MAX];
	ssize_t n;

	if (info->dlpi_name != NULL && info->dlpi_name[0] != 0)
		return strdup(info->dlpi_name);
	/* The program itself has an empty name here. */
	n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = 0;
	return strdup(path);
}

static bool
module_add_range(struct mpi_modules *m, const struct mpi_range *range)
{
	struct mpi_range *more =
	    realloc(m->ranges, (m->range_count + 1) * sizeof(*more));

	if (more == NULL)
		return false;
	m->ranges = more;
	more[m->range_count++] = *range;
	return true;
}

static void
module_read(struct mpi_modules *m, const struct dl_phdr_info *info)
{
	struct mpi_module module = { .path = module_path(info) };
	struct mpi_range range = { .base = info->dlpi_addr };
	struct stat status;

	if (module.path == NULL)
		return;
	module.entry.path_bytes = strlen(module.path) + 1;
	module_read_build_id(info, &module);
	if (module.entry.build_id_bytes == 0 &&
	    stat(module.path, &status) == 0) {
		module.entry.file_bytes = (uint64_t)status.st_size;
		module.entry.file_seconds = (uint64_t)status.st_mtime;
	}
	range.module = module_place(m, &module);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || (p->p_flags & PF_X) == 0)
			continue;
		range.from = range.base + p->p_vaddr;
		range.to = range.from + p->p_memsz;
		if (range.module == UINT32_MAX || !module_add_range(m, &range))
			return;
	}
}

struct module_walk {
	struct mpi_modules *modules;
	bool reading;
};

static int
module_visit(struct dl_phdr_info *info, size_t size, void *data)
{
	struct module_walk *walk = data;
	struct mpi_modules *m = walk->modules;

	(void)size;
	if (!walk->reading && m->loaded == info->dlpi_adds &&
	    m->unloaded == info->dlpi_subs)
		return 1;
	if (!walk->reading)
		m->range_count = 0;
	walk->reading = true;
	m->loaded = info->dlpi_adds;
	m->unloaded = info->dlpi_subs;
	module_read(m, info);
	return 0;
}

static int
module_compare(const void *a, const void *b)
{
	const struct mpi_range *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

void
mpi_modules_refresh(struct mpi_modules *m)
{
	struct module_walk walk = { .modules = m };

	dl_iterate_phdr(module_visit, &walk);
	if (walk.reading && m->range_count > 0)
		qsort(m->ranges, m->range_count, sizeof(*m->ranges),
		    module_compare);
}

const struct mpi_range *
mpi_modules_find(const struct mpi_modules *m, const void *address)
{
	uintptr_t a = (uintptr_t)address;
	size_t low = 0, high = m->range_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (a < m->ranges[middle].from)
			high = middle;
		else if (a >= m->ranges[middle].to)
			low = middle + 1;
		else
			return &m->ranges[middle];
	}
	return NULL;
}

struct es_mpi_frame
mpi_modules_frame(struct mpi_modules *m, struct mpi_log *log,
    const void *address)
{
	/* Looks up the call instruction: the return address of a function that
	   never returns may lie after the module. */
	const struct mpi_range *range =
	    mpi_modules_find(m, (const char *)address - 1);
	struct mpi_module *module;

	if (range == NULL)
		return (struct es_mpi_frame){ .module = UINT32_MAX,
			.offset = (uintptr_t)address };
	module = &m->modules[range->module];
	if (!module->logged)
		mpi_log_append(log, ES_MPI_ENTRY_MODULE,
		    (const struct iovec[]){
			{ &module->entry, sizeof(module->entry) },
			{ module->build_id, module->entry.build_id_bytes },
			{ module->path, module->entry.path_bytes } },
		    3);
	module->logged = true;
	return (struct es_mpi_frame){ .module = range->module,
		.offset = (uintptr_t)address - range->base };
}
