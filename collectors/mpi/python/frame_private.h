/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/frame_private.h - the frames of the calling thread
 *
 * A thread that is in a call from Python changes none of its own frames, and
 * no other thread does.  So they are read without the GIL and without checks of
 * memory.  The layout was checked before (interpreter.c), and the type of
 * each code object is.
 */

#ifndef COLLECTORS_MPI_PYTHON_FRAME_PRIVATE_H
#define COLLECTORS_MPI_PYTHON_FRAME_PRIVATE_H

#include "collectors/mpi/python/interpreter_private.h"

#include <string.h>

/* A place in Python code. */
struct mpi_python_at {
	const void *code; /* PyCodeObject; NULL: there is none */
	uintptr_t at;	  /* instruction, see enum mpi_python_at_form */
};

/* A walk from the innermost frame to its callers. */
struct mpi_python_walk {
	const struct mpi_python *python;
	const void *frame;   /* the next one; NULL: no more */
	const void *c_frame; /* of the next one; NULL: not known */
	const void *shim;    /* first one before the last frame; NULL: none */
	uint32_t steps;	     /* that are left */
};

/* Most frames that a walk passes over. */
#define MPI_PYTHON_STEPS 100000u

static inline const void *
mpi_python_pointer(const void *base, uint32_t offset)
{
	const void *value;

	memcpy(&value, (const char *)base + offset, sizeof(value));
	return value;
}

static inline uint64_t
mpi_python_word(const void *base, uint32_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)base + offset, sizeof(value));
	return value;
}

static inline int32_t
mpi_python_int(const void *base, uint32_t offset)
{
	int32_t value;

	memcpy(&value, (const char *)base + offset, sizeof(value));
	return value;
}

/* Begins a walk over the frames of a thread state, which may be NULL. */
static inline void
mpi_python_walk(const struct mpi_python *python, const void *thread,
    struct mpi_python_walk *walk)
{
	const struct mpi_python_layout *l = &python->layout;

	*walk = (struct mpi_python_walk){ .python = python,
		.steps = MPI_PYTHON_STEPS };
	if (thread == NULL)
		return;
	if (l->thread_c_frame != MPI_PYTHON_NONE)
		walk->c_frame = mpi_python_pointer(thread, l->thread_c_frame);
	if (l->thread_frame != MPI_PYTHON_NONE)
		walk->frame = mpi_python_pointer(thread, l->thread_frame);
	else if (walk->c_frame != NULL)
		walk->frame =
		    mpi_python_pointer(walk->c_frame, l->c_frame_frame);
}

/* Goes on to the calling frame. */
static inline void
mpi_python_walk_on(struct mpi_python_walk *walk)
{
	const struct mpi_python_layout *l = &walk->python->layout;
	const void *outer;

	walk->frame = mpi_python_pointer(walk->frame, l->frame_previous);
	if (walk->c_frame == NULL)
		return;
	outer = mpi_python_pointer(walk->c_frame, l->c_frame_previous);
	/* Without frames of its own, each C frame has one. */
	if (l->c_frame_frame == MPI_PYTHON_NONE ||
	    (outer != NULL &&
		mpi_python_pointer(outer, l->c_frame_frame) == walk->frame))
		walk->c_frame = outer;
}

/* Returns the code object of a frame; NULL: it is a shim, which the interpreter
   puts between its C frames. */
static inline const void *
mpi_python_code(const struct mpi_python *python, const void *frame)
{
	const struct mpi_python_layout *l = &python->layout;
	uintptr_t word = (uintptr_t)mpi_python_pointer(frame, l->frame_code) &
	    ~l->frame_tags;
	const void *code = (const void *)word;

	if (code == NULL || word % sizeof(void *) != 0 ||
	    mpi_python_pointer(code, l->object_type) != python->code_type)
		return NULL;
	if (l->frame_owner != MPI_PYTHON_NONE &&
	    ((const uint8_t *)frame)[l->frame_owner] == l->frame_shim)
		return NULL;
	return code;
}

/* Finds the frame where a walk is, and passes over shims.  False: there is
   none.  mpi_python_walk_on goes on from there. */
static inline bool
mpi_python_here(struct mpi_python_walk *walk, struct mpi_python_at *at)
{
	const struct mpi_python_layout *l = &walk->python->layout;

	walk->shim = NULL;
	for (; walk->frame != NULL && walk->steps > 0;
	     mpi_python_walk_on(walk)) {
		walk->steps--;
		at->code = mpi_python_code(walk->python, walk->frame);
		if (at->code == NULL) {
			if (walk->shim == NULL)
				walk->shim = walk->frame;
			continue;
		}
		at->at = l->at_form == MPI_PYTHON_AT_ADDRESS ?
		    (uintptr_t)mpi_python_pointer(walk->frame, l->frame_at) :
		    (uintptr_t)(intptr_t)mpi_python_int(walk->frame,
			l->frame_at);
		return true;
	}
	return false;
}

/* Bytes at both ends of a table of lines that a print depends on. */
#define MPI_PYTHON_PRINT_BYTES 32u

static inline uint64_t
mpi_python_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* Returns a number of the first and last bytes of a table of lines. */
static inline uint64_t
mpi_python_print_lines(const struct mpi_python_layout *l, const char *lines)
{
	uint64_t bytes = mpi_python_word(lines, l->bytes_count);
	const char *from = lines + l->bytes_data;
	const char *end = from + bytes;
	uint64_t h = mpi_python_mix((uintptr_t)lines, bytes);

	for (uint32_t n = 8; n <= MPI_PYTHON_PRINT_BYTES && n <= bytes; n += 8)
		h = mpi_python_mix(mpi_python_mix(h,
				       mpi_python_word(from, n - 8)),
		    mpi_python_word(end - n, 0));
	/* A short table: its bytes, and some of the head of the object. */
	return bytes < 8 ? mpi_python_mix(h, mpi_python_word(end - 8, 0)) : h;
}

/*
 * Returns a number that differs between code objects which had the same address
 * one after the other, unless they have the same file, name and first line, and
 * tables of lines with the same length, beginning and end.
 */
static inline uint64_t
mpi_python_print(const struct mpi_python *python, const void *code)
{
	const struct mpi_python_layout *l = &python->layout;
	const char *file = mpi_python_pointer(code, l->code_file);
	const char *name = mpi_python_pointer(code, l->code_name);
	uint64_t h =
	    mpi_python_print_lines(l, mpi_python_pointer(code, l->code_lines));

	/* Each text keeps its hash, or -1. */
	h ^= (uintptr_t)file + mpi_python_word(file, l->text_hash);
	h = mpi_python_mix(h,
	    (uint32_t)mpi_python_int(code, l->code_first_line));
	return mpi_python_mix(h,
	    (uintptr_t)name ^ mpi_python_word(name, l->text_hash) << 1);
}

#endif
