/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/fakes.h - stages and maps for the tests of maps
 *
 * The stages have the flags, types and options that a stage may have, so the
 * tests do not depend on the stages of the library.
 */

#ifndef TESTS_LIBPATHS_MAP_FAKES_H
#define TESTS_LIBPATHS_MAP_FAKES_H

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline enum paths_pass
fake_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)op;
	(void)slot;
	return PATHS_PASS_ON;
}

static const struct paths_option no_options[] = { { .name = NULL } };

/* Options of every kind. */
static const struct paths_option all_options[] = {
	{ .name = "first" },
	{ .name = "-word", .default_text = "usual" },
	{ .name = "-count", .kind = PATHS_OPTION_COUNT },
	{ .name = "-bytes", .kind = PATHS_OPTION_BYTES },
	{ .name = "-time", .kind = PATHS_OPTION_TIME },
	{ .name = "-rate", .kind = PATHS_OPTION_RATE },
	{ .name = "-type", .kind = PATHS_OPTION_TYPE },
	{ .name = "-choice",
	    .kind = PATHS_OPTION_CHOICE,
	    .choices = "red|green|blue",
	    .default_text = "green" },
	{ .name = "second", .kind = PATHS_OPTION_COUNT },
	{ .name = NULL },
};

static const struct paths_option typed_options[] = {
	{ .name = "-type",
	    .kind = PATHS_OPTION_TYPE,
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = NULL },
};

static const struct paths_option change_options[] = {
	{ .name = "-above",
	    .kind = PATHS_OPTION_TYPE,
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = "-below",
	    .kind = PATHS_OPTION_TYPE,
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = NULL },
};

static const struct paths_option side_options[] = {
	{ .name = "chain",
	    .kind = PATHS_OPTION_CHAIN,
	    .flags = PATHS_OPTION_REQUIRED },
	{ .name = NULL },
};

static const struct paths_option sides_options[] = {
	{ .name = "one", .kind = PATHS_OPTION_CHAIN },
	{ .name = "two", .kind = PATHS_OPTION_CHAIN },
	{ .name = "-word", .default_text = "usual" },
	{ .name = "three", .kind = PATHS_OPTION_CHAIN },
	{ .name = NULL },
};

static const struct paths_option broken_options[] = {
	{ .name = "-n", .kind = PATHS_OPTION_COUNT, .default_text = "many" },
	{ .name = NULL },
};

static inline paths_status
typed_types(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	*above = paths_map_option(item, "-type")->type;
	*below = *above;
	if (inputs > 999)
		return paths_log_fail(PATHS_ERANGE, "%u is over 999", inputs);
	return PATHS_OK;
}

static inline paths_status
change_types(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	(void)inputs;
	*above = paths_map_option(item, "-above")->type;
	*below = paths_map_option(item, "-below")->type;
	return PATHS_OK;
}

#define FAKE(what, ...) \
	{ \
		.abi = PATHS_STAGE_ABI, .name = what, .down = fake_down, \
		__VA_ARGS__ \
	}

static const struct paths_stage_ops fakes[] = {
	FAKE("pass", .options = no_options),
	FAKE("bare", .options = NULL),
	FAKE("all", .options = all_options),
	FAKE("broken", .options = broken_options),
	FAKE("typed", .options = typed_options, .types = typed_types),
	FAKE("change", .options = change_options, .types = change_types),
	FAKE("behind", .flags = PATHS_STAGE_BEHIND),
	FAKE("side", .flags = PATHS_STAGE_SIDE, .options = side_options),
	FAKE("turn", .flags = PATHS_STAGE_END),
	FAKE("writes", .kinds = PATHS_KIND_BIT(PATHS_WRITE)),
	FAKE("reads", .kinds = PATHS_KIND_BIT(PATHS_READ)),
	FAKE("swaps", .flags = PATHS_STAGE_JOIN,
	    .kinds =
		PATHS_KIND_BIT(PATHS_WRITE) | PATHS_KIND_BIT(PATHS_EXCHANGE)),
	FAKE("fork", .flags = PATHS_STAGE_SIDE | PATHS_STAGE_END,
	    .options = side_options),
	FAKE("sides", .flags = PATHS_STAGE_SIDE | PATHS_STAGE_END,
	    .options = sides_options, .kinds = PATHS_KIND_BIT(PATHS_READ)),
	FAKE("join", .flags = PATHS_STAGE_JOIN),
	FAKE("joint", .flags = PATHS_STAGE_JOIN, .options = typed_options,
	    .types = typed_types),
};

static inline void
register_fakes(void)
{
	for (size_t n = 0; n < COUNT(fakes); n++)
		EXPECT_OK(paths_stage_register(&fakes[n]));
}

/* Nine lines; a case adds lines from line 10 on. */
#define BASE \
	"pathmap 1\n" \
	"host h\n" \
	"host far -address far.example\n" \
	"process p -host h -listen tcp:7100\n" \
	"process q -host h\n" \
	"process r -host far\n" \
	"thread t -process p\n" \
	"thread u -process p\n" \
	"element e -process p -type f64*1\n"

static inline struct paths_map *
parse(const char *text)
{
	struct paths_map *map = NULL;
	paths_status st = paths_map_parse(text, strlen(text), "m", &map);

	if (st != PATHS_OK)
		printf("# %s\n", paths_log_last());
	EXPECT_OK(st);
	return map;
}

static inline struct paths_map *
parse_fakes(const char *text)
{
	register_fakes();
	return parse(text);
}

static inline void
expect_refused(paths_status st, const char *text, size_t bytes,
    const char *error)
{
	struct paths_map *map = NULL;

	EXPECT_EQ(st, paths_map_parse(text, bytes, "m", &map));
	EXPECT_STR_EQ(error, paths_log_last());
	EXPECT_TRUE(map == NULL);
}

struct refused {
	const char *text;
	const char *error;
};

static inline void
expect_all_refused(const char *before, const struct refused *refused,
    size_t count)
{
	register_fakes();
	for (size_t n = 0; n < count; n++) {
		char text[2048];
		int bytes = snprintf(text, sizeof(text), "%s%s\n", before,
		    refused[n].text);

		EXPECT_TRUE(bytes > 0 && bytes < (int)sizeof(text));
		expect_refused(PATHS_ESYNTAX, text, (size_t)bytes,
		    refused[n].error);
	}
}

#define EXPECT_ALL_REFUSED(before, refused) \
	expect_all_refused(before, refused, COUNT(refused))

static inline uint32_t
instance_named(const struct paths_map *map, const char *name)
{
	for (uint32_t n = 0; n < map->instance_count; n++) {
		if (strcmp(map->instances[n].name, name) == 0)
			return n;
	}
	return PATHS_NONE;
}

/* Lists the names of the stages that an operation of a path passes. */
static inline const char *
way_of(const struct paths_map *map, uint32_t path)
{
	static char way[512];
	uint32_t n = map->chains[map->paths[path].chain].first;

	way[0] = '\0';
	for (; n != PATHS_NONE; n = paths_map_next(map, n)) {
		strcat(way, way[0] == '\0' ? "" : " ");
		strcat(way, map->instances[map->items[n].instance].name);
	}
	return way;
}

static inline const char *
type_of(const struct paths_type *type)
{
	static char text[48];

	return paths_type_text(type, text);
}

#endif
