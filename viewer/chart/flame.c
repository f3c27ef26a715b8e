/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/flame.c - flame graph of the call paths of MPI calls
 *
 * The root is at the top.  A node is as wide as its share of the time, below
 * its parent.  The subject, or else the highlighted call, is drawn over the
 * whole width, below the nodes that lead to it.
 *
 * Source	Gregg: The Flame Graph, Communications of the ACM 59(6), 2016
 */

#include "viewer/chart/chart_private.h"

#include "viewer/figure/draw.h"
#include "viewer/figure/legend.h"
#include "viewer/plot/query.h"

#include "collectors/mpi_function.h"
#include "libpaths/log.h"

#include <math.h>

ESV__SQL(flame_size);
ESV__SQL(flame_size_callers);
ESV__SQL(flame_nodes);
ESV__SQL(flame_nodes_callers);

/* Columns of the queries of nodes. */
enum {
	NODE,
	PARENT,
	DEPTH,
	TIME,
	WAIT,
	MPI,
	FUNCTION,
	PLACE,
	SHARE,
	CALLS,
	RANKS,
	MOST_RANK,
	MOST
};

/* Heights of a row, and that of the line of waiting in it. */
#define ROW_MOST 22.0
#define ROW_LEAST 15.0
#define WAIT_HEIGHT 4.0
/* Narrower nodes are left out. */
#define NARROW 1.0
/* Nodes above the subject that are drawn. */
#define LEADING 3
/* Grey of the functions of the program. */
#define GREY 5

struct node {
	uint32_t parent; /* index + 1; 0: none */
	double x;	 /* where its next child begins, in ns */
	bool drawn;	 /* its children may be drawn, too */
};

struct flame {
	struct esv__sheet *sheet;
	struct esv__query q; /* at the node that is drawn */
	bool callers;
	struct node *nodes;
	uint32_t count;
	double from_ns, whole_ns; /* time that the width stands for */
	uint32_t focus;		  /* index + 1; 0: all roots */
	int64_t focus_depth, top; /* top: depth of the first row */
	double row;
	int64_t rows;
	bool deeper; /* there are nodes without a row */
	bool groups[ES_GROUPS];
};

/* Returns the node that is to fill the width, as index + 1; 0: none. */
static uint32_t
flame_focus(const struct flame *f)
{
	const struct esv_chart_options *options = f->sheet->options;
	bool subject = options->subject.kind == ESV_THING_CALL;
	const struct esv_thing *thing =
	    subject ? &options->subject : &options->highlight;
	int64_t id = thing->id, most = f->count;

	if (thing->kind != ESV_THING_CALL || id < -most || id > most)
		return 0;
	/* A subject is of the tree that is drawn, with any sign. */
	if (subject ? id < 0 : f->callers)
		id = -id;
	return id > 0 ? (uint32_t)id : 0;
}

/* Finds the time and the place of the focus, or of all roots. */
static void
flame_measure(struct flame *f)
{
	const char *table = f->callers ? "caller_tree" : "call_tree";
	struct esv__query q;

	if (f->focus == 0) {
		f->whole_ns = (double)esv__query_one(f->sheet, 0,
		    "SELECT sum(time_ns) FROM %s WHERE parent IS NULL", table);
		return;
	}
	esv__query_open(&q, f->sheet,
	    "SELECT time_ns, depth FROM %s WHERE node = %u", table, f->focus);
	if (esv__query_next(&q)) {
		f->whole_ns = esv__query_num(&q, 0);
		f->focus_depth = esv__query_int(&q, 1);
		esv__query_close(&q);
	}
	f->top = f->focus_depth > LEADING ? f->focus_depth - LEADING : 0;
}

/* Marks the nodes that lead to the focus, in a tree whose parents are known. */
static bool
flame_leads(const struct flame *f, uint32_t index)
{
	uint32_t at = f->focus;

	while (at != 0 && at - 1 > index)
		at = f->nodes[at - 1].parent;
	return at == index + 1;
}

static int
flame_role(struct flame *f, int *text)
{
	enum es_operation_group group;
	uint32_t class, op;

	*text = ESV_ROLE_TEXT;
	if (esv__query_int(&f->q, MPI) == 0)
		return ESV_ROLE_GREY + GREY;
	op = es_mpi_function_find(esv__query_text(&f->q, FUNCTION));
	group = es_operation_group(ES_OPERATION_MPI, op);
	f->groups[group] = true;
	class = ESV_CLASS_GROUP + (uint32_t)group;
	*text = esv_class_is_light(ESV_BY_GROUP, class) ? ESV_ROLE_ON_LIGHT :
							  ESV_ROLE_ON_DARK;
	return esv_role_variant(class, 0);
}

/* Returns a description of the current node. */
static const char *
flame_tip(const struct flame *f)
{
	const struct esv__query *q = &f->q;
	struct esv__sheet *sheet = f->sheet;
	const char *place = esv__query_text(q, PLACE);

	return esv_figure_printf(sheet->figure,
	    "%s%s%s: %s, %s of the time in MPI; waiting %s; %s calls by %s "
	    "ranks; most in %s: %s",
	    esv__query_text(q, FUNCTION),
	    *place == '\0' ? "" :
		f->callers ? ", calls at " :
			     ", called at ",
	    place,
	    esv__sheet_number(sheet, esv__query_num(q, TIME), PATHS_UNIT_TIME),
	    esv__sheet_number(sheet, esv__query_num(q, SHARE),
		PATHS_UNIT_SHARE),
	    esv__sheet_number(sheet, esv__query_num(q, WAIT), PATHS_UNIT_TIME),
	    esv__sheet_number(sheet, esv__query_num(q, CALLS),
		PATHS_UNIT_COUNT),
	    esv__sheet_number(sheet, esv__query_num(q, RANKS),
		PATHS_UNIT_COUNT),
	    esv__query_text(q, MOST_RANK),
	    esv__sheet_number(sheet, esv__query_num(q, MOST), PATHS_UNIT_TIME));
}

/* Draws the current node; box: its place, without the gap between rows. */
static void
flame_node(struct flame *f, struct esv_box box)
{
	struct esv_figure *figure = f->sheet->figure;
	int64_t id = esv__query_int(&f->q, NODE);
	struct esv_thing thing =
	    ESV_THING(ESV_THING_CALL, f->callers ? -id : id);
	double share =
	    esv__query_num(&f->q, WAIT) / fmax(esv__query_num(&f->q, TIME), 1);
	const char *tip = flame_tip(f), *name;
	int text, role = flame_role(f, &text);

	esv_draw_rect(figure, role, box, thing, tip);
	name = esv__query_text(&f->q, FUNCTION);
	if (f->callers && *esv__query_text(&f->q, PLACE) != '\0')
		name = esv_figure_printf(figure, "%s (%s)", name,
		    esv__query_text(&f->q, PLACE));
	if (box.width > 24)
		esv_figure_add(figure,
		    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
			.role = text,
			.x = box.x + 3,
			.y = box.y + (box.height - WAIT_HEIGHT) / 2,
			.width = box.width - 6,
			.thing = thing,
			.tip = tip,
			.text = name,
			.text_size = ESV_LABEL_SMALL_POINTS });
	if (share > 0)
		esv_draw_rect(figure, ESV_ROLE_WAITING,
		    (struct esv_box){ box.x, box.y + box.height - WAIT_HEIGHT,
			box.width * fmin(share, 1), WAIT_HEIGHT },
		    thing, tip);
}

/* Takes the next node: places it, and draws it if it is wide enough. */
static void
flame_take(struct flame *f, uint32_t index)
{
	const struct esv_box *all = &f->sheet->box;
	struct node *own = &f->nodes[index], *parent = NULL;
	double time = esv__query_num(&f->q, TIME), *next = &f->from_ns;
	int64_t row = esv__query_int(&f->q, DEPTH) - f->top;
	struct esv_box box = { .y = all->y + (double)row * f->row,
		.height = f->row - 1 };
	bool leads =
	    f->focus != 0 && index + 1 != f->focus && flame_leads(f, index);

	if (own->parent != 0) {
		parent = &f->nodes[own->parent - 1];
		next = &parent->x;
	}
	own->x = index + 1 == f->focus || leads ? 0 : *next;
	own->drawn = leads || index + 1 == f->focus ||
	    (f->focus == 0 ? parent == NULL || parent->drawn :
			     parent != NULL && parent->drawn &&
			esv__query_int(&f->q, DEPTH) > f->focus_depth);
	box.x = all->x + own->x / f->whole_ns * all->width;
	box.width = leads ? all->width : time / f->whole_ns * all->width;
	if (!leads && index + 1 != f->focus)
		*next += time;
	own->drawn = own->drawn && box.width >= NARROW;
	if (!own->drawn || row < 0)
		return;
	f->deeper |= row >= f->rows;
	if (row >= f->rows)
		return;
	box.width = fmax(box.width - 1, NARROW);
	flame_node(f, box);
}

static void
flame_begin(const struct flame *f, struct esv__query *q)
{
	esv__query_begin(q, f->sheet,
	    f->callers ? esv__sql_flame_nodes_callers : esv__sql_flame_nodes);
}

/* Reads the parent of node n + 1.  Parents precede their nodes, so the way to
   the root ends. */
static void
flame_read_parent(struct flame *f, const struct esv__query *q, uint32_t n)
{
	int64_t parent = esv__query_int(q, PARENT);

	if (esv__query_int(q, NODE) != (int64_t)n + 1 || parent < 0 ||
	    parent > (int64_t)n)
		f->sheet->figure->status = paths_log_fail(PATHS_EDAMAGED,
		    "%s: the nodes of a call tree are not in order",
		    f->sheet->model->file);
	else
		f->nodes[n].parent = (uint32_t)parent;
}

/* Reads the parents of all nodes; returns the number of levels. */
static int64_t
flame_read(struct flame *f)
{
	struct esv__query q;
	int64_t levels = 0;
	uint32_t n = 0;

	esv__query_begin(&q, f->sheet,
	    f->callers ? esv__sql_flame_size_callers : esv__sql_flame_size);
	if (esv__query_next(&q)) {
		f->count = (uint32_t)esv__query_int(&q, 0);
		levels = esv__query_int(&q, 1);
		esv__query_close(&q);
	}
	f->nodes =
	    esv__sheet_take(f->sheet, f->count + (size_t)1, sizeof(*f->nodes));
	if (f->nodes == NULL)
		return 0;
	flame_begin(f, &q);
	while (esv__query_next(&q)) {
		if (n < f->count)
			flame_read_parent(f, &q, n);
		n++;
	}
	f->count = n < f->count ? n : f->count;
	f->focus = flame_focus(f);
	flame_measure(f);
	return levels;
}

/* Draws what the colours mean, below the graph. */
static void
flame_legend(struct flame *f, struct esv_box box)
{
	struct esv_legend_entry entries[ES_GROUPS + 2] = {
		{ ESV_ROLE_GREY + GREY, "function of the program",
		    ESV_NOTHING },
		{ ESV_ROLE_WAITING, "line below: waiting", ESV_NOTHING }
	};
	size_t count = 2;

	for (uint32_t n = 0; n < ES_GROUPS; n++)
		if (f->groups[n])
			entries[count++] = (struct esv_legend_entry){
				esv_role_variant(ESV_CLASS_GROUP + n, 0),
				esv_class_name(ESV_CLASS_GROUP + n), ESV_NOTHING
			};
	esv_legend_draw(f->sheet->figure, &box, entries, count);
}

static void
flame_draw(struct esv__sheet *sheet)
{
	struct flame f = { .sheet = sheet,
		.callers = esv__sheet_measure(sheet, "callers") };
	int64_t levels = flame_read(&f);
	uint32_t index = 0;

	if (f.nodes == NULL || f.whole_ns <= 0)
		return;
	esv__sheet_say(sheet, ESV_ROLE_TEXT,
	    esv_figure_printf(sheet->figure, "The width is %s%s.",
		esv__sheet_number(sheet, f.whole_ns, PATHS_UNIT_TIME),
		f.focus == 0 ? " in MPI calls, of all ranks" :
			       " of the call that was chosen, of all ranks"));
	/* Room for the legend and a sentence. */
	sheet->box.height -= 3 * ESV_LABEL_HEIGHT(ESV_LABEL_POINTS);
	f.row = fmin(fmax(floor(sheet->box.height / (double)(levels - f.top)),
			 ROW_LEAST),
	    ROW_MOST);
	f.rows = (int64_t)(sheet->box.height / f.row);
	flame_begin(&f, &f.q);
	while (esv__query_next(&f.q))
		if (index < f.count)
			flame_take(&f, index++);
	if (levels - f.top < f.rows)
		f.rows = levels - f.top;
	sheet->box.y += (double)(f.rows > 0 ? f.rows : 0) * f.row + 6;
	flame_legend(&f,
	    (struct esv_box){ sheet->box.x, sheet->box.y, sheet->box.width,
		2 * ESV_LABEL_HEIGHT(ESV_LABEL_POINTS) });
	if (f.deeper)
		esv_draw_text(sheet->figure, ESV_ROLE_DIM_TEXT,
		    (struct esv_point){ sheet->box.x,
			sheet->figure->height -
			    ESV_LABEL_HEIGHT(ESV_LABEL_POINTS) / 2 },
		    ESV_ANCHOR_LEFT,
		    "There are calls below the last row, without room.");
}

const struct esv_chart esv__chart_flame = {
	.name = "flame",
	.title = "Call paths",
	.about = "Shows which functions of the program call MPI, and how much "
		 "time it takes.  A function is as wide as its share of the "
		 "time in MPI; its callers are above it, or, by callers, below "
		 "it.  A click on a function shows it over the whole width.",
	.measures = "tree callers",
	.tables = "call_tree caller_tree process",
	.applies = "EXISTS (SELECT 1 FROM call_tree WHERE time_ns > 0)",
	.nothing = "No MPI calls were recorded.",
	.measured = true,
	.draw = flame_draw,
};
