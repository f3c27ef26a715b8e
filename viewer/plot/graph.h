/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/graph.h - a graph, and the places of its nodes
 */

#ifndef VIEWER_PLOT_GRAPH_H
#define VIEWER_PLOT_GRAPH_H

#include "viewer/plot/sheet.h"

struct esv__node {
	int64_t id; /* ascending */
	const char *label;
	struct esv_thing thing;
	double value; /* NAN: none */
	const char *tip;
	bool source;	      /* one or more threads */
	double x, y;	      /* centre, set by the layout */
	double width, height; /* set by the caller */
};

struct esv__edge {
	uint32_t from, to; /* nodes */
	struct esv_point *points;
	uint32_t point_count;
	bool curved; /* Bezier curves of 3 n + 1 points */
};

struct esv__graph {
	struct esv__node *nodes;
	struct esv__edge *edges;
	size_t node_count, edge_count;
	double width, height; /* set by the layout */
};

#endif
