/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/layout.c - offsets in the structures of CPython
 *
 * From 3.13, _PyRuntime begins with a table of these offsets, for debuggers.
 * It is _Py_DebugOffsets: words of 64 bits, in an order that differs between
 * minor versions.  Versions before have no such table, and their structures are
 * those of all final releases of the minor version.
 *
 * Source	CPython, Include/internal/pycore_debug_offsets.h,
 *		Include/internal/pycore_frame.h, Include/cpython/code.h
 */

#include "collectors/mpi/python/layout_private.h"

#include <string.h>

/* Objects are the same in all versions. */
#define LAYOUT_OBJECTS \
	.object_type = 8, .type_name = 24, .type_bytes = 32, \
	.bytes_count = 16, .bytes_data = 32, .text_length = 16, \
	.text_hash = 24, .text_state = 32
/* Until 3.11, a text has an array of wchar_t. */
#define LAYOUT_TEXT_WIDE \
	.text_bytes = 80, .text_ascii = 48, .text_compact = 72, \
	.text_state_shift = 2
#define LAYOUT_TEXT \
	.text_bytes = 64, .text_ascii = 40, .text_compact = 56, \
	.text_state_shift = 2

static const struct mpi_python_layout layout_versions[] = {
	{ .minor = 9,
	    .at_form = MPI_PYTHON_AT_BYTES,
	    .lines_form = MPI_PYTHON_LINES_STEPS,
	    .thread_frame = 24,
	    .thread_c_frame = MPI_PYTHON_NONE,
	    .c_frame_frame = MPI_PYTHON_NONE,
	    .c_frame_previous = MPI_PYTHON_NONE,
	    .frame_code = 32,
	    .frame_previous = 24,
	    .frame_at = 104,
	    .frame_owner = MPI_PYTHON_NONE,
	    .code_bytes = 176,
	    .code_file = 104,
	    .code_name = 112,
	    .code_first_line = 40,
	    .code_lines = 120,
	    .code_instructions = MPI_PYTHON_NONE,
	    .code_copies = MPI_PYTHON_NONE,
	    LAYOUT_OBJECTS,
	    LAYOUT_TEXT_WIDE },
	{ .minor = 10,
	    .at_form = MPI_PYTHON_AT_UNITS,
	    .lines_form = MPI_PYTHON_LINES_RANGES,
	    .thread_frame = 24,
	    .thread_c_frame = 48,
	    .c_frame_frame = MPI_PYTHON_NONE,
	    .c_frame_previous = 8,
	    .frame_code = 32,
	    .frame_previous = 24,
	    .frame_at = 96,
	    .frame_owner = MPI_PYTHON_NONE,
	    .code_bytes = 176,
	    .code_file = 104,
	    .code_name = 112,
	    .code_first_line = 40,
	    .code_lines = 120,
	    .code_instructions = MPI_PYTHON_NONE,
	    .code_copies = MPI_PYTHON_NONE,
	    LAYOUT_OBJECTS,
	    LAYOUT_TEXT_WIDE },
	{ .minor = 11,
	    .at_form = MPI_PYTHON_AT_ADDRESS,
	    .lines_form = MPI_PYTHON_LINES_LOCATIONS,
	    .thread_frame = MPI_PYTHON_NONE,
	    .thread_c_frame = 56,
	    .c_frame_frame = 8,
	    .c_frame_previous = 16,
	    .frame_code = 32,
	    .frame_previous = 48,
	    .frame_at = 56,
	    .frame_owner = MPI_PYTHON_NONE,
	    .code_bytes = 184,
	    .code_file = 112,
	    .code_name = 128,
	    .code_first_line = 72,
	    .code_lines = 136,
	    .code_instructions = 184,
	    .code_copies = MPI_PYTHON_NONE,
	    LAYOUT_OBJECTS,
	    LAYOUT_TEXT_WIDE },
	{ .minor = 12,
	    .at_form = MPI_PYTHON_AT_ADDRESS,
	    .lines_form = MPI_PYTHON_LINES_LOCATIONS,
	    .thread_frame = MPI_PYTHON_NONE,
	    .thread_c_frame = 56,
	    .c_frame_frame = 0,
	    .c_frame_previous = 8,
	    .frame_code = 0,
	    .frame_previous = 8,
	    .frame_at = 56,
	    .frame_owner = 70,
	    .frame_shim = 3, /* FRAME_OWNED_BY_CSTACK */
	    .code_bytes = 192,
	    .code_file = 112,
	    .code_name = 128,
	    .code_first_line = 68,
	    .code_lines = 136,
	    .code_instructions = 192,
	    .code_copies = MPI_PYTHON_NONE,
	    LAYOUT_OBJECTS,
	    LAYOUT_TEXT },
};

bool
mpi_python_layout_of(uint32_t minor, struct mpi_python_layout *layout)
{
	for (size_t n = 0;
	     n < sizeof(layout_versions) / sizeof(layout_versions[0]); n++) {
		if (layout_versions[n].minor == minor) {
			*layout = layout_versions[n];
			return true;
		}
	}
	return false;
}

/* Indices of words in _Py_DebugOffsets.  Members of a structure follow each
   other, so most are counted from the first one, which is its size. */
struct layout_words {
	uint32_t current_frame;
	uint32_t frame;
	uint32_t code;
	uint32_t code_instructions;
	uint32_t co_tlbc; /* 0: none */
	uint32_t object_type;
	uint32_t type_name;
	uint32_t bytes;
	uint32_t text;
};

static const struct layout_words layout_words_13 = { 23, 28, 34, 43, 0, 45, 47,
	64, 67 };
static const struct layout_words layout_words_14 = { 26, 31, 39, 48, 49, 51, 53,
	74, 77 };

/* Larger offsets are no offsets. */
#define LAYOUT_OFFSET_MAX (1u << 20)

/* Returns whether all offsets are plausible: members lie inside their
   structures. */
static bool
layout_is_sound(const uint64_t *words, const struct layout_words *at)
{
	uint64_t frame = words[at->frame], code = words[at->code];

	for (uint32_t n = at->current_frame; n <= at->text + 3; n++) {
		if (words[n] > LAYOUT_OFFSET_MAX && n != at->co_tlbc &&
		    n + 1 != at->code)
			return false;
	}
	for (uint32_t n = 1; n <= 5; n++) {
		if (words[at->frame + n] > frame || words[at->code + n] > code)
			return false;
	}
	return words[at->code_instructions] <= code && words[at->text + 3] > 0;
}

bool
mpi_python_layout_read(const uint64_t words[MPI_PYTHON_DEBUG_WORDS],
    struct mpi_python_layout *layout)
{
	uint32_t minor = (uint32_t)(words[1] >> 16 & 0xff);
	const struct layout_words *at =
	    minor == 13 ? &layout_words_13 : &layout_words_14;
	bool copies = words[2] != 0 && at->co_tlbc != 0;
	const uint64_t *frame = words + at->frame, *code = words + at->code;

	if (memcmp(words, "xdebugpy", 8) != 0 || words[1] >> 24 != 3 ||
	    (minor != 13 && minor != 14) || !layout_is_sound(words, at))
		return false;
	*layout = (struct mpi_python_layout){
		.minor = minor,
		.at_form = MPI_PYTHON_AT_ADDRESS,
		.lines_form = MPI_PYTHON_LINES_LOCATIONS,
		.thread_frame = (uint32_t)words[at->current_frame],
		.thread_c_frame = MPI_PYTHON_NONE,
		.c_frame_frame = MPI_PYTHON_NONE,
		.c_frame_previous = MPI_PYTHON_NONE,
		.frame_previous = (uint32_t)frame[1],
		.frame_code = (uint32_t)frame[2],
		.frame_at = (uint32_t)frame[3],
		/* The code of a shim is no code object. */
		.frame_owner = MPI_PYTHON_NONE,
		.frame_tags = minor == 13 ? 0 : 3,
		.code_bytes = (uint32_t)words[at->code_instructions],
		.code_file = (uint32_t)code[1],
		.code_name = (uint32_t)code[3],
		.code_lines = (uint32_t)code[4],
		.code_first_line = (uint32_t)code[5],
		.code_instructions = (uint32_t)words[at->code_instructions],
		.code_copies =
		    copies ? (uint32_t)words[at->co_tlbc] : MPI_PYTHON_NONE,
		.object_type = (uint32_t)words[at->object_type],
		.type_name = (uint32_t)words[at->type_name],
		/* The size of a type follows its name. */
		.type_bytes = (uint32_t)words[at->type_name] + 8,
		.bytes_count = (uint32_t)words[at->bytes + 1],
		.bytes_data = (uint32_t)words[at->bytes + 2],
		.text_bytes = (uint32_t)words[at->text],
		.text_state = (uint32_t)words[at->text + 1],
		.text_length = (uint32_t)words[at->text + 2],
		.text_ascii = (uint32_t)words[at->text + 3],
		/* Two more words: its length in UTF-8, and this text. */
		.text_compact = (uint32_t)words[at->text + 3] + 16,
		.text_hash = (uint32_t)words[at->text + 2] + 8,
		.text_state_shift = minor == 13 ? 2 : 16,
	};
	return true;
}
