/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/run_fuzz.c - views of a run with damaged event spaces are computed
 * or refused
 *
 * Unlike space_fuzz, which makes a file of the input, this program changes
 * words in the spaces of runs, and computes all views.  There are a run on
 * paths and one of MPI processes that were killed, and the same two that have
 * ended and have all checksums.  Each run on paths has a file with the times of
 * sockets, too.  Words that are 0 in a file stay.
 *
 * Input	changes of 11 bytes: file, with bit 7 set when its checksums are
 *		to be corrected after all changes, and bit 6 for a file with
 *		times of sockets; u16: word of the file that is not 0; u64:
 *		number that is added to the word
 */

#include "scopes/analysis.h"
#include "scopes/run.h"
#include "scopes/view.h"

#include "collectors/space_format.h"
#include "libpaths/base/times.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/repair.h"
#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"
#include "tests/scopes/fake_space.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHANGE_BYTES 11u
#define CHANGES_MOST 16u
#define WORDS_MOST 65536u

#define REPAIR 0x80u
#define TIMES 0x40u

enum { PATHS_FILES = 2, MPI_FILES = 3, FILES = PATHS_FILES + MPI_FILES };

/* A file: its words, and those that are not 0 at first. */
struct file {
	uint64_t *words;
	uint64_t *before; /* copy of the words */
	size_t bytes;
	uint32_t *used;
	uint32_t count;
	bool changed;
	bool repair;
};

/* A run on paths and one of MPI, in the same state. */
struct pair {
	enum fake_run_state state;
	struct fake_run *paths;
	struct fake_mpi *mpi;
	struct file files[FILES]; /* spaces */
	struct file times;	  /* of sockets, in the run on paths */
};

static const char map_text[] = FAKE_MAP_THREADS
    "path v e {{collector} {proxy p} {collector} {element e}}\n";

static struct pair pairs[] = { { .state = FAKE_RUN_KILLED },
	{ .state = FAKE_RUN_ENDED } };

#define PAIRS (sizeof(pairs) / sizeof(pairs[0]))

static void
fuzz_free(struct file *file)
{
	free(file->used);
	free(file->before);
}

static void
fuzz_remove(void)
{
	for (size_t p = 0; p < PAIRS; p++) {
		fake_run_remove(pairs[p].paths);
		fake_mpi_remove(pairs[p].mpi);
		for (int n = 0; n < FILES; n++)
			fuzz_free(&pairs[p].files[n]);
		fuzz_free(&pairs[p].times);
	}
}

/* Takes the checksums of the tuples from a collector. */
static void
fuzz_unseal_ring(char *base, const struct es_space_ring *ring)
{
	memset(base + ring->chunks_offset, 0,
	    es_space_chunk_count(ring->capacity, ring->chunk_tuples) *
		sizeof(struct es_space_chunk));
}

/* Takes the checksums of all tuples, as if the process was killed before they
   had any: then only their values are checked. */
static void
fuzz_unseal(const struct file *file)
{
	char *base = (char *)file->words;
	const struct es_space_head *head = (const struct es_space_head *)base;
	const struct es_space_ring *rings =
	    (const struct es_space_ring *)(base + head->collectors_offset);
	uint64_t at = head->file_bytes;

	for (uint32_t n = 0; n < head->collector_count; n++)
		fuzz_unseal_ring(base, &rings[n]);
	while (at < file->bytes) {
		const struct es_space_part *part =
		    (const struct es_space_part *)(base + at);

		if (part->kind == ES_PART_RING)
			fuzz_unseal_ring(base,
			    (const struct es_space_ring *)(part + 1));
		at += part->bytes;
	}
}

static void
fuzz_map(struct file *file, const char *path)
{
	struct stat about;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	MUST(fd >= 0 && fstat(fd, &about) == 0);
	file->bytes = (size_t)about.st_size;
	file->words =
	    mmap(NULL, file->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	MUST(file->words != MAP_FAILED);
	(void)close(fd);
}

/* Copies a file, and finds the words that changes can name. */
static void
fuzz_keep(struct file *file)
{
	file->before = malloc(file->bytes);
	file->used = calloc(WORDS_MOST, sizeof(*file->used));
	MUST(file->before != NULL && file->used != NULL);
	memcpy(file->before, file->words, file->bytes);
	for (size_t n = 0;
	     n < file->bytes / sizeof(uint64_t) && file->count < WORDS_MOST;
	     n++)
		if (file->words[n] != 0)
			file->used[file->count++] = (uint32_t)n;
	MUST(file->count > 0);
}

static void
fuzz_space(struct file *file, const char *dir, const char *name,
    enum fake_run_state state)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s.space", dir, name);
	fuzz_map(file, path);
	if (state == FAKE_RUN_KILLED)
		fuzz_unseal(file);
	fuzz_keep(file);
}

/* Corrects the checks of all records that have any. */
static void
fuzz_repair_times(const struct file *file)
{
	struct paths__times_record *r =
	    (struct paths__times_record *)file->words;

	for (size_t n = 1; n < file->bytes / sizeof(*r); n++)
		if (r[n].check != 0)
			r[n].check = paths__times_check(&r[n]);
}

/* Makes the file of a process p that sends to process 1: operations, and
   answers that arrive later. */
static void
fuzz_times(struct file *file, const char *dir)
{
	static struct paths__times_record region[PATHS__TIMES_REGION_BYTES /
	    sizeof(struct paths__times_record)];
	const struct fake_clock clock = { .offset_ns = 0 };
	char path[512];
	FILE *to;

	region[0].check = PATHS__TIMES_MAGIC;
	for (uint32_t n = 1; n <= 40; n++)
		region[n] = (struct paths__times_record){
			.sent = fake_clock_ticks(&clock, 160 * n),
			.received =
			    fake_clock_ticks(&clock, 160 * n + 20 + n % 3),
			.process = 1,
			.bytes = n % 2 * 8,
			.check = 1
		};
	snprintf(path, sizeof(path), "%s/p" PATHS__TIMES_FILE, dir);
	to = fopen(path, "we");
	MUST(to != NULL && fwrite(region, sizeof(region), 1, to) == 1 &&
	    fclose(to) == 0);
	fuzz_map(file, path);
	fuzz_repair_times(file);
	fuzz_keep(file);
}

static void
fuzz_paths(struct pair *pair)
{
	static const char *const names[] = { "p", "q" };
	struct fake_run *run = fake_run_create(map_text, 64);

	for (uint32_t n = 0; n < 160; n++)
		FAKE_OP(run, n % 4, WRITE, n / 4, 40 * n + 1,
		    40 * n + 30 + n % 7);
	fake_run_end(run, pair->state);
	for (int n = 0; n < PATHS_FILES; n++)
		fuzz_space(&pair->files[n], fake_run_dir(run), names[n],
		    pair->state);
	fuzz_times(&pair->times, fake_run_dir(run));
	pair->paths = run;
}

/* Each round r0 sends to r1, and all sum. */
static void
fuzz_mpi(struct pair *pair)
{
	static const char *const names[] = { "r0", "r1", "r2" };
	struct fake_mpi *run = fake_mpi_create(MPI_FILES, 64);

	for (uint64_t n = 1; n <= 20; n++) {
		FAKE_MPI_CALL(run, 0, "Send", 1000 * n, 1000 * n + 50,
		    .peer = 1, .bytes = 8);
		FAKE_MPI_CALL(run, 1, "Recv", 1000 * n - 40, 1000 * n + 60,
		    .peer = 0, .bytes = 8);
		for (uint32_t rank = 0; rank < MPI_FILES; rank++)
			FAKE_MPI_CALL(run, rank, "Allreduce",
			    1000 * n + 100 + rank, 1000 * n + 200, .peer = -1,
			    .bytes = 8, .match = (uint32_t)n);
	}
	fake_mpi_end(run, pair->state);
	for (int n = 0; n < MPI_FILES; n++)
		fuzz_space(&pair->files[PATHS_FILES + n], fake_mpi_dir(run),
		    names[n], pair->state);
	pair->mpi = run;
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

/* Applies a change to the file that it names. */
static void
fuzz_change(const uint8_t *change)
{
	unsigned n = (change[0] & ~(REPAIR | TIMES)) % (PAIRS * FILES);
	struct pair *pair = &pairs[n / FILES];
	struct file *file =
	    (change[0] & TIMES) != 0 ? &pair->times : &pair->files[n % FILES];
	uint64_t add;
	uint16_t at;

	memcpy(&at, change + 1, sizeof(at));
	memcpy(&add, change + 3, sizeof(add));
	file->words[file->used[at % file->count]] += add;
	file->changed = true;
	file->repair = file->repair || (change[0] & REPAIR) != 0;
}

/* Returns true if one of the files was changed, after its checksums are
   corrected if wanted. */
static bool
fuzz_ready(struct file *files, int count)
{
	bool changed = false;

	for (int n = 0; n < count; n++) {
		if (files[n].repair)
			fuzz_repair((uint8_t *)files[n].words, files[n].bytes);
		changed = changed || files[n].changed;
	}
	return changed;
}

static void
fuzz_restore(struct file *file)
{
	if (file->changed)
		memcpy(file->words, file->before, file->bytes);
	file->changed = file->repair = false;
}

static void
fuzz_pair(struct pair *pair)
{
	if (pair->times.repair)
		fuzz_repair_times(&pair->times);
	if (fuzz_ready(pair->files, PATHS_FILES) || pair->times.changed)
		fuzz_compute(fake_run_dir(pair->paths));
	if (fuzz_ready(pair->files + PATHS_FILES, MPI_FILES))
		fuzz_compute(fake_mpi_dir(pair->mpi));
	for (int n = 0; n < FILES; n++)
		fuzz_restore(&pair->files[n]);
	fuzz_restore(&pair->times);
}

static void
fuzz_begin(void)
{
	for (size_t p = 0; p < PAIRS; p++) {
		fuzz_paths(&pairs[p]);
		fuzz_mpi(&pairs[p]);
	}
	MUST(atexit(fuzz_remove) == 0);
}

/* Lets half of the inputs correct the checksums that they break. */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	size = LLVMFuzzerMutate(data, size, most);
	for (size_t n = 0; (n + 1) * CHANGE_BYTES <= size; n++) {
		data[n * CHANGE_BYTES] &= (uint8_t)~REPAIR;
		if (seed % 2 != 0)
			data[n * CHANGE_BYTES] |= REPAIR;
	}
	return size;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (pairs[0].paths == NULL)
		fuzz_begin();
	for (size_t n = 0; n < CHANGES_MOST && (n + 1) * CHANGE_BYTES <= size;
	     n++)
		fuzz_change(data + n * CHANGE_BYTES);
	for (size_t p = 0; p < PAIRS; p++)
		fuzz_pair(&pairs[p]);
	return 0;
}
