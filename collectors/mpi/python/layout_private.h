/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/layout_private.h - the structures of CPython
 */

#ifndef COLLECTORS_MPI_PYTHON_LAYOUT_PRIVATE_H
#define COLLECTORS_MPI_PYTHON_LAYOUT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The member does not exist. */
#define MPI_PYTHON_NONE UINT32_MAX

/* Form of the instruction in a frame. */
enum mpi_python_at_form {
	MPI_PYTHON_AT_BYTES, /* int, bytes from the first instruction */
	MPI_PYTHON_AT_UNITS, /* int, instructions of two bytes */
	MPI_PYTHON_AT_ADDRESS
};

/* Form of the table of lines in a code object. */
enum mpi_python_lines_form {
	MPI_PYTHON_LINES_STEPS,	   /* 3.9: co_lnotab */
	MPI_PYTHON_LINES_RANGES,   /* 3.10: co_linetable */
	MPI_PYTHON_LINES_LOCATIONS /* from 3.11: co_linetable */
};

/* Offsets and sizes in bytes. */
struct mpi_python_layout {
	uint32_t minor; /* version 3.minor */
	enum mpi_python_at_form at_form;
	enum mpi_python_lines_form lines_form;
	/* PyThreadState: the current frame, and the innermost C frame.  A
	   thread has a C frame for each call of the interpreter's loop, which
	   is on the stack. */
	uint32_t thread_frame;
	uint32_t thread_c_frame;
	/* CFrame: its Python frame, and the C frame around it. */
	uint32_t c_frame_frame;
	uint32_t c_frame_previous;
	/* Frame: code object, calling frame, instruction, and owner. */
	uint32_t frame_code;
	uint32_t frame_previous;
	uint32_t frame_at;
	uint32_t frame_owner; /* a byte */
	uint32_t frame_shim;  /* the owner of a frame without code of its own */
	uintptr_t frame_tags; /* bits of the code pointer that are flags */
	/* PyCodeObject */
	uint32_t code_bytes; /* its size without the instructions */
	uint32_t code_file;
	uint32_t code_name;
	uint32_t code_first_line;
	uint32_t code_lines;
	uint32_t code_instructions; /* these follow the code object */
	uint32_t code_copies;	    /* copies of these, by thread */
	/* PyObject, PyTypeObject, PyBytesObject */
	uint32_t object_type;
	uint32_t type_name;
	uint32_t type_bytes;
	uint32_t bytes_count;
	uint32_t bytes_data;
	/* PyUnicodeObject */
	uint32_t text_bytes; /* its size; the next two are without characters */
	uint32_t text_ascii;
	uint32_t text_compact;
	uint32_t text_length;
	uint32_t text_hash;
	uint32_t text_state;
	uint32_t text_state_shift; /* of the bits after `interned` */
};

/* The first words of _Py_DebugOffsets that have all used offsets. */
#define MPI_PYTHON_DEBUG_WORDS 81u

/* Finds the layout of a final version 3.minor, 9 .. 12.  False: it is not
   known. */
bool mpi_python_layout_of(uint32_t minor, struct mpi_python_layout *layout);

/* Finds the layout of 3.13 or 3.14 in the first words of its
   _Py_DebugOffsets.  False: it is none, or of another version. */
bool mpi_python_layout_read(const uint64_t words[MPI_PYTHON_DEBUG_WORDS],
    struct mpi_python_layout *layout);

#endif
