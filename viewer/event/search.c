/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/search.c - the next operation that matches a search
 *
 * Terms on threads and hosts are tested once for each thread, and those on call
 * sites once for each site.  The others are tested for each tuple, in order of
 * time, until the tuples are later than a match in another collector.
 */

#include "viewer/event/search.h"

#include "viewer/event/search_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/unit.h"
#include "scopes/mpi.h"
#include "viewer/model/read.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static paths_status
search_bare(struct esv__search *s, const char *word)
{
	if (strpbrk(word, "=<>") != NULL)
		return paths_log_fail(PATHS_ESYNTAX,
		    "\"%s\": expected op=, thread=, host=, element=, site=, "
		    "dur>, dur<, step=, seq=, bytes>, peer= or a name",
		    word);
	if (s->bare != NULL)
		return paths_log_fail(PATHS_ESYNTAX,
		    "\"%s\": one name is enough", word);
	s->bare = word;
	return PATHS_OK;
}

static paths_status
search_word(struct esv__search *s, const char *word)
{
	const struct {
		const char *name, **pattern;
	} patterns[] = { { "op=", &s->op }, { "thread=", &s->thread },
		{ "host=", &s->host }, { "element=", &s->element },
		{ "site=", &s->site } };
	const struct {
		const char *name;
		enum paths_unit unit;
		uint64_t *number;
		bool *has;
	} numbers[] = {
		{ "dur>", PATHS_UNIT_TIME, &s->longer_ns, &s->has_longer },
		{ "dur<", PATHS_UNIT_TIME, &s->shorter_ns, &s->has_shorter },
		{ "step=", PATHS_UNIT_COUNT, &s->step, &s->has_step },
		{ "seq=", PATHS_UNIT_COUNT, &s->seq, &s->has_seq },
		{ "bytes>", PATHS_UNIT_BYTES, &s->more_bytes, &s->has_bytes },
		{ "peer=", PATHS_UNIT_COUNT, &s->peer, &s->has_peer },
	};

	for (size_t n = 0; n < sizeof(patterns) / sizeof(*patterns); n++) {
		size_t length = strlen(patterns[n].name);

		if (strncmp(word, patterns[n].name, length) == 0) {
			*patterns[n].pattern = word + length;
			return PATHS_OK;
		}
	}
	for (size_t n = 0; n < sizeof(numbers) / sizeof(*numbers); n++) {
		size_t length = strlen(numbers[n].name);

		if (strncmp(word, numbers[n].name, length) != 0)
			continue;
		*numbers[n].has = true;
		if (paths_unit_parse(numbers[n].unit, word + length, 0,
			INT64_MAX, numbers[n].number) == PATHS_OK)
			return PATHS_OK;
		return paths_log_fail(PATHS_ESYNTAX, "\"%s\": %s", word,
		    paths_log_last());
	}
	return search_bare(s, word);
}

/* Returns true if a pattern matches the function of a frame, its file with or
   without the folder, or its file and line. */
static bool
frame_matches(const char *pattern, const char *function, const char *file,
    int64_t line)
{
	const char *slash = strrchr(file, '/');
	const char *names[2] = { file, slash == NULL ? file : slash + 1 };
	bool matches = fnmatch(pattern, function, 0) == 0;

	for (int n = 0; *file != '\0' && !matches && n < 2; n++) {
		char *place = NULL;

		matches = fnmatch(pattern, names[n], 0) == 0;
		if (!matches && line > 0 &&
		    asprintf(&place, "%s:%" PRId64, names[n], line) >= 0) {
			matches = fnmatch(pattern, place, 0) == 0;
			free(place);
		}
	}
	return matches;
}

/* Returns a text of a row, "" for NULL. */
static const char *
frame_text(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	return value.kind == ES_TEXT ? value.as.text : "";
}

/* Notes the site of a frame that matches. */
static paths_status
sites_take(void *to, const struct es_rows *rows)
{
	struct esv__search *s = to;
	struct es_value line;
	int64_t site;
	paths_status st = esv__read_number(rows, 0, 0, INT64_MAX, &site);

	if (st != PATHS_OK || site >= s->site_count)
		return st;
	es_rows_get(rows, 3, &line);
	s->sites[site] = s->sites[site] ||
	    frame_matches(s->site, frame_text(rows, 1), frame_text(rows, 2),
		line.kind == ES_INTEGER ? line.as.integer : 0);
	return PATHS_OK;
}

/* Finds the call sites that the term is about: by their number, or by a
   function or line of their call paths. */
static paths_status
search_sites(struct esv__search *s)
{
	const struct es_mpi *mpi = es_run_mpi(s->model->run);

	while (mpi != NULL && es_mpi_site(mpi, s->site_count) != NULL)
		s->site_count++;
	s->sites = calloc(s->site_count + (size_t)1, sizeof(*s->sites));
	if (s->sites == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a search");
	if (*s->site != '\0' &&
	    s->site[strspn(s->site, "0123456789")] == '\0') {
		uint64_t site = strtoull(s->site, NULL, 10);

		if (site < s->site_count)
			s->sites[site] = true;
		return PATHS_OK;
	}
	if (mpi == NULL)
		return PATHS_OK;
	return esv__read_each(s->model,
	    "SELECT site, function, file, line FROM mpi_frame", sites_take, s);
}

paths_status
esv__search_parse(struct esv__search *s, const char *what)
{
	paths_status st = PATHS_OK;
	char *rest;

	s->text = strdup(what);
	if (s->text == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a search");
	for (char *word = strtok_r(s->text, " \t\n", &rest);
	     st == PATHS_OK && word != NULL;
	     word = strtok_r(NULL, " \t\n", &rest))
		st = search_word(s, word);
	return st == PATHS_OK && s->site != NULL ? search_sites(s) : st;
}

void
esv__search_fini(struct esv__search *s)
{
	free(s->text);
	free(s->sites);
}

bool
esv__search_thread(const struct esv__search *s, uint32_t thread)
{
	uint32_t row = s->model->thread_rows[thread];
	const char *name = s->model->rows[row].name;

	if (s->thread != NULL && fnmatch(s->thread, name, 0) != 0)
		return false;
	while (s->model->rows[row].kind != ESV_ROW_HOST &&
	    s->model->rows[row].parent != PATHS_NONE)
		row = s->model->rows[row].parent;
	return s->host == NULL ||
	    fnmatch(s->host, s->model->rows[row].name, 0) == 0;
}

static bool
search_named(const struct esv__search *s, const struct esv__ops *ops,
    uint32_t op)
{
	const char *name = esv__ops_name(ops->calls, op);
	uint32_t row = s->model->thread_rows[ops->collector->thread];

	if (s->op != NULL && fnmatch(s->op, name, 0) != 0)
		return false;
	return s->bare == NULL || strcasestr(name, s->bare) != NULL ||
	    strcasestr(s->model->rows[row].name, s->bare) != NULL;
}

static bool
search_path(const struct esv__search *s, const struct es_tuple_path *tuple)
{
	const struct paths_map *map = es_run_map(s->model->run);

	if (s->has_peer || s->site != NULL ||
	    (s->has_step && tuple->step != s->step) ||
	    (s->has_bytes && tuple->bytes <= s->more_bytes))
		return false;
	return s->element == NULL ||
	    (tuple->element < map->element_count &&
		fnmatch(s->element, map->elements[tuple->element].name, 0) ==
		    0);
}

static bool
search_call(const struct esv__search *s, uint32_t process,
    const struct es_tuple_mpi *tuple)
{
	if (s->has_step || s->element != NULL)
		return false;
	if (s->site != NULL) {
		uint32_t site = es_mpi_find_site(es_run_mpi(s->model->run),
		    process, tuple->site);

		if (site >= s->site_count || !s->sites[site])
			return false;
	}
	return (!s->has_peer || tuple->peer == (int64_t)s->peer) &&
	    (!s->has_bytes || tuple->bytes > s->more_bytes);
}

bool
esv__search_matches(const struct esv__search *s, const struct esv__ops *ops,
    uint64_t n)
{
	const struct es_operation *op = es_operation_get(ops->collector, n);
	int64_t ns = esv__ops_stop(ops, n) - esv__ops_start(ops, n);

	if (!esv__ops_is(ops, n) ||
	    (s->has_seq && es_operation_seq(ops->collector, n) != s->seq))
		return false;
	if (s->has_longer && ns <= (int64_t)s->longer_ns)
		return false;
	if (s->has_shorter && (ns < 0 || ns >= (int64_t)s->shorter_ns))
		return false;
	if (ops->calls ? !search_call(s, ops->collector->process,
			     (const struct es_tuple_mpi *)op) :
			 !search_path(s, (const struct es_tuple_path *)op))
		return false;
	return search_named(s, ops, op->op);
}

/* Finds the first match of a collector that starts after `from` and before
   `best`. */
static bool
search_later(const struct esv__search *s, const struct esv__ops *ops,
    int64_t from, struct esv_event *best)
{
	for (uint64_t n = esv__ops_seek(ops, from + 1);
	     n < ops->collector->count; n++) {
		if (esv__ops_start(ops, n) >= best->start_ns)
			return false;
		if (esv__search_matches(s, ops, n)) {
			esv__ops_event(ops, n, best);
			return true;
		}
	}
	return false;
}

static bool
search_earlier(const struct esv__search *s, const struct esv__ops *ops,
    int64_t from, struct esv_event *best)
{
	for (uint64_t n = es_collector_seek_start(ops->collector,
		 es_time_ticks(ops->base, from));
	     n > 0; n--) {
		if (esv__ops_start(ops, n - 1) <= best->start_ns)
			return false;
		if (esv__search_matches(s, ops, n - 1)) {
			esv__ops_event(ops, n - 1, best);
			return true;
		}
	}
	return false;
}

static bool
search_all(const struct esv__search *s, int64_t from, int direction,
    struct esv_event *best)
{
	const struct esv_model *model = s->model;
	struct esv__ops ops;
	bool found = false;

	best->start_ns = direction > 0 ? INT64_MAX : INT64_MIN;
	for (uint32_t thread = 0; thread < model->thread_count; thread++) {
		const uint32_t *head, *end;

		if (!esv__search_thread(s, thread))
			continue;
		esv__ops_heads(model, thread, &head, &end);
		for (; head < end; head++)
			if (esv__ops_open(model, *head, &ops))
				found |= direction > 0 ?
				    search_later(s, &ops, from, best) :
				    search_earlier(s, &ops, from, best);
	}
	return found;
}

paths_status
esv_event_search(struct esv_model *model, const char *what, double from_ns,
    int direction, struct esv_event *event)
{
	struct esv__search search = { .model = model };
	struct esv_event best;
	double from = fmin(fmax(from_ns, -0x1p60), 0x1p60);
	paths_status st = esv__ops_check(model);

	if (st != PATHS_OK)
		return st;
	st = esv__search_parse(&search, what);
	if (st == PATHS_OK) {
		if (search_all(&search, (int64_t)floor(from), direction, &best))
			*event = best;
		else
			st = paths_log_fail(PATHS_ENOENT,
			    "nothing %s matches \"%s\"",
			    direction > 0 ? "later" : "earlier", what);
	}
	esv__search_fini(&search);
	return st;
}
