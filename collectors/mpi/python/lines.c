/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/lines.c - tables of lines in code objects of CPython
 *
 * All three forms are lists of ranges of instructions with the difference
 * between the line of a range and that of the one before.
 *
 * Source	CPython, Objects/lnotab_notes.txt of 3.9 and 3.10,
 *		InternalDocs/code_objects.md (locations table)
 */

#include "collectors/mpi/python/lines_private.h"

static uint32_t
lines_valid(int64_t line)
{
	return line > 0 && line <= INT32_MAX ? (uint32_t)line : 0;
}

/* Pairs of bytes: the length of the range before, and the signed difference of
   lines at its end. */
static uint32_t
lines_steps(const struct mpi_python_lines *l, uint64_t at)
{
	int64_t line = l->first;
	uint64_t end = 0;

	for (size_t n = 0; n + 2 <= l->bytes; n += 2) {
		end += l->table[n];
		if (end > at)
			break;
		line += (int8_t)l->table[n + 1];
	}
	return lines_valid(line);
}

/* Pairs of bytes: the length of the range, and the signed difference of lines
   at its beginning; -128: the range has no line. */
static uint32_t
lines_ranges(const struct mpi_python_lines *l, uint64_t at)
{
	int64_t line = l->first;
	uint64_t end = 0;

	for (size_t n = 0; n + 2 <= l->bytes; n += 2) {
		int8_t step = (int8_t)l->table[n + 1];

		line += step == -128 ? 0 : step;
		end += l->table[n];
		if (end > at)
			return step == -128 ? 0 : lines_valid(line);
	}
	return 0;
}

/* Reads a number of 6 bits in each byte, the lowest first; bit 6: one more
   byte follows. */
static uint64_t
lines_number(const struct mpi_python_lines *l, size_t *n)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		if (*n >= l->bytes || shift > 30)
			return 0;
		byte = l->table[(*n)++];
		value |= (uint64_t)(byte & 63) << shift;
		shift += 6;
	} while (byte & 64);
	return value;
}

/* Entries that begin with a byte with bit 7 set: in bits 3 to 6 a code that
   tells how the difference of lines is written, in bits 0 to 2 the number of
   instructions minus 1.  Columns are in bytes without bit 7. */
static uint32_t
lines_locations(const struct mpi_python_lines *l, uint64_t at)
{
	int64_t line = l->first;
	uint64_t end = 0;

	for (size_t n = 0; n < l->bytes;) {
		uint8_t head = l->table[n++];
		unsigned code = head >> 3 & 15;
		uint64_t step;

		if ((head & 128) == 0)
			return 0;
		end += 2 * ((head & 7u) + 1);
		if (code == 13 || code == 14) {
			step = lines_number(l, &n);
			line += step & 1 ? -(int64_t)(step >> 1) :
					   (int64_t)(step >> 1);
		} else if (code >= 10 && code <= 12) {
			line += code - 10;
		}
		if (end > at)
			return code == 15 ? 0 : lines_valid(line);
		while (n < l->bytes && (l->table[n] & 128) == 0)
			n++;
	}
	return 0;
}

uint32_t
mpi_python_line(const struct mpi_python_lines *lines, uint64_t at)
{
	switch (lines->form) {
	case MPI_PYTHON_LINES_STEPS:
		return lines_steps(lines, at);
	case MPI_PYTHON_LINES_RANGES:
		return lines_ranges(lines, at);
	default:
		return lines_locations(lines, at);
	}
}
