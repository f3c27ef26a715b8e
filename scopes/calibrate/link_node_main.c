/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/link_node_main.c - link-node: a process that measures links
 *
 *	link-node SECONDS QUICK QUIET
 *
 * The program of all processes of the map that es__link_map_print writes.  The
 * first process asks the others to measure, one after the other, and writes the
 * model into the run directory.  Processes without a thread serve.
 */

#include "scopes/calibrate/link_measure_private.h"
#include "scopes/calibrate/pace_private.h"

#include "scopes/model/quantile_private.h"

#include "libpaths/log.h"
#include "libpaths/program.h"
#include "libpaths/thread.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct paths_program *program;
	const struct paths_map *map;
	uint32_t process;
	struct paths_thread *thread;
	struct es__link links[ES__LINKS_MOST];
	uint32_t link_count;
	struct paths_path *paths[ES__LINKS_MOST]; /* of this process */
	/* By process, of the first one; of another process: [0]. */
	struct paths_path **asks, **answers;
	unsigned char *tuple;
};

static int
node_fail(const char *text)
{
	fprintf(stderr, "eventspace calibrate: %s\n", text);
	return EXIT_FAILURE;
}

/* Returns the link that a path measures: that of its proxy. */
static struct es__link
link_of(const struct paths_map *map, const struct paths_map_path *path)
{
	struct es__link link = { map->threads[path->thread].process, PATHS_NONE,
		PATHS_MAP_VIA_TCP };

	for (uint32_t n = 0; n < map->item_count; n++)
		if (map->items[n].chain == path->chain &&
		    map->items[n].target != PATHS_NONE) {
			link.to = map->items[n].target;
			link.via = map->items[n].via;
		}
	return link;
}

/* Opens the path of the thread to an element with a number in its name, if the
   map has it. */
static paths_status
node_open_path(struct node *node, const char *prefix, uint32_t number,
    struct paths_path **path)
{
	char name[32];

	for (uint32_t n = 0; n < node->map->path_count; n++) {
		const struct paths_map_path *of = &node->map->paths[n];

		snprintf(name, sizeof(name), "%s%u", prefix, number);
		if (node->map->threads[of->thread].process == node->process &&
		    strcmp(of->element_name, name) == 0)
			return paths_path_open(node->thread, name, path);
	}
	return PATHS_OK;
}

/* Lists the links, which the map has in their order. */
static paths_status
node_find_links(struct node *node)
{
	char name[32];

	for (uint32_t n = 0; n < node->map->path_count; n++) {
		snprintf(name, sizeof(name), ES__LINK_PATH "%u",
		    node->link_count);
		if (strcmp(node->map->paths[n].element_name, name) != 0)
			continue;
		if (node->link_count == ES__LINKS_MOST)
			return paths_log_fail(PATHS_EINVAL, "too many links");
		node->links[node->link_count++] =
		    link_of(node->map, &node->map->paths[n]);
	}
	return node->link_count > 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EINVAL, "the map has no links");
}

static paths_status
node_open_paths(struct node *node)
{
	char name[32];
	paths_status st;

	snprintf(name, sizeof(name), ES__LINK_THREAD "%u", node->process);
	st = paths_thread_open(node->program, name, &node->thread);
	for (uint32_t n = 0; st == PATHS_OK && n < node->link_count; n++)
		st = node_open_path(node, ES__LINK_PATH, n, &node->paths[n]);
	for (uint32_t n = 0; st == PATHS_OK && n < node->map->process_count;
	     n++) {
		st = node_open_path(node, ES__LINK_ASK, n, &node->asks[n]);
		if (st == PATHS_OK)
			st = node_open_path(node, ES__LINK_ANSWER, n,
			    &node->answers[n]);
	}
	return st;
}

/* Returns true if this process has a thread. */
static bool
node_has_thread(const struct node *node)
{
	for (uint32_t n = 0; n < node->map->thread_count; n++)
		if (node->map->threads[n].process == node->process)
			return true;
	return false;
}

static paths_status
node_open(struct node *node)
{
	uint32_t processes = node->map->process_count;

	node->asks = calloc(processes, sizeof(struct paths_path *));
	node->answers = calloc(processes, sizeof(struct paths_path *));
	node->tuple = malloc(ES__LINK_LONGEST);
	if (node->asks == NULL || node->answers == NULL || node->tuple == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for tuples");
	/* Pages that were never written are one page of zeros. */
	memset(node->tuple, 1, ES__LINK_LONGEST);
	return node_has_thread(node) ? node_open_paths(node) : PATHS_OK;
}

/* Writes tuples of one size, and sets the median time of one. */
static paths_status
node_write_size(struct node *node, const struct es__link_ask *ask, uint32_t n,
    double end_s, double *seconds)
{
	struct paths_path *path = node->paths[ask->link];
	double *times, now_s = es__pace_now();
	uint32_t done = 0;
	paths_status st = PATHS_OK;

	if (ask->least == 0 || ask->bytes[n] > ES__LINK_LONGEST)
		return paths_log_fail(PATHS_EINVAL, "a wrong request");
	times = calloc((size_t)ask->turns[n] + 1, sizeof(*times));
	if (times == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for times");
	while (done < ask->turns[n] && now_s < end_s) {
		double begin_s = now_s;

		st = paths_path_write(path, node->tuple, ask->bytes[n]);
		if (st != PATHS_OK)
			break;
		now_s = es__pace_now();
		times[done++] = now_s - begin_s;
	}
	if (st != PATHS_OK)
		st = paths_log_fail(st, "%s", paths_path_why(path));
	*seconds = done < ask->least ? 0 : es__quantile(times, done, 0.5);
	free(times);
	return st;
}

/* Writes through a link of this process. */
static paths_status
node_write(struct node *node, const struct es__link_ask *ask,
    struct es__link_answer *answer)
{
	double end_s = es__pace_now() + 1e-3 * ask->limit_ms;
	paths_status st = PATHS_OK;

	if (ask->link >= node->link_count || node->paths[ask->link] == NULL ||
	    ask->count > ES__LINK_SIZES)
		return paths_log_fail(PATHS_EINVAL, "a wrong request");
	for (uint32_t n = 0; st == PATHS_OK && n < ask->count; n++)
		st = node_write_size(node, ask, n, end_s, &answer->seconds[n]);
	return st;
}

/* Asks the process of a link to measure it. */
static paths_status
node_ask(void *self, const struct es__link_ask *ask,
    struct es__link_answer *answer)
{
	struct node *node = self;
	uint32_t process = node->links[ask->link].from;
	paths_status st;

	if (process == node->process)
		return node_write(node, ask, answer);
	st = paths_path_write(node->asks[process], ask, sizeof(*ask));
	if (st != PATHS_OK)
		return paths_log_fail(st, "%s",
		    paths_path_why(node->asks[process]));
	st = paths_path_read(node->answers[process], answer, sizeof(*answer));
	if (st != PATHS_OK)
		return paths_log_fail(st, "%s",
		    paths_path_why(node->answers[process]));
	return PATHS_OK;
}

/* Measures what the first process asks for, until it asks for nothing. */
static paths_status
node_answer(struct node *node)
{
	struct paths_path *asks = node->asks[node->process];
	struct paths_path *answers = node->answers[node->process];
	struct es__link_ask ask;
	paths_status st;

	for (;;) {
		struct es__link_answer answer = { { 0 } };

		st = paths_path_read(asks, &ask, sizeof(ask));
		if (st != PATHS_OK)
			return paths_log_fail(st, "%s", paths_path_why(asks));
		if (ask.count == 0)
			return PATHS_OK;
		st = node_write(node, &ask, &answer);
		if (st != PATHS_OK)
			return st;
		st = paths_path_write(answers, &answer, sizeof(answer));
		if (st != PATHS_OK)
			return paths_log_fail(st, "%s",
			    paths_path_why(answers));
	}
}

/* Tells the others to end. */
static void
node_end(struct node *node)
{
	static const struct es__link_ask end = { 0 };

	for (uint32_t n = 0; n < node->map->process_count; n++)
		if (node->asks[n] != NULL)
			(void)paths_path_write(node->asks[n], &end,
			    sizeof(end));
}

/* Measures, and writes the model. */
static paths_status
node_lead(struct node *node, char **words)
{
	struct es__links links = { .map = node->map,
		.links = node->links,
		.count = node->link_count,
		.write = node_ask,
		.self = node,
		.end_s = es__pace_now() + strtod(words[1], NULL),
		.quick = strcmp(words[2], "yes") == 0,
		.quiet = strcmp(words[3], "yes") == 0 };
	char file[PATH_MAX];
	struct es_model *model = NULL;
	paths_status st = es__links_measure(&links, &model);

	if (st != PATHS_OK)
		return st;
	node_end(node);
	snprintf(file, sizeof(file), "%s/" ES__LINK_MODEL,
	    paths_program_run(node->program));
	st = es_model_write(model, file);
	es_model_free(model);
	return st;
}

int
main(int argc, char **argv)
{
	static struct node node;
	paths_status st;

	if (argc != 4)
		return node_fail("link-node is started by eventspace "
				 "calibrate");
	st = paths_program_open(NULL, NULL, &node.program);
	if (st != PATHS_OK)
		return node_fail(paths_log_last());
	node.map = paths_program_map(node.program);
	node.process = paths_program_process(node.program);
	st = node_find_links(&node);
	if (st == PATHS_OK)
		st = node_open(&node);
	if (st == PATHS_OK && node.process == 0)
		st = node_lead(&node, argv);
	else if (st == PATHS_OK && node_has_thread(&node))
		st = node_answer(&node);
	/* The others end when this process fails. */
	if (st != PATHS_OK)
		return node_fail(paths_log_last());
	paths_program_close(node.program);
	free(node.asks);
	free(node.answers);
	free(node.tuple);
	return EXIT_SUCCESS;
}
