/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/select.c - selects the activities that a change applies to, by
 * keys
 */

#include "scopes/whatif/select_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/unit.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest value of a key, with its closing 0. */
#define SELECT_BYTES 512

enum select_key {
	SELECT_RANK,
	SELECT_THREAD,
	SELECT_AFTER,
	SELECT_BEFORE,
	SELECT_SITE,
	SELECT_CALL,
	SELECT_STAGE, /* as SELECT_CALL, in a run of paths */
	SELECT_PHASE,
	SELECT_ITERATION,
	SELECT_KEYS
};

static const char *const select_keys[] = { "rank=", "thread=", "after=",
	"before=", "site=", "call=", "stage=", "phase=", "iteration=" };

struct selection {
	const struct es__whatif_run *run;
	bool *selected;
	bool operations; /* selects operations, else computations */
	bool iterates;	 /* the text names iterations */
	struct es__whatif_iterations iterations;
};

/* Returns the key that a text begins with. */
static enum select_key
select_key(const char *text)
{
	enum select_key key = 0;

	while (key < SELECT_KEYS &&
	    strncmp(text, select_keys[key], strlen(select_keys[key])) != 0)
		key++;
	return key;
}

/* Returns the length of a key and its value, in bytes.  The value may have
   commas. */
static size_t
select_bytes(const char *text, size_t bytes)
{
	for (size_t n = 0; n < bytes; n++)
		if (text[n] == ',' && select_key(text + n + 1) != SELECT_KEYS)
			return n;
	return bytes;
}

static paths_status
select_unknown(const char *text)
{
	struct paths_nearest nearest;
	char word[SELECT_BYTES];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, "="), text);
	paths_nearest_init(&nearest, word);
	for (size_t n = 0; n < SELECT_KEYS; n++) {
		char name[16];

		snprintf(name, sizeof(name), "%.*s",
		    (int)strlen(select_keys[n]) - 1, select_keys[n]);
		paths_nearest_try(&nearest, name);
	}
	return paths_log_fail(PATHS_EINVAL, "%s: no such key%s", word,
	    paths_nearest_hint(&nearest));
}

/* ---- ranges of numbers */

/* Reads "N" or "N-M", and moves *text behind it. */
static bool
select_range(const char **text, uint64_t *first, uint64_t *last)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*first = *last = strtoull(*text, &end, 10);
	if (*end == '-') {
		*text = end + 1;
		if (**text < '0' || **text > '9')
			return false;
		*last = strtoull(*text, &end, 10);
	}
	*text = end;
	return *last >= *first;
}

static bool
select_has_rank(const struct es__whatif_model *model, uint64_t rank)
{
	for (uint32_t t = 0; t < model->graph->thread_count; t++)
		if (model->ranks[t] == rank)
			return true;
	return false;
}

static paths_status
select_rank(struct selection *s, const char *list)
{
	const struct es__whatif_model *model = &s->run->model;
	const char *text = list;
	bool *ranks = calloc((size_t)model->rank_room + 1, sizeof(*ranks));
	uint64_t first, last;
	paths_status st = PATHS_OK;

	if (s->run->paths) {
		free(ranks);
		return paths_log_fail(PATHS_EINVAL,
		    "rank=%s: threads of paths have no rank, use thread=NAME",
		    list);
	}
	if (ranks == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a change");
	do {
		if (!select_range(&text, &first, &last) ||
		    (*text != '\0' && *text != ','))
			st = paths_log_fail(PATHS_EINVAL,
			    "rank=%s: no list of ranks such as 0,2-5", list);
		for (uint64_t r = first; st == PATHS_OK && r <= last; r++) {
			if (!select_has_rank(model, r))
				st = paths_log_fail(PATHS_EINVAL,
				    "rank=%s: there is no rank %" PRIu64
				    "; the run has ranks 0 to %" PRIu32,
				    list, r, model->rank_room - 1);
			else
				ranks[r] = true;
		}
	} while (st == PATHS_OK && *text++ == ',');
	for (uint32_t n = 0; n < model->graph->names.count; n++)
		s->selected[n] &=
		    ranks[model->ranks[model->graph->names.list[n].thread]];
	free(ranks);
	return st;
}

/* Returns whether a thread has a name, which is one in the map, or its number
   there. */
static bool
select_is_thread(const struct es__whatif_run *run, uint32_t thread,
    const char *name)
{
	uint32_t id = run->threads == NULL ? thread : run->threads[thread];
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, id);
	return strcmp(number, name) == 0 ||
	    (run->analysis != NULL &&
		strcmp(run->analysis->map->threads[id].name, name) == 0);
}

static paths_status
select_no_thread(const struct es__whatif_run *run, const char *name)
{
	struct paths_nearest nearest;

	paths_nearest_init(&nearest, name);
	for (uint32_t t = 0;
	     run->analysis != NULL && t < run->model.graph->thread_count; t++)
		paths_nearest_try(&nearest,
		    run->analysis->map->threads[run->threads[t]].name);
	return paths_log_fail(PATHS_EINVAL, "%s: no such thread%s", name,
	    paths_nearest_hint(&nearest));
}

/* Selects threads of a list of names or numbers.  list: is changed */
static paths_status
select_thread(struct selection *s, char *list)
{
	const struct es__whatif_model *model = &s->run->model;
	uint32_t count = model->graph->thread_count;
	bool *threads = calloc((size_t)count + 1, sizeof(*threads));
	paths_status st = threads != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a change");
	char *rest = list;

	while (st == PATHS_OK && rest != NULL) {
		const char *name = strsep(&rest, ",");
		bool any = false;

		for (uint32_t t = 0; t < count; t++)
			if (select_is_thread(s->run, t, name))
				any = threads[t] = true;
		if (!any)
			st = select_no_thread(s->run, name);
	}
	for (uint32_t n = 0; st == PATHS_OK && n < model->graph->names.count;
	     n++)
		s->selected[n] &= threads[model->graph->names.list[n].thread];
	free(threads);
	return st;
}

static paths_status
select_iteration(struct selection *s, const char *value)
{
	const char *text = value;

	s->iterates = true;
	if (!select_range(&text, &s->iterations.first, &s->iterations.last) ||
	    *text != '\0')
		return paths_log_fail(PATHS_EINVAL,
		    "iteration=%s: not N or N-M", value);
	return PATHS_OK;
}

static paths_status
select_phase(struct selection *s, const char *value)
{
	const char *text = value;
	uint64_t first, last;

	s->iterates = true;
	if (!select_range(&text, &first, &last) || *text != '\0' ||
	    last != first || first >= PATHS_NONE)
		return paths_log_fail(PATHS_EINVAL,
		    "phase=%s: not the number of a phase", value);
	s->iterations.phase = (uint32_t)first;
	return PATHS_OK;
}

/* ---- places */

static paths_status
select_no_place(const struct es__whatif_run *run, const char *place,
    const char *what)
{
	struct paths_nearest nearest;

	paths_nearest_init(&nearest, place);
	es__whatif_places_try(run, &nearest);
	return paths_log_fail(PATHS_EINVAL, "%s: %s%s", place, what,
	    paths_nearest_hint(&nearest));
}

/* Returns whether an activity is at a place. */
static bool
select_at(const struct es__whatif_run *run, enum select_key key,
    const char *place, uint32_t activity)
{
	const struct es__graph_activity *a = es__whatif_named(run, activity);
	bool ends = es__whatif_is_place(run, place, a->site,
	    es__whatif_called(run, a->site));
	bool begins = key < SELECT_CALL && a->from != PATHS_NONE &&
	    es__whatif_is_place(run, place, a->from,
		es__whatif_called(run, a->from));

	if (key >= SELECT_CALL)
		return a->function != 0 && ends;
	return a->function == 0 &&
	    ((key != SELECT_AFTER && ends) || (key != SELECT_BEFORE && begins));
}

static paths_status
select_place(struct selection *s, enum select_key key, const char *place)
{
	const struct es__whatif_model *model = &s->run->model;
	bool any = false;

	s->operations |= key >= SELECT_CALL;
	for (uint32_t n = 0; n < model->graph->names.count; n++) {
		bool at = select_at(s->run, key, place, n);

		any |= at;
		s->selected[n] &= at;
	}
	return any ? PATHS_OK :
		     select_no_place(s->run, place,
			 s->run->paths ? "no such path or stage" :
					 "no such place of a call");
}

/* ---- keys */

static paths_status
select_one(struct selection *s, const char *text, size_t bytes)
{
	enum select_key key = select_key(text);
	char value[SELECT_BYTES];
	size_t skip;

	if (key == SELECT_KEYS)
		return select_unknown(text);
	skip = strlen(select_keys[key]);
	if (bytes - skip >= sizeof(value))
		return paths_log_fail(PATHS_EINVAL, "%.60s...: too long", text);
	memcpy(value, text + skip, bytes - skip);
	value[bytes - skip] = '\0';
	switch (key) {
	case SELECT_RANK:
		return select_rank(s, value);
	case SELECT_THREAD:
		return select_thread(s, value);
	case SELECT_PHASE:
		return select_phase(s, value);
	case SELECT_ITERATION:
		return select_iteration(s, value);
	default:
		return select_place(s, key, value);
	}
}

/* Drops operations, or else computations, from the selection.  Returns whether
   any activity remains. */
static bool
select_kind(struct selection *s)
{
	const struct es__whatif_model *model = &s->run->model;
	bool any = false;

	for (uint32_t n = 0; n < model->graph->names.count; n++) {
		s->selected[n] &=
		    es__whatif_is_operation(model, n) == s->operations;
		any |= s->selected[n];
	}
	return any;
}

paths_status
es__whatif_select(const struct es__whatif_run *run, const char *text,
    size_t bytes, struct es__whatif_edit *edit, struct es__whatif_spans **spans)
{
	uint32_t count = run->model.graph->names.count;
	struct selection s = { .run = run,
		.selected = calloc((size_t)count + 1, sizeof(bool)),
		.iterations = { PATHS_NONE, 0, ES__WHATIF_ITERATIONS_ALL } };
	paths_status st = PATHS_OK;

	edit->selected = s.selected;
	if (s.selected == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a change");
	memset(s.selected, true, count);
	for (size_t at = 0; st == PATHS_OK && at < bytes;) {
		size_t one = select_bytes(text + at, bytes - at);

		st = select_one(&s, text + at, one);
		at += one + 1;
	}
	if (st == PATHS_OK && !select_kind(&s))
		st = paths_log_fail(PATHS_EINVAL, "%s: the run has no such %s",
		    text, s.operations ? "call" : "computation");
	if (st == PATHS_OK && s.operations && edit->effect != ES__WHATIF_SCALE)
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: only computations are evened out or shared", text);
	if (st == PATHS_OK && s.operations && s.iterates)
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: iterations select computations, not calls", text);
	if (st == PATHS_OK && s.iterates)
		st = es__whatif_phase_spans(run, s.iterations, spans);
	edit->when = *spans;
	return st;
}

/* ---- collectives */

/* Collects the classes of operations that wait for members. */
struct select_members {
	const struct es__whatif_run *run;
	bool *classes;
};

static void
members_watch(void *to, const struct es__whatif_event *event)
{
	struct select_members *m = to;

	if (event->members)
		m->classes[m->run->model.classes->of[event->activity]] = true;
}

/* Finds the sites of classes that wait for members and are at a place. */
static paths_status
select_wait_classes(const struct es__whatif_run *run, const char *place,
    bool *classes, bool *any)
{
	struct select_members members = { run, classes };
	struct es__whatif_setting setting = es__whatif_unchanged(&run->model);
	struct es__whatif_times times;
	bool there = false;
	paths_status st;

	setting.watch = members_watch;
	setting.to = &members;
	st = es__whatif_pass(&run->model, &setting, &times);
	if (st != PATHS_OK)
		return st;
	free(times.end_ns);
	*any = false;
	for (uint32_t n = 0; n < run->model.graph->names.count; n++) {
		uint32_t class = run->model.classes->of[n];
		bool at = select_at(run, SELECT_CALL, place, n);

		there |= at;
		*any |= at && classes[class];
		if (!at && run->model.graph->names.list[n].function != 0)
			classes[class] = false;
	}
	if (*any)
		return PATHS_OK;
	return there ? paths_log_fail(PATHS_EINVAL,
			   "%s: no collective waits there", place) :
		       select_no_place(run, place, "no such place of a call");
}

paths_status
es__whatif_select_wait(const struct es__whatif_run *run, const char *place,
    struct es__whatif_edit *edit)
{
	const struct es__whatif_model *model = &run->model;
	uint32_t count = model->graph->names.count;
	bool *classes =
	    calloc((size_t)model->classes->count + 1, sizeof(*classes));
	bool any;
	paths_status st = PATHS_OK;

	edit->selected = calloc((size_t)count + 1, sizeof(*edit->selected));
	if (classes == NULL || edit->selected == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a change");
	if (st == PATHS_OK)
		st = select_wait_classes(run, place, classes, &any);
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		const struct es__graph_activity *a = es__whatif_class(run, n);

		for (uint32_t k = 0;
		     a->function == 0 && k < model->classes->count; k++)
			edit->selected[n] |= classes[k] &&
			    model->classes->names.list[k].site == a->site;
	}
	free(classes);
	return st;
}

/* In the graph of a run of paths, join number j is group 2 * j. */
paths_status
es__whatif_select_joins(const struct es__whatif_run *run, const char *stage,
    struct es__whatif_edit *edit, bool **groups)
{
	const struct es__stage_graph *g = &run->analysis->graph;
	const struct paths_map *map = run->analysis->map;
	struct paths_nearest nearest;
	bool any = false;

	edit->selected =
	    calloc((size_t)run->model.graph->names.count + 1, sizeof(bool));
	*groups = calloc(2 * ((size_t)g->join_count + 1), sizeof(bool));
	edit->groups = *groups;
	if (edit->selected == NULL || *groups == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a change");
	paths_nearest_init(&nearest, stage);
	for (uint32_t n = 0; n < g->join_count; n++) {
		const char *name = map->instances[g->joins[n].stage].name;

		paths_nearest_try(&nearest, name);
		if (fnmatch(stage, name, 0) == 0)
			any = (*groups)[2 * n] = true;
	}
	return any ? PATHS_OK :
		     paths_log_fail(PATHS_EINVAL, "%s: no join of the run%s",
			 stage, paths_nearest_hint(&nearest));
}
