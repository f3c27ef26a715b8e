/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/gather/times_test.c - proves scopes/gather/times.c: the times
 * that the sockets of a process measured get into a folder of copies
 */

#include "scopes/gather/mirror_private.h"
#include "scopes/gather/source_private.h"

#include "libpaths/base/times.h"
#include "tests/collectors/fake.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD_BYTES sizeof(struct paths__times_record)
#define SMALL 4096u

/* A process p0 in one folder, its copy in another. */
struct subject {
	char from[256], to[256];
	struct es_record *record;
	struct es__source *source;
	struct es__mirror *mirror;
	size_t batches;
	_Alignas(8) uint8_t batch[SMALL];
};

static void
subject_note(void *to, const char *text)
{
	(void)to;
	EXPECT_STR_EQ("", text);
}

static void
subject_open(struct subject *s)
{
	struct es_record_collector collector = { .instance = 1,
		.mode = ES_MODE_TRACE,
		.type = fake_type(),
		.capacity = 16 };
	struct es_record_spec spec = {
		.directory = s->from,
		.process_name = "p0",
		.collector_count = 1,
		.map_text = FAKE_MAP,
		.map_bytes = strlen(FAKE_MAP),
		.collectors = &collector,
		.added = fake_type(),
	};

	*s = (struct subject){ .batches = 0 };
	snprintf(s->from, sizeof(s->from), "%s", fake_folder());
	snprintf(s->to, sizeof(s->to), "%s", fake_folder());
	EXPECT_OK(es_record_open(&spec, &s->record));
	EXPECT_OK(es__source_open(s->from, "p0.space", &s->source));
	EXPECT_OK(es__mirror_open(&(struct es__mirror_to){ s->to, NULL, NULL },
	    subject_note, s, &s->mirror));
}

static void
subject_close(struct subject *s)
{
	es__mirror_close(s->mirror);
	es__source_close(s->source);
	es_record_close(s->record);
	fake_remove(s->from);
	fake_remove(s->to);
}

/* Copies all that there is, in small batches. */
static void
subject_pull(struct subject *s)
{
	bool more = true;

	es__source_update(s->source);
	while (more) {
		struct es__batch_out out = { .base = s->batch, .room = SMALL };
		struct es__source_sum sum = { .tuples = 0 };

		more = false;
		EXPECT_OK(es__source_fill(s->source, &out, &sum, &more));
		EXPECT_TRUE(!more || out.used > 0);
		s->batches += out.used > 0;
		EXPECT_OK(
		    es__mirror_batch(s->mirror, s->batch, out.used, &more));
	}
}

static const char *
times_file(const char *folder)
{
	static char file[300];

	snprintf(file, sizeof(file), "%s/p0" PATHS__TIMES_FILE, folder);
	return file;
}

/* Writes records into a region of the file, which ends with this region. */
static void
write_times(const char *folder, uint32_t region, uint32_t first, uint32_t count,
    uint64_t sent)
{
	const off_t begin = (off_t)(region * PATHS__TIMES_REGION_BYTES);
	int fd = open(times_file(folder), O_WRONLY | O_CREAT, 0600);

	EXPECT_TRUE(fd >= 0);
	EXPECT_OK(ftruncate(fd, begin + (off_t)PATHS__TIMES_REGION_BYTES));
	for (uint32_t n = first; n < first + count; n++) {
		struct paths__times_record r = { .sent = sent + n,
			.received = 2 * sent + n };

		r.check = n == 0 ? PATHS__TIMES_MAGIC : paths__times_check(&r);
		EXPECT_EQ(RECORD_BYTES,
		    pwrite(fd, &r, sizeof(r),
			begin + (off_t)(n * RECORD_BYTES)));
	}
	close(fd);
}

/* Compares the first records of a region of both files. */
static void
same_times(const struct subject *s, uint32_t region, uint32_t count)
{
	static char bytes[2][PATHS__TIMES_REGION_BYTES];

	for (int n = 0; n < 2; n++) {
		int fd = open(times_file(n == 0 ? s->from : s->to), O_RDONLY);

		EXPECT_EQ(PATHS__TIMES_REGION_BYTES,
		    pread(fd, bytes[n], PATHS__TIMES_REGION_BYTES,
			(off_t)(region * PATHS__TIMES_REGION_BYTES)));
		close(fd);
	}
	EXPECT_OK(memcmp(bytes[0], bytes[1], count * RECORD_BYTES));
}

static void
what_is_added_is_copied_once(void)
{
	struct subject s;
	size_t batches;

	subject_open(&s);
	subject_pull(&s);
	EXPECT_EQ(-1, access(times_file(s.to), F_OK));
	write_times(s.from, 0, 0, 300, 1000);
	subject_pull(&s);
	same_times(&s, 0, 300);
	write_times(s.from, 0, 300, 101, 1000);
	write_times(s.from, 2, 0, 7, 5000);
	subject_pull(&s);
	same_times(&s, 0, 401);
	same_times(&s, 2, 7);
	batches = s.batches;
	/* Nothing was added. */
	subject_pull(&s);
	EXPECT_EQ(batches, s.batches);
	subject_close(&s);
}

/* The process clears the records behind those that it keeps. */
static void
windows_that_were_merged_are_copied_anew(void)
{
	struct subject s;

	subject_open(&s);
	write_times(s.from, 0, 0, 400, 1000);
	subject_pull(&s);
	EXPECT_OK(truncate(times_file(s.from), 0));
	write_times(s.from, 0, 0, 201, 2000);
	subject_pull(&s);
	same_times(&s, 0, 201);
	/* As many again as were sent before. */
	write_times(s.from, 0, 201, 199, 3000);
	subject_pull(&s);
	same_times(&s, 0, 400);
	subject_close(&s);
}

/* A record that the process is writing is copied when it is whole. */
static void
a_torn_record_waits(void)
{
	const off_t at = (off_t)(20 * RECORD_BYTES);
	struct paths__times_record torn, whole;
	struct subject s;
	int fd;

	subject_open(&s);
	write_times(s.from, 0, 0, 21, 1000);
	fd = open(times_file(s.from), O_RDWR);
	EXPECT_EQ(RECORD_BYTES, pread(fd, &whole, sizeof(whole), at));
	torn = whole;
	torn.sent++;
	EXPECT_EQ(RECORD_BYTES, pwrite(fd, &torn, sizeof(torn), at));
	subject_pull(&s);
	same_times(&s, 0, 20);
	EXPECT_EQ(RECORD_BYTES, pwrite(fd, &whole, sizeof(whole), at));
	close(fd);
	subject_pull(&s);
	same_times(&s, 0, 21);
	subject_close(&s);
}

/* Places come from another host: the file of a copy has an end. */
static void
records_without_a_place_are_refused(void)
{
	struct {
		struct es__record head;
		struct paths__times_record one;
	} r = { .head = { .count = RECORD_BYTES } };
	const char *folder = fake_folder();

	EXPECT_TRUE(es__times_write(folder, "p0", &r.head));
	r.head.first = 16;
	EXPECT_TRUE(!es__times_write(folder, "p0", &r.head));
	r.head.first = UINT64_C(1) << 40;
	EXPECT_TRUE(!es__times_write(folder, "p0", &r.head));
	r.head.first = UINT64_MAX - RECORD_BYTES + 1;
	EXPECT_TRUE(!es__times_write(folder, "p0", &r.head));
	fake_remove(folder);
}

TEST_MAIN(what_is_added_is_copied_once,
    windows_that_were_merged_are_copied_anew, a_torn_record_waits,
    records_without_a_place_are_refused)
