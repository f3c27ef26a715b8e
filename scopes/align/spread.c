/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/spread.c - how delays of a link are spread
 */

#include "scopes/align/spread_private.h"

#include <stdlib.h>

/* Number of messages that quantiles are taken from. */
#define SAMPLE 4096u

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The residuals of some messages of a direction to the line of their link. */
struct sample {
	double residuals[SAMPLE];
	size_t count;
};

static double
sample_quantile(const struct sample *s, double share)
{
	return s->residuals[(size_t)(share * (double)(s->count - 1))];
}

static void
sample_take(const struct es__align_link *link, unsigned back, struct sample *s)
{
	const struct es__align_line *line = &link->line;
	size_t step = link->count / (SAMPLE / 2) + 1;
	double sign = back != 0 ? -1 : 1;

	s->count = 0;
	/* Messages of both directions often alternate. */
	for (size_t n = 0; n < link->count && s->count < SAMPLE;
	     n += n % 2 == 0 ? 1 : 2 * step - 1) {
		const struct es__align_message *m = &link->messages[n];

		if (m->back == back)
			s->residuals[s->count++] = sign *
				(m->y - m->x - line->offset -
				    line->slope * (m->x - line->centre)) -
			    link->per_byte * m->bytes;
	}
	qsort(s->residuals, s->count, sizeof(*s->residuals), number_order);
}

paths_status
es__align_spread_find(const struct es__align_link *link,
    struct es__align_spread spread[2])
{
	struct sample *s = malloc(sizeof(*s));
	double sampled = 0;

	if (s == NULL)
		return PATHS_ENOMEM;
	for (unsigned back = 0; back < 2; back++) {
		spread[back] = (struct es__align_spread){ 0 };
		sample_take(link, back, s);
		if (s->count == 0)
			continue;
		spread[back].count = (double)s->count;
		sampled += (double)s->count;
		spread[back].least = sample_quantile(s, 0.02);
		spread[back].tenth =
		    sample_quantile(s, 0.1) - link->line.margin;
		spread[back].fifth =
		    sample_quantile(s, 0.2) - link->line.margin;
	}
	free(s);
	for (unsigned back = 0; back < 2 && sampled > 0; back++)
		spread[back].count *= (double)link->count / sampled;
	return PATHS_OK;
}
