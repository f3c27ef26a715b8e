/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/timeline/show_strips.c - prints draw lists for scripts
 *
 *	show_strips RUN T0 SPAN WIDTH ROW...	lines "row x0 x1 grey
 *						level rare"
 *	show_strips THEME			lines "role colour"
 */

#include "viewer/timeline/strips.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program on an error. */
static void
must(paths_status st)
{
	if (st == PATHS_OK)
		return;
	fprintf(stderr, "%s\n", paths_log_last());
	exit(1);
}

static void
show_theme(const char *name)
{
	const struct esv_theme *theme = esv_theme_find(name);

	if (theme == NULL)
		exit(2);
	for (int role = 0; role < ESV_ROLE_HEAT; role++)
		printf("%d #%06" PRIx32 "\n", role, theme->colours[role]);
}

static void
show_strips(int argc, char *argv[])
{
	struct esv_window window = { strtod(argv[2], NULL),
		strtod(argv[3], NULL), (uint32_t)strtoul(argv[4], NULL, 10),
		ESV_BY_SHARE, 0 };
	uint32_t rows[64], count = 0;
	struct esv_strips strips = { 0 };
	struct esv_model *model;

	for (int n = 5; n < argc && count < 64; n++)
		rows[count++] = (uint32_t)strtoul(argv[n], NULL, 10);
	must(esv_model_open(argv[1], &model));
	must(esv_strips_fill(model, &window, rows, count, &strips));
	for (size_t n = 0; n < strips.count; n++)
		printf("%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
		       " %u %d\n",
		    strips.strips[n].row, strips.strips[n].x0,
		    strips.strips[n].x1, strips.strips[n].grey,
		    strips.strips[n].level, strips.strips[n].rare);
	esv_strips_fini(&strips);
	esv_model_close(model);
}

int
main(int argc, char *argv[])
{
	if (argc == 2)
		show_theme(argv[1]);
	else if (argc > 5)
		show_strips(argc, argv);
	else
		return 2;
	return 0;
}
