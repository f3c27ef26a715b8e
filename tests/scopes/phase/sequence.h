/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/phase/sequence.h - sequences of calls with known iterations
 */

#ifndef TESTS_SCOPES_PHASE_SEQUENCE_H
#define TESTS_SCOPES_PHASE_SEQUENCE_H

#include "scopes/phase/detect_private.h"

struct numbers {
	uint64_t *list;
	size_t count, room;
};

struct sequence {
	struct es__phase_source source;
	uint32_t *symbols;
	size_t count, room, at;
	uint32_t random;
	uint32_t fresh;		     /* next symbol that was not used */
	struct numbers steps, inner; /* true begins of iterations */
};

/* Iterations that the detection found. */
struct found {
	struct es__phase_to to;
	uint32_t loop;
	struct numbers begins;
};

void sequence_init(struct sequence *s, uint32_t seed);
void sequence_fini(struct sequence *s);

/* Returns a number from least to most. */
uint32_t sequence_random(struct sequence *s, uint32_t least, uint32_t most);

void sequence_call(struct sequence *s, uint32_t symbol);

/* Takes symbols that no other part of the sequence has. */
uint32_t sequence_fresh(struct sequence *s, uint32_t count);

/* Calls a number of symbols that follow each other. */
void sequence_calls(struct sequence *s, uint32_t first, uint32_t count);

/* Notes that an iteration begins with the next call. */
void sequence_begin(struct sequence *s, struct numbers *of);

/* Follows a loop of the nest. */
void found_open(struct found *f, struct sequence *s,
    struct es__phase_detection *d, uint32_t loop);
void found_close(struct found *f);

#endif
