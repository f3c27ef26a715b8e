/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/space_fuzz.c - the reader of event spaces survives any bytes
 *
 * The input is a file.  In half of the mutations all checksums are corrected,
 * so that inputs reach the code behind them.  Each input is opened twice: to
 * read, which checks tuples, and to switch modes, which does not.
 */

#include "collectors/space.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes of tuples that are read at a time. */
#define PIECE (4u * ES_TUPLE_BYTES_MAX)

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

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	size = LLVMFuzzerMutate(data, size, most);
	if (seed % 2 != 0)
		fuzz_repair(data, size);
	return size;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("space", MFD_CLOEXEC);
	char *piece = malloc(PIECE);
	struct es_space *space;
	volatile uint64_t sum = 0;
	char name[64];

	if (fd < 0 || piece == NULL)
		abort();
	if (write(fd, data, size) != (ssize_t)size)
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
	free(piece);
	return 0;
}
