/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/space_fuzz.c - the reader of event spaces survives any bytes
 *
 * The input is a file.  If its first byte is 0, the header before the
 * definitions is corrected, and so are the checksums of definitions and parts,
 * so that the input reaches the later checks.  If its second byte is 0 too, it
 * is of the present format, else of format 2.  Each input is opened twice: to
 * read, which checks tuples, and to switch modes, which does not.
 */

#include "collectors/space/checksum_private.h"
#include "collectors/space/seal_private.h"
#include "collectors/space_format.h"

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes of tuples that are read at a time. */
#define PIECE (4u * ES_TUPLE_BYTES_MAX)

/* Corrects the checksums of the headers of parts, the first of which is at an
   offset. */
static void
seal_parts(uint8_t *bytes, size_t size, uint64_t at)
{
	/* A header, and the collector of one with a ring. */
	struct es_space_part part[2];

	while (at <= size && size - at >= sizeof(part)) {
		memcpy(part, bytes + at, sizeof(part));
		part->checksum = es__seal_part(part);
		memcpy(bytes + at, part, sizeof(part));
		if (part->bytes < sizeof(part) || part->bytes > size)
			break;
		at += part->bytes;
	}
}

/* Makes the space one that has not ended, whose counts need no checksum. */
static void
seal_live(uint8_t *bytes, size_t size, uint64_t at)
{
	uint32_t zero = 0;

	at += offsetof(struct es_space_live, sealed);
	if (at <= size && size - at >= sizeof(zero))
		memcpy(bytes + at, &zero, sizeof(zero));
}

static void
seal(uint8_t *bytes, size_t size)
{
	struct es_space_head head;

	if (size < sizeof(head) || bytes[0] != 0)
		return;
	memcpy(&head, bytes, sizeof(head));
	head.version = bytes[1] == 0 ? ES_SPACE_VERSION : 2;
	memcpy(head.magic, ES_SPACE_MAGIC, sizeof(head.magic));
	head.byte_order = ES_SPACE_BYTE_ORDER;
	head.head_bytes = ES_SPACE_PAGE;
	memcpy(bytes, &head, sizeof(head));
	if (head.definitions_bytes < ES_SPACE_PAGE ||
	    head.definitions_bytes > size)
		return;
	bytes += ES_SPACE_CHECKED;
	head.definitions_bytes -= ES_SPACE_CHECKED;
	head.checksum = head.version == 2 ?
	    es__checksum_2(bytes, head.definitions_bytes) :
	    es__checksum(0, bytes, head.definitions_bytes);
	bytes -= ES_SPACE_CHECKED;
	memcpy(bytes + offsetof(struct es_space_head, checksum), &head.checksum,
	    sizeof(head.checksum));
	seal_live(bytes, size, head.live_offset);
	seal_parts(bytes, size, head.file_bytes);
}

/* Returns a value that depends on each byte, so that all are read. */
static uint64_t
sum_of(const void *bytes, size_t size)
{
	const uint8_t *p = bytes;
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + p[i];
	return sum;
}

static uint64_t
walk_tuples(const struct es_space *space, uint32_t n,
    const struct es_space_collector *c, char *piece)
{
	struct es_space_run run = { .count = PIECE / c->type->bytes };
	struct es_space_span spans[2];
	uint64_t sum = 0;

	if (es_space_span(space, n, spans) == PATHS_OK) {
		for (int i = 0; i < 2; i++)
			sum += sum_of(spans[i].tuples,
			    spans[i].count * c->type->bytes);
	}
	for (int i = 0; i < 64; i++) {
		if (es_space_read(space, n, &run, piece) != PATHS_OK)
			abort();
		if (run.count == 0)
			break;
		sum += sum_of(piece, run.count * c->type->bytes);
		run.first += run.count;
		run.count = PIECE / c->type->bytes;
	}
	return sum;
}

static uint64_t
walk_collector(const struct es_space *space, uint32_t n, char *piece)
{
	struct es_space_collector c;
	struct es_profile profile;
	struct es_matrix matrix;
	uint64_t sum = 0;

	if (es_space_collector(space, n, &c) != PATHS_OK)
		abort();
	if (c.first > c.count || c.count - c.first > c.capacity)
		abort();
	for (uint32_t row = 0; row < 100; row++) {
		if (es_space_profile(space, n, row, &profile) == PATHS_OK)
			sum += sum_of(&profile, sizeof(profile));
		if (es_space_matrix(space, n, row, &matrix) == PATHS_OK)
			sum += sum_of(&matrix, sizeof(matrix));
	}
	for (uint32_t i = 0; i < c.type->field_count; i++)
		sum += strlen(c.type->fields[i].name) +
		    strlen(c.type->fields[i].unit) +
		    strlen(c.type->fields[i].about);
	return sum + walk_tuples(space, n, &c, piece);
}

static uint64_t
walk_rows(const struct es_space *space)
{
	struct es_space_rows rows;
	uint64_t sum = 0;

	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++)
		sum += sum_of(rows.rows, rows.count * rows.row_bytes);
	return sum;
}

static uint64_t
walk(struct es_space *space, char *piece)
{
	struct es_space_info info;
	uint64_t sum;

	es_space_info(space, &info);
	sum = sum_of(info.map_text, info.map_bytes + 1) +
	    strlen(info.process_name) + strlen(info.host_name) +
	    strlen(info.clock_domain);
	for (uint32_t n = 0; es_space_damage(space, n) != NULL; n++)
		sum += strlen(es_space_damage(space, n));
	for (uint32_t n = 0; n < info.collector_count; n++) {
		sum += walk_collector(space, n, piece);
		/* PATHS_ENOENT: the file ends before the collector. */
		if (es_space_switch(space, n, ES_MODE_OFF) == PATHS_OK &&
		    es_space_reset(space, n) != PATHS_OK)
			abort();
		sum += walk_collector(space, n, piece);
	}
	return sum + walk_rows(space);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("space", MFD_CLOEXEC);
	uint8_t *bytes = malloc(size + 1);
	char *piece = malloc(PIECE);
	struct es_space *space;
	volatile uint64_t sum = 0;
	char name[64];

	if (fd < 0 || bytes == NULL || piece == NULL)
		abort();
	if (size > 0)
		memcpy(bytes, data, size);
	seal(bytes, size);
	if (write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (es_space_open(name, &space) == PATHS_OK) {
		sum = walk(space, piece);
		es_space_close(space);
	}
	if (es_space_open_fd(fd, "space", &space) == PATHS_OK) {
		sum += walk(space, piece);
		es_space_close(space);
	}
	(void)sum;
	(void)close(fd);
	free(bytes);
	free(piece);
	return 0;
}
