/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/path_graph.c - graph of all paths, coloured by cost
 *
 * Threads are at the left, elements at the right.  Collectors are omitted.  In
 * a very large graph all stages of a kind on a host are one node, and so are
 * all threads of a host.
 */

#include "viewer/chart/chart_private.h"

#include "viewer/figure/legend.h"
#include "viewer/plot/graph_dot.h"
#include "viewer/plot/graph_layers.h"
#include "viewer/plot/query.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

ESV__SQL(graph_threads);
ESV__SQL(graph_stages);
ESV__SQL(graph_edges);

/* Most threads and stages that are drawn one by one. */
#define THREADS_MAX 300
#define STAGES_MAX 500

#define NODE_HEIGHT 20.0
#define NODE_WIDTH 160.0 /* at most */
#define CURVE 8u	 /* line segments of a curve */

struct graph_drawing {
	struct esv__sheet *sheet;
	struct esv__graph graph;
	bool folded;
	const char *what;
	enum paths_unit unit;
	struct esv_axis heat;
	double scale, left, top;
};

static void
drawing_measure(struct graph_drawing *d)
{
	d->unit = PATHS_UNIT_TIME;
	if (esv__sheet_measure(d->sheet, "wait")) {
		d->what = "waiting of all threads";
	} else if (esv__sheet_measure(d->sheet, "operations")) {
		d->what = "operations";
		d->unit = PATHS_UNIT_COUNT;
	} else if (esv__sheet_measure(d->sheet, "total")) {
		d->what = "latency of all operations";
	} else {
		d->what = "mean latency of an operation";
	}
}

static void
drawing_add_node(struct graph_drawing *d, const struct esv__node *node)
{
	struct esv__graph *g = &d->graph;

	g->nodes = esv__sheet_grow(d->sheet, g->nodes, g->node_count,
	    sizeof(*g->nodes));
	if (g->nodes == NULL)
		return;
	g->nodes[g->node_count] = *node;
	g->nodes[g->node_count].width = fmin(NODE_WIDTH,
	    esv_label_width(node->label, ESV_LABEL_SMALL_POINTS) + 12);
	g->nodes[g->node_count++].height = NODE_HEIGHT;
}

static void
drawing_threads(struct graph_drawing *d)
{
	struct esv__query q;

	esv__query_begin(&q, d->sheet, esv__sql_graph_threads);
	esv__query_bind(&q, "folded", d->folded);
	while (esv__query_next(&q)) {
		struct esv__node node = { .id = esv__query_int(&q, 0),
			.label = esv__query_text(&q, 1),
			.tip = esv__query_text(&q, 2),
			.thing =
			    ESV_THING(ESV_THING_THREAD, esv__query_int(&q, 4)),
			.value = NAN,
			.source = true };

		if (d->folded) {
			node.thing = ESV_THING(ESV_THING_HOST, -1 - node.id);
			node.label = esv_figure_printf(d->sheet->figure,
			    "%s: %" PRId64 " threads", esv__query_text(&q, 2),
			    esv__query_int(&q, 3));
		}
		drawing_add_node(d, &node);
	}
}

static void
drawing_stages(struct graph_drawing *d)
{
	struct esv__query q;

	esv__query_begin(&q, d->sheet, esv__sql_graph_stages);
	esv__query_bind(&q, "folded", d->folded);
	esv__query_bind_text(&q, "measure", d->sheet->options->measure);
	while (esv__query_next(&q)) {
		struct esv__node node = { .id = esv__query_int(&q, 0),
			.label = esv__query_text(&q, 1),
			.thing =
			    ESV_THING(ESV_THING_STAGE, esv__query_int(&q, 0)),
			.value = esv__query_num(&q, 5) };

		if (d->folded && esv__query_int(&q, 3) > 1) {
			node.thing = ESV_NOTHING;
			node.label = esv_figure_printf(d->sheet->figure,
			    "%s: %" PRId64 " x %s", esv__query_text(&q, 2),
			    esv__query_int(&q, 3), esv__query_text(&q, 4));
		}
		node.tip = esv_figure_printf(d->sheet->figure,
		    "%s (%s on %s): %s", node.label, esv__query_text(&q, 4),
		    esv__query_text(&q, 2),
		    isnan(node.value) ?
			"not measured" :
			esv__sheet_number(d->sheet, node.value, d->unit));
		drawing_add_node(d, &node);
	}
}

static int
node_order_both(const void *left, const void *right)
{
	int64_t a = ((const struct esv__node *)left)->id;
	int64_t b = ((const struct esv__node *)right)->id;

	return a < b ? -1 : a > b;
}

static int
node_order(const void *key, const void *node)
{
	int64_t a = *(const int64_t *)key;
	int64_t b = ((const struct esv__node *)node)->id;

	return a < b ? -1 : a > b;
}

static uint32_t
drawing_find(const struct graph_drawing *d, int64_t id)
{
	const struct esv__node *node = bsearch(&id, d->graph.nodes,
	    d->graph.node_count, sizeof(*node), node_order);

	return node == NULL ? UINT32_MAX : (uint32_t)(node - d->graph.nodes);
}

static void
drawing_edges(struct graph_drawing *d)
{
	struct esv__graph *g = &d->graph;
	struct esv__query q;

	esv__query_begin(&q, d->sheet, esv__sql_graph_edges);
	esv__query_bind(&q, "folded", d->folded);
	while (esv__query_next(&q)) {
		struct esv__edge edge = { .from = drawing_find(d,
					      esv__query_int(&q, 0)),
			.to = drawing_find(d, esv__query_int(&q, 1)) };

		if (edge.from == UINT32_MAX || edge.to == UINT32_MAX)
			continue;
		g->edges = esv__sheet_grow(d->sheet, g->edges, g->edge_count,
		    sizeof(*g->edges));
		if (g->edges != NULL)
			g->edges[g->edge_count++] = edge;
	}
}

static struct esv_point
drawing_at(const struct graph_drawing *d, double x, double y)
{
	return (
	    struct esv_point){ d->left + x * d->scale, d->top + y * d->scale };
}

/* Returns a point of a Bezier curve. */
static struct esv_point
curve_at(const struct esv_point *p, double t)
{
	double u = 1 - t;
	double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t,
	       e = t * t * t;

	return (struct esv_point){ a * p[0].x + b * p[1].x + c * p[2].x +
		    e * p[3].x,
		a * p[0].y + b * p[1].y + c * p[2].y + e * p[3].y };
}

static void
drawing_arrow(const struct graph_drawing *d, struct esv_point from,
    struct esv_point to)
{
	double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
	double size = fmax(3, 6 * d->scale);
	struct esv_point head[3] = { to };

	if (length <= 0)
		return;
	x *= size / length;
	y *= size / length;
	head[1] = (struct esv_point){ to.x - x - y / 2, to.y - y + x / 2 };
	head[2] = (struct esv_point){ to.x - x + y / 2, to.y - y - x / 2 };
	(void)esv_figure_add(d->sheet->figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_AREA,
		.role = ESV_ROLE_AXIS,
		.points = head,
		.point_count = 3 });
}

static void
drawing_edge(const struct graph_drawing *d, const struct esv__edge *edge)
{
	uint32_t curves = edge->curved ? (edge->point_count - 1) / 3 : 0;
	struct esv_point *line = esv__sheet_take(d->sheet,
	    edge->point_count + curves * CURVE + 1, sizeof(*line));
	uint32_t count = 0;

	if (line == NULL || edge->point_count < 2)
		return;
	for (uint32_t c = 0; c < curves; c++)
		for (uint32_t n = c > 0; n <= CURVE; n++) {
			struct esv_point p =
			    curve_at(edge->points + 3 * c, (double)n / CURVE);

			line[count++] = drawing_at(d, p.x, p.y);
		}
	for (uint32_t n = 0; curves == 0 && n < edge->point_count; n++)
		line[count++] =
		    drawing_at(d, edge->points[n].x, edge->points[n].y);
	(void)esv_figure_add(d->sheet->figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_LINE,
		.role = ESV_ROLE_AXIS,
		.points = line,
		.point_count = count,
		.line_width = 1 });
	drawing_arrow(d, line[count - 2], line[count - 1]);
}

static void
drawing_node(const struct graph_drawing *d, const struct esv__node *node)
{
	struct esv_point at = drawing_at(d, node->x - node->width / 2,
	    node->y - node->height / 2);
	struct esv_box box = { at.x, at.y, node->width * d->scale,
		node->height * d->scale };
	int role = ESV_ROLE_PANEL, ink = ESV_ROLE_TEXT;

	if (node->source)
		role = ESV_ROLE_SELECTION;
	else if (!isnan(node->value))
		role = esv_draw_heat(node->value, 0, d->heat.to);
	/* High values are dark in the light theme, light in the dark
	   one. */
	if (role >= ESV_ROLE_HEAT + 140)
		ink = ESV_ROLE_GROUND;
	esv_draw_rect(d->sheet->figure, role, box, node->thing, node->tip);
	esv_draw_frame(d->sheet->figure, ESV_ROLE_AXIS, box, 1);
	if (d->scale * ESV_LABEL_SMALL_POINTS >= 4)
		(void)esv_figure_add(d->sheet->figure,
		    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
			.role = ink,
			.x = box.x + box.width / 2,
			.y = box.y + box.height / 2,
			.width = box.width,
			.text = node->label,
			.text_size = ESV_LABEL_SMALL_POINTS * d->scale,
			.anchor = ESV_ANCHOR_MIDDLE,
			.thing = node->thing,
			.tip = node->tip });
}

static void
drawing_show(struct graph_drawing *d)
{
	const struct esv__graph *g = &d->graph;
	struct esv_box *box = &d->sheet->box;

	d->heat =
	    (struct esv_axis){ .label = d->what, .unit = d->unit, .to = 0 };
	for (size_t n = 0; n < g->node_count; n++)
		d->heat.to = fmax(d->heat.to, g->nodes[n].value);
	if (d->heat.to > 0)
		esv_legend_heat(d->sheet->figure, box, &d->heat);
	else
		esv__sheet_say(d->sheet, ESV_ROLE_DIM_TEXT,
		    esv_figure_printf(d->sheet->figure,
			"Not measured in any stage: %s.", d->what));
	d->scale =
	    fmin(1.4, fmin(box->width / g->width, box->height / g->height));
	d->left = box->x + (box->width - g->width * d->scale) / 2;
	d->top = box->y + (box->height - g->height * d->scale) / 2;
	for (size_t n = 0; n < g->edge_count; n++)
		drawing_edge(d, &g->edges[n]);
	for (size_t n = 0; n < g->node_count; n++)
		drawing_node(d, &g->nodes[n]);
}

static void
path_graph_draw(struct esv__sheet *sheet)
{
	struct graph_drawing d = { .sheet = sheet };
	int64_t stages = esv__query_one(sheet, 0,
	    "SELECT count(*) FROM stage WHERE kind <> 'collector'");

	d.folded =
	    sheet->model->thread_count > THREADS_MAX || stages > STAGES_MAX;
	if (d.folded)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"%u threads and %" PRId64 " stages are too many to "
			"draw: those of a kind on a host are one node.",
			sheet->model->thread_count, stages));
	drawing_measure(&d);
	drawing_threads(&d);
	drawing_stages(&d);
	if (sheet->figure->status != PATHS_OK || d.graph.node_count == 0)
		return;
	qsort(d.graph.nodes, d.graph.node_count, sizeof(*d.graph.nodes),
	    node_order_both);
	drawing_edges(&d);
	if (!esv__graph_dot(&d.graph, sheet)) {
		esv__sheet_say(sheet, ESV_ROLE_DIM_TEXT,
		    "Simple layout, because the program dot of the package "
		    "graphviz was not found.");
		esv__graph_layers(&d.graph, sheet);
	}
	if (sheet->figure->status == PATHS_OK)
		drawing_show(&d);
}

const struct esv_chart esv__chart_path_graph = {
	.name = "path_graph",
	.title = "Paths",
	.about = "Shows the paths from threads to elements, and the cost of "
		 "each stage.  Stages without colour were not measured.",
	.measures = "latency total wait operations",
	.tables = "stage path path_stage thread process host wrapper_latency "
		  "breakdown mpi_rank",
	.applies = "EXISTS (SELECT 1 FROM path_stage JOIN stage USING (stage) "
		   "WHERE kind <> 'collector') "
		   "AND NOT EXISTS (SELECT 1 FROM mpi_rank)",
	.nothing = "The run has no paths.",
	.draw = path_graph_draw,
};
