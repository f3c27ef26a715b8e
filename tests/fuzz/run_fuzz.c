/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/run_fuzz.c - views of a run with damaged event spaces are computed
 * or refused
 *
 * Unlike space_fuzz, which makes a file of the input, this program changes
 * words in the spaces of two killed runs, one on paths and one of MPI
 * processes, and computes all views.  Words that are 0 in the file stay.
 *
 * Input	changes of 11 bytes: file; u16: word of the file that is not 0;
 *		u64: what is added to the word
 */

#include "scopes/analysis.h"
#include "scopes/run.h"
#include "scopes/view.h"

#include "tests/fuzz/fuzz.h"
#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MUST(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

#define CHANGE_BYTES 11u
#define CHANGES_MOST 16u
#define WORDS_MOST 65536u

enum { PATHS_FILES = 2, FILES = 5 };

/* A space: its words, and those that are not 0 at first. */
struct file {
	uint64_t *words;
	uint32_t *used;
	uint32_t count;
};

static const char map_text[] =
    FAKE_MAP "thread t -process p\n"
	     "thread u -process p\n"
	     "thread v -process q\n"
	     "element e -process p -type f64 -keep 16\n"
	     "path t e {{collector} {element e}}\n"
	     "path u e {{collector} {element e}}\n"
	     "path v e {{collector} {proxy p} {collector} {element e}}\n";

static struct fake_run *paths;
static struct fake_mpi *mpi;
static struct file files[FILES];

static void
fuzz_remove(void)
{
	fake_run_remove(paths);
	fake_mpi_remove(mpi);
	for (int n = 0; n < FILES; n++)
		free(files[n].used);
}

static void
fuzz_map(struct file *file, const char *dir, const char *name)
{
	char path[512];
	struct stat about;
	size_t words;
	int fd;

	snprintf(path, sizeof(path), "%s/%s.space", dir, name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	MUST(fd >= 0 && fstat(fd, &about) == 0);
	words = (size_t)about.st_size / sizeof(uint64_t);
	file->words = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	MUST(file->words != MAP_FAILED);
	(void)close(fd);
	file->used = calloc(WORDS_MOST, sizeof(*file->used));
	MUST(file->used != NULL);
	for (size_t n = 0; n < words && file->count < WORDS_MOST; n++)
		if (file->words[n] != 0)
			file->used[file->count++] = (uint32_t)n;
	MUST(file->count > 0);
}

static void
fuzz_paths(void)
{
	paths = fake_run_create(map_text, 64);
	for (uint32_t n = 0; n < 160; n++)
		FAKE_OP(paths, n % 4, WRITE, n / 4, 40 * n + 1,
		    40 * n + 30 + n % 7);
	fake_run_end(paths, FAKE_RUN_KILLED);
	fuzz_map(&files[0], fake_run_dir(paths), "p");
	fuzz_map(&files[1], fake_run_dir(paths), "q");
}

/* Each round r0 sends to r1, and all sum. */
static void
fuzz_mpi(void)
{
	static const char *const names[] = { "r0", "r1", "r2" };

	mpi = fake_mpi_create(3, 64);
	for (uint64_t n = 1; n <= 20; n++) {
		FAKE_MPI_CALL(mpi, 0, "Send", 1000 * n, 1000 * n + 50,
		    .peer = 1, .bytes = 8);
		FAKE_MPI_CALL(mpi, 1, "Recv", 1000 * n - 40, 1000 * n + 60,
		    .peer = 0, .bytes = 8);
		for (uint32_t rank = 0; rank < 3; rank++)
			FAKE_MPI_CALL(mpi, rank, "Allreduce",
			    1000 * n + 100 + rank, 1000 * n + 200, .peer = -1,
			    .bytes = 8, .match = (uint32_t)n);
	}
	fake_mpi_end(mpi, FAKE_RUN_KILLED);
	for (int n = 0; n < 3; n++)
		fuzz_map(&files[PATHS_FILES + n], fake_mpi_dir(mpi), names[n]);
}

static paths_status
fuzz_row(struct es_sink *self, const struct es_table *table,
    const struct es_value *values)
{
	(void)self;
	for (size_t n = 0; n < table->column_count; n++)
		MUST(values[n].kind == table->columns[n].kind ||
		    values[n].kind == ES_NULL);
	return PATHS_OK;
}

static void
fuzz_compute(const char *dir)
{
	struct es_sink sink = { .row = fuzz_row };
	struct es_analysis *analysis;
	const struct es_view *view;
	struct es_run *run;

	if (es_run_open(dir, &run) != PATHS_OK)
		return;
	if (es_analysis_open(run, 1, NULL, &analysis) == PATHS_OK) {
		for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
			if (es_view_fill(view, analysis, &sink) != PATHS_OK)
				break;
		es_analysis_close(analysis);
	}
	es_run_close(run);
}

/* Applies a change.  Returns the word, and its old value in *before. */
static uint64_t *
fuzz_change(const uint8_t *change, uint64_t *before)
{
	struct file *file = &files[change[0] % FILES];
	uint64_t *word, add;
	uint16_t at;

	memcpy(&at, change + 1, sizeof(at));
	memcpy(&add, change + 3, sizeof(add));
	word = &file->words[file->used[at % file->count]];
	*before = *word;
	*word += add;
	return word;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t *words[CHANGES_MOST], before[CHANGES_MOST];
	bool changed[2] = { false, false };
	size_t count = 0;

	if (paths == NULL) {
		fuzz_paths();
		fuzz_mpi();
		MUST(atexit(fuzz_remove) == 0);
	}
	for (; count < CHANGES_MOST && (count + 1) * CHANGE_BYTES <= size;
	     count++) {
		const uint8_t *change = data + count * CHANGE_BYTES;

		words[count] = fuzz_change(change, &before[count]);
		changed[change[0] % FILES >= PATHS_FILES] = true;
	}
	if (changed[0])
		fuzz_compute(fake_run_dir(paths));
	if (changed[1])
		fuzz_compute(fake_mpi_dir(mpi));
	while (count > 0) {
		count--;
		*words[count] = before[count];
	}
	return 0;
}
