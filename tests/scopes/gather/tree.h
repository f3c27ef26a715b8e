/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/gather/tree.h - reads a path of a gather tree and counts
 */

#ifndef TESTS_SCOPES_GATHER_TREE_H
#define TESTS_SCOPES_GATHER_TREE_H

#include "scopes/gather/batch_private.h"
#include "scopes/gather/count_private.h"
#include "scopes/gather/filter_private.h"
#include "scopes/gather/known_private.h"
#include "scopes/gather/merge_private.h"
#include "scopes/gather/sort_private.h"
#include "scopes/gather/spaces_private.h"

#include "libpaths/log.h"
#include "libpaths/path.h"

#include "tests/team.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREE_COLLECTORS 64

/* One collector of one process, as it was gathered. */
struct tree_collector {
	uint64_t space;
	uint32_t collector;
	uint64_t tuples, lost, left, counted;
	uint32_t next_seq; /* of the next tuple */
	bool torn;	   /* a seq was missing or repeated */
};

struct tree {
	struct tree_collector collectors[TREE_COLLECTORS];
	uint32_t count;
	struct es__known known;
	uint64_t batches, bytes; /* of all batches */
	uint64_t largest;	 /* bytes of tuples in one batch */
	uint64_t last_ns;	 /* start of the last tuple */
	uint64_t backward;	 /* tuples that started before the last one */
	uint64_t definitions;	 /* bytes */
	uint64_t before;	 /* tuples before the definitions were whole */
	uint32_t spaces, closed, killed;
	bool more;
	char notes[65536];
};

static inline void
tree_register(void)
{
	EXPECT_OK(paths_stage_register(&es__stage_spaces));
	EXPECT_OK(paths_stage_register(&es__stage_merge));
	EXPECT_OK(paths_stage_register(&es__stage_sort));
	EXPECT_OK(paths_stage_register(&es__stage_filter));
	EXPECT_OK(paths_stage_register(&es__stage_count));
}

static inline struct tree_collector *
tree_collector(struct tree *t, uint64_t space, uint32_t collector)
{
	for (uint32_t n = 0; n < t->count; n++)
		if (t->collectors[n].space == space &&
		    t->collectors[n].collector == collector)
			return &t->collectors[n];
	EXPECT_TRUE(t->count < TREE_COLLECTORS);
	t->collectors[t->count].space = space;
	t->collectors[t->count].collector = collector;
	return &t->collectors[t->count++];
}

/* Takes tuples of the types path and mpi. */
static inline void
tree_tuples(struct tree *t, const struct es__batch_part *part)
{
	struct tree_collector *c =
	    tree_collector(t, part->head.space, part->head.collector);
	struct es_tuple_path tuple;

	for (uint32_t n = 0; n < part->head.count; n++) {
		uint64_t ns;

		/* Also of the type mpi: both begin with start, stop, seq. */
		memcpy(&tuple, part->tuples + n * part->head.tuple_bytes,
		    sizeof(tuple));
		ns = es__known_ns(es__known_space(&t->known, part->head.space),
		    tuple.start);
		t->backward += ns < t->last_ns;
		t->last_ns = ns;
		c->torn |= c->tuples > 0 && tuple.seq != c->next_seq;
		c->next_seq = tuple.seq + 1;
		c->tuples++;
	}
}

static inline void
tree_record(struct tree *t, struct es__batch *b, const struct es__record *r)
{
	const struct es__batch_state *state = es__batch_payload(r);
	struct es__batch_part part;

	if (r->kind == ES__RECORD_RUN || r->kind == ES__RECORD_COUNT)
		tree_collector(t, r->space, r->collector)->left += r->left;
	switch (r->kind) {
	case ES__RECORD_SPACE:
		t->spaces++;
		break;
	case ES__RECORD_DEFINITIONS:
		t->definitions += r->count;
		break;
	case ES__RECORD_LOST:
		tree_collector(t, r->space, r->collector)->lost += r->first;
		break;
	case ES__RECORD_COUNT:
		tree_collector(t, r->space, r->collector)->counted += r->first;
		break;
	case ES__RECORD_STATE:
		t->closed += state->live == ES__BATCH_CLOSED;
		t->killed += state->live == ES__BATCH_KILLED;
		break;
	case ES__RECORD_NOTE:
		/* On a busy machine any child may be late, often. */
		if (strlen(t->notes) + strlen(es__batch_payload(r)) + 2 >
		    sizeof(t->notes))
			t->notes[0] = '\0';
		EXPECT_TRUE(strlen(es__batch_payload(r)) < 512);
		strcat(t->notes, es__batch_payload(r));
		strcat(t->notes, "\n");
		break;
	case ES__RECORD_MORE:
		t->more = true;
		break;
	}
	while (es__batch_tuples(b, r, &part))
		tree_tuples(t, &part);
}

/* Takes a batch. */
static inline void
tree_batch(struct tree *t, const void *tuple, size_t bytes)
{
	const struct es__record *r;
	struct es__batch b;
	paths_status whole = PATHS_OK;

	t->more = false;
	t->batches++;
	t->bytes += bytes;
	es__batch_init(&b, tuple, bytes);
	while ((r = es__batch_next(&b, &whole)) != NULL) {
		EXPECT_OK(es__known_learn(&t->known, r));
		tree_record(t, &b, r);
	}
	EXPECT_OK(whole);
}

/* Reads one batch.  Returns the status of the read. */
static inline paths_status
tree_read(struct tree *t, struct paths_path *path)
{
	uint32_t room = paths_path_type(path)->bytes;
	void *tuple = malloc(room);
	paths_status st;

	EXPECT_TRUE(tuple != NULL);
	t->more = false;
	st = paths_path_read(path, tuple, room);
	if (st == PATHS_OK)
		tree_batch(t, tuple, paths_path_bytes(path));
	free(tuple);
	return st;
}

/* Reads until a batch tells of no more. */
static inline void
tree_read_all(struct tree *t, struct paths_path *path)
{
	do {
		paths_status st = tree_read(t, path);

		if (st != PATHS_OK)
			fprintf(stderr, "# %s\n", paths_path_why(path));
		EXPECT_OK(st);
	} while (t->more);
}

static inline uint64_t
tree_sum(const struct tree *t, size_t member)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < t->count; n++) {
		uint64_t value;

		memcpy(&value, (const char *)&t->collectors[n] + member,
		    sizeof(value));
		sum += value;
	}
	return sum;
}

#define TREE_SUM(t, member) tree_sum(t, offsetof(struct tree_collector, member))

static inline bool
tree_is_torn(const struct tree *t)
{
	for (uint32_t n = 0; n < t->count; n++)
		if (t->collectors[n].torn)
			return true;
	return false;
}

static inline void
tree_fini(struct tree *t)
{
	es__known_fini(&t->known);
}

#endif
