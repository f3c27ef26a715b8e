/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/solve.c - solves the least squares problem of all clocks
 *
 * Conjugate gradients on the normal equations.  The preconditioner solves each
 * host alone, with the others fixed: a matrix with five diagonals.  It takes
 * care of the stiffness, which makes these equations ill-conditioned; what is
 * left for the iterations is the network.
 */

#include "scopes/align/solve_private.h"

#include "scopes/align/network_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITERATIONS 1000u
/* Squared; of the first residual. */
#define PRECISION 1e-20

/* Standard deviation of the rate of a clock that its line does not have. */
#define RATE 1e-5
#define END_WEIGHT 1e-11

/* The five diagonals of a host, or their factors L * D * L^T. */
struct penta {
	double *main, *near, *far;
};

/* Weights of the normal equations, and the vectors of the iteration. */
struct solve {
	const struct es__align_network *network;
	double bend, slope; /* weights of second and first differences */
	struct penta penta;
	double *bias; /* diagonal of the biases */
	double *residual, *direction, *scaled, *product;
};

double
es__align_solve_predict(const struct es__align_network *network,
    const struct es__align_middle *middle, const double *solution)
{
	const struct es__align_link *l = &network->align->links[middle->link];
	const double *a =
	    solution + es__align_network_host(network, l->a) + middle->corner;
	const double *b =
	    solution + es__align_network_host(network, l->b) + middle->corner;

	return (b[0] - a[0]) * (1 - middle->share) +
	    (b[1] - a[1]) * middle->share +
	    solution[es__align_network_bias(network, middle->link)];
}

/* Returns whether a host has unknown corrections. */
static bool
host_is_free(const struct es__align *align, uint32_t host)
{
	return host != align->reference && align->hosts[host].connected;
}

/* Adds weight * value * (the coefficients of a middle) to a vector. */
static void
middle_scatter(const struct es__align_network *network,
    const struct es__align_middle *m, double value, double *to)
{
	const struct es__align_link *l = &network->align->links[m->link];
	double *a = to + es__align_network_host(network, l->a) + m->corner;
	double *b = to + es__align_network_host(network, l->b) + m->corner;

	a[0] -= value * (1 - m->share);
	a[1] -= value * m->share;
	b[0] += value * (1 - m->share);
	b[1] += value * m->share;
	to[es__align_network_bias(network, m->link)] += value;
}

/* Adds the equations that hold the corrections of a host back. */
static void
host_multiply(const struct solve *s, const double *x, double *to)
{
	uint32_t corners = s->network->corners;

	for (uint32_t k = 0; k + 2 < corners; k++) {
		double bend = s->bend * (x[k] - 2 * x[k + 1] + x[k + 2]);

		to[k] += bend;
		to[k + 1] -= 2 * bend;
		to[k + 2] += bend;
	}
	for (uint32_t k = 0; k + 1 < corners; k++) {
		double slope = s->slope * (x[k + 1] - x[k]);

		to[k] -= slope;
		to[k + 1] += slope;
	}
	to[0] += END_WEIGHT * x[0];
	to[corners - 1] += END_WEIGHT * x[corners - 1];
}

/* Clears the places of hosts without unknown corrections. */
static void
solve_mask(const struct es__align_network *network, double *x)
{
	for (uint32_t h = 0; h < network->align->host_count; h++)
		if (!host_is_free(network->align, h))
			memset(x + es__align_network_host(network, h), 0,
			    network->corners * sizeof(*x));
}

/* Computes the product of the matrix of the normal equations with x. */
static void
solve_multiply(const struct solve *s, const double *x, double *to)
{
	const struct es__align_network *network = s->network;
	const struct es__align *align = network->align;

	memset(to, 0, network->unknowns * sizeof(*to));
	for (size_t n = 0; n < network->middle_count; n++) {
		const struct es__align_middle *m = &network->middles[n];

		if (m->part != network->hold)
			middle_scatter(network, m,
			    es__align_solve_predict(network, m, x) /
				m->variance,
			    to);
	}
	for (uint32_t h = 0; h < align->host_count; h++) {
		size_t at = es__align_network_host(network, h);

		if (host_is_free(align, h))
			host_multiply(s, x + at, to + at);
	}
	for (uint32_t l = 0; l < align->link_count; l++) {
		size_t at = es__align_network_bias(network, l);

		to[at] += x[at] / network->bias_variance[l];
	}
	solve_mask(network, to);
}

/* Sets the diagonals of a host that hold it back. */
static void
penta_hold(const struct solve *s, size_t at)
{
	const struct penta *p = &s->penta;
	uint32_t corners = s->network->corners;

	for (uint32_t k = 0; k + 2 < corners; k++) {
		p->main[at + k] += s->bend;
		p->main[at + k + 1] += 4 * s->bend;
		p->main[at + k + 2] += s->bend;
		p->near[at + k] -= 2 * s->bend;
		p->near[at + k + 1] -= 2 * s->bend;
		p->far[at + k] += s->bend;
	}
	for (uint32_t k = 0; k + 1 < corners; k++) {
		p->main[at + k] += s->slope;
		p->main[at + k + 1] += s->slope;
		p->near[at + k] -= s->slope;
	}
	p->main[at] += END_WEIGHT;
	p->main[at + corners - 1] += END_WEIGHT;
}

/* Factors the diagonals of a host. */
static void
penta_factor(const struct penta *p, size_t at, uint32_t corners)
{
	for (size_t k = at; k < at + corners; k++) {
		double near = k > at ? p->near[k - 1] : 0;
		double far = k > at + 1 ? p->far[k - 2] : 0;

		if (k > at + 1)
			p->main[k] -= far * far * p->main[k - 2];
		if (k > at)
			p->main[k] -= near * near * p->main[k - 1];
		if (k > at)
			p->near[k] -= near * p->main[k - 1] * p->far[k - 1];
		p->near[k] /= p->main[k];
		p->far[k] /= p->main[k];
	}
}

static void
penta_solve(const struct penta *p, size_t at, uint32_t corners, double *x)
{
	for (size_t k = at; k < at + corners; k++) {
		if (k > at)
			x[k] -= p->near[k - 1] * x[k - 1];
		if (k > at + 1)
			x[k] -= p->far[k - 2] * x[k - 2];
	}
	for (size_t k = at + corners; k-- > at;) {
		x[k] /= p->main[k];
		if (k + 1 < at + corners)
			x[k] -= p->near[k] * x[k + 1];
		if (k + 2 < at + corners)
			x[k] -= p->far[k] * x[k + 2];
	}
}

/* Makes the preconditioner. */
static void
solve_prepare(struct solve *s)
{
	const struct es__align_network *network = s->network;
	const struct es__align *align = network->align;

	for (uint32_t h = 0; h < align->host_count; h++)
		penta_hold(s, es__align_network_host(network, h));
	for (uint32_t l = 0; l < align->link_count; l++)
		s->bias[l] = 1 / network->bias_variance[l];
	for (size_t n = 0; n < network->middle_count; n++) {
		const struct es__align_middle *m = &network->middles[n];
		const struct es__align_link *l = &align->links[m->link];
		double after = m->share, before = 1 - m->share;

		if (m->part == network->hold)
			continue;
		for (unsigned i = 0; i < 2; i++) {
			size_t at = es__align_network_host(network,
					i == 0 ? l->a : l->b) +
			    m->corner;

			s->penta.main[at] += before * before / m->variance;
			s->penta.main[at + 1] += after * after / m->variance;
			s->penta.near[at] += before * after / m->variance;
		}
		s->bias[m->link] += 1 / m->variance;
	}
	for (uint32_t h = 0; h < align->host_count; h++)
		penta_factor(&s->penta, es__align_network_host(network, h),
		    network->corners);
}

static void
solve_precondition(const struct solve *s, const double *x, double *to)
{
	const struct es__align_network *network = s->network;
	const struct es__align *align = network->align;

	memcpy(to, x, network->unknowns * sizeof(*to));
	for (uint32_t h = 0; h < align->host_count; h++)
		penta_solve(&s->penta, es__align_network_host(network, h),
		    network->corners, to);
	for (uint32_t l = 0; l < align->link_count; l++)
		to[es__align_network_bias(network, l)] /= s->bias[l];
	solve_mask(network, to);
}

static double
dot(const double *x, const double *y, size_t count)
{
	double sum = 0;

	for (size_t n = 0; n < count; n++)
		sum += x[n] * y[n];
	return sum;
}

/* Sets the residual of the solution that is there. */
static void
solve_residual(struct solve *s)
{
	const struct es__align_network *network = s->network;

	solve_multiply(s, network->solution, s->product);
	memset(s->residual, 0, network->unknowns * sizeof(*s->residual));
	for (size_t n = 0; n < network->middle_count; n++) {
		const struct es__align_middle *m = &network->middles[n];

		if (m->part != network->hold)
			middle_scatter(network, m, m->ahead / m->variance,
			    s->residual);
	}
	solve_mask(network, s->residual);
	for (size_t n = 0; n < network->unknowns; n++)
		s->residual[n] -= s->product[n];
}

static void
solve_iterate(struct solve *s)
{
	size_t count = s->network->unknowns;
	double *x = s->network->solution;
	double size, first;

	solve_residual(s);
	solve_precondition(s, s->residual, s->scaled);
	memcpy(s->direction, s->scaled, count * sizeof(*s->direction));
	size = first = dot(s->residual, s->scaled, count);
	for (unsigned n = 0;
	     n < ITERATIONS && size > first * PRECISION && size > 0; n++) {
		double step, next;

		solve_multiply(s, s->direction, s->product);
		step = size / dot(s->direction, s->product, count);
		for (size_t i = 0; i < count; i++) {
			x[i] += step * s->direction[i];
			s->residual[i] -= step * s->product[i];
		}
		solve_precondition(s, s->residual, s->scaled);
		next = dot(s->residual, s->scaled, count);
		for (size_t i = 0; i < count; i++)
			s->direction[i] =
			    s->scaled[i] + next / size * s->direction[i];
		size = next;
	}
}

paths_status
es__align_solve(struct es__align_network *network)
{
	size_t count = network->unknowns;
	double window = network->align->length / 1e9;
	double bend = network->stiffness * window * sqrt(window);
	double slope = RATE * network->align->length;
	double *memory = calloc(8 * count + 1, sizeof(*memory));
	struct solve s = { .network = network,
		.bend = 1 / (bend * bend),
		.slope = 1 / (slope * slope) };

	if (memory == NULL)
		return PATHS_ENOMEM;
	s.penta = (struct penta){ memory, memory + count, memory + 2 * count };
	s.bias = memory + 3 * count;
	s.residual = memory + 4 * count;
	s.direction = memory + 5 * count;
	s.scaled = memory + 6 * count;
	s.product = memory + 7 * count;
	solve_prepare(&s);
	solve_iterate(&s);
	free(memory);
	return PATHS_OK;
}
