/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/make_mpi_run.c - make_mpi_run CASE: makes an MPI run for scripts
 *
 * Prints the name of a new run directory.  Three ranks repeat 10 ms 100 times:
 * r0 sends to r1, 2 ms late in 90 of them; then all sum, and r2 comes 5 ms late
 * in 90 of them.  A call that does not wait takes 10 us.
 *
 *	both	traced and profiled
 *	paths	the same, and each rank has its own call paths
 *	trace	traced
 *	part	traced, with the older half of the tuples of r0 and r1 discarded
 *	profile	profiled
 *	killed	traced, profiled and killed
 *	one	a single rank, which calls Barrier
 *	none	without calls
 *	wrapped, part_wrapped	as trace and part, with calls and collectives
 *		numbered from 2^32 - 50 on
 *	evil	with names that attack terminals, spreadsheets and browsers
 *	matrix	with counted messages of each category
 *	hosts	traced on three hosts, each with its own clock
 *	abroad	as killed, on another host
 *	turns	traced: 99 sums, for which the ranks come 5 ms late in turns
 *	few	traced: two sums, for which r2 comes 5 ms late
 *	cores	traced and sampled: from the half of the run on, r2 is late
 *		because it has no core; r0, r1 and r2 compute 40, 300 and 600 ms
 *	idle	the same, but each rank computes half as long and sleeps for
 *		400 ms between calls
 *	spin	as cores, but the cores are lost in calls that wait
 *	lost	traced and sampled: 100 sums, for which r2 comes 5 ms late 20
 *		times, because it has no core; the machine is not overloaded
 *	requests	traced: nonblocking messages, a Bcast from r2, an
 *		Ibarrier, and a Barrier of r0 alone
 *	early	traced and sampled: 100 sums, for which r2 comes 5 ms late; r0
 *		loses its core for 2 ms before each
 *	late	the same, but it is r2 that has no core for the 5 ms
 *	later	the same, but for 2 of the 5 ms
 *	chain	traced: r2 waits 5 ms for a message of r1, which waits as long
 *		for one of r0
 *	epochs	traced: 30 steps, for which r2 comes 8 ms late to a Win_post
 *		that the Win_start of the others waits for, and r1 1 ms to a sum
 *	epochs_few	the same, but r2 is 1 ms late and r1 2 ms
 *	eager, eager_few	as these, but r2 is late to receive small
 *		messages of the others, whose sends go on after that
 *	longer	as cores, but repeated 20000 times: several windows of a trace
 */

#include "tests/scopes/fake_mpi.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

#define TIMES 100u
#define LATE 90u

/* Each function has its own call site. */
enum { SEND, RECV, SUM, BARRIER, FUNCTIONS };
static const char *const names[FUNCTIONS] = { "MPI_Send", "MPI_Recv",
	"MPI_Allreduce", "MPI_Barrier" };

#define RANKS 3u

struct made {
	struct fake_mpi *run;
	bool trace, profile, paths;
	uint32_t first; /* number of the first collective */
	struct es_mpi_profile rows[RANKS][FUNCTIONS];
	uint32_t seq[RANKS];
};

static void
made_profile(struct made *made, uint32_t rank, unsigned function,
    uint64_t ticks)
{
	struct es_mpi_profile *row = &made->rows[rank][function];

	if (row->calls == 0 || ticks < row->min_ticks)
		row->min_ticks = ticks;
	if (ticks > row->max_ticks)
		row->max_ticks = ticks;
	row->calls++;
	row->sum_ticks += ticks;
	row->bytes += 8;
	row->bins[es_mpi_bin(ticks)]++;
}

static void
made_call(struct made *made, uint32_t rank, unsigned function,
    struct es_tuple_mpi tuple)
{
	tuple.op = (uint16_t)es_mpi_function_find(names[function]);
	if (tuple.site == 0)
		tuple.site = function + 1;
	if (tuple.comm == 0)
		tuple.comm = ES_MPI_COMM_WORLD;
	tuple.bytes = 8;
	tuple.seq = ++made->seq[rank];
	if (made->trace)
		fake_mpi_add(made->run, rank, 0, &tuple);
	made_profile(made, rank, function, tuple.stop - tuple.start);
}

/* Records a message.  times: begin and end of the send, and of the receive */
static void
made_pass(struct made *made, uint32_t from, uint32_t to,
    const uint64_t times[4])
{
	made_call(made, from, SEND,
	    (struct es_tuple_mpi){ .start = times[0],
		.stop = times[1],
		.peer = (int32_t)to,
		.tag = 7 });
	made_call(made, to, RECV,
	    (struct es_tuple_mpi){ .start = times[2],
		.stop = times[3],
		.peer = (int32_t)from,
		.tag = 7 });
}

/* Records a message that r1 receives from `from` on; returns when it
   arrives. */
static uint64_t
made_message(struct made *made, uint64_t from, uint64_t sent)
{
	uint64_t got = sent + 10 * US;

	made_pass(made, 0, 1, (const uint64_t[]){ sent, got, from, got });
	return got;
}

static void
made_sum(struct made *made, uint32_t number, uint32_t late, uint64_t from,
    uint64_t last)
{
	for (uint32_t rank = 0; rank < RANKS; rank++)
		made_call(made, rank, SUM,
		    (struct es_tuple_mpi){ .start = rank == late ? last : from,
			.stop = last + 10 * US,
			.peer = -1,
			.match = made->first + number });
}

/* Adds the call sites: r2 has none for the message. */
static void
made_sites(struct made *made, uint32_t ranks)
{
	for (uint32_t rank = 0; rank < ranks; rank++) {
		fake_mpi_process(made->run, rank, "Fake MPI 1.0", "./app -n 3");
		fake_mpi_module(made->run, rank, 1, "", "/nowhere/app");
		for (uint32_t n = rank == 2 ? SUM : 0; n < FUNCTIONS; n++)
			fake_mpi_site(made->run, rank, n + 1,
			    (struct es_mpi_frame[]){
				{ .module = 1, .offset = 0x1000 + 16 * n },
				{ .module = made->paths ? 1 : FAKE_MPI_NO_FRAME,
				    .offset = 0x2000 + rank },
				{ .module = FAKE_MPI_NO_FRAME } });
	}
}

static void
made_rows(struct made *made)
{
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		for (uint32_t n = 0; n < FUNCTIONS; n++) {
			struct es_mpi_profile *row = &made->rows[rank][n];

			row->site = n + 1;
			row->function =
			    (uint16_t)es_mpi_function_find(names[n]);
			row->size_class = 4;
			row->comm = n >= SUM ? ES_MPI_COMM_WORLD : 0;
			if (row->calls > 0)
				fake_mpi_profile(made->run, rank, 0, row);
		}
	}
}

static void
made_end(struct made *made, enum fake_run_state state)
{
	fake_mpi_last(made->run, 1000 * MS);
	if (made->profile)
		made_rows(made);
	fake_mpi_end(made->run, state);
	puts(fake_mpi_dir(made->run));
	fake_mpi_forget(made->run);
}

static void
made_steps(struct made *made, uint32_t times)
{
	made_sites(made, RANKS);
	for (uint32_t n = 0; n < times; n++) {
		uint64_t from = n * 10 * MS + MS;
		bool late = n % (TIMES / (TIMES - LATE)) != 0;
		uint64_t got =
		    made_message(made, from, from + (late ? 2 * MS : 0));

		made_sum(made, n + 1, 2, got, got + (late ? 5 * MS : 0));
	}
}

/* Traces a run; keep: tuples of each rank. */
static void
make_wrapped(uint64_t keep)
{
	struct made made = { .run = fake_mpi_create(RANKS, keep),
		.trace = true,
		.first = -UINT32_C(50) };

	for (uint32_t rank = 0; rank < RANKS; rank++)
		made.seq[rank] = made.first;
	made_steps(&made, TIMES);
	made_end(&made, FAKE_RUN_ENDED);
}

/* keep: tuples of each rank; 0: not traced */
static void
make(uint64_t keep, bool profile, enum fake_run_state state)
{
	struct made made = { .run = fake_mpi_create(RANKS, keep),
		.trace = keep > 0,
		.profile = profile };

	made_steps(&made, TIMES);
	made_end(&made, state);
}

/* Each case of this test program makes one run, so EXPECT works. */
static void
both(void)
{
	make(1024, true, FAKE_RUN_ENDED);
}

static void
paths(void)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true,
		.profile = true,
		.paths = true };

	made_steps(&made, TIMES);
	made_end(&made, FAKE_RUN_ENDED);
}

static void
trace(void)
{
	make(1024, false, FAKE_RUN_ENDED);
}

static void
part(void)
{
	make(100, false, FAKE_RUN_ENDED);
}

static void
wrapped(void)
{
	make_wrapped(1024);
}

static void
part_wrapped(void)
{
	make_wrapped(100);
}

static void
profile(void)
{
	make(0, true, FAKE_RUN_ENDED);
}

static void
killed(void)
{
	make(1024, true, FAKE_RUN_KILLED);
}

static void
one(void)
{
	struct made made = { .run = fake_mpi_create(1, 16),
		.trace = true,
		.profile = true };

	made_sites(&made, 1);
	for (uint32_t n = 0; n < 4; n++)
		made_call(&made, 0, BARRIER,
		    (struct es_tuple_mpi){ .start = (n + 1) * MS,
			.stop = (n + 1) * MS + (n + 1) * US,
			.peer = -1,
			.match = n + 1 });
	made_end(&made, FAKE_RUN_ENDED);
}

static void
none(void)
{
	struct made made = { .run = fake_mpi_create(2, 16) };

	made_end(&made, FAKE_RUN_ENDED);
}

/* Takes over a terminal, a browser or a spreadsheet if it is written as it is:
   an escape sequence, C1 control, markup, quotes, new line, no UTF-8, an
   override of the direction of text, and brackets of Tcl. */
#define EVIL \
	"\033]0;evil\007\xc2\x9b" \
	"31m<script>alert(1)</script>\"'\n,\xff\xe2\x80\xae" \
	"{[exit 7]$x;evil\\"

static void
evil(void)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true,
		.profile = true };

	made_steps(&made, TIMES);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		struct es_mpi_comm comm = { .id = 3,
			.parent = 1,
			.identity = 77,
			.rank = (int32_t)rank };

		fake_mpi_process(made.run, rank, "=1+" EVIL, "@" EVIL);
		fake_mpi_comm(made.run, rank, &comm,
		    (const int32_t[]){ 0, 1, 2 }, "=cmd" EVIL);
		fake_mpi_name(made.run, rank, ES_MPI_ENTRY_PHASE, 1, "-1" EVIL);
		fake_mpi_module(made.run, rank, 2, "", "/nowhere/+" EVIL);
		fake_mpi_site(made.run, rank, 9,
		    (struct es_mpi_frame[]){ { .module = 2 },
			{ .module = FAKE_MPI_NO_FRAME },
			{ .module = FAKE_MPI_NO_FRAME } });
		made_call(&made, rank, BARRIER,
		    (struct es_tuple_mpi){ .start = 990 * MS,
			.stop = 991 * MS,
			.peer = -1,
			.comm = 3,
			.site = 9,
			.match = 1 });
	}
	made_end(&made, FAKE_RUN_ENDED);
}

/* Counts messages of 2^(size - 1) bytes between a rank and a peer. */
static void
made_matrix(struct fake_mpi *run, uint32_t rank, enum es_mpi_category category,
    int32_t peer, uint32_t size)
{
	struct es_mpi_matrix row = { .peer = peer,
		.category = category,
		.messages = 10,
		.bytes = 10 * (UINT64_C(1) << (size - 1)) };

	row.classes[size] = 10;
	fake_mpi_matrix(run, rank, 0, &row);
}

static void
matrix(void)
{
	struct made made = { .run = fake_mpi_create(RANKS, 0) };
	struct es_mpi_collective row = { .comm = ES_MPI_COMM_WORLD,
		.function = (uint16_t)es_mpi_function_find("MPI_Bcast"),
		.root = 1,
		.calls = 2,
		.bytes = 64,
		.classes = { [6] = 2 } };

	made_matrix(made.run, 0, ES_MPI_CATEGORY_P2P, 1, 4);
	made_matrix(made.run, 0, ES_MPI_CATEGORY_PERSISTENT, 1, 5);
	made_matrix(made.run, 1, ES_MPI_CATEGORY_RECEIVED, 0, 4);
	made_matrix(made.run, 2, ES_MPI_CATEGORY_PERSISTENT, 0, 3);
	made_matrix(made.run, 2, ES_MPI_CATEGORY_PUT, 1, 11);
	made_matrix(made.run, 2, ES_MPI_CATEGORY_GET, 1, 12);
	for (uint32_t rank = 0; rank < RANKS; rank++)
		fake_mpi_collective(made.run, rank, 0, &row);
	made_end(&made, FAKE_RUN_ENDED);
}

/* Adds a call with a request; 0: none. */
#define REQUEST(rank, function, from, to, ...) \
	FAKE_MPI_CALL(run, rank, function, (from)*US, (to)*US, __VA_ARGS__)

static void
requests(void)
{
	struct fake_mpi *run = fake_mpi_create(RANKS, 64);
	struct es_tuple_mpi done = { .start = 300 * US,
		.stop = 400 * US,
		.op = ES_MPI_COMPLETED,
		.comm = ES_MPI_COMM_WORLD,
		.bytes = 8 };

	/* r1 posts receives of r0 and r2, and gets that of r2 first. */
	REQUEST(1, "Irecv", 10, 11, .peer = 0, .tag = 7, .match = 1);
	REQUEST(1, "Irecv", 20, 21, .peer = 2, .tag = 8, .match = 2);
	REQUEST(2, "Isend", 30, 31, .peer = 1, .tag = 8, .match = 1,
	    .bytes = 8);
	REQUEST(2, "Wait", 32, 35, .peer = 1, .tag = 8, .match = 1, .bytes = 8);
	REQUEST(0, "Send", 40, 50, .peer = 1, .tag = 7, .bytes = 8);
	REQUEST(1, "Waitall", 300, 400, .peer = -1, .tag = 2);
	done.seq = 2; /* of the Waitall */
	done.peer = 2;
	done.tag = 8;
	done.match = 2;
	fake_mpi_add(run, 1, 0, &done);
	done.peer = 0;
	done.tag = 7;
	done.match = 1;
	fake_mpi_add(run, 1, 0, &done);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		REQUEST(rank, "Bcast", 500 + rank, 510, .peer = 2, .match = 1,
		    .bytes = 8);
		REQUEST(rank, "Ibarrier", 600 + rank, 610, .peer = -1, .tag = 2,
		    .match = 5);
		REQUEST(rank, "Wait", 620 + rank, 640, .peer = -1, .tag = 2,
		    .match = 5);
	}
	/* The others do not come. */
	REQUEST(0, "Barrier", 700, 0, .peer = -1, .match = 3);
	fake_mpi_last(run, 1 * MS);
	fake_mpi_end(run, FAKE_RUN_KILLED);
	puts(fake_mpi_dir(run));
	fake_mpi_forget(run);
}

static void
hosts(void)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true };
	static const char *const on[RANKS] = { "alpha", "beta", "gamma" };

	for (uint32_t rank = 0; rank < RANKS; rank++)
		fake_mpi_clock(made.run, rank, on[rank], (int64_t)(rank * MS));
	made_steps(&made, TIMES);
	made_end(&made, FAKE_RUN_ENDED);
}

static void
abroad(void)
{
	make(1024, true, FAKE_RUN_ABROAD);
}

static void
make_sums(uint32_t count, bool turns)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true };

	made_sites(&made, RANKS);
	for (uint32_t n = 0; n < count; n++)
		made_sum(&made, n + 1, turns ? n % RANKS : 2, n * 10 * MS + MS,
		    n * 10 * MS + 6 * MS);
	made_end(&made, FAKE_RUN_ENDED);
}

static void
turns(void)
{
	make_sums(99, true);
}

static void
few(void)
{
	make_sums(2, false);
}

/* The time in which a rank computes, and the longest part in one sample. */
struct made_spent {
	uint64_t computes_ns, longest_ns;
};

/* Adds the samples of a rank that is outside of calls for 800 ms, and computes
   for some of them. */
static void
made_samples(struct made *made, uint32_t rank, struct made_spent spent,
    uint64_t idle_ns, bool inside)
{
	enum es_cpu_side side = inside ? ES_CPU_INSIDE : ES_CPU_OUTSIDE;
	struct es_cpu_sums sums = { .samples = 500,
		.first = MS,
		.last = 1001 * MS,
		.cpu_ns = { spent.computes_ns, 100 * MS },
		.idle_ns = idle_ns,
		.inside = 200 * MS,
		.longest_ns = spent.longest_ns };
	struct es_cpu_lost lost[TIMES];
	uint32_t count = 0;

	sums.lost_ns[side] = 800 * MS - spent.computes_ns - idle_ns;
	for (uint32_t n = TIMES / 2; rank == (inside ? 1 : 2) && n < TIMES;
	     n++) {
		uint64_t from = n * 10 * MS + MS, got = from + 2 * MS + 10 * US;

		if (n % (TIMES / (TIMES - LATE)) != 0)
			lost[count++] = inside ?
			    (struct es_cpu_lost){ .start = got,
				    .stop = got + 4 * MS,
				    .lost_ns = 2 * MS } :
			    (struct es_cpu_lost){ .start = from,
				    .stop = got + 5 * MS,
				    .lost_ns = 5 * MS };
	}
	fake_mpi_cpu(made->run, rank, &sums, lost, count);
}

static void
make_spent(const struct made_spent *spent, uint64_t idle_ns, bool inside,
    uint32_t times)
{
	struct made made = { .run = fake_mpi_create(RANKS, 3 * times),
		.trace = true };

	made_steps(&made, times);
	for (uint32_t rank = 0; rank < RANKS; rank++)
		made_samples(&made, rank, spent[rank], idle_ns, inside);
	made_end(&made, FAKE_RUN_ENDED);
}

static void
make_cores(uint64_t idle_ns, bool inside, uint32_t times)
{
	uint64_t ms = idle_ns > 0 ? MS / 2 : MS;

	make_spent((struct made_spent[]){ { 40 * ms, 0 }, { 300 * ms, 0 },
		       { 600 * ms, 2 * MS } },
	    idle_ns, inside, times);
}

/* The host takes a core from the virtual machine of rank 1 for 22 ms. */
static void
pause_once(void)
{
	make_spent((struct made_spent[]){ { 101 * MS, 2 * MS },
		       { 122 * MS, 23 * MS }, { 100 * MS, 2 * MS } },
	    0, false, TIMES);
}

static void
cores(void)
{
	make_cores(0, false, TIMES);
}

static void
idle(void)
{
	make_cores(400 * MS, false, TIMES);
}

static void
spin(void)
{
	make_cores(0, true, TIMES);
}

static void
lost(void)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true };
	struct es_cpu_lost lost[TIMES];
	uint32_t count = 0;

	made_sites(&made, RANKS);
	for (uint32_t n = 0; n < TIMES; n++) {
		uint64_t from = n * 10 * MS + MS;
		bool late = n % 5 == 0;

		made_sum(&made, n + 1, 2, from, from + (late ? 5 * MS : 0));
		if (late)
			lost[count++] = (struct es_cpu_lost){ .start = from,
				.stop = from + 5 * MS,
				.lost_ns = 5 * MS };
	}
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		struct es_cpu_sums sums = { .samples = 500,
			.first = MS,
			.last = 1001 * MS,
			.cpu_ns = { 800 * MS, 100 * MS },
			.inside = 200 * MS };

		if (rank == 2) {
			sums.lost_ns[ES_CPU_OUTSIDE] = 100 * MS;
			sums.cpu_ns[ES_CPU_OUTSIDE] -= 100 * MS;
		}
		fake_mpi_cpu(made.run, rank, &sums, lost,
		    rank == 2 ? count : 0);
	}
	made_end(&made, FAKE_RUN_ENDED);
}

/* Rank `loser` has no core for lost_ns before it comes to each sum, or while it
   is late. */
static void
make_losing(uint32_t loser, uint64_t lost_ns)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true };
	struct es_cpu_lost lost[TIMES];

	made_sites(&made, RANKS);
	for (uint32_t n = 0; n < TIMES; n++) {
		uint64_t from = n * 10 * MS + 4 * MS, last = from + 5 * MS;
		uint64_t stop = loser == 2 ? last : from;

		made_sum(&made, n + 1, 2, from, last);
		lost[n] = (struct es_cpu_lost){ .start = stop - lost_ns,
			.stop = stop,
			.lost_ns = lost_ns };
	}
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		uint64_t ns = rank == loser ? TIMES * lost_ns : 0;
		struct es_cpu_sums sums = { .samples = 500,
			.first = MS,
			.last = 1001 * MS,
			.cpu_ns = { 800 * MS - ns, 100 * MS },
			.lost_ns = { ns },
			.inside = 200 * MS };

		fake_mpi_cpu(made.run, rank, &sums, lost, ns > 0 ? TIMES : 0);
	}
	made_end(&made, FAKE_RUN_ENDED);
}

static void
early(void)
{
	make_losing(0, 2 * MS);
}

static void
late(void)
{
	make_losing(2, 5 * MS);
}

static void
later(void)
{
	make_losing(2, 2 * MS);
}

static void
chain(void)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true };

	made_sites(&made, RANKS);
	for (uint32_t n = 0; n < 60; n++) {
		uint64_t from = n * 10 * MS + MS;
		uint64_t got = made_message(&made, from, from + 5 * MS);

		made_pass(&made, 1, 2,
		    (const uint64_t[]){ got, got + 10 * US, from,
			got + 10 * US });
	}
	made_end(&made, FAKE_RUN_ENDED);
}

/* Logs the ranks that a rank posts a window to or accesses: r2 is the target of
   the others.  Returns the peer that stands for them. */
static int32_t
made_group(struct fake_mpi *run, uint32_t rank)
{
	struct {
		struct es_mpi_rank_set set;
		struct es_mpi_ranks ranks;
	} group = { { .id = 1, .kind = ES_MPI_RANKS_GROUP, .runs = 1 },
		{ rank == 2 ? 0 : 2, 1, rank == 2 ? 2 : 1 } };

	fake_mpi_log(run, rank, ES_MPI_ENTRY_RANK_SET, &group, sizeof(group));
	return es_mpi_peer_of_id(1);
}

/* Records a call for window 1. */
static void
made_epoch(struct made *made, uint32_t rank, const char *name,
    struct es_tuple_mpi tuple)
{
	tuple.op = (uint16_t)es_mpi_function_find(name);
	tuple.comm = ES_MPI_COMM_WORLD;
	tuple.site = BARRIER + 1;
	tuple.tag = 1;
	tuple.seq = ++made->seq[rank];
	fake_mpi_add(made->run, rank, 0, &tuple);
}

/* r0 and r1 wait for r2 in a Win_start, then all for r1 in a sum. */
static void
make_epochs(uint64_t post_late, uint64_t sum_late)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true };
	int32_t groups[RANKS];

	made_sites(&made, RANKS);
	for (uint32_t rank = 0; rank < RANKS; rank++)
		groups[rank] = made_group(made.run, rank);
	for (uint32_t n = 0; n < 30; n++) {
		uint64_t from = n * 20 * MS + MS, posted = from + post_late;
		uint64_t to = posted + 10 * US;

		for (uint32_t rank = 0; rank < RANKS; rank++) {
			bool target = rank == 2;

			made_epoch(&made, rank,
			    target ? "MPI_Win_post" : "MPI_Win_start",
			    (struct es_tuple_mpi){ .start =
						       target ? posted : from,
				.stop = to,
				.peer = groups[rank] });
			made_epoch(&made, rank,
			    target ? "MPI_Win_wait" : "MPI_Win_complete",
			    (struct es_tuple_mpi){ .start = to,
				.stop = to + (target ? 2 * US : US),
				.peer = ES_MPI_PEER_NONE });
		}
		made_sum(&made, n + 1, 1, to + 100 * US,
		    to + 100 * US + sum_late);
	}
	made_end(&made, FAKE_RUN_ENDED);
}

static void
epochs(void)
{
	make_epochs(8 * MS, MS);
}

static void
epochs_few(void)
{
	make_epochs(MS, 2 * MS);
}

/* r0 and r1 send to r2, which receives late, then all for r1 in a sum.  A send
   has ended before its receive; the others end so long after theirs that they
   need not have waited. */
static void
make_eager(uint64_t receive_late, uint64_t sum_late)
{
	struct made made = { .run = fake_mpi_create(RANKS, 1024),
		.trace = true };

	made_sites(&made, RANKS);
	made_pass(&made, 0, 2,
	    (const uint64_t[]){ 100 * US, 101 * US, 200 * US, 201 * US });
	for (uint32_t n = 0; n < 30; n++) {
		uint64_t from = n * 20 * MS + MS, got = from + receive_late;
		uint64_t to = got + receive_late;

		for (uint32_t rank = 0; rank < 2; rank++)
			made_pass(&made, rank, 2,
			    (const uint64_t[]){ from, to, got + rank * US,
				got + (rank + 1) * US });
		made_sum(&made, n + 1, 1, to + 100 * US,
		    to + 100 * US + sum_late);
	}
	made_end(&made, FAKE_RUN_ENDED);
}

static void
eager(void)
{
	make_eager(8 * MS, MS);
}

static void
eager_few(void)
{
	make_eager(MS, 2 * MS);
}

static void
longer(void)
{
	make_cores(0, false, 20000);
}

TEST_MAIN(both, paths, trace, part, profile, killed, one, none, matrix, wrapped,
    part_wrapped, evil, hosts, abroad, turns, few, cores, idle, spin, lost,
    longer, requests, pause_once, epochs, epochs_few, eager, eager_few, early,
    late, later, chain)
