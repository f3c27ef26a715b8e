/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/candidate.c - collects changes that may shorten a run, and
 * computes their gains
 */

#include "scopes/whatif/candidate_private.h"

#include "scopes/graph/critical_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a candidate. */
static paths_status
candidate_add(struct es__whatif_candidates *c, enum es__whatif_kind kind,
    uint32_t of, const char *text)
{
	struct es__whatif_candidate *new;

	if (!paths__array_grow(&c->list, c->count, &c->room, sizeof(*c->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	new = &c->list[c->count];
	*new = (struct es__whatif_candidate){ .kind = kind,
		.rank = kind == ES__WHATIF_KIND_RANK ? of : PATHS_NONE,
		.class = kind == ES__WHATIF_KIND_RANK ? PATHS_NONE : of,
		.text = strdup(text) };
	if (new->text == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	c->count++;
	return PATHS_OK;
}

static double
candidate_least(const struct es__whatif_candidates *c)
{
	return ES__WHATIF_GAIN_LEAST * c->run_ns;
}

/* ---- the critical path */

static bool
candidate_segment(void *to, const struct es__graph_segment *segment)
{
	struct es__whatif_candidates *c = to;
	const struct es__graph *g = c->run->model.graph;
	int64_t from = segment->start_ns, until = segment->stop_ns;

	if (from < g->from_ns)
		from = g->from_ns;
	if (until > g->to_ns)
		until = g->to_ns;
	if (until > from)
		c->path_ns[c->run->model.classes->of[segment->activity]] +=
		    (double)(until - from);
	return true;
}

/* ---- candidates */

void
es__whatif_candidate_rank(const struct es__whatif_run *run, uint32_t rank,
    const char *effect, char text[ES__WHATIF_CANDIDATE_BYTES])
{
	if (run->paths)
		snprintf(text, ES__WHATIF_CANDIDATE_BYTES, "thread=%.800s:%s",
		    run->analysis->map->threads[rank].name, effect);
	else
		snprintf(text, ES__WHATIF_CANDIDATE_BYTES,
		    "rank=%" PRIu32 ":%s", rank, effect);
}

/* Adds ranks that compute longer than the median, without their time without a
   core.  Leaves out ranks whose excess is below three standard errors, because
   this may be chance. */
static paths_status
candidates_ranks(struct es__whatif_candidates *c)
{
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; st == PATHS_OK && r < c->run->model.rank_room;
	     r++) {
		const struct es__whatif_rank *rank = &c->ranks.list[r];
		char text[ES__WHATIF_CANDIDATE_BYTES];

		if (!rank->there || c->ranks.median_ns <= 0 ||
		    rank->busy_ns - c->ranks.median_ns < candidate_least(c) ||
		    rank->excess_ns < 3 * rank->error_ns)
			continue;
		es__whatif_candidate_rank(c->run, r, "share", text);
		st = candidate_add(c, ES__WHATIF_KIND_RANK, r, text);
	}
	return st;
}

/* The longest text of a place, with its closing 0. */
#define PLACE_BYTES 400

/* Returns a text that selects a site; NULL: the site has no name.  In a run of
   paths, digits become wildcards, so that the text also selects the paths and
   stages of other threads. */
static const char *
candidate_place(const struct es__whatif_candidates *c, uint32_t site,
    char text[PLACE_BYTES])
{
	const char *name = es__whatif_place(c->run, site);
	size_t bytes = 0;

	if (name == NULL || strlen(name) >= PLACE_BYTES)
		return NULL;
	for (; *name != '\0'; name++) {
		bool digit = c->run->paths && *name >= '0' && *name <= '9';

		if (!digit || bytes == 0 || text[bytes - 1] != '*')
			text[bytes++] = digit ? '*' : *name;
	}
	text[bytes] = '\0';
	return text;
}

/* Adds code with enough time on the critical path. */
static paths_status
candidates_code(struct es__whatif_candidates *c, uint32_t class,
    const struct es__graph_activity *a)
{
	char places[2][PLACE_BYTES];
	const char *after = candidate_place(c, a->from, places[0]);
	const char *before = candidate_place(c, a->site, places[1]);
	char text[ES__WHATIF_CANDIDATE_BYTES];
	paths_status st;

	if (after == NULL || before == NULL ||
	    c->path_ns[class] < candidate_least(c))
		return PATHS_OK;
	snprintf(text, sizeof(text), "after=%.400s,before=%.400s:even", after,
	    before);
	st = candidate_add(c, ES__WHATIF_KIND_BALANCE, class, text);
	if (st != PATHS_OK)
		return st;
	snprintf(text, sizeof(text), "after=%.400s,before=%.400s:x0.9", after,
	    before);
	return candidate_add(c, ES__WHATIF_KIND_CODE, class, text);
}

/* Adds a collective in which ranks wait. */
static paths_status
candidates_wait(struct es__whatif_candidates *c, uint32_t class,
    const struct es__graph_activity *a)
{
	const struct es__whatif_model *model = &c->run->model;
	char name[PLACE_BYTES];
	const char *place = candidate_place(c, a->site, name);
	char text[ES__WHATIF_CANDIDATE_BYTES];
	double wait_ns = 0;
	bool members = false;

	for (uint32_t n = 0; n < model->graph->names.count; n++)
		if (model->classes->of[n] == class) {
			wait_ns += c->account->unchanged.list[n].wait_ns;
			members |= c->account->unchanged.list[n].members;
		}
	if (c->run->paths || place == NULL || !members ||
	    wait_ns < candidate_least(c))
		return PATHS_OK;
	snprintf(text, sizeof(text), "nowait=%.800s", place);
	return candidate_add(c, ES__WHATIF_KIND_WAIT, class, text);
}

static paths_status
candidates_add(struct es__whatif_candidates *c)
{
	const struct es__graph_classes *classes = c->run->model.classes;
	const struct es__graph *g = c->run->model.graph;
	paths_status st = candidates_ranks(c);

	if (st == PATHS_OK)
		st = candidate_add(c, ES__WHATIF_KIND_BALANCE, PATHS_NONE,
		    "even");
	/* If ranks left no trace, the own time of calls includes waiting for
	   them. */
	if (st == PATHS_OK && c->account->account.ranks_missing == 0)
		st = candidate_add(c, ES__WHATIF_KIND_NETWORK, PATHS_NONE,
		    "ideal");
	if (st == PATHS_OK && !c->run->paths &&
	    g->coupled_bytes > g->eager_bytes)
		st = candidate_add(c, ES__WHATIF_KIND_SENDS, PATHS_NONE,
		    "eager=all");
	for (uint32_t n = 0; st == PATHS_OK && n < classes->count; n++) {
		const struct es__graph_activity *a = &classes->names.list[n];

		st = a->function == 0 ? candidates_code(c, n, a) :
					candidates_wait(c, n, a);
	}
	return st;
}

/* ---- trying */

/* Replays with a setting, as es__whatif_candidate_try does. */
static paths_status
candidate_replay(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting, double *length_ns,
    struct es__whatif_sums *sums)
{
	struct es__whatif_times times;
	paths_status st;

	if (sums != NULL) {
		st = es__whatif_sums_find(model, setting, sums);
		if (st == PATHS_OK)
			*length_ns = es__whatif_length(&sums->times);
		return st;
	}
	st = es__whatif_pass(model, setting, &times);
	if (st == PATHS_OK) {
		*length_ns = es__whatif_length(&times);
		free(times.end_ns);
	}
	return st;
}

paths_status
es__whatif_candidate_try(const struct es__whatif_run *run, const char *text,
    double *length_ns, struct es__whatif_sums *sums)
{
	const struct es__whatif_edit *edits[1];
	struct es__whatif_change change;
	const struct es__whatif_change *changes[] = { &change };
	struct es__whatif_setting setting;
	paths_status st = es__whatif_change_read(run, text, &change);

	if (sums != NULL)
		*sums = (struct es__whatif_sums){ 0 };
	if (st == PATHS_OK) {
		es__whatif_change_set(run, changes, 1, edits, &setting);
		st = candidate_replay(&run->model, &setting, length_ns, sums);
	}
	es__whatif_change_fini(run, &change);
	return st;
}

/* Returns the rank in the order of the list: 0 normal, 1 explained by lost
   cores, 2 quicker code. */
static int
candidate_class(const struct es__whatif_candidate *one)
{
	if (one->kind == ES__WHATIF_KIND_CODE)
		return 2;
	return one->lost;
}

/* Finds out how far lost cores explain a gain.  For one rank, this is the time
   that it lost above the mean.  For code that is evened out, it is the longest
   time that any rank lost, because in each part of the run another rank may be
   slow. */
static void
candidate_lost(const struct es__whatif_candidates *c,
    struct es__whatif_candidate *one)
{
	const struct es__whatif_model *model = &c->run->model;
	bool evens = one->kind <= ES__WHATIF_KIND_BALANCE;
	double mean_ns = 0;

	if (one->kind == ES__WHATIF_KIND_CODE)
		return;
	for (uint32_t r = 0; r < model->rank_room; r++) {
		double ns = c->ranks.list[r].lost_ns;

		if (one->rank != PATHS_NONE)
			mean_ns += ns / model->rank_count;
		if (!evens)
			ns += c->ranks.list[r].lost_inside_ns;
		if (one->rank == PATHS_NONE ? ns > one->lost_ns :
					      r == one->rank)
			one->lost_ns = ns;
	}
	one->lost =
	    one->lost_ns > 0 && one->lost_ns - mean_ns >= one->gain_ns / 2;
}

static int
candidates_order(const void *a, const void *b)
{
	const struct es__whatif_candidate *x = a, *y = b;
	int first = candidate_class(x), other = candidate_class(y);

	if (first != other)
		return first - other;
	if (x->gain_ns != y->gain_ns)
		return x->gain_ns > y->gain_ns ? -1 : 1;
	return strcmp(x->text, y->text);
}

/* ---- changes that are nearly the same */

/* Two changes are similar if one gains at least this share of the other. */
#define CANDIDATE_SIMILAR 0.9

/* Returns the candidate of a kind with the largest gain; NULL: none.  code: of
   one class of code, else of all code; class: see candidate_class. */
static struct es__whatif_candidate *
candidate_first(struct es__whatif_candidates *c, enum es__whatif_kind kind,
    bool code, int class)
{
	for (size_t n = 0; n < c->count; n++)
		if (c->list[n].kind == kind &&
		    (c->list[n].class != PATHS_NONE) == code &&
		    candidate_class(&c->list[n]) == class)
			return &c->list[n];
	return NULL;
}

static bool
candidate_is_similar(const struct es__whatif_candidate *a,
    const struct es__whatif_candidate *b)
{
	return a != NULL && b != NULL &&
	    a->gain_ns >= CANDIDATE_SIMILAR * b->gain_ns;
}

/* Removes a candidate. */
static void
candidate_drop(struct es__whatif_candidates *c,
    const struct es__whatif_candidate *one)
{
	size_t at = (size_t)(one - c->list);

	free(one->text);
	memmove(&c->list[at], &c->list[at + 1],
	    (--c->count - at) * sizeof(*c->list));
}

/* Keeps the most specific one of changes that gain nearly the same: less work
   of one rank, all code evened out, or one class of code evened out.  The last
   of these is the most specific.  class: see candidate_class. */
static void
candidates_join(struct es__whatif_candidates *c, int class)
{
	struct es__whatif_candidate *code, *all, *rank;

	code = candidate_first(c, ES__WHATIF_KIND_BALANCE, true, class);
	all = candidate_first(c, ES__WHATIF_KIND_BALANCE, false, class);
	rank = candidate_first(c, ES__WHATIF_KIND_RANK, false, class);
	if (rank != NULL && all != NULL && rank->gain_ns * 2 >= all->gain_ns)
		all->rank = rank->rank;
	if (rank != NULL && code != NULL && rank->gain_ns * 2 >= code->gain_ns)
		code->rank = rank->rank;
	if (all != NULL &&
	    (candidate_is_similar(code, all) ||
		candidate_is_similar(rank, all)))
		candidate_drop(c, all);
	/* Search again, because the removal has moved later candidates. */
	code = candidate_first(c, ES__WHATIF_KIND_BALANCE, true, class);
	rank = candidate_first(c, ES__WHATIF_KIND_RANK, false, class);
	while (candidate_is_similar(code, rank)) {
		candidate_drop(c, rank);
		code = candidate_first(c, ES__WHATIF_KIND_BALANCE, true, class);
		rank = candidate_first(c, ES__WHATIF_KIND_RANK, false, class);
	}
}

/* Computes the gains if the ranks of candidates were as quick as the median. */
static paths_status
candidates_quick(struct es__whatif_candidates *c)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < c->count; n++) {
		struct es__whatif_candidate *one = &c->list[n];
		char text[ES__WHATIF_CANDIDATE_BYTES], factor[32];
		double length_ns;

		if (one->rank == PATHS_NONE)
			continue;
		snprintf(factor, sizeof(factor), "x%.3g",
		    c->ranks.median_ns / c->ranks.list[one->rank].busy_ns);
		es__whatif_candidate_rank(c->run, one->rank, factor, text);
		st = es__whatif_candidate_try(c->run, text, &length_ns, NULL);
		one->quick_ns = c->run_ns - length_ns;
	}
	return st;
}

/* Computes the gains, and removes candidates without one. */
static paths_status
candidates_try(struct es__whatif_candidates *c)
{
	size_t count = 0;
	paths_status st = PATHS_OK;

	for (size_t n = 0; n < c->count; n++) {
		struct es__whatif_candidate *one = &c->list[n];
		double length_ns = c->run_ns;

		if (st == PATHS_OK)
			st = es__whatif_candidate_try(c->run, one->text,
			    &length_ns, NULL);
		/* Its name is too long for a change, or no other rank
		   computes. */
		if (st == PATHS_EINVAL)
			st = PATHS_OK;
		one->gain_ns = c->run_ns - length_ns;
		candidate_lost(c, one);
		if (st == PATHS_OK && one->gain_ns >= candidate_least(c))
			c->list[count++] = *one;
		else
			free(one->text);
	}
	c->count = count;
	qsort(c->list, count, sizeof(*c->list), candidates_order);
	candidates_join(c, 0);
	candidates_join(c, 1);
	return st == PATHS_OK ? candidates_quick(c) : st;
}

paths_status
es__whatif_candidates_find(const struct es__whatif_run *run,
    const struct es__whatif_account *account, struct es__whatif_candidates *c)
{
	paths_status st;

	*c = (struct es__whatif_candidates){ .run = run,
		.account = account,
		.run_ns = account->account.unchanged_ns,
		.path_ns = calloc((size_t)run->model.classes->count + 1,
		    sizeof(*c->path_ns)) };
	if (c->path_ns == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	st = es__graph_critical(run->model.graph, candidate_segment, c);
	if (st == PATHS_OK)
		st = es__whatif_ranks_find(run, account, &c->ranks);
	if (st == PATHS_OK)
		st = candidates_add(c);
	return st == PATHS_OK ? candidates_try(c) : st;
}

void
es__whatif_candidates_fini(struct es__whatif_candidates *c)
{
	for (size_t n = 0; n < c->count; n++)
		free(c->list[n].text);
	free(c->list);
	free(c->path_ns);
	free(c->ranks.list);
}
