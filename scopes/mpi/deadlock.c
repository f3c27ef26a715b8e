/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/deadlock.c - finds deadlocks and reports them
 */

#include "scopes/mpi/deadlock_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/mpi/wait_for_arcs_private.h"
#include "scopes/run/symbols_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Time between the two readings of the rows of live processes. */
#define READINGS_APART_MS 200

/* Largest number of ranks of a cycle that the diagnostic names. */
#define CYCLE_NAMED 16u

/* A sentence under construction. */
struct sentence {
	char text[2048];
	size_t used;
};

static void sentence_add(struct sentence *s, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

static void
sentence_add(struct sentence *s, const char *fmt, ...)
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

struct deadlock {
	struct es_analysis *a;
	const struct es__inside *inside;
	const struct es__wait_for_graph *graph;
	uint32_t *seen; /* of each rank: see es__wait_for_unreachable_cycle */
};

/* Returns the thread of a rank that is inside a call; NULL: there is none. */
static const struct es__inside_thread *
deadlock_thread(const struct deadlock *d, uint32_t rank)
{
	for (uint32_t t = 0; t < d->inside->count; t++)
		if (d->inside->threads[t].rank == rank &&
		    d->inside->threads[t].function != 0 &&
		    !d->inside->threads[t].exited)
			return &d->inside->threads[t];
	return NULL;
}

/* Returns the last component of a path. */
static const char *
path_end(const char *path)
{
	const char *stroke = strrchr(path, '/');

	return stroke == NULL ? path : stroke + 1;
}

/* A frame that is added to a sentence. */
struct frame {
	struct sentence *sentence;
	const struct es_mpi_module_def *module;
	uint64_t offset;
	bool optional; /* left out if its line is not known */
	bool added;
};

/* Adds the innermost function only. */
static paths_status
frame_add(void *to, const struct es__symbols_place *place, bool inlined)
{
	struct frame *f = to;

	(void)inlined;
	if (f->added || (f->optional && place->file == NULL))
		return PATHS_OK;
	f->added = true;
	if (place->function != NULL)
		sentence_add(f->sentence, " in %s", place->function);
	else if (f->module != NULL)
		sentence_add(f->sentence, " at %s+0x%" PRIx64,
		    path_end(f->module->path), f->offset);
	if (place->file != NULL && place->line > 0)
		sentence_add(f->sentence, "@%s:%d", path_end(place->file),
		    place->line);
	return PATHS_OK;
}

/* Adds a frame, if it has a name or is the last one. */
static paths_status
sentence_add_frame(const struct es_mpi *mpi, const struct es_mpi_frame *from,
    bool last, struct frame *frame)
{
	const struct es_mpi_source_def *source =
	    es_mpi_source(mpi, from->source);
	struct es__symbols_place place;
	struct es__symbols *symbols;
	paths_status st;

	if (source != NULL) {
		place = es__symbols_source(source);
		return frame_add(frame, &place, false);
	}
	frame->optional = !last && from->source == ES_MPI_FRAME_EXTENSION;
	frame->offset = from->offset;
	frame->module = es_mpi_module(mpi, from->module);
	if (frame->module == NULL)
		return PATHS_OK;
	st = es__symbols_open(frame->module, &symbols);
	if (st != PATHS_OK)
		return st;
	st = es__symbols_find(symbols, frame->offset, frame_add, frame);
	es__symbols_close(symbols);
	return st;
}

/* Adds the innermost frame.  If this is in an extension module of Python and
   has no line, also adds the frame that called it. */
static paths_status
sentence_add_site(const struct deadlock *d, uint32_t number, struct sentence *s)
{
	const struct es_mpi *mpi = es_run_mpi(d->a->run);
	const struct es_mpi_site_def *site = es_mpi_site(mpi, number);
	struct frame frame = { .sentence = s };
	paths_status st = PATHS_OK;
	uint32_t n = 0;

	if (number == 0 || site == NULL || site->frame_count == 0)
		return PATHS_OK;
	do {
		st = sentence_add_frame(mpi, &site->frames[n],
		    n + 1 == site->frame_count, &frame);
	} while (st == PATHS_OK && frame.optional && !frame.added &&
	    ++n < site->frame_count);
	return st;
}

static paths_status
sentence_add_call(const struct deadlock *d, uint32_t rank, struct sentence *s)
{
	const struct es__inside_thread *t = deadlock_thread(d, rank);

	if (t == NULL)
		return PATHS_OK;
	sentence_add(s, "rank %u in %s", rank,
	    es_mpi_function(t->function)->name);
	return sentence_add_site(d, t->site, s);
}

/* Returns how long a rank has been in its call, until now; -1: not known. */
static int64_t
deadlock_rank_ns(const struct deadlock *d, uint32_t rank)
{
	const struct es__inside_thread *t = deadlock_thread(d, rank);

	return t == NULL ? -1 : es__inside_ns(d->a, d->inside, rank, t->since);
}

/* Returns how long all ranks of a cycle have been in their calls; 0: not
   known. */
static int64_t
deadlock_cycle_ns(const struct deadlock *d, uint32_t start, uint32_t count)
{
	int64_t least = INT64_MAX;

	for (uint32_t n = 0; n < count; n++) {
		int64_t waited = deadlock_rank_ns(d, start);

		least = waited < least ? waited : least;
		start = d->graph->next[start];
	}
	return least > 0 && least < INT64_MAX ? least : 0;
}

static paths_status
deadlock_report_cycle(const struct deadlock *d, uint32_t start, uint32_t count)
{
	uint32_t named = count < CYCLE_NAMED ? count : CYCLE_NAMED;
	struct sentence s = { .used = 0 };
	char time[PATHS_UNIT_TEXT_BYTES];
	paths_status st = PATHS_OK;
	int64_t waited;
	uint32_t rank = start;

	/* The sentence begins with the lowest rank. */
	for (uint32_t n = 0; n < count; n++) {
		rank = d->graph->next[rank];
		start = rank < start ? rank : start;
	}
	sentence_add(&s, "ranks ");
	rank = start;
	for (uint32_t n = 0; n < named; n++) {
		sentence_add(&s, "%u -> ", rank);
		rank = d->graph->next[rank];
	}
	sentence_add(&s, "%s%u wait for each other",
	    named < count ? "... -> " : "", start);
	waited = deadlock_cycle_ns(d, start, count);
	if (waited > 0)
		sentence_add(&s, " for %s",
		    paths_unit_text(PATHS_UNIT_TIME, (double)waited, time));
	rank = start;
	for (uint32_t n = 0; st == PATHS_OK && n < named; n++) {
		sentence_add(&s, n == 0 ? ": " : ", ");
		st = sentence_add_call(d, rank, &s);
		rank = d->graph->next[rank];
	}
	es_run_diagnose(d->a->run, ES_WARNING, "deadlock", "%s", s.text);
	return st;
}

/* Reports a rank that waits for one whose process has ended. */
static paths_status
deadlock_report_ended(const struct deadlock *d, uint32_t rank)
{
	uint32_t next = d->graph->next[rank];
	struct sentence s = { .used = 0 };
	paths_status st = sentence_add_call(d, rank, &s);

	es_run_diagnose(d->a->run, ES_WARNING, "deadlock",
	    "%s waits for rank %u, whose process has ended", s.text, next);
	return st;
}

/* Reports how many ranks wait for those that were named. */
static void
deadlock_report_others(const struct deadlock *d, uint32_t count, uint32_t named)
{
	if (count > named)
		es_run_diagnose(d->a->run, ES_WARNING, "deadlock",
		    "%u more rank%s for %s", count - named,
		    count - named == 1 ? " waits" : "s wait",
		    named > 0 ? "these" : "each other");
}

/* Reports for which ranks a rank of the unreachable set waits: a cycle that was
   not reported yet, or a rank that has ended.  named: in and out, number of
   ranks that were named */
static paths_status
deadlock_report_rank(struct deadlock *d, uint32_t rank, uint32_t *named)
{
	uint32_t next = d->graph->next[rank], start;
	uint32_t count = es__wait_for_unreachable_cycle(d->graph, rank, d->seen,
	    rank, &start);

	if (count > 0) {
		*named += count;
		return deadlock_report_cycle(d, start, count);
	}
	if (next == PATHS_NONE || !d->graph->ended[next])
		return PATHS_OK;
	++*named;
	return deadlock_report_ended(d, rank);
}

static paths_status
deadlock_report(struct deadlock *d)
{
	const struct es__wait_for_graph *g = d->graph;
	uint32_t count = 0, named = 0;
	paths_status st = PATHS_OK;

	d->seen = malloc((g->rank_count + (size_t)1) * sizeof(*d->seen));
	if (d->seen == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	memset(d->seen, 0xff, g->rank_count * sizeof(*d->seen));
	for (uint32_t n = 0; st == PATHS_OK && n < g->rank_count; n++) {
		if (!g->unreachable[n] || g->ended[n])
			continue;
		count++;
		st = deadlock_report_rank(d, n, &named);
	}
	deadlock_report_others(d, count, named);
	free(d->seen);
	return st;
}

/* Returns whether the unreachable set has a rank that has not ended. */
static bool
graph_has_deadlock(const struct es__wait_for_graph *g)
{
	for (uint32_t r = 0; r < g->rank_count; r++)
		if (g->unreachable[r] && !g->ended[r])
			return true;
	return false;
}

/* Marks the threads that moved between two readings as outside of MPI. */
static void
inside_drop_moved(const struct es__inside *before, struct es__inside *now)
{
	for (uint32_t n = 0; n < now->count && n < before->count; n++) {
		const struct es__inside_thread *a = &before->threads[n];
		struct es__inside_thread *b = &now->threads[n];

		if (a->function != b->function || a->calls != b->calls ||
		    a->since != b->since || a->match != b->match)
			b->function = 0;
	}
}

/* Finds whether a reading shows a deadlock.  report: reports it; found: out. */
static paths_status
deadlock_find(struct es_analysis *a, const struct es__inside *inside,
    bool report, bool *found)
{
	struct es__wait_for_graph graph;
	struct deadlock deadlock = { .a = a,
		.inside = inside,
		.graph = &graph };
	paths_status st =
	    es__wait_for_arcs(a, inside, !es_run_live(a->run), &graph);

	*found = false;
	if (st == PATHS_OK) {
		es__wait_for_unreachable(&graph);
		*found = graph_has_deadlock(&graph);
	}
	if (*found && report)
		st = deadlock_report(&deadlock);
	es__wait_for_arcs_fini(&graph);
	return st;
}

static paths_status
deadlock_find_again(struct es_analysis *a, const struct es__inside *before)
{
	const struct timespec apart = { .tv_nsec =
					    READINGS_APART_MS * 1000000L };
	struct es__inside now;
	bool found;
	paths_status st;

	nanosleep(&apart, NULL);
	st = es__inside_read(a, &now);
	if (st != PATHS_OK)
		return st;
	inside_drop_moved(before, &now);
	/* Report the times of the first reading, which the view mpi_inside also
	   shows. */
	now.now = before->now;
	st = deadlock_find(a, &now, true, &found);
	free(now.threads);
	return st;
}

paths_status
es__deadlock_diagnose(struct es_analysis *a, const struct es__inside *inside)
{
	bool live = es_run_live(a->run), found = false;
	paths_status st = PATHS_OK;

	if (inside->count > 0)
		st = deadlock_find(a, inside, !live, &found);
	return st == PATHS_OK && live && found ?
	    deadlock_find_again(a, inside) :
	    st;
}
