/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/phase/sequence.c - sequences of calls with known iterations
 */

#include "tests/scopes/phase/sequence.h"

#include "libpaths/base/array.h"

#include "tests/test.h"

static void
numbers_add(struct numbers *n, uint64_t value)
{
	if (!paths__array_grow(&n->list, n->count, &n->room, sizeof(*n->list)))
		abort();
	n->list[n->count++] = value;
}

static void
sequence_rewind(struct es__phase_source *source)
{
	((struct sequence *)source)->at = 0;
}

static size_t
sequence_read(struct es__phase_source *source, uint32_t *symbols, size_t room)
{
	struct sequence *s = (void *)source;
	size_t count = s->count - s->at;

	if (count > room)
		count = room;
	if (count > 0)
		memcpy(symbols, s->symbols + s->at, count * sizeof(*symbols));
	s->at += count;
	return count;
}

void
sequence_init(struct sequence *s, uint32_t seed)
{
	*s = (struct sequence){ .source = { sequence_rewind, sequence_read },
		.random = seed * 2654435761u + 12345,
		.fresh = 1 };
}

void
sequence_fini(struct sequence *s)
{
	free(s->symbols);
	free(s->steps.list);
	free(s->inner.list);
}

uint32_t
sequence_random(struct sequence *s, uint32_t least, uint32_t most)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 17;
	s->random ^= s->random << 5;
	return least + s->random % (most - least + 1);
}

void
sequence_call(struct sequence *s, uint32_t symbol)
{
	if (!paths__array_grow(&s->symbols, s->count, &s->room,
		sizeof(*s->symbols)))
		abort();
	s->symbols[s->count++] = symbol;
}

uint32_t
sequence_fresh(struct sequence *s, uint32_t count)
{
	uint32_t first = s->fresh;

	s->fresh += count;
	return first;
}

void
sequence_calls(struct sequence *s, uint32_t first, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		sequence_call(s, first + n);
}

void
sequence_begin(struct sequence *s, struct numbers *of)
{
	numbers_add(of, s->count);
}

static void
found_begin(struct es__phase_to *to, uint32_t loop,
    const struct es__phase_state *state, bool again, uint64_t before)
{
	struct found *f = (void *)to;

	(void)again;
	(void)before;
	if (loop == f->loop)
		numbers_add(&f->begins, state->begin);
}

static void
found_leave(struct es__phase_to *to, uint32_t loop,
    const struct es__phase_state *state, uint64_t event)
{
	(void)to;
	(void)loop;
	(void)state;
	(void)event;
}

void
found_open(struct found *f, struct sequence *s, struct es__phase_detection *d,
    uint32_t loop)
{
	*f = (struct found){ .to = { found_begin, found_leave, NULL },
		.loop = loop };
	EXPECT_OK(es__phase_follow(&s->source, d, &f->to));
}

void
found_close(struct found *f)
{
	free(f->begins.list);
}
