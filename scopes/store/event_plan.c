/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_plan.c - narrows a query on `event` to a range of tuples
 *
 * A plan is a string with two letters for each value that xFilter gets: the
 * column (c collector, s seq, t start_ns) and the comparison.  SQLite checks
 * every row again, so a plan may include rows that do not match, but must not
 * exclude rows that do.
 *
 * Tuples are in the order of (collector, start_ns, seq).  Within a collector
 * start_ns and seq ascend together, except in damaged files.
 *
 * Source	SQLite: The Virtual Table Mechanism, section 2.3
 */

#include "scopes/store/event_plan_private.h"

#include <math.h>
#include <string.h>

static const char plan_keys[EVENT_KEYS + 1] = "cst";

/* Returns the letter of a comparison; 0: it is not pushed down. */
static char
plan_letter(unsigned char op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return '=';
	case SQLITE_INDEX_CONSTRAINT_GT:
		return '>';
	case SQLITE_INDEX_CONSTRAINT_GE:
		return ']';
	case SQLITE_INDEX_CONSTRAINT_LT:
		return '<';
	case SQLITE_INDEX_CONSTRAINT_LE:
		return '[';
	default:
		return 0;
	}
}

/* Collects the usable constraints in a plan.  NULL: out of memory. */
static char *
plan_constraints(sqlite3_index_info *info, unsigned equal[EVENT_KEYS],
    unsigned bound[EVENT_KEYS])
{
	char *plan =
	    sqlite3_malloc64(2 * (sqlite3_uint64)info->nConstraint + 1);
	int used = 0;

	for (int i = 0; plan != NULL && i < info->nConstraint; i++) {
		int column = info->aConstraint[i].iColumn;
		char letter = plan_letter(info->aConstraint[i].op);

		if (!info->aConstraint[i].usable || letter == 0 || column < 0 ||
		    column >= EVENT_KEYS)
			continue;
		plan[2 * used] = plan_keys[column];
		plan[2 * used + 1] = letter;
		info->aConstraintUsage[i].argvIndex = ++used;
		if (letter == '=')
			equal[column]++;
		else
			bound[column]++;
	}
	if (plan != NULL)
		plan[2 * used] = '\0';
	return plan;
}

/* Estimates how many of n remain; each bound is assumed to keep a quarter. */
static double
plan_bounded(double n, unsigned equal, unsigned bounds)
{
	if (equal > 0)
		return fmin(n, 1.0);
	return fmin(n, fmax(1.0, n / pow(4.0, fmin(bounds, 8.0))));
}

/* Returns true if rows come in the wanted order without sorting. */
static bool
plan_ordered(const sqlite3_index_info *info, bool one_collector,
    bool seq_ascends)
{
	bool within = one_collector;

	for (int i = 0; i < info->nOrderBy; i++) {
		int column = info->aOrderBy[i].iColumn;

		if (info->aOrderBy[i].desc || column >= EVENT_KEYS ||
		    (column == EVENT_SEQ && !seq_ascends))
			return false;
		if (column < 0) /* the rowid: ascending and unique */
			return true;
		if (column == EVENT_COLLECTOR) {
			if (i > 0 && !within)
				return false;
			within = true;
		} else if (!within) {
			return false;
		}
	}
	return true;
}

int
es__event_plan(sqlite3_index_info *info, const struct es__event_sizes *sizes)
{
	unsigned equal[EVENT_KEYS] = { 0 };
	unsigned bound[EVENT_KEYS] = { 0 };
	char *plan = plan_constraints(info, equal, bound);
	double all = sizes->collectors > 0 ? sizes->collectors : 1;
	double some =
	    plan_bounded(all, equal[EVENT_COLLECTOR], bound[EVENT_COLLECTOR]);
	double rows = (double)sizes->tuples / all;
	double seek = log2(rows + 2.0);

	if (plan == NULL)
		return SQLITE_NOMEM;
	if (sizes->seq_ascends)
		rows = plan_bounded(rows, equal[EVENT_SEQ], bound[EVENT_SEQ]);
	rows = plan_bounded(rows, equal[EVENT_START], bound[EVENT_START]);
	info->idxStr = plan;
	info->needToFreeIdxStr = 1;
	info->estimatedRows = (sqlite3_int64)fmax(1.0, some * rows);
	info->estimatedCost = some * (seek + rows);
	info->orderByConsumed =
	    plan_ordered(info, equal[EVENT_COLLECTOR] > 0, sizes->seq_ascends);
	return SQLITE_OK;
}

static void
plan_at_least(struct es__event_range *range, int64_t lo)
{
	if (lo > range->lo)
		range->lo = lo;
}

static void
plan_at_most(struct es__event_range *range, int64_t hi)
{
	if (hi < range->hi)
		range->hi = hi;
}

static void
plan_nothing(struct es__event_range *range)
{
	*range = (struct es__event_range){ .lo = INT64_MAX, .hi = INT64_MIN };
}

static void
plan_integer(struct es__event_range *range, char letter, int64_t value)
{
	if (letter == '=' || letter == ']')
		plan_at_least(range, value);
	if (letter == '=' || letter == '[')
		plan_at_most(range, value);
	if (letter == '>' && value < INT64_MAX)
		plan_at_least(range, value + 1);
	else if (letter == '<' && value > INT64_MIN)
		plan_at_most(range, value - 1);
	else if (letter == '>' || letter == '<')
		plan_nothing(range);
}

/* Rounds bounds outward: SQLite compares the rows again. */
static void
plan_real(struct es__event_range *range, char letter, double value)
{
	const double limit = 9223372036854775808.0; /* 2^63 */
	bool below = letter != '>' && letter != ']';
	bool above = letter != '<' && letter != '[';

	if ((above && value >= limit) || (below && value < -limit)) {
		plan_nothing(range);
		return;
	}
	if (above && value >= -limit)
		plan_at_least(range, (int64_t)floor(value));
	if (below && value < limit && ceil(value) < limit)
		plan_at_most(range, (int64_t)ceil(value));
}

void
es__event_plan_ranges(const char *plan, sqlite3_value **values,
    struct es__event_range ranges[EVENT_KEYS])
{
	for (int i = 0; i < EVENT_KEYS; i++)
		ranges[i] = (struct es__event_range){ .lo = INT64_MIN,
			.hi = INT64_MAX };
	for (; *plan != '\0'; plan += 2, values++) {
		size_t key = (size_t)(strchr(plan_keys, plan[0]) - plan_keys);

		switch (sqlite3_value_type(*values)) {
		case SQLITE_INTEGER:
			plan_integer(&ranges[key], plan[1],
			    sqlite3_value_int64(*values));
			break;
		case SQLITE_FLOAT:
			plan_real(&ranges[key], plan[1],
			    sqlite3_value_double(*values));
			break;
		case SQLITE_NULL: /* A comparison with NULL is never true. */
			plan_nothing(&ranges[key]);
			break;
		default: /* SQLite compares text itself. */
			break;
		}
	}
}
