/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/live.c - reads and checks the live part of a space
 */

#include "collectors/space/live_private.h"

#include "collectors/space/damage_private.h"
#include "collectors/space/seal_private.h"

/* Attempts to read a clock pair, or a checksum, that its process is
   replacing. */
#define LIVE_TRIES 64

/* Returns true if an exit status is one that a process writes. */
static bool
live_is_exited(uint32_t exited)
{
	uint32_t status = exited & 0xffff;

	return exited == 0 ||
	    (status >= 1 && status <= 256 && (status ^ exited >> 16) == 0xffff);
}

/* Returns true if the live part has its checksum. */
static bool
live_has_checksum(const struct es_space_live *live)
{
	return atomic_load_explicit(&live->checksum, memory_order_relaxed) ==
	    es__seal_live(live);
}

/* Reads `sealed`.  Sets *agrees to false if the live part must have a checksum
   and has another one.  A process that records on, or adds a part, clears
   `sealed` first, so a difference with `sealed` unchanged is damage. */
static uint32_t
live_sealed(const struct es_space_live *live, bool *agrees)
{
	uint32_t sealed = 0;

	*agrees = false;
	for (int try = 0; try < LIVE_TRIES && !*agrees; try++) {
		/* Acquire: pairs with the release in seal_mark. */
		sealed =
		    atomic_load_explicit(&live->sealed, memory_order_acquire);
		*agrees = sealed == 0 ||
		    (sealed == ES_SPACE_SEALED && live_has_checksum(live));
		/* The words above are read before `sealed` is read again. */
		es_space_fence(memory_order_acquire);
	}
	return sealed;
}

paths_status
es__live_check(struct es_space *space)
{
	const struct es_space_live *live = space->live;
	uint32_t sealed;
	bool agrees;

	if (live == NULL || space->head->version < 3)
		return PATHS_OK;
	/* Relaxed: no other word depends on this one. */
	if (!live_is_exited(
		atomic_load_explicit(&live->exited, memory_order_relaxed)) &&
	    es__damage_place(space, "its exit status is damaged") != PATHS_OK)
		return PATHS_ENOMEM;
	sealed = live_sealed(live, &agrees);
	/* Few bits of it may be wrong. */
	space->sealed = __builtin_popcount(sealed ^ ES_SPACE_SEALED) < 8;
	space->live_damaged = !agrees;
	if (agrees)
		return PATHS_OK;
	return es__damage_place(space,
	    "its live part is damaged; its clock readings are not used");
}

struct paths_clock_pair
es__live_latest(const struct es_space *space)
{
	struct paths_clock_pair pair = space->head->start;
	struct es_space_live *live = space->live;

	if (live == NULL || space->live_damaged)
		return pair;
	for (int try = 0; try < LIVE_TRIES; try++) {
		/* The release is in record_pair. */
		uint64_t sequence =
		    atomic_load_explicit(&live->sequence, memory_order_acquire);

		pair = live->pair[sequence & 1];
		es_space_fence(memory_order_acquire);
		if (atomic_load_explicit(&live->sequence,
			memory_order_relaxed) == sequence)
			break;
	}
	return pair;
}

int32_t
es__live_exit_status(const struct es_space *space)
{
	uint32_t exited = 0;

	/* Relaxed: no other word depends on this one. */
	if (space->live != NULL)
		exited = atomic_load_explicit(&space->live->exited,
		    memory_order_relaxed);
	if (space->head->version == 2)
		return exited <= 256 ? (int32_t)exited - 1 : -1;
	return live_is_exited(exited) ? (int32_t)(exited & 0xffff) - 1 : -1;
}

struct es__live_copy
es__live_copy(const struct es_space *space)
{
	struct es__live_copy copy = { .copy = ES_COPY_TAKEN };
	struct es_space_live *live = space->live;

	if (!es__space_is_copy(space->head))
		return (struct es__live_copy){ .copy = ES_COPY_NONE };
	for (int try = 0; live != NULL && try < LIVE_TRIES; try++) {
		/* Acquire: pairs with the release in es__copy_mark. */
		uint32_t sum = atomic_load_explicit(&live->copy_checksum,
		    memory_order_acquire);
		uint32_t state =
		    atomic_load_explicit(&live->copy, memory_order_relaxed);

		copy.heard_ns =
		    atomic_load_explicit(&live->heard_ns, memory_order_relaxed);
		copy.left_out =
		    atomic_load_explicit(&live->left_out, memory_order_relaxed);
		if (sum == es__seal_copy(state, copy.heard_ns, copy.left_out) &&
		    state >= ES_COPY_LIVE && state <= ES_COPY_TAKEN) {
			copy.copy = (enum es_space_copy)state;
			return copy;
		}
	}
	return (struct es__live_copy){ .copy = ES_COPY_TAKEN };
}
