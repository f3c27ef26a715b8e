/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/graph_layers.h - lays out a graph in layers, without Graphviz
 */

#ifndef VIEWER_PLOT_GRAPH_LAYERS_H
#define VIEWER_PLOT_GRAPH_LAYERS_H

#include "viewer/plot/graph.h"

/* Places each node to the right of all its predecessors, by ascending id. */
void es__graph_layers(struct es__graph *graph, struct es__sheet *sheet);

#endif
