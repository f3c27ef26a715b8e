/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/model/bluewaters.c - times that were measured on Blue Waters
 */

#include "tests/scopes/model/bluewaters.h"

#include "libpaths/base/array.h"

#include "tests/test.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 16384
/* Sizes are numbers of ints. */
#define INT_BYTES 4u

const char *
bluewaters_path(const char *file)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/tests/scopes/model/bluewaters/%s",
	    test_srcdir(), file);
	return path;
}

static FILE *
bluewaters_open(const char *file)
{
	FILE *from = fopen(bluewaters_path(file), "re");

	if (from == NULL) {
		perror(bluewaters_path(file));
		exit(1);
	}
	return from;
}

static void
sample_add(struct bluewaters_samples *samples, struct es_model_sample sample)
{
	if (!paths__array_grow(&samples->list, samples->count, &samples->room,
		sizeof(*samples->list)))
		abort();
	samples->list[samples->count++] = sample;
}

/* A column is a number of active pairs; a time is of a send and a receive. */
struct bluewaters_samples
bluewaters_samples(const char *file)
{
	struct bluewaters_samples samples = { NULL, 0, 0 };
	FILE *from = bluewaters_open(file);
	char line[LINE_BYTES];

	while (fgets(line, sizeof(line), from) != NULL) {
		char *at = line, *end;
		uint64_t bytes;

		if (!isdigit((unsigned char)*line))
			continue;
		bytes = strtoull(line, &at, 10) * INT_BYTES;
		for (uint32_t ppn = 1;; ppn++) {
			double seconds = strtod(at, &end);

			if (end == at)
				break;
			at = end;
			sample_add(&samples,
			    (struct es_model_sample){ bytes, ppn,
				seconds / 2 });
		}
	}
	fclose(from);
	return samples;
}

static void
burst_add(struct bluewaters_bursts *bursts, struct es_model_burst burst)
{
	if (!paths__array_grow(&bursts->list, bursts->count, &bursts->room,
		sizeof(*bursts->list)))
		abort();
	bursts->list[bursts->count++] = burst;
}

struct bluewaters_bursts
bluewaters_bursts(const char *file)
{
	struct bluewaters_bursts bursts = { NULL, 0, 0 };
	FILE *from = bluewaters_open(file);
	char line[LINE_BYTES];
	unsigned long messages = 0, ints = 0;

	while (fgets(line, sizeof(line), from) != NULL) {
		char *at = line, *end;

		if (sscanf(line, "Num Msgs %lu", &messages) == 1 ||
		    sscanf(line, "SizeMsgs %lu", &ints) == 1 ||
		    !isdigit((unsigned char)*line))
			continue;
		for (;; at = end) {
			double seconds = strtod(at, &end);

			if (end == at)
				break;
			burst_add(&bursts,
			    (struct es_model_burst){ messages, ints * INT_BYTES,
				seconds / 2 });
		}
	}
	fclose(from);
	return bursts;
}

/* Returns the level that a line names after those that were read. */
static struct bluewaters_level *
level_find(struct bluewaters_level *levels, size_t *count, bool product,
    unsigned level)
{
	for (size_t n = 0; n < *count; n++)
		if (levels[n].product == product && levels[n].level == level)
			return &levels[n];
	levels[*count] = (struct bluewaters_level){ .product = product,
		.level = level,
		.seconds = INFINITY };
	return &levels[(*count)++];
}

/* Takes the value of a line that begins "Num Short Node: " and the like. */
static void
level_value(const char *line, const char *what, const char *protocol,
    const char *place, double *value)
{
	char want[64];
	int length =
	    snprintf(want, sizeof(want), "%s %s%s: ", what, protocol, place);

	if (strncmp(line, want, (size_t)length) == 0)
		*value = strtod(line + length, NULL);
}

static void
level_line(struct bluewaters_level *level, const char *line)
{
	static const char *const protocols[] = { "Short", "Eager", "Rend" };
	static const char *const places[] = { " Socket", " Node", "" };
	double value;

	if (sscanf(line, "Max Num Msgs: %lf", &value) == 1)
		level->most = value;
	else if (sscanf(line, "Total Bytes = %lf", &value) == 1)
		level->bytes = value;
	else if (sscanf(line, "Byte Hops = %lf", &value) == 1)
		level->byte_hops = value;
	else if (sscanf(line, "Comm Time: %lf", &value) == 1)
		level->seconds = fmin(level->seconds, value);
	for (unsigned p = 0; p < 3; p++)
		for (unsigned l = 0; l < 3; l++) {
			level_value(line, "Num", protocols[p], places[l],
			    &level->count[l][p]);
			level_value(line, "Size", protocols[p], places[l],
			    &level->size[l][p]);
		}
}

size_t
bluewaters_levels(struct bluewaters_level *levels, size_t room)
{
	FILE *from = bluewaters_open("lin_elas_8192.out");
	struct bluewaters_level *level = NULL;
	char line[LINE_BYTES];
	unsigned number = 0;
	size_t count = 0;

	while (fgets(line, sizeof(line), from) != NULL && count < room) {
		(void)sscanf(line, "Level %u", &number);
		if (strncmp(line, "A*", 2) == 0)
			level =
			    level_find(levels, &count, line[2] == 'P', number);
		else if (level != NULL)
			level_line(level, line);
	}
	fclose(from);
	return count;
}
