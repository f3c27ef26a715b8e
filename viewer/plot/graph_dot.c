/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/graph_dot.c - lays out a graph with Graphviz
 *
 * dot reads a file without a name, and writes its format `plain` to a pipe:
 * lines that begin with graph, node, edge or stop.  Lengths are inches, and y
 * points up.
 */

#include "viewer/plot/graph_dot.h"

#include "viewer/plot/graph.h"
#include "viewer/plot/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define INCH 96.0

/* Seconds of processor time. */
#define LIMIT 10

static FILE *
dot_input(const struct esv__graph *graph)
{
	FILE *to = tmpfile();

	if (to == NULL)
		return NULL;
	fputs("digraph g { rankdir=LR; nodesep=0.12; ranksep=0.5; "
	      "edge [arrowhead=none]; "
	      "node [shape=box, fixedsize=true, label=\"\"];\n",
	    to);
	for (size_t n = 0; n < graph->node_count; n++)
		fprintf(to, "n%zu [width=%.4f, height=%.4f];\n", n,
		    graph->nodes[n].width / INCH,
		    graph->nodes[n].height / INCH);
	for (size_t n = 0; n < graph->edge_count; n++)
		fprintf(to, "n%u -> n%u;\n", graph->edges[n].from,
		    graph->edges[n].to);
	fputs("}\n", to);
	if (fflush(to) != 0 || fseek(to, 0, SEEK_SET) != 0) {
		(void)fclose(to);
		return NULL;
	}
	return to;
}

/* Runs dot in the child, by functions that are allowed between fork and
   exec. */
static _Noreturn void
dot_exec(int in, int out)
{
	const struct rlimit limit = { LIMIT, LIMIT };

	(void)setrlimit(RLIMIT_CPU, &limit);
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execlp("dot", "dot", "-Tplain", (char *)NULL);
	_exit(127);
}

static FILE *
dot_start(FILE *input, pid_t *child)
{
	int ends[2];
	FILE *from;

	if (pipe(ends) != 0)
		return NULL;
	*child = fork();
	if (*child == 0)
		dot_exec(fileno(input), ends[1]);
	(void)close(ends[1]);
	from = *child < 0 ? NULL : fdopen(ends[0], "r");
	if (from == NULL)
		(void)close(ends[0]);
	return from;
}

static struct esv_point
dot_point(const struct esv__graph *graph, double x, double y)
{
	return (struct esv_point){ x * INCH, graph->height - y * INCH };
}

static void
dot_node(struct esv__graph *graph, const char *line)
{
	size_t n;
	double x, y;
	struct esv_point at;

	if (sscanf(line, "node n%zu %lf %lf", &n, &x, &y) != 3 ||
	    n >= graph->node_count)
		return;
	at = dot_point(graph, x, y);
	graph->nodes[n].x = at.x;
	graph->nodes[n].y = at.y;
}

static struct esv__edge *
dot_find_edge(struct esv__graph *graph, uint32_t from, uint32_t to)
{
	for (size_t n = 0; n < graph->edge_count; n++)
		if (graph->edges[n].from == from && graph->edges[n].to == to)
			return &graph->edges[n];
	return NULL;
}

static void
dot_edge(struct esv__graph *graph, struct esv__sheet *sheet, const char *line)
{
	uint32_t from, to, count;
	struct esv__edge *edge;
	int at = 0;

	if (sscanf(line, "edge n%u n%u %u%n", &from, &to, &count, &at) != 3 ||
	    count < 2 || count > 1000)
		return;
	edge = dot_find_edge(graph, from, to);
	/* Only the first of several edges between the same nodes is drawn. */
	if (edge == NULL || edge->points != NULL)
		return;
	edge->points = esv__sheet_take(sheet, count, sizeof(*edge->points));
	edge->curved = true;
	for (uint32_t n = 0; edge->points != NULL && n < count; n++) {
		double x, y;
		int bytes = 0;

		if (sscanf(line + at, "%lf %lf%n", &x, &y, &bytes) != 2)
			break;
		at += bytes;
		edge->points[edge->point_count++] = dot_point(graph, x, y);
	}
}

static bool
dot_read(struct esv__graph *graph, struct esv__sheet *sheet, FILE *from)
{
	char *line = NULL;
	size_t room = 0;
	double scale;
	bool whole = false;

	while (getline(&line, &room, from) > 0) {
		if (sscanf(line, "graph %lf %lf %lf", &scale, &graph->width,
			&graph->height) == 3) {
			graph->width *= INCH;
			graph->height *= INCH;
		}
		dot_node(graph, line);
		dot_edge(graph, sheet, line);
		whole = whole || strncmp(line, "stop", 4) == 0;
	}
	free(line);
	return whole && graph->width > 0 && graph->height > 0;
}

bool
esv__graph_dot(struct esv__graph *graph, struct esv__sheet *sheet)
{
	FILE *input = dot_input(graph), *from;
	bool whole = false;
	pid_t child = -1;

	if (input == NULL)
		return false;
	from = dot_start(input, &child);
	if (from != NULL) {
		whole = dot_read(graph, sheet, from);
		(void)fclose(from);
	}
	if (child > 0)
		(void)waitpid(child, NULL, 0);
	(void)fclose(input);
	return whole;
}
