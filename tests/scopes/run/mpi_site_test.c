/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/mpi_site_test.c - call sites are named from this program
 *
 * Functions of this program act as callers of MPI.
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NO_FRAME \
	{ \
		.module = FAKE_MPI_NO_FRAME \
	}

/* This program: load address, and build id in hex. */
static uintptr_t base;
static char build_id[129];
static char path[512];

static void
note_read(const char *note, const char *end)
{
	while (note + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *head = (const void *)note;
		const char *name = note + sizeof(*head);
		const char *bytes = name + ((head->n_namesz + 3) & ~3u);

		for (uint32_t n = 0; head->n_type == NT_GNU_BUILD_ID &&
		     strcmp(name, "GNU") == 0 && n < head->n_descsz;
		     n++)
			snprintf(build_id + 2 * n, 3, "%02x",
			    (uint8_t)bytes[n]);
		note = bytes + ((head->n_descsz + 3) & ~3u);
	}
}

/* Reads load address and build id of the first object, which is the program. */
static int
object_read(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	base = info->dlpi_addr;
	for (int n = 0; n < info->dlpi_phnum; n++) {
		const char *at =
		    (const char *)(base + info->dlpi_phdr[n].p_vaddr);

		if (info->dlpi_phdr[n].p_type == PT_NOTE)
			note_read(at, at + info->dlpi_phdr[n].p_memsz);
	}
	return 1;
}

static void
program_read(void)
{
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	EXPECT_TRUE(length > 0);
	path[length] = '\0';
	dl_iterate_phdr(object_read, NULL);
}

/* Acts as an MPI function: returns the address that it returns to. */
static __attribute__((noinline)) uintptr_t
called(void)
{
	/* Keeps the compiler from dropping or merging calls. */
	__asm__ volatile("" ::: "memory");
	return (uintptr_t)__builtin_return_address(0);
}

static int call_line;

static __attribute__((noinline)) void
calls_twice_on_a_line(uintptr_t to[2])
{
	/* clang-format off */
	to[0] = called(); to[1] = called(); call_line = __LINE__;
	/* clang-format on */
}

static int inner_line, outer_line;

static inline __attribute__((always_inline)) uintptr_t
inner(void)
{
	uintptr_t at = called();

	inner_line = __LINE__ - 2;
	return at;
}

static __attribute__((noinline)) uintptr_t
outer(void)
{
	uintptr_t at = inner();

	outer_line = __LINE__ - 2;
	__asm__ volatile("" ::: "memory");
	return at;
}

/* The mangled name of Heat::Grid::exchange(int (*)(int)) const. */
static __attribute__((noinline)) uintptr_t method(void) __asm__(
    "_ZNK4Heat4Grid8exchangeEPFiiE");

static uintptr_t
method(void)
{
	uintptr_t at = called();

	__asm__ volatile("" ::: "memory");
	return at;
}

/* Makes a run with a site for each address. */
static struct fake_mpi *
recorded(const char *id, const uintptr_t *addresses, uint32_t count)
{
	struct fake_mpi *fake = fake_mpi_create(1, 8);

	fake_mpi_module(fake, 0, 1, id, path);
	for (uint32_t n = 0; n < count; n++)
		fake_mpi_site(fake, 0, n + 1,
		    (const struct es_mpi_frame[]){
			{ .module = 1, .offset = addresses[n] - base },
			NO_FRAME });
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	return fake;
}

static const char *
column(struct memory_sink *sink, const char *table, size_t row, int number)
{
	static char text[512];
	const char *at = memory_sink_text(sink, table);

	for (; row > 0; row--)
		at = strchr(at, '\n') + 1;
	for (; number > 0; number--)
		at = strchr(at, '|') + 1;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, "|\n"), at);
	return text;
}

static const char *
file_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash == NULL ? file : slash + 1;
}

static void
two_calls_on_one_line_are_two_sites(void)
{
	struct memory_sink *sink;
	struct fake_mpi *fake;
	uintptr_t at[2];

	program_read();
	calls_twice_on_a_line(at);
	EXPECT_TRUE(at[0] != at[1]);
	fake = recorded(build_id, at, 2);
	sink = memory_sink_compute(fake_mpi_dir(fake), "mpi_site", 1);
	EXPECT_EQ(2, memory_sink_rows(sink, "mpi_site"));
	EXPECT_EQ(2, memory_sink_rows(sink, "mpi_frame"));
	for (size_t n = 0; n < 2; n++) {
		EXPECT_STR_EQ("calls_twice_on_a_line",
		    column(sink, "mpi_site", n, 1));
		EXPECT_STR_EQ("mpi_site_test.c",
		    file_name(column(sink, "mpi_site", n, 2)));
		EXPECT_EQ(call_line,
		    memory_sink_int(sink, "mpi_site", n, "line"));
		EXPECT_EQ((int64_t)(at[n] - base),
		    memory_sink_int(sink, "mpi_site", n, "offset"));
	}
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

static void
inlined_functions_are_frames_of_their_own(void)
{
	struct memory_sink *sink;
	struct fake_mpi *fake;
	uintptr_t at = outer();

	program_read();
	fake = recorded(build_id, &at, 1);
	sink = memory_sink_compute(fake_mpi_dir(fake), "mpi_site", 1);
	EXPECT_EQ(1, memory_sink_rows(sink, "mpi_site"));
	EXPECT_EQ(2, memory_sink_rows(sink, "mpi_frame"));
	EXPECT_STR_EQ("inner", column(sink, "mpi_frame", 0, 5));
	EXPECT_STR_EQ("outer", column(sink, "mpi_frame", 1, 5));
	EXPECT_STR_EQ("mpi_site_test.c",
	    file_name(column(sink, "mpi_frame", 1, 6)));
	EXPECT_EQ(inner_line, memory_sink_int(sink, "mpi_frame", 0, "line"));
	EXPECT_EQ(outer_line, memory_sink_int(sink, "mpi_frame", 1, "line"));
	EXPECT_EQ(1, memory_sink_int(sink, "mpi_frame", 0, "inlined"));
	EXPECT_EQ(0, memory_sink_int(sink, "mpi_frame", 1, "inlined"));
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

static void
functions_of_c_plus_plus_have_their_class_and_no_parameters(void)
{
	struct memory_sink *sink;
	struct fake_mpi *fake;
	uintptr_t at = method();
	void *runtime = dlopen("libstdc++.so.6", RTLD_LAZY);

	program_read();
	fake = recorded(build_id, &at, 1);
	sink = memory_sink_compute(fake_mpi_dir(fake), "mpi_site", 1);
	EXPECT_STR_EQ(runtime == NULL ? "method" : "Heat::Grid::exchange",
	    column(sink, "mpi_site", 0, 1));
	memory_sink_free(sink);
	fake_mpi_remove(fake);
	if (runtime != NULL)
		dlclose(runtime);
}

static void
a_program_that_changed_gives_no_names(void)
{
	struct memory_sink *sink;
	struct fake_mpi *fake;
	uintptr_t at = outer();

	program_read();
	fake = recorded("00112233", &at, 1);
	sink = memory_sink_compute(fake_mpi_dir(fake), NULL, 1);
	EXPECT_STR_EQ("", column(sink, "mpi_site", 0, 1));
	EXPECT_STR_EQ("", column(sink, "mpi_site", 0, 2));
	EXPECT_STR_EQ("", column(sink, "mpi_site", 0, 3));
	EXPECT_STR_EQ(path, column(sink, "mpi_site", 0, 4));
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"its file was replaced") != NULL);
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

static void
a_program_that_is_gone_gives_no_names(void)
{
	struct memory_sink *sink;
	struct fake_mpi *fake;
	uintptr_t at = base + 4096;

	snprintf(path, sizeof(path), "/nowhere/app");
	fake = recorded("00112233", &at, 1);
	sink = memory_sink_compute(fake_mpi_dir(fake), "mpi_site", 1);
	EXPECT_STR_EQ("1||||/nowhere/app|4096|1\n",
	    memory_sink_text(sink, "mpi_site"));
	EXPECT_STR_EQ("1|0|/nowhere/app|00112233|4096||||0\n",
	    memory_sink_text(sink, "mpi_frame"));
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

/* Opening a pipe waits for a writer. */
static void
a_program_that_is_a_pipe_gives_no_names(void)
{
	struct memory_sink *sink;
	struct fake_mpi *fake;
	uintptr_t at = base + 4096;

	snprintf(path, sizeof(path), "/tmp/mpi_site.%ld", (long)getpid());
	EXPECT_EQ(0, mkfifo(path, 0600));
	fake = recorded("00112233", &at, 1);
	sink = memory_sink_compute(fake_mpi_dir(fake), NULL, 1);
	EXPECT_EQ(0, unlink(path));
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"its file is gone, or no program") != NULL);
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

TEST_MAIN(two_calls_on_one_line_are_two_sites,
    inlined_functions_are_frames_of_their_own,
    functions_of_c_plus_plus_have_their_class_and_no_parameters,
    a_program_that_changed_gives_no_names,
    a_program_that_is_gone_gives_no_names,
    a_program_that_is_a_pipe_gives_no_names)
