/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/link_measure.c - measures links, and makes the model
 *
 * A write is two messages: the tuple, and an answer without one.  So a message
 * of no bytes takes half of the time of the smallest write, and a longer one
 * the rest of the time of its write.
 */

#include "scopes/calibrate/link_measure_private.h"

#include "scopes/calibrate/fit_private.h"
#include "scopes/calibrate/link_map_private.h"
#include "scopes/calibrate/pace_private.h"

#include "scopes/model/model_private.h"
#include "scopes/model/quantile_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rounds of all sizes, and writes of a measurement. */
#define LINK_ROUNDS 10
#define LINK_ROUNDS_QUICK 3
#define LINK_TURNS_LEAST 3
#define LINK_TURNS_MOST 1000
#define LINK_SECONDS 0.002
#define LINK_REFERENCE_SECONDS 0.02

/* Sizes: 1, 2, 3, 4, 6, 8, 12 and so on. */
#define LINK_SIZES 40u

/* Links of a class take at most this times as long as its quickest one. */
#define LINK_ALIKE 1.25

static const uint32_t link_references[ES__LINK_REFERENCES] = { 8, 65536 };

/* The times of a class by size and round. */
struct link_grid {
	uint32_t sizes[LINK_SIZES], counts[LINK_SIZES];
	double times[LINK_SIZES][LINK_ROUNDS];
	double end_s;
};

static uint32_t
link_host(const struct es__links *l, uint32_t process)
{
	return l->map->processes[process].host;
}

static bool
link_inside(const struct es__links *l, const struct es__link *link)
{
	return link_host(l, link->from) == link_host(l, link->to);
}

static void
link_tell(const struct es__links *l, const char *text, const char *name)
{
	if (!l->quiet)
		fprintf(stderr, "eventspace calibrate: %4.1f s: %s%s\n",
		    es__pace_now() - l->begin_s, text, name);
}

/* Returns the number of writes that take so long. */
static uint32_t
link_turns(double wanted_s, double write_s)
{
	double turns = wanted_s / write_s;

	if (turns < LINK_TURNS_LEAST)
		return LINK_TURNS_LEAST;
	return turns > LINK_TURNS_MOST ? LINK_TURNS_MOST : (uint32_t)turns;
}

/* Measures both references of a link. */
static paths_status
link_reference(struct es__links *l, uint32_t link,
    double seconds[ES__LINK_REFERENCES])
{
	struct es__link_ask ask = { .link = link,
		.count = ES__LINK_REFERENCES,
		.limit_ms = UINT32_MAX,
		.least = 1 };
	struct es__link_answer answer;
	bool again = false;
	paths_status st;

	for (unsigned r = 0; r < ES__LINK_REFERENCES; r++) {
		ask.bytes[r] = link_references[r];
		ask.turns[r] = LINK_TURNS_LEAST;
	}
	st = l->write(l->self, &ask, &answer);
	for (unsigned r = 0; st == PATHS_OK && r < ES__LINK_REFERENCES; r++) {
		ask.turns[r] =
		    link_turns(LINK_REFERENCE_SECONDS, answer.seconds[r]);
		again = again || ask.turns[r] > LINK_TURNS_LEAST;
	}
	if (again)
		st = l->write(l->self, &ask, &answer);
	if (st == PATHS_OK)
		memcpy(seconds, answer.seconds,
		    ES__LINK_REFERENCES * sizeof(*seconds));
	return st;
}

/* Measures the references of a class, and keeps the extremes. */
static paths_status
class_reference(struct es__links *l, struct es__link_class *class)
{
	double seconds[ES__LINK_REFERENCES] = { 0 };
	paths_status st = link_reference(l, l->order[class->first], seconds);

	for (unsigned r = 0; st == PATHS_OK && r < ES__LINK_REFERENCES; r++) {
		if (class->least_s[r] == 0 || seconds[r] < class->least_s[r])
			class->least_s[r] = seconds[r];
		class->largest_s[r] = fmax(class->largest_s[r], seconds[r]);
	}
	return st;
}

/* Returns whether a link comes before another one: those inside of hosts
   first, by their means, then by time. */
static bool
link_before(const struct es__links *l, uint32_t a, uint32_t b)
{
	bool inside[2] = { link_inside(l, &l->links[a]),
		link_inside(l, &l->links[b]) };

	if (inside[0] != inside[1])
		return inside[0];
	if (l->links[a].via != l->links[b].via)
		return l->links[a].via < l->links[b].via;
	return l->times[a].reference_s[0] < l->times[b].reference_s[0];
}

/* Returns whether a link is in the class of another one. */
static bool
link_alike(const struct es__links *l, uint32_t first, uint32_t link)
{
	if (link_inside(l, &l->links[first]) !=
		link_inside(l, &l->links[link]) ||
	    l->links[first].via != l->links[link].via)
		return false;
	for (unsigned r = 0; r < ES__LINK_REFERENCES; r++) {
		double ratio = l->times[link].reference_s[r] /
		    l->times[first].reference_s[r];

		if (!(ratio <= LINK_ALIKE && ratio >= 1 / LINK_ALIKE))
			return false;
	}
	return true;
}

/* Names a class after the means inside of a host, or "network"; further ones
   are numbered. */
static void
class_name(struct es__links *l, struct es__link_class *class)
{
	const struct es__link *link = &l->links[l->order[class->first]];
	bool inside = link_inside(l, link);
	const char *name = inside ? es__model_via(link->via) : "network";
	unsigned number = 1;

	for (const struct es__link_class *c = l->classes; c < class; c++)
		number += strncmp(c->name, name, strlen(name)) == 0;
	if (number == 1)
		snprintf(class->name, sizeof(class->name), "%s", name);
	else
		snprintf(class->name, sizeof(class->name), "%s-%u", name,
		    number);
}

/* Forms classes of links that take as long: each begins with the quickest link
   that is in none. */
static void
links_classify(struct es__links *l)
{
	uint32_t placed = 0;
	bool taken[ES__LINKS_MOST] = { false };

	while (placed < l->count) {
		struct es__link_class *class = &l->classes[l->class_count++];
		uint32_t first = PATHS_NONE;

		for (uint32_t n = 0; n < l->count; n++)
			if (!taken[n] &&
			    (first == PATHS_NONE || link_before(l, n, first)))
				first = n;
		*class = (struct es__link_class){ .first = placed };
		taken[first] = true;
		l->order[placed++] = first;
		for (uint32_t n = 0; n < l->count; n++)
			if (!taken[n] && link_alike(l, first, n)) {
				taken[n] = true;
				l->order[placed++] = n;
			}
		class->count = placed - class->first;
		class_name(l, class);
	}
}

/* Returns the time that a write of a size is expected to take. */
static double
class_expects(const struct es__link_class *class, uint32_t bytes)
{
	double per_byte = (class->largest_s[1] - class->largest_s[0]) /
	    (double)(link_references[1] - link_references[0]);

	return class->largest_s[0] + fmax(per_byte, 0) * (double)bytes;
}

/* Sets a random order of the sizes. */
static void
grid_order(struct es__links *l, uint32_t order[LINK_SIZES])
{
	for (uint32_t n = 0; n < LINK_SIZES; n++)
		order[n] = n;
	/* Fisher and Yates' shuffle. */
	for (uint32_t n = LINK_SIZES; n > 1; n--) {
		uint32_t other = es__random_below(&l->random, n);
		uint32_t kept = order[n - 1];

		order[n - 1] = order[other];
		order[other] = kept;
	}
}

/* Measures all sizes once, in random order, but those that would take more time
   than there is. */
static paths_status
grid_round(struct es__links *l, const struct es__link_class *class,
    struct link_grid *grid, uint32_t round)
{
	struct es__link_ask ask = {
		.link = l->order[class->first + round % class->count],
		.least = LINK_TURNS_LEAST
	};
	struct es__link_answer answer;
	uint32_t order[LINK_SIZES], asked[LINK_SIZES];
	double at_s = es__pace_now();
	paths_status st;

	grid_order(l, order);
	for (uint32_t n = 0; n < LINK_SIZES; n++) {
		uint32_t bytes = grid->sizes[order[n]];
		double expected = class_expects(class, bytes);
		uint32_t turns = link_turns(LINK_SECONDS, expected);

		if (at_s + turns * expected > grid->end_s)
			continue;
		at_s += turns * expected;
		ask.bytes[ask.count] = bytes;
		ask.turns[ask.count] = turns;
		asked[ask.count++] = order[n];
	}
	if (ask.count == 0)
		return PATHS_OK;
	ask.limit_ms =
	    (uint32_t)(1e3 * fmax(grid->end_s - es__pace_now(), 0)) + 1;
	st = l->write(l->self, &ask, &answer);
	for (uint32_t n = 0; st == PATHS_OK && n < ask.count; n++)
		if (answer.seconds[n] > 0)
			grid->times[asked[n]][grid->counts[asked[n]]++] =
			    answer.seconds[n];
	return st;
}

static void
grid_sizes(struct link_grid *grid)
{
	uint32_t count = 0;

	for (uint32_t size = 1; size <= ES__LINK_LONGEST; size *= 2) {
		grid->sizes[count++] = size;
		if (size > 1 && size < ES__LINK_LONGEST)
			grid->sizes[count++] = size + size / 2;
	}
}

/* Returns the samples of messages, one way. */
static uint32_t
grid_samples(struct link_grid *grid, struct es_model_sample *samples)
{
	uint32_t count = 0;
	double answer_s = 0;

	for (uint32_t n = 0; n < LINK_SIZES; n++) {
		double write_s;

		if (grid->counts[n] == 0)
			continue;
		write_s = es__quantile(grid->times[n], grid->counts[n], 0.5);
		if (count == 0)
			answer_s = write_s / 2;
		/* Noise may make a longer write quicker. */
		samples[count++] = (struct es_model_sample){ grid->sizes[n], 1,
			fmax(write_s - answer_s, write_s / 2) };
	}
	return count;
}

/* Adds a class to the model, with its pairs of hosts. */
static paths_status
class_add(const struct es__links *l, const struct es__link_class *class,
    struct link_grid *grid, struct es_model *model)
{
	struct es_model_sample samples[LINK_SIZES];
	uint32_t count = grid_samples(grid, samples), number;
	struct es_model_locality *locality;
	paths_status st;

	if (count < 4)
		return paths_log_fail(PATHS_ETIMEDOUT,
		    "there was no time to measure the class %s: give more with "
		    "--seconds",
		    class->name);
	st = es_model_add_locality(model, class->name, &number);
	for (uint32_t n = 0; st == PATHS_OK && n < class->count; n++) {
		const struct es__link *link =
		    &l->links[l->order[class->first + n]];
		const struct paths_map_host *hosts = l->map->hosts;

		st = es_model_add_pair(model, number,
		    hosts[link_host(l, link->from)].name,
		    hosts[link_host(l, link->to)].name);
	}
	if (st != PATHS_OK)
		return st;
	locality = &model->localities[number];
	locality->between_hosts =
	    !link_inside(l, &l->links[l->order[class->first]]);
	st = es_model_fit_paper(samples, count, false,
	    &locality->fits[ES_MODEL_PAPER]);
	if (st == PATHS_OK)
		st = es_model_fit_segments(samples, count, 0, false,
		    &locality->fits[ES_MODEL_SEGMENTS]);
	return st;
}

/* Returns the time that a round of all sizes is expected to take. */
static double
class_round_s(const struct es__link_class *class, const struct link_grid *grid)
{
	double sum = 0;

	for (uint32_t n = 0; n < LINK_SIZES; n++) {
		double expected = class_expects(class, grid->sizes[n]);

		sum += link_turns(LINK_SECONDS, expected) * expected;
	}
	return sum;
}

/* Returns the time at which a class ends: those that are left share the time by
   what their rounds take. */
static double
class_end_s(const struct es__links *l, const struct es__link_class *class,
    const struct link_grid *grid)
{
	double now_s = es__pace_now(), sum = 0;

	for (const struct es__link_class *c = class;
	     c < l->classes + l->class_count; c++)
		sum += class_round_s(c, grid);
	return now_s + (l->end_s - now_s) * class_round_s(class, grid) / sum;
}

static paths_status
class_measure(struct es__links *l, struct es__link_class *class,
    struct es_model *model)
{
	struct link_grid *grid = calloc(1, sizeof(*grid));
	uint32_t rounds = l->quick ? LINK_ROUNDS_QUICK : LINK_ROUNDS;
	paths_status st = PATHS_OK;

	if (grid == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	link_tell(l, "writes, ", class->name);
	grid_sizes(grid);
	grid->end_s = class_end_s(l, class, grid);
	for (uint32_t n = 0; st == PATHS_OK && n < rounds; n++)
		st = grid_round(l, class, grid, n);
	if (st == PATHS_OK)
		st = class_add(l, class, grid, model);
	free(grid);
	return st;
}

static paths_status
links_references(struct es__links *l, uint32_t count)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = class_reference(l, &l->classes[n]);
	return st;
}

static double
links_drift(const struct es__links *l)
{
	double drift = 0;

	for (uint32_t n = 0; n < l->class_count; n++)
		for (unsigned r = 0; r < ES__LINK_REFERENCES; r++)
			drift = fmax(drift,
			    l->classes[n].largest_s[r] /
				    l->classes[n].least_s[r] -
				1);
	return drift;
}

/* Sets the texts: where, when and how much was measured. */
static void
links_texts(const struct es__links *l, struct es_model *model)
{
	const struct paths_map *map = l->map;
	char text[ES_MODEL_TEXT_BYTES];
	time_t now = time(NULL);
	struct tm calendar;
	size_t used = 0;

	for (uint32_t n = 0; n < map->host_count && used < sizeof(text); n++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    n == 0 ? "%s" : ", %s", map->hosts[n].name);
	es_model_set_text(model->host, text);
	es_model_set_text(model->machine, map->hosts[0].name);
	if (gmtime_r(&now, &calendar) != NULL &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &calendar) > 0)
		es_model_set_text(model->date, text);
	snprintf(text, sizeof(text),
	    "proxies of a path map: %u link%s of %u process%s on %u host%s%s",
	    l->count, l->count == 1 ? "" : "s", map->process_count,
	    map->process_count == 1 ? "" : "es", map->host_count,
	    map->host_count == 1 ? "" : "s", l->quick ? ", quick" : "");
	es_model_set_text(model->note, text);
}

static paths_status
links_run(struct es__links *l, struct es_model *model)
{
	paths_status st = PATHS_OK;

	link_tell(l, "references", "");
	for (uint32_t n = 0; st == PATHS_OK && n < l->count; n++)
		st = link_reference(l, n, l->times[n].reference_s);
	if (st != PATHS_OK)
		return st;
	links_classify(l);
	st = links_references(l, l->class_count);
	for (uint32_t n = 0; st == PATHS_OK && n < l->class_count; n++) {
		st = class_measure(l, &l->classes[n], model);
		if (st == PATHS_OK)
			st = class_reference(l, &l->classes[n]);
	}
	/* The last class has its reference. */
	if (st == PATHS_OK)
		st = links_references(l, l->class_count - 1);
	if (st != PATHS_OK)
		return st;
	model->drift = links_drift(l);
	model->drift_limit = ES__FIT_DRIFT;
	links_texts(l, model);
	return PATHS_OK;
}

paths_status
es__links_measure(struct es__links *l, struct es_model **model)
{
	struct es_model *made = NULL;
	paths_status st = es_model_create(&made);

	l->begin_s = es__pace_now();
	l->times = calloc(l->count, sizeof(*l->times));
	l->order = calloc(l->count, sizeof(*l->order));
	l->classes = calloc(l->count, sizeof(*l->classes));
	if (st == PATHS_OK &&
	    (l->times == NULL || l->order == NULL || l->classes == NULL))
		st = paths_log_fail(PATHS_ENOMEM, "no memory for links");
	if (st == PATHS_OK)
		st = links_run(l, made);
	free(l->times);
	free(l->order);
	free(l->classes);
	if (st == PATHS_OK)
		*model = made;
	else
		es_model_free(made);
	return st;
}
