/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/graph_layers.h - lays out a graph in layers, without Graphviz
 */

#ifndef VIEWER_PLOT_GRAPH_LAYERS_H
#define VIEWER_PLOT_GRAPH_LAYERS_H

#include "viewer/plot/graph.h"

/* Places each node in a column to the right of all its predecessors; ids ascend
   from the top of a column. */
void esv__graph_layers(struct esv__graph *graph, struct esv__sheet *sheet);

#endif
