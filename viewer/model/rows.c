/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/rows.c - makes the tree of rows: run, hosts, processes, threads
 */

#include "viewer/model/rows.h"

#include "viewer/model/read.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

bool
esv_row_kind_find(const char *word, enum esv_row_kind *kind)
{
	static const char *const words[] = {
		[ESV_ROW_RUN] = "run",
		[ESV_ROW_HOST] = "host",
		[ESV_ROW_PROCESS] = "process",
		[ESV_ROW_THREAD] = "thread",
	};

	for (int k = ESV_ROW_RUN; k <= ESV_ROW_THREAD; k++) {
		if (strcmp(word, words[k]) == 0) {
			*kind = (enum esv_row_kind)k;
			return true;
		}
	}
	return false;
}

/* The run, or a row of one of the tables host, process and thread. */
struct node {
	char *name;
	uint32_t parent; /* id in the level above */
	/* Ids of the first child and of the next sibling; PATHS_NONE: there is
	   none. */
	uint32_t first, next;
};

struct nodes {
	struct node *nodes;
	size_t room;
	uint32_t count;
	uint32_t parents; /* number of nodes in the level above; run: 1 */
};

/* The nodes of each level, by enum esv_row_kind.  A node's index is its id. */
struct tree {
	struct nodes levels[ESV_ROW_THREAD + 1];
};

/* Adds a row of a query (id, parent, name) as the next node of a level. */
static paths_status
nodes_take(void *to, const struct es_rows *rows)
{
	struct nodes *all = to;
	struct node *node;
	int64_t id, parent;
	paths_status st =
	    esv__read_number(rows, 0, all->count, all->count, &id);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, 0, (int64_t)all->parents - 1,
		    &parent);
	if (st != PATHS_OK)
		return st;
	if (!paths__array_grow(&all->nodes, all->count, &all->room,
		sizeof(*all->nodes)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for the model");
	node = &all->nodes[all->count];
	*node = (struct node){ .name = esv__read_text(rows, 2),
		.parent = (uint32_t)parent,
		.first = PATHS_NONE };
	if (node->name == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the model");
	all->count++;
	return PATHS_OK;
}

/* Links the nodes of a level to their parents.  Siblings are in the order of
   their ids, because each node is put in front of those with larger ids. */
static void
tree_link(struct tree *tree, enum esv_row_kind kind)
{
	struct nodes *parents = &tree->levels[kind - 1];
	struct nodes *all = &tree->levels[kind];

	for (uint32_t n = all->count; n-- > 0;) {
		struct node *parent = &parents->nodes[all->nodes[n].parent];

		all->nodes[n].next = parent->first;
		parent->first = n;
	}
}

static paths_status
tree_read(struct tree *tree, struct esv_model *model)
{
	static const char *const queries[] = {
		[ESV_ROW_RUN] = "SELECT 0, 0, 'run'",
		[ESV_ROW_HOST] = "SELECT host, 0, name FROM host ORDER BY host",
		[ESV_ROW_PROCESS] = "SELECT process, host, name FROM process "
				    "ORDER BY process",
		[ESV_ROW_THREAD] = "SELECT thread, process, name FROM thread "
				   "ORDER BY thread",
	};
	paths_status st = PATHS_OK;

	for (int k = ESV_ROW_RUN; st == PATHS_OK && k <= ESV_ROW_THREAD; k++) {
		tree->levels[k].parents =
		    k == ESV_ROW_RUN ? 1 : tree->levels[k - 1].count;
		st = esv__read_each(model, queries[k], nodes_take,
		    &tree->levels[k]);
		if (st == PATHS_OK && k > ESV_ROW_RUN)
			tree_link(tree, (enum esv_row_kind)k);
	}
	return st;
}

/* Adds a row, and moves the name of the node to it.  Returns the number of the
   row. */
static uint32_t
rows_add(struct esv_model *model, const struct esv_row *row, struct node *node)
{
	uint32_t n = model->row_count++;

	model->rows[n] = *row;
	model->rows[n].pyramid = PATHS_NONE;
	model->rows[n].name = node->name;
	node->name = NULL;
	return n;
}

/* Adds all rows below a row, depth first. */
static void
rows_descend(struct esv_model *model, struct tree *tree, uint32_t parent)
{
	uint32_t kind = model->rows[parent].kind + 1;
	uint32_t id =
	    tree->levels[kind - 1].nodes[model->rows[parent].id].first;

	while (id != PATHS_NONE) {
		struct node *node = &tree->levels[kind].nodes[id];
		uint32_t n = rows_add(model,
		    &(struct esv_row){ .kind = (enum esv_row_kind)kind,
			.id = id,
			.parent = parent,
			.depth = kind },
		    node);

		if (kind == ESV_ROW_THREAD)
			model->thread_rows[id] = n;
		else
			rows_descend(model, tree, n);
		id = node->next;
	}
}

/* Counts each thread in its own row and in the rows above it. */
static void
rows_count_threads(struct esv_model *model)
{
	for (uint32_t t = 0; t < model->thread_count; t++) {
		uint32_t n = model->thread_rows[t];

		for (; n != PATHS_NONE; n = model->rows[n].parent)
			model->rows[n].threads++;
	}
}

static paths_status
rows_make(struct esv_model *model, struct tree *tree)
{
	size_t count = 0;

	for (int k = ESV_ROW_RUN; k <= ESV_ROW_THREAD; k++)
		count += tree->levels[k].count;
	model->thread_count = tree->levels[ESV_ROW_THREAD].count;
	model->ranks = model->mpi &&
	    model->thread_count == tree->levels[ESV_ROW_PROCESS].count;
	model->rows = calloc(count, sizeof(*model->rows));
	model->thread_rows = calloc((size_t)model->thread_count + 1,
	    sizeof(*model->thread_rows));
	if (model->rows == NULL || model->thread_rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the model");
	rows_descend(model, tree,
	    rows_add(model, &(struct esv_row){ .parent = PATHS_NONE },
		&tree->levels[ESV_ROW_RUN].nodes[0]));
	rows_count_threads(model);
	return PATHS_OK;
}

paths_status
esv__rows_read(struct esv_model *model)
{
	struct tree tree = { 0 };
	paths_status st = tree_read(&tree, model);

	if (st == PATHS_OK)
		st = rows_make(model, &tree);
	for (int k = ESV_ROW_RUN; k <= ESV_ROW_THREAD; k++) {
		for (uint32_t n = 0; n < tree.levels[k].count; n++)
			free(tree.levels[k].nodes[n].name);
		free(tree.levels[k].nodes);
	}
	return st;
}

void
esv__rows_free(struct esv_model *model)
{
	for (uint32_t n = 0; n < model->row_count; n++)
		free((char *)model->rows[n].name);
	free(model->rows);
	free(model->thread_rows);
}

char *
esv_rows_text(const struct esv_model *model, const char *text)
{
	static const char thread[] = "thread", rank[] = "rank";
	char *copy = strdup(text), *to = copy;

	if (copy == NULL || !model->ranks)
		return copy;
	/* The copy is not longer than the text. */
	while (*text != '\0') {
		if (strncmp(text, thread, sizeof(thread) - 1) != 0) {
			*to++ = *text++;
			continue;
		}
		to = stpcpy(to, rank);
		text += sizeof(thread) - 1;
	}
	*to = '\0';
	return copy;
}
