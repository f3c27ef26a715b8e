/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/smooth.c - chooses how stiff clocks are
 *
 * Each stiffness is tried on four fifths of the middles, and scored by how
 * well it predicts the others, for each fifth in turn.  On sparse data the
 * lines of the hosts are best, so they are tried too.
 */

#include "scopes/align/smooth_private.h"

#include "scopes/align/network_private.h"
#include "scopes/align/solve_private.h"

#include <math.h>
#include <string.h>

/* ns / s^1.5; 0: the lines of the hosts, without corrections. */
static const double stiffnesses[] = { 0, 1e-3, 3, 10, 30, 100, 300 };

/* A miss of more is an outlier. */
#define OUTLIER 20.0
/* With more middles, one part of them is enough. */
#define MANY 1000u

/* Adds the misses of the middles that were held out. */
static void
smooth_score(const struct es__align_network *network, double *sum)
{
	for (size_t n = 0; n < network->middle_count; n++) {
		const struct es__align_middle *m = &network->middles[n];
		double miss =
		    es__align_solve_predict(network, m, network->solution) -
		    m->ahead;

		if (m->part == network->hold)
			*sum += fmin(fabs(miss) / sqrt(m->variance), OUTLIER);
	}
}

static paths_status
smooth_solve(struct es__align_network *network)
{
	if (network->stiffness > 0)
		return es__align_solve(network);
	memset(network->solution, 0,
	    network->unknowns * sizeof(*network->solution));
	return PATHS_OK;
}

/* Tries the stiffness of a network; sum: out, of misses. */
static paths_status
smooth_try(struct es__align_network *network, double *sum)
{
	unsigned parts = network->middle_count > MANY ? 1 : ES__ALIGN_PARTS;
	paths_status st = PATHS_OK;

	*sum = 0;
	for (unsigned part = 0; st == PATHS_OK && part < parts; part++) {
		network->hold = part;
		st = smooth_solve(network);
		smooth_score(network, sum);
	}
	network->hold = ES__ALIGN_PARTS;
	return st;
}

paths_status
es__align_smooth(struct es__align_network *network)
{
	double best = INFINITY, chosen = stiffnesses[0];
	paths_status st = PATHS_OK;

	for (size_t n = 0;
	     st == PATHS_OK && n < sizeof(stiffnesses) / sizeof(stiffnesses[0]);
	     n++) {
		double sum;

		network->stiffness = stiffnesses[n];
		st = smooth_try(network, &sum);
		if (sum < best) {
			best = sum;
			chosen = stiffnesses[n];
		}
	}
	network->stiffness = chosen;
	return st == PATHS_OK ? smooth_solve(network) : st;
}
