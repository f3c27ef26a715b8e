/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_plan.c - narrows a query on `event` to a range of tuples
 *
 * A plan is a string with two letters for each value that xFilter gets: the
 * column (c collector, s seq, t start_ns, o op) and the comparison.  SQLite
 * checks every row again, so a plan may include rows that do not match, but
 * must not exclude rows that do.
 *
 * Tuples are in the order of (collector, start_ns, seq), where start_ns and seq
 * ascend in all collectors, or in that of (op, collector, start_ns, seq).
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

bool
es__event_plan_uses(const sqlite3_index_info *info, int column)
{
	for (int i = 0; i < info->nConstraint; i++)
		if (info->aConstraint[i].iColumn == column)
			return true;
	for (int i = 0; i < info->nOrderBy; i++)
		if (info->aOrderBy[i].iColumn == column)
			return true;
	return false;
}

/* Returns true if constraint i is op = value, compared byte by byte. */
static bool
plan_is_op(sqlite3_index_info *info, int i)
{
	return info->aConstraint[i].usable &&
	    info->aConstraint[i].iColumn == EVENT_OP_COLUMN &&
	    info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ &&
	    sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
}

/* Adds op = value to a plan. */
static void
plan_op(sqlite3_index_info *info, char *plan)
{
	size_t used = strlen(plan);

	for (int i = 0; i < info->nConstraint; i++) {
		if (!plan_is_op(info, i))
			continue;
		memcpy(plan + used, "o=", 3);
		info->aConstraintUsage[i].argvIndex = (int)used / 2 + 1;
		return;
	}
}

/* Collects the usable constraints in a plan.  NULL: out of memory. */
static char *
plan_constraints(sqlite3_index_info *info, unsigned equal[EVENT_KEYS],
    unsigned bound[EVENT_KEYS])
{
	char *plan =
	    sqlite3_malloc64(2 * (sqlite3_uint64)info->nConstraint + 3);
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

/* Returns true if rows come in the wanted order without sorting.  Ignores term
   `op` of the order, or none for -1. */
static bool
plan_ordered(const sqlite3_index_info *info, bool one_collector,
    const struct es__event_sizes *sizes, int op)
{
	bool within = one_collector;
	bool begun = false;

	for (int i = 0; i < info->nOrderBy; i++) {
		int column = info->aOrderBy[i].iColumn;

		if (i == op)
			continue;
		if (info->aOrderBy[i].desc || column >= EVENT_KEYS)
			return false;
		if (column < 0) /* the rowid: ascending and unique */
			return true;
		if (column == EVENT_COLLECTOR) {
			if (begun && !within)
				return false;
			within = true;
		} else if (!within || !sizes->ascends[column]) {
			return false;
		}
		begun = true;
	}
	return true;
}

/* Returns true if equal rows need only be together, as for GROUP BY. */
static bool
plan_groups(sqlite3_index_info *info)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	/* The extension may run with an older version. */
	if (sqlite3_libversion_number() >= 3038000)
		return sqlite3_vtab_distinct(info) == 1;
#endif
	(void)info;
	return false;
}

/* Returns the term of the order that is op, or -1 if rows cannot come op by
   op. */
static int
plan_order_op(sqlite3_index_info *info, const struct es__event_sizes *sizes)
{
	for (int i = 0; sizes->by_op && i < info->nOrderBy; i++)
		if (info->aOrderBy[i].iColumn == EVENT_OP_COLUMN)
			return !info->aOrderBy[i].desc &&
				(i == 0 || plan_groups(info)) ?
			    i :
			    -1;
	return -1;
}

/* Decides whether rows come op by op, and whether they come in order. */
static void
plan_order(sqlite3_index_info *info, bool one_collector,
    const struct es__event_sizes *sizes)
{
	int op = plan_order_op(info, sizes);

	info->orderByConsumed = plan_ordered(info, one_collector, sizes, op);
	if (op >= 0 && info->orderByConsumed)
		info->idxNum |= EVENT_BY_OP;
}

/* Estimates how many rows there are and how long they take. */
static void
plan_estimate(sqlite3_index_info *info, const struct es__event_sizes *sizes,
    const unsigned equal[EVENT_KEYS], const unsigned bound[EVENT_KEYS])
{
	double all = sizes->collectors > 0 ? sizes->collectors : 1;
	double some =
	    plan_bounded(all, equal[EVENT_COLLECTOR], bound[EVENT_COLLECTOR]);
	double rows = (double)sizes->tuples / all;
	double seek = log2(rows + 2.0);

	rows = plan_bounded(rows, equal[EVENT_SEQ], bound[EVENT_SEQ]);
	rows = plan_bounded(rows, equal[EVENT_START], bound[EVENT_START]);
	info->estimatedRows = (sqlite3_int64)fmax(1.0, some * rows);
	info->estimatedCost = some * (seek + rows);
}

int
es__event_plan(sqlite3_index_info *info, const struct es__event_sizes *sizes)
{
	unsigned equal[EVENT_KEYS] = { 0 };
	unsigned bound[EVENT_KEYS] = { 0 };
	char *plan = plan_constraints(info, equal, bound);

	if (plan == NULL)
		return SQLITE_NOMEM;
	info->idxNum = 0;
	if (sizes->by_op)
		plan_op(info, plan);
	info->idxStr = plan;
	info->needToFreeIdxStr = 1;
	plan_estimate(info, sizes, equal, bound);
	plan_order(info, equal[EVENT_COLLECTOR] > 0, sizes);
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
    struct es__event_range ranges[EVENT_KEYS], sqlite3_value **op)
{
	*op = NULL;
	for (int i = 0; i < EVENT_KEYS; i++)
		ranges[i] = (struct es__event_range){ .lo = INT64_MIN,
			.hi = INT64_MAX };
	for (; *plan != '\0'; plan += 2, values++) {
		size_t key;

		if (plan[0] == 'o') {
			*op = *values;
			continue;
		}
		key = (size_t)(strchr(plan_keys, plan[0]) - plan_keys);
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
