/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/gather/stages_test.c - proves the stages of gather trees with
 * event spaces of known tuples
 */

#include "tests/scopes/gather/tree.h"

#include "tests/collectors/fake.h"

#include <sys/stat.h>

/* A folder with a space of process p0, and a path of the map that reads it. */
struct subject {
	char folder[2][256];
	struct es_record *record[2];
	uint64_t seq[2][4]; /* of the next tuple of each collector */
	struct team *team;
	struct paths_program *program;
	struct paths_path *path;
	struct tree tree;
};

/* Makes the spaces.  capacity: tuples that a ring holds. */
static void
subject_record(struct subject *s, uint64_t capacity)
{
	memset(s, 0, sizeof(*s));
	tree_register();
	for (int n = 0; n < 2; n++) {
		snprintf(s->folder[n], sizeof(s->folder[n]), "%s",
		    fake_folder());
		EXPECT_OK(fake_open(s->folder[n], 4, capacity, &s->record[n]));
	}
}

/* Opens the path through a chain, in which %1$s and %2$s are the folders. */
static void
subject_open(struct subject *s, const char *chain)
{
	char text[1024], map[2048];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), chain, s->folder[0], s->folder[1]);
#pragma GCC diagnostic pop
	snprintf(map, sizeof(map),
	    "pathmap 1\nhost h\nprocess p -host h\nthread t -process p\n"
	    "path t view {%s} -use read\n",
	    text);
	s->team = team_open(map);
	s->program = team_join(s->team, "p");
	s->path = team_path(team_thread(s->program, "t"), "view");
}

static void
subject_close(struct subject *s)
{
	paths_program_close(s->program);
	team_close(s->team);
	for (int n = 0; n < 2; n++) {
		es_record_close(s->record[n]);
		fake_remove(s->folder[n]);
	}
	tree_fini(&s->tree);
}

/* Records tuples: one every 8 ticks on each collector, one after another. */
static void
subject_add(struct subject *s, int space, uint32_t collector, unsigned count)
{
	struct es_record_ring ring;

	EXPECT_OK(es_record_ring(s->record[space], collector, &ring));
	for (unsigned n = 0; n < count; n++) {
		struct es_tuple_path *t = es_record_reserve(&ring);
		uint64_t seq = s->seq[space][collector]++;

		*t = fake_tuple(seq);
		t->start = 1000 + seq * 8 + collector * 2 + (uint64_t)space;
		t->stop = t->start + 1;
		es_record_fill(&ring);
		es_record_complete(&ring, 0);
	}
}

static void
subject_add_all(struct subject *s, unsigned count)
{
	for (int space = 0; space < 2; space++)
		for (uint32_t c = 0; c < 4; c++)
			subject_add(s, space, c, count);
}

static void
a_source_returns_each_tuple_once(void)
{
	struct subject s;
	char file[300];
	struct stat about;

	subject_record(&s, 4096);
	subject_open(&s, "{spaces %1$s}");
	subject_add_all(&s, 100);
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(1, s.tree.spaces);
	EXPECT_EQ(400, TREE_SUM(&s.tree, tuples));
	/* The head, and definitions with the map. */
	snprintf(file, sizeof(file), "%s/p0.space", s.folder[0]);
	EXPECT_OK(stat(file, &about));
	EXPECT_TRUE(s.tree.definitions > 4096 + strlen(FAKE_MAP) &&
	    s.tree.definitions < (uint64_t)about.st_size);
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(400, TREE_SUM(&s.tree, tuples));
	subject_add(&s, 0, 2, 5);
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(405, TREE_SUM(&s.tree, tuples));
	EXPECT_EQ(105, s.tree.collectors[2].tuples);
	EXPECT_EQ(1, s.tree.spaces);
	EXPECT_EQ(0, TREE_SUM(&s.tree, lost));
	EXPECT_TRUE(!tree_is_torn(&s.tree));
	subject_close(&s);
}

static void
nothing_is_opened_before_the_first_read(void)
{
	struct subject s;

	subject_record(&s, 64);
	subject_open(&s, "{spaces %1$s}");
	/* A space that the source had opened would still be read. */
	fake_remove(s.folder[0]);
	subject_add(&s, 0, 0, 1);
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(0, s.tree.spaces);
	EXPECT_EQ(0, TREE_SUM(&s.tree, tuples));
	subject_close(&s);
}

static void
discarded_tuples_are_counted_exactly(void)
{
	struct subject s;
	bool busy; /* index of the one with many tuples */

	subject_record(&s, 64);
	subject_open(&s, "{spaces %1$s}");
	for (unsigned round = 0; round < 20; round++) {
		subject_add(&s, 0, 0, 37 * round);
		subject_add(&s, 0, 1, 3);
		tree_read_all(&s.tree, s.path);
		EXPECT_EQ(s.seq[0][0] + s.seq[0][1],
		    TREE_SUM(&s.tree, tuples) + TREE_SUM(&s.tree, lost));
	}
	EXPECT_EQ(2, s.tree.count);
	busy = s.tree.collectors[0].collector == 1;
	EXPECT_EQ(60, s.tree.collectors[!busy].tuples);
	EXPECT_EQ(0, s.tree.collectors[!busy].lost);
	EXPECT_TRUE(s.tree.collectors[busy].lost > 5000);
	subject_close(&s);
}

static void
an_operation_inside_is_returned_when_it_has_ended(void)
{
	struct es_record_ring ring;
	struct es_tuple_path *t;
	struct subject s;

	subject_record(&s, 64);
	subject_open(&s, "{spaces %1$s}");
	EXPECT_OK(es_record_ring(s.record[0], 0, &ring));
	t = es_record_reserve(&ring);
	*t = fake_tuple(0);
	t->stop = 0;
	es_record_fill(&ring);
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(0, TREE_SUM(&s.tree, tuples));
	es_record_complete(&ring, 0);
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(1, TREE_SUM(&s.tree, tuples));
	subject_close(&s);
}

#define TWO_SMALL "{{spaces %1$s -batch 2K}} {{spaces %2$s -batch 2K}}"

/* Small batches carry everything, in more reads. */
static void
a_batch_is_never_longer_than_its_type(void)
{
	static const char *const chains[] = {
		"{spaces %1$s -batch 2K}",
		"{sort} {spaces %1$s -batch 2K}",
		"{merge " TWO_SMALL "}",
		"{merge " TWO_SMALL " -order none}",
	};

	for (int n = 0; n < 4; n++) {
		struct subject s;

		subject_record(&s, 4096);
		subject_open(&s, chains[n]);
		subject_add_all(&s, 500);
		tree_read_all(&s.tree, s.path);
		EXPECT_EQ(n < 2 ? 2000 : 4000, TREE_SUM(&s.tree, tuples));
		EXPECT_TRUE(!tree_is_torn(&s.tree));
		EXPECT_TRUE(s.tree.bytes <= s.tree.batches * 2048);
		subject_close(&s);
	}
}

static void
a_read_carries_64_KiB_when_they_are_there(void)
{
	struct subject s;

	subject_record(&s, 65536);
	subject_open(&s, "{spaces %1$s}");
	subject_add(&s, 0, 1, 60000);
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(60000, TREE_SUM(&s.tree, tuples));
	/* Two more for definitions, and for the rest. */
	EXPECT_TRUE(s.tree.batches <= 60000 * 36 / 65536 + 2);
	subject_close(&s);
}

static void
tuples_are_sorted_by_their_start(void)
{
	static const char *const chains[] = {
		"{sort} {spaces %1$s}",
		"{merge {{spaces %1$s}} {{spaces %2$s}}}",
		"{merge {{sort} {spaces %1$s}} {{merge {{spaces %2$s}}}}}",
		"{sort} {merge {{spaces %1$s}} {{spaces %2$s}} -order none}",
	};

	for (int n = 0; n < 4; n++) {
		struct subject s;

		subject_record(&s, 4096);
		subject_add_all(&s, 200);
		subject_open(&s, chains[n]);
		tree_read_all(&s.tree, s.path);
		EXPECT_EQ(n == 0 ? 800 : 1600, TREE_SUM(&s.tree, tuples));
		EXPECT_EQ(0, s.tree.backward);
		EXPECT_TRUE(!tree_is_torn(&s.tree));
		subject_close(&s);
	}
}

static void
without_sort_they_are_not(void)
{
	struct subject s;

	subject_record(&s, 4096);
	subject_add_all(&s, 200);
	subject_open(&s, "{merge {{spaces %1$s}} {{spaces %2$s}} -order none}");
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(1600, TREE_SUM(&s.tree, tuples));
	EXPECT_TRUE(s.tree.backward > 0);
	subject_close(&s);
}

/* A chain that has more and more does not keep another one from being read. */
static void
a_merge_asks_all_of_its_chains(void)
{
	struct subject s;
	unsigned reads = 0;

	subject_record(&s, 16384);
	subject_open(&s, "{merge " TWO_SMALL " -order none}");
	subject_add(&s, 0, 0, 16000);
	subject_add(&s, 1, 0, 1);
	while (TREE_SUM(&s.tree, tuples) < 100)
		EXPECT_OK(tree_read(&s.tree, s.path));
	subject_add(&s, 1, 3, 1);
	while (s.tree.count < 3 && reads++ < 200)
		EXPECT_OK(tree_read(&s.tree, s.path));
	EXPECT_EQ(3, s.tree.count);
	EXPECT_TRUE(TREE_SUM(&s.tree, tuples) < 15000);
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(16002, TREE_SUM(&s.tree, tuples));
	EXPECT_EQ(0, TREE_SUM(&s.tree, lost));
	subject_close(&s);
}

/* Also for tuples in MIX records. */
static void
a_filter_keeps_what_meets_its_condition(void)
{
	static const struct {
		const char *filter;
		uint64_t kept;
	} filters[] = {
		/* op is n % 4 + 1, status n % 7, of n from 0 to 699. */
		{ "filter op == 2", 175 },
		{ "filter op != 2", 525 },
		{ "filter status < 3", 300 },
		{ "filter status <= 3", 400 },
		{ "filter status > 5", 100 },
		{ "filter status >= 5", 200 },
		{ "filter op & 1", 350 },
		{ "filter seq >= 350.5", 349 },
		{ "filter nothing == 0", 0 },
		{ "filter duration < 0", 0 },
		{ "filter duration >= 0", 700 },
	};

	for (size_t n = 0; n < sizeof(filters) / sizeof(filters[0]); n++) {
		for (int sorted = 0; sorted < 2; sorted++) {
			struct subject s;
			char chain[256];

			subject_record(&s, 4096);
			subject_add(&s, 0, 0, 700);
			subject_add(&s, 0, 3, 700);
			snprintf(chain, sizeof(chain), "{%s}%s {spaces %%1$s}",
			    filters[n].filter, sorted ? " {sort}" : "");
			subject_open(&s, chain);
			tree_read_all(&s.tree, s.path);
			if (TREE_SUM(&s.tree, tuples) != 2 * filters[n].kept)
				fprintf(stderr, "# %s\n", filters[n].filter);
			EXPECT_EQ(2 * filters[n].kept,
			    TREE_SUM(&s.tree, tuples));
			subject_close(&s);
		}
	}
}

static void
tuples_left_out_by_a_filter_are_counted(void)
{
	static const char *const chains[] = {
		"{filter op == 2} {spaces %1$s}",
		"{sort} {filter op == 2} {spaces %1$s}",
		"{merge {{filter op == 2} {sort} {spaces %1$s}}}",
	};

	for (int n = 0; n < 3; n++) {
		struct subject s;

		subject_record(&s, 4096);
		subject_add(&s, 0, 0, 400);
		subject_open(&s, chains[n]);
		tree_read_all(&s.tree, s.path);
		EXPECT_EQ(100, TREE_SUM(&s.tree, tuples));
		/* A MIX has it in its table, which the tree passes over. */
		if (n != 2)
			EXPECT_EQ(300, TREE_SUM(&s.tree, left));
		subject_close(&s);
	}
}

static void
count_reduces_tuples_to_their_number(void)
{
	static const char *const chains[] = {
		"{count} {spaces %1$s}",
		"{count} {sort} {spaces %1$s}",
		"{count} {filter op == 2} {sort} {spaces %1$s}",
		"{merge {{count} {spaces %1$s}}}",
	};

	for (int n = 0; n < 4; n++) {
		struct subject s;

		subject_record(&s, 256);
		subject_add(&s, 0, 0, 400);
		subject_add(&s, 0, 1, 100);
		subject_open(&s, chains[n]);
		tree_read_all(&s.tree, s.path);
		EXPECT_EQ(0, TREE_SUM(&s.tree, tuples));
		EXPECT_EQ(144, TREE_SUM(&s.tree, lost));
		EXPECT_EQ(356,
		    TREE_SUM(&s.tree, counted) + TREE_SUM(&s.tree, left));
		EXPECT_EQ(n == 2 ? 89 : 356, TREE_SUM(&s.tree, counted));
		subject_close(&s);
	}
}

static void
a_closed_path_begins_again_when_it_is_opened(void)
{
	struct paths_thread *thread;
	struct subject s;

	subject_record(&s, 256);
	subject_add(&s, 0, 0, 10);
	subject_open(&s, "{merge {{spaces %1$s}} {{spaces %2$s}}}");
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(10, TREE_SUM(&s.tree, tuples));
	paths_path_close(s.path);
	paths_program_close(s.program);
	s.program = team_join(s.team, "p");
	thread = team_thread(s.program, "t");
	s.path = team_path(thread, "view");
	paths_path_close(s.path);
	s.path = team_path(thread, "view");
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(20, TREE_SUM(&s.tree, tuples));
	EXPECT_EQ(4, s.tree.spaces);
	subject_close(&s);
}

/* Reads a batch, of which the stage keeps a part, and opens the path again. */
static void
a_stage_that_sorts_begins_again_when_it_is_opened(void)
{
	struct paths_thread *thread;
	struct subject s;
	uint64_t first;

	subject_record(&s, 256);
	for (uint32_t c = 0; c < 4; c++)
		subject_add(&s, 0, c, 100);
	subject_open(&s, "{sort} {spaces %1$s -batch 2K}");
	paths_path_close(s.path);
	paths_program_close(s.program);
	s.program = team_join(s.team, "p");
	thread = team_thread(s.program, "t");
	s.path = team_path(thread, "view");
	do
		EXPECT_OK(tree_read(&s.tree, s.path));
	while (TREE_SUM(&s.tree, tuples) == 0);
	first = TREE_SUM(&s.tree, tuples);
	EXPECT_TRUE(s.tree.more && first < 400);
	paths_path_close(s.path);
	s.path = team_path(thread, "view");
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(first + 400, TREE_SUM(&s.tree, tuples));
	subject_close(&s);
}

static void
a_file_that_is_no_space_is_reported(void)
{
	struct subject s;
	char file[300];
	FILE *to;

	subject_record(&s, 64);
	subject_add(&s, 0, 0, 10);
	snprintf(file, sizeof(file), "%s/odd.space", s.folder[0]);
	to = fopen(file, "w");
	EXPECT_TRUE(to != NULL);
	fputs("no event space", to);
	fclose(to);
	subject_open(&s, "{spaces %1$s}");
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(10, TREE_SUM(&s.tree, tuples));
	EXPECT_TRUE(strstr(s.tree.notes, "odd.space") != NULL);
	subject_close(&s);
}

static void
the_end_of_a_process_is_reported(void)
{
	struct subject s;

	subject_record(&s, 64);
	subject_add(&s, 0, 0, 10);
	es_record_close(s.record[0]);
	s.record[0] = NULL;
	subject_open(&s, "{spaces %1$s}");
	tree_read_all(&s.tree, s.path);
	EXPECT_EQ(1, s.tree.closed);
	EXPECT_EQ(10, TREE_SUM(&s.tree, tuples));
	subject_close(&s);
}

static void
wrong_options_are_refused(void)
{
	static const char *const chains[] = {
		"{filter op == two} {spaces}",
		"{filter duration > 5} {spaces}",
		"{filter op = 2} {spaces}",
		"{merge}",
		"{merge {{null}}}",
		"{merge {{spaces -batch 2K}} {{spaces -batch 4K}}}",
	};

	tree_register();
	for (size_t n = 0; n < sizeof(chains) / sizeof(chains[0]); n++) {
		struct paths_map *map;
		char text[512];

		snprintf(text, sizeof(text),
		    "pathmap 1\nhost h\nprocess p -host h\nthread t -process "
		    "p\npath t view {%s}\n",
		    chains[n]);
		EXPECT_TRUE(
		    paths_map_parse(text, strlen(text), "m", &map) != PATHS_OK);
	}
}

TEST_MAIN(a_source_returns_each_tuple_once,
    nothing_is_opened_before_the_first_read,
    discarded_tuples_are_counted_exactly,
    an_operation_inside_is_returned_when_it_has_ended,
    a_batch_is_never_longer_than_its_type,
    a_read_carries_64_KiB_when_they_are_there, tuples_are_sorted_by_their_start,
    without_sort_they_are_not, a_merge_asks_all_of_its_chains,
    a_filter_keeps_what_meets_its_condition,
    tuples_left_out_by_a_filter_are_counted,
    count_reduces_tuples_to_their_number,
    a_closed_path_begins_again_when_it_is_opened,
    a_stage_that_sorts_begins_again_when_it_is_opened,
    a_file_that_is_no_space_is_reported, the_end_of_a_process_is_reported,
    wrong_options_are_refused)
