/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/tuple_test.c - proves collectors/space/tuple.c
 */

#include "collectors/tuple.h"

#include "tests/test.h"

#include <string.h>

static const struct es_tuple_field good_fields[] = {
	{ "start", PATHS_TYPE_U64, 0, 8, "ticks", "" },
	{ "load", PATHS_TYPE_F32, 8, 4, "", "how busy" },
};

static const struct es_tuple_type good = { "load", "how busy", 12, 2,
	good_fields };

static void
expect_field(const char *type, const char *name, uint32_t offset,
    uint32_t bytes)
{
	const struct es_tuple_field *f =
	    es_tuple_field_find(es_tuple_type_find(type), name);

	EXPECT_TRUE(f != NULL);
	EXPECT_EQ(offset, f->offset);
	EXPECT_EQ(bytes, f->bytes);
}

static void
the_table_has_the_fields_of_a_path_tuple(void)
{
	EXPECT_EQ(36, es_tuple_type_find("path")->bytes);
	expect_field("path", "start", 0, 8);
	expect_field("path", "stop", 8, 8);
	expect_field("path", "seq", 16, 4);
	expect_field("path", "op", 20, 2);
	expect_field("path", "status", 22, 2);
	expect_field("path", "element", 24, 4);
	expect_field("path", "bytes", 28, 4);
	expect_field("path", "step", 32, 4);
}

static void
the_table_has_the_fields_of_an_mpi_tuple(void)
{
	EXPECT_EQ(48, es_tuple_type_find("mpi")->bytes);
	expect_field("mpi", "start", 0, 8);
	expect_field("mpi", "stop", 8, 8);
	expect_field("mpi", "seq", 16, 4);
	expect_field("mpi", "op", 20, 2);
	expect_field("mpi", "comm", 22, 2);
	expect_field("mpi", "peer", 24, 4);
	expect_field("mpi", "tag", 28, 4);
	expect_field("mpi", "bytes", 32, 8);
	expect_field("mpi", "site", 40, 4);
	expect_field("mpi", "match", 44, 4);
}

static void
built_in_types_pass_the_check(void)
{
	EXPECT_OK(es_tuple_type_check(es_tuple_type_find("path")));
	EXPECT_OK(es_tuple_type_check(es_tuple_type_find("mpi")));
}

static void
maps_may_name_built_in_types(void)
{
	struct paths_type type;

	EXPECT_OK(paths_type_parse("path*4", &type));
	EXPECT_EQ(144, type.bytes);
	EXPECT_OK(paths_type_parse("mpi", &type));
	EXPECT_EQ(48, type.bytes);
}

static void
a_new_type_is_found_and_may_be_named_by_maps(void)
{
	struct paths_type type;

	EXPECT_EQ(PATHS_OK, es_tuple_type_register(&good));
	EXPECT_TRUE(es_tuple_type_find("load") == &good);
	EXPECT_OK(paths_type_parse("load*2", &type));
	EXPECT_EQ(24, type.bytes);
}

static void
only_an_equal_type_may_register_again(void)
{
	struct es_tuple_field fields[2];
	struct es_tuple_type same = good;

	memcpy(fields, good_fields, sizeof(fields));
	same.fields = fields;
	same.about = "said otherwise";
	EXPECT_OK(es_tuple_type_register(&good));
	EXPECT_OK(es_tuple_type_register(&same));
	fields[1].kind = PATHS_TYPE_U32;
	EXPECT_EQ(PATHS_EBUSY, es_tuple_type_register(&same));
	EXPECT_TRUE(es_tuple_type_find("load") == &good);
}

static void
expect_refused(struct es_tuple_type type)
{
	type.name = type.name == good.name ? "refused" : type.name;
	EXPECT_EQ(PATHS_EINVAL, es_tuple_type_register(&type));
	EXPECT_TRUE(es_tuple_type_find("refused") == NULL);
}

static void
types_with_an_incomplete_table_are_refused(void)
{
	struct es_tuple_type type = good;

	type.name = "";
	expect_refused(type);
	type.name = "a-name-that-is-longer-than-31-bytes";
	expect_refused(type);
	type = good;
	type.bytes = 14;
	expect_refused(type);
	type.bytes = ES_TUPLE_BYTES_MAX + 4;
	expect_refused(type);
	type = good;
	type.field_count = 0;
	expect_refused(type);
	type.field_count = ES_TUPLE_FIELDS_MAX + 1;
	expect_refused(type);
}

static void
fields_outside_the_tuple_or_of_a_wrong_kind_are_refused(void)
{
	struct es_tuple_field fields[2];
	struct es_tuple_type type = good;

	type.fields = fields;
	memcpy(fields, good_fields, sizeof(fields));
	fields[1].offset = 9;
	expect_refused(type);
	fields[1].offset = UINT32_MAX;
	expect_refused(type);
	fields[1] = good_fields[1];
	fields[1].kind = PATHS_TYPE_NAMED;
	expect_refused(type);
	fields[1] = good_fields[1];
	fields[1].bytes = 8;
	expect_refused(type);
	fields[1] = good_fields[1];
	fields[0].name = "begin";
	expect_refused(type);
	fields[0] = good_fields[0];
	fields[1].name = "stop";
	expect_refused(type);
}

TEST_MAIN(the_table_has_the_fields_of_a_path_tuple,
    the_table_has_the_fields_of_an_mpi_tuple, built_in_types_pass_the_check,
    maps_may_name_built_in_types, a_new_type_is_found_and_may_be_named_by_maps,
    only_an_equal_type_may_register_again,
    types_with_an_incomplete_table_are_refused,
    fields_outside_the_tuple_or_of_a_wrong_kind_are_refused)
