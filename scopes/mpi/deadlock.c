/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/deadlock.c - say which ranks wait for each other
 */

#include "scopes/mpi/inside_private.h"
#include "scopes/run/symbols_private.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Between the two looks at processes that live. */
#define LOOKS_APART_MS 200

/* Of a longer cycle the first ranks are told. */
#define CYCLE_TOLD 16u

/* A sentence as it grows. */
struct sentence {
	char text[2048];
	size_t used;
};

static void say(struct sentence *s, const char *fmt, ...) PATHS_PRINTF(2, 3);

static void
say(struct sentence *s, const char *fmt, ...)
{
	size_t room = sizeof(s->text) - s->used;
	va_list args;
	int bytes;

	va_start(args, fmt);
	bytes = vsnprintf(s->text + s->used, room, fmt, args);
	va_end(args);
	if (bytes > 0)
		s->used += (size_t)bytes < room ? (size_t)bytes : room - 1;
}

struct report {
	struct es_analysis *a;
	const struct es__mpi_look *look;
	const struct es__knot *knot;
	uint32_t *seen; /* of each rank */
};

/* The call that a rank is stuck in. */
static const struct es__mpi_inside *
report_inside(const struct report *r, uint32_t rank)
{
	for (uint32_t t = 0; t < r->look->count; t++)
		if (r->look->threads[t].rank == rank &&
		    r->look->threads[t].function != 0 &&
		    !r->look->threads[t].exited)
			return &r->look->threads[t];
	return NULL;
}

/* What comes behind the last stroke of a path. */
static const char *
path_end(const char *path)
{
	const char *stroke = strrchr(path, '/');

	return stroke == NULL ? path : stroke + 1;
}

/* What is to be said of a frame. */
struct saying {
	struct sentence *sentence;
	const struct es_mpi_module_def *module;
	uint64_t offset;
	bool said;
};

/* The innermost function alone. */
static paths_status
say_place(void *to, const struct es__symbols_place *place, bool inlined)
{
	struct saying *s = to;

	(void)inlined;
	if (s->said)
		return PATHS_OK;
	s->said = true;
	if (place->function != NULL)
		say(s->sentence, " in %s", place->function);
	else
		say(s->sentence, " at %s+0x%" PRIx64, path_end(s->module->path),
		    s->offset);
	if (place->file != NULL && place->line > 0)
		say(s->sentence, "@%s:%d", path_end(place->file), place->line);
	return PATHS_OK;
}

static paths_status
say_site(const struct report *r, uint32_t number, struct sentence *s)
{
	const struct es_mpi *mpi = es_run_mpi(r->a->run);
	const struct es_mpi_site_def *site = es_mpi_site(mpi, number);
	struct saying saying = { .sentence = s };
	struct es__symbols *symbols;
	paths_status st;

	if (number == 0 || site == NULL || site->frame_count == 0)
		return PATHS_OK;
	saying.offset = site->frames[0].offset;
	saying.module = es_mpi_module(mpi, site->frames[0].module);
	if (saying.module == NULL)
		return PATHS_OK;
	st = es__symbols_open(saying.module, &symbols);
	if (st != PATHS_OK)
		return st;
	st = es__symbols_find(symbols, saying.offset, say_place, &saying);
	es__symbols_close(symbols);
	return st;
}

static paths_status
say_call(const struct report *r, uint32_t rank, struct sentence *s)
{
	const struct es__mpi_inside *t = report_inside(r, rank);

	if (t == NULL)
		return PATHS_OK;
	say(s, "rank %u in %s", rank, es_mpi_function(t->function)->name);
	return say_site(r, t->site, s);
}

/* How long a rank has been in its call, as of now; 0: not known. */
static int64_t
report_waited(const struct report *r, uint32_t rank)
{
	const struct es__mpi_inside *t = report_inside(r, rank);
	const struct es_mpi_rank *of = es_mpi_rank(es_run_mpi(r->a->run), rank);
	const struct es_timebase *base = &r->a->bases[of->process];
	struct es_space_info info;

	if (t == NULL || t->since == 0 || of->space == NULL ||
	    r->a->run->states[of->process] != ES__SPACE_LIVE)
		return 0;
	es_space_info(of->space, &info);
	if (strcmp(info.clock_domain, paths_clock_domain()) != 0)
		return 0;
	return es_time_ns(base, paths_clock_ticks()) -
	    es_time_ns(base, t->since);
}

/* How long all of them have been there; 0: not known. */
static int64_t
cycle_waited(const struct report *r, uint32_t start, uint32_t count)
{
	int64_t least = INT64_MAX;

	for (uint32_t n = 0; n < count; n++) {
		int64_t waited = report_waited(r, start);

		least = waited < least ? waited : least;
		start = r->knot->next[start];
	}
	return least > 0 && least < INT64_MAX ? least : 0;
}

static paths_status
report_cycle(const struct report *r, uint32_t start, uint32_t count)
{
	uint32_t told = count < CYCLE_TOLD ? count : CYCLE_TOLD;
	struct sentence s = { .used = 0 };
	paths_status st = PATHS_OK;
	int64_t waited;
	uint32_t rank = start;

	/* The lowest rank comes first. */
	for (uint32_t n = 0; n < count; n++) {
		rank = r->knot->next[rank];
		start = rank < start ? rank : start;
	}
	say(&s, "ranks ");
	rank = start;
	for (uint32_t n = 0; n < told; n++) {
		say(&s, "%u -> ", rank);
		rank = r->knot->next[rank];
	}
	say(&s, "%s%u wait for each other", told < count ? "... -> " : "",
	    start);
	waited = cycle_waited(r, start, count);
	if (waited > 0)
		say(&s, " for %.1f s", (double)waited / 1e9);
	rank = start;
	for (uint32_t n = 0; st == PATHS_OK && n < told; n++) {
		say(&s, n == 0 ? ": " : ", ");
		st = say_call(r, rank, &s);
		rank = r->knot->next[rank];
	}
	es_run_diagnose(r->a->run, ES_WARNING, "deadlock", "%s", s.text);
	return st;
}

/* A rank that waits for one whose process is not there any more. */
static paths_status
report_widow(const struct report *r, uint32_t rank)
{
	uint32_t next = r->knot->next[rank];
	struct sentence s = { .used = 0 };
	paths_status st = say_call(r, rank, &s);

	es_run_diagnose(r->a->run, ES_WARNING, "deadlock",
	    "%s waits for rank %u, whose process has ended", s.text, next);
	return st;
}

/* Those that only wait for somebody who is stuck. */
static void
report_others(const struct report *r, uint32_t stuck, uint32_t told)
{
	if (stuck > told)
		es_run_diagnose(r->a->run, ES_WARNING, "deadlock",
		    "%u more rank%s for %s", stuck - told,
		    stuck - told == 1 ? " waits" : "s wait",
		    told > 0 ? "these" : "each other");
}

/* A rank that is stuck: the cycle it leads to, if that is new; told: in and
   out, how many ranks were named. */
static paths_status
report_rank(struct report *r, uint32_t rank, uint32_t *told)
{
	uint32_t next = r->knot->next[rank], start;
	uint32_t count = es__knot_cycle(r->knot, rank, r->seen, rank, &start);

	if (count > 0) {
		*told += count;
		return report_cycle(r, start, count);
	}
	if (next == PATHS_NONE || !r->knot->gone[next])
		return PATHS_OK;
	++*told;
	return report_widow(r, rank);
}

static paths_status
report_all(struct report *r)
{
	const struct es__knot *k = r->knot;
	uint32_t stuck = 0, told = 0;
	paths_status st = PATHS_OK;

	r->seen = malloc((k->rank_count + (size_t)1) * sizeof(*r->seen));
	if (r->seen == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	memset(r->seen, 0xff, k->rank_count * sizeof(*r->seen));
	for (uint32_t n = 0; st == PATHS_OK && n < k->rank_count; n++) {
		if (!k->stuck[n] || k->gone[n])
			continue;
		stuck++;
		st = report_rank(r, n, &told);
	}
	report_others(r, stuck, told);
	free(r->seen);
	return st;
}

static bool
knot_holds(const struct es__knot *k)
{
	for (uint32_t r = 0; r < k->rank_count; r++)
		if (k->stuck[r] && !k->gone[r])
			return true;
	return false;
}

/* Threads that moved between two looks are taken to go on. */
static void
look_compare(const struct es__mpi_look *before, struct es__mpi_look *now)
{
	for (uint32_t n = 0; n < now->count && n < before->count; n++) {
		const struct es__mpi_inside *a = &before->threads[n];
		struct es__mpi_inside *b = &now->threads[n];

		if (a->function != b->function || a->calls != b->calls ||
		    a->since != b->since || a->match != b->match)
			b->function = 0;
	}
}

/* Solve a look, and tell what holds; holds: out. */
static paths_status
report_look(struct es_analysis *a, const struct es__mpi_look *look, bool tell,
    bool *holds)
{
	struct es__knot knot;
	struct report report = { .a = a, .look = look, .knot = &knot };
	paths_status st = es__mpi_needs(a, look, !es_run_live(a->run), &knot);

	*holds = false;
	if (st == PATHS_OK) {
		es__knot_solve(&knot);
		*holds = knot_holds(&knot);
	}
	if (*holds && tell)
		st = report_all(&report);
	es__mpi_needs_fini(&knot);
	return st;
}

static paths_status
report_again(struct es_analysis *a, const struct es__mpi_look *before)
{
	const struct timespec apart = { .tv_nsec = LOOKS_APART_MS * 1000000L };
	struct es__mpi_look now;
	bool holds;
	paths_status st;

	nanosleep(&apart, NULL);
	st = es__mpi_look(a, &now);
	if (st != PATHS_OK)
		return st;
	look_compare(before, &now);
	st = report_look(a, &now, true, &holds);
	free(now.threads);
	return st;
}

paths_status
es__mpi_deadlock(struct es_analysis *a, const struct es__mpi_look *look)
{
	bool live = es_run_live(a->run), holds = false;
	paths_status st = PATHS_OK;

	if (look->count > 0)
		st = report_look(a, look, !live, &holds);
	return st == PATHS_OK && live && holds ? report_again(a, look) : st;
}
