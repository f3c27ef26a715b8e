/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/comm_matrix.c - messages and bytes between each pair of ranks
 *
 * A measure is a quantity, for the category that carries most ("bytes"), or a
 * category and a quantity ("p2p:messages").
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/matrix.h"
#include "viewer/plot/part.h"
#include "viewer/plot/query.h"
#include "viewer/plot/ranks.h"
#include "viewer/plot/sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

ESV__SQL(comm_category);
ESV__SQL(comm_sums);
ESV__SQL(comm_pairs);

/* The most ranks; larger numbers are ignored. */
#define RANKS_MAX (1 << 20)

struct want {
	char category[16];
	bool messages, mean;
};

static void
want_open(struct want *want, struct esv__sheet *sheet)
{
	const char *measure = sheet->options->measure;
	const char *colon = strchr(measure, ':');
	const char *what = colon == NULL ? measure : colon + 1;
	struct esv__query q;

	want->messages = strcmp(what, "messages") == 0;
	want->mean = strcmp(what, "mean") == 0;
	if (colon != NULL) {
		(void)snprintf(want->category, sizeof(want->category), "%.*s",
		    (int)(colon - measure), measure);
		return;
	}
	esv__query_begin(&q, sheet, esv__sql_comm_category);
	esv__query_bind(&q, "messages", want->messages);
	(void)snprintf(want->category, sizeof(want->category), "%s",
	    esv__query_take_text(&q));
}

static void
comm_say(struct esv__sheet *sheet, const struct want *want)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_comm_sums);
	esv__query_bind_text(&q, "category", want->category);
	if (esv__query_next(&q))
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    esv_figure_printf(sheet->figure,
			"Category %s: %s messages, %s, between %" PRId64
			" pairs.  All categories: %s.",
			want->category,
			esv__sheet_number(sheet, esv__query_num(&q, 0),
			    PATHS_UNIT_COUNT),
			esv__sheet_number(sheet, esv__query_num(&q, 1),
			    PATHS_UNIT_BYTES),
			esv__query_int(&q, 2), esv__query_text(&q, 3)));
	esv__query_close(&q);
}

static void
comm_names(struct esv__matrix *m, struct esv__sheet *sheet)
{
	for (uint32_t n = 0; n < m->rows; n++) {
		struct esv__name name;

		if (n % m->row_fold != 0 && n % m->column_fold != 0)
			continue;
		name = (struct esv__name){ esv__rank_name(sheet, n),
			esv__rank_thing(sheet, n) };
		esv__matrix_name(&m->x, m->column_fold, n, &name);
		esv__matrix_name(&m->y, m->row_fold, n, &name);
	}
}

static void
comm_fill(struct esv__matrix *m, struct esv__sheet *sheet,
    const struct want *want)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_comm_pairs);
	esv__query_bind_text(&q, "category", want->category);
	while (esv__query_next(&q)) {
		int64_t source = esv__query_int(&q, 0);
		int64_t target = esv__query_int(&q, 1);
		double value = esv__query_num(&q, want->messages ? 2 : 3);

		if (want->mean)
			value /= esv__query_num(&q, 2);
		if (source >= 0 && source < m->rows && target >= 0 &&
		    target < m->columns)
			esv__matrix_put(m, (uint32_t)source, (uint32_t)target,
			    value);
	}
}

/* Puts the messages that begin in a part of the run. */
static void
comm_part(struct esv__matrix *m, struct esv__sheet *sheet,
    const struct want *want)
{
	const struct esv_interval *interval = esv__part_get(sheet);

	for (size_t n = 0; interval != NULL && n < interval->pair_count; n++) {
		const struct esv_interval_pair *p = &interval->pairs[n];
		double value =
		    want->messages ? (double)p->messages : (double)p->bytes;

		if (want->mean)
			value /= (double)p->messages;
		if (p->source < m->rows && p->target < m->columns)
			esv__matrix_put(m, p->source, p->target, value);
	}
}

/* Returns true if the matrix can be of a part of the run: tuples have the
   messages of category p2p.  If not, says that it is of the whole run. */
static bool
comm_is_part(struct esv__sheet *sheet, const struct want *want)
{
	if (!esv__part_wanted(sheet))
		return false;
	if (sheet->model->mpi && strcmp(want->category, "p2p") == 0)
		return true;
	esv__sheet_say(sheet, ESV_ROLE_WARNING,
	    "This category covers the whole run, not this range of time.");
	return false;
}

static void
comm_matrix_draw(struct esv__sheet *sheet)
{
	struct esv__matrix m = { .pairs = true,
		.logarithmic = true,
		.x = { .label = "to" },
		.y = { .label = "from" } };
	double below = sheet->box.height > 400 ? sheet->box.height * 0.4 : 0;
	int64_t last = esv__query_one(sheet, 0,
	    "SELECT max(max(source), max(target)) FROM comm_matrix");
	struct want want;
	bool part;

	if (last < 0) {
		esv__sheet_nothing(sheet,
		    "No message has both a source and a target rank.");
		return;
	}
	if (last >= RANKS_MAX)
		last = RANKS_MAX - 1;
	want_open(&want, sheet);
	part = comm_is_part(sheet, &want);
	if (part)
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    "Category p2p: messages that begin in this range of time.");
	else
		comm_say(sheet, &want);
	/* The sizes are those of the whole run. */
	if (esv__part_wanted(sheet))
		below = 0;
	m.value = want.messages ? "messages" :
	    want.mean		? "mean bytes of a message" :
				  "bytes";
	m.unit = want.messages ? PATHS_UNIT_COUNT : PATHS_UNIT_BYTES;
	m.fold = want.mean ? ESV__FOLD_MEAN : ESV__FOLD_SUM;
	sheet->box.height -= below;
	esv__matrix_open(&m, sheet, (uint32_t)last + 1, (uint32_t)last + 1);
	comm_names(&m, sheet);
	if (part)
		comm_part(&m, sheet, &want);
	else
		comm_fill(&m, sheet, &want);
	esv__matrix_draw(&m, sheet);
	sheet->box.height += below;
	if (below > 0)
		esv__sizes_draw(sheet);
}

#define OF(category) \
	" " category ":bytes " category ":messages " category ":mean"

const struct esv_chart esv__chart_comm_matrix = {
	.name = "comm_matrix",
	.title = "Communication matrix",
	.about = "Shows how much each process sends to each other process.  "
		 "Below: sizes of the messages of the selected pair, or of all "
		 "pairs.",
	.measures = "bytes messages mean" OF("p2p") OF("persistent") OF("put")
	    OF("get") OF("collective") OF("received") OF("write") OF("read")
		OF("exchange") OF("delete"),
	.tables = "comm_matrix size_histogram process mpi_rank",
	.applies = "EXISTS (SELECT 1 FROM comm_matrix)",
	.nothing = "No matrix was recorded.  Collectors in mode matrix record "
		   "it.",
	.timed = true,
	.summed = true,
	.draw = comm_matrix_draw,
};
