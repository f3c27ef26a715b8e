/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/advise.c - describes the single changes that gain most
 */

#include "scopes/whatif/advise_private.h"

#include "scopes/whatif/candidate_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADVISE_BYTES 4096

/* Waiting of a class that a change removes or adds. */
struct advise_place {
	uint32_t class; /* PATHS_NONE: none */
	double ns;
	double at_ns; /* begin of the longest wait; NAN: none */
	bool members;
};

static const char *
advise_time(double ns, char text[PATHS_UNIT_TEXT_BYTES])
{
	return paths_unit_text(PATHS_UNIT_TIME, ns, text);
}

/* Appends to a text of ADVISE_BYTES. */
PATHS_PRINTF(2, 3)
static void
advise_say(char *text, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + used, ADVISE_BYTES - used, fmt, args);
	va_end(args);
}

/* ---- where waiting is */

/* Finds the class whose waiting differs most between two replays. */
static paths_status
advise_shift(const struct es__whatif_run *run,
    const struct es__whatif_sum *more, const struct es__whatif_sum *less,
    struct advise_place *place)
{
	const struct es__whatif_model *model = &run->model;
	uint32_t count = model->graph->names.count;
	double *ns = calloc((size_t)model->classes->count + 1, sizeof(*ns));
	double longest_ns = 0;

	*place = (struct advise_place){ PATHS_NONE, 0, NAN, false };
	if (ns == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	for (uint32_t n = 0; n < count; n++)
		ns[model->classes->of[n]] += more[n].wait_ns - less[n].wait_ns;
	for (uint32_t n = 0; n < model->classes->count; n++)
		if (ns[n] > place->ns) {
			place->class = n;
			place->ns = ns[n];
		}
	free(ns);
	for (uint32_t n = 0; n < count; n++) {
		if (model->classes->of[n] != place->class)
			continue;
		place->members |= more[n].members;
		if (more[n].longest_ns > longest_ns) {
			longest_ns = more[n].longest_ns;
			place->at_ns = more[n].longest_at_ns;
		}
	}
	return PATHS_OK;
}

/* Tells where threads would wait if a collective did not make them wait. */
static paths_status
advise_next(const struct es__whatif_candidates *c, uint32_t class, char *text)
{
	const struct es__whatif_run *run = c->run;
	const struct es__graph_activity *a =
	    &run->model.classes->names.list[class];
	const char *name = es__whatif_place(run, a->site);
	char change[1024], next[ES__WHATIF_NAME_BYTES];
	struct advise_place place;
	struct es__whatif_sums sums;
	double length_ns;
	paths_status st;

	if (name == NULL)
		return PATHS_OK;
	snprintf(change, sizeof(change), "nowait=%.800s", name);
	st = es__whatif_candidate_try(run, change, &length_ns, &sums);
	if (st == PATHS_OK)
		st = advise_shift(run, sums.list, c->account->unchanged.list,
		    &place);
	es__whatif_sums_fini(&sums);
	/* The name of the collective is too long for a change. */
	if (st == PATHS_EINVAL)
		return PATHS_OK;
	if (st != PATHS_OK)
		return st;
	if (place.class == PATHS_NONE || place.ns < 0.01 * c->run_ns)
		advise_say(text,
		    ".  Without that call no other one would wait longer");
	else
		advise_say(text,
		    ".  Without that call, ranks would wait in %s instead",
		    es__whatif_class_name(run,
			&run->model.classes->names.list[place.class], next));
	return PATHS_OK;
}

/* Tells in which operation the waiting is that a change removes. */
static paths_status
advise_shows(const struct es__whatif_candidates *c,
    const struct es__whatif_sums *after, char *text, double *at_ns)
{
	const struct es__whatif_run *run = c->run;
	char name[ES__WHATIF_NAME_BYTES], time[PATHS_UNIT_TEXT_BYTES];
	struct advise_place place;
	paths_status st =
	    advise_shift(run, c->account->unchanged.list, after->list, &place);

	*at_ns = place.at_ns;
	if (st != PATHS_OK || place.class == PATHS_NONE)
		return st;
	advise_say(text, ".  %s wait for that code in %s, %s in all",
	    run->paths ? "Threads" : "Ranks",
	    es__whatif_class_name(run,
		&run->model.classes->names.list[place.class], name),
	    advise_time(place.ns, time));
	return place.members && !run->paths ?
	    advise_next(c, place.class, text) :
	    PATHS_OK;
}

/* ---- what it is */

static const char *
advise_all(const struct es__whatif_run *run)
{
	return run->paths ? "threads" : "ranks";
}

/* Returns the class of code in which a rank computes longest above the mean of
   the others; PATHS_NONE: none. */
static uint32_t
advise_excess(const struct es__whatif_candidates *c, uint32_t rank,
    double *excess)
{
	const struct es__whatif_model *model = &c->run->model;
	uint32_t most = PATHS_NONE;

	for (uint32_t n = 0; n < model->graph->names.count; n++) {
		double ns = c->account->unchanged.list[n].own_ns;

		if (es__whatif_is_operation(model, n))
			continue;
		excess[model->classes->of[n]] +=
		    model->ranks[model->graph->names.list[n].thread] == rank ?
		    ns :
		    -ns / (model->rank_count > 1 ? model->rank_count - 1 : 1);
	}
	for (uint32_t n = 0; n < model->classes->count; n++)
		if (excess[n] > 0 &&
		    (most == PATHS_NONE || excess[n] > excess[most]))
			most = n;
	return most;
}

/* Tells how long a rank computes, and in which code it is longer than the
   others. */
static paths_status
advise_long(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char *about, char *evidence)
{
	const struct es__graph_classes *classes = c->run->model.classes;
	double *excess = calloc((size_t)classes->count + 1, sizeof(*excess));
	const struct es__whatif_rank *rank = &c->ranks.list[one->rank];
	char name[ES__WHATIF_NAME_BYTES], who[ES__WHATIF_WHO_BYTES];
	uint32_t most;

	if (excess == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	most = advise_excess(c, one->rank, excess);
	free(excess);
	advise_say(about,
	    "%s, which computes %.2f times as long as the median of the %s%s",
	    es__whatif_who(c->run, one->rank, who),
	    rank->busy_ns / c->ranks.median_ns, advise_all(c->run),
	    rank->lost_ns > 0 || c->account->account.leaves_out ?
		", without time in which they lacked a core" :
		"");
	advise_say(evidence, "critical_path and root_cause, %s", who);
	if (most == PATHS_NONE)
		return PATHS_OK;
	es__whatif_class_name(c->run, &classes->names.list[most], name);
	if (most != one->class)
		advise_say(about, " (most of it in %s)", name);
	advise_say(evidence, ", rows of %s", name);
	return PATHS_OK;
}

/* Tells the gain if the rank itself were quicker, for example because its core
   is slow.  This can be more than the gain of moving its work. */
static void
advise_quick(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char *about)
{
	char text[ES__WHATIF_CANDIDATE_BYTES], factor[32];
	char share[PATHS_UNIT_TEXT_BYTES], who[ES__WHATIF_WHO_BYTES];

	snprintf(factor, sizeof(factor), "x%.3g",
	    c->ranks.median_ns / c->ranks.list[one->rank].busy_ns);
	es__whatif_candidate_rank(c->run, one->rank, factor, text);
	if (one->quick_ns > one->gain_ns)
		advise_say(about,
		    ".  If %s computed for no longer than that median, the "
		    "gain would be %s (%s)",
		    es__whatif_who(c->run, one->rank, who),
		    paths_unit_text(PATHS_UNIT_SHARE, one->quick_ns / c->run_ns,
			share),
		    text);
}

static paths_status
advise_rank(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char *about, char *evidence)
{
	paths_status st;

	advise_say(about, "if work of ");
	st = advise_long(c, one, about, evidence);
	advise_say(about, ", moved to the others");
	return st;
}

/* Size of the longest text of advise_where, with its closing 0. */
#define ADVISE_WHERE_BYTES (ES__WHATIF_WHO_BYTES + 40)

/* Names the ranks that have code of a class. */
static const char *
advise_where(const struct es__whatif_candidates *c, uint32_t class,
    char where[ADVISE_WHERE_BYTES])
{
	const struct es__whatif_model *model = &c->run->model;
	char who[ES__WHATIF_WHO_BYTES];
	uint32_t count = 0, last = PATHS_NONE;

	for (uint32_t r = 0; r < model->rank_room; r++)
		for (uint32_t n = 0; n < model->graph->names.count; n++)
			if (model->classes->of[n] == class &&
			    c->account->unchanged.list[n].own_ns > 0 &&
			    model->ranks[model->graph->names.list[n].thread] ==
				r) {
				count++;
				last = r;
				break;
			}
	if (count == 1)
		snprintf(where, ADVISE_WHERE_BYTES,
		    "%s, which alone has that code",
		    es__whatif_who(c->run, last, who));
	else if (count == model->rank_count)
		snprintf(where, ADVISE_WHERE_BYTES, "all %s",
		    advise_all(c->run));
	else
		snprintf(where, ADVISE_WHERE_BYTES, "%u of %u %s", count,
		    model->rank_count, advise_all(c->run));
	return where;
}

/* Tells which rank spends most time in a code, or which rank spends hardly any
   and would take work of the others. */
static void
advise_uneven(const struct es__whatif_candidates *c, uint32_t class,
    char *about)
{
	const struct es__whatif_model *model = &c->run->model;
	double *ns = calloc((size_t)model->rank_room + 1, sizeof(*ns));
	char who[ES__WHATIF_WHO_BYTES], share[PATHS_UNIT_TEXT_BYTES];
	double all = 0, even = 1.0 / model->rank_count;
	uint32_t most = 0, least = 0;

	for (uint32_t n = 0; ns != NULL && n < model->graph->names.count; n++)
		if (model->classes->of[n] == class) {
			double own_ns = c->account->unchanged.list[n].own_ns;

			ns[model->ranks[model->graph->names.list[n].thread]] +=
			    own_ns;
			all += own_ns;
		}
	for (uint32_t n = 0; ns != NULL && n < model->rank_room; n++) {
		most = ns[n] > ns[most] ? n : most;
		least = ns[n] > 0 && (ns[least] <= 0 || ns[n] < ns[least]) ?
		    n :
		    least;
	}
	if (all > 0 && ns[most] >= (0.5 + 0.5 * even) * all)
		advise_say(about, "; %s has %s of it",
		    es__whatif_who(c->run, most, who),
		    paths_unit_text(PATHS_UNIT_SHARE, ns[most] / all, share));
	else if (all > 0 && ns[least] < 0.1 * even * all)
		advise_say(about,
		    "; %s hardly has any of it, and would take as much as the "
		    "others",
		    es__whatif_who(c->run, least, who));
	free(ns);
}

static paths_status
advise_code(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char *about, char *evidence)
{
	char name[ES__WHATIF_NAME_BYTES], share[PATHS_UNIT_TEXT_BYTES];
	char where[ADVISE_WHERE_BYTES];

	if (one->class == PATHS_NONE) {
		advise_say(about, "if all computations were evened out over %s",
		    advise_all(c->run));
		if (one->rank == PATHS_NONE)
			advise_say(evidence,
			    "efficiency; root_cause, first rows");
	} else {
		es__whatif_class_name(c->run,
		    &c->run->model.classes->names.list[one->class], name);
		if (one->rank == PATHS_NONE)
			advise_say(evidence, "critical_path, rows of %s", name);
		if (one->kind == ES__WHATIF_KIND_BALANCE)
			advise_say(about, "if %s were evened out over %s", name,
			    advise_all(c->run));
	}
	if (one->rank != PATHS_NONE) {
		advise_say(about, "; most is gained from ");
		return advise_long(c, one, about, evidence);
	}
	if (one->kind == ES__WHATIF_KIND_BALANCE && one->class != PATHS_NONE)
		advise_uneven(c, one->class, about);
	if (one->kind == ES__WHATIF_KIND_CODE)
		advise_say(about,
		    "if %s took 0.9 of its time, in %s; it is %s of the "
		    "critical path",
		    name, advise_where(c, one->class, where),
		    paths_unit_text(PATHS_UNIT_SHARE,
			c->path_ns[one->class] /
			    c->account->account.measured_ns,
			share));
	return PATHS_OK;
}

static paths_status
advise_about(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char *about, char *evidence)
{
	char name[ES__WHATIF_NAME_BYTES];

	switch (one->kind) {
	case ES__WHATIF_KIND_RANK:
		return advise_rank(c, one, about, evidence);
	case ES__WHATIF_KIND_BALANCE:
	case ES__WHATIF_KIND_CODE:
		return advise_code(c, one, about, evidence);
	case ES__WHATIF_KIND_NETWORK:
		advise_say(about,
		    c->run->paths ?
			"if operations took no time of their own" :
			"if messages and calls took no time of their own");
		advise_say(evidence, "efficiency, transfer_efficiency");
		return PATHS_OK;
	case ES__WHATIF_KIND_SENDS:
		advise_say(about, "if no send waited for its receive");
		advise_say(evidence, "wait_state, rows of Late Receiver");
		return PATHS_OK;
	case ES__WHATIF_KIND_WAIT:
		es__whatif_class_name(c->run,
		    &c->run->model.classes->names.list[one->class], name);
		advise_say(about, "if %s did not wait for its members", name);
		advise_say(evidence,
		    "wait_state and mpi_collective, rows of %s", name);
		return advise_next(c, one->class, about);
	}
	return PATHS_OK;
}

/* ---- how sure it is */

/* Tells how far lost cores explain a gain. */
static void
advise_lost(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char *sure)
{
	char text[PATHS_UNIT_TEXT_BYTES];

	if (!c->ranks.sampled) {
		advise_say(sure,
		    "; it is not known if threads were without a core");
		return;
	}
	if (one->lost)
		advise_say(sure,
		    "; lost cores explain it: a %s was runnable without a "
		    "core for %s%s",
		    c->run->paths ? "thread" : "rank",
		    advise_time(one->lost_ns, text),
		    one->kind <= ES__WHATIF_KIND_BALANCE ?
			" while it computed" :
			"");
	else
		advise_say(sure, "; lost cores do not explain it");
}

static void
advise_noise(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char *sure)
{
	const struct es__whatif_rank *rank = &c->ranks.list[one->rank];
	char time[PATHS_UNIT_TEXT_BYTES], error[PATHS_UNIT_TEXT_BYTES];
	char who[ES__WHATIF_WHO_BYTES];
	double n = (double)c->ranks.parts;
	const char *parts = c->ranks.iterations ?
	    "iterations of the steps" :
	    "parts between global synchronisations";

	if (c->ranks.parts < ES__WHATIF_HABIT) {
		advise_say(sure, "few %s: %llu", parts,
		    (unsigned long long)c->ranks.parts);
		return;
	}
	advise_say(sure,
	    "%s computes longest in %llu of %llu %s, "
	    "%s +- %s longer than the others",
	    es__whatif_who(c->run, one->rank, who),
	    (unsigned long long)rank->longest,
	    (unsigned long long)c->ranks.parts, parts,
	    advise_time(rank->excess_ns / n, time),
	    advise_time(rank->error_ns / n, error));
}

static void
advise_sure(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char *sure)
{
	const struct es_whatif_account *a = &c->account->account;
	char text[PATHS_UNIT_TEXT_BYTES];

	if (one->rank != PATHS_NONE)
		advise_noise(c, one, sure);
	else if (a->operations < ES__WHATIF_HABIT)
		advise_say(sure, "few: %llu operations",
		    (unsigned long long)a->operations);
	else if (one->kind == ES__WHATIF_KIND_BALANCE)
		advise_say(sure, "parts between global synchronisations: %llu",
		    (unsigned long long)(a->epochs_agree ? a->epochs : 1));
	else
		advise_say(sure, "%llu operations",
		    (unsigned long long)a->operations);
	if (one->kind != ES__WHATIF_KIND_CODE)
		advise_lost(c, one, sure);
	advise_say(sure, "; drift %s",
	    paths_unit_text(PATHS_UNIT_SHARE, a->drift, text));
}

/* ---- advice */

static paths_status
advise_texts(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, char (*texts)[ADVISE_BYTES],
    double *at_ns)
{
	struct es__whatif_sums after;
	double length_ns;
	paths_status st = advise_about(c, one, texts[0], texts[1]);

	*at_ns = NAN;
	if (st == PATHS_OK && one->kind != ES__WHATIF_KIND_CODE) {
		st = es__whatif_candidate_try(c->run, one->text, &length_ns,
		    &after);
		if (st == PATHS_OK)
			st = advise_shows(c, &after,
			    one->kind <= ES__WHATIF_KIND_BALANCE ? texts[0] :
								   texts[3],
			    at_ns);
		es__whatif_sums_fini(&after);
	}
	if (one->rank != PATHS_NONE)
		advise_quick(c, one, texts[0]);
	advise_sure(c, one, texts[2]);
	return st;
}

static paths_status
advise_add(const struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one, struct es__whatif_advised *advised)
{
	static const char *const kinds[] = { "rank", "balance", "network",
		"wait", "wait", "code" };
	struct es_whatif_advice *a = &advised->list[advised->count];
	char(*texts)[ADVISE_BYTES] = calloc(4, sizeof(*texts));
	paths_status st;

	if (texts == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	*a = (struct es_whatif_advice){ .kind = one->lost ? "cores" :
							    kinds[one->kind],
		.gain_ns = one->gain_ns,
		.gain = one->gain_ns / c->run_ns };
	st = advise_texts(c, one, texts, &a->at_ns);
	a->change = strdup(one->text);
	a->about = strdup(texts[0]);
	a->evidence = strdup(texts[1]);
	a->sure = strdup(texts[2]);
	advised->count++;
	free(texts);
	if (st == PATHS_OK &&
	    (a->change == NULL || a->about == NULL || a->evidence == NULL ||
		a->sure == NULL))
		st = paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	return st;
}

paths_status
es__whatif_advise(const struct es__whatif_run *run,
    const struct es__whatif_account *account,
    struct es__whatif_advised *advised)
{
	struct es__whatif_candidates c;
	paths_status st = es__whatif_candidates_find(run, account, &c);

	for (size_t n = 0; st == PATHS_OK && n < c.count &&
	     advised->count < ES__WHATIF_ADVICE_MOST;
	     n++)
		st = advise_add(&c, &c.list[n], advised);
	es__whatif_candidates_fini(&c);
	return st;
}

void
es__whatif_advised_fini(struct es__whatif_advised *advised)
{
	for (size_t n = 0; n < advised->count; n++) {
		free((char *)advised->list[n].change);
		free((char *)advised->list[n].about);
		free((char *)advised->list[n].evidence);
		free((char *)advised->list[n].sure);
	}
	advised->count = 0;
}
