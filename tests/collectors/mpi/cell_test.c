/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/cell_test.c - rows, definitions and call sites without
 * an MPI
 *
 * Tests process/cell.c, base/log.c and the room site.
 */

#include "collectors/mpi/process/cell_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi/process/record_private.h"
#include "collectors/mpi/site/site_private.h"
#include "collectors/mpi/site/site_table_private.h"

#include "tests/collectors/disk.h"
#include "tests/collectors/fake.h"

#include <sys/wait.h>

/* Rows of a thread: enough to add parts, and to grow indexes, many times. */
#define KEYS 30000

/* The linker needs these; they are never used, because each call here has a
   thread with a process. */
__thread struct mpi_thread *mpi_self;

struct mpi_thread *
mpi_thread_attach(void)
{
	return NULL;
}

uint32_t
mpi_process_join(struct mpi_thread *thread)
{
	(void)thread;
	return ES_MODE_OFF;
}

uint32_t
mpi_thread_ring(struct mpi_thread *thread, uint32_t mode)
{
	(void)thread;
	return mode;
}

/* A process with a thread, which has no ring. */
struct fake_mpi_abi {
	const char *folder;
	struct mpi_process process;
	struct mpi_thread thread;
	struct es_mpi_control control;
	struct es_mpi_thread row;
	struct es_space_hot hot;
};

static void
open_process(struct fake_mpi_abi *f, const char *folder)
{
	struct es_record_spec spec = { .directory = folder,
		.process_name = "p0",
		.process = ES_SPACE_MAPLESS,
		.map_text = "",
		.added = es_tuple_type_find("mpi") };

	*f = (struct fake_mpi_abi){ .folder = folder };
	EXPECT_OK(es_record_open(&spec, &f->process.record));
	mpi_log_init(&f->process.log, f->process.record, &f->control);
	f->process.control = &f->control;
	EXPECT_OK(mpi_site_table_open(&f->process.log, &f->process.sites));
	f->thread = (struct mpi_thread){ .control = &f->control,
		.row = &f->row,
		.process = &f->process };
	f->hot.clock_due = UINT64_MAX;
	f->thread.ring.hot = &f->hot;
	EXPECT_OK(mpi_cells_open(&f->thread.cells));
	EXPECT_OK(mpi_sites_open(f->process.sites, &f->thread.sites));
}

static void
close_process(struct fake_mpi_abi *f)
{
	mpi_cells_close(f->thread.cells);
	mpi_sites_close(f->thread.sites);
	mpi_site_table_close(f->process.sites);
	mpi_log_fini(&f->process.log);
	es_record_close(f->process.record);
}

/* Passes all rows of one kind to `take`, and returns their number. */
static uint64_t
read_rows(const char *folder, uint32_t what,
    void (*take)(const void *row, void *to), void *to)
{
	struct es_space_rows rows;
	struct es_space *space;
	uint64_t count = 0;

	EXPECT_OK(es_space_open(fake_file(folder), &space));
	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		for (uint64_t i = 0; rows.what == what && i < rows.count; i++) {
			take((const char *)rows.rows + i * rows.row_bytes, to);
			count++;
		}
	}
	es_space_close(space);
	return count;
}

static void
take_matrix(const void *row, void *to)
{
	const struct es_mpi_matrix *m = row;
	uint8_t *seen = to;

	EXPECT_TRUE(m->peer >= 0 && m->peer < KEYS);
	EXPECT_EQ(0, seen[m->peer]);
	seen[m->peer] = 1;
	EXPECT_EQ(2, atomic_load(&m->messages));
	EXPECT_EQ(2 * m->peer, atomic_load(&m->bytes));
	EXPECT_EQ(2,
	    atomic_load(&m->classes[es_space_size_class((uint64_t)m->peer)]));
}

static void
each_key_has_one_row_that_counts_all_its_messages(void)
{
	static uint8_t seen[KEYS];
	const char *folder = fake_folder();
	struct fake_mpi_abi f;

	open_process(&f, folder);
	for (int twice = 0; twice < 2; twice++)
		for (int32_t n = 0; n < KEYS; n++)
			mpi_count_matrix(&f.thread, n, ES_MPI_CATEGORY_P2P,
			    (uint64_t)n);
	EXPECT_EQ(KEYS, read_rows(folder, ES_MPI_MATRIX, take_matrix, seen));
	EXPECT_EQ(0, atomic_load(&f.control.lost));
	close_process(&f);
	fake_remove(folder);
}

static void
take_call(const void *row, void *to)
{
	memcpy(to, row, sizeof(struct es_mpi_profile));
}

static void
a_profile_row_has_extremes_sum_and_bins_of_its_calls(void)
{
	const char *folder = fake_folder();
	struct es_mpi_profile p;
	struct mpi_call call;
	struct fake_mpi_abi f;

	open_process(&f, folder);
	atomic_store(&f.control.phase, 7);
	call = (struct mpi_call){ .thread = &f.thread,
		.site = 3,
		.function = 5,
		.flags = ES_MPI_ROOT,
		.collective = true,
		.comm = 9,
		.bytes = 12,
		.start = 1000 };
	for (uint64_t n = 0; n < 3; n++) {
		call.stop = call.start + (UINT64_C(64) << n);
		mpi_count_call(&call);
	}
	mpi_cells_settle(f.thread.cells);
	EXPECT_EQ(1, read_rows(folder, ES_MPI_PROFILE, take_call, &p));
	EXPECT_EQ(3, p.site);
	EXPECT_EQ(5, p.function);
	EXPECT_EQ(4, p.size_class);
	EXPECT_EQ(ES_MPI_ROOT, p.flags);
	EXPECT_EQ(7, p.phase);
	EXPECT_EQ(9, p.comm);
	EXPECT_EQ(3, atomic_load(&p.calls));
	EXPECT_EQ(36, atomic_load(&p.bytes));
	EXPECT_EQ(64 + 128 + 256, atomic_load(&p.sum_ticks));
	EXPECT_EQ(64, atomic_load(&p.min_ticks));
	EXPECT_EQ(256, atomic_load(&p.max_ticks));
	for (uint32_t n = 0; n < 3; n++)
		EXPECT_EQ(1, atomic_load(&p.bins[es_mpi_bin(64u << n)]));
	close_process(&f);
	fake_remove(folder);
}

static uint64_t
count_bins(const struct es_mpi_profile *p)
{
	uint64_t count = 0;

	for (uint32_t n = 0; n < ES_MPI_BINS; n++)
		count += atomic_load(&p->bins[n]);
	return count;
}

static void
a_reset_leaves_no_bin_of_a_call_before_it(void)
{
	const char *folder = fake_folder();
	struct es_mpi_profile p;
	struct mpi_call call;
	struct fake_mpi_abi f;

	open_process(&f, folder);
	call = (struct mpi_call){ .thread = &f.thread, .site = 1, .stop = 100 };
	mpi_count_call(&call);
	EXPECT_EQ(1, read_rows(folder, ES_MPI_PROFILE, take_call, &p));
	EXPECT_EQ(0, count_bins(&p));
	mpi_count_call(&call);
	EXPECT_EQ(1, read_rows(folder, ES_MPI_PROFILE, take_call, &p));
	EXPECT_EQ(1, count_bins(&p));
	atomic_store(&f.control.epoch, 1);
	mpi_count_call(&call);
	mpi_cells_settle(f.thread.cells);
	mpi_cells_settle(f.thread.cells);
	EXPECT_EQ(1, read_rows(folder, ES_MPI_PROFILE, take_call, &p));
	EXPECT_EQ(1, atomic_load(&p.calls));
	EXPECT_EQ(1, count_bins(&p));
	close_process(&f);
	fake_remove(folder);
}

static void
take_half(const void *row, void *to)
{
	const struct es_mpi_profile *p = row;
	uint64_t *calls = to;

	EXPECT_EQ(2 * MPI_CELLS_RECENT, atomic_load(&p->calls));
	EXPECT_EQ(2 * MPI_CELLS_RECENT, count_bins(p));
	*calls += atomic_load(&p->calls);
}

static void
keys_with_the_same_recent_place_have_their_own_rows(void)
{
	const char *folder = fake_folder();
	struct fake_mpi_abi f;
	uint64_t rows;

	open_process(&f, folder);
	for (uint32_t n = 0; n < 4 * MPI_CELLS_RECENT; n++)
		mpi_count_call(&(struct mpi_call){ .thread = &f.thread,
		    .site = n % 2 * MPI_CELLS_RECENT,
		    .stop = 100 });
	mpi_cells_settle(f.thread.cells);
	rows = 0;
	EXPECT_EQ(2, read_rows(folder, ES_MPI_PROFILE, take_half, &rows));
	EXPECT_EQ(4 * MPI_CELLS_RECENT, rows);
	close_process(&f);
	fake_remove(folder);
}

static void
take_collective(const void *row, void *to)
{
	const struct es_mpi_collective *c = row;
	uint64_t *calls = to;

	calls[c->root + 1] = atomic_load(&c->calls);
	EXPECT_EQ(2, atomic_load(&c->epoch));
}

static void
count_roots(struct fake_mpi_abi *f, uint32_t first, uint32_t last)
{
	for (int n = 0; n < 3; n++) {
		mpi_count_collective(&f->thread, 1 | UINT64_C(40) << 32, first,
		    8);
		mpi_count_collective(&f->thread, 1 | UINT64_C(40) << 32, last,
		    8);
	}
}

static void
a_row_is_cleared_at_its_first_use_after_a_reset(void)
{
	const char *folder = fake_folder();
	uint64_t calls[4] = { 0 };
	struct fake_mpi_abi f;

	open_process(&f, folder);
	count_roots(&f, 1, 2);
	count_roots(&f, 1, 2);
	atomic_store(&f.control.epoch, 1);
	/* The first row is cleared when the second has been counted again. */
	count_roots(&f, 2, 1);
	EXPECT_EQ(2,
	    read_rows(folder, ES_MPI_COLLECTIVE, take_collective, calls));
	EXPECT_EQ(3, calls[2]);
	EXPECT_EQ(3, calls[3]);
	close_process(&f);
	fake_remove(folder);
}

static void
take_count(const void *row, void *to)
{
	const struct es_mpi_matrix *m = row;
	uint64_t *messages = to;

	*messages += atomic_load(&m->messages);
}

/* Runs in a process of its own, on the small disk. */
static int
fill(const char *folder)
{
	static char note[300000]; /* larger than the disk */
	uint64_t messages = 0, rows;
	struct fake_mpi_abi f;

	open_process(&f, folder);
	for (int twice = 0; twice < 2; twice++)
		for (int32_t n = 0; n < 2000; n++)
			mpi_count_matrix(&f.thread, n, ES_MPI_CATEGORY_PUT, 1);
	mpi_log_append(&f.process.log, ES_MPI_ENTRY_NOTE,
	    (const struct iovec[]){ { note, sizeof(note) } }, 1);
	rows = read_rows(folder, ES_MPI_MATRIX, take_count, &messages);
	EXPECT_TRUE(rows > 100);
	EXPECT_EQ(2 * rows, messages);
	EXPECT_EQ(2000 - rows + 1, atomic_load(&f.control.lost));
	close_process(&f);
	return 0;
}

static void
rows_with_room_are_counted_on_a_full_disk(void)
{
	const char *folder = fake_folder();
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(disk_mount(folder) ? fill(folder) : 77);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	fake_remove(folder);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		TEST_SKIP("a file system cannot be mounted here");
	EXPECT_EQ(0, status);
}

/* Expects that entry n is a note of n words n; returns the next number. */
static uint64_t
read_notes(const struct es_space_rows *rows, uint64_t next)
{
	const char *base = rows->rows;
	const struct es_mpi_entry *entry;

	for (uint64_t at = 0; at < rows->count;
	     at += sizeof(*entry) + entry->bytes, next++) {
		const uint64_t *words;

		entry = (const struct es_mpi_entry *)(base + at);
		words = (const uint64_t *)(entry + 1);
		EXPECT_EQ(ES_MPI_ENTRY_NOTE, entry->kind);
		EXPECT_EQ(8 * next, entry->bytes);
		for (uint64_t k = 0; k < next; k++)
			EXPECT_EQ(next, words[k]);
	}
	return next;
}

static void
an_entry_of_the_log_lies_in_one_part(void)
{
	const char *folder = fake_folder();
	struct es_space_rows rows;
	struct es_space *space;
	uint64_t words[400], next = 0;
	struct fake_mpi_abi f;
	uint32_t parts = 0;

	open_process(&f, folder);
	for (uint64_t n = 0; n < 400; n++) {
		for (uint64_t k = 0; k < n; k++)
			words[k] = n;
		/* Two parts; zeros complete the last word of the second. */
		mpi_log_append(&f.process.log, ES_MPI_ENTRY_NOTE,
		    (const struct iovec[]){ { words, n > 0 ? 8 * n - 8 : 0 },
			{ words, n > 0 ? 2 : 0 } },
		    2);
	}
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	while (es_space_rows(space, parts, &rows) == PATHS_OK) {
		EXPECT_EQ(ES_PART_LOG, rows.kind);
		EXPECT_EQ(ES_MPI_LOG, rows.what);
		next = read_notes(&rows, next);
		parts++;
	}
	EXPECT_EQ(400, next);
	EXPECT_TRUE(parts > 3);
	es_space_close(space);
	close_process(&f);
	fake_remove(folder);
}

static void
a_site_has_one_number_and_one_definition(void)
{
	const char *folder = fake_folder();
	const char *code = (const char *)(uintptr_t)&read_rows;
	struct es_space_rows rows;
	struct es_space *space;
	uint32_t sites = 0, modules = 0;
	struct fake_mpi_abi f;

	open_process(&f, folder);
	/* The last address is on the stack, which is in no file. */
	for (int twice = 0; twice < 2; twice++) {
		for (uint32_t n = 0; n < 1000; n++)
			EXPECT_EQ(n + 1,
			    mpi_site_find(&f.thread,
				n == 999 ? (const char *)&f : code + n));
	}
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		const struct es_mpi_entry *entry;

		for (uint64_t at = 0; at < rows.count;
		     at += sizeof(*entry) + entry->bytes) {
			entry = (const void *)((const char *)rows.rows + at);
			sites += entry->kind == ES_MPI_ENTRY_SITE;
			modules += entry->kind == ES_MPI_ENTRY_MODULE;
		}
	}
	EXPECT_EQ(1000, sites);
	EXPECT_EQ(1, modules);
	es_space_close(space);
	close_process(&f);
	fake_remove(folder);
}

TEST_MAIN(each_key_has_one_row_that_counts_all_its_messages,
    a_profile_row_has_extremes_sum_and_bins_of_its_calls,
    a_reset_leaves_no_bin_of_a_call_before_it,
    keys_with_the_same_recent_place_have_their_own_rows,
    a_row_is_cleared_at_its_first_use_after_a_reset,
    rows_with_room_are_counted_on_a_full_disk,
    an_entry_of_the_log_lies_in_one_part,
    a_site_has_one_number_and_one_definition)
