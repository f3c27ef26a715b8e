/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/graph_layers.c - lays out a graph in layers, without
 * Graphviz
 */

#include "viewer/plot/graph_layers.h"

#include "viewer/plot/graph.h"
#include "viewer/plot/sheet.h"

#include <math.h>

#define BETWEEN_X 40.0
#define BETWEEN_Y 10.0

/* Returns the length of the longest way to each node.  Cycles, which no map
   has, are cut. */
static uint32_t *
layers_find(const struct esv__graph *graph, struct esv__sheet *sheet)
{
	uint32_t *layer =
	    esv__sheet_take(sheet, graph->node_count, sizeof(*layer));
	bool moved = layer != NULL;

	for (size_t round = 0; moved && round < graph->node_count; round++) {
		moved = false;
		for (size_t n = 0; n < graph->edge_count; n++) {
			const struct esv__edge *e = &graph->edges[n];

			if (layer[e->to] > layer[e->from] ||
			    layer[e->from] + 1 >= graph->node_count)
				continue;
			layer[e->to] = layer[e->from] + 1;
			moved = true;
		}
	}
	return layer;
}

static void
layers_edge(const struct esv__graph *graph, struct esv__sheet *sheet,
    struct esv__edge *edge)
{
	const struct esv__node *from = &graph->nodes[edge->from];
	const struct esv__node *to = &graph->nodes[edge->to];

	edge->points = esv__sheet_take(sheet, 2, sizeof(*edge->points));
	if (edge->points == NULL)
		return;
	edge->points[0] =
	    (struct esv_point){ from->x + from->width / 2, from->y };
	edge->points[1] = (struct esv_point){ to->x - to->width / 2, to->y };
	edge->point_count = 2;
}

void
esv__graph_layers(struct esv__graph *graph, struct esv__sheet *sheet)
{
	uint32_t *layer = layers_find(graph, sheet);
	size_t placed = 0;

	graph->width = graph->height = 0;
	for (uint32_t l = 0; layer != NULL && placed < graph->node_count; l++) {
		double wide = 0, y = 0;

		for (size_t n = 0; n < graph->node_count; n++)
			if (layer[n] == l)
				wide = fmax(wide, graph->nodes[n].width);
		for (size_t n = 0; n < graph->node_count; n++) {
			struct esv__node *node = &graph->nodes[n];

			if (layer[n] != l)
				continue;
			node->x = graph->width + wide / 2;
			node->y = y + node->height / 2;
			y += node->height + BETWEEN_Y;
			placed++;
		}
		graph->width += wide + BETWEEN_X;
		graph->height = fmax(graph->height, y);
	}
	for (size_t n = 0; n < graph->edge_count; n++)
		layers_edge(graph, sheet, &graph->edges[n]);
}
