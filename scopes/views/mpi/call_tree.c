/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/call_tree.c - time and waiting of MPI calls, by call path
 *
 * call_nodes_private.h describes the trees, and scopes/mpi/call_sums_private.h
 * the times.
 */

#include "scopes/views/mpi/call_nodes_private.h"

#include <stdio.h>
#include <string.h>

ES__SQL(call_tree_reading);
ES__SQL(caller_tree_reading);

/* Columns of both trees; place: noun phrase for the file. */
#define NODE_COLUMNS(place) \
	{ "node", ES_INTEGER, \
		.about = "number of the node; nodes below it follow it" }, \
	    { "parent", ES_INTEGER, \
		    .about = "node above it; NULL: it is a root" }, \
	    { "depth", ES_INTEGER, .about = "number of nodes above it" }, \
	    { "tree", ES_TEXT, \
		    .about = "function and place, indented by the depth" }, \
	    { "time_ns", ES_INTEGER, \
		    .about = "time in the MPI calls of all ranks, in the " \
			     "measured interval", \
		    .unit = ES_UNIT_NS }, \
	    { "wait_ns", ES_INTEGER, \
		    .about = "part of it that was spent waiting", \
		    .unit = ES_UNIT_NS }, \
	    { "time_share", ES_REAL, \
		    .about = "share of all time in MPI calls", \
		    .unit = ES_UNIT_SHARE }, \
	    { "calls", ES_INTEGER, .about = "number of MPI calls" }, \
	    { "ranks", ES_INTEGER, \
		    .about = "number of ranks that made these calls" }, \
	    { "most_rank", ES_INTEGER, .about = "rank with most of the time", \
		    .refers = "mpi_rank" }, \
	    { "most_ns", ES_INTEGER, .about = "time of this rank", \
		    .unit = ES_UNIT_NS }, \
	    { "mpi", ES_INTEGER, \
		    .about = "1: a function of MPI; 0: one of the program" }, \
	    { "function", ES_TEXT, \
		    .about = "function; where its name is not known, the " \
			     "place or the offset of the call in it" }, \
	    { "file", ES_TEXT, .about = place "; NULL: none, or not known" }, \
	{ \
		"line", ES_INTEGER, \
		    .about = "line in that file; NULL: none, or not known" \
	}

static const struct es_column down_columns[] = {
	NODE_COLUMNS("source file of the call of the function, in its parent"),
};

static const struct es_column up_columns[] = {
	NODE_COLUMNS("source file of the call, in the function"),
};

enum { DOWN, UP };

static const struct es_table tables[] = {
	[DOWN] = { .name = "call_tree",
	    .about = "call paths of MPI calls, from the main function down",
	    ES_COLUMNS(down_columns),
	    .order = "node",
	    .key = "node",
	    .reading = es__sql_call_tree_reading,
	    .reading_about = "call path with the most time" },
	[UP] = { .name = "caller_tree",
	    .about = "callers of MPI functions, from the calls up",
	    ES_COLUMNS(up_columns),
	    .order = "node",
	    .key = "node",
	    .reading = es__sql_caller_tree_reading,
	    .reading_about = "function and caller with the most time" },
};

/* Longest text of a node; longer names are cut. */
#define TREE_BYTES 640
/* Deepest indentation of a text. */
#define INDENT_MAX 64u

static const char *
node_text(const struct es__call_node *node, char text[TREE_BYTES])
{
	unsigned depth = node->depth < INDENT_MAX ? node->depth : INDENT_MAX;
	const char *slash =
	    node->file == NULL ? NULL : strrchr(node->file, '/');
	int length = snprintf(text, TREE_BYTES, "%*s%.400s", 2 * (int)depth, "",
	    node->function);

	if (node->file != NULL)
		length += snprintf(text + length, TREE_BYTES - (size_t)length,
		    " (%.90s", slash == NULL ? node->file : slash + 1);
	if (node->file != NULL && node->line > 0)
		length += snprintf(text + length, TREE_BYTES - (size_t)length,
		    ":%d", node->line);
	if (node->file != NULL)
		snprintf(text + length, TREE_BYTES - (size_t)length, ")");
	return text;
}

static paths_status
node_show(struct es_sink *sink, const struct es_table *table,
    const struct es__call_nodes *t, size_t n)
{
	const struct es__call_node *node = &t->list[n];
	char text[TREE_BYTES];

	return sink->row(sink, table,
	    (struct es_value[]){ ES_INT(n + 1),
		node->parent == PATHS_NONE ? ES_NIL : ES_INT(node->parent + 1),
		ES_INT(node->depth), ES_STR(node_text(node, text)),
		ES_INT(node->time_ns), ES_INT(node->wait_ns),
		es__share(node->time_ns, t->time_ns), ES_INT(node->calls),
		ES_INT(node->ranks), ES_INT(node->most_rank),
		ES_INT(node->most_ns), ES_INT(node->mpi),
		ES_STR(node->function), es__text(node->file),
		node->line > 0 ? ES_INT(node->line) : ES_NIL });
}

static paths_status
tree_show(const struct es__call_sums *sums, const struct es__places *places,
    int which, struct es_sink *sink)
{
	struct es__call_nodes nodes;
	paths_status st =
	    es__call_nodes_make(sums, places, which == UP, &nodes);

	for (size_t n = 0; st == PATHS_OK && n < nodes.count; n++)
		st = node_show(sink, &tables[which], &nodes, n);
	es__call_nodes_fini(&nodes);
	return st;
}

static paths_status
call_tree_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__places *places;
	struct es__call_sums sums;
	paths_status st = es__call_sums_make(a, &sums);

	if (st == PATHS_OK && sums.count > 0)
		st = es__places_get(a, &places);
	if (st == PATHS_OK && sums.count > 0)
		st = tree_show(&sums, places, DOWN, sink);
	if (st == PATHS_OK && sums.count > 0)
		st = tree_show(&sums, places, UP, sink);
	es__call_sums_fini(&sums);
	return st;
}

const struct es_view es__view_call_tree = {
	.name = "call_tree",
	.about = "time and waiting of MPI calls, by call path",
	.question = "Which functions of the program spend time in MPI, and "
		    "through which calls?",
	.topic = ES_TOPIC_TIME,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = call_tree_compute,
	.needs = ES_NEED_MPI | ES_NEED_TRACE | ES_NEED_MPI_PROFILE,
};
