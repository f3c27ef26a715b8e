/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/cost_proxy.c - operations through proxies beside a cost
 * model
 *
 * The model is in the file ES_MODEL_KEPT of the run, which `eventspace model
 * RUN --with FILE` writes.
 */

#include "scopes/model/proxy_words_private.h"
#include "scopes/model_run.h"
#include "scopes/views/view_model_private.h"
#include "scopes/views/view_private.h"

static const char reading[] =
    "SELECT printf('" ES__PROXY_COMPARED
    "', sum(operations), count(*), iif(count(*) = 1, 'y', 'ies'))"
    " || iif(sum(operations) > sum(placed * operations),"
    " ' ' || printf('" ES__PROXY_MISPLACED
    "', sum(operations) - sum(placed * operations)), '')"
    " FROM cost_proxy HAVING count(*) > 0";

static const char finding[] =
    "SELECT 'stage', stage, printf('" ES__PROXY_DEVIATES
    "', s.name, f.name, t.name, c.operations, readable_ns(c.measured_ns),"
    " readable_ns(c.measured_ns - c.unexplained_ns), c.dominant)"
    " FROM cost_proxy c JOIN stage s USING (stage)"
    " JOIN process f USING (process) JOIN process t ON t.process = c.target"
    " ORDER BY abs(c.unexplained_ns) DESC, c.rowid LIMIT 1";

static const struct es_column columns[] = {
	{ "stage", ES_INTEGER, .about = "proxy", .refers = "stage" },
	{ "path", ES_INTEGER,
	    .about = "path of the collector before it; NULL: none, see table "
		     "collector",
	    .refers = "path" },
	{ "target", ES_INTEGER, .about = "process to which it leads",
	    .refers = "process" },
	{ "locality", ES_TEXT,
	    .about = "locality of the model that the operations cost as" },
	{ "placed", ES_INTEGER,
	    .about = "1: the model has a locality for this means inside of a "
		     "host, or between hosts; 0: its last one is taken" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that both collectors retain" },
	{ "bytes", ES_INTEGER, .about = "size of their tuples",
	    .unit = ES_UNIT_BYTES },
	{ "measured_ns", ES_REAL,
	    .about = "their time in the proxy, without the stages behind it",
	    .unit = ES_UNIT_NS },
	{ "latency_ns", ES_REAL, .about = "latency that the model predicts",
	    .unit = ES_UNIT_NS },
	{ "bandwidth_ns", ES_REAL,
	    .about = "time of bytes that the model predicts",
	    .unit = ES_UNIT_NS },
	{ "queue_ns", ES_REAL,
	    .about = "time that the model predicts for the bytes of other "
		     "operations between the two processes that were under way",
	    .unit = ES_UNIT_NS },
	{ "unexplained_ns", ES_REAL,
	    .about = "measured_ns less the costs: negative if the model "
		     "predicts more",
	    .unit = ES_UNIT_NS },
	{ "dominant", ES_TEXT, .about = "largest of the costs" },
};

static const struct es_table tables[] = {
	{ .name = "cost_proxy",
	    .about = "time of operations through each proxy, and its parts by "
		     "the cost model",
	    ES_COLUMNS(columns),
	    .order = "abs(unexplained_ns) DESC, rowid",
	    .reading = reading,
	    .reading_about = "part of the operations that the model covers" },
};

static paths_status
proxy_row(struct es_sink *sink, const struct es_model *model,
    const struct es_model_proxy *proxy)
{
	double parts[ES_MODEL_PARTS];
	enum es_model_part dominant = es_model_proxy_parts(proxy, parts);

	return sink->row(sink, &tables[0],
	    (struct es_value[]){ ES_INT(proxy->stage), es__id(proxy->path),
		ES_INT(proxy->to),
		ES_STR(model->localities[proxy->locality].name),
		ES_INT(proxy->placed), ES_INT(proxy->operations),
		ES_INT(proxy->bytes), es__view_model_ns(proxy->measured_s),
		es__view_model_ns(parts[ES_MODEL_LATENCY]),
		es__view_model_ns(parts[ES_MODEL_BANDWIDTH]),
		es__view_model_ns(parts[ES_MODEL_QUEUE]),
		es__view_model_ns(parts[ES_MODEL_UNEXPLAINED]),
		ES_STR(es_model_part_name(dominant)) });
}

static paths_status
proxy_show(struct es_analysis *a, struct es_sink *sink,
    const struct es_model *model)
{
	struct es_model_proxies *found;
	paths_status st =
	    es_model_proxies_open(a, model, ES_MODEL_SEGMENTS, &found);

	/* The file has a model without a locality. */
	if (st == PATHS_EINVAL)
		return PATHS_EDAMAGED;
	if (st != PATHS_OK)
		return st;
	es_model_run_doubts(a->run, model, es__view_model_doubt, a->run);
	if (found->hidden > 0)
		es_run_diagnose(a->run, ES_NOTE, "cost_proxy", ES__PROXY_HIDDEN,
		    found->hidden, found->hidden == 1 ? "y is" : "ies are");
	for (size_t n = 0; st == PATHS_OK && n < found->count; n++)
		if (found->list[n].operations > 0)
			st = proxy_row(sink, model, &found->list[n]);
	es_model_proxies_close(found);
	return st;
}

static paths_status
cost_proxy_compute(struct es_analysis *a, struct es_sink *sink)
{
	return es__view_model_show(a, sink,
	    &(struct es__view_model){ "cost_proxy", proxy_show });
}

static const struct es_view_finding findings[] = {
	{ .sql = finding,
	    .about = "proxy whose operations deviate most from the model that "
		     "is kept with the run",
	    .weight = 15,
	    .table = "cost_proxy" },
};

const struct es_view es__view_cost_proxy = {
	.name = "cost_proxy",
	.about =
	    "operations through proxies beside the cost model that is kept "
	    "with the run",
	.question = "What should operations through proxies cost, and which "
		    "proxy deviates most from the model?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = cost_proxy_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
