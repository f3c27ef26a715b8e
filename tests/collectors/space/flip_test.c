/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/flip_test.c - proves collectors/space/verify.c: a
 * flipped bit of a space is reported, or changes nothing that is read
 *
 * Two spaces are recorded and read back into memory.  Each case flips one bit
 * at a time, at places that follow from FLIP_SEED (default 1).  For a random
 * run by hand:
 *
 *	FLIP_SEED=$RANDOM FLIP_COUNT=2000 tests/collectors/space/flip_test
 */

#include "collectors/mpi_space.h"
#include "collectors/record.h"

#include "tests/checksum.h"
#include "tests/collectors/fake.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define CAPACITY 1500u
#define RECORDED 4000u
#define FIRST 1024u /* of a ring that grows */
#define ROWS 20u
#define LOG_BYTES 3000u

/* A file in memory, and the same without a flipped bit, opened. */
struct image {
	char *bytes;
	size_t size;
	int fd; /* of a file in memory */
	char name[64];
	struct es_space *clean;
};

static uint64_t
flip_number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

/* Returns the next number of a sequence (xorshift64). */
static uint64_t
flip_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t
flip_seed(void)
{
	uint64_t seed = flip_number("FLIP_SEED", 1);

	printf("# FLIP_SEED=%llu\n", (unsigned long long)seed);
	/* Not 0, and unlike its neighbours. */
	return (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void
record_path(const struct es_record_ring *ring, uint64_t begin, uint32_t n)
{
	struct es_tuple_path *t = es_record_reserve(ring);

	*t = (struct es_tuple_path){ .start = begin + n * UINT64_C(1000),
		.seq = n,
		.op = (uint16_t)(1 + n % 4),
		.status = 0,
		.element = 1,
		.bytes = 8,
		.step = n / 10 };
	es_record_fill(ring);
	t->stop = t->start + 400 + n % 200;
	es_record_complete(ring, 0);
	es_record_profile(ring, t->op, t->stop - t->start, true);
	es_record_matrix(ring, t->op, t->bytes);
}

static void
record_mpi(const struct es_record_ring *ring, uint64_t begin, uint32_t n)
{
	struct es_tuple_mpi *t = es_record_reserve(ring);

	*t = (struct es_tuple_mpi){ .start = begin + n * UINT64_C(1000),
		.seq = n,
		.op = (uint16_t)(1 + n % 20),
		.comm = 1,
		.peer = (int32_t)(n % 3),
		.bytes = n,
		.site = 1 + n % 9,
		.match = n };
	es_record_fill(ring);
	t->stop = t->start + 400 + n % 200;
	es_record_complete(ring, 0);
}

/* Reads a closed space into memory, and removes its folder. */
static struct image
image_take(const char *folder)
{
	struct image image = { 0 };
	int fd = open(fake_file(folder), O_RDONLY | O_CLOEXEC);
	struct stat status;

	EXPECT_TRUE(fd >= 0);
	EXPECT_OK(fstat(fd, &status));
	image.size = (size_t)status.st_size;
	image.bytes = malloc(image.size);
	EXPECT_EQ(status.st_size, read(fd, image.bytes, image.size));
	(void)close(fd);
	EXPECT_OK(es_space_open(fake_file(folder), &image.clean));
	EXPECT_TRUE(es_space_damage(image.clean, 0) == NULL);
	image.fd = memfd_create("flip", MFD_CLOEXEC);
	EXPECT_EQ(image.size, write(image.fd, image.bytes, image.size));
	/* Opened by this name it is not writable. */
	(void)snprintf(image.name, sizeof(image.name), "/proc/self/fd/%d",
	    image.fd);
	fake_remove(folder);
	return image;
}

static void
image_drop(struct image *image)
{
	es_space_close(image->clean);
	(void)close(image->fd);
	free(image->bytes);
}

/* Opens a space of three collectors, whose rings begin with `first` tuples. */
static struct es_record *
paths_open(const char *folder, uint64_t first, uint64_t capacity)
{
	struct es_record_collector list[3] = { 0 };
	struct es_record_spec spec = { .directory = folder,
		.process_name = "p0",
		.collector_count = 3,
		.map_text = FAKE_MAP,
		.map_bytes = strlen(FAKE_MAP),
		.collectors = list };
	struct es_record *record;

	for (uint32_t i = 0; i < 3; i++)
		list[i] = (struct es_record_collector){ .instance = i,
			.mode = ES_MODE_ALL,
			.type = es_tuple_type_find("path"),
			.capacity = capacity,
			.first = first,
			.profile_ops = 5,
			.profile_classes = 1,
			.matrix_peers = 1,
			.matrix_categories = 5 };
	EXPECT_OK(es_record_open(&spec, &record));
	return record;
}

static struct image
image_of_paths(void)
{
	const char *folder = fake_folder();
	struct es_record *record = paths_open(folder, 0, CAPACITY);

	for (uint32_t i = 0; i < 3; i++) {
		struct es_record_ring ring;
		uint64_t begin = paths_clock_ticks();

		EXPECT_OK(es_record_ring(record, i, &ring));
		/* The last ring has not wrapped. */
		for (uint32_t n = 0; n < RECORDED >> (2 * (i == 2)); n++)
			record_path(&ring, begin, n);
	}
	es_record_close(record);
	return image_take(folder);
}

/* The first ring has grown twice, the second late, the last one not at all. */
static struct image
image_of_grown(void)
{
	const char *folder = fake_folder();
	struct es_record *record = paths_open(folder, FIRST, 4 * FIRST);

	for (uint32_t i = 0; i < 3; i++) {
		struct es_record_ring ring;
		uint64_t begin = paths_clock_ticks();
		uint32_t n = 0, end = i == 2 ? FIRST / 8 : 3 * FIRST + 100;

		EXPECT_OK(es_record_ring(record, i, &ring));
		for (uint64_t grown = FIRST; i == 0 && grown < 4 * FIRST;
		     grown *= 2) {
			while (n < grown - 1)
				record_path(&ring, begin, n++);
			fake_wait_ready(&ring, 2 * grown);
		}
		while (n < end)
			record_path(&ring, begin, n++);
		fake_wait_ready(&ring, i == 1 ? 2 * FIRST : 0);
		while (i == 1 &&
		    atomic_load(&ring.hot->limit) ==
			(uint64_t)FIRST * ring.tuple_bytes)
			record_path(&ring, begin, n++);
	}
	es_record_close(record);
	return image_take(folder);
}

/* Adds rows, or the bytes of a log, with values that follow from `what`. */
static void
record_rows(struct es_record *record, uint32_t what, uint32_t row_bytes,
    uint64_t room)
{
	struct es_record_part want = { .what = what,
		.row_bytes = row_bytes,
		.room = room };
	struct es_space_part *part;
	uint8_t *bytes;

	EXPECT_OK(es_record_add_rows(record, &want, &part));
	bytes = (uint8_t *)(part + 1);
	for (uint64_t n = 0; n < room * row_bytes; n++)
		bytes[n] = (uint8_t)(n * 7 + what);
	atomic_store(&part->used, room);
}

static struct image
image_of_mpi(void)
{
	const char *folder = fake_folder();
	struct es_record_spec spec = { .directory = folder,
		.process_name = "p0",
		.process = ES_SPACE_MAPLESS,
		.map_text = "",
		.added = es_tuple_type_find("mpi") };
	struct es_record_collector want = { .mode = ES_MODE_TRACE,
		.type = spec.added,
		.capacity = CAPACITY };
	struct es_record *record;

	EXPECT_OK(es_record_open(&spec, &record));
	record_rows(record, ES_MPI_CONTROL, sizeof(struct es_mpi_control), 1);
	record_rows(record, ES_MPI_LOG, 1, LOG_BYTES);
	for (uint32_t i = 0; i < 2; i++) {
		struct es_record_ring ring;
		uint64_t begin = paths_clock_ticks();

		EXPECT_OK(es_record_add_ring(record, &want, i, &ring));
		record_rows(record, ES_MPI_PROFILE,
		    sizeof(struct es_mpi_profile), ROWS);
		for (uint32_t n = 0; n < RECORDED >> (2 * i); n++)
			record_mpi(&ring, begin, n);
	}
	record_rows(record, ES_MPI_MATRIX, sizeof(struct es_mpi_matrix), ROWS);
	es_record_close(record);
	return image_take(folder);
}

/* Goes through the tuples of a collector. */
struct walk {
	struct es_space_span spans[2];
	uint32_t bytes;
};

static struct walk
walk_begin(const struct es_space *space, uint32_t n)
{
	struct es_space_collector c;
	struct walk walk = { 0 };

	EXPECT_OK(es_space_collector(space, n, &c));
	EXPECT_OK(es_space_span(space, n, walk.spans));
	EXPECT_EQ(c.count - c.first, walk.spans[0].count + walk.spans[1].count);
	EXPECT_EQ(c.first - c.reset, c.discarded + c.left_out);
	walk.bytes = c.type->bytes;
	return walk;
}

/* Returns the next tuple, or NULL. */
static const char *
walk_next(struct walk *walk)
{
	struct es_space_span *span = &walk->spans[walk->spans[0].count == 0];
	const char *tuple = span->tuples;

	if (span->count == 0)
		return NULL;
	span->count--;
	span->tuples = tuple + walk->bytes;
	return tuple;
}

/* Expects tuples of the clean space, in its order.  Returns false if some are
   missing. */
static bool
same_tuples(const struct es_space *clean, const struct es_space *space,
    uint32_t n)
{
	struct walk want = walk_begin(clean, n), got = walk_begin(space, n);
	const char *tuple, *from;
	bool same = true;

	while ((tuple = walk_next(&got)) != NULL) {
		while ((from = walk_next(&want)) != NULL &&
		    memcmp(tuple, from, want.bytes) != 0)
			same = false;
		EXPECT_TRUE(from != NULL);
	}
	return same && walk_next(&want) == NULL;
}

/* As same_tuples, for profile and matrix. */
static bool
same_rows(const struct es_space *clean, const struct es_space *space,
    uint32_t n)
{
	struct es_profile want, got;
	struct es_matrix want_matrix, got_matrix;
	bool same = true;

	for (uint32_t row = 0; row < 5; row++) {
		if (es_space_profile(clean, n, row, &want) != PATHS_OK)
			return true;
		EXPECT_OK(es_space_matrix(clean, n, row, &want_matrix));
		if (es_space_profile(space, n, row, &got) != PATHS_OK)
			same = false;
		else
			EXPECT_TRUE(memcmp(&want, &got, sizeof(want)) == 0);
		if (es_space_matrix(space, n, row, &got_matrix) != PATHS_OK)
			same = false;
		else
			EXPECT_TRUE(memcmp(&want_matrix, &got_matrix,
					sizeof(want_matrix)) == 0);
	}
	return same;
}

static bool
equal_rows(const struct es_space_rows *a, const struct es_space_rows *b)
{
	return a->kind == b->kind && a->what == b->what &&
	    a->owner == b->owner && a->row_bytes == b->row_bytes &&
	    a->count == b->count &&
	    memcmp(a->rows, b->rows, a->count * a->row_bytes) == 0;
}

/* As same_tuples, for the parts with rows. */
static bool
same_parts(const struct es_space *clean, const struct es_space *space)
{
	struct es_space_rows want, got;
	uint32_t at = 0, n = 0;

	for (; es_space_rows(space, n, &got) == PATHS_OK; n++, at++) {
		EXPECT_OK(es_space_rows(clean, at, &want));
		while (!equal_rows(&want, &got))
			EXPECT_OK(es_space_rows(clean, ++at, &want));
	}
	return at == n && es_space_rows(clean, at, &want) != PATHS_OK;
}

static bool
same_info(const struct es_space *clean, const struct es_space *space)
{
	struct es_space_info want, got;
	bool same;

	es_space_info(clean, &want);
	es_space_info(space, &got);
	EXPECT_STR_EQ(want.map_text, got.map_text);
	EXPECT_STR_EQ(want.process_name, got.process_name);
	EXPECT_EQ(want.pid, got.pid);
	EXPECT_TRUE(got.collector_count <= want.collector_count);
	same = memcmp(&want.latest, &got.latest, sizeof(got.latest)) == 0;
	EXPECT_TRUE(
	    same || memcmp(&want.start, &got.latest, sizeof(got.latest)) == 0);
	return same && want.closed == got.closed &&
	    want.exit_status == got.exit_status &&
	    want.collector_count == got.collector_count;
}

/* Expects a part of what the clean space has.  Returns true if it is all. */
static bool
same_space(const struct es_space *clean, const struct es_space *space)
{
	bool same = same_info(clean, space) && same_parts(clean, space);
	struct es_space_info info;

	es_space_info(space, &info);
	for (uint32_t n = 0; n < info.collector_count; n++) {
		same = same_tuples(clean, space, n) && same;
		same = same_rows(clean, space, n) && same;
	}
	return same;
}

enum outcome { REFUSED, REPORTED, WITHOUT_EFFECT };

/* Opens the image with one bit flipped. */
static enum outcome
image_flip(const struct image *image, uint64_t bit)
{
	off_t at = (off_t)(bit / 8);
	char was = image->bytes[at];
	char flipped = (char)(was ^ 1 << bit % 8);
	enum outcome outcome = REFUSED;
	struct es_space *space;

	EXPECT_EQ(1, pwrite(image->fd, &flipped, 1, at));
	if (es_space_open(image->name, &space) == PATHS_OK) {
		bool same = same_space(image->clean, space);
		const char *line = es_space_damage(space, 0);

		if (!same && line == NULL)
			printf("# silent: bit %llu of byte %lld\n",
			    (unsigned long long)(bit % 8), (long long)at);
		EXPECT_TRUE(same || line != NULL);
		EXPECT_TRUE(line == NULL || strstr(line, image->name) != NULL);
		outcome = line != NULL ? REPORTED : WITHOUT_EFFECT;
		es_space_close(space);
	}
	EXPECT_EQ(1, pwrite(image->fd, &was, 1, at));
	return outcome;
}

/* Flips bits of the bytes [from, to). */
static void
image_flips(const struct image *image, const char *what, size_t from, size_t to,
    uint64_t count)
{
	uint64_t state = flip_seed(), counts[3] = { 0 };

	for (uint64_t n = 0; n < count; n++)
		counts[image_flip(image,
		    8 * from + flip_next(&state) % (8 * (to - from)))]++;
	printf("# %s: of %llu flips %llu refused, %llu reported, %llu without "
	       "effect\n",
	    what, (unsigned long long)count,
	    (unsigned long long)counts[REFUSED],
	    (unsigned long long)counts[REPORTED],
	    (unsigned long long)counts[WITHOUT_EFFECT]);
}

/* Half of the flips are in definitions and counts, the others anywhere. */
static void
image_flips_all(struct image *image, const char *what)
{
	const struct es_space_head *head =
	    (const struct es_space_head *)image->bytes;
	uint64_t count = flip_number("FLIP_COUNT", 2000) / 6;

	image_flips(image, what, 0, head->definitions_bytes, count);
	image_flips(image, what, head->live_offset,
	    head->live_offset +
		(head->collector_count + (uint64_t)1) * ES_SPACE_ALIGN,
	    count);
	image_flips(image, what, head->live_offset, image->size, count);
	image_drop(image);
}

static void
a_flip_in_a_space_of_paths_is_reported_or_without_effect(void)
{
	struct image image = image_of_paths();

	image_flips_all(&image, "paths");
}

static void
a_flip_in_a_space_that_has_grown_is_reported_or_without_effect(void)
{
	struct image image = image_of_grown();

	image_flips_all(&image, "grown");
}

static void
a_flip_in_a_space_of_mpi_is_reported_or_without_effect(void)
{
	struct image image = image_of_mpi();

	image_flips_all(&image, "MPI");
}

/* Random flips seldom meet the lowest bits. */
static void
each_flip_in_the_counts_is_reported_or_without_effect(void)
{
	struct image image = image_of_paths();
	const struct es_space_head *head =
	    (const struct es_space_head *)image.bytes;
	const struct es_space_ring *place =
	    (const struct es_space_ring *)(image.bytes +
		head->collectors_offset);
	uint64_t from = 8 * place->hot_offset;
	uint64_t to = from + 8 * sizeof(struct es_space_hot);

	EXPECT_EQ(REPORTED, image_flip(&image, from));
	for (uint64_t bit = from; bit < to; bit++)
		(void)image_flip(&image, bit);
	image_drop(&image);
}

/* Opens a space whose process records, until a chunk has its checksum. */
static struct es_space *
space_of_recording(const char *folder, uint64_t chunk)
{
	struct es_space_info info;
	struct es_space *space = NULL;

	/* A minute at least. */
	for (int n = 0; n < 6000; n++) {
		EXPECT_OK(es_space_open(fake_file(folder), &space));
		es_space_info(space, &info);
		if (info.tuples - info.unchecked >= chunk)
			break;
		es_space_close(space);
		space = NULL;
		(void)usleep(10000);
	}
	EXPECT_TRUE(space != NULL);
	return space;
}

/* So those of a process that is killed are found, too. */
static void
a_flip_in_a_chunk_is_found_while_the_process_records(void)
{
	const char *folder = fake_folder();
	struct es_record *record = paths_open(folder, 0, CAPACITY);
	uint64_t chunk = ES_SPACE_CHUNK_BYTES / sizeof(struct es_tuple_path);
	uint64_t begin = paths_clock_ticks();
	struct es_record_ring ring;
	struct es_space_collector c;
	struct es_space *space;

	EXPECT_OK(es_record_ring(record, 0, &ring));
	/* The last tuples are those of a chunk that is not complete. */
	for (uint32_t n = 0; n < chunk + 3; n++)
		record_path(&ring, begin, n);
	space = space_of_recording(folder, chunk);
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	es_space_close(space);
	((struct es_tuple_path *)ring.tuples)[5].bytes ^= 1;
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	EXPECT_TRUE(
	    strstr(es_space_damage(space, 0), "checksum is wrong") != NULL);
	EXPECT_OK(es_space_collector(space, 0, &c));
	EXPECT_EQ(chunk, c.left_out);
	EXPECT_EQ(chunk + 3, c.count);
	es_space_close(space);
	es_record_close(record);
	fake_remove(folder);
}

/* Without its entry, nothing says whether the tuples of a chunk are right. */
static void
a_flip_in_the_entry_of_a_chunk_is_reported(void)
{
	struct image image = image_of_paths();
	const struct es_space_head *head =
	    (const struct es_space_head *)image.bytes;
	const struct es_space_ring *place =
	    (const struct es_space_ring *)(image.bytes +
		head->collectors_offset);
	uint64_t entry = place->chunks_offset + sizeof(struct es_space_chunk);

	for (uint64_t bit = 0; bit < 8 * sizeof(struct es_space_chunk); bit++)
		EXPECT_EQ(REPORTED, image_flip(&image, 8 * entry + bit));
	image_drop(&image);
}

/* Takes away the checksums that a process which was killed early lacks. */
static void
image_unseal(struct image *image)
{
	const struct es_space_head *head =
	    (const struct es_space_head *)image->bytes;
	const struct es_space_ring *place =
	    (const struct es_space_ring *)(image->bytes +
		head->collectors_offset);
	struct es_space_live *live =
	    (struct es_space_live *)(image->bytes + head->live_offset);

	for (uint32_t n = 0; n < head->collector_count; n++)
		memset(image->bytes + place[n].chunks_offset, 0,
		    es_space_chunk_count(place[n].capacity,
			place[n].chunk_tuples) *
			sizeof(struct es_space_chunk));
	live->sealed = 0;
	live->closed = 0;
	EXPECT_EQ(image->size, pwrite(image->fd, image->bytes, image->size, 0));
	es_space_close(image->clean);
	EXPECT_OK(es_space_open(image->name, &image->clean));
	EXPECT_TRUE(es_space_damage(image->clean, 0) == NULL);
}

/* Returns the number of tuples that are left out with one bit flipped. */
static uint64_t
image_left_out(const struct image *image, uint64_t bit)
{
	char flipped = (char)(image->bytes[bit / 8] ^ 1 << bit % 8);
	struct es_space_collector c;
	struct es_space *space;
	uint64_t count = 0;

	EXPECT_EQ(1, pwrite(image->fd, &flipped, 1, (off_t)(bit / 8)));
	EXPECT_OK(es_space_open(image->name, &space));
	for (uint32_t n = 0; n < 3; n++) {
		EXPECT_OK(es_space_collector(space, n, &c));
		count += c.left_out;
	}
	EXPECT_EQ(count == 0, es_space_damage(space, 0) == NULL);
	es_space_close(space);
	EXPECT_EQ(1,
	    pwrite(image->fd, &image->bytes[bit / 8], 1, (off_t)(bit / 8)));
	return count;
}

/* The share of the others is printed. */
static void
a_flip_of_minutes_is_found_without_a_checksum(void)
{
	struct image image = image_of_paths();
	const struct es_space_head *head =
	    (const struct es_space_head *)image.bytes;
	const struct es_space_ring *place =
	    (const struct es_space_ring *)(image.bytes +
		head->collectors_offset);
	uint64_t state = flip_seed(), found = 0;
	uint64_t count = flip_number("FLIP_COUNT", 2000) / 2;

	image_unseal(&image);
	for (uint64_t n = 0; n < count; n++) {
		uint64_t bit = flip_next(&state) % (8 * 36);
		uint64_t tuple = flip_next(&state) % CAPACITY;
		uint64_t left_out = image_left_out(&image,
		    8 * (place[n % 2].ring_offset + 36 * tuple) + bit);

		EXPECT_TRUE(left_out <= 1);
		found += left_out;
		/* 2^40 ticks are minutes. */
		EXPECT_TRUE(left_out == 1 || bit >= 128 || bit % 64 < 40);
	}
	printf("# of %llu flips in tuples without a checksum %llu are found\n",
	    (unsigned long long)count, (unsigned long long)found);
	image_drop(&image);
}

struct writer {
	struct es_record_ring ring;
	uint64_t begin;
	_Atomic bool stop;
};

/* Records until it is told to stop, so slowly that a reader opens the space
   several times while the ring is overwritten once. */
static void *
writer_run(void *arg)
{
	struct writer *w = arg;

	for (uint32_t n = 0; !atomic_load(&w->stop); n++) {
		record_path(&w->ring, w->begin, n);
		if (n % 256 == 0)
			(void)usleep(100);
	}
	return NULL;
}

/* A tuple without a checksum is compared with the one before, which the process
   may overwrite meanwhile. */
static void
a_space_that_is_overwritten_while_it_is_opened_is_whole(void)
{
	const char *folder = fake_folder();
	struct es_record *record = paths_open(folder, 0, 8192);
	struct writer w = { .begin = paths_clock_ticks() };
	struct es_space_collector c;
	pthread_t thread;

	EXPECT_OK(es_record_ring(record, 0, &w.ring));
	EXPECT_OK(pthread_create(&thread, NULL, writer_run, &w));
	for (int good = 0; good < 500;) {
		struct es_space *space;

		EXPECT_OK(es_space_open(fake_file(folder), &space));
		EXPECT_TRUE(es_space_damage(space, 0) == NULL);
		EXPECT_OK(es_space_collector(space, 0, &c));
		good += c.first > 0;
		es_space_close(space);
	}
	atomic_store(&w.stop, true);
	EXPECT_OK(pthread_join(thread, NULL));
	es_record_close(record);
	fake_remove(folder);
}

TEST_MAIN(a_flip_of_minutes_is_found_without_a_checksum,
    a_flip_in_a_space_of_paths_is_reported_or_without_effect,
    a_flip_in_a_space_that_has_grown_is_reported_or_without_effect,
    a_flip_in_a_space_of_mpi_is_reported_or_without_effect,
    each_flip_in_the_counts_is_reported_or_without_effect,
    a_flip_in_a_chunk_is_found_while_the_process_records,
    a_space_that_is_overwritten_while_it_is_opened_is_whole,
    a_flip_in_the_entry_of_a_chunk_is_reported)
