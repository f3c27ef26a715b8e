/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/text.c - the sentence of a comparison
 */

#include "scopes/diff/text_private.h"

#include "scopes/diff/waiting_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <math.h>
#include <stdio.h>

/* Part of the time of a run below which another run takes the same time. */
#define TEXT_SAME 0.01

/* Iterations that are the start of a loop: there the first messages open
   connections. */
#define TEXT_START 2

/* Part of the difference that is told to have no cause. */
#define TEXT_REST 0.2

static const char *
time_text(double ns, char text[PATHS_UNIT_TEXT_BYTES])
{
	return paths_unit_text(PATHS_UNIT_TIME, fabs(ns), text);
}

static void
write_place(FILE *out, const struct es_diff_cause *c)
{
	if (c->loop == NULL)
		return;
	if (c->first == 0 && c->last < TEXT_START)
		fputs(" at the start,", out);
	if (c->first > c->last)
		fprintf(out, " in all %s", c->loop);
	else if (c->first == c->last)
		fprintf(out, " in number %llu of the %s",
		    (unsigned long long)c->first, c->loop);
	else
		fprintf(out, " in %s %llu to %llu", c->loop,
		    (unsigned long long)c->first, (unsigned long long)c->last);
}

static void
write_cause(FILE *out, const struct es_diff *d, const struct es_diff_cause *c)
{
	bool one = c->members == 1 || d->mean;
	bool computing = c->kind == ES_DIFF_COMPUTING;
	char text[PATHS_UNIT_TEXT_BYTES];

	fprintf(out, "%s %s%s %s %s%s %s", c->who,
	    computing ? "compute" : "take", one ? "s" : "",
	    time_text(c->ns, text), c->ns < 0 ? "less" : "longer",
	    one ? "" : " each", c->where);
	write_place(out, c);
}

static void
write_causes(FILE *out, const struct es_diff *d, double difference)
{
	char text[PATHS_UNIT_TEXT_BYTES];
	double rest = difference;

	for (size_t n = 0; n < d->cause_count; n++) {
		fputs(n == 0		       ? ": " :
			n + 1 < d->cause_count ? ", " :
						 " and ",
		    out);
		write_cause(out, d, &d->causes[n]);
		rest -= d->causes[n].share_ns;
	}
	if (d->cause_count > 0)
		es__diff_waiting_write(out, d);
	if (fabs(rest) < TEXT_REST * fabs(difference))
		return;
	if (d->cause_count == 0)
		fputs(": no activity stands out as the cause", out);
	else if (rest / difference < 0)
		fprintf(out, "; that is %s more than the difference",
		    time_text(rest, text));
	else
		fprintf(out, "; %s of the difference has other causes",
		    time_text(rest, text));
}

/* Writes the sentence about the elapsed times. */
static void
write_all(FILE *out, const struct es_diff *d)
{
	const struct es__diff_side *a = &d->sides[0], *b = &d->sides[1];
	double difference = b->elapsed_ns - a->elapsed_ns;
	char texts[3][PATHS_UNIT_TEXT_BYTES];

	if (fabs(difference) < TEXT_SAME * a->elapsed_ns) {
		fprintf(out,
		    "%s takes as long as %s within 1 %%: %s, and %s before",
		    b->name, a->name, time_text(b->elapsed_ns, texts[0]),
		    time_text(a->elapsed_ns, texts[1]));
	} else {
		fprintf(out, "%s takes %s %s than %s (%s instead of %s)",
		    b->name, time_text(difference, texts[0]),
		    difference < 0 ? "less" : "longer", a->name,
		    time_text(b->elapsed_ns, texts[1]),
		    time_text(a->elapsed_ns, texts[2]));
		write_causes(out, d, difference);
	}
	fputc('.', out);
}

paths_status
es__diff_write(struct es_diff *d)
{
	size_t bytes;
	FILE *out = open_memstream(&d->text, &bytes);

	if (out != NULL)
		write_all(out, d);
	if (out == NULL || fclose(out) != 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a text");
	return PATHS_OK;
}
