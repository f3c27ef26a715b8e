/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/arrival_rows.c - writes the rows of the views arrival and
 * departure
 */

#include "scopes/views/path/arrival_rows_private.h"

#include "scopes/path/arrivals_private.h"

struct rows {
	struct es_sink *sink;
	const struct es_table *one, *pair;
};

/* Writes the rows of the inputs of a join. */
static paths_status
rows_inputs(const struct rows *r, const struct es__arrivals_join *join)
{
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; st == PATHS_OK && i < join->input_count; i++) {
		const struct es__arrivals_input *input = &join->inputs[i];

		st = r->sink->row(r->sink, r->one,
		    (struct es_value[]){ ES_INT(join->stage), ES_INT(i),
			ES_INT(join->operations), ES_INT(input->first),
			ES_INT(input->last), ES_INT(input->wait_ns_sum),
			ES_INT(input->wait_ns_max), ES_INT(input->undecided),
			input->unbounded > 0 ? ES_NIL :
					       ES_INT(input->bound_ns) });
	}
	return st;
}

/* Writes the rows of the pairs of inputs of a join. */
static paths_status
rows_pairs(const struct rows *r, const struct es__arrivals_join *join)
{
	const struct es__arrivals_pair *pair = join->pairs;
	uint32_t count = join->pair_inputs;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count * count; n++, pair++) {
		if (n / count == n % count)
			continue;
		st = r->sink->row(r->sink, r->pair,
		    (struct es_value[]){ ES_INT(join->stage), ES_INT(n / count),
			ES_INT(n % count), ES_INT(pair->operations),
			ES_INT(pair->wait_ns_sum), ES_INT(pair->undecided) });
	}
	return st;
}

static paths_status
rows_join(void *to, const struct es__arrivals_join *join)
{
	paths_status st = rows_inputs(to, join);

	return st == PATHS_OK ? rows_pairs(to, join) : st;
}

paths_status
es__arrival_rows(struct es_analysis *a, struct es_sink *sink,
    const struct es_table *one, const struct es_table *pair, bool by_stop)
{
	struct rows rows = { .sink = sink, .one = one, .pair = pair };

	return es__arrivals_compute(a, by_stop, rows_join, &rows);
}
