/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/travel.c - estimates the travel of messages from a run
 */

#include "scopes/whatif/travel_private.h"

#include <math.h>
#include <stdlib.h>

/* Number of classes of sizes, one for each power of two. */
#define TRAVEL_SIZES 65u
/* A class with fewer messages than this is ignored. */
#define TRAVEL_LEAST 5u

struct travel_size {
	uint64_t messages;
	double ns; /* travel of the quickest message */
	uint64_t bytes;
};

struct travel {
	struct travel_size sizes[ES__WHATIF_LINKS][TRAVEL_SIZES];
	/* Messages of all sizes, also those whose time is ignored. */
	uint64_t messages[ES__WHATIF_LINKS];
};

static void
travel_watch(void *to, const struct es__whatif_event *event)
{
	struct travel *travel = to;
	struct travel_size *size;

	if (event->link == ES__WHATIF_LINKS)
		return;
	travel->messages[event->link]++;
	/* If the thread was without a core, the time says nothing about the
	   travel. */
	if (event->measured_ns <= 0 || event->lost_ns > 0)
		return;
	size = &travel->sizes[event->link][event->bytes == 0 ?
		0 :
		64 - (unsigned)__builtin_clzll(event->bytes)];
	if (size->messages++ == 0 || (double)event->measured_ns < size->ns) {
		size->ns = (double)event->measured_ns;
		size->bytes = event->bytes;
	}
}

/* Fits the line through the quickest messages of the smallest and the largest
   class. */
static struct es__whatif_travelled
travel_fit(const struct travel_size sizes[TRAVEL_SIZES])
{
	struct es__whatif_travelled fit = { 0, NAN, NAN };
	const struct travel_size *small = NULL, *large = NULL;

	for (size_t n = 0; n < TRAVEL_SIZES; n++) {
		if (sizes[n].messages < TRAVEL_LEAST)
			continue;
		if (small == NULL)
			small = &sizes[n];
		large = &sizes[n];
	}
	if (small == NULL)
		return fit;
	fit.latency_ns = small->ns;
	if (large->bytes >= 2 * small->bytes + 1024 && large->ns > small->ns) {
		fit.ns_per_byte = (large->ns - small->ns) /
		    (double)(large->bytes - small->bytes);
		fit.latency_ns -= fit.ns_per_byte * (double)small->bytes;
		if (fit.latency_ns <= 0)
			fit.latency_ns = NAN;
	}
	return fit;
}

paths_status
es__whatif_travel_find(const struct es__whatif_model *model,
    struct es__whatif_travelled travelled[ES__WHATIF_LINKS])
{
	struct travel travel = { 0 };
	struct es__whatif_setting setting = es__whatif_unchanged(model);
	struct es__whatif_times times;
	paths_status st;

	setting.watch = travel_watch;
	setting.to = &travel;
	st = es__whatif_pass(model, &setting, &times);
	if (st != PATHS_OK)
		return st;
	free(times.end_ns);
	for (size_t n = 0; n < ES__WHATIF_LINKS; n++) {
		travelled[n] = travel_fit(travel.sizes[n]);
		travelled[n].messages = travel.messages[n];
	}
	return PATHS_OK;
}
