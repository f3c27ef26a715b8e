/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/graph_dot.h - lays out a graph with Graphviz
 */

#ifndef VIEWER_PLOT_GRAPH_DOT_H
#define VIEWER_PLOT_GRAPH_DOT_H

#include "viewer/plot/graph.h"

/*
 * Lays out a graph from left to right.  Runs the program dot, for at most some
 * seconds of processor time.
 *
 * Returns	true; false: dot is not installed, or failed
 */
bool esv__graph_dot(struct esv__graph *graph, struct esv__sheet *sheet);

#endif
