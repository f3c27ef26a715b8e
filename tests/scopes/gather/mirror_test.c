/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/gather/mirror_test.c - proves that a copy that is written from
 * batches equals the space that they were read from
 */

#include "scopes/gather/mirror_private.h"
#include "scopes/gather/order_private.h"
#include "scopes/gather/source_private.h"

#include "tests/collectors/fake.h"

#include "collectors/space_format.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define RINGS 3u
#define BATCH 65536u
#define SMALL 2048u

/* A space of process p0 in one folder, its copy in another. */
struct subject {
	char from[256], to[256];
	struct es_record *record;
	struct es__source *source;
	struct es__mirror *mirror;
	struct es__order *order; /* NULL: batches are not ordered */
	uint64_t seq[RINGS + 1];
	char notes[1024];
	size_t batches;
	_Alignas(8) uint8_t batch[BATCH];
	_Alignas(8) uint8_t ordered[BATCH];
};

static void
subject_note(void *to, const char *text)
{
	struct subject *s = to;

	snprintf(s->notes, sizeof(s->notes), "%s", text);
}

/* first: tuples that a ring begins with; 0: it does not grow. */
static void
subject_open(struct subject *s, uint64_t capacity, uint64_t first)
{
	struct es_record_collector list[RINGS];
	struct es_record_spec spec = {
		.directory = s->from,
		.process_name = "p0",
		.process = 3,
		.collector_count = RINGS,
		.map_text = FAKE_MAP,
		.map_bytes = strlen(FAKE_MAP),
		.collectors = list,
		.added = fake_type(),
	};

	memset(s, 0, sizeof(*s));
	for (uint32_t n = 0; n < RINGS; n++)
		list[n] = (struct es_record_collector){
			.instance = 10 + n,
			.mode = ES_MODE_ALL,
			.type = fake_type(),
			.capacity = capacity,
			.first = first,
			.profile_ops = 5,
			.profile_classes = 1,
			.matrix_peers = 2,
			.matrix_categories = 5,
		};
	snprintf(s->from, sizeof(s->from), "%s", fake_folder());
	snprintf(s->to, sizeof(s->to), "%s", fake_folder());
	EXPECT_OK(es_record_open(&spec, &s->record));
	EXPECT_OK(es__source_open(s->from, "p0.space", &s->source));
	EXPECT_OK(es__mirror_open(&(struct es__mirror_to){ s->to, NULL, NULL },
	    subject_note, s, &s->mirror));
}

static void
subject_close(struct subject *s)
{
	es__mirror_close(s->mirror);
	es__source_close(s->source);
	es_record_close(s->record);
	fake_remove(s->from);
	fake_remove(s->to);
}

/* Passes a batch to the mirror, through an order if there is one. */
static void
subject_pass(struct subject *s, size_t bytes)
{
	struct es__batch_out out = { .base = s->ordered, .room = BATCH };
	bool wanted[1] = { false }, more;

	if (s->order == NULL) {
		EXPECT_OK(es__mirror_batch(s->mirror, s->batch, bytes, &more));
		return;
	}
	EXPECT_OK(es__order_add(s->order, 0, s->batch, bytes, &more));
	do {
		out.used = 0;
		EXPECT_OK(es__order_take(s->order, &out, wanted));
		EXPECT_OK(
		    es__mirror_batch(s->mirror, s->ordered, out.used, &more));
	} while (!es__order_is_empty(s->order));
}

/* Reads all that there is, in batches of that size. */
static void
subject_pull(struct subject *s, size_t room)
{
	bool more = true;

	es__source_update(s->source);
	while (more) {
		struct es__batch_out out = { .base = s->batch, .room = room };
		struct es__source_sum sum = { .tuples = 0 };

		more = false;
		EXPECT_OK(es__source_fill(s->source, &out, &sum, &more));
		EXPECT_TRUE(!more || out.used > 0);
		subject_pass(s, out.used);
		s->batches++;
	}
	es__mirror_seal(s->mirror);
	EXPECT_STR_EQ("", s->notes);
}

static void
subject_add(struct subject *s, struct es_record_ring *ring, uint32_t n,
    unsigned count)
{
	for (; count > 0; count--) {
		struct es_tuple_path *t = es_record_reserve(ring);

		*t = fake_tuple(s->seq[n]++);
		es_record_fill(ring);
		es_record_complete(ring, 0);
	}
}

static void
subject_record(struct subject *s, uint32_t n, unsigned count)
{
	struct es_record_ring ring;

	EXPECT_OK(es_record_ring(s->record, n, &ring));
	subject_add(s, &ring, n, count);
}

/* --- comparing ----------------------------------------------------------- */

static struct es_space *
open_space(const char *folder)
{
	struct es_space *space;

	EXPECT_OK(es_space_open(fake_file(folder), &space));
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	return space;
}

/* Compares the tuples that both retain. */
static void
same_tuples(const struct es_space *a, const struct es_space *b, uint32_t n)
{
	struct es_space_collector x, y;
	struct es_space_run run[2];
	char *tuples[2];

	EXPECT_OK(es_space_collector(a, n, &x));
	EXPECT_OK(es_space_collector(b, n, &y));
	EXPECT_EQ(x.count - x.reset, y.count - y.reset);
	EXPECT_EQ(x.capacity, y.capacity);
	EXPECT_EQ(x.instance, y.instance);
	EXPECT_EQ(x.owner, y.owner);
	EXPECT_EQ(x.mode, y.mode);
	EXPECT_EQ(x.discarded, y.discarded);
	EXPECT_EQ(x.first - x.reset, y.first - y.reset);
	for (int i = 0; i < 2; i++) {
		tuples[i] = malloc(x.capacity * x.type->bytes);
		EXPECT_TRUE(tuples[i] != NULL);
		run[i].first = i == 0 ? x.first : y.first;
		run[i].count = x.count - x.first;
		EXPECT_OK(es_space_read(i == 0 ? a : b, n, &run[i], tuples[i]));
		EXPECT_EQ(x.count - x.first, run[i].count);
	}
	EXPECT_OK(memcmp(tuples[0], tuples[1], run[0].count * x.type->bytes));
	for (int i = 0; i < 2; i++)
		free(tuples[i]);
}

static void
same_summaries(const struct es_space *a, const struct es_space *b, uint32_t n)
{
	struct es_profile x, y;
	struct es_matrix v, w;

	for (uint32_t row = 0; row < 5; row++) {
		EXPECT_OK(es_space_profile(a, n, row, &x));
		EXPECT_OK(es_space_profile(b, n, row, &y));
		EXPECT_OK(memcmp(&x, &y, sizeof(x)));
	}
	for (uint32_t row = 0; row < 10; row++) {
		EXPECT_OK(es_space_matrix(a, n, row, &v));
		EXPECT_OK(es_space_matrix(b, n, row, &w));
		EXPECT_OK(memcmp(&v, &w, sizeof(v)));
	}
}

static void
same_rows(const struct es_space *a, const struct es_space *b)
{
	struct es_space_rows x, y;
	uint32_t n = 0;

	for (; es_space_rows(a, n, &x) == PATHS_OK; n++) {
		EXPECT_OK(es_space_rows(b, n, &y));
		EXPECT_EQ(x.kind, y.kind);
		EXPECT_EQ(x.what, y.what);
		EXPECT_EQ(x.owner, y.owner);
		EXPECT_EQ(x.row_bytes, y.row_bytes);
		EXPECT_EQ(x.count, y.count);
		EXPECT_OK(memcmp(x.rows, y.rows, x.count * x.row_bytes));
	}
	EXPECT_TRUE(es_space_rows(b, n, &y) != PATHS_OK);
}

/* Compares all that both have. */
static void
subject_compare(const struct subject *s, uint32_t collectors)
{
	struct es_space *a = open_space(s->from), *b = open_space(s->to);
	struct es_space_info x, y;

	es_space_info(a, &x);
	es_space_info(b, &y);
	EXPECT_STR_EQ(x.process_name, y.process_name);
	EXPECT_STR_EQ(x.host_name, y.host_name);
	EXPECT_STR_EQ(x.map_text, y.map_text);
	EXPECT_EQ(x.process, y.process);
	EXPECT_EQ(x.pid, y.pid);
	EXPECT_EQ(collectors, x.collector_count);
	EXPECT_EQ(collectors, y.collector_count);
	EXPECT_EQ(ES_COPY_NONE, x.copy);
	EXPECT_TRUE(y.copy != ES_COPY_NONE && y.heard_ns != 0);
	EXPECT_EQ(x.closed, y.closed);
	EXPECT_EQ(x.exit_status, y.exit_status);
	EXPECT_OK(memcmp(&x.start, &y.start, sizeof(x.start)));
	EXPECT_OK(memcmp(&x.latest, &y.latest, sizeof(x.latest)));
	/* All tuples of a copy have a checksum. */
	EXPECT_EQ(0, y.unchecked);
	for (uint32_t n = 0; n < collectors; n++) {
		same_tuples(a, b, n);
		if (n < RINGS)
			same_summaries(a, b, n);
	}
	same_rows(a, b);
	es_space_close(a);
	es_space_close(b);
}

/* --- cases --------------------------------------------------------------- */

static void
a_copy_has_the_tuples_of_its_space_also_after_many_laps(void)
{
	static const size_t rooms[] = { 8192, SMALL };

	for (int ordered = 0; ordered < 2; ordered++) {
		struct es__order order = { .heap_count = 0 };
		struct subject s;

		subject_open(&s, 100, 0);
		s.order = ordered ? &order : NULL;
		for (unsigned round = 0; round < 40; round++) {
			subject_record(&s, 0, 7);
			subject_record(&s, 1, round * 13);
			subject_record(&s, 2, round % 3 == 0);
			subject_pull(&s, rooms[round % 2]);
			subject_compare(&s, RINGS);
		}
		EXPECT_TRUE(s.batches > 80);
		subject_close(&s);
		es__order_fini(&order);
	}
}

static void
a_copy_of_a_ring_that_grows_has_its_tuples(void)
{
	struct es_record_ring ring;
	struct subject s;

	subject_open(&s, 8192, 1024);
	EXPECT_OK(es_record_ring(s.record, 1, &ring));
	for (unsigned n = 0; n < 60; n++) {
		uint64_t next = s.seq[1] + 300;

		/* A ring without memory would discard tuples. */
		fake_wait_ready(&ring, next < 8192 ? next : 8192);
		subject_record(&s, 1, 300);
		subject_pull(&s, BATCH);
		subject_compare(&s, RINGS);
	}
	subject_close(&s);
}

static void
a_reset_empties_the_copy(void)
{
	struct es_space *space;
	struct subject s;

	subject_open(&s, 100, 0);
	for (unsigned round = 0; round < 6; round++) {
		subject_record(&s, 0, 30 + 50 * (round % 3));
		subject_record(&s, 1, 5);
		subject_pull(&s, BATCH);
		EXPECT_OK(es_space_open_to_switch(fake_file(s.from), &space));
		EXPECT_OK(es_space_reset(space, round % 2));
		EXPECT_OK(es_space_switch(space, 2, round % 8));
		es_space_close(space);
		if (round % 3 == 1)
			subject_record(&s, round % 2, 9);
		subject_pull(&s, BATCH);
		subject_compare(&s, RINGS);
	}
	subject_close(&s);
}

static void
profiles_and_matrices_are_copied(void)
{
	struct es_record_ring ring;
	struct subject s;

	subject_open(&s, 100, 0);
	for (uint64_t round = 1; round < 20; round++) {
		EXPECT_OK(es_record_ring(s.record, round % RINGS, &ring));
		es_record_profile(&ring, round % 5, 1000 * round, true);
		es_record_matrix(&ring, round % 10, 77 * round);
		subject_pull(&s, round % 2 ? BATCH : SMALL);
		subject_compare(&s, RINGS);
	}
	subject_close(&s);
}

/* Adds a part with rows of one size, and returns it. */
static struct es_space_part *
add_rows(struct subject *s, uint32_t what, uint32_t row_bytes, uint64_t room)
{
	struct es_record_part want = { .what = what,
		.owner = 7,
		.row_bytes = row_bytes,
		.room = room };
	struct es_space_part *part;

	EXPECT_OK(es_record_add_rows(s->record, &want, &part));
	return part;
}

static void
append(struct es_space_part *part, const void *row, uint64_t rows)
{
	uint64_t used = atomic_load(&part->used);

	memcpy((char *)(part + 1) + used * part->row_bytes, row,
	    rows * part->row_bytes);
	atomic_store(&part->used, used + rows);
}

static void
parts_that_are_added_while_it_is_recorded_are_copied(void)
{
	struct es_space_part *rows = NULL, *log = NULL;
	struct es_record_ring rings[3];
	struct subject s;
	uint64_t row[3] = { 0, 1, 2 };
	uint32_t added = 0;

	subject_open(&s, 100, 0);
	for (uint32_t round = 0; round < 30; round++) {
		if (round % 10 == 5) {
			struct es_record_collector want = { .mode =
								ES_MODE_TRACE,
				.type = fake_type(),
				.capacity = 50 };

			EXPECT_OK(es_record_add_ring(s.record, &want,
			    40 + added, &rings[added]));
			added++;
		}
		if (round % 10 == 2) {
			rows = add_rows(&s, 3, sizeof(row), 100);
			log = add_rows(&s, 4, 1, 3000);
		}
		if (rows != NULL) {
			row[0]++;
			append(rows, row, 1);
			/* The first row changes, too. */
			((uint64_t *)(rows + 1))[1] += 5;
			append(log, "a definition of some length", 20 + added);
		}
		for (uint32_t n = 0; n < added; n++) {
			s.seq[RINGS] = round * 100;
			subject_add(&s, &rings[n], RINGS, 33);
		}
		subject_pull(&s, round % 2 ? BATCH : SMALL);
		subject_compare(&s, RINGS + added);
	}
	EXPECT_EQ(3, added);
	subject_close(&s);
}

/* Returns true if no tuple of a space is torn. */
static bool
is_whole(const struct es_space *space)
{
	static struct es_tuple_path tuples[100];
	struct es_space_run run;

	for (uint32_t n = 0; n < RINGS; n++) {
		run = (struct es_space_run){ .count = 100 };
		if (es_space_read(space, n, &run, tuples) != PATHS_OK)
			return false;
		for (uint64_t i = 0; i < run.count; i++) {
			struct es_tuple_path want = fake_tuple(tuples[i].seq);

			/* The newest one seems to be under way while the
			   counts are written. */
			if (run.inside && i == run.count - 1)
				want.stop = 0;
			if (memcmp(&want, &tuples[i], sizeof(want)) != 0)
				return false;
		}
	}
	return true;
}

/* Opens a copy again and again, until the pipe is closed.  Returns the exit
   status: 0 if it was always whole. */
static int
read_on(const char *folder, int pipe_fd)
{
	int status = 0;
	char byte;

	while (status == 0 && read(pipe_fd, &byte, 1) < 0) {
		struct es_space *space;

		if (es_space_open(fake_file(folder), &space) != PATHS_OK)
			return 2;
		if (es_space_damage(space, 0) != NULL) {
			fprintf(stderr, "%s\n", es_space_damage(space, 0));
			status = 3;
		}
		if (!is_whole(space))
			status = 4;
		es_space_close(space);
	}
	return status;
}

static void
a_copy_is_whole_while_it_is_written(void)
{
	struct subject s;
	int fds[2], status;
	pid_t reader;

	subject_open(&s, 100, 0);
	subject_record(&s, 0, 10);
	subject_pull(&s, BATCH);
	EXPECT_OK(pipe2(fds, O_NONBLOCK));
	reader = fork();
	if (reader == 0) {
		close(fds[1]);
		_exit(read_on(s.to, fds[0]));
	}
	for (unsigned round = 0; round < 2000; round++) {
		subject_record(&s, 0, round % 37);
		subject_record(&s, 1, round % 250);
		subject_pull(&s, BATCH);
	}
	close(fds[1]);
	EXPECT_EQ(reader, waitpid(reader, &status, 0));
	EXPECT_EQ(0, status);
	close(fds[0]);
	subject_close(&s);
}

static void
a_copy_tells_the_state_of_its_process(void)
{
	struct es_space_info info;
	struct es_space *space;
	struct subject s;

	subject_open(&s, 100, 0);
	subject_record(&s, 0, 10);
	subject_pull(&s, BATCH);
	space = open_space(s.to);
	es_space_info(space, &info);
	EXPECT_EQ(ES_COPY_LIVE, info.copy);
	EXPECT_TRUE(!info.closed);
	es_space_close(space);
	subject_record(&s, 0, 500);
	es_record_end(s.record);
	subject_pull(&s, BATCH);
	subject_compare(&s, RINGS);
	space = open_space(s.to);
	es_space_info(space, &info);
	EXPECT_EQ(ES_COPY_CLOSED, info.copy);
	EXPECT_TRUE(info.closed);
	es_space_close(space);
	subject_close(&s);
}

static void
a_copy_replaces_a_copy_but_never_a_space(void)
{
	struct subject s;
	struct es_space_info info;
	struct es_space *space;

	subject_open(&s, 100, 0);
	subject_record(&s, 0, 10);
	subject_pull(&s, BATCH);
	/* A second scope of the same run. */
	es__mirror_close(s.mirror);
	es__source_close(s.source);
	EXPECT_OK(es__source_open(s.from, "p0.space", &s.source));
	EXPECT_OK(es__mirror_open(&(struct es__mirror_to){ s.to, NULL, NULL },
	    subject_note, &s, &s.mirror));
	subject_pull(&s, BATCH);
	subject_compare(&s, RINGS);
	/* A scope that would copy into the folder of the space. */
	es__mirror_close(s.mirror);
	es__source_close(s.source);
	EXPECT_OK(es__source_open(s.from, "p0.space", &s.source));
	EXPECT_OK(es__mirror_open(&(struct es__mirror_to){ s.from, NULL, NULL },
	    subject_note, &s, &s.mirror));
	subject_pull(&s, BATCH);
	EXPECT_EQ(0, es__mirror_count(s.mirror));
	space = open_space(s.from);
	es_space_info(space, &info);
	EXPECT_EQ(ES_COPY_NONE, info.copy);
	es_space_close(space);
	EXPECT_EQ(1, fake_files(s.from));
	subject_close(&s);
}

/* Returns true if the copies in two folders are one file. */
static bool
is_linked(const char *one, const char *two)
{
	struct stat a, b;

	EXPECT_EQ(0, stat(fake_file(one), &a));
	EXPECT_EQ(0, stat(fake_file(two), &b));
	return a.st_ino == b.st_ino;
}

/* Two scopes copy side by side; the names of the run are of the first, and of
   the second when the first has ended. */
static void
scopes_side_by_side_share_the_names_of_a_run(void)
{
	struct subject one, two;
	struct es__mirror_to to;
	char run[256], from[1024];

	snprintf(run, sizeof(run), "%s", fake_folder());
	subject_open(&one, 100, 0);
	subject_open(&two, 100, 0);
	subject_record(&one, 0, 10);
	subject_record(&two, 0, 20);
	es__mirror_close(one.mirror);
	es__mirror_close(two.mirror);
	to = (struct es__mirror_to){ one.to, run, NULL };
	EXPECT_OK(es__mirror_open(&to, subject_note, &one, &one.mirror));
	to.copies = two.to;
	EXPECT_OK(es__mirror_open(&to, subject_note, &two, &two.mirror));
	subject_pull(&one, BATCH);
	subject_pull(&two, BATCH);
	subject_compare(&one, RINGS);
	subject_compare(&two, RINGS);
	es__mirror_publish(two.mirror);
	EXPECT_TRUE(is_linked(run, one.to));
	es__mirror_close(one.mirror);
	one.mirror = NULL;
	es__mirror_publish(two.mirror);
	EXPECT_TRUE(is_linked(run, two.to));
	/* A space that its process writes is not replaced. */
	snprintf(from, sizeof(from), "%s", fake_file(one.from));
	EXPECT_EQ(0, rename(from, fake_file(run)));
	es__mirror_publish(two.mirror);
	EXPECT_TRUE(!is_linked(run, two.to));
	EXPECT_EQ(1, fake_files(run));
	subject_close(&one);
	subject_close(&two);
	fake_remove(run);
}

static void
a_source_does_not_read_copies_of_a_tree(void)
{
	struct subject s;
	struct es__batch_out out = { .base = s.batch, .room = BATCH };
	struct es__source_sum sum = { .tuples = 0 };
	struct es__source *source;
	bool more = false;

	subject_open(&s, 100, 0);
	subject_pull(&s, BATCH);
	EXPECT_OK(es__source_open(s.to, "p0.space", &source));
	es__source_update(source);
	EXPECT_OK(es__source_fill(source, &out, &sum, &more));
	EXPECT_EQ(0, out.used);
	es__source_close(source);
	subject_close(&s);
}

/* Gets the first batch, with the definitions of the space. */
static size_t
first_batch(struct subject *s)
{
	struct es__batch_out out = { .base = s->batch, .room = BATCH };
	struct es__source_sum sum = { .tuples = 0 };
	bool more = false;

	subject_record(s, 0, 10);
	EXPECT_OK(es__source_fill(s->source, &out, &sum, &more));
	EXPECT_TRUE(!more);
	return out.used;
}

static struct es__record *
find(struct subject *s, size_t bytes, enum es__record_kind kind)
{
	const struct es__record *r;
	struct es__batch b;
	paths_status st = PATHS_OK;

	es__batch_init(&b, s->batch, bytes);
	while ((r = es__batch_next(&b, &st)) != NULL && r->kind != kind)
		;
	EXPECT_TRUE(r != NULL);
	return (struct es__record *)(uintptr_t)r;
}

static void
what_does_not_fit_is_refused_and_noted(void)
{
	for (int what = 0; what < 6; what++) {
		struct es__record *r;
		struct es_space_head *head;
		struct subject s;
		bool more;
		size_t bytes;

		subject_open(&s, 100, 0);
		bytes = first_batch(&s);
		r = find(&s, bytes, ES__RECORD_DEFINITIONS);
		head = (struct es_space_head *)(r + 1);
		if (what == 0)
			r->first = 8;
		else if (what == 1)
			head->map_bytes++;
		else if (what == 2)
			head->process_name[0] = '/';
		r = find(&s, bytes, ES__RECORD_RUN);
		if (what == 3)
			r->collector = RINGS;
		else if (what == 4)
			r->tuple_bytes -= 4;
		r = find(&s, bytes, ES__RECORD_BYTES);
		if (what == 5)
			r->first += 8;
		EXPECT_OK(es__mirror_batch(s.mirror, s.batch, bytes, &more));
		EXPECT_TRUE(strstr(s.notes, "not copied: ") != NULL);
		EXPECT_EQ(0, es__mirror_count(s.mirror));
		/* Nothing but a copy that was begun is left. */
		EXPECT_EQ(what > 2, fake_files(s.to));
		subject_close(&s);
	}
}

static void
definitions_are_not_overwritten(void)
{
	struct es__batch_out out = { .room = BATCH };
	struct es__record *r;
	struct subject s;
	size_t bytes;
	bool more;

	/* A process does not change its head and definitions. */
	subject_open(&s, 100, 0);
	bytes = first_batch(&s);
	EXPECT_OK(es__mirror_batch(s.mirror, s.batch, bytes, &more));
	out.base = s.batch;
	r = es__batch_put(&out, ES__RECORD_BYTES, ES_SPACE_PART_RING);
	EXPECT_TRUE(r != NULL);
	r->space = s.source->number;
	r->first = 0;
	r->count = ES_SPACE_PART_RING;
	memset(r + 1, 0xff, r->count);
	EXPECT_OK(es__mirror_batch(s.mirror, s.batch, out.used, &more));
	EXPECT_TRUE(strstr(s.notes, "bytes have no place") != NULL);
	subject_close(&s);
}

TEST_MAIN(a_copy_has_the_tuples_of_its_space_also_after_many_laps,
    a_copy_of_a_ring_that_grows_has_its_tuples, a_reset_empties_the_copy,
    profiles_and_matrices_are_copied,
    parts_that_are_added_while_it_is_recorded_are_copied,
    a_copy_is_whole_while_it_is_written, a_copy_tells_the_state_of_its_process,
    a_copy_replaces_a_copy_but_never_a_space,
    scopes_side_by_side_share_the_names_of_a_run,
    a_source_does_not_read_copies_of_a_tree,
    what_does_not_fit_is_refused_and_noted, definitions_are_not_overwritten)
