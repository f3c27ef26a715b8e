/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/evened.c - how long the computations of a simulated
 * program take if its work is evened out
 *
 * Searches all computations for each of them.
 */

#include "tests/scopes/whatif/evened.h"

#include <math.h>
#include <string.h>

/* Returns the mean of an epoch over the ranks that compute in it. */
static double
epoch_mean(const struct simulated *program, uint32_t epoch)
{
	double sum = 0, count = 0;

	for (uint32_t r = 0; r < program->ranks; r++) {
		sum += (double)program->computed_ns[epoch][r];
		count += program->computed_ns[epoch][r] > 0;
	}
	return sum / count;
}

/* Returns the time of a rank in an epoch, after and before two sites; of all
   epochs for UINT32_MAX. */
static double
code_ns(const struct simulated *program, uint32_t rank, uint32_t epoch,
    const struct simulated_work *code)
{
	double ns = 0;

	for (uint32_t n = 0; n < program->work_count; n++)
		if (program->work[n].rank == rank &&
		    (epoch == UINT32_MAX || program->work[n].epoch == epoch) &&
		    program->work[n].from == code->from &&
		    program->work[n].site == code->site)
			ns += (double)program->work[n].ns;
	return ns;
}

/* Returns the code in which a rank takes work of a code. */
static struct simulated_work
code_taken(const struct simulated *program, uint32_t rank,
    const struct simulated_work *code)
{
	struct simulated_work best = { .site = UINT32_MAX };
	double best_ns = 0;

	if (code_ns(program, rank, UINT32_MAX, code) > 0)
		return *code;
	for (uint32_t n = 0; n < program->work_count; n++) {
		double ns;

		if (program->work[n].rank != rank ||
		    ((program->work[n].from != code->from ||
			 code->from == UINT32_MAX) &&
			program->work[n].site != code->site))
			continue;
		ns = code_ns(program, rank, UINT32_MAX, &program->work[n]);
		if (ns > best_ns) {
			best = program->work[n];
			best_ns = ns;
		}
	}
	return best;
}

/* Returns the work of an epoch that moves from others into the code of a
   computation. */
static double
code_gets(const struct simulated *program, const struct simulated_work *to)
{
	const int64_t *sums = program->computed_ns[to->epoch];
	double mean = epoch_mean(program, to->epoch), excess = 0, ns = 0;

	for (uint32_t n = 0; n < program->work_count; n++) {
		double sum, moves;
		struct simulated_work in;

		if (program->work[n].epoch != to->epoch)
			continue;
		sum = (double)sums[program->work[n].rank];
		moves = (double)program->work[n].ns * (1 - mean / sum);
		if (moves <= 0)
			continue;
		excess += moves;
		in = code_taken(program, to->rank, &program->work[n]);
		if (in.from == to->from && in.site == to->site)
			ns += moves;
	}
	return excess > 0 ? ns * (mean - (double)sums[to->rank]) / excess : 0;
}

/* Returns the count of computations of a rank in an epoch, after and before two
   sites. */
static uint32_t
code_count(const struct simulated *program, const struct simulated_work *code)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < program->work_count; n++) {
		const struct simulated_work *w = &program->work[n];

		count += w->ns > 0 && w->rank == code->rank &&
		    w->epoch == code->epoch && w->from == code->from &&
		    w->site == code->site;
	}
	return count;
}

uint32_t
evened_factors(const struct simulated *program, double *factors,
    uint32_t *spread)
{
	static double gets[SIMULATED_EPOCHS_MAX][SIMULATED_RANKS_MAX];
	uint32_t different = 0;

	memset(gets, 0, sizeof(gets));
	for (uint32_t n = 0; n < program->work_count; n++) {
		const struct simulated_work *w = &program->work[n];
		double of = code_ns(program, w->rank, w->epoch, w);
		double ns = code_gets(program, w);

		factors[n] = 1 + fmin(ns, of) / of;
		if (ns > of && w->ns > 0) {
			factors[n] +=
			    (ns - of) / code_count(program, w) / (double)w->ns;
			++*spread;
		}
		gets[w->epoch][w->rank] += (double)w->ns * factors[n];
	}
	for (uint32_t n = 0; n < program->work_count; n++) {
		const struct simulated_work *w = &program->work[n];
		double sum = (double)program->computed_ns[w->epoch][w->rank];
		double mean = epoch_mean(program, w->epoch);

		if (mean < sum)
			factors[n] = mean / sum;
		else
			factors[n] *= mean / gets[w->epoch][w->rank];
		different += fabs(factors[n] - mean / sum) > 1e-6;
	}
	return different;
}
