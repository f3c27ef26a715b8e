/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/scenario.c - operations between hosts whose clocks drift,
 * with exact truth
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior, table 1
 *		(global sum, wind tunnel, several clusters)
 */

#include "tests/scopes/align/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* xorshift64*: the same numbers on every machine. */
static double
uniform(struct scenario *s)
{
	s->state ^= s->state >> 12;
	s->state ^= s->state << 25;
	s->state ^= s->state >> 27;
	return (double)((s->state * UINT64_C(2685821657736338717)) >> 11) *
	    0x1p-53;
}

static double
between(struct scenario *s, double low, double high)
{
	return low + (high - low) * uniform(s);
}

static uint32_t
below(struct scenario *s, uint32_t count)
{
	return (uint32_t)(uniform(s) * count);
}

static double
exponential(struct scenario *s, double mean)
{
	return -mean * log(1 - uniform(s));
}

static double
normal(struct scenario *s, double sd)
{
	double r = sqrt(-2 * log(1 - uniform(s)));

	return sd * r * cos(2 * PI * uniform(s));
}

/* A rare delay: with probability p, exponential with this mean. */
static double
hiccup(struct scenario *s, double p, double mean)
{
	return uniform(s) < p ? exponential(s, mean) : 0;
}

/* Parameters of the clocks: standard deviation of the skew in ppm, size and
   period of the wave, steps of the walk in us/s. */
struct drift {
	double ppm, wave, period_s, walk;
};

static void
clocks_make(struct scenario *s, const struct drift *d, uint32_t seconds)
{
	for (uint32_t h = 0; h < s->hosts; h++) {
		struct scenario_clock *c = &s->clocks[h];
		double rate = 0;

		c->offset = between(s, 0, 1e9);
		c->skew = normal(s, d->ppm) * 1e-6;
		c->wave = d->wave * between(s, 0.5, 1.5);
		c->period = d->period_s * 1e6 * between(s, 0.7, 1.5);
		c->phase = between(s, 0, 2 * PI);
		c->seconds = seconds;
		c->walk = calloc(seconds + 2, sizeof(*c->walk));
		if (c->walk == NULL)
			abort();
		for (uint32_t n = 0; n <= seconds; n++) {
			rate += normal(s, d->walk);
			c->walk[n + 1] = c->walk[n] + rate;
		}
	}
}

int64_t
scenario_read(const struct scenario_clock *c, double us)
{
	double second = us / 1e6;
	uint32_t n = second >= c->seconds ? c->seconds : (uint32_t)second;
	double walk = c->walk[n] + (c->walk[n + 1] - c->walk[n]) * (second - n);
	double ahead = c->offset + c->skew * us +
	    c->wave * sin(2 * PI * us / c->period + c->phase) + walk;

	if (c->jump != 0 && us >= c->jump_at)
		ahead += c->jump;
	return llround((us + ahead) * 1e3);
}

static uint32_t
route_of(struct scenario *s, uint32_t from, uint32_t to, uint32_t gateway)
{
	uint32_t n = 0;

	while (n < s->route_count &&
	    (s->routes[n].from != from || s->routes[n].to != to))
		n++;
	if (n == s->route_count)
		s->routes[s->route_count++] =
		    (struct scenario_route){ from, to, gateway };
	return n;
}

static void
hop_add(struct scenario *s, const struct scenario_hop *hop)
{
	if (s->count == s->room) {
		s->room = s->room == 0 ? 4096 : s->room * 2;
		s->hops = realloc(s->hops, s->room * sizeof(*s->hops));
		if (s->hops == NULL)
			abort();
	}
	s->hops[s->count++] = *hop;
	s->end = hop->t4 > s->end ? hop->t4 : s->end;
}

/* Global sum: 11 hosts send to host 0, which answers when all have come; one of
   `every` rounds is recorded. */
static void
global_sum(struct scenario *s, uint32_t rounds, uint32_t every)
{
	struct scenario_hop hops[11];
	double next[11];

	s->hosts = 12;
	clocks_make(s, &(struct drift){ 18, 3, 120, 0.002 }, rounds / 625);
	for (uint32_t k = 0; k < 11; k++)
		next[k] = 1e6;
	for (uint32_t round = 0; round < rounds; round++) {
		uint32_t rank[11];
		double complete = 0;

		for (uint32_t k = 0; k < 11; k++) {
			double t1 =
			    next[k] + exponential(s, 40) + hiccup(s, .01, 300);
			double t2 =
			    t1 + 95 + exponential(s, 12) + hiccup(s, .01, 400);
			uint32_t other = below(s, k + 1);

			hops[k] = (struct scenario_hop){ .from = k + 1,
				.t1 = t1,
				.t2 = t2,
				.bytes = 64,
				.both = true };
			complete = t2 > complete ? t2 : complete;
			rank[k] = rank[other];
			rank[other] = k;
			if (other == k)
				rank[k] = k;
		}
		for (uint32_t k = 0; k < 11; k++) {
			struct scenario_hop *hop = &hops[k];

			hop->t3 = complete + 10 + 2 * k * uniform(s);
			hop->t4 = hop->t3 + 95 + 6 * rank[k] +
			    exponential(s, 12) + hiccup(s, .01, 400);
			next[k] = hop->t4 + 600;
			hop->route = route_of(s, hop->from, 0, hop->from);
			if (round % every == 0)
				hop_add(s, hop);
		}
	}
}

static void
e1(struct scenario *s)
{
	global_sum(s, 25000, 1);
}

static void
e1n50(struct scenario *s)
{
	global_sum(s, 25000, 500);
}

/* For benchmarks: 4.6 million messages. */
static void
e1_long(struct scenario *s)
{
	global_sum(s, 209000, 1);
}

static double
lan(struct scenario *s, double bytes)
{
	return 110 + 0.0815 * bytes + exponential(s, 25) + hiccup(s, .02, 1500);
}

static double
lomax(struct scenario *s)
{
	return (pow(1 - uniform(s), -1 / 1.3) - 1) * 3000;
}

/* The wide-area link between hosts 12 and 13. */
static double
wan(struct scenario *s, uint32_t from, uint32_t bytes)
{
	static const double lost[] = { 2e5, 4e5, 1e6 };
	double t = (from == 12 ? 18800 : 17600) + exponential(s, 900);

	if (uniform(s) < .08)
		t += lomax(s);
	if (bytes == 0)
		return uniform(s) < .01 ? t + 2e5 : t;
	t += (ceil(bytes / 16000.0) - 1) * 36400;
	return uniform(s) < .02 ? t + lost[below(s, 3)] : t;
}

static double
travel(struct scenario *s, uint32_t from, uint32_t to, uint32_t bytes)
{
	if ((from == 12 && to == 13) || (from == 13 && to == 12))
		return wan(s, from, bytes);
	return lan(s, bytes);
}

/* A write from one host to another, maybe through a gateway; returns its end;
   arrival: the time at which it arrives. */
static double
chain_write(struct scenario *s, const struct scenario_route *route, double t1,
    uint32_t bytes, double *arrival)
{
	bool through = route->gateway != route->from;
	uint32_t next = through ? route->gateway : route->to;
	struct scenario_hop hop = { .from = route->from,
		.to = next,
		.t1 = t1,
		.bytes = bytes };
	struct scenario_hop behind = { .from = next,
		.to = route->to,
		.position = 1,
		.bytes = bytes };

	hop.route = behind.route =
	    route_of(s, route->from, route->to, route->gateway);
	hop.t2 = t1 + travel(s, hop.from, hop.to, bytes);
	hop.t3 = hop.t2 + 40;
	*arrival = hop.t2;
	if (through) {
		behind.t1 = hop.t2 + 20;
		behind.t2 =
		    behind.t1 + travel(s, behind.from, behind.to, bytes);
		behind.t3 = behind.t2 + 40;
		behind.t4 = behind.t3 + travel(s, behind.to, behind.from, 0);
		hop.t3 = behind.t4 + 20;
		*arrival = behind.t2;
	}
	hop.t4 = hop.t3 + travel(s, hop.to, hop.from, 0);
	hop_add(s, &hop);
	if (through)
		hop_add(s, &behind);
	return hop.t4;
}

struct chain {
	uint32_t hosts[SCENARIO_HOSTS];
	uint32_t count;
	double compute;
	uint32_t sizes[4];
	uint32_t size_count;
	bool right_only;
};

static uint32_t
chain_gateway(uint32_t from, uint32_t to)
{
	if (from + to == 16 && (from == 7 || from == 9))
		return 8;
	return from + to == 26 && (from == 12 || from == 14) ? 13 : from;
}

static void
chain_step(struct scenario *s, const struct chain *c, double *start)
{
	double next[SCENARIO_HOSTS] = { 0 };

	for (uint32_t n = 0; n < c->count; n++) {
		double end = start[n] + c->compute * between(s, .9, 1.1);

		for (int side = c->right_only ? 1 : -1; side <= 1; side += 2) {
			uint32_t to = n + (uint32_t)side;
			struct scenario_route route = { c->hosts[n], 0, 0 };
			double arrival;

			if (to >= c->count)
				continue;
			route.to = c->hosts[to];
			route.gateway = chain_gateway(route.from, route.to);
			end = chain_write(s, &route, end,
			    c->sizes[below(s, c->size_count)], &arrival);
			next[to] = fmax(next[to], arrival);
			end += 30;
		}
		next[n] = fmax(next[n], end - 30);
	}
	for (uint32_t n = 0; n < c->count; n++)
		start[n] = next[n] + 20;
}

static void
chain_run(struct scenario *s, const struct chain *c)
{
	double start[SCENARIO_HOSTS];

	for (uint32_t n = 0; n < c->count; n++)
		start[n] = 1e6;
	for (unsigned step = 0; step < 500; step++)
		chain_step(s, c, start);
}

/* Wind tunnel: a chain of 8 hosts. */
static void
tunnel(struct scenario *s, const struct chain *how)
{
	struct chain c = *how;

	s->hosts = c.count = 8;
	c.compute = 380e3;
	for (uint32_t h = 0; h < 8; h++)
		c.hosts[h] = h;
	clocks_make(s, &(struct drift){ 13, 8, 200, 0.002 }, 260);
	chain_run(s, &c);
}

static void
e2(struct scenario *s)
{
	tunnel(s, &(struct chain){ .sizes = { 43000 }, .size_count = 1 });
}

static void
e2b(struct scenario *s)
{
	tunnel(s,
	    &(struct chain){ .sizes = { 43000 },
		.size_count = 1,
		.right_only = true });
}

static void
e2s(struct scenario *s)
{
	tunnel(s,
	    &(struct chain){ .sizes = { 2000, 8000, 20000, 40000 },
		.size_count = 4,
		.right_only = true });
}

/* Several clusters: a chain of 28 hosts through two gateways. */
static void
e3(struct scenario *s)
{
	struct chain c = { .compute = 350e3,
		.sizes = { 102400 },
		.size_count = 1 };

	s->hosts = 30;
	for (uint32_t h = 0; h < 30; h++)
		if (h != 8 && h != 13)
			c.hosts[c.count++] = h;
	clocks_make(s, &(struct drift){ 13, 8, 200, 0.002 }, 900);
	chain_run(s, &c);
}

/* A mesh: the delays of each pair and direction. */
struct mesh {
	double base[16][16];
	bool busy[16][16];
};

static void
mesh_make(struct scenario *s, struct mesh *m)
{
	static const uint32_t busy[][2] = { { 0, 1 }, { 0, 2 }, { 3, 7 } };

	memset(m, 0, sizeof(*m));
	for (uint32_t a = 0; a < 16; a++)
		for (uint32_t b = 0; b < a; b++)
			m->base[a][b] = m->base[b][a] =
			    11 + (between(s, 0, 3) + between(s, 0, 3)) / 2;
	for (uint32_t a = 0; a < 16; a++)
		for (uint32_t b = 0; b < 16; b++)
			m->base[a][b] += normal(s, 0.8);
	for (uint32_t n = 0; n < 3; n++)
		m->busy[busy[n][0]][busy[n][1]] =
		    m->busy[busy[n][1]][busy[n][0]] = true;
}

static void
e4(struct scenario *s)
{
	static const uint32_t sizes[] = { 64, 1024, 16384 };
	struct mesh m;

	s->hosts = 16;
	clocks_make(s, &(struct drift){ 6, 5, 45, 0.01 }, 70);
	mesh_make(s, &m);
	for (uint32_t h = 0; h < 16; h++) {
		double at = 1e6;

		while (at < 61e6) {
			uint32_t to = (h + 1 + below(s, 15)) % 16;
			bool busy = m.busy[h][to];
			struct scenario_hop hop = { .from = h,
				.to = to,
				.bytes = sizes[below(s, 3)] };

			hop.route = route_of(s, h, to, h);
			hop.t1 = at + exponential(s, 8000);
			hop.t2 = hop.t1 + m.base[h][to] +
			    hop.bytes * 8 / 25000.0 +
			    exponential(s, busy ? 120 : 1.5) +
			    hiccup(s, .01, 150);
			hop.t3 = hop.t2 + exponential(s, 20);
			hop.t4 = hop.t3 + m.base[to][h] +
			    exponential(s, busy ? 36 : 1.5) +
			    hiccup(s, .01, 150);
			hop_add(s, &hop);
			at = hop.t4;
		}
	}
}

/* Eight hosts in a ring, which also call host 0. */
static void
ring(struct scenario *s, const struct drift *drift, double seconds)
{
	static const uint32_t sizes[] = { 0, 64, 8192 };

	s->hosts = 8;
	clocks_make(s, drift, (uint32_t)seconds + 10);
	for (uint32_t h = 0; h < 8; h++) {
		double at = 1e6;

		while (at < 1e6 + seconds * 1e6) {
			bool home = h >= 1 && h <= 6 && uniform(s) < .5;
			struct scenario_hop hop = { .from = h,
				.to = home ? 0 : (h + 1) % 8,
				.bytes = sizes[below(s, 3)] };

			hop.route = route_of(s, h, hop.to, h);
			hop.t1 = at + exponential(s, 250e3);
			hop.t2 = hop.t1 + hop.bytes * 8 / 1000.0 + 30 +
			    exponential(s, 6) + hiccup(s, .02, 500);
			hop.t3 = hop.t2 + exponential(s, 30);
			hop.t4 = hop.t3 + 30 + exponential(s, 6) +
			    hiccup(s, .02, 500);
			hop_add(s, &hop);
			at = hop.t4;
		}
	}
}

static void
e5(struct scenario *s)
{
	ring(s, &(struct drift){ 6, 80, 1700, 0.005 }, 3600);
}

/* Removes the hops for which `keep` is false. */
static void
hops_filter(struct scenario *s,
    bool (*keep)(struct scenario *s, const struct scenario_hop *hop))
{
	uint64_t kept = 0;

	for (uint64_t n = 0; n < s->count; n++)
		if (keep(s, &s->hops[n]))
			s->hops[kept++] = s->hops[n];
	s->count = kept;
}

/* Adversaries, on two minutes of the ring. */
static void
adversary(struct scenario *s)
{
	ring(s, &(struct drift){ 6, 8, 200, 0.005 }, 120);
}

/* The clock of host 3 is set forward by 5 ms in mid-run. */
static void
a_step(struct scenario *s)
{
	adversary(s);
	s->clocks[3].jump_at = 61e6;
	s->clocks[3].jump = 5000;
}

/* The clock of host 3 is set back by 5 ms in mid-run. */
static void
a_step_back(struct scenario *s)
{
	adversary(s);
	s->clocks[3].jump_at = 61e6;
	s->clocks[3].jump = -5000;
}

static bool
is_loud(struct scenario *s, const struct scenario_hop *hop)
{
	(void)s;
	return (hop->from != 5 && hop->to != 5) || hop->t4 < 45e6 ||
	    hop->t1 > 75e6;
}

/* Host 5 is silent for 30 s. */
static void
a_silent(struct scenario *s)
{
	adversary(s);
	hops_filter(s, is_loud);
}

static bool
is_rare(struct scenario *s, const struct scenario_hop *hop)
{
	(void)hop;
	return below(s, 8) == 0;
}

/* A message or less in a window of each link. */
static void
a_sparse(struct scenario *s)
{
	adversary(s);
	hops_filter(s, is_rare);
}

/* The counter of host 2 is calibrated wrongly by 1 %. */
static void
a_rate(struct scenario *s)
{
	adversary(s);
	s->clocks[2].skew = 0.01;
}

/* Delays there vary five times as much as those back. */
static void
a_asymmetric(struct scenario *s)
{
	adversary(s);
	for (uint64_t n = 0; n < s->count; n++) {
		double late = exponential(s, 150);

		s->hops[n].t2 += late;
		s->hops[n].t3 += late;
		s->hops[n].t4 += late + exponential(s, 30);
	}
}

/* Single stamps of host 3 are wrong: it seems to have received a message 3 ms
   before it did, and to have sent another one 3 ms later. */
static void
a_stamps(struct scenario *s)
{
	double after[2] = { 40e6, 80e6 };

	adversary(s);
	for (uint64_t n = 0; n < s->count; n++) {
		struct scenario_hop *hop = &s->hops[n];

		if (hop->from != 2 || hop->to != 3)
			continue;
		if (hop->t1 > after[0]) {
			hop->t2 -= 3000;
			after[0] = INFINITY;
		} else if (hop->t1 > after[1]) {
			hop->t3 += 3000;
			after[1] = INFINITY;
		}
	}
}

static const struct {
	const char *name;
	void (*make)(struct scenario *s);
} scenarios[] = {
	{ "e1", e1 },
	{ "e1n50", e1n50 },
	{ "e2", e2 },
	{ "e2b", e2b },
	{ "e2s", e2s },
	{ "e3", e3 },
	{ "e4", e4 },
	{ "e5", e5 },
	{ "step", a_step },
	{ "step_back", a_step_back },
	{ "silent", a_silent },
	{ "sparse", a_sparse },
	{ "rate", a_rate },
	{ "asymmetric", a_asymmetric },
	{ "stamps", a_stamps },
	{ "e1_long", e1_long },
};

unsigned
scenario_count(void)
{
	/* The last one is for benchmarks. */
	return sizeof(scenarios) / sizeof(scenarios[0]) - 1;
}

const char *
scenario_name(unsigned n)
{
	return scenarios[n].name;
}

struct scenario *
scenario_create(const char *name, uint64_t seed)
{
	struct scenario *s = calloc(1, sizeof(*s));

	if (s == NULL)
		abort();
	s->state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	for (unsigned n = 0; n < 16; n++)
		(void)uniform(s);
	for (unsigned n = 0; n <= scenario_count(); n++) {
		if (strcmp(scenarios[n].name, name) != 0)
			continue;
		s->name = scenarios[n].name;
		scenarios[n].make(s);
		return s;
	}
	free(s);
	return NULL;
}

void
scenario_destroy(struct scenario *s)
{
	for (uint32_t h = 0; h < s->hosts; h++)
		free(s->clocks[h].walk);
	free(s->hops);
	free(s);
}
