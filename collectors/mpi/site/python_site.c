/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/python_site.c - numbers the call sites in Python
 *
 * The return address of a call through mpi4py is always in mpi4py.  Its site is
 * the place of the innermost Python frame instead, so a thread finds the number
 * by return address, code object and instruction.  A code object can be freed,
 * and another one can get its address: mpi_python_print tells most of these
 * apart.  No reference keeps them, because that would need the GIL.
 *
 * A call from another extension module has two frames, its own and that of
 * Python, because only readers know whether the first one has a name.
 */

#include "collectors/mpi/site/python_site_private.h"

#include "collectors/mpi/site/code_private.h"

#include <stdatomic.h>
#include <stdlib.h>

#define PYTHON_SLOTS_FIRST 256u
/* A thread that runs new code without end forgets its sites. */
#define PYTHON_SITES_MAX (1u << 16)

struct python_site {
	const void *address;	 /* NULL: free */
	struct mpi_python_at at; /* code is NULL: no Python frame */
	uint64_t print;
	uint32_t id;
};

struct mpi_python_sites {
	struct python_site *slots; /* linear probing; at most half are taken */
	uint64_t mask;
	uint64_t count;
};

void
mpi_python_sites_close(struct mpi_python_sites *sites)
{
	if (sites == NULL)
		return;
	free(sites->slots);
	free(sites);
}

/* Returns the slot of a site, or the free slot where it belongs. */
static struct python_site *
python_slot(const struct mpi_python_sites *s, const void *address,
    const struct mpi_python_at *at)
{
	uint64_t hash =
	    ((uintptr_t)address ^ (uintptr_t)at->code << 16 ^ at->at) *
	    UINT64_C(0x9e3779b97f4a7c15);
	uint64_t n = hash >> 32 & s->mask;

	while (s->slots[n].address != NULL &&
	    (s->slots[n].at.at != at->at || s->slots[n].at.code != at->code ||
		s->slots[n].address != address))
		n = (n + 1) & s->mask;
	return &s->slots[n];
}

static bool
python_open(struct mpi_python_sites **sites)
{
	struct mpi_python_sites *s = calloc(1, sizeof(*s));

	if (s != NULL)
		s->slots = calloc(PYTHON_SLOTS_FIRST, sizeof(*s->slots));
	if (s == NULL || s->slots == NULL) {
		free(s);
		return false;
	}
	s->mask = PYTHON_SLOTS_FIRST - 1;
	*sites = s;
	return true;
}

/* Makes room for one more site; false: there is no memory. */
static bool
python_grow(struct mpi_python_sites *s)
{
	struct mpi_python_sites old = *s;

	if (2 * (s->count + 1) <= s->mask + 1)
		return true;
	if (s->count >= PYTHON_SITES_MAX) {
		memset(s->slots, 0, (s->mask + 1) * sizeof(*s->slots));
		s->count = 0;
		return true;
	}
	s->slots = calloc(2 * (old.mask + 1), sizeof(*s->slots));
	if (s->slots == NULL) {
		s->slots = old.slots;
		return false;
	}
	s->mask = 2 * old.mask + 1;
	for (uint64_t n = 0; n <= old.mask; n++) {
		const struct python_site *site = &old.slots[n];

		if (site->address != NULL)
			*python_slot(s, site->address, &site->at) = *site;
	}
	free(old.slots);
	return true;
}

/* Keeps a site.  Without memory it is looked up again at the next call. */
static void
python_keep(struct mpi_python_sites **sites, const struct python_site *site)
{
	struct python_site *slot;

	if ((*sites == NULL && !python_open(sites)) || !python_grow(*sites))
		return;
	slot = python_slot(*sites, site->address, &site->at);
	if (slot->address == NULL)
		(*sites)->count++;
	*slot = *site;
}

enum mpi_python_known
mpi_python_source(const struct mpi_python *python, struct mpi_site_table *table,
    const struct mpi_python_at *at, struct mpi_site_frame *frame)
{
	struct mpi_python_place place;
	uint32_t source;

	if (!mpi_python_place(python, at, &place))
		return MPI_PYTHON_UNKNOWN;
	if (mpi_python_imports(&place))
		return MPI_PYTHON_IMPORT;
	source = mpi_site_table_source(table, place.function, place.file,
	    place.line);
	if (source == 0)
		return MPI_PYTHON_UNKNOWN;
	*frame = (struct mpi_site_frame){ .source = source };
	return MPI_PYTHON_KNOWN;
}

uint32_t
mpi_python_exit_site(const struct mpi_python *python,
    struct mpi_site_table *table, uint64_t *unloaded)
{
	struct mpi_site_frame frame = { .address = NULL };
	struct mpi_python_place place;

	if (!mpi_python_exit(python, &place))
		return 0;
	frame.source = mpi_site_table_source(table, place.function, place.file,
	    place.line);
	return frame.source == 0 ?
	    0 :
	    mpi_site_table_number(table, &frame, 1, unloaded);
}

/* Numbers a site: the innermost place in Python, for an extension behind its
   return address.  If the place is not known, it is the return address. */
static uint32_t
python_number(struct mpi_site_table *table, struct mpi_python_walk *walk,
    enum mpi_code code, struct python_site *site, uint64_t *unloaded)
{
	struct mpi_site_frame frames[2] = { { .address = site->address } };
	enum mpi_python_known known = MPI_PYTHON_IMPORT;
	struct mpi_python_at at;

	while (known == MPI_PYTHON_IMPORT && mpi_python_here(walk, &at)) {
		known = mpi_python_source(walk->python, table, &at, &frames[1]);
		/* All imports have the same innermost places. */
		if (known == MPI_PYTHON_IMPORT)
			site->address = NULL;
		mpi_python_walk_on(walk);
	}
	if (known != MPI_PYTHON_KNOWN)
		return mpi_site_table_number(table, frames, 1, unloaded);
	if (code != MPI_CODE_EXTENSION)
		return mpi_site_table_number(table, frames + 1, 1, unloaded);
	frames[0].source = ES_MPI_FRAME_EXTENSION;
	return mpi_site_table_number(table, frames, 2, unloaded);
}

uint32_t
mpi_python_site(struct mpi_python_sites **sites, struct mpi_site_table *table,
    const void *address, uint64_t *unloaded)
{
	/* Acquire: the interpreter is complete. */
	const struct mpi_python *python =
	    atomic_load_explicit(&mpi_python_found, memory_order_acquire);
	struct python_site site = { .address = address };
	struct mpi_python_walk walk = { .frame = NULL };
	const struct python_site *known;
	enum mpi_code code;

	if (python != NULL && *sites != NULL) {
		mpi_python_walk(python, python->thread(), &walk);
		if (mpi_python_here(&walk, &site.at))
			site.print = mpi_python_print(python, site.at.code);
		known = python_slot(*sites, address, &site.at);
		if (__builtin_expect(known->address != NULL &&
			    known->print == site.print,
			1))
			return known->id;
	}
	code = mpi_code_of(address);
	if (code == MPI_CODE_PROGRAM)
		return 0;
	python = mpi_python_find();
	mpi_python_walk(python, python->thread(), &walk);
	/* While Python ends, it still runs finalizers of objects. */
	if (mpi_python_here(&walk, &site.at))
		site.print = mpi_python_print(python, site.at.code);
	else
		site.id = mpi_python_exit_site(python, table, unloaded);
	if (site.id != 0 || code == MPI_CODE_INTERPRETER)
		return site.id;
	site.id = python_number(table, &walk, code, &site, unloaded);
	if (site.address != NULL && site.id != 0)
		python_keep(sites, &site);
	return site.id;
}
