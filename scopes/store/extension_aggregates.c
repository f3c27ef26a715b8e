/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_aggregates.c - median, percentile and stdev
 *
 *	median(x)		percentile(x, 50)
 *	percentile(x, p)	p from 0 to 100, the same in all rows; linear
 *				interpolation between two values
 *	stdev(x)		of a sample; NULL for less than two values
 *
 * They ignore NULL, as every aggregate of SQL does, and refuse text and blobs.
 * The first two give the results of the extension "percentile" of later
 * versions of SQLite.
 */

#include "scopes/store/extension_aggregates_private.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct sample {
	double *values;
	size_t count;
	size_t room;
	double percent;
};

struct spread {
	uint64_t count;
	double mean;
	double squares; /* sum of squared distances from the mean */
};

/* Returns false for NULL, which is ignored, and for text, after reporting the
   error. */
static bool
sample_number(sqlite3_context *context, sqlite3_value *value, double *number)
{
	int type = sqlite3_value_type(value);

	if (type == SQLITE_NULL)
		return false;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
		sqlite3_result_error(context, "value is not a number", -1);
		return false;
	}
	*number = sqlite3_value_double(value);
	return true;
}

static bool
sample_grow(struct sample *sample)
{
	size_t room = sample->room == 0 ? 512 : 2 * sample->room;
	double *values =
	    sqlite3_realloc64(sample->values, room * sizeof(*values));

	if (values == NULL)
		return false;
	sample->values = values;
	sample->room = room;
	return true;
}

static void
sample_add(sqlite3_context *context, sqlite3_value *value, double percent)
{
	struct sample *sample;
	double number;

	if (!sample_number(context, value, &number))
		return;
	sample = sqlite3_aggregate_context(context, sizeof(*sample));
	if (sample == NULL ||
	    (sample->count == sample->room && !sample_grow(sample))) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (sample->count > 0 && sample->percent != percent) {
		sqlite3_result_error(context,
		    "percentile: p is not the same in all rows", -1);
		return;
	}
	sample->percent = percent;
	sample->values[sample->count++] = number;
}

static void
median_step(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	(void)count;
	sample_add(context, arguments[0], 50.0);
}

static void
percentile_step(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	double percent = sqlite3_value_double(arguments[1]);
	int type = sqlite3_value_numeric_type(arguments[1]);

	(void)count;
	if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || percent < 0.0 ||
	    percent > 100.0) {
		sqlite3_result_error(context,
		    "percentile: p is not a number from 0 to 100", -1);
		return;
	}
	sample_add(context, arguments[0], percent);
}

static int
sample_compare(const void *left, const void *right)
{
	const double *a = left;
	const double *b = right;

	return (*a > *b) - (*a < *b);
}

/*
 * Hoare's partition around the median of three.  No value in [0, result) is
 * greater than one after it, and neither part is empty.
 */
static size_t
sample_partition(double *v, size_t count)
{
	double a = v[0];
	double b = v[count / 2];
	double c = v[count - 1];
	double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
	size_t i = 0;
	size_t j = count - 1;

	for (;;) {
		double swap;

		while (v[i] < pivot)
			i++;
		while (v[j] > pivot)
			j--;
		if (i >= j)
			return j + 1;
		swap = v[i];
		v[i++] = v[j];
		v[j--] = swap;
	}
}

/*
 * Quickselect: moves the value of rank n to v[n], with no smaller value after
 * it and no larger one before it.  It sorts the remainder when that is small,
 * or after 64 partitions, so no order of the input makes it quadratic.
 */
static void
sample_select(double *v, size_t count, size_t n)
{
	for (unsigned tries = 0; count > 32 && tries < 64; tries++) {
		size_t split = sample_partition(v, count);

		if (n < split) {
			count = split;
		} else {
			v += split;
			count -= split;
			n -= split;
		}
	}
	qsort(v, count, sizeof(*v), sample_compare);
}

static void
sample_final(sqlite3_context *context)
{
	struct sample *sample = sqlite3_aggregate_context(context, 0);
	double rank;
	double value;
	size_t n;

	if (sample == NULL || sample->count == 0)
		return;
	rank = sample->percent / 100.0 * (double)(sample->count - 1);
	n = (size_t)rank;
	sample_select(sample->values, sample->count, n);
	value = sample->values[n];
	if (rank > (double)n) {
		double above = INFINITY;

		for (size_t i = n + 1; i < sample->count; i++)
			above = fmin(above, sample->values[i]);
		value += (rank - (double)n) * (above - value);
	}
	sqlite3_free(sample->values);
	sqlite3_result_double(context, value);
}

/* Welford's algorithm: a plain sum of squares loses all digits of large
   stamps. */
static void
stdev_step(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	struct spread *spread;
	double number;
	double from_mean;

	(void)count;
	if (!sample_number(context, arguments[0], &number))
		return;
	spread = sqlite3_aggregate_context(context, sizeof(*spread));
	if (spread == NULL) {
		sqlite3_result_error_nomem(context);
		return;
	}
	from_mean = number - spread->mean;
	spread->mean += from_mean / (double)++spread->count;
	spread->squares += from_mean * (number - spread->mean);
}

static void
stdev_final(sqlite3_context *context)
{
	struct spread *spread = sqlite3_aggregate_context(context, 0);

	if (spread != NULL && spread->count > 1)
		sqlite3_result_double(context,
		    sqrt(spread->squares / (double)(spread->count - 1)));
}

int
es__extension_aggregates(sqlite3 *db)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int rc = sqlite3_create_function_v2(db, "median", 1, flags, NULL, NULL,
	    median_step, sample_final, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_create_function_v2(db, "percentile", 2, flags,
		    NULL, NULL, percentile_step, sample_final, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_create_function_v2(db, "stdev", 1, flags, NULL,
		    NULL, stdev_step, stdev_final, NULL);
	return rc;
}
