/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/waits_windows_test.c - windows of a trace of any size give
 * what one window gives
 *
 * Runs random programs with messages, requests and collectives that members
 * leave early, on ranks that are late now and then.  Tuples are missing, sends
 * and receives are never matched, clocks are wrong, and threads have no core,
 * each in some of the programs.
 */

#include "scopes/mpi/waits_private.h"

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 5u
#define COMMS 3u
#define SETS 3u
#define STEPS 1500u
#define PENDING_MAX 4096u

/* A request that is not complete. */
struct pending {
	const char *what; /* NULL: of a collective */
	uint32_t rank, number, peer, bytes;
	int32_t tag;
	uint16_t comm;
	uint64_t ready; /* it completes no earlier */
};

/* Properties of a program. */
struct about {
	bool unmatched; /* it has sends and receives without a partner */
	bool gaps;	/* it has calls that were not recorded */
	bool skewed, lost, broken;
	uint32_t discarded; /* tuples of a ring, at most */
};

struct program {
	struct fake_trace *fake;
	struct about about;
	uint32_t state; /* of the random numbers */
	uint64_t now[RANKS];
	uint32_t requests[RANKS], numbers[COMMS];
	int32_t sets[RANKS][SETS];
	uint16_t comms[COMMS];
	uint32_t members[COMMS][RANKS], counts[COMMS];
	struct pending pending[PENDING_MAX];
	uint32_t pending_count;
	struct es__cpu_curve curves[RANKS + 1];
};

static uint64_t progress_count; /* waits for the progress of a peer */

static uint32_t
chance(struct program *p, uint32_t below)
{
	p->state = p->state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(p->state >> 8) * below >> 24);
}

static uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Lets a rank compute, sometimes for long; returns when it enters a call. */
static uint64_t
enter(struct program *p, uint32_t rank)
{
	uint64_t from = p->now[rank];

	p->now[rank] += 1 + chance(p, 20);
	if (chance(p, 30) == 0)
		p->now[rank] += 300;
	if (chance(p, 200) == 0)
		p->now[rank] += 5000;
	if (p->about.lost && chance(p, 8) == 0) {
		EXPECT_OK(es__cpu_curve_add(&p->curves[rank], (int64_t)from,
		    (int64_t)p->now[rank]));
		EXPECT_OK(es__cpu_curve_add(&p->curves[RANKS], (int64_t)from,
		    (int64_t)p->now[rank]));
	}
	if (p->about.gaps && chance(p, 300) == 0)
		fake_trace_gap(p->fake, rank, 2);
	return p->now[rank];
}

/* Records a call that the rank has entered. */
static void
call(struct program *p, uint32_t rank, const char *name, uint64_t stop,
    struct es_tuple_mpi tuple)
{
	tuple.start = p->now[rank];
	tuple.stop = stop;
	tuple.site = 1 + rank;
	fake_trace_call(p->fake, rank, name, tuple);
	p->now[rank] = stop;
}

static void
wait_later(struct program *p, struct pending more)
{
	EXPECT_TRUE(p->pending_count < PENDING_MAX);
	p->pending[p->pending_count++] = more;
}

/* Two ranks, and the communicator and tag of their message. */
struct pair {
	uint32_t source, target;
	uint16_t comm;
	int32_t tag;
};

static struct pair
any_pair(struct program *p)
{
	uint32_t source = chance(p, RANKS);

	return (struct pair){ source,
		(source + 1 + chance(p, RANKS - 1)) % RANKS,
		p->comms[chance(p, 2)], (int32_t)chance(p, 3) };
}

/* Returns the tuple of a half of a message. */
static struct es_tuple_mpi
half(const struct pair *pair, uint32_t peer)
{
	return (struct es_tuple_mpi){ .peer = (int32_t)peer,
		.tag = pair->tag,
		.comm = pair->comm,
		.bytes = 8 };
}

/* A blocking send, which may wait for its receive. */
static void
blocking(struct program *p)
{
	struct pair m = any_pair(p);
	uint64_t sent = enter(p, m.source), got = enter(p, m.target);
	bool waits = chance(p, 2) == 0;

	call(p, m.source, "MPI_Send", (waits ? later(sent, got) : sent) + 2,
	    half(&m, m.target));
	if (p->about.unmatched && chance(p, 60) == 0)
		return;
	call(p, m.target, "MPI_Recv", later(sent, got) + 3, half(&m, m.source));
}

/* A message with requests, which are completed later. */
static void
nonblocking(struct program *p)
{
	struct pair m = any_pair(p);
	uint64_t sent = enter(p, m.source), got = enter(p, m.target);
	struct es_tuple_mpi tuple = half(&m, m.target);

	tuple.match = ++p->requests[m.source];
	call(p, m.source, "MPI_Isend", sent + 1, tuple);
	wait_later(p,
	    (struct pending){ "send", m.source, tuple.match, m.target, 8, m.tag,
		m.comm, later(sent, got) });
	tuple.peer = chance(p, 4) == 0 ? -1 : (int32_t)m.source;
	tuple.match = ++p->requests[m.target];
	call(p, m.target, "MPI_Irecv", got + 1, tuple);
	if (p->about.unmatched && chance(p, 60) == 0)
		return;
	wait_later(p,
	    (struct pending){ "receive", m.target, tuple.match, m.source, 8,
		m.tag, m.comm, later(sent, got) });
}

/* A send to a rank that has posted its receive, and needs its next call. */
static void
ends_with_a_call(struct program *p)
{
	struct pair m = any_pair(p);
	uint64_t posted = enter(p, m.target), comes, sent;
	struct es_tuple_mpi tuple = half(&m, m.source);

	tuple.match = ++p->requests[m.target];
	call(p, m.target, "MPI_Irecv", posted + 1, tuple);
	p->now[m.source] = later(p->now[m.source], posted);
	sent = enter(p, m.source);
	p->now[m.target] += 9000 + chance(p, 9000);
	comes = enter(p, m.target);
	call(p, m.source, "MPI_Send", later(sent, comes) + 2,
	    half(&m, m.target));
	call(p, m.target, "MPI_Comm_rank", comes + 1,
	    (struct es_tuple_mpi){ .peer = -1 });
	wait_later(p,
	    (struct pending){ "receive", m.target, tuple.match, m.source, 8,
		m.tag, m.comm, comes });
}

/* Completes up to four requests of the rank of a random one. */
static void
complete(struct program *p)
{
	uint32_t at = chance(p, p->pending_count), most = 1 + chance(p, 4);
	uint32_t rank = p->pending[at].rank, kept = 0;
	uint64_t start = enter(p, rank), stop = start + 1;
	struct pending done[4];
	uint32_t count = 0;

	for (uint32_t n = 0; n < p->pending_count; n++) {
		if (p->pending[n].rank == rank && n >= at && count < most)
			done[count++] = p->pending[n];
		else
			p->pending[kept++] = p->pending[n];
	}
	p->pending_count = kept;
	for (uint32_t n = 0; n < count; n++)
		stop = later(stop, done[n].ready + 2);
	call(p, rank, "MPI_Waitall", stop,
	    (struct es_tuple_mpi){ .peer = -1, .comm = p->comms[0] });
	for (uint32_t n = 0; n < count; n++)
		fake_trace_belonging(p->fake, rank, "(completed)",
		    (struct es_tuple_mpi){ .start = start,
			.stop = stop,
			.site = 1 + rank,
			.peer =
			    done[n].what == NULL ? -1 : (int32_t)done[n].peer,
			.tag = done[n].tag,
			.comm = done[n].comm,
			.bytes = done[n].bytes,
			.match = done[n].number });
}

enum shape { ALL, FROM_ROOT, TO_ROOT, LOWER, SOME };

/* A collective on a communicator. */
struct meeting {
	const char *name;
	enum shape shape;
	uint32_t comm, count, root;
	uint64_t enter[RANKS];
};

/* Returns the time at which the last member that a member waits for enters. */
static uint64_t
arrival(const struct meeting *m, uint32_t member, uint32_t set)
{
	uint64_t last = m->enter[member];

	for (uint32_t n = 0; n < m->count; n++) {
		bool awaited = m->shape == ALL ||
		    (m->shape == FROM_ROOT && n == m->root) ||
		    (m->shape == TO_ROOT && member == m->root) ||
		    (m->shape == LOWER && n < member) ||
		    (m->shape == SOME && n % SETS == set);

		if (awaited)
			last = later(last, m->enter[n]);
	}
	return last;
}

static struct meeting
any_meeting(struct program *p)
{
	static const struct meeting kinds[] = { { "MPI_Barrier", ALL, 0, 0, 0,
						    { 0 } },
		{ "MPI_Allreduce", ALL, 0, 0, 0, { 0 } },
		{ "MPI_Bcast", FROM_ROOT, 0, 0, 0, { 0 } },
		{ "MPI_Reduce", TO_ROOT, 0, 0, 0, { 0 } },
		{ "MPI_Scan", LOWER, 0, 0, 0, { 0 } },
		{ "MPI_Alltoallv", SOME, 0, 0, 0, { 0 } } };
	struct meeting m = kinds[chance(p, sizeof(kinds) / sizeof(kinds[0]))];

	m.comm = chance(p, COMMS);
	m.count = p->counts[m.comm];
	m.root = chance(p, m.count);
	return m;
}

static void
collective(struct program *p)
{
	struct meeting m = any_meeting(p);
	const uint32_t *members = p->members[m.comm];
	uint32_t missing = p->about.unmatched && chance(p, 40) == 0 ?
	    chance(p, m.count) :
	    RANKS;

	p->numbers[m.comm]++;
	for (uint32_t n = 0; n < m.count; n++)
		m.enter[n] = enter(p, members[n]);
	for (uint32_t n = 0; n < m.count; n++) {
		uint32_t set = chance(p, SETS);
		struct es_tuple_mpi tuple = { .peer = -1,
			.comm = p->comms[m.comm],
			.bytes = 8,
			.match = p->numbers[m.comm] };

		if (m.shape == FROM_ROOT || m.shape == TO_ROOT)
			tuple.peer = (int32_t)members[m.root];
		if (m.shape == SOME)
			tuple.peer = p->sets[members[n]][set];
		if (n != missing)
			call(p, members[n], m.name, arrival(&m, n, set) + 2,
			    tuple);
	}
}

static void
nonblocking_collective(struct program *p)
{
	struct meeting m = any_meeting(p);
	const uint32_t *members = p->members[m.comm];
	uint64_t last = 0;

	p->numbers[m.comm]++;
	for (uint32_t n = 0; n < m.count; n++)
		last = later(last, m.enter[n] = enter(p, members[n]));
	for (uint32_t n = 0; n < m.count; n++) {
		uint32_t rank = members[n], request = ++p->requests[rank];

		call(p, rank, "MPI_Iallreduce", m.enter[n] + 1,
		    (struct es_tuple_mpi){ .peer = -1,
			.comm = p->comms[m.comm],
			.bytes = 8,
			.tag = (int32_t)p->numbers[m.comm],
			.match = request });
		wait_later(p,
		    (struct pending){ NULL, rank, request, 0, 8, -1,
			p->comms[m.comm], last });
	}
}

static void
step(struct program *p)
{
	uint32_t what = chance(p, 13);

	if (what < 3)
		blocking(p);
	else if (what < 6)
		nonblocking(p);
	else if (what < 8 && p->pending_count > 0)
		complete(p);
	else if (what < 11)
		collective(p);
	else if (what < 12)
		nonblocking_collective(p);
	else
		ends_with_a_call(p);
}

/* Adds communicators, and sets of every third member: of the world, in its
   order. */
static void
program_prepare(struct program *p)
{
	static const uint32_t some[] = { 3, 0, 4 };

	p->fake = fake_trace_create(RANKS);
	for (uint32_t r = 0; r < RANKS; r++) {
		p->now[r] = 100;
		p->members[0][r] = r;
		p->members[1][r] = RANKS - 1 - r;
	}
	memcpy(p->members[2], some, sizeof(some));
	p->counts[0] = p->counts[1] = RANKS;
	p->counts[2] = 3;
	p->comms[0] = ES_MPI_COMM_WORLD;
	for (uint32_t c = 1; c < COMMS; c++)
		p->comms[c] = fake_trace_comm(p->fake, p->members[c],
		    p->counts[c], p->counts[c]);
	for (uint32_t r = 0; r < RANKS; r++)
		for (uint32_t s = 0; s < SETS; s++)
			p->sets[r][s] = fake_trace_sources(p->fake, r,
			    &(struct es_mpi_ranks){ (int32_t)s, SETS,
				(RANKS - s + SETS - 1) / SETS },
			    1);
}

static struct program *
program_run(uint32_t seed, struct about about)
{
	struct program *p = calloc(1, sizeof(*p));

	EXPECT_TRUE(p != NULL);
	p->state = seed;
	p->about = about;
	program_prepare(p);
	for (uint32_t n = 0; n < STEPS; n++)
		step(p);
	while (!about.broken && p->pending_count > 0)
		complete(p);
	for (uint32_t r = 0; r < RANKS; r++) {
		if (about.discarded > 0)
			fake_trace_discard(p->fake, r,
			    chance(p, about.discarded));
		if (about.broken)
			fake_trace_break(p->fake, r);
		if (about.skewed)
			fake_trace_skew(p->fake, r, (int64_t)chance(p, 40));
	}
	for (uint32_t r = 0; r <= RANKS; r++)
		es__cpu_curve_end(&p->curves[r]);
	return p;
}

static void
program_free(struct program *p)
{
	for (uint32_t r = 0; r <= RANKS; r++)
		es__cpu_curve_fini(&p->curves[r]);
	fake_trace_free(p->fake);
	free(p);
}

static void
print_totals(FILE *to, const char *name, const struct es__totals *totals)
{
	for (size_t n = 0; n < totals->count; n++) {
		const struct es__totals_row *row = &totals->rows[n];

		fprintf(to,
		    "%s %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRId64
		    " lost %" PRId64 "\n",
		    name, row->a, row->b, row->instances, row->ns,
		    row->lost_ns);
	}
}

static void
print_rank(FILE *to, const struct es__mpi_waits *waits, uint32_t rank)
{
	const struct es__mpi_rank_waits *w = &waits->ranks[rank];
	const struct es_mpi_trace_account *a = &w->account;

	fprintf(to,
	    "rank %" PRIu32 " events %" PRIu64 " violations %" PRIu64
	    " %" PRIu64 "\n",
	    rank, w->events, w->message_violations, w->collective_violations);
	fprintf(to,
	    "account %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	    " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	    a->sends, a->receives, a->sends_matched, a->receives_matched,
	    a->discarded, a->differing, a->undecided, a->unposted,
	    a->collectives, a->collectives_matched);
	for (uint32_t n = 0; n < waits->function_count; n++)
		if (w->functions[n].calls > 0)
			fprintf(to,
			    "function %" PRIu32 " %" PRIu64 " %" PRId64
			    " wait %" PRId64 " uncovered %" PRId64 "\n",
			    n, w->functions[n].calls, w->functions[n].time_ns,
			    w->functions[n].wait_ns,
			    w->functions[n].uncovered_ns);
	print_totals(to, "site", &w->sites);
	print_totals(to, "pair", &w->pairs);
	print_totals(to, "ring", &w->rings);
}

static void
print_arrivals(FILE *to, const struct es__arrival_patterns *patterns)
{
	for (uint32_t n = 0; n < patterns->count; n++) {
		const struct es__arrival_pattern *p = &patterns->list[n];

		fprintf(to,
		    "arrivals %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64
		    " undecided %" PRIu64 " order %.17g %" PRIu64,
		    p->comm, p->function, p->site, p->calls, p->undecided,
		    p->order_sum, p->order_count);
		for (size_t k = 0; k < ES__ARRIVAL_TIMES; k++)
			for (size_t q = 0; q < ES__ARRIVAL_QUANTILES; q++)
				fprintf(to, " %" PRId64, p->ns[k][q]);
		fputc('\n', to);
	}
}

/* Returns how many waits for the progress of a peer there are. */
static uint64_t
count_progress(const struct es__mpi_waits *waits)
{
	uint64_t count = 0;

	for (uint32_t r = 0; r < waits->rank_count; r++)
		for (size_t n = 0; n < waits->ranks[r].sites.count; n++)
			if (waits->ranks[r].sites.rows[n].b ==
			    ES__WAIT_PEER_PROGRESS)
				count +=
				    waits->ranks[r].sites.rows[n].instances;
	return count;
}

/* Returns all that the waits of a program have; quota: of a window. */
static char *
waits_of(struct program *p, uint64_t quota)
{
	const struct es__mpi_lost lost = { p->about.lost ? p->curves : NULL,
		RANKS, true };
	const struct es__mpi_waits_how how = { .threads = quota < 700 ? 1 : 2,
		.quota = quota };
	struct es__mpi_waits waits = { 0 };
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	EXPECT_TRUE(to != NULL);
	EXPECT_OK(
	    es__mpi_waits_lost(fake_trace_input(p->fake), &lost, &how, &waits));
	for (uint32_t r = 0; r < waits.rank_count; r++)
		print_rank(to, &waits, r);
	EXPECT_TRUE(waits.arrivals.count > 0);
	progress_count += count_progress(&waits);
	print_arrivals(to, &waits.arrivals);
	es__mpi_waits_fini(&waits);
	EXPECT_EQ(0, fclose(to));
	return text;
}

/* Expects that the size of windows changes nothing. */
static void
expect_equal(struct about about)
{
	static const uint64_t quotas[] = { 1, 60, 700 };

	for (uint32_t seed = 1; seed <= 6; seed++) {
		struct program *p = program_run(seed, about);
		char *whole = waits_of(p, UINT64_MAX);

		for (size_t n = 0; n < sizeof(quotas) / sizeof(*quotas); n++) {
			char *windows = waits_of(p, quotas[n]);

			EXPECT_STR_EQ(whole, windows);
			free(windows);
		}
		free(whole);
		program_free(p);
	}
}

static void
windows_of_a_whole_trace_are_equal(void)
{
	progress_count = 0;
	expect_equal((struct about){ .lost = false });
	EXPECT_TRUE(progress_count > 0);
}

static void
windows_with_unmatched_calls_are_equal(void)
{
	expect_equal((struct about){ .unmatched = true });
	expect_equal((struct about){ .unmatched = true, .broken = true });
}

static void
windows_with_missing_tuples_are_equal(void)
{
	expect_equal((struct about){ .discarded = 400 });
	expect_equal((struct about){ .discarded = 200, .unmatched = true });
	expect_equal((struct about){ .gaps = true });
	expect_equal((struct about){ .discarded = 400, .broken = true });
}

static void
windows_with_wrong_clocks_are_equal(void)
{
	expect_equal((struct about){ .skewed = true });
	expect_equal((struct about){ .skewed = true, .unmatched = true });
}

static void
windows_with_lost_cores_are_equal(void)
{
	expect_equal((struct about){ .lost = true });
	expect_equal((struct about){ .lost = true, .skewed = true });
	expect_equal(
	    (struct about){ .lost = true, .unmatched = true, .broken = true });
	expect_equal(
	    (struct about){ .lost = true, .discarded = 400, .gaps = true });
}

/* Lets rank 0 leave all scans, broadcasts and exchanges of bytes before the
   other ranks enter the first one. */
static struct fake_trace *
left_early(uint32_t count)
{
	static const char *const names[] = { "MPI_Scan", "MPI_Bcast",
		"MPI_Alltoallv" };
	struct fake_trace *f = fake_trace_create(3);
	int32_t sets[3];

	/* Each rank gets bytes of itself and of those before it. */
	for (uint32_t r = 0; r < 3; r++)
		sets[r] = fake_trace_sources(f, r,
		    &(struct es_mpi_ranks){ 0, 1, r + 1 }, 1);
	for (uint32_t r = 0; r < 3; r++)
		for (uint32_t n = 0; n < count; n++) {
			uint64_t from = (r * (uint64_t)count + n) * 10;

			fake_trace_call(f, r, names[n % 3],
			    (struct es_tuple_mpi){ .start = from,
				.stop = from + 5,
				.peer = n % 3 == 2 ? sets[r] : 0,
				.bytes = 8,
				.match = n + 1 });
		}
	return f;
}

/* A collective is computed once for each window in which members enter it, also
   while many collectives are open. */
static void
the_work_grows_with_the_calls(void)
{
	struct es__mpi_waits waits = { 0 };
	struct fake_trace *f = left_early(6000);

	EXPECT_OK(
	    es__mpi_waits_compute(fake_trace_input(f), NULL, 1, 100, &waits));
	EXPECT_EQ(3 * 6000, waits.collectives);
	/* No call was kept while others were read. */
	EXPECT_TRUE(waits.kept_most < 200);
	es__mpi_waits_fini(&waits);
	fake_trace_free(f);
}

TEST_MAIN(windows_of_a_whole_trace_are_equal,
    windows_with_unmatched_calls_are_equal,
    windows_with_missing_tuples_are_equal, windows_with_wrong_clocks_are_equal,
    windows_with_lost_cores_are_equal, the_work_grows_with_the_calls)
