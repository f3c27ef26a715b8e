/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/class_test.c - the colours of classes can be told apart
 *
 * Colour-blindness is simulated by the matrices of Machado et al. for complete
 * lack of one kind of cones.  The difference of two colours is their distance
 * in CIE L*a*b*; from about 10 on, people tell areas apart at a glance.
 *
 * Source	Machado, Oliveira, Fernandes: A Physiologically-based Model for
 *		Simulation of Color Vision Deficiency, table 1
 */

#include "viewer/chart/wait_colour.h"
#include "viewer/figure/theme.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 15.0

static const double views[4][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
	    { -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
	    { -0.011820, 0.042940, 0.968881 } },
	{ { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
	    { 0.004733, 0.691367, 0.303900 } },
};

static double
linear(uint32_t part)
{
	double c = (part & 0xff) / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double
curve(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116.0;
}

/* Converts a colour, as one kind of eyes sees it, to L*a*b*. */
static void
lab_of(uint32_t colour, const double view[3][3], double lab[3])
{
	double from[3] = { linear(colour >> 16), linear(colour >> 8),
		linear(colour) };
	double seen[3], x, y, z;

	for (int n = 0; n < 3; n++)
		seen[n] =
		    fmin(fmax(view[n][0] * from[0] + view[n][1] * from[1] +
				 view[n][2] * from[2],
			     0),
			1);
	x = 0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2];
	y = 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2];
	z = 0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2];
	lab[0] = 116 * curve(y) - 16;
	lab[1] = 500 * (curve(x / 0.9505) - curve(y));
	lab[2] = 200 * (curve(y) - curve(z / 1.089));
}

static void
expect_apart(uint32_t a, uint32_t b)
{
	for (int v = 0; v < 4; v++) {
		double x[3], y[3], sum = 0;

		lab_of(a, views[v], x);
		lab_of(b, views[v], y);
		for (int n = 0; n < 3; n++)
			sum += (x[n] - y[n]) * (x[n] - y[n]);
		EXPECT_TRUE(sqrt(sum) >= LEAST);
	}
}

/* Classes of one kind of operations, waiting, and computation in both themes
   differ for all eyes. */
static void
classes_differ_for_all_eyes(void)
{
	static const char *const themes[] = { "light", "dark" };
	const uint32_t ends[] = { ESV_CLASS_GROUP,
		ESV_CLASS_GROUP + ES_GROUP_WRITE, ESV_CLASSES };

	for (int kind = 0; kind < 2; kind++)
		for (uint32_t a = ends[kind]; a < ends[kind + 1]; a++) {
			uint32_t colour = esv_class_colour(a, 0);

			expect_apart(colour,
			    esv_class_colour(ESV_CLASS_WAIT, 0));
			for (uint32_t b = ends[kind]; b < a; b++)
				expect_apart(colour, esv_class_colour(b, 0));
			for (int t = 0; t < 2; t++)
				expect_apart(colour,
				    esv_theme_find(themes[t])
					->colours[ESV_ROLE_GREY]);
		}
}

/* The same holds for the classes of each tint; those of bytes get darker. */
static void
tints_differ_for_all_eyes(void)
{
	static const char *const themes[] = { "light", "dark" };

	for (int n = 0; n < ES_COLOURS; n++) {
		enum esv_colour_by by = (enum esv_colour_by)(ESV_BY_TINT + n);

		for (uint32_t a = 0; a < ES_COLOUR_CLASSES; a++) {
			for (uint32_t b = 0; b < a; b++)
				expect_apart(esv_tint_colour(by, a),
				    esv_tint_colour(by, b));
			for (int t = 0; t < 2; t++)
				expect_apart(esv_tint_colour(by, a),
				    esv_theme_find(themes[t])
					->colours[ESV_ROLE_GREY]);
		}
	}
	for (uint32_t n = 1; n < ES_COLOUR_NONE; n++) {
		enum esv_colour_by by = ESV_BY_TINT + ES_COLOUR_BYTES;
		double less[3], more[3];

		lab_of(esv_tint_colour(by, n - 1), views[0], less);
		lab_of(esv_tint_colour(by, n), views[0], more);
		EXPECT_TRUE(more[0] < less[0]);
	}
}

static void
a_tint_has_one_colour_in_all_themes(void)
{
	const struct esv_theme *light = esv_theme_find("light");

	for (int n = 0; n < ES_COLOURS; n++) {
		enum esv_colour_by by = (enum esv_colour_by)(ESV_BY_TINT + n);
		const struct esv_theme *themes[] = { esv_theme_by(light, by),
			esv_theme_by(esv_theme_find("dark"), by) };

		for (int t = 0; t < 2; t++) {
			const uint32_t *colours = themes[t]->colours;
			const struct esv_theme *plain =
			    esv_theme_by(themes[t], ESV_BY_GROUP);

			EXPECT_STR_EQ(plain->name, themes[t]->name);
			EXPECT_EQ(plain->colours[ESV_ROLE_TEXT],
			    colours[ESV_ROLE_TEXT]);
			for (uint32_t c = 0; c < ES_COLOUR_CLASSES; c++)
				EXPECT_EQ(esv_tint_colour(by, c),
				    colours[esv_role_variant(
					ESV_CLASS_GROUP + c, 0)]);
		}
	}
}

/* Groups, waiting and classes of tints are found by their words. */
static void
classes_are_found_by_words(void)
{
	uint32_t class;

	EXPECT_EQ(ESV_BY_GROUP, esv_class_find("waiting,x", 7, &class));
	EXPECT_EQ(ESV_CLASS_WAIT, class);
	EXPECT_EQ(ESV_BY_GROUP, esv_class_find("read", 4, &class));
	EXPECT_EQ(ESV_CLASS_GROUP + ES_GROUP_READ, class);
	EXPECT_EQ(ESV_BY_TINT + ES_COLOUR_COMM,
	    esv_class_find("communicator-9", 14, &class));
	EXPECT_EQ(ESV_CLASS_GROUP + 9, class);
	EXPECT_EQ(ESV_BY_COUNT, esv_class_find("site-", 5, &class));
	EXPECT_EQ(ESV_BY_COUNT, esv_class_find("site-x", 6, &class));
	EXPECT_EQ(ESV_BY_COUNT, esv_class_find("peer-12", 7, &class));
	EXPECT_EQ(ESV_BY_COUNT, esv_class_find("", 0, &class));
}

static void
a_class_has_one_colour_in_all_themes(void)
{
	const struct esv_theme *light = esv_theme_find("light");
	const struct esv_theme *dark = esv_theme_find("dark");

	for (uint32_t c = ESV_CLASS_WAIT; c < ESV_CLASSES; c++)
		for (uint32_t v = 0; v < ESV_VARIANTS; v++) {
			int role = esv_role_variant(c, v);

			EXPECT_EQ(esv_class_colour(c, v), light->colours[role]);
			EXPECT_EQ(light->colours[role], dark->colours[role]);
		}
}

/* A function has the group and the variant that its number gives it. */
static void
functions_have_their_group(void)
{
	static const struct {
		const char *name;
		enum es_operation_group group;
	} want[] = { { "MPI_Send", ES_GROUP_POINT_TO_POINT },
		{ "MPI_Irecv", ES_GROUP_POINT_TO_POINT },
		{ "MPI_Probe", ES_GROUP_POINT_TO_POINT },
		{ "MPI_Start", ES_GROUP_POINT_TO_POINT },
		{ "MPI_Waitall", ES_GROUP_COMPLETION },
		{ "MPI_Test", ES_GROUP_COMPLETION },
		{ "MPI_Barrier", ES_GROUP_COLLECTIVE },
		{ "MPI_Iallreduce", ES_GROUP_COLLECTIVE },
		{ "MPI_Neighbor_alltoall", ES_GROUP_COLLECTIVE },
		{ "MPI_Put", ES_GROUP_ONE_SIDED },
		{ "MPI_Win_fence", ES_GROUP_ONE_SIDED },
		{ "MPI_File_write_all", ES_GROUP_FILE },
		{ "MPI_Init", ES_GROUP_MANAGEMENT },
		{ "MPI_Comm_dup", ES_GROUP_MANAGEMENT } };

	for (size_t n = 0; n < sizeof(want) / sizeof(want[0]); n++)
		EXPECT_EQ(want[n].group,
		    es_operation_group(ES_OPERATION_MPI,
			es_mpi_function_find(want[n].name)));
	EXPECT_EQ(ES_GROUP_READ,
	    es_operation_group(ES_OPERATION_PATH, PATHS_READ));
	EXPECT_TRUE(esv_class_variant(ES_OPERATION_MPI,
			es_mpi_function_find("MPI_Send")) !=
	    esv_class_variant(ES_OPERATION_MPI,
		es_mpi_function_find("MPI_Bsend")));
}

/* Returns the colour of a pattern of waiting. */
static uint32_t
pattern_colour(const struct esv_theme *theme, const char *pattern)
{
	return theme->colours[esv__wait_colour(pattern)];
}

/* The names are the strings of wait_pattern.c that are no files or functions.
   A name that is missing in the table of colours would be grey. */
static void
a_pattern_of_waiting_has_one_colour(void)
{
	const struct esv_theme *light = esv_theme_find("light");
	const struct esv_theme *dark = esv_theme_find("dark");
	char path[4096], line[256], name[128];
	uint32_t grey = pattern_colour(light, "");
	FILE *from;
	int count = 0;

	snprintf(path, sizeof(path), "%s/scopes/mpi/wait_pattern.c",
	    getenv("top_srcdir"));
	from = fopen(path, "r");
	EXPECT_TRUE(from != NULL);
	while (fgets(line, sizeof(line), from) != NULL) {
		const char *quote = strchr(line, '"');

		if (quote == NULL || *line == '#' ||
		    strstr(line, "MPI_") != NULL)
			continue;
		EXPECT_EQ(1, sscanf(quote, "\"%127[^\"]\"", name));
		EXPECT_TRUE(pattern_colour(light, name) != grey);
		EXPECT_EQ(pattern_colour(light, name),
		    pattern_colour(dark, name));
		count++;
	}
	fclose(from);
	EXPECT_EQ(30, count);
}

static void
patterns_of_waiting_differ_for_all_eyes(void)
{
	static const char *const names[] = { "Late Sender", "Late Receiver",
		"Wait at N x N", "Wait at Barrier", "Late Broadcast",
		"Wait at Finalize", "Wait at Fence",
		"Wait at File Collective" };
	const struct esv_theme *theme = esv_theme_find("light");

	for (size_t a = 0; a < sizeof(names) / sizeof(names[0]); a++)
		for (size_t b = 0; b < a; b++)
			expect_apart(pattern_colour(theme, names[a]),
			    pattern_colour(theme, names[b]));
}

TEST_MAIN(classes_differ_for_all_eyes, tints_differ_for_all_eyes,
    a_tint_has_one_colour_in_all_themes, classes_are_found_by_words,
    a_class_has_one_colour_in_all_themes, functions_have_their_group,
    a_pattern_of_waiting_has_one_colour,
    patterns_of_waiting_differ_for_all_eyes)
