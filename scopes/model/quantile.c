/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/quantile.c - quantiles
 */

#include "scopes/model/quantile_private.h"

#include <stdlib.h>

static int
double_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double
es__quantile(double *values, size_t count, double part)
{
	double at = part * (double)(count - 1);
	size_t below = (size_t)at;

	qsort(values, count, sizeof(*values), double_compare);
	if (below + 1 >= count)
		return values[count - 1];
	return values[below] +
	    (at - (double)below) * (values[below + 1] - values[below]);
}
