/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/graph_private.h - where the nodes of a graph stand
 */

#ifndef VIEWER_PLOT_GRAPH_PRIVATE_H
#define VIEWER_PLOT_GRAPH_PRIVATE_H

#include "viewer/chart/chart_private.h"

struct es__node {
	int64_t id; /* ascending */
	const char *label;
	struct es_thing thing;
	double value; /* NAN: none */
	const char *tip;
	bool source;	      /* a thread, or many */
	double x, y;	      /* made by the layout: its middle, */
	double width, height; /* given to it */
};

struct es__edge {
	uint32_t from, to; /* nodes */
	struct es_point *points;
	uint32_t point_count;
	bool curved; /* points are of Bezier curves, 3 n + 1 */
};

struct es__graph {
	struct es__node *nodes;
	struct es__edge *edges;
	size_t node_count, edge_count;
	double width, height; /* made by the layout */
};

/*
 * es__graph_dot - let Graphviz lay it out, from the left to the right
 *
 * Runs the program dot, for at most some seconds of processor time.
 *
 * Returns	true; false: there is no dot, or it did not answer
 */
bool es__graph_dot(struct es__graph *graph, struct es__sheet *sheet);

/*
 * es__graph_layers - lay it out plainly
 *
 * Each node stands to the right of all that lead to it, in the order of ids.
 */
void es__graph_layers(struct es__graph *graph, struct es__sheet *sheet);

#endif
