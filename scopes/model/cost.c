/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/cost.c - the time of messages and phases under a model
 *
 * Source: Bienz, Gropp, Olson: Improving Performance Models for Irregular
 * Point-to-Point Communication; Gropp, Olson, Samfass: Modeling MPI
 * Communication Performance on SMP Nodes: Is It Time to Retire the Ping Pong
 * Test (max-rate)
 */

#include "scopes/model/cost_private.h"

#include <math.h>

const char *
es_model_kind_name(enum es_model_kind kind)
{
	static const char *const names[ES_MODEL_KINDS] = { "postal", "max-rate",
		"node-aware", "queue", "contention", "stream" };

	return (unsigned)kind < ES_MODEL_KINDS ? names[kind] : NULL;
}

const struct es_model_segments *
es__model_segments(const struct es_model_locality *locality,
    enum es_model_fit fit)
{
	const struct es_model_segments *segments = &locality->fits[fit];

	return segments->count > 0 ? segments :
				     &locality->fits[ES_MODEL_FITS - 1 - fit];
}

const struct es_model_segment *
es__model_segment(const struct es_model_segments *segments, uint64_t bytes)
{
	size_t n = segments->count;

	while (n > 0 && segments->list[n - 1].first_bytes > bytes)
		n--;
	return n == 0 ? NULL : &segments->list[n - 1];
}

/* Returns the locality whose parameters a kind of model takes; NULL: the model
   has none. */
static const struct es_model_locality *
cost_locality(const struct es_model *model, enum es_model_kind kind,
    uint32_t locality)
{
	if (kind < ES_MODEL_NODE_AWARE && model->locality_count > 0)
		return &model->localities[model->locality_count - 1];
	return locality < model->locality_count ? &model->localities[locality] :
						  NULL;
}

/* Returns the time of messages in one segment. */
static struct es_model_cost
cost_messages(const struct es_model *model, enum es_model_fit fit,
    enum es_model_kind kind, uint32_t ppn, const struct es_model_messages *of)
{
	const struct es_model_locality *locality =
	    cost_locality(model, kind, of->locality);
	const struct es_model_segment *segment;
	double rate;

	if (locality == NULL)
		return (struct es_model_cost){ NAN, NAN, 0, 0 };
	segment =
	    es__model_segment(es__model_segments(locality, fit), of->bytes);
	if (segment == NULL)
		return (struct es_model_cost){ NAN, NAN, 0, 0 };
	rate = segment->rate;
	if (kind != ES_MODEL_POSTAL)
		rate = fmin(rate, segment->node_rate / (ppn == 0 ? 1 : ppn));
	return (struct es_model_cost){
		.latency_s = segment->alpha_s * (double)of->count,
		.bandwidth_s = (double)of->total_bytes / rate,
	};
}

struct es_model_cost
es_model_message(const struct es_model *model, struct es_model_question of)
{
	return cost_messages(model, of.fit, of.kind, of.ppn,
	    &(struct es_model_messages){ of.locality, of.bytes, 1, of.bytes });
}

double
es_model_contention(const struct es_model *model,
    const struct es_model_phase *phase)
{
	if (isnan(model->delta_s) || isnan(phase->hops))
		return 0;
	return model->delta_s * 2 * phase->hops * phase->hops * phase->hops *
	    phase->mean_bytes * phase->ppn;
}

double
es_model_gamma_at(const struct es_model *model, double messages)
{
	const struct es_model_gamma *list = model->gammas;
	size_t n = 0;
	double part;

	if (model->gamma_count == 0)
		return isnan(model->gamma_s) ? 0 : model->gamma_s;
	while (n < model->gamma_count && (double)list[n].messages < messages)
		n++;
	if (n == 0)
		return messages * 2 < (double)list[0].messages ?
		    0 :
		    list[0].gamma_s;
	if (n == model->gamma_count)
		return list[n - 1].gamma_s;
	part = log(messages / (double)list[n - 1].messages) /
	    log((double)list[n].messages / (double)list[n - 1].messages);
	return list[n - 1].gamma_s +
	    part * (list[n].gamma_s - list[n - 1].gamma_s);
}

double
es_model_queue_s(const struct es_model *model, double messages)
{
	double gamma = isnan(model->gamma_s) ?
	    es_model_gamma_at(model, messages) :
	    model->gamma_s;

	return gamma * messages * messages;
}

/* A place between two numbers of an ascending list. */
struct between {
	size_t below, above;
	double part; /* of the way, in logarithms */
};

static struct between
between_find(const uint64_t *list, size_t count, double value)
{
	struct between at = { 0, 0, 0 };

	while (at.above + 1 < count && (double)list[at.above] < value)
		at.above++;
	if ((double)list[at.above] <= value || at.above == 0) {
		at.below = at.above;
		return at;
	}
	at.below = at.above - 1;
	at.part = log(value / (double)list[at.below]) /
	    log((double)list[at.above] / (double)list[at.below]);
	return at;
}

/* Interpolates the logarithm of time in sizes; larger sizes than measured take
   the rate of the largest. */
static double
stream_row(const struct es_model_stream *stream, size_t row, double bytes)
{
	struct between at =
	    between_find(stream->sizes, stream->size_count, bytes);
	const double *times = &stream->message_s[row * stream->size_count];
	double largest = (double)stream->sizes[stream->size_count - 1];

	if (bytes > largest)
		return log(times[stream->size_count - 1] * bytes / largest);
	return log(times[at.below]) +
	    at.part * (log(times[at.above]) - log(times[at.below]));
}

double
es_model_stream_s(const struct es_model_stream *stream, double messages,
    double bytes)
{
	struct between at;
	double low, high;

	if (stream->counts == NULL)
		return NAN;
	at = between_find(stream->counts, stream->count_count, messages);
	low = stream_row(stream, at.below, bytes);
	high = stream_row(stream, at.above, bytes);
	return exp(low + at.part * (high - low));
}

/* Returns the number of messages of the longest queue. */
static double
cost_queued(const struct es_model *model,
    const struct es_model_process *process)
{
	double all = 0, most = 0;

	for (size_t n = 0; n < process->sender_count; n++) {
		all += (double)process->received[n];
		most = fmax(most, (double)process->received[n]);
	}
	return model->queue == ES_MODEL_QUEUE_PEERS ? most : all;
}

/* Adds the time of a process by streams: the time of the smallest size is
   latency, the rest bandwidth.  A message costs as in the stream with as many
   messages, or with as many bytes if that is shorter: a longer one would not
   fit into the caches into which all messages fit. */
static struct es_model_cost
cost_streamed(const struct es_model *model,
    const struct es_model_process *process)
{
	struct es_model_cost cost = { 0 };
	double all = 0, bytes = 0;

	for (size_t n = 0; n < process->message_count; n++) {
		all += (double)process->messages[n].count;
		bytes += (double)process->messages[n].total_bytes;
	}
	for (size_t n = 0; n < process->message_count; n++) {
		const struct es_model_messages *m = &process->messages[n];
		const struct es_model_stream *stream;
		double count = (double)m->count, least, size, length;

		if (m->count == 0)
			continue;
		if (m->locality >= model->locality_count ||
		    model->localities[m->locality].stream.counts == NULL)
			return (struct es_model_cost){ NAN, NAN, 0, 0 };
		stream = &model->localities[m->locality].stream;
		size = (double)m->total_bytes / count;
		/* NAN, from no bytes, is not taken by fmin. */
		length = fmin(all, bytes / size);
		least = es_model_stream_s(stream, all, 0);
		cost.latency_s += count * least;
		cost.bandwidth_s += count *
		    fmax(es_model_stream_s(stream, length, size) - least, 0);
	}
	cost.queue_s = 2 *
	    es_model_gamma_at(model, cost_queued(model, process)) *
	    process->inversions;
	return cost;
}

/* Returns the time to search the queues of a process. */
static double
cost_queue(const struct es_model *model, const struct es_model_process *process)
{
	uint64_t all = 0;
	double seconds = 0;

	for (size_t n = 0; n < process->sender_count; n++) {
		all += process->received[n];
		seconds +=
		    es_model_queue_s(model, (double)process->received[n]);
	}
	return model->queue == ES_MODEL_QUEUE_PEERS ?
	    seconds :
	    es_model_queue_s(model, (double)all);
}

struct es_model_cost
es__model_process(const struct es_model *model, enum es_model_fit fit,
    enum es_model_kind kind, const struct es_model_process *process)
{
	struct es_model_cost sum = { 0 };

	if (kind == ES_MODEL_STREAMED)
		return cost_streamed(model, process);
	for (size_t n = 0; n < process->message_count; n++) {
		struct es_model_cost cost = cost_messages(model, fit, kind,
		    process->ppn, &process->messages[n]);

		sum.latency_s += cost.latency_s;
		sum.bandwidth_s += cost.bandwidth_s;
	}
	if (kind >= ES_MODEL_QUEUED)
		sum.queue_s = cost_queue(model, process);
	return sum;
}

size_t
es_model_phase(const struct es_model *model, enum es_model_fit fit,
    enum es_model_kind kind, const struct es_model_phase *phase,
    struct es_model_cost *costs)
{
	size_t largest = phase->process_count;

	for (size_t n = 0; n < phase->process_count; n++) {
		costs[n] =
		    es__model_process(model, fit, kind, &phase->processes[n]);
		if (kind == ES_MODEL_CONTENDED)
			costs[n].contention_s =
			    es_model_contention(model, phase);
		if (largest == phase->process_count ||
		    es_model_total(costs[n]) > es_model_total(costs[largest]))
			largest = n;
	}
	return largest;
}
