/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/keep.c - the stage that keeps the event space of another
 * process
 *
 * It ends a chain of the stage send (send.c), whose writes carry batches.  It
 * writes the event space of the process above into the run directory of its
 * own process, where it stays when the other process, or its host, is gone.
 * All that reads event spaces reads it, also while it is written.
 *
 * Arguments	-batch		size of the greatest batch
 * Counters	0	batches
 * Errors	PATHS_EINVAL	the process has no run directory, or the
 *				operation is no write
 *		PATHS_EDAMAGED	a tuple is no batch
 *		PATHS_ENOMEM
 */

#include "scopes/gather/keep_private.h"

#include "scopes/gather/gather_private.h"
#include "scopes/gather/mirror_private.h"

#include "libpaths/clock.h"
#include "libpaths/log.h"
#include "libpaths/program.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Time between two updates of the checksums. */
#define KEEP_SEAL_NS UINT64_C(200000000)

enum { KEEP_BATCH };

struct keep {
	struct es__mirror *mirror;
	void *aligned;	 /* memory for a batch */
	uint64_t sealed; /* ticks */
	_Atomic uint64_t batches;
};

static paths_status
keep_types(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	char text[48];

	(void)inputs;
	*below = *above = (struct paths_type){ .kind = PATHS_TYPE_NONE };
	snprintf(text, sizeof(text), "u8*..%llu",
	    (unsigned long long)item->values[KEEP_BATCH].number);
	return paths_type_parse(text, above);
}

/* Reports that a space is not kept. */
static void
keep_note(void *to, const char *text)
{
	(void)to;
	paths_log_warn("%s", text);
}

static paths_status
keep_open(void *self, const struct paths_stage_env *env)
{
	struct keep *k = self;
	const struct paths_map *map;
	struct es__mirror_to to = { .run = NULL };

	if (env->program == NULL)
		return PATHS_OK;
	map = paths_program_map(env->program);
	to.copies = paths_program_run(env->program);
	/* The chain begins in the process that records. */
	to.only = map->processes[map->chains[env->item->chain].process].name;
	if (to.copies == NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "keep: no run directory (PATHS_RUN)");
	k->aligned = aligned_alloc(64, (env->above.bytes + 63) & ~(size_t)63);
	if (k->aligned == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a batch");
	return es__mirror_open(&to, keep_note, NULL, &k->mirror);
}

static enum paths_pass
keep_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct keep *k = self;
	const void *batch = op->tuple;
	uint64_t now = paths_clock_ticks();
	paths_status st;
	bool more;

	(void)slot;
	if (op->kind != PATHS_WRITE || k->mirror == NULL)
		return paths_op_fail(op, PATHS_EINVAL, "takes batches only");
	if ((uintptr_t)batch % ES__GATHER_ALIGN != 0)
		batch = memcpy(k->aligned, batch, op->bytes);
	st = es__mirror_batch(k->mirror, batch, op->bytes, &more);
	if (st != PATHS_OK)
		return paths_op_fail(op, st, "%s", paths_log_last());
	if (paths_clock_ticks_to_ns(now - k->sealed) > KEEP_SEAL_NS) {
		es__mirror_seal(k->mirror);
		k->sealed = now;
	}
	/* Relaxed: a total. */
	atomic_fetch_add_explicit(&k->batches, 1, memory_order_relaxed);
	return PATHS_PASS_TURN;
}

/* Notes that the process is gone, if it had not closed its space. */
static void
keep_lost(void *self, const char *why)
{
	struct keep *k = self;

	(void)why;
	if (k->mirror != NULL)
		es__mirror_end(k->mirror);
}

/* The process sends all anew. */
static paths_status
keep_reopen(void *self)
{
	(void)self;
	return PATHS_OK;
}

static void
keep_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct keep *k = self;

	emit(to, 0, atomic_load_explicit(&k->batches, memory_order_relaxed));
}

static void
keep_close(void *self)
{
	struct keep *k = self;

	es__mirror_close(k->mirror);
	free(k->aligned);
}

static const struct paths_option keep_options[] = {
	[KEEP_BATCH] = {
		.name = "-batch",
		.kind = PATHS_OPTION_BYTES,
		.default_text = "128K",
		.about = "size of the greatest batch",
	},
	{ .name = NULL },
};

const struct paths_stage_ops es__stage_keep = {
	.abi = PATHS_STAGE_ABI,
	.name = "keep",
	.about = "keep the event space of the process above",
	.example = "keep -batch 64",
	.flags = PATHS_STAGE_END,
	.size = sizeof(struct keep),
	.options = keep_options,
	.types = keep_types,
	.open = keep_open,
	.down = keep_down,
	.lost = keep_lost,
	.reopen = keep_reopen,
	.stat = keep_stat,
	.close = keep_close,
	.kinds = PATHS_KIND_BIT(PATHS_WRITE),
};
