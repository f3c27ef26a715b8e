/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/whatif.c - predicts the length of a run with changes
 */

#include "scopes/whatif/whatif_private.h"

#include "scopes/whatif/sense_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

paths_status
es__whatif_begin(struct es_whatif *w)
{
	uint32_t threads = w->run.model.graph->thread_count;

	w->before = calloc((size_t)threads + 1, sizeof(*w->before));
	w->after = calloc((size_t)threads + 1, sizeof(*w->after));
	if (w->before == NULL || w->after == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	return es__whatif_account_find(&w->run, &w->account);
}

paths_status
es_whatif_open(struct es_analysis *analysis, es_whatif_place *place, void *from,
    struct es_whatif **whatif)
{
	struct es_whatif *w = calloc(1, sizeof(*w));
	paths_status st;

	if (w == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	st = es__whatif_run_open(analysis, place, from, &w->run);
	if (st == PATHS_OK)
		st = es__whatif_begin(w);
	if (st == PATHS_OK)
		*whatif = w;
	else
		es_whatif_close(w);
	return st;
}

void
es_whatif_close(struct es_whatif *w)
{
	if (w == NULL)
		return;
	for (size_t n = 0; n < w->change_count; n++) {
		es__whatif_change_fini(&w->run, w->changes[n]);
		free(w->changes[n]);
	}
	free(w->changes);
	es__whatif_account_fini(&w->account);
	es__whatif_advised_fini(&w->advised);
	es__whatif_run_fini(&w->run);
	free(w->before);
	free(w->after);
	free(w->alone_ns);
	free(w);
}

paths_status
es_whatif_change(struct es_whatif *w, const char *text)
{
	struct es__whatif_change *change;
	paths_status st;

	if (!paths__array_grow(&w->changes, w->change_count, &w->change_room,
		sizeof(struct es__whatif_change *)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a change");
	change = calloc(1, sizeof(*change));
	if (change == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a change");
	st = es__whatif_change_read(&w->run, text, change);
	for (size_t n = 0;
	     st == PATHS_OK && change->shapes != NULL && n < w->change_count;
	     n++)
		if (w->changes[n]->shapes != NULL)
			st = paths_log_fail(PATHS_EINVAL,
			    "%s: there is already %s, and a run has one map: "
			    "make all changes in one file",
			    text, w->changes[n]->text);
	if (st == PATHS_OK) {
		w->changes[w->change_count++] = change;
		return PATHS_OK;
	}
	es__whatif_change_fini(&w->run, change);
	free(change);
	return st;
}

const struct es_whatif_account *
es_whatif_account(const struct es_whatif *w)
{
	return &w->account.account;
}

/* ---- prediction */

/* Adds the times of activities to those of their threads. */
static void
whatif_threads(const struct es_whatif *w, const struct es__whatif_sums *sums,
    struct es_whatif_thread *threads)
{
	const struct es__whatif_model *model = &w->run.model;

	for (uint32_t t = 0; t < model->graph->thread_count; t++) {
		uint32_t id = w->run.threads == NULL ? t : w->run.threads[t];

		threads[t] = (struct es_whatif_thread){ .rank = model->ranks[t],
			.thread = id,
			.name = w->run.analysis == NULL ?
			    NULL :
			    w->run.analysis->map->threads[id].name,
			.end_ns = sums->times.end_ns[t] };
	}
	for (uint32_t n = 0; n < model->graph->names.count; n++) {
		const struct es__graph_activity *a =
		    &model->graph->names.list[n];
		struct es_whatif_thread *t = &threads[a->thread];

		t->waiting_ns += sums->list[n].wait_ns;
		if (a->function != 0)
			t->operating_ns += sums->list[n].own_ns;
		else if (a->from != PATHS_NONE ||
		    (!w->run.paths &&
			(a->thread == 0 ||
			    model->ranks[a->thread - 1] !=
				model->ranks[a->thread])))
			/* The time before the first operation does not count
			   for a further thread of a rank, or for a thread of
			   paths, because the thread may not have existed
			   yet. */
			t->computing_ns += sums->list[n].own_ns;
	}
}

/* Replays with `count` of the changes, from `first` on.  edits: has room for
   all changes */
static paths_status
whatif_replay(const struct es_whatif *w, size_t first, size_t count,
    const struct es__whatif_edit **edits, struct es__whatif_sums *sums)
{
	struct es__whatif_setting setting;

	es__whatif_change_set(&w->run,
	    (const struct es__whatif_change *const *)&w->changes[first], count,
	    edits, &setting);
	setting.message = w->message;
	setting.message_from = w->message_from;
	return es__whatif_sums_find(&w->run.model, &setting, sums);
}

static paths_status
whatif_alone(struct es_whatif *w, const struct es__whatif_edit **edits)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < w->change_count; n++) {
		struct es__whatif_sums sums;

		st = whatif_replay(w, n, 1, edits, &sums);
		if (st == PATHS_OK)
			w->alone_ns[n] = es__whatif_length(&sums.times);
		es__whatif_sums_fini(&sums);
	}
	return st;
}

static paths_status
whatif_answer(struct es_whatif *w, const struct es__whatif_edit **edits,
    struct es_whatif_answer *answer)
{
	struct es__whatif_sums after;
	double before_ns = es__whatif_length(&w->account.unchanged.times);
	paths_status st = whatif_replay(w, 0, w->change_count, edits, &after);

	if (st == PATHS_OK && w->change_count > 1)
		st = whatif_alone(w, edits);
	else if (st == PATHS_OK && w->change_count == 1)
		w->alone_ns[0] = es__whatif_length(&after.times);
	if (st == PATHS_OK) {
		*answer = (struct es_whatif_answer){ .before_ns = before_ns,
			.after_ns = es__whatif_length(&after.times),
			.before = w->before,
			.after = w->after,
			.thread_count = w->run.model.graph->thread_count,
			.alone_ns = w->alone_ns,
			.change_count = w->change_count };
		answer->interaction_ns = before_ns - answer->after_ns;
		for (size_t n = 0; n < w->change_count; n++)
			answer->interaction_ns -= before_ns - w->alone_ns[n];
		whatif_threads(w, &w->account.unchanged, w->before);
		whatif_threads(w, &after, w->after);
	}
	es__whatif_sums_fini(&after);
	return st;
}

void
es_whatif_messages(struct es_whatif *w, es_whatif_message *message, void *from)
{
	w->message = message;
	w->message_from = from;
}

paths_status
es_whatif_predict(struct es_whatif *w, struct es_whatif_answer *answer)
{
	const struct es__whatif_edit **edits =
	    calloc(w->change_count + 1, sizeof(*edits));
	paths_status st;

	free(w->alone_ns);
	w->alone_ns = calloc(w->change_count + 1, sizeof(*w->alone_ns));
	st = edits != NULL && w->alone_ns != NULL ?
	    whatif_answer(w, edits, answer) :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	free(edits);
	return st;
}

/* ---- sensitivity */

static const double sense_shares[3] = { 0.01, 0.02, 0.05 };

/* Returns the measured value of a parameter, if the parameter is of one link
   only. */
static double
sense_measured(const struct es_whatif *w,
    const struct es__whatif_parameter *parameter)
{
	const struct es__whatif_travelled *of = w->run.travelled;
	bool inside = parameter->links[ES__WHATIF_INSIDE] &&
	    of[ES__WHATIF_INSIDE].messages > 0;
	bool between = parameter->links[ES__WHATIF_BETWEEN] &&
	    of[ES__WHATIF_BETWEEN].messages > 0;

	if (inside == between)
		return NAN;
	of += inside ? ES__WHATIF_INSIDE : ES__WHATIF_BETWEEN;
	return parameter->bytes ? of->ns_per_byte : of->latency_ns;
}

static paths_status
sense_find(const struct es_whatif *w, const struct es__whatif_setting *setting,
    const struct es__whatif_parameter *parameter, struct es_whatif_sense *sense)
{
	struct es__whatif_point point = { .value_ns = 0 };
	paths_status st =
	    es__whatif_slope(&w->run.model, setting, parameter, &point);

	sense->slope = point.slope;
	sense->parameter = parameter->bytes ? "byte time" : "latency";
	sense->measured = sense_measured(w, parameter);
	for (size_t n = 0; st == PATHS_OK && n < 3; n++) {
		sense->shares[n] = sense_shares[n];
		st = es__whatif_tolerance(&w->run.model, setting, parameter,
		    &(struct es__whatif_tolerance){ point, sense_shares[n] },
		    &sense->tolerated[n]);
	}
	return st;
}

/* Returns whether threads are on several hosts. */
static bool
whatif_has_hosts(const struct es__whatif_model *model)
{
	for (uint32_t t = 1;
	     model->hosts != NULL && t < model->graph->thread_count; t++)
		if (model->hosts[t] != model->hosts[0])
			return true;
	return false;
}

paths_status
es_whatif_senses(struct es_whatif *w,
    struct es_whatif_sense senses[ES_WHATIF_SENSES], size_t *count)
{
	static const char *const links[] = { "all", "inside", "between" };
	const struct es__whatif_edit **edits =
	    calloc(w->change_count + 1, sizeof(*edits));
	size_t kinds = whatif_has_hosts(&w->run.model) ? 3 : 1;
	struct es__whatif_setting setting;
	paths_status st = edits != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a replay");

	*count = 0;
	if (st == PATHS_OK)
		es__whatif_change_set(&w->run,
		    (const struct es__whatif_change *const *)w->changes,
		    w->change_count, edits, &setting);
	setting.message = w->message;
	setting.message_from = w->message_from;
	for (size_t n = 0; st == PATHS_OK && !w->run.paths && n < 2 * kinds;
	     n++) {
		struct es__whatif_parameter parameter = { .bytes = n >= kinds,
			.links = { n % kinds != 2, n % kinds != 1 } };

		senses[n] =
		    (struct es_whatif_sense){ .links = links[n % kinds] };
		st = sense_find(w, &setting, &parameter, &senses[n]);
		*count = n + 1;
	}
	free(edits);
	return st;
}

/* ---- advice */

paths_status
es_whatif_advise(struct es_whatif *w, const struct es_whatif_advice **advice,
    size_t *count)
{
	paths_status st;

	es__whatif_advised_fini(&w->advised);
	st = es__whatif_advise(&w->run, &w->account, &w->advised);
	if (st != PATHS_OK)
		return st;
	*advice = w->advised.list;
	*count = w->advised.count;
	return PATHS_OK;
}
