/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/chart/placement_test.c - the matrix before and after a placement
 *
 * Eight ranks fill two hosts of two packages of two cores.  Rank n exchanges
 * 1000 bytes with rank n + 4, which is on the other host.
 */

#include "viewer/chart/chart.h"

#include "viewer/figure/hit.h"

#include "tests/scopes/fake_mpi.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include "libpaths/log.h"
#include "libpaths/topology.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 8u

static const struct esv_chart_options usual = { .width = 800, .height = 500 };

/* Saves the topology of a host. */
static void
host_save(struct fake_mpi *run, const char *host, const char *cores)
{
	char file[300];

	snprintf(file, sizeof(file), "%s/%s.topology", fake_mpi_dir(run), host);
	setenv("HWLOC_SYNTHETIC", cores, 1);
	setenv("HWLOC_COMPONENTS", "synthetic,stop", 1);
	EXPECT_OK(paths_topology_save(file));
	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_COMPONENTS");
}

static void
rank_bind(struct fake_mpi *run, uint32_t rank, uint32_t core)
{
	struct {
		struct es_mpi_binding head;
		uint64_t mask;
	} binding = { { .words = 1 }, (uint64_t)1 << core };

	fake_mpi_log(run, rank, ES_MPI_ENTRY_BINDING, &binding,
	    sizeof(binding));
}

static void
rank_send(struct fake_mpi *run, uint32_t rank, uint32_t to, uint64_t bytes)
{
	struct es_mpi_matrix row = { .peer = (int32_t)to,
		.category = ES_MPI_CATEGORY_P2P,
		.messages = 1,
		.bytes = bytes };

	row.classes[es_space_size_class(bytes)] = 1;
	fake_mpi_matrix(run, rank, 0, &row);
}

/* Ranks on two hosts, with or without bindings. */
static struct fake_mpi *
pairs_run(bool bound)
{
	struct fake_mpi *run = fake_mpi_create(RANKS, 0);

	for (uint32_t n = 0; n < RANKS; n++) {
		fake_mpi_clock(run, n, n < RANKS / 2 ? "a" : "b", 0);
		if (bound)
			rank_bind(run, n, n % (RANKS / 2));
		rank_send(run, n, (n + RANKS / 2) % RANKS, 1000);
	}
	fake_mpi_last(run, 1000000);
	fake_mpi_end(run, FAKE_RUN_ENDED);
	return run;
}

static void
drawn(struct esv_model *model, const char *measure, struct esv_figure *figure)
{
	struct esv_chart_options options = usual;

	options.measure = measure;
	esv_figure_init(figure, options.width, options.height);
	EXPECT_OK(esv_chart_draw(model, esv_chart_find("placement"), &options,
	    figure));
}

/* Returns whether the texts of a figure, which may be on several lines, have a
   text without blanks. */
static bool
says(const struct esv_figure *figure, const char *part)
{
	static char all[1 << 16];
	size_t length = 0;

	for (size_t n = 0; n < figure->count; n++) {
		const char *at = figure->shapes[n].text;

		if (figure->shapes[n].kind != ESV_SHAPE_TEXT)
			continue;
		for (; *at != '\0' && length < sizeof(all) - 1; at++)
			if (*at != ' ')
				all[length++] = *at;
	}
	all[length] = '\0';
	return strstr(all, part) != NULL;
}

static uint32_t
lines(const struct esv_figure *figure, double width)
{
	uint32_t count = 0;

	for (size_t n = 0; n < figure->count; n++)
		count += figure->shapes[n].kind == ESV_SHAPE_LINE &&
		    figure->shapes[n].role == ESV_ROLE_AXIS &&
		    figure->shapes[n].line_width == width;
	return count;
}

static double
cell(const struct esv_grid *grid, uint32_t row, uint32_t column)
{
	return grid->values[row * grid->columns + column];
}

static void
pairs_are_together_after_the_placement(void)
{
	struct fake_mpi *run = pairs_run(true);
	struct esv_model *model;
	struct esv_figure figure;
	const struct esv_grid *before, *after;

	host_save(run, "a", "pack:2 core:2 pu:1");
	host_save(run, "b", "pack:2 core:2 pu:1");
	model = fake_model_open(fake_mpi_dir(run));
	drawn(model, NULL, &figure);
	/* 8000 bytes: over two hosts 6 links, inside of a package 2. */
	EXPECT_TRUE(says(&figure,
	    "Bytestimesdistance:48kbefore,16kafter,whichis66.7%less.4of8ranksmove."));
	EXPECT_TRUE(!says(&figure, "guess"));
	EXPECT_TRUE(says(&figure, "fromthicktothin:host,package."));
	after = figure.grid;
	EXPECT_TRUE(after != NULL && after->next != NULL);
	before = after->next;
	EXPECT_TRUE(before->next == NULL);
	EXPECT_TRUE(before->x + before->width < after->x);
	for (uint32_t n = 0; n < RANKS; n++)
		for (uint32_t k = 0; k < RANKS; k++) {
			double there = cell(before, n, k);
			double now = cell(after, n, k);

			EXPECT_TRUE(k == (n + 4) % RANKS ? there == 2000 :
							   isnan(there));
			EXPECT_TRUE(k == (n ^ 1) ? now == 2000 : isnan(now));
		}
	EXPECT_STR_EQ("a r3", before->row_names[3]);
	EXPECT_STR_EQ("r3", before->column_names[3]);
	/* One border of hosts, two of packages, in both directions of both. */
	EXPECT_EQ(4, lines(&figure, 3));
	EXPECT_EQ(8, lines(&figure, 1.5));
	esv_figure_fini(&figure);
	esv_model_close(model);
	fake_mpi_remove(run);
}

static void
cells_of_both_matrices_can_be_pointed_at(void)
{
	struct fake_mpi *run = pairs_run(true);
	struct esv_model *model;
	struct esv_figure figure;
	struct esv_hit hit;

	host_save(run, "a", "pack:2 core:2 pu:1");
	host_save(run, "b", "pack:2 core:2 pu:1");
	model = fake_model_open(fake_mpi_dir(run));
	drawn(model, "messages", &figure);
	for (const struct esv_grid *g = figure.grid; g != NULL; g = g->next) {
		uint32_t column = g == figure.grid ? 1 : 4;

		EXPECT_TRUE(esv_hit_find(&figure, g->x + 2, g->y + 2, &hit));
		EXPECT_EQ(ESV_THING_PAIR, hit.thing.kind);
		EXPECT_TRUE(esv_hit_find(&figure,
		    g->x + g->width * (column + 0.5) / RANKS, g->y + 2, &hit));
		EXPECT_TRUE(strstr(hit.tip, ": 2") != NULL);
	}
	esv_figure_fini(&figure);
	esv_model_close(model);
	fake_mpi_remove(run);
}

static void
doubts_are_reported(void)
{
	struct fake_mpi *run = pairs_run(false);
	struct esv_model *model;
	struct esv_figure figure;

	host_save(run, "a", "pack:1 core:2 pu:1");
	host_save(run, "b", "pack:1 core:2 pu:1");
	model = fake_model_open(fake_mpi_dir(run));
	drawn(model, NULL, &figure);
	EXPECT_TRUE(says(&figure, "guesses"));
	EXPECT_TRUE(says(&figure, "fewercoresthanranks:acoretakes2."));
	esv_figure_fini(&figure);
	drawn(model, "time", &figure);
	EXPECT_TRUE(says(&figure, "nomodeliskeptwiththerun"));
	EXPECT_TRUE(figure.grid == NULL);
	esv_figure_fini(&figure);
	esv_model_close(model);
	fake_mpi_remove(run);
}

/* By the model, messages between hosts take 10 us, others 1 us. */
static void
times_are_those_of_the_kept_model(void)
{
	static const char text[] = "eventspace-model 1\n"
				   "locality host\n"
				   "	fit segments\n"
				   "	segment 0 alpha 1e-6 rate 1e12\n"
				   "locality network\n"
				   "	between-hosts\n"
				   "	fit segments\n"
				   "	segment 0 alpha 10e-6 rate 1e12\n"
				   "end\n";
	struct fake_mpi *run = pairs_run(true);
	struct esv_model *model;
	struct esv_figure figure;
	char file[300];
	FILE *to;

	host_save(run, "a", "pack:2 core:2 pu:1");
	host_save(run, "b", "pack:2 core:2 pu:1");
	snprintf(file, sizeof(file), "%s/cost.model", fake_mpi_dir(run));
	to = fopen(file, "w");
	EXPECT_TRUE(to != NULL && fputs(text, to) >= 0);
	EXPECT_EQ(0, fclose(to));
	model = fake_model_open(fake_mpi_dir(run));
	drawn(model, "time", &figure);
	EXPECT_TRUE(says(&figure,
	    "Timeofallmessagesbythemodel:80.0usbefore,8.01usafter,whichis90.0%"));
	EXPECT_NEAR(2000, cell(figure.grid->next, 0, 4), 0);
	esv_figure_fini(&figure);
	esv_model_close(model);
	fake_mpi_remove(run);
}

static void
a_run_without_a_topology_has_no_placement(void)
{
	struct fake_mpi *run = pairs_run(true);
	struct esv_model *model;
	struct esv_figure figure;
	bool applies = true;

	host_save(run, "a", "pack:2 core:2 pu:1");
	model = fake_model_open(fake_mpi_dir(run));
	EXPECT_OK(
	    esv_chart_applies(model, esv_chart_find("placement"), &applies));
	EXPECT_TRUE(!applies);
	drawn(model, NULL, &figure);
	EXPECT_TRUE(
	    says(&figure, "Thereisnoplacement:therunhasnotopologyofhostb."));
	esv_figure_fini(&figure);
	esv_model_close(model);
	fake_mpi_remove(run);
}

/* Each rank sends to the next one.  Borders of the 128 packages are too near to
   each other for lines. */
static void
many_ranks_are_folded_in_both_matrices(void)
{
	struct fake_mpi *run = fake_mpi_create(256, 0);
	struct esv_model *model;
	struct esv_figure figure;
	double sum[2] = { 0, 0 };

	for (uint32_t n = 0; n < 256; n++) {
		fake_mpi_clock(run, n, "a", 0);
		rank_send(run, n, (n + 1) % 256, 10);
	}
	fake_mpi_last(run, 1000000);
	fake_mpi_end(run, FAKE_RUN_ENDED);
	host_save(run, "a", "pack:128 core:2 pu:1");
	model = fake_model_open(fake_mpi_dir(run));
	drawn(model, NULL, &figure);
	EXPECT_TRUE(says(&figure, "256x256cellsdonotfit"));
	EXPECT_TRUE(figure.grid->rows < 256);
	EXPECT_EQ(figure.grid->rows, figure.grid->next->rows);
	for (size_t n = 0; n < (size_t)figure.grid->rows * figure.grid->columns;
	     n++) {
		sum[0] += fmax(figure.grid->values[n], 0);
		sum[1] += fmax(figure.grid->next->values[n], 0);
	}
	/* 256 pairs of 10 bytes, in both halves. */
	EXPECT_EQ(5120, (uint64_t)sum[0]);
	EXPECT_EQ(5120, (uint64_t)sum[1]);
	EXPECT_EQ(0, lines(&figure, 3));
	esv_figure_fini(&figure);
	esv_model_close(model);
	fake_mpi_remove(run);
}

TEST_MAIN(pairs_are_together_after_the_placement,
    cells_of_both_matrices_can_be_pointed_at, doubts_are_reported,
    times_are_those_of_the_kept_model,
    a_run_without_a_topology_has_no_placement,
    many_ranks_are_folded_in_both_matrices)
