/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/fake.h - event spaces of our own making
 *
 * Tuple number n of a faked ring holds numbers that follow from n, so that one
 * that is torn, lost or out of place is seen.
 */

#ifndef TESTS_COLLECTORS_FAKE_H
#define TESTS_COLLECTORS_FAKE_H

#include "collectors/record.h"

#include "tests/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FAKE_MAP "pathmap 1\nhost here\nprocess p0 -host here\n"

/* Makes an empty folder for this process, which fake_remove removes. */
static inline const char *
fake_folder(void)
{
	static char folder[256];
	const char *top = getenv("TMPDIR");

	(void)snprintf(folder, sizeof(folder), "%s/space.XXXXXX",
	    top != NULL ? top : "/tmp");
	EXPECT_TRUE(mkdtemp(folder) != NULL);
	return folder;
}

static inline unsigned
fake_files(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	unsigned count = 0;

	EXPECT_TRUE(dir != NULL);
	while ((entry = readdir(dir)) != NULL)
		count += strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0;
	(void)closedir(dir);
	return count;
}

static inline void
fake_remove(const char *folder)
{
	char file[1024];
	struct dirent *entry;
	DIR *dir = opendir(folder);

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		(void)snprintf(file, sizeof(file), "%s/%s", folder,
		    entry->d_name);
		(void)unlink(file);
	}
	if (dir != NULL)
		(void)closedir(dir);
	(void)rmdir(folder);
}

static inline const char *
fake_file(const char *folder)
{
	static char file[1024];

	(void)snprintf(file, sizeof(file), "%s/p0.space", folder);
	return file;
}

/* Returns the layout of "path" by another name: the numbers of faked tuples
   would not be plausible in that type. */
static inline const struct es_tuple_type *
fake_type(void)
{
	static struct es_tuple_type type;

	type = *es_tuple_type_find("path");
	type.name = "fake";
	return &type;
}

/* Opens a space of process p0 whose collectors have rings of equal size. */
static inline paths_status
fake_open(const char *folder, uint32_t collectors, uint64_t capacity,
    struct es_record **record)
{
	struct es_record_collector *list = calloc(collectors, sizeof(*list));
	struct es_record_spec spec = {
		.directory = folder,
		.process_name = "p0",
		.process = 3,
		.collector_count = collectors,
		.map_text = FAKE_MAP,
		.map_bytes = strlen(FAKE_MAP),
		.collectors = list,
	};
	paths_status st;

	for (uint32_t i = 0; i < collectors; i++)
		list[i] = (struct es_record_collector){
			.instance = 10 + i,
			.mode = ES_MODE_TRACE,
			.type = fake_type(),
			.capacity = capacity,
			.profile_ops = 5,
			.profile_classes = 1,
			.matrix_peers = 2,
			.matrix_categories = 5,
		};
	st = es_record_open(&spec, record);
	free(list);
	return st;
}

static inline struct es_tuple_path
fake_tuple(uint64_t n)
{
	return (struct es_tuple_path){
		.start = 1000 + n,
		.stop = 0x0101010101010101u * (n % 255 + 1),
		.seq = (uint32_t)n,
		.op = (uint16_t)(n % 4 + 1),
		.status = (uint16_t)(n % 7),
		.element = (uint32_t)n * 3,
		.bytes = (uint32_t)n * 5,
		.step = (uint32_t)n * 7,
	};
}

/* Waits until slots of this many tuples have memory. */
static inline void
fake_wait_ready(const struct es_record_ring *ring, uint64_t tuples)
{
	/* A minute. */
	for (int n = 0; n < 60000 &&
	     atomic_load(&ring->hot->ready) < tuples * ring->tuple_bytes;
	     n++)
		(void)usleep(1000);
	EXPECT_TRUE(
	    atomic_load(&ring->hot->ready) >= tuples * ring->tuple_bytes);
}

/* Reserves and fills tuple number n, and does not complete it. */
static inline struct es_tuple_path *
fake_begin(const struct es_record_ring *ring, uint64_t n)
{
	struct es_tuple_path *t = es_record_reserve(ring);

	*t = fake_tuple(n);
	t->stop = 0;
	es_record_fill(ring);
	return t;
}

static inline void
fake_record(const struct es_record_ring *ring, uint64_t n)
{
	struct es_tuple_path *t = fake_begin(ring, n);

	t->stop = fake_tuple(n).stop;
	es_record_complete(ring, 1000 + n);
}

/* Records count tuples and returns the number of page faults. */
static inline long
fake_record_faults(const struct es_record_ring *ring, uint64_t count)
{
	struct rusage before, after;

	EXPECT_OK(getrusage(RUSAGE_SELF, &before));
	for (uint64_t n = 0; n < count; n++)
		fake_record(ring, n);
	EXPECT_OK(getrusage(RUSAGE_SELF, &after));
	return after.ru_minflt - before.ru_minflt + after.ru_majflt -
	    before.ru_majflt;
}

/* Returns true for tuples first, first + 1, ... first + count - 1. */
static inline bool
fake_holds(const void *tuples, uint64_t first, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		struct es_tuple_path want = fake_tuple(first + i);
		const char *got = (const char *)tuples + i * sizeof(want);

		if (memcmp(&want, got, sizeof(want)) != 0)
			return false;
	}
	return true;
}

#endif
