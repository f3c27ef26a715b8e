/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/place.c - function, file and line of a Python frame
 *
 * Used when a place is seen for the first time.  All memory is read by a system
 * call that fails where it cannot be read, and each object has its type
 * checked.
 */

#include "collectors/mpi/python/place_private.h"

#include "collectors/mpi/python/lines_private.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* Longer tables of lines are not read. */
#define PLACE_LINES_BYTES_MAX (1u << 24)
/* Most copies of instructions that are searched, one for each thread. */
#define PLACE_COPIES_MAX 4096u
/* Characters that are read at once. */
#define PLACE_PART 128u
/* Bytes of a character in UTF-8, at most. */
#define PLACE_UTF8_BYTES 4u

/* Reads the member of an object that points to an object of a type. */
static const char *
place_member(const struct mpi_python *p, const char *object, uint32_t offset,
    const void *type)
{
	const char *member;
	const void *found;

	return mpi_python_read(object + offset, &member, sizeof(member)) &&
		member != NULL &&
		mpi_python_read(member + p->layout.object_type, &found,
		    sizeof(found)) &&
		found == type ?
	    member :
	    NULL;
}

/* Appends a character in UTF-8, with room for PLACE_UTF8_BYTES. */
static char *
place_put(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
	} else {
		*to++ = (char)(0xf0 | (c >> 18 & 7));
		*to++ = (char)(0x80 | (c >> 12 & 63));
		*to++ = (char)(0x80 | (c >> 6 & 63));
	}
	*to++ = (char)(0x80 | (c & 63));
	return to;
}

/* A text: its characters, and the bytes of each. */
struct place_text {
	const char *characters;
	uint64_t length;
	uint32_t kind;
};

/* Finds the characters of a text.  The bits of its state are kind (3), compact,
   and ascii. */
static bool
place_text(const struct mpi_python *p, const char *object,
    struct place_text *text)
{
	const struct mpi_python_layout *l = &p->layout;
	uint32_t state;

	if (object == NULL ||
	    !mpi_python_read(object + l->text_length, &text->length,
		sizeof(text->length)) ||
	    !mpi_python_read(object + l->text_state, &state, sizeof(state)))
		return false;
	state >>= l->text_state_shift;
	text->kind = state & 7;
	text->characters =
	    object + (state & 16 ? l->text_ascii : l->text_compact);
	return (state & 8) != 0 &&
	    (text->kind == 1 || text->kind == 2 || text->kind == 4);
}

/* Copies a text, cut to a number of bytes.  Returns whether it is not cut; a
   text that cannot be read is cut to "". */
static bool
place_copy(const struct mpi_python *p, const char *object, char *to,
    size_t bytes)
{
	struct place_text text;
	char *end = to + bytes - PLACE_UTF8_BYTES - 1;
	unsigned char part[PLACE_PART * PLACE_UTF8_BYTES];

	*to = '\0';
	if (!place_text(p, object, &text))
		return false;
	while (text.length > 0 && to <= end) {
		uint64_t count =
		    text.length < PLACE_PART ? text.length : PLACE_PART;

		if (!mpi_python_read(text.characters, part, count * text.kind))
			break;
		for (uint64_t n = 0; n < count && to <= end; n++) {
			uint32_t c = 0;

			/* Little-endian: the other bytes are 0. */
			memcpy(&c, part + n * text.kind, text.kind);
			to = place_put(to, c == 0 ? '?' : c);
			text.length--;
		}
		text.characters += count * text.kind;
	}
	*to = '\0';
	return text.length == 0;
}

/* Finds an instruction in the copies of the instructions for single threads: a
   count, and that many addresses. */
static bool
place_offset_in_copy(const struct mpi_python *p, const char *code, uintptr_t at,
    uint64_t *offset)
{
	const char *copies, *copy;
	uint64_t count, room = *offset;

	if (p->layout.code_copies == MPI_PYTHON_NONE ||
	    !mpi_python_read(code + p->layout.code_copies, &copies,
		sizeof(copies)) ||
	    copies == NULL || !mpi_python_read(copies, &count, sizeof(count)))
		return false;
	for (uint64_t n = 0; n < count && n < PLACE_COPIES_MAX; n++) {
		if (!mpi_python_read(copies + 8 * (n + 1), &copy, sizeof(copy)))
			return false;
		if (copy != NULL && at - (uintptr_t)copy < room) {
			*offset = at - (uintptr_t)copy;
			return true;
		}
	}
	return false;
}

/* Finds an instruction, in bytes from the first one. */
static bool
place_offset(const struct mpi_python *p, const struct mpi_python_at *at,
    uint64_t *offset)
{
	const struct mpi_python_layout *l = &p->layout;
	const char *code = at->code;
	uint64_t units;

	if (l->at_form != MPI_PYTHON_AT_ADDRESS) {
		*offset =
		    l->at_form == MPI_PYTHON_AT_UNITS ? 2 * at->at : at->at;
		/* Before the first instruction. */
		if ((intptr_t)at->at < 0)
			*offset = 0;
		return true;
	}
	if (!mpi_python_read(code + l->bytes_count, &units, sizeof(units)) ||
	    units > UINT32_MAX)
		return false;
	*offset = at->at - (uintptr_t)(code + l->code_instructions);
	if (*offset < 2 * units)
		return true;
	*offset = 2 * units;
	return place_offset_in_copy(p, code, at->at, offset);
}

/* Returns the line of a place; 0: not known. */
static uint32_t
place_line(const struct mpi_python *p, const struct mpi_python_at *at)
{
	const struct mpi_python_layout *l = &p->layout;
	struct mpi_python_lines lines = { .form = l->lines_form };
	const char *code = at->code, *table;
	uint8_t *copy;
	uint64_t bytes, offset;
	uint32_t line = 0;

	table = place_member(p, code, l->code_lines, p->bytes_type);
	if (table == NULL || !place_offset(p, at, &offset) ||
	    !mpi_python_read(code + l->code_first_line, &lines.first,
		sizeof(lines.first)) ||
	    !mpi_python_read(table + l->bytes_count, &bytes, sizeof(bytes)) ||
	    bytes > PLACE_LINES_BYTES_MAX)
		return 0;
	copy = malloc(bytes + 1);
	if (copy != NULL &&
	    mpi_python_read(table + l->bytes_data, copy, bytes)) {
		lines.table = copy;
		lines.bytes = bytes;
		line = mpi_python_line(&lines, offset);
	}
	free(copy);
	return line;
}

bool
mpi_python_place(const struct mpi_python *p, const struct mpi_python_at *at,
    struct mpi_python_place *place)
{
	const struct mpi_python_layout *l = &p->layout;

	place->line = place_line(p, at);
	(void)place_copy(p,
	    place_member(p, at->code, l->code_name, p->text_type),
	    place->function, sizeof(place->function));
	return place_copy(p,
		   place_member(p, at->code, l->code_file, p->text_type),
		   place->file, sizeof(place->file)) &&
	    place->file[0] != '\0';
}

bool
mpi_python_exit(const struct mpi_python *p, struct mpi_python_place *place)
{
	Dl_info info;
	const char *slash;

	if (p->initialized() != 0 || dladdr(p->code_type, &info) == 0)
		return false;
	slash = strrchr(info.dli_fname, '/');
	place->line = 0;
	snprintf(place->function, sizeof(place->function), "<exit of Python>");
	snprintf(place->file, sizeof(place->file), "%s",
	    slash == NULL ? info.dli_fname : slash + 1);
	return true;
}

bool
mpi_python_imports(const struct mpi_python_place *place)
{
	static const char imports[] = "<frozen importlib.";

	return strncmp(place->file, imports, sizeof(imports) - 1) == 0;
}
