/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/other_space.c - records tuples of a type of its own into a
 * run directory
 *
 *	other_space DIR NAME TYPE COUNT
 *		creates DIR/NAME.space with two collectors, the second of which
 *		has half as many tuples of the type TYPE: their number, a
 *		temperature in mK, and a value below 1.  The first collector
 *		keeps 100 tuples.  TYPE "bare" has no field but its start.
 *	other_space DIR NAME TYPE COUNT open
 *		leaves the space open, as a program that is killed
 */

#include "collectors/record.h"
#include "collectors/tuple.h"
#include "libpaths/clock.h"
#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sample {
	uint64_t start, stop;
	uint32_t seq;
	int32_t temperature;
	double value;
	uint32_t collector;
	uint32_t pad;
};

#define FIELD(name, kind, unit) \
	{ \
#name, PATHS_TYPE_##kind, offsetof(struct sample, name), \
		    sizeof(((struct sample *)0)->name), unit, "" \
	}

static const struct es_tuple_field fields[] = {
	FIELD(start, U64, "ticks"),
	FIELD(stop, U64, "ticks"),
	FIELD(seq, U32, ""),
	FIELD(temperature, I32, "mK"),
	FIELD(value, F64, ""),
	FIELD(collector, U32, ""),
};

static void
record(struct es_record *record, uint32_t collector, uint32_t count,
    uint32_t bytes)
{
	struct es_record_ring ring;

	if (es_record_ring(record, collector, &ring) != PATHS_OK)
		exit(1);
	for (uint32_t n = 0; n < count; n++) {
		struct sample *s = es_record_reserve(&ring);
		struct sample now = { .start = paths_clock_ticks(),
			.seq = n,
			.temperature = (int32_t)n - 5,
			.value = n / (count + 1.0),
			.collector = collector + 7 };

		memcpy(s, &now, bytes);
		es_record_fill(&ring);
		if (bytes == sizeof(now))
			s->stop = paths_clock_ticks();
		es_record_complete(&ring, paths_clock_ticks());
	}
}

int
main(int argc, char **argv)
{
	bool bare = argc > 3 && strcmp(argv[3], "bare") == 0;
	struct es_tuple_type type = { .about = "a sample",
		.bytes = bare ? 8 : sizeof(struct sample),
		.field_count = bare ? 1 : sizeof(fields) / sizeof(fields[0]),
		.fields = fields };
	struct es_record_collector collectors[2] = {
		{ .mode = ES_MODE_TRACE, .type = &type, .capacity = 100 },
		{ .mode = ES_MODE_TRACE, .type = &type, .capacity = 1000 },
	};
	struct es_record_spec spec = { .process = ES_SPACE_MAPLESS,
		.collectors = collectors,
		.collector_count = 2,
		.map_text = "" };
	struct es_record *space;
	uint32_t count;

	if (argc < 5)
		return 2;
	spec.directory = argv[1];
	spec.process_name = argv[2];
	type.name = argv[3];
	count = (uint32_t)atoi(argv[4]);
	if (es_record_open(&spec, &space) != PATHS_OK) {
		fprintf(stderr, "%s\n", paths_log_last());
		return 1;
	}
	record(space, 0, count, type.bytes);
	record(space, 1, count / 2, type.bytes);
	if (argc > 5)
		_exit(0);
	es_record_close(space);
	return 0;
}
