/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/smooth.c - chooses how stiff clocks are
 *
 * Each stiffness is tried on four fifths of the middles, and scored by how well
 * it predicts the others.  On sparse data the lines of the hosts are best, so
 * they are tried too.
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

/* Returns the mean miss of the middles that were held out. */
static double
smooth_score(const struct es__align_network *network)
{
	double sum = 0;
	size_t count = 0;

	for (size_t n = 0; n < network->middle_count; n++) {
		const struct es__align_middle *m = &network->middles[n];
		double miss =
		    es__align_solve_predict(network, m, network->solution) -
		    m->ahead;

		if (!m->held)
			continue;
		sum += fmin(fabs(miss) / sqrt(m->variance), OUTLIER);
		count++;
	}
	return count > 0 ? sum / (double)count : 0;
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

paths_status
es__align_smooth(struct es__align_network *network)
{
	double best = 0, chosen = stiffnesses[0];
	paths_status st = PATHS_OK;

	network->hold = true;
	for (size_t n = 0;
	     st == PATHS_OK && n < sizeof(stiffnesses) / sizeof(stiffnesses[0]);
	     n++) {
		double score;

		network->stiffness = stiffnesses[n];
		st = smooth_solve(network);
		score = smooth_score(network);
		if (n == 0 || score < best) {
			best = score;
			chosen = stiffnesses[n];
		}
	}
	network->hold = false;
	network->stiffness = chosen;
	return st == PATHS_OK ? smooth_solve(network) : st;
}
