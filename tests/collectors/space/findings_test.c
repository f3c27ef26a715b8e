/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/findings_test.c - proves collectors/space/findings.c
 */

#include "tests/collectors/fake.h"

#include <fcntl.h>

#define RECORDED 100u

/* A space with a damaged chunk, opened and checked. */
struct checked {
	const char *folder;
	struct es_space *space;
	struct es_space_memory memory;
};

/* Changes the last tuple of the first collector in the file. */
static void
damage(const char *file)
{
	struct es_tuple_path last = fake_tuple(RECORDED - 1);
	char bytes[1 << 20];
	int fd = open(file, O_RDWR);
	ssize_t size = pread(fd, bytes, sizeof(bytes), 0);
	char *at = memmem(bytes, (size_t)size, &last, sizeof(last));

	EXPECT_TRUE(at != NULL);
	EXPECT_EQ(1, pwrite(fd, "X", 1, at - bytes + 20));
	close(fd);
}

static struct checked
checked_open(void)
{
	struct checked c = { .folder = fake_folder() };
	struct es_record_ring ring;
	struct es_record *record;
	void *findings;

	EXPECT_OK(fake_open(c.folder, 2, 2 * RECORDED, &record));
	for (uint32_t n = 0; n < 2; n++) {
		EXPECT_OK(es_record_ring(record, n, &ring));
		for (uint64_t i = 0; i < RECORDED; i++)
			fake_record(&ring, i);
	}
	es_record_close(record);
	damage(fake_file(c.folder));
	EXPECT_OK(es_space_open(fake_file(c.folder), &c.space));
	c.memory.bytes = es_space_bytes(c.space, &c.memory.base);
	EXPECT_OK(
	    es_space_findings(c.space, &findings, &c.memory.findings_bytes));
	c.memory.findings = findings;
	return c;
}

static void
checked_close(struct checked *c)
{
	es_space_close(c->space);
	free((void *)c->memory.findings);
	fake_remove(c->folder);
}

static void
expect_same_tuples(const struct es_space *a, const struct es_space *b,
    uint32_t collector)
{
	struct es_space_run run = { .count = UINT64_MAX }, other = run;
	struct es_tuple_path from[RECORDED], to[RECORDED];

	EXPECT_OK(es_space_read(a, collector, &run, from));
	EXPECT_OK(es_space_read(b, collector, &other, to));
	EXPECT_EQ(run.first, other.first);
	EXPECT_EQ(run.count, other.count);
	EXPECT_MEM_EQ(from, to, run.count * sizeof(*from));
}

/* The tuples that the check left out are left out, and its lines are there. */
static void
a_checked_space_is_read_as_it_was_checked(void)
{
	struct checked c = checked_open();
	struct es_space_info info, other;
	struct es_space_collector collector;
	struct es_space *space;

	EXPECT_OK(
	    es_space_open_checked(&c.memory, fake_file(c.folder), &space));
	es_space_info(c.space, &info);
	es_space_info(space, &other);
	EXPECT_EQ(info.tuples, other.tuples);
	EXPECT_EQ(info.unchecked, other.unchecked);
	EXPECT_TRUE(es_space_damage(c.space, 0) != NULL);
	EXPECT_STR_EQ(es_space_damage(c.space, 0), es_space_damage(space, 0));
	EXPECT_TRUE(es_space_damage(space, 1) == NULL);
	EXPECT_OK(es_space_collector(space, 0, &collector));
	EXPECT_TRUE(collector.left_out > 0);
	expect_same_tuples(c.space, space, 0);
	expect_same_tuples(c.space, space, 1);
	es_space_close(space);
	checked_close(&c);
}

static void
findings_that_are_cut_short_are_refused(void)
{
	struct checked c = checked_open();
	size_t bytes = c.memory.findings_bytes;
	struct es_space *space;

	for (size_t n = 0; n < bytes; n++) {
		/* The exact size, so that a read past the end is seen. */
		char *part = malloc(n + 1);

		memcpy(part, c.memory.findings, n);
		EXPECT_EQ(PATHS_EDAMAGED,
		    es_space_open_checked(
			&(struct es_space_memory){ c.memory.base,
			    c.memory.bytes, part, n },
			"space", &space));
		free(part);
	}
	checked_close(&c);
}

static void
the_memory_stays_the_callers(void)
{
	struct checked c = checked_open();
	struct es_space *space;

	EXPECT_OK(es_space_open_checked(&c.memory, "space", &space));
	es_space_close(space);
	EXPECT_MEM_EQ("\211ESPACE\n", c.memory.base, 8);
	checked_close(&c);
}

TEST_MAIN(a_checked_space_is_read_as_it_was_checked,
    findings_that_are_cut_short_are_refused, the_memory_stays_the_callers)
