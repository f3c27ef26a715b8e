/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/diagnose.c - reports clocks that are not exact
 */

#include "scopes/clock/diagnose_private.h"

#include "scopes/clock/analysis_private.h"

#include "libpaths/unit.h"

#include <stdlib.h>

/* A clock is calibrated to 0.01 %; a larger rate has another reason. */
#define RATE_PPB 500000

static const char *
domain_name(const struct es_analysis *a, uint32_t domain)
{
	return a->map->processes[a->clocks.domains[domain].process].name;
}

/* Reports a clock without any bound, or with windows that have none. */
static void
domain_diagnose_bounds(const struct es_analysis *a, uint32_t domain,
    const struct es__clock_solution *s)
{
	uint32_t unknown = 0, count = 0;

	/* The first and the last window are outside all messages. */
	for (uint32_t n = 0; n < s->window_count; n++) {
		if (s->window_count > 2 && (n == 0 || n + 1 == s->window_count))
			continue;
		count++;
		unknown += s->windows[n].bound_ns < 0;
	}
	if (s->window_count == 1 && unknown > 0)
		es_run_diagnose(a->run, ES_WARNING, domain_name(a, domain),
		    "no constant offset explains its operations: its clock "
		    "runs at another rate, or was set");
	else if (unknown == count && count > 0)
		es_run_diagnose(a->run, ES_WARNING, domain_name(a, domain),
		    "the error of its clock has no bound");
	else if (unknown > 0)
		es_run_diagnose(a->run, ES_NOTE, domain_name(a, domain),
		    "the error of its clock has no bound in %u of %u windows "
		    "of time",
		    unknown, count);
}

static void
domain_diagnose(const struct es_analysis *a, uint32_t domain)
{
	const struct es__clock_solution *s =
	    &a->clocks.result.solutions[domain];
	int64_t most = 0;

	if (!s->connected) {
		es_run_diagnose(a->run, ES_WARNING, domain_name(a, domain),
		    "no operation or message between it and the reference "
		    "clock was recorded: its wall clock is trusted");
		return;
	}
	if (a->clocks.result.method->bounds)
		domain_diagnose_bounds(a, domain, s);
	for (uint32_t n = 0; n < s->window_count; n++) {
		int64_t rate = s->windows[n].rate_ppb;

		most = llabs(rate) > llabs(most) && n > 0 ? rate : most;
	}
	if (llabs(most) > RATE_PPB && a->clocks.result.jump_count == 0)
		es_run_diagnose(a->run, ES_WARNING, domain_name(a, domain),
		    "its clock runs by %lld ppm faster than that of %s: it "
		    "was calibrated wrongly",
		    (long long)most / 1000,
		    domain_name(a, a->clocks.reference));
}

/* Reports the messages between two domains that were left out. */
static void
left_out_diagnose(const struct es_analysis *a, const struct es__clock_result *r,
    size_t first)
{
	const struct es__clock_left_out *f = &r->left_out[first];
	unsigned long long count = 0;

	for (size_t n = 0; n < r->left_out_count; n++) {
		const struct es__clock_left_out *o = &r->left_out[n];

		if (o->from != f->from || o->to != f->to)
			continue;
		if (n < first)
			return;
		count++;
	}
	es_run_diagnose(a->run, ES_WARNING, domain_name(a, f->to),
	    "messages from %s that contradict all others of their time: %llu; "
	    "a stamp of each is wrong, and they take no part in the alignment",
	    domain_name(a, f->from), count);
}

static void
logical_diagnose(const struct es_analysis *a,
    const struct es__clock_logical_report *r)
{
	const char *reference = domain_name(a, a->clocks.reference);

	if (r->wrong == 0)
		return;
	if (r->moved == 0)
		es_run_diagnose(a->run, ES_WARNING, reference,
		    "%llu of %llu messages are received before they are sent, "
		    "on the clocks that fit best",
		    (unsigned long long)r->wrong,
		    (unsigned long long)r->messages);
	else
		es_run_diagnose(a->run, ES_NOTE, reference,
		    "%llu of %llu messages were received before they were "
		    "sent: the controlled logical clock moved %llu of %llu "
		    "stamps, by at most %.0f ns",
		    (unsigned long long)r->wrong,
		    (unsigned long long)r->messages,
		    (unsigned long long)r->moved, (unsigned long long)r->stamps,
		    r->most_ns);
}

void
es__clock_diagnose(const struct es_analysis *a)
{
	const struct es__clock_result *r = &a->clocks.result;

	for (uint32_t d = 0; d < r->domain_count; d++)
		domain_diagnose(a, d);
	for (size_t n = 0; n < r->jump_count; n++)
		es_run_diagnose(a->run, ES_WARNING,
		    domain_name(a, r->jumps[n].domain),
		    "its clock was set %s by %lld us",
		    r->jumps[n].ahead_ns < 0 ? "back" : "forward",
		    llabs((long long)r->jumps[n].ahead_ns) / 1000);
	for (size_t n = 0; n < r->left_out_count; n++)
		left_out_diagnose(a, r, n);
	logical_diagnose(a, &r->logical);
}
