/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/fit.c - makes the model from what was measured
 */

#include "scopes/calibrate/fit_private.h"

#include "scopes/calibrate/place_private.h"

#include "scopes/model/quantile_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The largest number of messages for which no search was seen, see section
   "Queues" of eventspace-calibrate(1). */
#define FIT_GAMMA_NONE 32u

/* The protocols on the two sides of the eager limit. */
static const char *const fit_protocols[] = { "eager", "rendezvous" };

/* Samples on one side of the eager limit. */
struct fit_side {
	const struct es__calibrate_class *class;
	struct es_model_sample *samples;
	size_t count;
	bool over; /* the limit */
};

static void
fit_side(struct fit_side *side)
{
	const struct es__calibrate_class *class = side->class;

	side->count = 0;
	for (size_t n = 0; n < class->sample_count; n++)
		if ((class->samples[n].bytes > class->eager_probed) ==
		    side->over)
			side->samples[side->count++] = class->samples[n];
}

/* Returns true if more than one pair was active at once. */
static bool
fit_limited(const struct es__calibrate_class *class)
{
	return class->pair_count > 1;
}

/* Fits segments to the samples of a side, and adds them to the others. */
static paths_status
fit_add(const struct fit_side *side, struct es_model_segments *to)
{
	struct es_model_segments found = { .count = 0 };
	paths_status st = es_model_fit_segments(side->samples, side->count, 0,
	    fit_limited(side->class), &found);

	for (size_t n = 0; st == PATHS_OK && n < found.count; n++) {
		struct es_model_segment *segment = &found.list[n];

		if (n == 0 && side->over)
			segment->first_bytes = side->class->eager_probed + 1;
		snprintf(segment->protocol, sizeof(segment->protocol), "%s",
		    fit_protocols[side->over]);
		st = es_model_add_segment(to, segment);
	}
	free(found.list);
	return st;
}

/* Sets the errors of all segments of a locality together. */
static paths_status
fit_error(const struct es__calibrate_class *class, struct es_model *model,
    uint32_t locality)
{
	struct es_model_segments *to =
	    &model->localities[locality].fits[ES_MODEL_SEGMENTS];
	double *errors = calloc(class->sample_count, sizeof(*errors));
	double squares = 0;

	if (errors == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for errors");
	for (size_t n = 0; n < class->sample_count; n++) {
		const struct es_model_sample *sample = &class->samples[n];
		double time = es_model_total(es_model_message(model,
		    (struct es_model_question){ ES_MODEL_SEGMENTS,
			ES_MODEL_NODE_AWARE, locality, sample->bytes,
			sample->ppn }));

		errors[n] = fabs(time / sample->seconds - 1);
		squares += errors[n] * errors[n];
	}
	to->error = (struct es_model_error){ .samples = class->sample_count,
		.rms = sqrt(squares / (double)class->sample_count) };
	to->error.median = es__quantile(errors, class->sample_count, 0.5);
	to->error.p90 = es__quantile(errors, class->sample_count, 0.9);
	free(errors);
	return PATHS_OK;
}

/* Fits segments, with a cut at the eager limit where it was probed. */
static paths_status
fit_segments(const struct es__calibrate_class *class, struct es_model *model,
    uint32_t locality)
{
	struct es_model_segments *to =
	    &model->localities[locality].fits[ES_MODEL_SEGMENTS];
	struct fit_side side = { .class = class };
	paths_status st = PATHS_OK;

	if (class->eager_probed == 0)
		return es_model_fit_segments(class->samples,
		    class->sample_count, 0, fit_limited(class), to);
	side.samples = calloc(class->sample_count, sizeof(*side.samples));
	if (side.samples == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	for (int over = 0; st == PATHS_OK && over < 2; over++) {
		side.over = over != 0;
		fit_side(&side);
		if (side.count > 0)
			st = fit_add(&side, to);
	}
	free(side.samples);
	return st == PATHS_OK ? fit_error(class, model, locality) : st;
}

/* Sets the time of a message in a stream. */
static paths_status
fit_stream(const struct es__calibrate_stream *stream, struct es_model *model,
    uint32_t locality)
{
	size_t cells = stream->count_count * stream->size_count;
	struct es_model_stream grid = { stream->counts, stream->sizes,
		stream->count_count, stream->size_count, NULL };
	paths_status st;

	grid.message_s = calloc(cells, sizeof(*grid.message_s));
	if (grid.message_s == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for streams");
	for (size_t n = 0; n < cells; n++)
		grid.message_s[n] = stream->ordered[n] /
		    (double)stream->counts[n / stream->size_count];
	st = es_model_set_stream(model, locality, &grid);
	free(grid.message_s);
	return st;
}

static paths_status
fit_locality(const struct es__calibrate_class *class, struct es_model *model)
{
	uint32_t number;
	struct es_model_locality *locality;
	paths_status st = es_model_add_locality(model, class->name, &number);

	if (st != PATHS_OK)
		return st;
	locality = &model->localities[number];
	locality->between_hosts = !class->inside;
	locality->eager_asked = class->eager_asked;
	locality->eager_probed = class->eager_probed;
	st = es_model_fit_paper(class->samples, class->sample_count,
	    class->pair_count >= ES_MODEL_PAPER_LIMITED,
	    &locality->fits[ES_MODEL_PAPER]);
	if (st == PATHS_OK)
		st = fit_segments(class, model, number);
	if (st == PATHS_OK)
		st = fit_stream(&class->stream, model, number);
	return st;
}

/* Returns the median over sizes of the time of a search, for one number of
   messages; NAN: not measured. */
static double
fit_gamma(const struct es__calibrate_stream *stream, size_t row)
{
	double values[64], count = (double)stream->counts[row];
	size_t known = 0;

	for (size_t n = 0; n < stream->size_count && known < 64; n++) {
		size_t cell = row * stream->size_count + n;

		if (stream->reversed[cell] > 0)
			values[known++] =
			    (stream->reversed[cell] - stream->ordered[cell]) /
			    (count * count);
	}
	return known == 0 ? NAN : es__quantile(values, known, 0.5);
}

/* Adds gamma by number of messages.  Noise may make it negative. */
static paths_status
fit_gammas(const struct es__calibrate_stream *stream, struct es_model *model)
{
	paths_status st = PATHS_OK;

	for (size_t row = 0; st == PATHS_OK && row < stream->count_count;
	     row++) {
		double gamma = fit_gamma(stream, row);

		if (isnan(gamma))
			continue;
		if (model->gamma_count == 0)
			st = es_model_add_gamma(model,
			    (struct es_model_gamma){ FIT_GAMMA_NONE, 0 });
		if (st == PATHS_OK)
			st = es_model_add_gamma(model,
			    (struct es_model_gamma){ stream->counts[row],
				fmax(gamma, 0) });
	}
	return st;
}

/* Fits the paper's constant gamma to the streams in reversed order. */
static paths_status
fit_constant(const struct es__calibrate_stream *stream, struct es_model *model)
{
	size_t cells = stream->count_count * stream->size_count, count = 0;
	struct es_model_burst *bursts = calloc(cells, sizeof(*bursts));
	double gamma;
	paths_status st = PATHS_OK;

	if (bursts == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for gamma");
	for (size_t n = 0; n < cells; n++) {
		uint64_t messages = stream->counts[n / stream->size_count];

		if (stream->reversed[n] > 0)
			bursts[count++] = (struct es_model_burst){ messages,
				messages *
				    stream->sizes[n % stream->size_count],
				stream->reversed[n] };
	}
	if (count > 0)
		st = es_model_fit_gamma(
		    &model->localities[0].fits[ES_MODEL_PAPER], bursts, count,
		    &gamma);
	/* Overlapping messages can hide the search. */
	if (st == PATHS_OK && count > 0)
		model->gamma_s = fmax(gamma, 0);
	free(bursts);
	return st;
}

static paths_status
fit_delta(const struct es__calibrate *c, struct es_model *model)
{
	const struct es_model_locality *last =
	    &model->localities[model->locality_count - 1];
	struct es_model_crowd crowd = { c->crowds, c->crowd_count, c->size,
		isnan(model->gamma_s) ? 0 : model->gamma_s };
	double delta;
	paths_status st;

	if (c->crowd_count == 0)
		return PATHS_OK;
	st = es_model_fit_delta(&last->fits[ES_MODEL_PAPER], &crowd, 1, &delta);
	if (st == PATHS_OK)
		model->delta_s = fmax(delta, 0);
	return st;
}

/* Writes how much was measured, and on which ranks. */
static void
fit_note(const struct es__calibrate *c, struct es_model *model)
{
	uint32_t hosts = es__place_hosts(c), unbound = es__place_unbound(c);
	char text[ES_MODEL_TEXT_BYTES];
	size_t extended = 0, used;
	double spread = 0;

	snprintf(text, sizeof(text), "%u ranks on %u host%s%s", c->size, hosts,
	    hosts == 1 ? "" : "s", c->quick ? ", quick" : "");
	used = strlen(text);
	if (unbound > 0)
		snprintf(text + used, sizeof(text) - used,
		    ", %u of them not bound to a core", unbound);
	used = strlen(text);
	if (!es__place_all_fit(c))
		snprintf(text + used, sizeof(text) - used,
		    ", more ranks than cores");
	for (size_t n = 0; n < c->class_count; n++)
		extended += c->classes[n].stream.extended;
	used = strlen(text);
	if (extended > 0)
		snprintf(text + used, sizeof(text) - used,
		    ", %zu stream costs are extrapolated", extended);
	for (size_t n = 0; n < c->class_count; n++)
		spread = fmax(spread, c->classes[n].spread);
	used = strlen(text);
	if (spread > ES__FIT_DRIFT)
		snprintf(text + used, sizeof(text) - used,
		    ", the machine was at times %.0f %% slower", 100 * spread);
	es_model_set_text(model->note, text);
}

/* Sets the texts: where, when and how much was measured. */
static void
fit_texts(const struct es__calibrate *c, struct es_model *model)
{
	uint32_t hosts = es__place_hosts(c);
	char text[2 * ES_MODEL_TEXT_BYTES];
	time_t now = time(NULL);
	struct tm calendar;

	snprintf(text, sizeof(text), hosts > 1 ? "%s and %u more" : "%s",
	    c->places[0].host, hosts - 1);
	es_model_set_text(model->host, text);
	es_model_set_text(model->machine, c->places[0].host);
	es_model_set_text(model->cpu, c->places[0].cpu);
	es_model_set_text(model->mpi, c->version);
	if (gmtime_r(&now, &calendar) != NULL &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &calendar) > 0)
		es_model_set_text(model->date, text);
	fit_note(c, model);
}

paths_status
es__fit_model(const struct es__calibrate *c, struct es_model **model)
{
	struct es_model *made;
	paths_status st = es_model_create(&made);

	if (st != PATHS_OK)
		return st;
	fit_texts(c, made);
	made->queue = c->queue.verdict;
	for (size_t n = 0; st == PATHS_OK && n < c->class_count; n++)
		st = fit_locality(&c->classes[n], made);
	if (st == PATHS_OK)
		st = fit_gammas(&c->classes[0].stream, made);
	if (st == PATHS_OK)
		st = fit_constant(&c->classes[0].stream, made);
	if (st == PATHS_OK)
		st = fit_delta(c, made);
	if (st == PATHS_OK)
		*model = made;
	else
		es_model_free(made);
	return st;
}
