/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/place/instances.c - communication patterns and best placements
 */

#include "tests/scopes/place/instances.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint32_t instance_processes[] = { 64, 128, 256, 512, 1024 };
const char *const instance_machines[] = { "8:2:4", "16:2:4", "16:2:8", "32:2:8",
	"8:16:2:4" };
const char *const instance_links[] = { "10:3:1", "10:3:1", "10:3:1", "10:3:1",
	"10:5:3:1" };

struct pattern {
	uint32_t n;
	uint64_t state;
	struct es_traffic_edge *edges;
	size_t count, room;
	uint32_t dims[3];
};

static void
pattern_check(bool good)
{
	if (good)
		return;
	fprintf(stderr, "instances: %s\n", paths_log_last());
	exit(1);
}

static uint64_t
pattern_draw(struct pattern *p)
{
	p->state ^= p->state << 13;
	p->state ^= p->state >> 7;
	p->state ^= p->state << 17;
	return p->state;
}

static double
pattern_share(struct pattern *p)
{
	return (double)(pattern_draw(p) >> 11) / 9007199254740992.0;
}

static uint32_t
pattern_below(struct pattern *p, uint32_t n)
{
	return (uint32_t)(((pattern_draw(p) >> 32) * n) >> 32);
}

static void
pattern_add(struct pattern *p, uint32_t a, uint32_t b, double weight)
{
	if (p->count == p->room) {
		p->room = p->room * 2 + 1024;
		p->edges = reallocarray(p->edges, p->room, sizeof(*p->edges));
		pattern_check(p->edges != NULL);
	}
	p->edges[p->count++] = (struct es_traffic_edge){ a, b, weight };
}

static void
pattern_sort(uint32_t *dims, uint32_t count)
{
	for (uint32_t n = 1; n < count; n++)
		for (uint32_t k = n; k > 0 && dims[k - 1] < dims[k]; k--) {
			uint32_t other = dims[k];

			dims[k] = dims[k - 1];
			dims[k - 1] = other;
		}
}

/* Factors n: the prime factors, largest first, each times the smallest. */
static void
pattern_dims(struct pattern *p, uint32_t count)
{
	uint32_t rest = p->n;

	for (uint32_t n = 0; n < count; n++)
		p->dims[n] = 1;
	for (uint32_t prime = p->n; prime > 1; prime--) {
		bool is_prime = true;

		for (uint32_t d = 2; d * d <= prime; d++)
			is_prime &= prime % d != 0;
		while (is_prime && rest % prime == 0) {
			uint32_t least = 0;

			for (uint32_t n = 1; n < count; n++)
				if (p->dims[n] < p->dims[least])
					least = n;
			p->dims[least] *= prime;
			rest /= prime;
		}
	}
	pattern_sort(p->dims, count);
}

/* A point of a grid of three dimensions, and its rank. */
struct point {
	int64_t at[3];
};

static struct point
pattern_point(const struct pattern *p, uint32_t rank)
{
	uint32_t z = p->dims[2], y = p->dims[1];

	return (struct point){ { rank / z / y, rank / z % y, rank % z } };
}

static bool
pattern_inside(const struct pattern *p, const struct point *point)
{
	for (int n = 0; n < 3; n++)
		if (point->at[n] < 0 || point->at[n] >= p->dims[n])
			return false;
	return true;
}

static uint32_t
pattern_rank(const struct pattern *p, const struct point *point)
{
	return (
	    uint32_t)((point->at[0] * p->dims[1] + point->at[1]) * p->dims[2] +
	    point->at[2]);
}

/* The weight of a neighbour in a grid by its offset; 0: none. */
typedef double pattern_weight(const int64_t offset[3]);

static double
weight_st2d5(const int64_t d[3])
{
	return d[0] * d[0] + d[1] * d[1] == 1 && d[2] == 0 ? 10000 : 0;
}

static double
weight_st2d9a(const int64_t d[3])
{
	if (d[2] != 0)
		return 0;
	return d[0] == 0 ? 1000 : d[1] == 0 ? 10000 : 10;
}

static double
weight_st3d7(const int64_t d[3])
{
	return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] == 1 ? 10000 : 0;
}

static double
weight_st3d27(const int64_t d[3])
{
	const double weights[] = { 0, 10000, 100, 1 };

	return weights[d[0] * d[0] + d[1] * d[1] + d[2] * d[2]];
}

/* Sets the offset of number n in a box of this radius around a point. */
static void
pattern_offset(int64_t n, int64_t radius, int64_t offset[3])
{
	int64_t side = 2 * radius + 1;

	offset[0] = n / side / side - radius;
	offset[1] = n / side % side - radius;
	offset[2] = n % side - radius;
}

static void
pattern_grid(struct pattern *p, uint32_t dims, pattern_weight *weight)
{
	p->dims[2] = 1;
	pattern_dims(p, dims);
	for (uint32_t rank = 0; rank < p->n; rank++)
		for (int64_t n = 14; n < 27; n++) {
			struct point point = pattern_point(p, rank);
			int64_t d[3];

			pattern_offset(n, 1, d);
			for (int k = 0; k < 3; k++)
				point.at[k] += d[k];
			if (pattern_inside(p, &point))
				pattern_add(p, rank, pattern_rank(p, &point),
				    weight(d));
		}
}

static void
pattern_st2d5(struct pattern *p)
{
	pattern_grid(p, 2, weight_st2d5);
}

static void
pattern_st2d9a(struct pattern *p)
{
	pattern_grid(p, 2, weight_st2d9a);
}

static void
pattern_st3d7(struct pattern *p)
{
	pattern_grid(p, 3, weight_st3d7);
}

static void
pattern_st3d27(struct pattern *p)
{
	pattern_grid(p, 3, weight_st3d27);
}

/* Points in the unit cube, and pairs that are near. */
static void
pattern_rgg(struct pattern *p)
{
	double radius = cbrt(42 / (4 * M_PI * p->n));
	double *x = calloc(p->n, 3 * sizeof(*x));

	pattern_check(x != NULL);
	for (uint32_t n = 0; n < 3 * p->n; n++)
		x[n] = pattern_share(p);
	for (uint32_t a = 0; a < p->n; a++)
		for (uint32_t b = a + 1; b < p->n; b++) {
			double sum = 0;

			for (int k = 0; k < 3; k++)
				sum += (x[3 * a + k] - x[3 * b + k]) *
				    (x[3 * a + k] - x[3 * b + k]);
			if (sqrt(sum) < radius)
				pattern_add(p, a, b,
				    floor(10000 * (1.05 - sqrt(sum) / radius)));
		}
	free(x);
}

/* Conjugate gradients: sums along rows of a matrix, and its transpose. */
static void
pattern_cg(struct pattern *p)
{
	uint32_t log = 31u - (uint32_t)__builtin_clz(p->n);
	uint32_t cols = 1u << ((log + 1) / 2), rows = p->n / cols;

	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t to = rows == cols ?
		    i % rows * rows + i / rows :
		    2 * (i / 2 % rows * rows + i / 2 / rows) + i % 2;

		for (uint32_t bit = 1; bit < cols; bit *= 2)
			if ((i & bit) == 0)
				pattern_add(p, i, i ^ bit, 10000);
		pattern_add(p, i, to, 5000);
	}
}

static void
pattern_bt(struct pattern *p)
{
	uint32_t q = (uint32_t)sqrt(p->n);

	for (uint32_t n = 0; n < p->n; n++) {
		uint32_t i = n / q, j = n % q, down = (i + 1) % q;

		pattern_add(p, n, down * q + j, 10000);
		pattern_add(p, n, i * q + (j + 1) % q, 10000);
		pattern_add(p, n, down * q + (j + 1) % q, 10000);
	}
}

/* Geometric multigrid on a torus: strides 1, 2 and 4. */
static void
pattern_mg(struct pattern *p)
{
	pattern_dims(p, 3);
	for (uint32_t stride = 1; stride <= 4; stride *= 2)
		for (uint32_t n = 0; n < p->n; n++) {
			struct point at = pattern_point(p, n);

			if ((at.at[0] | at.at[1] | at.at[2]) & (stride - 1))
				continue;
			for (int k = 0; k < 3; k++) {
				struct point to = at;

				to.at[k] = (at.at[k] + stride) % p->dims[k];
				if (p->dims[k] > stride)
					pattern_add(p, n, pattern_rank(p, &to),
					    16384.0 / (stride * stride));
			}
		}
}

static void
pattern_bintree(struct pattern *p)
{
	for (uint32_t n = 1; n < p->n; n++)
		pattern_add(p, n, (n - 1) / 2, 10000);
}

static void
pattern_binom(struct pattern *p)
{
	for (uint32_t n = 1; n < p->n; n++)
		pattern_add(p, n, n & (n - 1), 10000);
}

static void
pattern_hyper(struct pattern *p)
{
	for (uint32_t n = 0; n < p->n; n++)
		for (uint32_t bit = 1; bit < p->n; bit *= 2)
			pattern_add(p, n, n ^ bit, 5000);
}

/* A level of algebraic multigrid: neighbours in a box. */
static void
pattern_amg_level(struct pattern *p, double weight, int64_t stride,
    int64_t radius)
{
	int64_t side = 2 * radius + 1;

	for (uint32_t i = 0; i < p->n; i++)
		for (int64_t n = 0; n < side * side * side; n++) {
			struct point at = pattern_point(p, i), to = at;
			int64_t d[3], sum = 0;

			pattern_offset(n, radius, d);
			for (int k = 0; k < 3; k++) {
				to.at[k] += stride * d[k];
				sum += d[k] * d[k];
			}
			if ((at.at[0] | at.at[1] | at.at[2]) & (stride - 1))
				continue;
			if (pattern_inside(p, &to) && pattern_rank(p, &to) > i)
				pattern_add(p, i, pattern_rank(p, &to),
				    floor(weight / (double)(sum * sum) *
					(0.5 + pattern_share(p))) +
					1);
		}
}

static void
pattern_amg(struct pattern *p)
{
	pattern_dims(p, 3);
	pattern_amg_level(p, 10000, 1, 1);
	pattern_amg_level(p, 3000, 1, 2);
	pattern_amg_level(p, 800, 2, 2);
}

/* A graph with few processes of many partners. */
static void
pattern_rmat(struct pattern *p)
{
	for (uint32_t edge = 0; edge < 8 * p->n; edge++) {
		uint32_t a = 0, b = 0;

		for (uint32_t bit = p->n / 2; bit > 0; bit /= 2) {
			double u = pattern_share(p);

			if (u >= 0.57 + 0.19)
				a |= bit;
			if ((u >= 0.57 && u < 0.57 + 0.19) ||
			    u >= 0.57 + 0.19 + 0.19)
				b |= bit;
		}
		pattern_add(p, a, b, 100);
	}
	for (uint32_t n = 0; n + 1 < p->n; n++)
		pattern_add(p, n, n + 1, 1);
}

static void
pattern_a2a(struct pattern *p)
{
	for (uint32_t a = 0; a < p->n; a++)
		for (uint32_t b = a + 1; b < p->n; b++)
			pattern_add(p, a, b, 1000);
}

static const struct {
	const char *name;
	void (*make)(struct pattern *p);
} patterns[] = {
	{ "st2d5", pattern_st2d5 },
	{ "st2d9a", pattern_st2d9a },
	{ "st3d7", pattern_st3d7 },
	{ "st3d27", pattern_st3d27 },
	{ "rgg", pattern_rgg },
	{ "cg", pattern_cg },
	{ "bt", pattern_bt },
	{ "mg", pattern_mg },
	{ "bintree", pattern_bintree },
	{ "binom", pattern_binom },
	{ "hyper", pattern_hyper },
	{ "amg", pattern_amg },
	{ "rmat", pattern_rmat },
	{ "a2a", pattern_a2a },
};

/* Renumbers the ranks by a random permutation. */
static void
pattern_renumber(struct pattern *p)
{
	uint32_t *to = calloc(p->n, sizeof(*to));

	pattern_check(to != NULL);
	for (uint32_t n = 0; n < p->n; n++)
		to[n] = n;
	for (uint32_t n = p->n; n > 1; n--) {
		uint32_t k = pattern_below(p, n), other = to[k];

		to[k] = to[n - 1];
		to[n - 1] = other;
	}
	for (size_t n = 0; n < p->count; n++) {
		p->edges[n].from = to[p->edges[n].from];
		p->edges[n].to = to[p->edges[n].to];
	}
	free(to);
}

struct es_traffic *
instance_traffic(const char *name, uint32_t processes)
{
	struct pattern p = { .n = processes };
	size_t length = strcspn(name, "-");
	struct es_traffic *traffic = NULL;

	p.state =
	    UINT64_C(0x9E3779B97F4A7C15) ^ (processes * UINT64_C(1000003));
	for (const char *c = name; *c != '\0'; c++)
		p.state = p.state * 31 + (unsigned char)*c;
	for (int n = 0; n < 10; n++)
		pattern_draw(&p);
	for (size_t n = 0; n < sizeof(patterns) / sizeof(*patterns); n++)
		if (strlen(patterns[n].name) == length &&
		    memcmp(patterns[n].name, name, length) == 0)
			patterns[n].make(&p);
	if (name[length] == '-')
		pattern_renumber(&p);
	pattern_check(es_traffic_create(processes, p.edges, p.count,
			  &traffic) == PATHS_OK);
	free(p.edges);
	return traffic;
}

struct es_machine *
instance_special_machine(const struct instance_special *s)
{
	struct es_machine *whole = NULL, *machine = NULL;
	uint32_t nodes, cores, count = 0, *slots;

	pattern_check(
	    es_machine_synthetic(s->machine, NULL, &whole) == PATHS_OK);
	nodes = (uint32_t)strtoul(s->machine, NULL, 10);
	cores = es_machine_slots(whole) / nodes;
	slots = calloc(es_machine_slots(whole), sizeof(*slots));
	pattern_check(slots != NULL);
	for (uint32_t node = 0; node < nodes; node++)
		for (uint32_t n = 0; n < s->cores[node]; n++)
			slots[count++] = node * cores + n;
	pattern_check(
	    es_machine_subset(whole, slots, count, &machine) == PATHS_OK);
	free(slots);
	es_machine_destroy(whole);
	return machine;
}
