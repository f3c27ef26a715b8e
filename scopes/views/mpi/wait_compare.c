/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/wait_compare.c - estimated waiting beside waiting in the
 * trace
 *
 * The view repeats the comparison of the paper for any program: for each call
 * site, the waiting that is estimated from the profile and that of the trace,
 * as shares of the time of all ranks.  It needs a trace that has all calls.
 *
 * Source	Mao, Boehme, Hermanns, Geimer, Lorenz, Wolf: Catching Idlers
 *		with Ease, section 4.1
 */

#include "scopes/clock/interval_private.h"
#include "scopes/mpi.h"
#include "scopes/mpi/estimates_private.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/mpi/wait_cover_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <math.h>
#include <string.h>

ES__SQL(wait_compare_reading);

static const struct es_column columns[] = {
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "pattern", ES_TEXT, .about = "name of the wait state" },
	{ "method", ES_TEXT,
	    .about = "method: plain, quantile, ready or local_global" },
	{ "estimate_ns", ES_INTEGER,
	    .about = "waiting of all ranks as the method estimates it",
	    .unit = ES_UNIT_NS },
	{ "truth_ns", ES_INTEGER, .about = "waiting of all ranks in the trace",
	    .unit = ES_UNIT_NS },
	{ "estimate_share", ES_REAL,
	    .about = "estimated waiting as a share of the time of all ranks",
	    .unit = ES_UNIT_SHARE },
	{ "truth_share", ES_REAL,
	    .about = "waiting in the trace as a share of the time of all ranks",
	    .unit = ES_UNIT_SHARE },
	{ "difference_pp", ES_REAL,
	    .about = "estimate_share minus truth_share, in percentage points" },
	{ "reliable", ES_INTEGER,
	    .about = "quality of the estimate, as in table wait_estimate" },
};

static const struct es_table tables[] = {
	{ .name = "wait_compare",
	    .about =
		"estimated waiting beside waiting in the trace, by call site",
	    ES_COLUMNS(columns),
	    .order = "abs(difference_pp) DESC, site, pattern, method",
	    .reading = es__sql_wait_compare_reading,
	    .reading_about = "largest error of each method" },
};

/* Sums over the calls with the same site and pattern. */
struct compared_place {
	uint32_t site;
	enum es__wait_pattern pattern;
	bool many; /* some calls complete many requests */
	double estimate_ns[ES__WAIT_MINIMUM_METHODS];
	int64_t truth_ns;
};

struct places {
	struct compared_place *places;
	size_t count, room;
};

static paths_status
places_add(struct places *all, const struct compared_place *place)
{
	if (!paths__array_grow(&all->places, all->count, &all->room,
		sizeof(*all->places)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
	all->places[all->count++] = *place;
	return PATHS_OK;
}

/* Returns whether calls are estimated, and the trace has a pattern for them. */
static bool
row_is_compared(const struct es__wait_minimum *m)
{
	return m->pattern != ES__WAIT_NONE && m->pattern != ES__WAIT_FINALIZE &&
	    es__wait_cover_of(m->function, m->flags, ES__WAIT_DATA_TRACE) ==
	    ES__COVER_PATTERN;
}

static paths_status
places_estimated(struct places *all, const struct es__estimates *e)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < e->count; n++) {
		const struct es__wait_minimum *m = &e->rows[n];
		struct compared_place place = { .site = m->site,
			.pattern = m->pattern,
			.many = (m->flags & ES_MPI_MANY) != 0 };

		memcpy(place.estimate_ns, m->wait_ns, sizeof(m->wait_ns));
		if (row_is_compared(m))
			st = places_add(all, &place);
	}
	return st;
}

/* Returns the pattern of profiles that includes a pattern of traces. */
static enum es__wait_pattern
pattern_of_trace(uint32_t pattern)
{
	switch (pattern) {
	case ES__WAIT_ORDER_SAME:
	case ES__WAIT_ORDER_OTHER:
		return ES__WAIT_LATE_SENDER;
	case ES__WAIT_REDUCE:
		return ES__WAIT_EARLY_REDUCE;
	case ES__WAIT_WINDOW_CREATE:
	case ES__WAIT_WINDOW_FREE:
	case ES__WAIT_EARLY_FENCE:
		return ES__WAIT_FENCE;
	case ES__WAIT_LATE_POST:
	case ES__WAIT_EARLY_WAIT:
	case ES__WAIT_LATE_COMPLETE:
	case ES__WAIT_LOCK:
	case ES__WAIT_FOR_PROGRESS:
		return ES__WAIT_ONE_SIDED;
	default:
		return pattern < ES__WAIT_FILE ?
		    (enum es__wait_pattern)pattern :
		    ES__WAIT_NONE;
	}
}

/* Returns the pattern of messages that is estimated for a site; NONE: there is
   none. */
static enum es__wait_pattern
places_message(const struct places *all, uint32_t site)
{
	for (size_t n = 0; n < all->count; n++)
		if (all->places[n].site == site &&
		    (all->places[n].pattern == ES__WAIT_LATE_SENDER ||
			all->places[n].pattern == ES__WAIT_LATE_RECEIVER))
			return all->places[n].pattern;
	return ES__WAIT_NONE;
}

static paths_status
places_traced(struct places *all, const struct es_mpi *mpi,
    const struct es__mpi_waits *waits)
{
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; r < waits->rank_count; r++) {
		const struct es__totals *sites = &waits->ranks[r].sites;

		for (size_t n = 0; st == PATHS_OK && n < sites->count; n++) {
			const struct es__totals_row *row = &sites->rows[n];
			struct compared_place place = {
				.site = es_mpi_find_site(mpi, r, row->a),
				.pattern = pattern_of_trace(row->b),
				.truth_ns = row->ns
			};

			if (row->b == ES__WAIT_PEER_PROGRESS)
				place.pattern = places_message(all, place.site);
			if (place.pattern != ES__WAIT_NONE)
				st = places_add(all, &place);
		}
	}
	return st;
}

static int
place_order(const void *left, const void *right)
{
	const struct compared_place *a = left, *b = right;

	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return (a->pattern > b->pattern) - (a->pattern < b->pattern);
}

/* Adds up places with the same site and pattern. */
static void
places_merge(struct places *all)
{
	size_t kept = 0;

	if (all->count > 0)
		qsort(all->places, all->count, sizeof(*all->places),
		    place_order);
	for (size_t n = 0; n < all->count; n++) {
		const struct compared_place *from = &all->places[n];
		struct compared_place *to =
		    &all->places[kept > 0 ? kept - 1 : 0];

		if (kept == 0 || place_order(to, from) != 0) {
			all->places[kept++] = *from;
			continue;
		}
		to->many |= from->many;
		to->truth_ns += from->truth_ns;
		for (int m = 0; m < ES__WAIT_MINIMUM_METHODS; m++)
			to->estimate_ns[m] += from->estimate_ns[m];
	}
	all->count = kept;
}

static paths_status
place_show(struct es_sink *sink, const struct compared_place *place,
    double total_ns)
{
	double truth = (double)place->truth_ns / total_ns;
	paths_status st = PATHS_OK;

	for (int m = 0; st == PATHS_OK && m < ES__WAIT_MINIMUM_METHODS; m++) {
		double estimate = place->estimate_ns[m] / total_ns;

		st = sink->row(sink, &tables[0],
		    (struct es_value[]){ es__id(place->site),
			ES_STR(es__wait_pattern_name(place->pattern)),
			ES_STR(es__wait_minimum_name(
			    (enum es__wait_minimum_method)m)),
			ES_INT(llround(place->estimate_ns[m])),
			ES_INT(place->truth_ns), ES_NUM(estimate),
			ES_NUM(truth), ES_NUM(100.0 * (estimate - truth)),
			ES_INT(!place->many) });
	}
	return st;
}

static paths_status
places_show(struct es_sink *sink, struct places *all, double total_ns)
{
	paths_status st = PATHS_OK;

	places_merge(all);
	for (size_t n = 0; st == PATHS_OK && n < all->count && total_ns > 0;
	     n++)
		st = place_show(sink, &all->places[n], total_ns);
	return st;
}

static paths_status
wait_compare_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__estimates *e;
	struct es__traced *traced = NULL;
	const char *source = NULL;
	struct places all = { 0 };
	const struct es__mpi_intervals *spans = NULL;
	double total_ns = 0;
	paths_status st = es__estimates_get(a, &e);

	if (st == PATHS_OK)
		st = es__estimates_source(a, &source);
	if (st != PATHS_OK || source == NULL || e->count == 0)
		return st;
	if (strcmp(source, "trace") != 0) {
		es_run_diagnose(a->run, ES_NOTE, "view wait_compare",
		    "the trace does not have all calls");
		return PATHS_OK;
	}
	st = es__mpi_intervals_get(a, &spans);
	for (uint32_t p = 0; st == PATHS_OK && p < spans->count; p++)
		total_ns += (double)(spans->of[p].to_ns - spans->of[p].from_ns);
	if (st == PATHS_OK)
		st = es__traced_waits(a, &traced);
	if (st == PATHS_OK)
		st = places_estimated(&all, e);
	if (st == PATHS_OK)
		st = places_traced(&all, es_run_mpi(a->run), &traced->waits);
	if (st == PATHS_OK)
		st = places_show(sink, &all, total_ns);
	free(all.places);
	return st;
}

const struct es_view es__view_wait_compare = {
	.name = "wait_compare",
	.about = "estimated waiting beside waiting in the trace",
	.question = "How exact are the estimates of wait_estimate?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = wait_compare_compute,
	.needs = ES_NEED_MPI | ES_NEED_TRACE | ES_NEED_PROFILE,
};
