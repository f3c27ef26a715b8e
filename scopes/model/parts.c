/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/parts.c - the parts of the time of a rank under a model
 */

#include "scopes/model_run.h"

#include "libpaths/map.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *
es_model_part_name(enum es_model_part part)
{
	static const char *const names[ES_MODEL_PARTS] = { "late",
		"late receiver", "latency", "bandwidth", "queue", "contention",
		"unexplained" };

	return (unsigned)part < ES_MODEL_PARTS ? names[part] : NULL;
}

/* Sets the parts of a time.  Returns the largest one that the model
   predicts. */
static enum es_model_part
parts_set(double measured_s, const double late_s[2],
    const struct es_model_cost *cost, double parts[ES_MODEL_PARTS])
{
	enum es_model_part largest = ES_MODEL_LATENCY;

	parts[ES_MODEL_LATE] = late_s[0];
	parts[ES_MODEL_LATE_RECEIVER] = late_s[1];
	parts[ES_MODEL_LATENCY] = cost->latency_s;
	parts[ES_MODEL_BANDWIDTH] = cost->bandwidth_s;
	parts[ES_MODEL_QUEUE] = cost->queue_s;
	parts[ES_MODEL_CONTENTION] = cost->contention_s;
	parts[ES_MODEL_UNEXPLAINED] =
	    measured_s - late_s[0] - late_s[1] - es_model_total(*cost);
	for (unsigned n = ES_MODEL_LATENCY; n <= ES_MODEL_CONTENTION; n++)
		if (parts[n] > parts[largest])
			largest = (enum es_model_part)n;
	return largest;
}

enum es_model_part
es_model_run_parts(const struct es_model_run_row *row, enum es_model_kind kind,
    double parts[ES_MODEL_PARTS])
{
	return parts_set(row->measured_s,
	    (const double[2]){ row->late_s, row->late_receiver_s },
	    &row->costs[kind], parts);
}

enum es_model_part
es_model_proxy_parts(const struct es_model_proxy *proxy,
    double parts[ES_MODEL_PARTS])
{
	return parts_set(proxy->measured_s, (const double[2]){ 0, 0 },
	    &proxy->cost, parts);
}

enum es_model_kind
es_model_run_kind(const struct es_model_run *run)
{
	for (size_t n = 0; n < run->row_count; n++)
		if (isnan(
			es_model_total(run->rows[n].costs[ES_MODEL_STREAMED])))
			return ES_MODEL_QUEUED;
	return ES_MODEL_STREAMED;
}

bool
es_model_run_knows(const struct es_model_run *run, enum es_model_kind kind)
{
	return kind != ES_MODEL_CONTENDED || !isnan(run->hops);
}

const char *
es_model_phase_text(const struct es_model_run *run, uint32_t phase,
    uint32_t named, char text[ES_MODEL_PHASE_BYTES])
{
	const char *name =
	    named == PATHS_NONE ? NULL : es_mpi_phase_name(run->mpi, named);

	text[0] = '\0';
	if (name != NULL)
		snprintf(text, ES_MODEL_PHASE_BYTES, "phase %s", name);
	else if (phase != PATHS_NONE)
		snprintf(text, ES_MODEL_PHASE_BYTES, "loop %" PRIu32, phase);
	return text;
}
