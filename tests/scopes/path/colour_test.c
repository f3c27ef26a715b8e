/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/path/colour_test.c - the classes of operations are the same in
 * every run
 */

#include "scopes/colour.h"

#include "scopes/mpi.h"

#include "tests/scopes/fake_mpi.h"
#include "tests/test.h"

#include <string.h>

/* A run with `sites` call sites, of which the first is the last in the log if
   it is reversed, in a program in a folder. */
static struct fake_mpi *
make(uint32_t sites, bool reversed, const char *program)
{
	struct fake_mpi *fake = fake_mpi_create(2, 32);

	fake_mpi_module(fake, 0, 1, "", program);
	for (uint32_t n = 0; n < sites; n++) {
		uint32_t at = reversed ? sites - 1 - n : n;

		fake_mpi_site(fake, 0, at + 1,
		    (struct es_mpi_frame[]){
			{ .module = 1, .offset = 0x1000 + 16 * at },
			{ .module = FAKE_MPI_NO_FRAME } });
	}
	return fake;
}

static struct es_run *
end(struct fake_mpi *fake, struct es_colours **colours)
{
	struct es_run *run;

	fake_mpi_end(fake, FAKE_RUN_ENDED);
	EXPECT_OK(es_run_open(fake_mpi_dir(fake), &run));
	EXPECT_OK(es_colours_open(run, colours));
	return run;
}

static uint32_t
class_of(const struct es_colours *colours, enum es_colour colour,
    struct es_tuple_mpi tuple)
{
	return es_colour_class(es_colours_lens(colours, 0), colour,
	    (const struct es_operation *)(const void *)&tuple);
}

/* Neither the order in which sites were met nor the folder of the program
   matters, and different sites differ while there are classes. */
static void
sites_have_the_same_class_in_every_run(void)
{
	struct fake_mpi *fakes[] = { make(ES_COLOUR_NONE, false, "/one/prog"),
		make(ES_COLOUR_NONE, true, "/other/prog") };
	struct es_colours *colours[2];
	struct es_run *runs[2];
	uint32_t seen = 0;

	for (int n = 0; n < 2; n++)
		runs[n] = end(fakes[n], &colours[n]);
	for (uint32_t site = 1; site <= ES_COLOUR_NONE; site++) {
		struct es_tuple_mpi tuple = { .site = site };
		uint32_t class = class_of(colours[0], ES_COLOUR_SITE, tuple);

		EXPECT_EQ(class, class_of(colours[1], ES_COLOUR_SITE, tuple));
		EXPECT_EQ(class,
		    es_colours_class_of(colours[0], ES_COLOUR_SITE,
			es_mpi_find_site(es_run_mpi(runs[0]), 0, site)));
		seen |= 1u << class;
	}
	EXPECT_EQ((1u << ES_COLOUR_NONE) - 1, seen);
	EXPECT_EQ(ES_COLOUR_NONE,
	    class_of(colours[0], ES_COLOUR_SITE, (struct es_tuple_mpi){ 0 }));
	EXPECT_EQ(ES_COLOUR_NONE,
	    class_of(colours[0], ES_COLOUR_SITE,
		(struct es_tuple_mpi){ .site = UINT32_MAX }));
	for (int n = 0; n < 2; n++) {
		es_colours_close(colours[n]);
		es_run_close(runs[n]);
		fake_mpi_remove(fakes[n]);
	}
}

/* More sites than classes share them. */
static void
many_sites_share_classes(void)
{
	struct fake_mpi *fake = make(40, false, "prog");
	struct es_colours *colours;
	struct es_run *run = end(fake, &colours);

	for (uint32_t site = 1; site <= 40; site++)
		EXPECT_TRUE(class_of(colours, ES_COLOUR_SITE,
				(struct es_tuple_mpi){ .site = site }) <
		    ES_COLOUR_NONE);
	es_colours_close(colours);
	es_run_close(run);
	fake_mpi_remove(fake);
}

/* The world and MPI_COMM_SELF have classes of their own; other communicators
   have that of their identity, by whatever number a rank calls them. */
static void
communicators_have_classes_by_identity(void)
{
	struct fake_mpi *fake = make(0, false, "prog");
	struct es_colours *colours;
	struct es_run *run;
	uint32_t class;

	for (uint32_t rank = 0; rank < 2; rank++)
		fake_mpi_comm(fake, rank,
		    &(struct es_mpi_comm){ .id = 3 + rank,
			.parent = ES_MPI_COMM_WORLD,
			.identity = 77,
			.rank = (int32_t)rank,
			.size = 2 },
		    (int32_t[]){ 0, 1 }, "pair");
	run = end(fake, &colours);
	class = class_of(colours, ES_COLOUR_COMM,
	    (struct es_tuple_mpi){ .comm = 3 });
	EXPECT_TRUE(class >= 2 && class < ES_COLOUR_NONE);
	EXPECT_EQ(class,
	    es_colour_class(es_colours_lens(colours, 1), ES_COLOUR_COMM,
		(const struct es_operation *)(const void *)&(
		    struct es_tuple_mpi){ .comm = 4 }));
	EXPECT_EQ(0,
	    class_of(colours, ES_COLOUR_COMM,
		(struct es_tuple_mpi){ .comm = ES_MPI_COMM_WORLD }));
	EXPECT_EQ(1,
	    class_of(colours, ES_COLOUR_COMM,
		(struct es_tuple_mpi){ .comm = ES_MPI_COMM_SELF }));
	EXPECT_EQ(ES_COLOUR_NONE,
	    class_of(colours, ES_COLOUR_COMM, (struct es_tuple_mpi){ 0 }));
	EXPECT_EQ(ES_COLOUR_NONE,
	    class_of(colours, ES_COLOUR_COMM,
		(struct es_tuple_mpi){ .comm = 999 }));
	es_colours_close(colours);
	es_run_close(run);
	fake_mpi_remove(fake);
}

static void
peers_bytes_and_steps_have_their_classes(void)
{
	static const struct {
		uint64_t bytes;
		uint32_t class;
	} want[] = { { 0, 9 }, { 1, 0 }, { 63, 0 }, { 64, 1 }, { 511, 1 },
		{ 512, 2 }, { 4096, 3 }, { UINT64_C(1) << 27, 8 },
		{ (UINT64_C(1) << 27) - 1, 7 }, { UINT64_MAX, 8 } };
	struct fake_mpi *fake = make(0, false, "prog");
	struct es_colours *colours;
	struct es_run *run = end(fake, &colours);

	for (size_t n = 0; n < sizeof(want) / sizeof(want[0]); n++)
		EXPECT_EQ(want[n].class,
		    class_of(colours, ES_COLOUR_BYTES,
			(struct es_tuple_mpi){ .bytes = want[n].bytes }));
	EXPECT_EQ(1,
	    class_of(colours, ES_COLOUR_PEER,
		(struct es_tuple_mpi){ .peer = 1 }));
	EXPECT_EQ(ES_COLOUR_NONE,
	    class_of(colours, ES_COLOUR_PEER,
		(struct es_tuple_mpi){ .peer = ES_MPI_PEER_NONE }));
	EXPECT_EQ(ES_COLOUR_NONE,
	    class_of(colours, ES_COLOUR_PEER,
		(struct es_tuple_mpi){ .peer = INT32_MIN }));
	EXPECT_EQ(ES_COLOUR_NONE,
	    class_of(colours, ES_COLOUR_STEP, (struct es_tuple_mpi){ 0 }));
	EXPECT_TRUE(!es_colours_has(colours, ES_COLOUR_STEP));
	EXPECT_TRUE(es_colours_has(colours, ES_COLOUR_PEER));
	es_colours_close(colours);
	es_run_close(run);
	fake_mpi_remove(fake);
}

TEST_MAIN(sites_have_the_same_class_in_every_run, many_sites_share_classes,
    communicators_have_classes_by_identity,
    peers_bytes_and_steps_have_their_classes)
