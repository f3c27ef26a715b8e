/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/other.c - places the stamps of event spaces beside those of the
 * run on the clock of the run
 */

#include "scopes/clock/other_private.h"

#include "scopes/clock/domain_private.h"

#include "libpaths/log.h"

#include <string.h>

int64_t
es__start_realtime_ns(const struct es_analysis *a)
{
	const struct es__clock_domain *d;

	if (a->clocks.domain_count == 0)
		return 0;
	d = &a->clocks.domains[a->clocks.reference];
	return (int64_t)d->first.realtime_ns -
	    es_time_ns(&a->bases[d->process], d->first.ticks);
}

/* Places the start of a space by the wall clock of its host. */
static struct es_timebase
other_by_wall_clock(const struct es_analysis *a,
    const struct es_space_info *info)
{
	struct es__clock_domain domain = { .first = info->start,
		.last = info->latest,
		.hz = info->hz };

	es__clock_domain_rate(&domain);
	domain.local.ns = a->clocks.domain_count == 0 ?
	    0 :
	    (int64_t)info->start.realtime_ns - es__start_realtime_ns(a);
	return domain.local;
}

struct es_timebase
es_analysis_other_timebase(const struct es_analysis *a, uint32_t process)
{
	const struct es_run *others = es_run_others(a->run);
	const struct es_space *space = es_run_space(others, process);
	struct es_space_info info;

	if (others == a->run)
		return a->bases[process];
	if (space == NULL)
		return (struct es_timebase){ .mult = (int64_t)1 << 48 };
	es_space_info(space, &info);
	for (uint32_t d = 0; d < a->clocks.domain_count; d++) {
		const struct es__clock_domain *domain = &a->clocks.domains[d];

		if (strcmp(domain->text, info.clock_domain) == 0)
			return a->bases[domain->process];
	}
	return other_by_wall_clock(a, &info);
}

/* Places other event spaces on the clock of the run; closes them on failure. */
static paths_status
others_take_bases(struct es_analysis *others, const struct es_analysis *a)
{
	for (uint32_t p = 0; p < others->map->process_count; p++) {
		struct es_timebase base = es_analysis_other_timebase(a, p);
		struct es_timebase copy;
		paths_status st = es_timebase_copy(&base, &copy);

		if (st != PATHS_OK) {
			es_analysis_close(others);
			return st;
		}
		es_timebase_fini(&others->bases[p]);
		others->bases[p] = copy;
	}
	return PATHS_OK;
}

paths_status
es_analysis_open_others(struct es_run *run, unsigned threads, const char *clock,
    struct es_analysis **analysis)
{
	struct es_run *others = es_run_others(run);
	struct es_analysis *a;
	paths_status st;

	if (others == NULL)
		return paths_log_fail(PATHS_ENOENT,
		    "%s: no event spaces but those of the run",
		    es_run_dir(run));
	st = es_analysis_open(run, threads, clock, &a);
	if (st != PATHS_OK)
		return st;
	st = es_analysis_open(others, threads, NULL, analysis);
	if (st == PATHS_OK)
		st = others_take_bases(*analysis, a);
	es_analysis_close(a);
	return st;
}
