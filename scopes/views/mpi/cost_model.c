/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/cost_model.c - the messages of a run beside a cost model
 *
 * The model is in the file ES_MODEL_KEPT of the run, which `eventspace model
 * RUN --with FILE` writes.
 */

#include "scopes/model/file_private.h"
#include "scopes/model_run.h"
#include "scopes/views/view_model_private.h"
#include "scopes/views/view_private.h"

#include <math.h>

ES__SQL(cost_model_finding);
ES__SQL(cost_model_reading);

static const struct es_column model_columns[] = {
	{ "machine", ES_TEXT, .about = "machine of the model; NULL: not known",
	    .optional = true },
	{ "mpi", ES_TEXT, .about = "MPI library of the model; NULL: not known",
	    .optional = true },
	{ "date", ES_TEXT, .about = "date of the measurement; NULL: not known",
	    .optional = true },
	{ "hosts", ES_TEXT,
	    .about = "hosts that were measured; NULL: not known",
	    .optional = true },
	{ "cpu", ES_TEXT, .about = "processor; NULL: not known",
	    .optional = true },
	{ "kind", ES_TEXT,
	    .about = "kind of model that readings and the chart take" },
	{ "queue", ES_TEXT,
	    .about = "queues of the library: one, peers (one for each sender) "
		     "or unknown, which counts as one" },
	{ "hops", ES_REAL,
	    .about = "mean number of links that a byte passes; NULL: not "
		     "known, and there is no contention",
	    .optional = true },
	{ "drift_share", ES_REAL,
	    .about = "change of the machine while it was measured; NULL: not "
		     "known",
	    .unit = ES_UNIT_SHARE, .optional = true },
	{ "messages", ES_INTEGER,
	    .about = "number of messages whose send and receive are known" },
	{ "between_hosts", ES_INTEGER, .about = "those between two hosts" },
	{ "misplaced", ES_INTEGER,
	    .about = "those of a kind, inside of a host or between two, for "
		     "which the model has no locality" },
	{ "calls", ES_INTEGER, .about = "number of calls for the messages" },
	{ "measured_ns", ES_REAL, .about = "time of all ranks in these calls",
	    .unit = ES_UNIT_NS },
	{ "late_ns", ES_REAL,
	    .about = "thereof, time before senders began to send",
	    .unit = ES_UNIT_NS },
	{ "late_receiver_ns", ES_REAL,
	    .about = "then, time before receives were posted that a send waits "
		     "for",
	    .unit = ES_UNIT_NS },
	{ "unmatched", ES_INTEGER,
	    .about = "number of receives that are left out, because their send "
		     "or their end is not known" },
	{ "discarded", ES_INTEGER,
	    .about = "number of tuples of calls that were discarded, whose "
		     "messages are left out" },
};

#define COST_COLUMNS \
	{ "latency_ns", ES_REAL, .about = "latency that the model predicts", \
		.unit = ES_UNIT_NS }, \
	    { "bandwidth_ns", ES_REAL, \
		    .about = "time of bytes that the model predicts", \
		    .unit = ES_UNIT_NS }, \
	    { "queue_ns", ES_REAL, \
		    .about = "time to search queues that the model predicts", \
		    .unit = ES_UNIT_NS }, \
	{ \
		"contention_ns", ES_REAL, \
		    .about = "time of contention that the model predicts", \
		    .unit = ES_UNIT_NS \
	}

static const struct es_column phase_columns[] = {
	{ "phase", ES_INTEGER,
	    .about = "loop that has the messages; NULL: they are outside of "
		     "loops, or in a phase that the program began",
	    .refers = "phase" },
	{ "named", ES_INTEGER,
	    .about = "phase that the program began by MPI_Pcontrol; NULL: none",
	    .refers = "mpi_phase", .optional = true },
	{ "kind", ES_TEXT,
	    .about = "kind of model: postal, max-rate, node-aware, queue, "
		     "contention or stream" },
	{ "ranks", ES_INTEGER, .about = "number of ranks with messages" },
	{ "messages", ES_INTEGER, .about = "number of messages received" },
	{ "largest_burst", ES_INTEGER,
	    .about = "largest number of messages that a rank receives in a "
		     "burst" },
	{ "rank", ES_INTEGER,
	    .about = "rank with the longest time without late senders and "
		     "receivers",
	    .refers = "mpi_rank" },
	{ "measured_ns", ES_REAL,
	    .about = "its time in calls for messages, without that before "
		     "their senders began and their receives were posted",
	    .unit = ES_UNIT_NS },
	{ "predicted_rank", ES_INTEGER,
	    .about = "rank with the highest cost by the model",
	    .refers = "mpi_rank" },
	{ "predicted_ns", ES_REAL, .about = "its cost", .unit = ES_UNIT_NS },
	COST_COLUMNS,
	{ "dominant", ES_TEXT, .about = "largest part of the cost" },
	{ "off_ns", ES_REAL,
	    .about = "measured_ns less predicted_ns: negative if the model "
		     "predicts more",
	    .unit = ES_UNIT_NS },
};

static const struct es_column rank_columns[] = {
	{ "phase", ES_INTEGER,
	    .about = "loop that has the messages; NULL: they are outside of "
		     "loops, or in a phase that the program began",
	    .refers = "phase" },
	{ "named", ES_INTEGER,
	    .about = "phase that the program began by MPI_Pcontrol; NULL: none",
	    .refers = "mpi_phase", .optional = true },
	{ "rank", ES_INTEGER, .about = "rank", .refers = "mpi_rank" },
	{ "kind", ES_TEXT, .about = "kind of model, see cost_phase" },
	{ "bursts", ES_INTEGER,
	    .about = "number of bursts, as eventspace-model(1) defines them" },
	{ "sent", ES_INTEGER, .about = "number of messages sent" },
	{ "received", ES_INTEGER, .about = "number of messages received" },
	{ "sent_bytes", ES_INTEGER, .about = "size of the messages sent",
	    .unit = ES_UNIT_BYTES },
	{ "received_bytes", ES_INTEGER,
	    .about = "size of the messages received", .unit = ES_UNIT_BYTES },
	{ "largest_burst", ES_INTEGER,
	    .about = "largest number of messages received in a burst" },
	{ "inversions", ES_REAL,
	    .about = "pairs of messages that were sent in another order than "
		     "their receives were posted" },
	{ "measured_ns", ES_REAL, .about = "time in calls for these messages",
	    .unit = ES_UNIT_NS },
	{ "late_ns", ES_REAL,
	    .about = "thereof, time before the sender began to send",
	    .unit = ES_UNIT_NS },
	{ "late_receiver_ns", ES_REAL,
	    .about = "then, time before a receive was posted that a send waits "
		     "for",
	    .unit = ES_UNIT_NS },
	COST_COLUMNS,
	{ "unexplained_ns", ES_REAL,
	    .about =
		"measured_ns less late_ns, late_receiver_ns and the costs: "
		"negative if the model predicts more",
	    .unit = ES_UNIT_NS },
	{ "dominant", ES_TEXT, .about = "largest of the costs" },
};

enum { MODEL, PHASE, RANK };

static const struct es_table tables[] = {
	[MODEL] = { .name = "cost_model",
	    .about = "cost model that the messages are compared with",
	    ES_COLUMNS(model_columns),
	    .reading = es__sql_cost_model_reading,
	    .reading_about = "part of the messages that the model covers" },
	[PHASE] = { .name = "cost_phase",
	    .about = "slowest rank of each phase, beside each kind of model",
	    ES_COLUMNS(phase_columns),
	    .order = "measured_ns DESC, rowid" },
	[RANK] = { .name = "cost_rank",
	    .about = "time of each rank for messages, and its parts by each "
		     "kind of model",
	    ES_COLUMNS(rank_columns),
	    .order = "rowid" },
};

struct view {
	struct es_analysis *a;
	struct es_sink *sink;
	const struct es_model *model;
	const struct es_model_run *run;
};

/* Returns a text of a model: NULL where it is not known. */
static struct es_value
model_text(const char *text)
{
	return es__text(*text == '\0' ? NULL : text);
}

static struct es_value
known(double value)
{
	return isnan(value) ? ES_NIL : ES_NUM(value);
}

static paths_status
view_model(const struct view *v)
{
	const struct es_model *m = v->model;
	const struct es_model_run *run = v->run;

	return v->sink->row(v->sink, &tables[MODEL],
	    (struct es_value[]){ model_text(m->machine), model_text(m->mpi),
		model_text(m->date), model_text(m->host), model_text(m->cpu),
		ES_STR(es_model_kind_name(es_model_run_kind(run))),
		ES_STR(es__model_queues[m->queue]), known(run->hops),
		known(m->drift), ES_INT(run->messages),
		ES_INT(run->between_hosts), ES_INT(run->misplaced),
		ES_INT(run->calls), es__view_model_ns(run->measured_s),
		es__view_model_ns(run->late_s),
		es__view_model_ns(run->late_receiver_s), ES_INT(run->unmatched),
		ES_INT(run->discarded) });
}

static paths_status
view_phase(const struct view *v, const struct es_model_run_phase *p,
    enum es_model_kind kind)
{
	const struct es_model_run_row *slowest = &v->run->rows[p->slowest];
	const struct es_model_run_row *row = &v->run->rows[p->predicted[kind]];
	double measured_s = es_model_run_busy_s(slowest);
	double predicted_s = es_model_total(row->costs[kind]);
	double parts[ES_MODEL_PARTS];
	enum es_model_part dominant = es_model_run_parts(row, kind, parts);
	uint64_t messages = 0, largest = 0;

	if (isnan(predicted_s))
		return PATHS_OK;
	for (size_t n = p->row_first; n < p->row_first + p->row_count; n++) {
		messages += v->run->rows[n].received;
		if (v->run->rows[n].largest_burst > largest)
			largest = v->run->rows[n].largest_burst;
	}
	return v->sink->row(v->sink, &tables[PHASE],
	    (struct es_value[]){ es__id(p->phase), es__id(p->named),
		ES_STR(es_model_kind_name(kind)), ES_INT(p->row_count),
		ES_INT(messages), ES_INT(largest), ES_INT(slowest->rank),
		es__view_model_ns(measured_s), ES_INT(row->rank),
		es__view_model_ns(predicted_s),
		es__view_model_ns(parts[ES_MODEL_LATENCY]),
		es__view_model_ns(parts[ES_MODEL_BANDWIDTH]),
		es__view_model_ns(parts[ES_MODEL_QUEUE]),
		es__view_model_ns(parts[ES_MODEL_CONTENTION]),
		ES_STR(es_model_part_name(dominant)),
		es__view_model_ns(measured_s - predicted_s) });
}

static paths_status
view_rank(const struct view *v, const struct es_model_run_row *row,
    enum es_model_kind kind)
{
	double parts[ES_MODEL_PARTS];
	enum es_model_part dominant = es_model_run_parts(row, kind, parts);

	if (isnan(parts[ES_MODEL_UNEXPLAINED]))
		return PATHS_OK;
	return v->sink->row(v->sink, &tables[RANK],
	    (struct es_value[]){ es__id(row->phase), es__id(row->named),
		ES_INT(row->rank), ES_STR(es_model_kind_name(kind)),
		ES_INT(row->bursts), ES_INT(row->sent), ES_INT(row->received),
		ES_INT(row->sent_bytes), ES_INT(row->received_bytes),
		ES_INT(row->largest_burst), ES_NUM(row->inversions),
		es__view_model_ns(row->measured_s),
		es__view_model_ns(parts[ES_MODEL_LATE]),
		es__view_model_ns(parts[ES_MODEL_LATE_RECEIVER]),
		es__view_model_ns(parts[ES_MODEL_LATENCY]),
		es__view_model_ns(parts[ES_MODEL_BANDWIDTH]),
		es__view_model_ns(parts[ES_MODEL_QUEUE]),
		es__view_model_ns(parts[ES_MODEL_CONTENTION]),
		es__view_model_ns(parts[ES_MODEL_UNEXPLAINED]),
		ES_STR(es_model_part_name(dominant)) });
}

static paths_status
view_rows(const struct view *v)
{
	paths_status st = view_model(v);

	for (size_t n = 0; n < v->run->phase_count; n++)
		for (unsigned k = 0; st == PATHS_OK && k < ES_MODEL_KINDS; k++)
			if (es_model_run_knows(v->run, (enum es_model_kind)k))
				st = view_phase(v, &v->run->phases[n],
				    (enum es_model_kind)k);
	for (size_t n = 0; n < v->run->row_count; n++)
		for (unsigned k = 0; st == PATHS_OK && k < ES_MODEL_KINDS; k++)
			if (es_model_run_knows(v->run, (enum es_model_kind)k))
				st = view_rank(v, &v->run->rows[n],
				    (enum es_model_kind)k);
	return st;
}

static paths_status
model_show(struct es_analysis *a, struct es_sink *sink,
    const struct es_model *model)
{
	struct es_model_run_options options = { .fit = ES_MODEL_SEGMENTS,
		.hops = NAN };
	struct view v = { .a = a, .sink = sink, .model = model };
	struct es_model_run *run;
	paths_status st = es_model_run_open(a, model, &options, &run);

	/* The file has a model without a locality. */
	if (st == PATHS_EINVAL)
		return PATHS_EDAMAGED;
	if (st != PATHS_OK)
		return st;
	es_model_run_doubts(a->run, model, es__view_model_doubt, a->run);
	v.run = run;
	st = view_rows(&v);
	es_model_run_close(run);
	return st;
}

static paths_status
cost_model_compute(struct es_analysis *a, struct es_sink *sink)
{
	if (es_run_mpi(a->run) == NULL)
		return PATHS_OK;
	return es__view_model_show(a, sink,
	    &(struct es__view_model){ "cost_model", model_show });
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_cost_model_finding,
	    .about = "phase whose messages deviate most from the model that is "
		     "kept with the run",
	    .weight = 15,
	    .table = "cost_phase",
	    .chart = "cost_model" },
};

const struct es_view es__view_cost_model = {
	.name = "cost_model",
	.about = "messages beside the cost model that is kept with the run",
	.question = "What should the messages of each phase cost, and which "
		    "phase deviates most from its model?",
	.topic = ES_TOPIC_MESSAGES,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = cost_model_compute,
	.needs = ES_NEED_MPI | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
