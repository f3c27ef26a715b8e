/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/placement.c - the communication matrix in the order of the
 * cores, before and after a placement
 *
 * Both matrices have the same cells in another order, and the same scale of
 * heat.
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/matrix.h"
#include "viewer/plot/placement.h"
#include "viewer/plot/ranks.h"

#include <math.h>
#include <string.h>

/* The space between the two matrices. */
#define GAP 12.0

/* The width of a line between groups of the highest level, which is halved for
   each level below it, and the least one. */
#define LINE_MOST 3.0
#define LINE_LEAST 0.75

/* Lines of a level are left out if their mean distance is less. */
#define LINES_APART 5.0

struct placement {
	const struct es_place_picture *picture;
	enum es_place_picture_cost cost;
	struct esv__matrix before, after;
};

static enum es_place_picture_cost
placement_cost(const struct esv__sheet *sheet)
{
	return esv__sheet_measure(sheet, "messages") ?
	    ES_PLACE_PICTURE_MESSAGES :
	    esv__sheet_measure(sheet, "time") ? ES_PLACE_PICTURE_TIME :
						ES_PLACE_PICTURE_BYTES;
}

/* Returns a cost as text. */
static const char *
cost_text(struct esv__sheet *sheet, const struct placement *p, double cost)
{
	return p->cost == ES_PLACE_PICTURE_TIME ?
	    esv__sheet_number(sheet, cost * 1e9, PATHS_UNIT_TIME) :
	    esv__sheet_number(sheet, cost, PATHS_UNIT_COUNT);
}

static void
placement_say_cost(struct esv__sheet *sheet, const struct placement *p)
{
	static const char *const names[] = { [ES_PLACE_PICTURE_BYTES] =
						 "Bytes times distance",
		[ES_PLACE_PICTURE_MESSAGES] = "Messages times distance",
		[ES_PLACE_PICTURE_TIME] = "Time of all messages by the model" };
	const struct es_place_picture *picture = p->picture;
	double before = picture->before.cost, after = picture->after.cost;

	if (!(before > 0))
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    "No traffic has a distance: any placement is as good.");
	else if (picture->moved == 0)
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    esv_figure_printf(sheet->figure,
			"%s: %s.  No better placement was found.",
			names[p->cost], cost_text(sheet, p, before)));
	else
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    esv_figure_printf(sheet->figure,
			"%s: %s before, %s after, which is %s less.  %u of %u "
			"%s move.",
			names[p->cost], cost_text(sheet, p, before),
			cost_text(sheet, p, after),
			esv__sheet_number(sheet, (before - after) / before,
			    PATHS_UNIT_SHARE),
			picture->moved, picture->ranks, picture->units));
}

static void
placement_say_doubts(struct esv__sheet *sheet,
    const struct es_place_picture *picture)
{
	if (picture->assumed)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"The cores before are in part guesses: a %s was not "
			"bound to a single core of its own, or its binding was "
			"not recorded.",
			picture->unit));
	if (picture->per_core > 1)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"There are fewer cores than %s: a core takes %u.",
			picture->units, picture->per_core));
}

/* Names the levels between whose groups there are lines. */
static void
placement_say_levels(struct esv__sheet *sheet,
    const struct es_place_picture *picture)
{
	const char *names = "";

	for (uint32_t n = 0; n < picture->level_count; n++)
		names = esv_figure_printf(sheet->figure, "%s%s%s", names,
		    n == 0 ? "" : ", ", picture->levels[n]);
	esv__sheet_say(sheet, ESV_ROLE_DIM_TEXT,
	    *names == '\0' ?
		"All cores are as near to each other." :
		esv_figure_printf(sheet->figure,
		    "Lines separate groups of cores, from thick to thin: %s.",
		    names));
}

static void
side_names(struct esv__matrix *m, struct esv__sheet *sheet,
    const struct es_place_picture *picture,
    const struct es_place_picture_side *side)
{
	for (uint32_t n = 0; n < m->rows; n++) {
		uint32_t rank = side->order[n];
		struct esv__name name;

		if (n % m->row_fold != 0 && n % m->column_fold != 0)
			continue;
		name = (struct esv__name){ esv__rank_name(sheet, rank),
			esv__rank_thing(sheet, rank) };
		esv__matrix_name(&m->x, m->column_fold, n, &name);
		if (picture->host_count > 1)
			name.text = esv_figure_printf(sheet->figure, "%s %s",
			    picture->hosts[side->host[n]], name.text);
		esv__matrix_name(&m->y, m->row_fold, n, &name);
	}
}

static void
side_fill(struct esv__matrix *m, const struct es_place_picture *picture,
    const struct es_place_picture_side *side)
{
	for (size_t n = 0; n < picture->pair_count; n++) {
		const struct es_place_picture_pair *pair = &picture->pairs[n];
		uint32_t a = side->at[pair->a], b = side->at[pair->b];

		esv__matrix_put(m, a, b, pair->weight);
		esv__matrix_put(m, b, a, pair->weight);
	}
}

/* Draws the lines between groups of a level. */
static void
side_lines(struct esv__sheet *sheet, const struct es_place_picture *picture,
    const struct es_place_picture_side *side, uint32_t level)
{
	const struct esv_grid *area = sheet->figure->grid;
	double width = fmax(ldexp(LINE_MOST, -(int)level), LINE_LEAST);
	uint32_t count = 0;

	for (uint32_t n = 1; n < picture->ranks; n++)
		count += side->shared[n] == level;
	if (area == NULL || count * LINES_APART > area->height)
		return;
	for (uint32_t n = 1; n < picture->ranks; n++) {
		double x = area->x + area->width * n / picture->ranks;
		double y = area->y + area->height * n / picture->ranks;

		if (side->shared[n] != level)
			continue;
		esv_draw_line(sheet->figure, ESV_ROLE_AXIS,
		    (struct esv_point){ x, area->y },
		    (struct esv_point){ x, area->y + area->height }, width);
		esv_draw_line(sheet->figure, ESV_ROLE_AXIS,
		    (struct esv_point){ area->x, y },
		    (struct esv_point){ area->x + area->width, y }, width);
	}
}

/* Draws a matrix in a part of the sheet. */
static void
side_draw(struct esv__matrix *m, struct esv__sheet *sheet,
    const struct es_place_picture *picture,
    const struct es_place_picture_side *side)
{
	esv__matrix_draw(m, sheet);
	/* The lines of high levels are above those of low ones. */
	for (uint32_t n = picture->level_count;
	     n-- > 0 && sheet->figure->status == PATHS_OK;)
		side_lines(sheet, picture, side, n);
}

static void
placement_matrices(struct esv__sheet *sheet, struct placement *p)
{
	struct esv_box box = sheet->box, left = box, right = box;
	double low;

	left.width = (box.width - GAP) / 2;
	right.width = left.width;
	right.x += left.width + GAP;
	sheet->box = left;
	esv__matrix_open(&p->before, sheet, p->picture->ranks,
	    p->picture->ranks);
	sheet->box = right;
	esv__matrix_open(&p->after, sheet, p->picture->ranks,
	    p->picture->ranks);
	sheet->box = box;
	esv__matrix_say_fold(&p->after, sheet);
	low = sheet->box.y - box.y;
	left.y = right.y = sheet->box.y;
	left.height = right.height = box.height - low;
	side_names(&p->before, sheet, p->picture, &p->picture->before);
	side_names(&p->after, sheet, p->picture, &p->picture->after);
	side_fill(&p->before, p->picture, &p->picture->before);
	side_fill(&p->after, p->picture, &p->picture->after);
	sheet->box = left;
	side_draw(&p->before, sheet, p->picture, &p->picture->before);
	sheet->box = right;
	side_draw(&p->after, sheet, p->picture, &p->picture->after);
	box.height -= sheet->box.y - box.y;
	box.y = sheet->box.y;
	sheet->box = box;
}

static void
placement_draw(struct esv__sheet *sheet)
{
	struct placement p = { .cost = placement_cost(sheet) };
	const bool messages = p.cost == ES_PLACE_PICTURE_MESSAGES;
	const char *why;

	p.picture = esv__placement_get(sheet->model, p.cost, &why);
	if (p.picture == NULL) {
		esv__sheet_nothing(sheet, why);
		return;
	}
	p.before = (struct esv__matrix){ .pairs = true,
		.logarithmic = true,
		.value = messages ? "messages both ways" : "bytes both ways",
		.unit = messages ? PATHS_UNIT_COUNT : PATHS_UNIT_BYTES,
		.fold = ESV__FOLD_SUM,
		.x = { .label = "before" } };
	p.after = p.before;
	p.before.left = true;
	p.before.beside = &p.after;
	p.after.beside = &p.before;
	p.after.x.label = "after";
	placement_say_cost(sheet, &p);
	placement_say_doubts(sheet, p.picture);
	placement_say_levels(sheet, p.picture);
	placement_matrices(sheet, &p);
}

const struct esv_chart esv__chart_placement = {
	.name = "placement",
	.title = "Placement",
	.about = "Shows the traffic between processes in the order of their "
		 "cores, before and after the placement that eventspace place "
		 "finds.",
	.measures = "bytes messages time",
	.tables = "comm_matrix process mpi_rank",
	.applies = "EXISTS (SELECT 1 FROM comm_matrix WHERE source <> target)",
	.nothing = "No traffic between different processes was recorded.  "
		   "Collectors in mode matrix record it.",
	.lacks = esv__placement_lacks,
	.draw = placement_draw,
};
