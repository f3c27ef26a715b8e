/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_replay.c - replays a run with messages of another
 * machine
 */

#include "scopes/command/model_replay.h"

#include "libpaths/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The costs of messages on two machines. */
struct costs {
	struct es_model_pairs *here, *there;
	uint64_t unknown; /* messages */
};

/* Returns the time in ns by which a message takes longer there. */
static double
costs_more(void *from, uint32_t source, uint32_t target, uint64_t bytes)
{
	struct costs *costs = from;
	double more = es_model_pairs_s(costs->there, source, target, bytes) -
	    es_model_pairs_s(costs->here, source, target, bytes);

	if (isnan(more)) {
		costs->unknown++;
		return 0;
	}
	return more * 1e9;
}

/* Adds the mean of the threads to a sum of zeros. */
static void
replay_mean(const struct es_whatif_thread *threads, uint32_t count,
    struct es_whatif_thread *mean)
{
	for (uint32_t n = 0; n < count; n++) {
		mean->computing_ns += threads[n].computing_ns / count;
		mean->waiting_ns += threads[n].waiting_ns / count;
		mean->operating_ns += threads[n].operating_ns / count;
	}
}

static paths_status
replay_predict(struct es_whatif *whatif, struct costs *costs,
    struct es_command_model_replay *replay)
{
	const struct es_whatif_account *account = es_whatif_account(whatif);
	struct es_whatif_answer answer;
	char text[PATHS_UNIT_TEXT_BYTES];
	paths_status st;

	if (account->drift > ES_WHATIF_DRIFT) {
		fprintf(replay->out,
		    "The replay of the run without a change is off by %s, so "
		    "that its time elsewhere is not predicted.\n",
		    paths_unit_text(PATHS_UNIT_SHARE, account->drift, text));
		return PATHS_OK;
	}
	es_whatif_messages(whatif, costs_more, costs);
	st = es_whatif_predict(whatif, &answer);
	if (st != PATHS_OK)
		return st;
	if (costs->unknown > 0) {
		fprintf(replay->out,
		    "%" PRIu64 " messages have no cost in a model, so that the "
		    "time of the run elsewhere is not predicted.\n",
		    costs->unknown);
		return PATHS_OK;
	}
	replay->before = replay->after = (struct es_whatif_thread){ 0 };
	replay->known = true;
	replay->before_ns = answer.before_ns;
	replay->after_ns = answer.after_ns;
	replay_mean(answer.before, answer.thread_count, &replay->before);
	replay_mean(answer.after, answer.thread_count, &replay->after);
	return PATHS_OK;
}

paths_status
es_command_model_replay(struct es_analysis *analysis,
    struct es_command_model_replay *replay)
{
	struct es_run *run = es_analysis_run(analysis);
	struct costs costs = { 0 };
	struct es_whatif *whatif = NULL;
	paths_status st = es_model_pairs_open(run, replay->here,
	    replay->options_here, replay->kind, &costs.here);

	replay->known = false;
	if (st == PATHS_OK)
		st = es_model_pairs_open(run, replay->there,
		    replay->options_there, replay->kind, &costs.there);
	if (st == PATHS_OK)
		st = es_whatif_open(analysis, NULL, NULL, &whatif);
	if (st == PATHS_OK)
		st = replay_predict(whatif, &costs, replay);
	es_whatif_close(whatif);
	es_model_pairs_close(costs.here);
	es_model_pairs_close(costs.there);
	/* A run without a trace has no graph. */
	return st == PATHS_ENOENT ? PATHS_OK : st;
}
