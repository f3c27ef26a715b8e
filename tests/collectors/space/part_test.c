/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/part_test.c - proves collectors/space/record_part.c
 * and collectors/space/part.c
 */

#include "tests/checksum.h"
#include "tests/collectors/disk.h"
#include "tests/collectors/fake.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define RING 20u

static const struct es_record_collector wanted_ring = { .instance = 7,
	.mode = ES_MODE_TRACE,
	.capacity = RING };

/* Opens a space that starts with one collector, or with none. */
static struct es_record *
open_growing(const char *folder, uint32_t collectors)
{
	struct es_record_collector first = { .instance = 3,
		.mode = ES_MODE_TRACE,
		.type = fake_type(),
		.capacity = RING };
	struct es_record_spec spec = {
		.directory = folder,
		.process_name = "p0",
		.process = ES_SPACE_MAPLESS,
		.collector_count = collectors,
		.map_text = FAKE_MAP,
		.map_bytes = strlen(FAKE_MAP),
		.collectors = &first,
		.added = fake_type(),
	};
	struct es_record *record;

	EXPECT_OK(es_record_open(&spec, &record));
	return record;
}

static void
add_ring(struct es_record *record, uint32_t owner, struct es_record_ring *ring)
{
	struct es_record_collector want = wanted_ring;

	want.type = fake_type();
	EXPECT_OK(es_record_add_ring(record, &want, owner, ring));
}

static struct es_space_part *
add_rows(struct es_record *record, uint32_t row_bytes, uint64_t room)
{
	struct es_record_part want = { .what = 5,
		.owner = 6,
		.row_bytes = row_bytes,
		.room = room };
	struct es_space_part *part;

	EXPECT_OK(es_record_add_rows(record, &want, &part));
	return part;
}

/* Fills the words of row n with n + 100, and publishes all rows. */
static void
fill_rows(struct es_space_part *part, uint64_t count)
{
	uint64_t *word = (uint64_t *)(part + 1);

	for (uint64_t n = 0; n < count; n++)
		for (uint32_t k = 0; k < part->row_bytes / 8; k++)
			*word++ = n + 100;
	atomic_store_explicit(&part->used, count, memory_order_release);
}

static struct es_space *
open_space(const char *folder)
{
	struct es_space *space;

	EXPECT_OK(es_space_open(fake_file(folder), &space));
	return space;
}

static void
a_collector_that_was_added_is_read_like_any_other(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 1);
	struct es_record_ring ring;
	struct es_space_collector c;
	struct es_tuple_path tuples[RING];
	struct es_space_run run = { .count = RING };
	struct es_space_info info;
	struct es_space *space;

	add_ring(record, 9, &ring);
	for (uint64_t n = 0; n < 3 * RING + 2; n++)
		fake_record(&ring, n);
	space = open_space(folder);
	es_space_info(space, &info);
	EXPECT_EQ(2, info.collector_count);
	EXPECT_EQ(ES_SPACE_MAPLESS, info.process);
	EXPECT_OK(es_space_collector(space, 1, &c));
	EXPECT_EQ(7, c.instance);
	EXPECT_EQ(3 * RING + 2, c.count);
	EXPECT_EQ(2 * RING + 2, c.first);
	EXPECT_OK(es_space_read(space, 1, &run, tuples));
	EXPECT_EQ(RING, run.count);
	EXPECT_TRUE(fake_holds(tuples, run.first, run.count));
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	es_space_close(space);
	es_record_close(record);
	fake_remove(folder);
}

static void
the_first_pass_through_an_added_ring_takes_no_page_fault(void)
{
	struct es_record_collector want = { .mode = ES_MODE_TRACE,
		.type = fake_type(),
		.capacity = 100000 };
	struct es_record_ring ring;
	struct es_record *record;
	const char *folder;
	long faults;

	if (TEST_SANITIZED)
		TEST_SKIP("a sanitizer has pages of its own");
	folder = fake_folder();
	record = open_growing(folder, 0);
	EXPECT_OK(es_record_add_ring(record, &want, 1, &ring));
	faults = fake_record_faults(&ring, want.capacity);
	es_record_close(record);
	fake_remove(folder);
	/* 880 pages; a few faults are the kernel's own. */
	EXPECT_TRUE(faults < 20);
}

static void
rows_are_read_as_far_as_they_are_published(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);
	struct es_space_part *part = add_rows(record, 24, 1000);
	struct es_space_rows rows;
	struct es_space *space;

	EXPECT_TRUE(part->room >= 1000);
	fill_rows(part, 17);
	space = open_space(folder);
	EXPECT_OK(es_space_rows(space, 0, &rows));
	EXPECT_EQ(ES_PART_ROWS, rows.kind);
	EXPECT_EQ(5, rows.what);
	EXPECT_EQ(6, rows.owner);
	EXPECT_EQ(24, rows.row_bytes);
	EXPECT_EQ(17, rows.count);
	EXPECT_EQ(116, ((const uint64_t *)rows.rows)[16 * 3 + 2]);
	fill_rows(part, 18);
	EXPECT_OK(es_space_rows(space, 0, &rows));
	EXPECT_EQ(18, rows.count);
	EXPECT_EQ(PATHS_ENOENT, es_space_rows(space, 1, &rows));
	es_space_close(space);
	es_record_close(record);
	fake_remove(folder);
}

static void
parts_of_all_kinds_lie_side_by_side(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);
	struct es_record_ring ring;
	struct es_space_rows rows;
	struct es_space_info info;
	struct es_space *space;

	for (uint32_t n = 0; n < 10; n++) {
		fill_rows(add_rows(record, 8, 600 * n + 1), n);
		add_ring(record, n, &ring);
		fake_record(&ring, n);
		memcpy(add_rows(record, 1, 5000) + 1, "text", 5);
	}
	es_record_end(record);
	space = open_space(folder);
	es_space_info(space, &info);
	EXPECT_TRUE(info.closed);
	es_record_resume(record);
	es_space_info(space, &info);
	EXPECT_TRUE(!info.closed);
	EXPECT_EQ(10, info.collector_count);
	for (uint32_t n = 0; n < 10; n++) {
		EXPECT_OK(es_space_rows(space, 2 * n, &rows));
		EXPECT_EQ(n, rows.count);
		EXPECT_OK(es_space_rows(space, 2 * n + 1, &rows));
		EXPECT_EQ(ES_PART_LOG, rows.kind);
		EXPECT_EQ(0, rows.count);
		EXPECT_STR_EQ("text", (const char *)rows.rows);
	}
	es_space_close(space);
	es_record_close(record);
	fake_remove(folder);
}

static void
tuples_recorded_after_the_end_are_read(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);
	struct es_record_ring ring;
	struct es_space_collector c;
	struct es_space *space;

	es_record_end(record);
	add_ring(record, 0, &ring);
	fake_record(&ring, 0);
	space = open_space(folder);
	EXPECT_OK(es_space_collector(space, 0, &c));
	EXPECT_EQ(1, c.count);
	es_space_close(space);
	es_record_close(record);
	fake_remove(folder);
}

/* The seal of the end is older than the counts. */
static void
an_operation_that_returns_after_the_end_is_no_damage(void)
{
	for (int next = 0; next < 2; next++) {
		const char *folder = fake_folder();
		struct es_record *record = open_growing(folder, 0);
		struct es_tuple_path *inside;
		struct es_record_ring ring;
		struct es_space_collector c;
		struct es_space *space;

		add_ring(record, 0, &ring);
		fake_record(&ring, 0);
		inside = fake_begin(&ring, 1);
		es_record_end(record);
		inside->stop = fake_tuple(1).stop;
		es_record_complete(&ring, 0);
		if (next)
			(void)fake_begin(&ring, 2);
		space = open_space(folder);
		EXPECT_TRUE(es_space_damage(space, 0) == NULL);
		EXPECT_OK(es_space_collector(space, 0, &c));
		EXPECT_EQ(2 + next, c.count);
		es_space_close(space);
		es_record_close(record);
		fake_remove(folder);
	}
}

static void
sizes_that_break_the_rules_are_refused(void)
{
	static const struct es_record_part wrong[] = {
		{ .row_bytes = 0, .room = 1 },
		{ .row_bytes = 12, .room = 1 },
		{ .row_bytes = 8, .room = UINT64_MAX / 8 },
		{ .row_bytes = 8, .room = UINT64_MAX },
	};
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);
	struct es_record_collector ring = wanted_ring;
	struct es_record_ring out;
	struct es_space_part *part;

	for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++)
		EXPECT_EQ(PATHS_EINVAL,
		    es_record_add_rows(record, &wrong[n], &part));
	ring.type = fake_type();
	ring.capacity = 0;
	EXPECT_EQ(PATHS_EINVAL, es_record_add_ring(record, &ring, 0, &out));
	ring.capacity = UINT64_MAX / 2;
	EXPECT_EQ(PATHS_EINVAL, es_record_add_ring(record, &ring, 0, &out));
	es_record_close(record);
	fake_remove(folder);
}

/* Truncates the space in a folder to `size` bytes and opens it. */
static paths_status
open_cut(const char *folder, off_t size, struct es_space **space)
{
	EXPECT_OK(truncate(fake_file(folder), size));
	return es_space_open(fake_file(folder), space);
}

static void
a_file_cut_short_in_a_part_is_read_up_to_there(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);
	uint64_t before;
	struct es_space_rows rows;
	struct es_space_part *part;
	struct es_space *space;
	struct stat status;

	EXPECT_OK(stat(fake_file(folder), &status));
	before = (uint64_t)status.st_size;
	part = add_rows(record, 8, 2000);
	fill_rows(part, 2000);
	es_record_close(record);
	EXPECT_OK(open_cut(folder,
	    (off_t)(before + sizeof(struct es_space_part) + 8 * 700 + 3),
	    &space));
	EXPECT_OK(es_space_rows(space, 0, &rows));
	EXPECT_EQ(700, rows.count);
	EXPECT_TRUE(strstr(es_space_damage(space, 0), "cut short") != NULL);
	es_space_close(space);
	/* A part whose header is cut is ignored. */
	EXPECT_OK(open_cut(folder, (off_t)before + 9, &space));
	EXPECT_EQ(PATHS_ENOENT, es_space_rows(space, 0, &rows));
	es_space_close(space);
	fake_remove(folder);
}

static void
a_ring_cut_short_before_its_tuples_is_left_out(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);
	struct es_record_ring ring;
	struct es_space_info info;
	struct es_space *space;
	struct stat status;

	EXPECT_OK(stat(fake_file(folder), &status));
	add_ring(record, 9, &ring);
	es_record_close(record);
	EXPECT_OK(open_cut(folder,
	    status.st_size + (off_t)sizeof(struct es_space_part) + 8, &space));
	es_space_info(space, &info);
	EXPECT_EQ(0, info.collector_count);
	es_space_close(space);
	fake_remove(folder);
}

/* Opens the space with one word of the header of its only part changed, and its
   checksum corrected.
   Returns PATHS_EFULL if the space opens and reports damage. */
static paths_status
open_changed(const char *folder, uint64_t before, size_t offset, uint64_t word,
    size_t bytes)
{
	int fd = open(fake_file(folder), O_RDWR);
	/* A header, and the collector of one with a ring. */
	struct es_space_part was[2], now[2];
	struct es_space *space = NULL;
	paths_status st;

	EXPECT_EQ(sizeof(was), pread(fd, was, sizeof(was), (off_t)before));
	memcpy(now, was, sizeof(now));
	memcpy((char *)now + offset, &word, bytes);
	test_seal_part(now);
	EXPECT_EQ(sizeof(now), pwrite(fd, now, sizeof(now), (off_t)before));
	st = es_space_open(fake_file(folder), &space);
	if (st == PATHS_OK && es_space_damage(space, 0) != NULL)
		st = PATHS_EFULL;
	es_space_close(space);
	EXPECT_EQ(sizeof(was), pwrite(fd, was, sizeof(was), (off_t)before));
	(void)close(fd);
	return st;
}

#define CHANGED(field, word) \
	open_changed(folder, before, offsetof(struct es_space_part, field), \
	    (word), sizeof(((struct es_space_part *)0)->field))

static void
a_wrong_part_header_is_refused_or_reported(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);
	uint64_t before;
	struct stat status;

	EXPECT_OK(stat(fake_file(folder), &status));
	before = (uint64_t)status.st_size;
	fill_rows(add_rows(record, 16, 100), 100);
	es_record_close(record);
	EXPECT_OK(CHANGED(what, 77));
	EXPECT_EQ(PATHS_EDAMAGED, CHANGED(row_bytes, 0));
	EXPECT_EQ(PATHS_EDAMAGED, CHANGED(row_bytes, 12));
	EXPECT_EQ(PATHS_EDAMAGED, CHANGED(row_bytes, 4096));
	EXPECT_EQ(PATHS_EDAMAGED, CHANGED(room, UINT64_MAX));
	EXPECT_EQ(PATHS_EDAMAGED, CHANGED(kind, ES_PART_RING));
	EXPECT_EQ(PATHS_EDAMAGED, CHANGED(kind, ES_PART_LOG));
	EXPECT_EQ(PATHS_EFULL, CHANGED(kind, 99));
	EXPECT_EQ(PATHS_EFULL, CHANGED(bytes, 1 << 20));
	EXPECT_EQ(PATHS_EFULL, CHANGED(bytes, UINT64_MAX & ~4095ull));
	EXPECT_EQ(PATHS_EFULL, CHANGED(used, UINT64_MAX));
	EXPECT_EQ(PATHS_EFULL, CHANGED(magic, 0));
	fake_remove(folder);
}

/* Adds parts until the disk is full, and reads those that had room. */
static int
fill_disk(const char *folder)
{
	struct es_record_part want = { .row_bytes = 8, .room = 4000 };
	struct es_record *record = open_growing(folder, 0);
	struct es_space_rows rows;
	struct es_space_part *part;
	struct es_space *space;
	uint32_t added = 0;
	paths_status st;

	while ((st = es_record_add_rows(record, &want, &part)) == PATHS_OK) {
		fill_rows(part, part->room);
		added++;
	}
	EXPECT_EQ(PATHS_EFULL, st);
	EXPECT_TRUE(added > 0);
	want.room = 1;
	while (es_record_add_rows(record, &want, &part) == PATHS_OK) {
		fill_rows(part, part->room);
		added++;
	}
	es_record_close(record);
	space = open_space(folder);
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	for (uint32_t n = 0; n < added; n++) {
		EXPECT_OK(es_space_rows(space, n, &rows));
		EXPECT_TRUE(rows.count > 0);
	}
	EXPECT_EQ(PATHS_ENOENT, es_space_rows(space, added, &rows));
	es_space_close(space);
	return 0;
}

static void
a_full_disk_refuses_a_part_and_keeps_the_others(void)
{
	const char *folder = fake_folder();
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(disk_mount(folder) ? fill_disk(folder) : 77);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	fake_remove(folder);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		TEST_SKIP("a file system cannot be mounted here");
	EXPECT_EQ(0, status);
}

#define ADDED_PARTS 600
#define ADDED_BYTES 16384u

static void *
add_parts(void *record)
{
	for (int n = 0; n < ADDED_PARTS; n++)
		(void)add_rows(record, 8, ADDED_BYTES / 8);
	return NULL;
}

/* A reader may find the file longer before the new part is in it. */
static void
a_part_that_is_being_added_is_no_damage(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);
	struct es_space *space;
	struct es_space_rows rows;
	pthread_t adder;
	const char *damage;
	bool all;

	EXPECT_EQ(0, pthread_create(&adder, NULL, add_parts, record));
	do {
		EXPECT_OK(es_space_open(fake_file(folder), &space));
		damage = es_space_damage(space, 0);
		EXPECT_STR_EQ("", damage == NULL ? "" : damage);
		all = es_space_rows(space, ADDED_PARTS - 1, &rows) == PATHS_OK;
		es_space_close(space);
	} while (!all);
	pthread_join(adder, NULL);
	es_record_close(record);
	fake_remove(folder);
}

/* A thread that changes a space while another one opens it. */
struct changer {
	struct es_record *record;
	void (*change)(struct es_record *record);
	int times;
	_Atomic bool done; /* written by the thread */
};

static void
change_end(struct es_record *record)
{
	es_record_end(record);
	es_record_resume(record);
}

static void
change_parts(struct es_record *record)
{
	static const struct es_record_part want = { .row_bytes = 1, .room = 1 };
	struct es_space_part *part;

	EXPECT_OK(es_record_add_rows(record, &want, &part));
}

static void *
change_space(void *arg)
{
	struct changer *c = arg;

	for (int n = 0; n < c->times; n++)
		c->change(c->record);
	/* Relaxed: a flag, ordered with nothing. */
	atomic_store_explicit(&c->done, true, memory_order_relaxed);
	return NULL;
}

/* Opens a space while a thread changes it; expects no damage. */
static void
open_while(struct es_record *record, const char *folder,
    void (*change)(struct es_record *record), int times)
{
	struct changer c = { .record = record,
		.change = change,
		.times = times };
	pthread_t thread;

	EXPECT_EQ(0, pthread_create(&thread, NULL, change_space, &c));
	while (!atomic_load_explicit(&c.done, memory_order_relaxed)) {
		struct es_space *space = open_space(folder);
		const char *damage = es_space_damage(space, 0);

		EXPECT_STR_EQ("", damage == NULL ? "" : damage);
		es_space_close(space);
	}
	pthread_join(thread, NULL);
}

static void
an_end_that_is_taken_back_is_no_damage(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);

	open_while(record, folder, change_end, 20000);
	es_record_close(record);
	fake_remove(folder);
}

static void
a_part_that_is_added_after_the_end_is_no_damage(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_growing(folder, 0);

	es_record_end(record);
	open_while(record, folder, change_parts, 1000);
	es_record_close(record);
	fake_remove(folder);
}

TEST_MAIN(a_collector_that_was_added_is_read_like_any_other,
    the_first_pass_through_an_added_ring_takes_no_page_fault,
    rows_are_read_as_far_as_they_are_published,
    parts_of_all_kinds_lie_side_by_side,
    a_part_that_is_being_added_is_no_damage,
    an_end_that_is_taken_back_is_no_damage,
    a_part_that_is_added_after_the_end_is_no_damage,
    tuples_recorded_after_the_end_are_read,
    an_operation_that_returns_after_the_end_is_no_damage,
    sizes_that_break_the_rules_are_refused,
    a_file_cut_short_in_a_part_is_read_up_to_there,
    a_ring_cut_short_before_its_tuples_is_left_out,
    a_wrong_part_header_is_refused_or_reported,
    a_full_disk_refuses_a_part_and_keeps_the_others)
