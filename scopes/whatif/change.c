/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/change.c - parses the text of a change of a run
 */

#include "scopes/whatif/change_private.h"

#include "scopes/whatif/select_private.h"
#include "scopes/whatif/shapes_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest factor of a change. */
#define CHANGE_FACTOR_MOST 1e6

/* Names of changes, for hints. */
static const char *const change_names[] = { "even", "share", "ideal",
	"map=", "nowait=", "latency=", "latency-inside=", "latency-between=",
	"bandwidth=", "bandwidth-inside=", "bandwidth-between=", "eager=",
	"rank=", "thread=", "after=", "before=", "site=", "call=", "stage=",
	"phase=", "iteration=" };

static paths_status
change_unknown(const char *text)
{
	struct paths_nearest nearest;

	paths_nearest_init(&nearest, text);
	for (size_t n = 0; n < sizeof(change_names) / sizeof(*change_names);
	     n++)
		paths_nearest_try(&nearest, change_names[n]);
	return paths_log_fail(PATHS_EINVAL, "%s: no such change%s", text,
	    paths_nearest_hint(&nearest));
}

/* Reads "xFACTOR". */
static paths_status
change_factor(const char *text, double least, double *factor)
{
	char *end;

	*factor =
	    text[0] == 'x' && text[1] != '\0' ? strtod(text + 1, &end) : NAN;
	if (isnan(*factor) || *end != '\0' || !(*factor >= least) ||
	    *factor > CHANGE_FACTOR_MOST)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: no factor such as x0.5, from x%g to x1e6", text,
		    least);
	return PATHS_OK;
}

/* ---- activities */

/* Parses an edit: the keys, the last colon, and the effect behind it. */
static paths_status
change_edit(const struct es__whatif_run *run, const char *text,
    struct es__whatif_change *change)
{
	const char *colon = strrchr(text, ':');
	const char *effect = colon == NULL ? text : colon + 1;
	struct es__whatif_edit *edit = &change->edit;
	paths_status st = PATHS_OK;

	change->edits = true;
	if (strcmp(effect, "even") == 0)
		edit->effect = ES__WHATIF_EVEN;
	else if (colon != NULL && strcmp(effect, "share") == 0)
		edit->effect = ES__WHATIF_SHARE;
	else if (colon != NULL && effect[0] == 'x')
		st = change_factor(effect, 0, &edit->factor);
	else
		return change_unknown(text);
	if (st == PATHS_OK)
		st = es__whatif_select(run, text,
		    colon == NULL ? 0 : (size_t)(colon - text), edit,
		    &change->spans);
	if (st == PATHS_OK && edit->effect == ES__WHATIF_EVEN)
		st = es__whatif_even_find(&run->model, edit, NULL);
	if (st == PATHS_OK && edit->effect == ES__WHATIF_SHARE)
		st = es__whatif_share_find(&run->model, edit);
	return st;
}

static paths_status
change_nowait(const struct es__whatif_run *run, const char *place,
    struct es__whatif_change *change)
{
	change->edits = true;
	change->edit.effect = ES__WHATIF_NOWAIT;
	if (run->paths)
		return es__whatif_select_joins(run, place, &change->edit,
		    &change->groups);
	return es__whatif_select_wait(run, place, &change->edit);
}

/* ---- messages */

struct travel_change {
	const char *text; /* the whole change */
	const char *value;
	bool links[ES__WHATIF_LINKS];
};

static paths_status
travel_unknown(const struct travel_change *c, const char *what)
{
	return paths_log_fail(PATHS_EINVAL,
	    "%s: the %s of messages is not known from this run", c->text, what);
}

/* Reads a change of a number: "+NUMBER", "-NUMBER", "NUMBER" or "xFACTOR".
   before: measured value, NAN: not known; after: out. */
static paths_status
travel_number(const struct travel_change *c, enum paths_unit unit,
    const char *what, double before, double *after)
{
	char sign = c->value[0];
	bool adds = sign == '+' || sign == '-';
	double factor;
	uint64_t number;
	paths_status st;

	if (sign == 'x') {
		st = change_factor(c->value, 1e-6, &factor);
		if (st == PATHS_OK && isnan(before))
			st = travel_unknown(c, what);
		*after = before * factor;
		return st;
	}
	st = paths_unit_parse(unit, c->value + adds, 0, INT64_MAX / 2, &number);
	if (st != PATHS_OK)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: not %s, with + or -, "
		    "or a factor such as x2",
		    c->text, paths_unit_hint(unit));
	if (isnan(before))
		return travel_unknown(c, what);
	*after = adds ? before + (sign == '-' ? -1 : 1) * (double)number :
			(double)number;
	return PATHS_OK;
}

/* Returns whether a change leaves out a link, because operations waited only
   for messages of the other link. */
static bool
travel_skips(const struct es__whatif_run *run, const struct travel_change *c,
    size_t link)
{
	return !c->links[link] ||
	    (c->links[!link] && run->travelled[link].messages == 0 &&
		run->travelled[!link].messages > 0);
}

static paths_status
travel_latency(const struct es__whatif_run *run, const struct travel_change *c,
    struct es__whatif_change *change)
{
	bool adds = c->value[0] == '+';

	for (size_t n = 0; n < ES__WHATIF_LINKS; n++) {
		/* An increase needs no measured value. */
		double before = adds ? 0 : run->travelled[n].latency_ns, after;
		paths_status st;

		if (adds ? !c->links[n] : travel_skips(run, c, n))
			continue;
		st = travel_number(c, PATHS_UNIT_TIME, "latency", before,
		    &after);
		if (st != PATHS_OK)
			return st;
		if (after < 0)
			return paths_log_fail(PATHS_EINVAL,
			    "%s: the least latency of the run is %.0f ns",
			    c->text, before);
		change->travel[n].latency_ns = after - before;
	}
	return PATHS_OK;
}

static paths_status
travel_bandwidth(const struct es__whatif_run *run,
    const struct travel_change *c, struct es__whatif_change *change)
{
	for (size_t n = 0; n < ES__WHATIF_LINKS; n++) {
		double ns_per_byte = run->travelled[n].ns_per_byte, after;
		paths_status st;

		if (travel_skips(run, c, n))
			continue;
		st = travel_number(c, PATHS_UNIT_RATE, "bandwidth",
		    1e9 / ns_per_byte, &after);
		if (st != PATHS_OK)
			return st;
		if (after <= 0)
			return paths_log_fail(PATHS_EINVAL,
			    "%s: the bandwidth of the run is %.4g GB/s",
			    c->text, 1 / ns_per_byte);
		change->travel[n].ns_per_byte = 1e9 / after - ns_per_byte;
	}
	return PATHS_OK;
}

static paths_status
change_eager(const struct es__whatif_run *run, const char *text,
    const char *value, struct es__whatif_change *change)
{
	uint64_t eager_bytes = run->model.graph->eager_bytes;

	change->eager = true;
	/* Synchronous sends still wait: UINT64_MAX would let them go on,
	   too. */
	change->eager_bytes = UINT64_MAX - 1;
	if (strcmp(value, "all") == 0)
		return PATHS_OK;
	if (paths_unit_parse(PATHS_UNIT_BYTES, value, 0, INT64_MAX,
		&change->eager_bytes) != PATHS_OK)
		return paths_log_fail(PATHS_EINVAL, "%s: not %s, nor all", text,
		    paths_unit_hint(PATHS_UNIT_BYTES));
	if (change->eager_bytes < eager_bytes)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: a send of %llu bytes did not wait in this run; a "
		    "lower limit cannot be replayed",
		    text, (unsigned long long)eager_bytes);
	return PATHS_OK;
}

/* ---- reading */

/* Returns the part of a text behind a prefix; NULL: the text does not begin
   with the prefix. */
static const char *
change_after(const char *text, const char *prefix)
{
	size_t bytes = strlen(prefix);

	return strncmp(text, prefix, bytes) == 0 ? text + bytes : NULL;
}

/* Reads "latency=", "latency-inside=" or "latency-between=", and the same of
   bandwidth.  Returns whether the text is one. */
static bool
change_is_travel(const char *text, const char *name, struct travel_change *c)
{
	static const char *const links[] = { "=", "-inside=", "-between=" };
	const char *rest = change_after(text, name);

	c->text = text;
	for (size_t n = 0; rest != NULL && n < 3; n++) {
		c->value = change_after(rest, links[n]);
		c->links[ES__WHATIF_INSIDE] = n != 2;
		c->links[ES__WHATIF_BETWEEN] = n != 1;
		if (c->value != NULL)
			return true;
	}
	return false;
}

/* Returns whether a change is only possible in runs of MPI. */
static bool
change_is_of_mpi(const char *text)
{
	struct travel_change c;

	return change_after(text, "eager=") != NULL ||
	    change_is_travel(text, "latency", &c) ||
	    change_is_travel(text, "bandwidth", &c);
}

paths_status
es__whatif_change_read(const struct es__whatif_run *run, const char *text,
    struct es__whatif_change *change)
{
	struct travel_change c;
	const char *value;

	*change = (struct es__whatif_change){ .text = strdup(text) };
	if (change->text == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a change");
	if (strcmp(text, "ideal") == 0) {
		change->ideal = true;
		return PATHS_OK;
	}
	if (run->paths && change_is_of_mpi(text))
		return paths_log_fail(PATHS_EINVAL,
		    "%s: is for MPI; a run of paths has no messages", text);
	if ((value = change_after(text, "nowait=")) != NULL)
		return change_nowait(run, value, change);
	if ((value = change_after(text, "map=")) != NULL)
		return es__whatif_shapes_read(run, value, &change->shapes);
	if ((value = change_after(text, "eager=")) != NULL)
		return change_eager(run, text, value, change);
	if (change_is_travel(text, "latency", &c))
		return travel_latency(run, &c, change);
	if (change_is_travel(text, "bandwidth", &c))
		return travel_bandwidth(run, &c, change);
	return change_edit(run, text, change);
}

void
es__whatif_change_fini(const struct es__whatif_run *run,
    struct es__whatif_change *change)
{
	es__whatif_edit_fini(&change->edit);
	es__whatif_spans_free(run, change->spans);
	es__whatif_shapes_free(change->shapes);
	free(change->groups);
	free(change->text);
}

void
es__whatif_change_set(const struct es__whatif_run *run,
    const struct es__whatif_change *const *changes, size_t count,
    const struct es__whatif_edit **edits, struct es__whatif_setting *setting)
{
	*setting = es__whatif_unchanged(&run->model);
	setting->edits = edits;
	for (size_t n = 0; n < count; n++) {
		const struct es__whatif_change *c = changes[n];

		if (c->edits)
			edits[setting->edit_count++] = &c->edit;
		for (size_t k = 0; k < ES__WHATIF_LINKS; k++) {
			setting->travel[k].latency_ns +=
			    c->travel[k].latency_ns;
			setting->travel[k].ns_per_byte +=
			    c->travel[k].ns_per_byte;
		}
		if (c->eager && c->eager_bytes > setting->eager_bytes)
			setting->eager_bytes = c->eager_bytes;
		setting->ideal |= c->ideal;
		if (c->shapes != NULL)
			setting->shapes = c->shapes;
	}
}
