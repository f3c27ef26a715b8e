/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/python_test.c - frames of Python in images of its memory
 *
 * An image has the structures of one version at their offsets.  The tables of
 * lines, and the debug offsets of 3.13, are those that interpreters made.
 */

#include "collectors/mpi/python/lines_private.h"
#include "collectors/mpi/python/place_private.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A line, and the end of the instructions before it, in bytes. */
struct range {
	uint64_t end;
	uint32_t line;
};

static void
expect_lines(const struct mpi_python_lines *lines, const struct range *ranges,
    size_t count)
{
	uint64_t at = 0;

	for (size_t n = 0; n < count; n++) {
		for (; at < ranges[n].end; at += 2)
			EXPECT_EQ(ranges[n].line, mpi_python_line(lines, at));
	}
}

#define EXPECT_LINES(the_form, data, want) \
	expect_lines(&(struct mpi_python_lines){ .form = (the_form), \
			 .first = 1, \
			 .table = (data), \
			 .bytes = sizeof(data) }, \
	    want, sizeof(want) / sizeof(*(want)))

/* A function with an expression and a loop on several lines, 300 empty lines,
   and a list of several lines. */
static void
lines_are_those_that_the_interpreter_tells(void)
{
	static const uint8_t steps[] = { 0, 1, 2, 1, 2, 255, 4, 2, 12, 1, 4, 1,
		4, 1, 2, 255, 6, 3, 4, 127, 0, 127, 0, 47, 10, 1, 2, 255 };
	static const struct range of_9[] = { { 2, 2 }, { 4, 3 }, { 8, 2 },
		{ 20, 4 }, { 24, 5 }, { 28, 6 }, { 30, 7 }, { 36, 6 },
		{ 40, 9 }, { 50, 310 }, { 52, 311 }, { 58, 310 } };
	static const uint8_t ranges[] = { 2, 1, 2, 1, 4, 255, 12, 2, 4, 1, 4, 1,
		2, 1, 6, 255, 2, 3, 0, 127, 0, 127, 10, 47, 2, 1, 6, 255 };
	static const struct range of_10[] = { { 2, 2 }, { 4, 3 }, { 8, 2 },
		{ 20, 4 }, { 24, 5 }, { 28, 6 }, { 30, 7 }, { 36, 6 },
		{ 38, 9 }, { 48, 310 }, { 50, 311 }, { 56, 310 } };
	static const uint8_t locations[] = { 128, 0, 216, 9, 10, 216, 9, 10,
		241, 3, 1, 10, 11, 128, 65, 228, 13, 18, 144, 49, 142, 88, 136,
		1, 222, 11, 12, 220, 16, 19, 144, 65, 216, 20, 21, 243, 3, 1,
		17, 23, 138, 65, 241, 6, 0, 13, 21, 241, 11, 0, 14, 22, 241,
		102, 9, 0, 22, 28, 243, 3, 1, 12, 29, 217, 21, 27, 144, 1, 243,
		3, 0, 13, 14, 217, 21, 27, 241, 3, 1, 12, 29, 240, 0, 1, 5, 29,
		249, 242, 0, 1, 12, 29 };
	static const struct range of_13[] = { { 2, 1 }, { 4, 2 }, { 6, 3 },
		{ 12, 2 }, { 40, 4 }, { 54, 5 }, { 66, 6 }, { 68, 7 },
		{ 82, 6 }, { 86, 9 }, { 90, 4 }, { 94, 311 }, { 102, 310 },
		{ 108, 311 }, { 116, 310 }, { 120, 311 }, { 126, 310 },
		{ 130, 0 }, { 136, 310 } };

	EXPECT_LINES(MPI_PYTHON_LINES_STEPS, steps, of_9);
	EXPECT_LINES(MPI_PYTHON_LINES_RANGES, ranges, of_10);
	EXPECT_LINES(MPI_PYTHON_LINES_LOCATIONS, locations, of_13);
}

/* The forms of a location that compilers use only for long columns, or for code
   without columns. */
static void
locations_have_lines_in_all_forms(void)
{
	/* Short, 0 to 2 lines in one byte, lines alone, all, none; the number
	   64 + 63 takes two bytes, and its low bit is the sign. */
	static const uint8_t table[] = { 0x80, 0x11, 0x80 | 11 << 3, 1, 2,
		0x80 | 12 << 3, 1, 2, 0x80 | 13 << 3, 64 | 62, 1,
		0x80 | 14 << 3, 7, 64, 2, 64, 3, 64, 4, 0x80 | 15 << 3,
		0x80 | 13 << 3, 0 };
	static const struct range ranges[] = { { 2, 1 }, { 4, 2 }, { 6, 4 },
		{ 8, 67 }, { 10, 64 }, { 12, 0 }, { 14, 64 }, { 20, 0 } };

	EXPECT_LINES(MPI_PYTHON_LINES_LOCATIONS, table, ranges);
}

/* A table ends anywhere, and has any bytes. */
static void
damaged_tables_have_an_end(void)
{
	uint32_t random = 1;

	for (uint32_t n = 0; n < 20000; n++) {
		size_t bytes = n % 40;
		uint8_t *table = malloc(bytes + 1);
		struct mpi_python_lines lines = { .first = 1,
			.table = table + 1,
			.bytes = bytes };

		EXPECT_TRUE(table != NULL);
		for (size_t i = 0; i < bytes + 1; i++) {
			random = random * 1664525 + 1013904223;
			table[i] = (uint8_t)(random >> 24);
		}
		for (int form = MPI_PYTHON_LINES_STEPS;
		     form <= MPI_PYTHON_LINES_LOCATIONS; form++) {
			lines.form = (enum mpi_python_lines_form)form;
			EXPECT_TRUE(
			    mpi_python_line(&lines, n % 300) <= INT32_MAX);
		}
		free(table);
	}
}

static uint64_t debug_13[MPI_PYTHON_DEBUG_WORDS] = {
	UINT64_C(0x7970677562656478),
	51183856,
	0,
	283320,
	608,
	632,
	194968,
	7272,
	7264,
	7344,
	7400,
	7656,
	7640,
	7648,
	16,
	7752,
	0,
	7768,
	7760,
	304,
	0,
	8,
	16,
	72,
	152,
	160,
	232,
	32,
	80,
	8,
	0,
	56,
	72,
	70,
	208,
	112,
	120,
	128,
	136,
	68,
	52,
	96,
	104,
	200,
	16,
	8,
	416,
	24,
	88,
	168,
	32,
	24,
	16,
	40,
	24,
	16,
	48,
	32,
	40,
	24,
	16,
	32,
	16,
	24,
	40,
	16,
	32,
	64,
	32,
	16,
	40,
};

/* The words of 3.14, with other values than those of 3.13. */
static void
debug_14(uint64_t words[MPI_PYTHON_DEBUG_WORDS], bool threads)
{
	static const uint64_t from_22[] = { /* thread */ 400, 0, 8, 16, 80, 152,
		160, 232, 32, /* frame */ 80, 8, 0, 56, 72, 74, 64, 70,
		/* code */ 216, 112, 120, 128, 136, 68, 52, 96, 104, 208, 200,
		/* object */ 16, 8, /* type */ 416, 24, 88, 168,
		/* tuple */ 40, 32, 16, /* list */ 40, 24, 16,
		/* set */ 200, 24, 40, 32, /* dict */ 48, 32, 40,
		/* float */ 24, 16, /* int */ 32, 16, 24,
		/* bytes */ 40, 16, 32, /* str */ 64, 32, 16, 40 };

	memset(words, 0, MPI_PYTHON_DEBUG_WORDS * sizeof(*words));
	memcpy(words, "xdebugpy", 8);
	words[1] = 0x030e00f0;
	words[2] = threads;
	memcpy(words + 22, from_22, sizeof(from_22));
}

/* Finds a layout; 114: that of 3.14 with threads that run at the same time. */
static void
layout_of(uint32_t minor, struct mpi_python_layout *layout)
{
	uint64_t words[MPI_PYTHON_DEBUG_WORDS];

	if (minor < 13) {
		EXPECT_TRUE(mpi_python_layout_of(minor, layout));
	} else if (minor == 13) {
		EXPECT_TRUE(mpi_python_layout_read(debug_13, layout));
	} else {
		debug_14(words, minor == 114);
		EXPECT_TRUE(mpi_python_layout_read(words, layout));
	}
}

/* The offsets that a compiler finds in the headers of each version. */
static void
offsets_are_those_of_the_headers(void)
{
	static const struct {
		uint32_t minor, thread_frame, thread_c_frame, c_frame_frame;
		uint32_t c_frame_previous, frame_code, frame_previous, frame_at;
		uint32_t code_file, code_name, code_first_line, code_lines;
		uint32_t code_instructions, text_ascii, text_compact;
	} want[] = { { 9, 24, MPI_PYTHON_NONE, MPI_PYTHON_NONE, MPI_PYTHON_NONE,
			 32, 24, 104, 104, 112, 40, 120, MPI_PYTHON_NONE, 48,
			 72 },
		{ 10, 24, 48, MPI_PYTHON_NONE, 8, 32, 24, 96, 104, 112, 40, 120,
		    MPI_PYTHON_NONE, 48, 72 },
		{ 11, MPI_PYTHON_NONE, 56, 8, 16, 32, 48, 56, 112, 128, 72, 136,
		    184, 48, 72 },
		{ 12, MPI_PYTHON_NONE, 56, 0, 8, 0, 8, 56, 112, 128, 68, 136,
		    192, 40, 56 } };

	for (size_t n = 0; n < sizeof(want) / sizeof(*want); n++) {
		struct mpi_python_layout l;

		EXPECT_TRUE(mpi_python_layout_of(want[n].minor, &l));
		EXPECT_EQ(want[n].thread_frame, l.thread_frame);
		EXPECT_EQ(want[n].thread_c_frame, l.thread_c_frame);
		EXPECT_EQ(want[n].c_frame_frame, l.c_frame_frame);
		EXPECT_EQ(want[n].c_frame_previous, l.c_frame_previous);
		EXPECT_EQ(want[n].frame_code, l.frame_code);
		EXPECT_EQ(want[n].frame_previous, l.frame_previous);
		EXPECT_EQ(want[n].frame_at, l.frame_at);
		EXPECT_EQ(want[n].code_file, l.code_file);
		EXPECT_EQ(want[n].code_name, l.code_name);
		EXPECT_EQ(want[n].code_first_line, l.code_first_line);
		EXPECT_EQ(want[n].code_lines, l.code_lines);
		EXPECT_EQ(want[n].code_instructions, l.code_instructions);
		EXPECT_EQ(want[n].text_ascii, l.text_ascii);
		EXPECT_EQ(want[n].text_compact, l.text_compact);
	}
}

/* The offsets that a compiler finds in the headers of 3.13. */
static void
debug_offsets_are_found_by_their_place(void)
{
	struct mpi_python_layout l;

	layout_of(13, &l);
	EXPECT_EQ(13, l.minor);
	EXPECT_EQ(72, l.thread_frame);
	EXPECT_EQ(0, l.frame_code);
	EXPECT_EQ(8, l.frame_previous);
	EXPECT_EQ(56, l.frame_at);
	EXPECT_EQ(112, l.code_file);
	EXPECT_EQ(128, l.code_name);
	EXPECT_EQ(136, l.code_lines);
	EXPECT_EQ(68, l.code_first_line);
	EXPECT_EQ(200, l.code_instructions);
	EXPECT_EQ(200, l.code_bytes);
	EXPECT_EQ(8, l.object_type);
	EXPECT_EQ(24, l.type_name);
	EXPECT_EQ(32, l.type_bytes);
	EXPECT_EQ(16, l.bytes_count);
	EXPECT_EQ(32, l.bytes_data);
	EXPECT_EQ(16, l.text_length);
	EXPECT_EQ(24, l.text_hash);
	EXPECT_EQ(32, l.text_state);
	EXPECT_EQ(40, l.text_ascii);
	EXPECT_EQ(56, l.text_compact);
	EXPECT_EQ(64, l.text_bytes);
	EXPECT_EQ(MPI_PYTHON_NONE, l.code_copies);
	layout_of(114, &l);
	EXPECT_EQ(80, l.thread_frame);
	EXPECT_EQ(208, l.code_instructions);
	EXPECT_EQ(200, l.code_copies);
	EXPECT_EQ(16, l.text_state_shift);
}

static void
unknown_versions_have_no_layout(void)
{
	uint64_t words[MPI_PYTHON_DEBUG_WORDS];
	struct mpi_python_layout l;

	EXPECT_TRUE(!mpi_python_layout_of(8, &l));
	EXPECT_TRUE(!mpi_python_layout_of(13, &l));
	for (uint32_t n = 0; n < 3; n++) {
		debug_14(words, false);
		words[1] = n == 0 ? 0x030f00f0 : words[1];
		words[0] += n == 1;
		words[34] = n == 2 ? UINT64_C(1) << 40 : words[34];
		EXPECT_TRUE(!mpi_python_layout_read(words, &l));
	}
}

/* Memory of an interpreter. */
struct image {
	struct mpi_python python;
	size_t used;
	_Alignas(16) char memory[1 << 16];
	char types[3];
};

static struct image *
image_open(uint32_t minor)
{
	struct image *image = calloc(1, sizeof(*image));

	EXPECT_TRUE(image != NULL);
	layout_of(minor, &image->python.layout);
	image->python.code_type = &image->types[0];
	image->python.text_type = &image->types[1];
	image->python.bytes_type = &image->types[2];
	return image;
}

static char *
image_add(struct image *image, size_t bytes)
{
	char *at = image->memory + image->used;

	image->used += (bytes + 15) & ~(size_t)15;
	EXPECT_TRUE(image->used <= sizeof(image->memory));
	return at;
}

static void
put(char *object, uint32_t offset, const void *value)
{
	memcpy(object + offset, &value, sizeof(value));
}

static void
put_word(char *object, uint32_t offset, uint64_t value)
{
	memcpy(object + offset, &value, sizeof(value));
}

/* A text of characters of 1, 2 or 4 bytes; kind 0: ASCII. */
static char *
put_text(struct image *image, uint32_t kind, const void *text, uint64_t length)
{
	const struct mpi_python_layout *l = &image->python.layout;
	uint32_t bytes = kind == 0 ? 1 : kind;
	uint32_t state = bytes | 8 | (kind == 0 ? 16 : 0);
	char *object = image_add(image, l->text_compact + length * 4 + 8);

	put(object, l->object_type, image->python.text_type);
	put_word(object, l->text_length, length);
	put_word(object, l->text_hash, UINT64_MAX);
	state = state << l->text_state_shift | 1;
	memcpy(object + l->text_state, &state, sizeof(state));
	memcpy(object + (kind == 0 ? l->text_ascii : l->text_compact), text,
	    length * bytes);
	return object;
}

static char *
put_ascii(struct image *image, const char *text)
{
	return put_text(image, 0, text, strlen(text));
}

/* A table in which the third instruction is two lines below the first one of
   the code. */
static char *
put_table(struct image *image)
{
	static const uint8_t tables[][8] = { [MPI_PYTHON_LINES_STEPS] = { 0, 1,
						 4, 1 },
		[MPI_PYTHON_LINES_RANGES] = { 4, 1, 8, 1 },
		[MPI_PYTHON_LINES_LOCATIONS] = { 0x80 | 13 << 3 | 1, 2,
		    0x80 | 13 << 3 | 3, 2 } };
	const struct mpi_python_layout *l = &image->python.layout;
	char *object = image_add(image, l->bytes_data + 8);

	put(object, l->object_type, image->python.bytes_type);
	put_word(object, l->bytes_count, 4);
	memcpy(object + l->bytes_data, tables[l->lines_form], 4);
	return object;
}

static char *
put_code(struct image *image, const char *name, const char *file, int32_t first)
{
	const struct mpi_python_layout *l = &image->python.layout;
	char *code = image_add(image, l->code_bytes + 16);

	put(code, l->object_type, image->python.code_type);
	put(code, l->code_name, put_ascii(image, name));
	put(code, l->code_file, put_ascii(image, file));
	put(code, l->code_lines, put_table(image));
	memcpy(code + l->code_first_line, &first, sizeof(first));
	/* Six instructions follow. */
	if (l->code_instructions != MPI_PYTHON_NONE)
		put_word(code, l->bytes_count, 6);
	return code;
}

/* A frame at the third instruction of its code. */
static char *
put_frame(struct image *image, char *code, const char *previous)
{
	const struct mpi_python_layout *l = &image->python.layout;
	char *frame = image_add(image, 128);
	int32_t at = l->at_form == MPI_PYTHON_AT_BYTES ? 4 : 2;

	put(frame, l->frame_code,
	    l->frame_tags == 0 ? code : code + 1); /* with a flag */
	put(frame, l->frame_previous, previous);
	if (l->at_form == MPI_PYTHON_AT_ADDRESS)
		put(frame, l->frame_at, code + l->code_instructions + 4);
	else
		memcpy(frame + l->frame_at, &at, sizeof(at));
	return frame;
}

/* The frame between two runs of the interpreter's loop; NULL: the version has
   none. */
static char *
put_shim(struct image *image, char *previous)
{
	const struct mpi_python_layout *l = &image->python.layout;
	char *none = image_add(image, 64), *shim;

	if (l->minor < 12)
		return previous;
	if (l->minor > 12) {
		put(none, l->object_type, none);
		return put_frame(image, none, previous);
	}
	shim =
	    put_frame(image, put_code(image, "<trampoline>", "", 1), previous);
	shim[l->frame_owner] = (char)l->frame_shim;
	return shim;
}

/* A thread in Solver.step, line 12, which the loop that runs <module>, line 42,
   called through another loop. */
static char *
put_thread(struct image *image)
{
	const struct mpi_python_layout *l = &image->python.layout;
	char *outer = put_frame(image,
	    put_code(image, "<module>", "/home/solver.py", 40), NULL);
	char *inner = put_frame(image,
	    put_code(image, "Solver.step", "/home/halo.py", 10),
	    put_shim(image, outer));
	char *thread = image_add(image, 512), *calls[2];

	if (l->thread_frame != MPI_PYTHON_NONE)
		put(thread, l->thread_frame, inner);
	if (l->thread_c_frame == MPI_PYTHON_NONE)
		return thread;
	for (int n = 0; n < 2; n++) {
		calls[n] = image_add(image, 32);
		if (l->c_frame_frame != MPI_PYTHON_NONE)
			put(calls[n], l->c_frame_frame, n == 0 ? outer : inner);
	}
	put(calls[1], l->c_frame_previous, calls[0]);
	put(thread, l->thread_c_frame, calls[1]);
	return thread;
}

static const uint32_t versions[] = { 9, 10, 11, 12, 13, 14, 114 };

static void
frames_of_every_version_have_names_and_lines(void)
{
	for (size_t n = 0; n < sizeof(versions) / sizeof(*versions); n++) {
		struct image *image = image_open(versions[n]);
		struct mpi_python_walk walk;
		struct mpi_python_place place;
		struct mpi_python_at at;
		const void *first;

		mpi_python_walk(&image->python, put_thread(image), &walk);
		EXPECT_TRUE(mpi_python_here(&walk, &at));
		EXPECT_TRUE(mpi_python_place(&image->python, &at, &place));
		EXPECT_STR_EQ("Solver.step", place.function);
		EXPECT_STR_EQ("/home/halo.py", place.file);
		EXPECT_EQ(12, place.line);
		first = walk.c_frame;
		mpi_python_walk_on(&walk);
		EXPECT_TRUE(mpi_python_here(&walk, &at));
		EXPECT_TRUE(mpi_python_place(&image->python, &at, &place));
		EXPECT_STR_EQ("<module>", place.function);
		EXPECT_EQ(42, place.line);
		/* Each has a loop of its own. */
		EXPECT_EQ(versions[n] >= 10 && versions[n] <= 12,
		    first != walk.c_frame);
		EXPECT_EQ(versions[n] >= 12, walk.shim != NULL);
		mpi_python_walk_on(&walk);
		EXPECT_TRUE(!mpi_python_here(&walk, &at));
		mpi_python_walk(&image->python, NULL, &walk);
		EXPECT_TRUE(!mpi_python_here(&walk, &at));
		free(image);
	}
}

/* An instruction in a copy for one thread is found, another one has no line. */
static void
instructions_outside_of_the_code_have_no_line(void)
{
	struct image *image = image_open(114);
	struct mpi_python_place place;
	char *code = put_code(image, "f", "f.py", 1);
	char *copies = image_add(image, 32), *copy = image_add(image, 16);
	struct mpi_python_at at = { .code = code, .at = (uintptr_t)copy + 4 };

	EXPECT_TRUE(mpi_python_place(&image->python, &at, &place));
	EXPECT_EQ(0, place.line);
	put_word(copies, 0, 2);
	put(copies, 16, copy);
	put(code, image->python.layout.code_copies, copies);
	EXPECT_TRUE(mpi_python_place(&image->python, &at, &place));
	EXPECT_EQ(3, place.line);
	at.at = (uintptr_t)copy + 12;
	EXPECT_TRUE(mpi_python_place(&image->python, &at, &place));
	EXPECT_EQ(0, place.line);
	free(image);
}

static void
texts_of_all_widths_become_utf_8(void)
{
	static const uint8_t latin[] = { 'g', 0xe9 };
	static const uint16_t wide[] = { 'a', 0x4e2d, 0xe9 };
	static const uint32_t widest[] = { 0x1f600, 0, 'z' };

	for (size_t n = 0; n < sizeof(versions) / sizeof(*versions); n++) {
		struct image *image = image_open(versions[n]);
		const struct mpi_python_layout *l = &image->python.layout;
		char *code = put_code(image, "", "", 1);
		struct mpi_python_at at = { .code = code };
		struct mpi_python_place place;

		put(code, l->code_name, put_text(image, 1, latin, 2));
		put(code, l->code_file, put_text(image, 2, wide, 3));
		EXPECT_TRUE(mpi_python_place(&image->python, &at, &place));
		EXPECT_STR_EQ("g\xc3\xa9", place.function);
		EXPECT_STR_EQ("a\xe4\xb8\xad\xc3\xa9", place.file);
		put(code, l->code_file, put_text(image, 4, widest, 3));
		EXPECT_TRUE(mpi_python_place(&image->python, &at, &place));
		EXPECT_STR_EQ("\xf0\x9f\x98\x80?z", place.file);
		free(image);
	}
}

/* A name that is too long is cut between characters; a place in a file with
   such a name is not known. */
static void
long_names_of_functions_are_cut(void)
{
	struct image *image = image_open(11);
	const struct mpi_python_layout *l = &image->python.layout;
	char *code = put_code(image, "", "f.py", 1);
	struct mpi_python_at at = { .code = code };
	struct mpi_python_place place;
	uint16_t text[600];
	char path[MPI_PYTHON_FILE_BYTES];

	for (int n = 0; n < 600; n++)
		text[n] = 0x4e2d;
	put(code, l->code_name, put_text(image, 2, text, 600));
	EXPECT_TRUE(mpi_python_place(&image->python, &at, &place));
	EXPECT_TRUE(strlen(place.function) < MPI_PYTHON_NAME_BYTES);
	EXPECT_TRUE(strlen(place.function) > MPI_PYTHON_NAME_BYTES - 8);
	EXPECT_EQ(0, strlen(place.function) % 3);
	memset(path, 'x', sizeof(path));
	put(code, l->code_file, put_text(image, 0, path, sizeof(path)));
	EXPECT_TRUE(!mpi_python_place(&image->python, &at, &place));
	free(image);
}

/* Every member of a code object that leads nowhere, or to an object of another
   type, leaves the place unknown. */
static void
memory_that_is_not_as_expected_is_left_out(void)
{
	char *closed =
	    mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	EXPECT_TRUE(closed != MAP_FAILED);
	for (size_t n = 0; n < sizeof(versions) / sizeof(*versions); n++) {
		struct image *image = image_open(versions[n]);
		const struct mpi_python_layout *l = &image->python.layout;
		struct mpi_python_place place;
		struct mpi_python_at at;

		for (uint32_t kind = 0; kind < 5; kind++) {
			char *code = put_code(image, "f", "f.py", 1);
			char *file = put_ascii(image, "f.py");
			const char *bad[] = { NULL, closed, (char *)8, code,
				file };

			/* Neither compact nor of a known width. */
			memset(file + l->text_state, 0, 4);
			put(code, l->code_file, bad[kind]);
			at = (struct mpi_python_at){ .code = code };
			EXPECT_TRUE(
			    !mpi_python_place(&image->python, &at, &place));
			put(code, l->code_file, put_ascii(image, "f.py"));
			put(code, l->code_name, bad[kind]);
			put(code, l->code_lines, bad[kind]);
			EXPECT_TRUE(
			    mpi_python_place(&image->python, &at, &place));
			EXPECT_STR_EQ("", place.function);
			EXPECT_EQ(0, place.line);
		}
		free(image);
	}
	munmap(closed, 4096);
}

static void
a_cycle_of_frames_ends(void)
{
	struct image *image = image_open(13);
	const struct mpi_python_layout *l = &image->python.layout;
	char *frame = put_frame(image, put_code(image, "f", "f.py", 1), NULL);
	char *thread = image_add(image, 512);
	struct mpi_python_walk walk;
	struct mpi_python_at at;
	uint32_t count = 0;

	put(frame, l->frame_previous, frame);
	put(thread, l->thread_frame, frame);
	mpi_python_walk(&image->python, thread, &walk);
	while (mpi_python_here(&walk, &at)) {
		mpi_python_walk_on(&walk);
		count++;
	}
	EXPECT_EQ(MPI_PYTHON_STEPS, count);
	free(image);
}

/* A code object that replaces another one at its address differs in one of
   these. */
static void
the_print_of_a_code_object_tells_it_from_its_successor(void)
{
	for (size_t n = 0; n < sizeof(versions) / sizeof(*versions); n++) {
		struct image *image = image_open(versions[n]);
		const struct mpi_python *p = &image->python;
		const struct mpi_python_layout *l = &p->layout;
		char *code = put_code(image, "f", "f.py", 1);
		uint64_t print = mpi_python_print(p, code);
		int32_t line = 2;
		char *table = put_table(image), *name = put_ascii(image, "f");

		EXPECT_EQ(print, mpi_python_print(p, code));
		memcpy(code + l->code_first_line, &line, sizeof(line));
		EXPECT_TRUE(print != mpi_python_print(p, code));
		print = mpi_python_print(p, code);
		put(code, l->code_lines, table);
		EXPECT_TRUE(print != mpi_python_print(p, code));
		print = mpi_python_print(p, code);
		table[l->bytes_data + 3]++;
		EXPECT_TRUE(print != mpi_python_print(p, code));
		print = mpi_python_print(p, code);
		put(code, l->code_name, name);
		EXPECT_TRUE(print != mpi_python_print(p, code));
		print = mpi_python_print(p, code);
		put_word(name, l->text_hash, 17);
		EXPECT_TRUE(print != mpi_python_print(p, code));
		free(image);
	}
}

/* This program has no interpreter. */
static void
a_program_without_python_has_no_interpreter(void)
{
	EXPECT_TRUE(mpi_python_find() == NULL);
}

TEST_MAIN(lines_are_those_that_the_interpreter_tells,
    locations_have_lines_in_all_forms, damaged_tables_have_an_end,
    offsets_are_those_of_the_headers, debug_offsets_are_found_by_their_place,
    unknown_versions_have_no_layout,
    frames_of_every_version_have_names_and_lines,
    instructions_outside_of_the_code_have_no_line,
    texts_of_all_widths_become_utf_8, long_names_of_functions_are_cut,
    memory_that_is_not_as_expected_is_left_out, a_cycle_of_frames_ends,
    the_print_of_a_code_object_tells_it_from_its_successor,
    a_program_without_python_has_no_interpreter)
