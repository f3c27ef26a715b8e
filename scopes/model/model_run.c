/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/model_run.c - the messages of a run under a model
 */

#include "scopes/model_run.h"

#include "scopes/model/burst_private.h"
#include "scopes/model/calls_private.h"
#include "scopes/model/model_private.h"
#include "scopes/model/named_private.h"

#include "scopes/phase/phases_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>

/* The work on a run. */
struct work {
	struct es_analysis *analysis;
	const struct es_model *model;
	const struct es_mpi_trace *trace;
	const struct es__phases *phases;
	struct es__exchanges exchanges;
	struct es__burst burst;
	struct es__localities localities;
	uint32_t *ppn;		/* of each host */
	struct es__named named; /* of a rank */
	uint32_t named_count;	/* phases of the program */
	/* By phase, then rank: loops, outside of loops, then phases that the
	   program began. */
	struct es_model_run_row *rows;
	struct es__burst_span *spans; /* of a rank */
	size_t span_count, span_room;
	struct es_model_run *run;
};

void
es_model_run_close(struct es_model_run *run)
{
	if (run == NULL)
		return;
	free(run->rows);
	free(run->phases);
	free(run->messages_of);
	free(run);
}

/* Counts a message. */
static void
work_count(struct work *w, uint32_t a, uint32_t b)
{
	const struct es__localities *l = &w->localities;
	bool differ = es__locality_differs(l, a, b);

	w->run->messages++;
	w->run->between_hosts += differ;
	w->run->misplaced += differ ? !l->between_known : !l->inside_known;
	w->run->messages_of[es__locality_of(l, a, b)]++;
}

/* Counts messages, and the ranks of each host that send or receive. */
static paths_status
work_counts(struct work *w)
{
	const struct es__exchanges *of = &w->exchanges;

	w->ppn = calloc(w->localities.host_count, sizeof(*w->ppn));
	w->run->locality_count = w->model->locality_count;
	w->run->rank_count = of->rank_count;
	w->run->placed = w->localities.placed;
	w->run->messages_of =
	    calloc(w->run->locality_count, sizeof(*w->run->messages_of));
	if (w->ppn == NULL || w->run->messages_of == NULL)
		return es__model_no_memory();
	for (uint32_t rank = 0; rank < of->rank_count; rank++) {
		if (of->first[rank + 1] > of->first[rank])
			w->ppn[w->localities.hosts[rank]]++;
		for (size_t n = of->first[rank]; n < of->first[rank + 1]; n++)
			if (of->list[n].receives)
				work_count(w, of->list[n].other, rank);
	}
	w->run->unmatched = of->unmatched;
	for (uint32_t n = 0; n < w->trace->input.ring_count; n++)
		w->run->discarded += w->trace->input.rings[n].lost;
	return PATHS_OK;
}

/* Returns the number of phases that rows are of. */
static size_t
work_phase_count(const struct work *w)
{
	return (size_t)w->phases->phase_count + 1 + w->named_count;
}

/* Returns the phase that the program began, or else the innermost loop with an
   iteration that has the whole burst. */
static uint32_t
work_phase(const struct work *w, uint32_t thread, uint64_t start, uint64_t stop)
{
	uint32_t found = (uint32_t)w->phases->phase_count;
	uint32_t named = es__named_at(&w->named, start, stop);

	if (named != PATHS_NONE)
		return found + 1 + named;
	for (uint32_t p = 0; p < w->phases->phase_count; p++) {
		const struct es__phase_part *part =
		    es__phases_part(w->phases, thread, p);
		uint32_t bin =
		    part == NULL ? PATHS_NONE : es__phases_bin(part, start);

		/* Inner loops follow outer ones. */
		if (bin != PATHS_NONE && part->bins[bin].iterations > 0 &&
		    stop <= part->bins[bin].stop)
			found = p;
	}
	return found;
}

static paths_status
work_burst(struct work *w, uint32_t rank, const struct es__exchange *list,
    size_t count)
{
	struct es__burst_span span = { .start = list[0].start };
	uint32_t phase;

	for (size_t n = 0; n < count; n++)
		span.stop = list[n].stop > span.stop ? list[n].stop : span.stop;
	phase = work_phase(w, list[0].thread, span.start, span.stop);
	span.row = (size_t)phase * w->exchanges.rank_count + rank;
	if (!paths__array_grow(&w->spans, w->span_count, &w->span_room,
		sizeof(*w->spans)))
		return es__model_no_memory();
	w->spans[w->span_count++] = span;
	return es__burst_add(&w->burst, list, count, &w->rows[span.row]);
}

static paths_status
work_rank(struct work *w, uint32_t rank)
{
	const struct es__exchange *list =
	    &w->exchanges.list[w->exchanges.first[rank]];
	size_t count = w->exchanges.first[rank + 1] - w->exchanges.first[rank];
	paths_status st = es__named_find(w->trace, es_run_mpi(w->analysis->run),
	    rank, &w->named);

	w->span_count = 0;
	for (size_t n = 0, end; st == PATHS_OK && n < count; n = end) {
		end = es__burst_end(list, n, count,
		    &w->trace->input.ranks[rank].base);
		st = work_burst(w, rank, &list[n], end - n);
	}
	if (st == PATHS_OK)
		es__burst_calls(w->trace,
		    &(struct es__burst_spans){ rank, w->spans, w->span_count },
		    &w->localities, w->rows);
	return st;
}

static paths_status
work_rows(struct work *w)
{
	uint32_t ranks = w->exchanges.rank_count;
	paths_status st = PATHS_OK;

	while (es_mpi_phase_name(es_run_mpi(w->analysis->run),
		   w->named_count) != NULL)
		w->named_count++;
	w->rows =
	    calloc(work_phase_count(w) * ((size_t)ranks + 1), sizeof(*w->rows));
	if (w->rows == NULL)
		return es__model_no_memory();
	for (size_t p = 0; p < work_phase_count(w); p++)
		for (uint32_t rank = 0; rank < ranks; rank++) {
			struct es_model_run_row *row =
			    &w->rows[p * ranks + rank];
			size_t loops = w->phases->phase_count;

			row->phase = p < loops ? (uint32_t)p : PATHS_NONE;
			row->named =
			    p > loops ? (uint32_t)(p - loops - 1) : PATHS_NONE;
			row->rank = rank;
		}
	for (uint32_t rank = 0; st == PATHS_OK && rank < ranks; rank++)
		st = work_rank(w, rank);
	return st;
}

/* Adds contention to the rows of a phase: it is linear in the bytes, so all its
   bursts have that of their sum. */
static void
work_contention(const struct work *w, double hops,
    struct es_model_run_row *rows, size_t count)
{
	struct es_model_phase phase = { .hops = hops };
	double hosts = 0;
	double seconds;

	for (size_t n = 0; n < count; n++)
		phase.mean_bytes += (double)rows[n].sent_bytes / (double)count;
	for (uint32_t host = 0; host < w->localities.host_count; host++) {
		hosts += w->ppn[host] > 0;
		phase.ppn += w->ppn[host];
	}
	phase.ppn /= hosts > 0 ? hosts : 1;
	seconds = es_model_contention(w->model, &phase);
	for (size_t n = 0; n < count; n++)
		rows[n].costs[ES_MODEL_CONTENDED].contention_s = seconds;
}

/* Finds the rows with the largest values of a phase. */
static void
phase_slowest(const struct es_model_run *run, struct es_model_run_phase *phase)
{
	const struct es_model_run_row *rows = run->rows;

	phase->slowest = phase->row_first;
	for (unsigned k = 0; k < ES_MODEL_KINDS; k++)
		phase->predicted[k] = phase->row_first;
	for (size_t n = phase->row_first;
	     n < phase->row_first + phase->row_count; n++) {
		if (es_model_run_busy_s(&rows[n]) >
		    es_model_run_busy_s(&rows[phase->slowest]))
			phase->slowest = n;
		for (unsigned k = 0; k < ES_MODEL_KINDS; k++)
			if (es_model_total(rows[n].costs[k]) >
			    es_model_total(rows[phase->predicted[k]].costs[k]))
				phase->predicted[k] = n;
	}
}

/* Adds the times of a phase to those of the run. */
static void
run_sum(struct es_model_run *run, const struct es_model_run_phase *phase)
{
	for (size_t n = phase->row_first;
	     n < phase->row_first + phase->row_count; n++) {
		run->calls += run->rows[n].calls;
		run->measured_s += run->rows[n].measured_s;
		run->late_s += run->rows[n].late_s;
		run->late_receiver_s += run->rows[n].late_receiver_s;
	}
}

/* Moves the rows with bursts to the run. */
static paths_status
work_result(struct work *w)
{
	struct es_model_run *run = w->run;
	double hops = run->hops;
	uint32_t ranks = w->exchanges.rank_count;
	size_t phases = work_phase_count(w);

	run->phases = calloc(phases, sizeof(*run->phases));
	if (run->phases == NULL)
		return es__model_no_memory();
	run->rows = w->rows;
	w->rows = NULL;
	for (size_t p = 0; p < phases; p++) {
		struct es_model_run_phase phase = { .row_first =
							run->row_count };

		for (uint32_t rank = 0; rank < ranks; rank++)
			if (run->rows[p * ranks + rank].bursts > 0)
				run->rows[run->row_count++] =
				    run->rows[p * ranks + rank];
		phase.row_count = run->row_count - phase.row_first;
		if (phase.row_count == 0)
			continue;
		phase.phase = run->rows[phase.row_first].phase;
		phase.named = run->rows[phase.row_first].named;
		if (!isnan(hops) && run->between_hosts > 0)
			work_contention(w, hops, &run->rows[phase.row_first],
			    phase.row_count);
		phase_slowest(run, &phase);
		run_sum(run, &phase);
		run->phases[run->phase_count++] = phase;
	}
	return PATHS_OK;
}

static void
work_fini(struct work *w)
{
	es__exchanges_fini(&w->exchanges);
	es__burst_fini(&w->burst);
	es__localities_fini(&w->localities);
	es__named_fini(&w->named);
	free(w->ppn);
	free(w->rows);
	free(w->spans);
	es_model_run_close(w->run);
}

/* Returns the mean number of links that a byte passes between hosts; NAN: it is
   not known. */
static double
work_hops(const struct work *w, const struct es_model_run_options *options)
{
	const struct es__exchanges *of = &w->exchanges;
	const uint32_t *hosts = w->localities.hosts;
	uint32_t count = es_run_map(w->analysis->run)->host_count;
	double bytes = 0, passed = 0;

	if (!isnan(options->hops) || options->links == NULL)
		return isnan(options->hops) ? w->model->hops : options->hops;
	for (uint32_t rank = 0; rank < of->rank_count; rank++)
		for (size_t n = of->first[rank]; n < of->first[rank + 1]; n++) {
			uint32_t a = hosts[of->list[n].other], b = hosts[rank];
			uint32_t links = a < count && b < count ?
			    options->links[a * count + b] :
			    0;

			if (!of->list[n].receives || links == 0)
				continue;
			bytes += (double)of->list[n].bytes;
			passed += (double)of->list[n].bytes * links;
		}
	return bytes > 0 ? passed / bytes : w->model->hops;
}

static paths_status
work_do(struct work *w, const struct es_model_run_options *options)
{
	paths_status st = es_mpi_trace_get(w->analysis, &w->trace);

	if (st == PATHS_OK)
		st = es__phases_get(w->analysis, &w->phases);
	if (st == PATHS_OK)
		st = es__exchanges_find(w->trace, &w->exchanges);
	if (st == PATHS_OK)
		st = es__localities_find(w->analysis->run,
		    w->exchanges.rank_count, w->model, &w->localities);
	if (st == PATHS_OK && options->places != NULL)
		es__localities_move(&w->localities, options->places,
		    w->exchanges.rank_count);
	if (st == PATHS_OK)
		st = work_counts(w);
	if (st != PATHS_OK)
		return st;
	w->burst = (struct es__burst){ .model = w->model,
		.fit = options->fit,
		.localities = &w->localities,
		.ppn = w->ppn };
	w->run->mpi = es_run_mpi(w->analysis->run);
	w->run->hops = work_hops(w, options);
	st = work_rows(w);
	return st == PATHS_OK ? work_result(w) : st;
}

paths_status
es_model_run_open(struct es_analysis *analysis, const struct es_model *model,
    const struct es_model_run_options *options, struct es_model_run **run)
{
	struct work w = { .analysis = analysis,
		.model = model,
		.run = calloc(1, sizeof(*w.run)) };
	paths_status st = w.run == NULL ? es__model_no_memory() : PATHS_OK;

	if (st == PATHS_OK && model->locality_count == 0)
		st = paths_log_fail(PATHS_EINVAL, "the model has no locality");
	if (st == PATHS_OK && es_run_mpi(analysis->run) == NULL)
		st = paths_log_fail(PATHS_ENOENT,
		    "the run is not one of MPI processes");
	if (st == PATHS_OK)
		st = work_do(&w, options);
	if (st == PATHS_OK) {
		*run = w.run;
		w.run = NULL;
	}
	work_fini(&w);
	return st;
}
