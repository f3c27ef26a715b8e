/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/check_test.c - proves collectors/space/check.c
 */

#include "tests/checksum.h"
#include "tests/collectors/fake.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define COLLECTORS 3u
#define CAPACITY 20u

/* The bytes of a space, to be changed and opened. */
struct image {
	uint8_t *bytes;
	size_t size;
	struct es_space_head *head; /* at the begin of bytes */
};

/* Collector k has recorded k * 15 tuples: none, some, and all slots twice. */
static struct image
image_make(void)
{
	const char *folder = fake_folder();
	struct es_record_ring ring;
	struct es_record *record;
	struct image image;
	struct stat status;
	int fd;

	EXPECT_OK(fake_open(folder, COLLECTORS, CAPACITY, &record));
	for (uint32_t k = 0; k < COLLECTORS; k++) {
		EXPECT_OK(es_record_ring(record, k, &ring));
		for (uint64_t n = 0; n < k * 15; n++)
			fake_record(&ring, n);
	}
	es_record_close(record);
	fd = open(fake_file(folder), O_RDONLY);
	EXPECT_OK(fstat(fd, &status));
	image.size = (size_t)status.st_size;
	image.bytes = malloc(image.size);
	image.head = (struct es_space_head *)image.bytes;
	EXPECT_EQ(image.size, read(fd, image.bytes, image.size));
	(void)close(fd);
	fake_remove(folder);
	return image;
}

/* Opens the first size bytes of an image. */
static paths_status
image_open(const struct image *image, size_t size, struct es_space **space)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	paths_status st;

	EXPECT_TRUE(fd >= 0);
	EXPECT_EQ(size, write(fd, image->bytes, size));
	st = es_space_open_fd(fd, "image", space);
	(void)close(fd);
	return st;
}

static paths_status
image_status(const struct image *image, size_t size)
{
	struct es_space *space = NULL;
	paths_status st = image_open(image, size, &space);

	es_space_close(space);
	return st;
}

static struct es_space_ring *
image_ring(const struct image *image, uint32_t n)
{
	return (struct es_space_ring *)(image->bytes +
		   image->head->collectors_offset) +
	    n;
}

/* Stores the checksum of the definitions, which the case has changed. */
static void
image_seal(const struct image *image)
{
	test_seal_head(image->head);
}

static void
a_whole_space_has_no_damage(void)
{
	struct image image = image_make();
	struct es_space *space;

	EXPECT_OK(image_open(&image, image.size, &space));
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	es_space_close(space);
	free(image.bytes);
}

static void
a_file_cut_in_its_definitions_is_refused(void)
{
	struct image image = image_make();

	for (size_t size = 0; size < image.head->definitions_bytes; size++)
		EXPECT_EQ(PATHS_EDAMAGED, image_status(&image, size));
	EXPECT_OK(image_status(&image, image.head->definitions_bytes));
	free(image.bytes);
}

/* Checks the remaining tuples of each collector; returns their number. */
static uint64_t
expect_rest(const struct es_space *space)
{
	uint64_t rest = 0;

	for (uint32_t k = 0; k < COLLECTORS; k++) {
		struct es_tuple_path tuples[CAPACITY];
		struct es_space_run run = { .count = CAPACITY };
		struct es_space_collector c;
		struct es_space_span spans[2];

		EXPECT_OK(es_space_collector(space, k, &c));
		EXPECT_OK(es_space_read(space, k, &run, tuples));
		EXPECT_EQ(c.first, run.first);
		EXPECT_EQ(c.count - c.first, run.count);
		EXPECT_TRUE(fake_holds(tuples, run.first, run.count));
		EXPECT_OK(es_space_span(space, k, spans));
		EXPECT_EQ(run.count, spans[0].count + spans[1].count);
		rest += run.count;
	}
	return rest;
}

static void
a_file_cut_behind_its_definitions_is_read_up_to_the_cut(void)
{
	struct image image = image_make();
	uint64_t before = 0;

	for (size_t size = image.head->definitions_bytes; size < image.size;
	     size++) {
		struct es_space *space;
		uint64_t rest;

		EXPECT_OK(image_open(&image, size, &space));
		EXPECT_TRUE(es_space_damage(space, 0) != NULL);
		rest = expect_rest(space);
		EXPECT_TRUE(rest >= before && rest <= before + 10);
		before = rest;
		es_space_close(space);
	}
	EXPECT_EQ(15 + CAPACITY, before);
	free(image.bytes);
}

static void
a_cut_is_reported_for_each_collector_it_hits(void)
{
	struct image image = image_make();
	size_t size = image_ring(&image, 1)->ring_offset;
	struct es_space *space;

	EXPECT_OK(image_open(&image, size, &space));
	EXPECT_TRUE(strstr(es_space_damage(space, 0), "cut short") != NULL);
	EXPECT_TRUE(strstr(es_space_damage(space, 1), "collector 1") != NULL);
	EXPECT_TRUE(strstr(es_space_damage(space, 2), "collector 2") != NULL);
	EXPECT_TRUE(es_space_damage(space, 3) == NULL);
	es_space_close(space);
	free(image.bytes);
}

static void
every_changed_bit_of_the_definitions_is_seen(void)
{
	struct image image = image_make();

	for (size_t i = 0; i < image.head->definitions_bytes; i++) {
		uint8_t bit = (uint8_t)(1u << i % 8);

		image.bytes[i] ^= bit;
		EXPECT_TRUE(image_status(&image, image.size) != PATHS_OK);
		image.bytes[i] ^= bit;
	}
	free(image.bytes);
}

static void
another_format_has_another_status_than_damage(void)
{
	struct image image = image_make();
	struct es_space_head head = *image.head;

	image.head->magic[0] = 0;
	EXPECT_EQ(PATHS_EDAMAGED, image_status(&image, image.size));
	*image.head = head;
	image.head->version = ES_SPACE_VERSION + 1;
	EXPECT_EQ(PATHS_EABI, image_status(&image, image.size));
	image.head->version = ES_SPACE_VERSION_OLDEST - 1;
	EXPECT_EQ(PATHS_EABI, image_status(&image, image.size));
	*image.head = head;
	image.head->byte_order = __builtin_bswap32(head.byte_order);
	EXPECT_EQ(PATHS_EABI, image_status(&image, image.size));
	*image.head = head;
	image.head->byte_order = 0;
	EXPECT_EQ(PATHS_EDAMAGED, image_status(&image, image.size));
	free(image.bytes);
}

/* Expects that a file with a wrong number and a valid checksum is refused. */
#define EXPECT_REFUSED(image, lvalue, value) \
	do { \
		__typeof__(lvalue) saved = (lvalue); \
		(lvalue) = (value); \
		image_seal(image); \
		EXPECT_EQ(PATHS_EDAMAGED, image_status(image, (image)->size)); \
		(lvalue) = saved; \
	} while (0)

static void
wrong_definitions_with_a_valid_checksum_are_refused(void)
{
	struct image image = image_make();
	struct es_space_head *h = image.head;

	EXPECT_REFUSED(&image, h->head_bytes, 0);
	EXPECT_REFUSED(&image, h->live_offset, 0);
	EXPECT_REFUSED(&image, h->live_offset, UINT64_MAX - 7);
	EXPECT_REFUSED(&image, h->types_offset, UINT64_MAX - 7);
	EXPECT_REFUSED(&image, h->types_offset, h->types_offset + 1);
	EXPECT_REFUSED(&image, h->fields_offset, 0);
	EXPECT_REFUSED(&image, h->collectors_offset, h->definitions_bytes);
	EXPECT_REFUSED(&image, h->map_bytes, UINT64_MAX);
	EXPECT_REFUSED(&image, h->map_bytes, h->map_bytes - 1);
	EXPECT_REFUSED(&image, h->type_count, UINT32_MAX);
	EXPECT_REFUSED(&image, h->type_count, 0);
	EXPECT_REFUSED(&image, h->field_count, 1);
	EXPECT_REFUSED(&image, h->collector_count, UINT32_MAX);
	memset(h->process_name, 'x', sizeof(h->process_name));
	image_seal(&image);
	EXPECT_EQ(PATHS_EDAMAGED, image_status(&image, image.size));
	free(image.bytes);
}

static void
wrong_collectors_with_a_valid_checksum_are_refused(void)
{
	struct image image = image_make();
	struct es_space_ring *r = image_ring(&image, 2);

	EXPECT_REFUSED(&image, r->type, 1);
	EXPECT_REFUSED(&image, r->tuple_bytes, 40);
	EXPECT_REFUSED(&image, r->capacity, 0);
	EXPECT_REFUSED(&image, r->capacity, UINT64_MAX / 36 + 2);
	EXPECT_REFUSED(&image, r->capacity, CAPACITY * 1000);
	EXPECT_REFUSED(&image, r->hot_offset, 0);
	EXPECT_REFUSED(&image, r->hot_offset, r->hot_offset + 4);
	EXPECT_REFUSED(&image, r->hot_offset, image.head->file_bytes - 8);
	EXPECT_REFUSED(&image, r->ring_offset, ES_SPACE_PAGE);
	EXPECT_REFUSED(&image, r->profile_ops, UINT32_MAX);
	EXPECT_REFUSED(&image, r->profile_classes, UINT32_MAX);
	EXPECT_REFUSED(&image, r->matrix_peers, UINT32_MAX);
	EXPECT_REFUSED(&image, r->matrix_offset, UINT64_MAX - 7);
	free(image.bytes);
}

static void
wrong_types_with_a_valid_checksum_are_refused(void)
{
	struct image image = image_make();
	struct es_space_type *type =
	    (struct es_space_type *)(image.bytes + image.head->types_offset);
	struct es_space_field *field =
	    (struct es_space_field *)(image.bytes + image.head->fields_offset);

	EXPECT_REFUSED(&image, type->bytes, 0);
	EXPECT_REFUSED(&image, type->field_first, 1);
	EXPECT_REFUSED(&image, type->field_first, UINT32_MAX);
	EXPECT_REFUSED(&image, type->field_count, UINT32_MAX);
	EXPECT_REFUSED(&image, type->field_count, 0);
	EXPECT_REFUSED(&image, field->offset, 4);
	EXPECT_REFUSED(&image, field->kind, 99);
	EXPECT_REFUSED(&image, field[2].offset, 33);
	EXPECT_REFUSED(&image, field[2].bytes, 8);
	memset(field[3].name, 'x', sizeof(field[3].name));
	image_seal(&image);
	EXPECT_EQ(PATHS_EDAMAGED, image_status(&image, image.size));
	free(image.bytes);
}

static void
counts_that_contradict_each_other_are_reported(void)
{
	struct image image = image_make();
	struct es_space_hot *hot = (struct es_space_hot *)(image.bytes +
	    image_ring(&image, 2)->hot_offset);
	struct es_space_collector c;
	struct es_space *space;

	hot->filled = UINT64_MAX;
	EXPECT_OK(image_open(&image, image.size, &space));
	EXPECT_TRUE(strstr(es_space_damage(space, 0), "collector 2") != NULL);
	EXPECT_OK(es_space_collector(space, 2, &c));
	EXPECT_TRUE(c.count - c.first <= CAPACITY);
	es_space_close(space);
	free(image.bytes);
}

TEST_MAIN(a_whole_space_has_no_damage, a_file_cut_in_its_definitions_is_refused,
    a_file_cut_behind_its_definitions_is_read_up_to_the_cut,
    a_cut_is_reported_for_each_collector_it_hits,
    every_changed_bit_of_the_definitions_is_seen,
    another_format_has_another_status_than_damage,
    wrong_definitions_with_a_valid_checksum_are_refused,
    wrong_collectors_with_a_valid_checksum_are_refused,
    wrong_types_with_a_valid_checksum_are_refused,
    counts_that_contradict_each_other_are_reported)
