/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/mixed_path.c - numbers call paths through Python
 *
 * The native frames of the interpreter are replaced by the Python frames that
 * they run.  Each run of the interpreter's loop has a structure on the native
 * stack, a C frame or a shim, which tells in which native frame it is.  Python
 * 3.9 has none, so there all Python frames replace the first frame of the
 * interpreter.  Frames of extension modules that only pass calls on are left
 * out, as are those of the import of modules.
 *
 * A path that was met before is found by its return address, its stack pointer
 * and its innermost Python frame.  It is the same if it has the same Python
 * frames, by code object and instruction, and the same return addresses at the
 * same places of the stack (callpath.c tells why).
 */

#include "collectors/mpi/site/mixed_path_private.h"

#include "collectors/mpi/site/code_private.h"
#include "collectors/mpi/site/python_site_private.h"
#include "collectors/mpi/site/unwind_private.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Known paths are in sets, because a function that calls another one twice has
   paths that begin alike. */
#define MIXED_SETS_LOG2 8u
#define MIXED_WAYS 4u
/* Native frames and Python frames of a path, among them those left out. */
#define MIXED_NATIVE_MAX 512u
#define MIXED_PYTHON_MAX 64u

/* A Python frame, and the stack address of the loop that runs it; 0: not
   known. */
struct mixed_python {
	struct mpi_python_at at;
	uintptr_t loop;
};

struct mixed_back {
	const void *address;
	uintptr_t offset; /* from the stack pointer */
};

struct mixed_known {
	struct mpi_call_place place;
	uint32_t id;
	uint32_t python_count;
	uint32_t native_count;
	struct mixed_print {
		struct mpi_python_at at;
		uint64_t print;
	} * python;
	struct mixed_back native[]; /* after the innermost; python follows */
};

struct mixed_set {
	struct mixed_known *ways[MIXED_WAYS];
	uint32_t next; /* to be replaced */
};

struct mpi_mixed_paths {
	struct mixed_set sets[1u << MIXED_SETS_LOG2];
};

void
mpi_mixed_close(struct mpi_mixed_paths *paths)
{
	if (paths == NULL)
		return;
	for (uint32_t n = 0; n < MIXED_WAYS << MIXED_SETS_LOG2; n++)
		free(paths->sets[n / MIXED_WAYS].ways[n % MIXED_WAYS]);
	free(paths);
}

static struct mixed_set *
mixed_set(struct mpi_mixed_paths *paths, const struct mpi_call_place *place,
    const struct mpi_python_at *top)
{
	uint64_t hash = (uintptr_t)place->address ^ place->stack << 20;

	hash = (hash ^ (uintptr_t)top->code << 12 ^ top->at) *
	    UINT64_C(0x9e3779b97f4a7c15);
	return &paths->sets[hash >> (64 - MIXED_SETS_LOG2)];
}

/* Returns whether a known path is that of the call; the walk is at the
   innermost Python frame. */
static bool
mixed_is_known(const struct mixed_known *k, const struct mpi_mixed_look *look,
    struct mpi_python_walk walk)
{
	const struct mpi_call_place *place = look->place;
	struct mpi_python_at at;

	if (k == NULL || k->place.address != place->address ||
	    k->place.stack != place->stack || k->place.base != place->base)
		return false;
	for (uint32_t n = 0; n < k->python_count; n++) {
		if (!mpi_python_here(&walk, &at) ||
		    at.code != k->python[n].at.code ||
		    at.at != k->python[n].at.at ||
		    mpi_python_print(walk.python, at.code) !=
			k->python[n].print)
			return false;
		mpi_python_walk_on(&walk);
	}
	for (uint32_t n = 0; n < k->native_count; n++) {
		if (k->native[n].offset >= look->stack.end - place->stack ||
		    *(const void *const *)(place->stack +
			k->native[n].offset) != k->native[n].address)
			return false;
	}
	return true;
}

/* A path that is being made. */
struct mixed_path {
	const struct mpi_mixed_look *look;
	const struct mpi_python *python;
	struct mixed_python frames[MIXED_PYTHON_MAX];
	uint32_t frame_count;
	uint32_t frame_next; /* the first one that is in no path yet */
	struct mpi_unwind unwind;
	const void *addresses[MIXED_NATIVE_MAX];
	uintptr_t places[MIXED_NATIVE_MAX];
	uint32_t native_used;
	struct mpi_site_frame out[MPI_SITE_FRAMES_MAX];
	uint32_t out_count;
	uint32_t counted; /* of these, all but those of extension modules */
};

static bool
mixed_on_stack(const struct mpi_mixed_look *look, const void *address)
{
	return (uintptr_t)address >= look->stack.from &&
	    (uintptr_t)address < look->stack.end;
}

/* Gives the frames from `first` on the loop of a shim. */
static void
mixed_set_loops(struct mixed_path *path, uint32_t *first, const void *shim)
{
	if (shim == NULL || !mixed_on_stack(path->look, shim))
		return;
	while (*first < path->frame_count)
		path->frames[(*first)++].loop = (uintptr_t)shim;
}

/* Finds the Python frames of a path.  A C frame is known with its frames, a
   shim only after them. */
static void
mixed_walk(struct mixed_path *path, struct mpi_python_walk walk)
{
	struct mpi_python_at at;
	uint32_t first = 0; /* frame whose loop is not known yet */

	while (mpi_python_here(&walk, &at)) {
		bool shims = walk.c_frame == NULL;

		if (shims)
			mixed_set_loops(path, &first, walk.shim);
		if (path->frame_count == MIXED_PYTHON_MAX &&
		    (!shims || first == path->frame_count))
			return;
		if (path->frame_count < MIXED_PYTHON_MAX)
			path->frames[path->frame_count++] =
			    (struct mixed_python){ .at = at,
				    .loop = mixed_on_stack(path->look,
						walk.c_frame) ?
					(uintptr_t)walk.c_frame :
					0 };
		mpi_python_walk_on(&walk);
	}
	mixed_set_loops(path, &first, walk.shim);
}

/* Returns whether a path has all its frames.  Those of extension modules are
   not counted, because readers may leave them out. */
static bool
mixed_is_full(const struct mixed_path *path)
{
	return path->counted >= path->look->depth ||
	    path->out_count >= MPI_SITE_FRAMES_MAX;
}

static void
mixed_add(struct mixed_path *path, const struct mpi_site_frame *frame)
{
	path->out[path->out_count++] = *frame;
	path->counted += frame->source != ES_MPI_FRAME_EXTENSION;
}

/* Adds the Python frames that a loop runs. */
static void
mixed_add_loop(struct mixed_path *path, uintptr_t loop)
{
	while (path->frame_next < path->frame_count && !mixed_is_full(path) &&
	    path->frames[path->frame_next].loop == loop) {
		struct mpi_site_frame frame;
		enum mpi_python_known known =
		    mpi_python_source(path->python, path->look->table,
			&path->frames[path->frame_next].at, &frame);

		path->frame_next++;
		if (known != MPI_PYTHON_KNOWN)
			continue;
		mixed_add(path, &frame);
	}
}

/* Adds a native frame, or the Python frames that it runs. */
static void
mixed_add_native(struct mixed_path *path, uint32_t n)
{
	const struct mixed_python *next = &path->frames[path->frame_next];
	bool left = path->frame_next < path->frame_count;
	uintptr_t end =
	    n + 1 < path->unwind.count ? path->places[n + 1] : UINTPTR_MAX;
	struct mpi_site_frame frame = { .address = path->addresses[n] };
	enum mpi_code code;

	if (left && next->loop != 0 && next->loop < end) {
		mixed_add_loop(path, next->loop);
		return;
	}
	code = mpi_code_of(path->addresses[n]);
	if (code == MPI_CODE_INTERPRETER && left && next->loop == 0)
		mixed_add_loop(path, 0);
	frame.source = code == MPI_CODE_EXTENSION ? ES_MPI_FRAME_EXTENSION : 0;
	if (code == MPI_CODE_PROGRAM || code == MPI_CODE_EXTENSION)
		mixed_add(path, &frame);
}

/* Keeps a path; without memory, or if the stack pointer is not known, it is
   made again at the next call. */
static void
mixed_keep(struct mixed_set *set, const struct mixed_path *path, uint32_t id)
{
	const struct mpi_mixed_look *look = path->look;
	uint32_t natives = path->native_used - 1, pythons = path->frame_next;
	struct mixed_known *k;

	if (!look->placed || path->places[0] == 0)
		return;
	k = malloc(sizeof(*k) + natives * sizeof(k->native[0]) +
	    pythons * sizeof(*k->python));
	if (k == NULL)
		return;
	*k = (struct mixed_known){ .place = *look->place,
		.id = id,
		.python_count = pythons,
		.native_count = natives,
		.python = (struct mixed_print *)&k->native[natives] };
	for (uint32_t n = 0; n < pythons; n++)
		k->python[n] = (struct mixed_print){ .at = path->frames[n].at,
			.print = mpi_python_print(path->python,
			    path->frames[n].at.code) };
	for (uint32_t n = 0; n < natives; n++)
		k->native[n] = (struct mixed_back){ .address =
							path->addresses[n + 1],
			.offset = path->places[n + 1] - look->place->stack };
	free(set->ways[set->next]);
	set->ways[set->next] = k;
	set->next = (set->next + 1) % MIXED_WAYS;
}

/* Makes the path of a call, and numbers it. */
static uint32_t
mixed_make(struct mixed_path *path, const struct mpi_python_walk *walk,
    uint64_t *unloaded)
{
	path->unwind.addresses = path->addresses;
	path->unwind.places = path->places;
	path->unwind.most = MIXED_NATIVE_MAX;
	path->addresses[0] = path->look->place->address;
	mixed_walk(path, *walk);
	mpi_unwind(&path->unwind);
	for (uint32_t n = 0; n < path->unwind.count && !mixed_is_full(path);
	     n++) {
		mixed_add_native(path, n);
		path->native_used = n + 1;
	}
	/* Unwinding ended early. */
	while (path->frame_next < path->frame_count && !mixed_is_full(path))
		mixed_add_loop(path, path->frames[path->frame_next].loop);
	if (path->out_count == 0)
		path->out[path->out_count++].address = path->addresses[0];
	return mpi_site_table_number(path->look->table, path->out,
	    path->out_count, unloaded);
}

static __attribute__((cold, noinline)) uint32_t
mixed_new(struct mpi_mixed_paths **paths, const struct mpi_mixed_look *look,
    const struct mpi_python_walk *walk, uint64_t *unloaded)
{
	struct mixed_path *path = calloc(1, sizeof(*path));
	struct mpi_python_at top;
	uint32_t id = 0;

	if (*paths == NULL)
		*paths = calloc(1, sizeof(**paths));
	if (path != NULL && *paths != NULL) {
		path->look = look;
		path->python = walk->python;
		id = mixed_make(path, walk, unloaded);
		top = path->frames[0].at;
		if (id != 0)
			mixed_keep(mixed_set(*paths, look->place, &top), path,
			    id);
	}
	free(path);
	return id;
}

/* Numbers the path of a thread without Python frames, if Python ends; otherwise
   returns 0. */
static __attribute__((noinline)) uint32_t
mixed_without_frames(const struct mpi_python *python,
    const struct mpi_mixed_look *look, uint64_t *unloaded)
{
	return python->initialized() != 0 ||
		mpi_code_of(look->place->address) == MPI_CODE_PROGRAM ?
	    0 :
	    mpi_python_exit_site(python, look->table, unloaded);
}

uint32_t
mpi_mixed_find(struct mpi_mixed_paths **paths,
    const struct mpi_mixed_look *look, uint64_t *unloaded)
{
	/* Acquire: the interpreter is complete. */
	const struct mpi_python *python =
	    atomic_load_explicit(&mpi_python_found, memory_order_acquire);
	struct mpi_python_walk walk;
	struct mpi_python_at top;
	const struct mixed_set *set;

	if (python == NULL)
		return 0;
	mpi_python_walk(python, python->thread(), &walk);
	if (!mpi_python_here(&walk, &top))
		return mixed_without_frames(python, look, unloaded);
	if (*paths != NULL && look->placed) {
		set = mixed_set(*paths, look->place, &top);
		for (uint32_t n = 0; n < MIXED_WAYS; n++) {
			if (mixed_is_known(set->ways[n], look, walk))
				return set->ways[n]->id;
		}
	}
	return mixed_new(paths, look, &walk, unloaded);
}
