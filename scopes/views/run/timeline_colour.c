/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_colour.c - communication in the rows of timelines,
 * divided by call site, communicator, peer, bytes and step
 *
 * scopes/timeline.h declares the format, scopes/colour.h the classes.  Each
 * colour reads all operations once.
 */

#include "scopes/colour.h"
#include "scopes/mpi.h"
#include "scopes/views/run/timeline_block_private.h"
#include "scopes/views/run/timeline_classes_private.h"

#include "libpaths/log.h"

#include <stdio.h>

static const struct es_column share_columns[] = { ES__TIMELINE_COLUMNS(
    "colour and class of the operations, such as site-3") };

static const struct es_column class_columns[] = {
	{ "colour", ES_TEXT, .about = "site or communicator" },
	{ "id", ES_INTEGER, .about = "id of the call site or communicator" },
	{ "class", ES_INTEGER,
	    .about = "its class, 0 to 8; 9: without a site or communicator" },
};

enum { SHARE, CLASS };

static const struct es_table tables[] = {
	[SHARE] = { .name = "timeline_colour",
	    .about = "communication in the rows of the timeline, by call "
		     "site, communicator, peer, bytes and step",
	    ES_COLUMNS(share_columns),
	    .key = "row, level, chunk, class",
	    .flags = ES_TABLE_DRAWN },
	[CLASS] = { .name = "timeline_class",
	    .about = "classes of call sites and communicators in the timeline",
	    ES_COLUMNS(class_columns) },
};

struct colour_view {
	struct es_analysis *a;
	struct es_sink *sink;
	struct es__timeline_rows rows;
	struct es__timeline_classes classes;
	struct es_colours *colours;
	enum es_colour colour; /* that is computed */
	char names[ES_COLOUR_CLASSES][ES_COLOUR_WORD_BYTES];
};

/* The result of a work item. */
struct colour_result {
	uint64_t mask; /* bit n: class n has time */
	uint64_t times[ES_COLOUR_CLASSES * ES__PYRAMID_BLOCK];
};

/* The view, and the result that is filled. */
struct colour_choice {
	const struct colour_view *view;
	struct colour_result *result;
};

static uint64_t *
colour_choose(void *context, const struct es__feed *feed,
    const struct es_operation *op)
{
	const struct colour_choice *choice = context;
	const struct colour_view *v = choice->view;

	return es__timeline_block_times(choice->result->times,
	    &choice->result->mask,
	    es_colour_class(es_colours_lens(v->colours, feed->tag), v->colour,
		op));
}

static paths_status
colour_work(void *context, size_t item, void *result)
{
	const struct colour_view *v = context;
	struct colour_choice choice = { v, result };
	/* The table timeline has the buckets. */
	struct es__timeline_block b = { .choose = colour_choose,
		.context = &choice };

	choice.result->mask = 0;
	return es__timeline_block_fill(&b, &v->rows,
	    (uint32_t)(item % v->rows.recorded_count),
	    item / v->rows.recorded_count);
}

static const void *
colour_reads(const void *context, size_t item)
{
	const struct colour_view *v = context;

	return es__thread_tuples(v->a,
	    v->rows.recorded[item % v->rows.recorded_count]);
}

static paths_status
colour_done(void *context, size_t item, void *result)
{
	struct colour_view *v = context;
	const struct colour_result *r = result;
	struct es__timeline_times times = { .mask = (uint32_t)r->mask };

	for (uint32_t n = 0; n < ES_COLOUR_CLASSES; n++)
		times.ns[n] = r->times + (size_t)n * ES__PYRAMID_BLOCK;
	return es__timeline_classes_add(&v->classes,
	    (uint32_t)(item % v->rows.recorded_count),
	    item / v->rows.recorded_count, &times);
}

/* Computes the shares of one colour. */
static paths_status
colour_run(struct colour_view *v, enum es_colour colour)
{
	struct es__work work = { .context = v,
		.count = v->rows.recorded_count * v->rows.blocks,
		.result_bytes = sizeof(struct colour_result),
		.work = colour_work,
		.done = colour_done,
		.reads = colour_reads };
	paths_status st;

	v->colour = colour;
	v->classes = (struct es__timeline_classes){ .rows = &v->rows,
		.table = &tables[SHARE],
		.sink = v->sink,
		.all = true,
		.first_level = es_timeline_colour_level(v->rows.shape.levels) };
	for (uint32_t n = 0; n < ES_COLOUR_CLASSES; n++) {
		snprintf(v->names[n], sizeof(v->names[n]), "%s-%u",
		    es_colour_name(colour), n);
		v->classes.names[n] = v->names[n];
	}
	st = es__timeline_classes_open(&v->classes);
	if (st == PATHS_OK)
		st = es__work_run(&work, v->a->threads);
	es__timeline_classes_close(&v->classes);
	return st;
}

static paths_status
colour_class(const struct colour_view *v, enum es_colour colour, uint32_t id)
{
	return v->sink->row(v->sink, &tables[CLASS],
	    (struct es_value[]){ ES_STR(es_colour_name(colour)), ES_INT(id),
		ES_INT(es_colours_class_of(v->colours, colour, id)) });
}

/* Writes the classes of call sites and communicators. */
static paths_status
colour_classes(const struct colour_view *v)
{
	const struct es_mpi *mpi = es_run_mpi(v->a->run);
	const struct es_mpi_comm_def *comm;
	paths_status st = PATHS_OK;

	for (uint32_t n = 1;
	     st == PATHS_OK && mpi != NULL && es_mpi_site(mpi, n) != NULL; n++)
		st = colour_class(v, ES_COLOUR_SITE, n);
	for (uint32_t n = 1; st == PATHS_OK && mpi != NULL &&
	     (comm = es_mpi_comm(mpi, n)) != NULL;
	     n++)
		if (comm->same == PATHS_NONE)
			st = colour_class(v, ES_COLOUR_COMM, n);
	return st;
}

static paths_status
timeline_colour_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct colour_view v = { .a = a, .sink = sink };
	paths_status st = es_colours_open(a->run, &v.colours);

	if (st == PATHS_OK)
		st = es__timeline_rows_open(&v.rows, a);
	for (int n = 0; st == PATHS_OK && n < ES_COLOURS; n++)
		if (es_colours_has(v.colours, (enum es_colour)n))
			st = colour_run(&v, (enum es_colour)n);
	if (st == PATHS_OK)
		st = colour_classes(&v);
	es__timeline_rows_close(&v.rows);
	es_colours_close(v.colours);
	return st;
}

const struct es_view es__view_timeline_colour = {
	.name = "timeline_colour",
	.about = "communication over time, by call site, communicator, peer, "
		 "bytes and step",
	.question = "When does which call site communicate?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = timeline_colour_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
	.topic = ES_TOPIC_OPERATIONS,
};
