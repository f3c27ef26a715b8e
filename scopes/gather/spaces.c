/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/spaces.c - the source of a gather tree: the event spaces of a
 * directory
 *
 * A read returns the tuples that were recorded since the last read, as far as
 * they fit: a batch (batch_private.h).  Nothing is opened before the first
 * read.  The spaces may be those of live processes, of processes that ended, or
 * of MPI ranks.  Their processes notice nothing.
 *
 * The source remembers the number of the next tuple of each collector, so the
 * tuples that were overwritten meanwhile are counted exactly.  It goes through
 * the collectors in turns.
 *
 * Arguments	dir		directory; default that of PATHS_SPACES, which
 *				eventspace serve --spaces sets, or the run
 *				directory
 *		-process	pattern of the names of the processes
 *		-except		names of processes that are left out
 *		-batch		size of the greatest batch
 * Counters	0	batches
 *		1	tuples
 *		2	tuples that were discarded before they were read
 *		3	spaces that are open
 * Errors	PATHS_EINVAL	the batch has no room for a tuple, or the
 *				operation is no read
 *		PATHS_EIO	the directory cannot be read
 *		PATHS_ENOMEM
 */

#include "scopes/gather/spaces_private.h"

#include "scopes/gather/gather_private.h"
#include "scopes/gather/source_private.h"

#include "libpaths/clock.h"
#include "libpaths/log.h"
#include "libpaths/program.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#define SPACES_SUFFIX ".space"
/* Time between two looks for new spaces and at the state of processes. */
#define SPACES_SCAN_NS UINT64_C(200000000)

enum { SPACES_DIR, SPACES_PROCESS, SPACES_EXCEPT, SPACES_BATCH };

TAILQ_HEAD(spaces_list, es__source);

struct spaces {
	const char *dir, *pattern, *except; /* of the map, or of the program */
	bool varies;			    /* batches have their own length */
	struct spaces_list list;	    /* the next to be read first */
	uint32_t count;
	uint64_t scanned; /* ticks; 0: never */
	_Atomic uint64_t batches, tuples, lost;
	_Atomic uint32_t open;
};

static paths_status
spaces_types(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	char text[48];

	(void)inputs;
	*below = *above = (struct paths_type){ .kind = PATHS_TYPE_NONE };
	snprintf(text, sizeof(text), "u8*..%llu",
	    (unsigned long long)item->values[SPACES_BATCH].number);
	return paths_type_parse(text, above);
}

static paths_status
spaces_open(void *self, const struct paths_stage_env *env)
{
	struct spaces *s = self;
	const struct paths_map_value *values = env->item->values;

	TAILQ_INIT(&s->list);
	s->varies = env->above.varies;
	s->pattern = values[SPACES_PROCESS].text;
	s->except = values[SPACES_EXCEPT].text;
	s->dir = values[SPACES_DIR].text;
	if (s->dir == NULL)
		s->dir = getenv("PATHS_SPACES");
	if (s->dir == NULL)
		s->dir = paths_program_run(env->program);
	if (s->dir == NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "expected a directory of event spaces");
	return PATHS_OK;
}

static struct es__source *
spaces_find(const struct spaces *s, const char *name)
{
	struct es__source *source;

	TAILQ_FOREACH(source, &s->list, link)
	if (strcmp(source->file_name, name) == 0)
		return source;
	return NULL;
}

/* Returns true if a list with commas has a name. */
static bool
spaces_has(const char *list, const char *name)
{
	const size_t bytes = strlen(name);

	while (list != NULL && *list != '\0') {
		const size_t word = strcspn(list, ",");

		if (word == bytes && strncmp(list, name, bytes) == 0)
			return true;
		list += word + (list[word] == ',');
	}
	return false;
}

/* Returns true for the name of a file that is to be served. */
static bool
spaces_wants(const struct spaces *s, const char *name)
{
	size_t bytes = strlen(name), suffix = strlen(SPACES_SUFFIX);
	char process[256];

	if (bytes <= suffix || bytes - suffix >= sizeof(process) ||
	    strcmp(name + bytes - suffix, SPACES_SUFFIX) != 0)
		return false;
	snprintf(process, sizeof(process), "%.*s", (int)(bytes - suffix), name);
	return !spaces_has(s->except, process) &&
	    (s->pattern == NULL || fnmatch(s->pattern, process, 0) == 0);
}

/* Opens the spaces that are new in the directory, and updates the others. */
static paths_status
spaces_scan(struct spaces *s)
{
	struct es__source *source;
	struct dirent *entry;
	paths_status st = PATHS_OK;
	DIR *dir = opendir(s->dir);

	if (dir == NULL && errno != ENOENT)
		return paths_log_fail(PATHS_EIO, "%s: %s", s->dir,
		    strerror(errno));
	TAILQ_FOREACH(source, &s->list, link)
	es__source_update(source);
	while (
	    st == PATHS_OK && dir != NULL && (entry = readdir(dir)) != NULL) {
		if (!spaces_wants(s, entry->d_name) ||
		    spaces_find(s, entry->d_name) != NULL)
			continue;
		st = es__source_open(s->dir, entry->d_name, &source);
		if (st != PATHS_OK)
			break;
		TAILQ_INSERT_TAIL(&s->list, source, link);
		s->count++;
	}
	if (dir != NULL)
		(void)closedir(dir);
	/* Relaxed: a total. */
	atomic_store_explicit(&s->open, s->count, memory_order_relaxed);
	s->scanned = paths_clock_ticks();
	return st;
}

/* Fills a batch.  Each source is asked once. */
static paths_status
spaces_fill(struct spaces *s, struct es__batch_out *out,
    struct es__source_sum *sum)
{
	struct es__source *source;
	paths_status st = PATHS_OK;
	bool more = false;

	/* A batch can always tell that there is more. */
	out->room -= sizeof(struct es__record);
	for (uint32_t n = 0; st == PATHS_OK && !more && n < s->count; n++) {
		source = TAILQ_FIRST(&s->list);
		st = es__source_fill(source, out, sum, &more);
		if (st == PATHS_OK && !more) {
			TAILQ_REMOVE(&s->list, source, link);
			TAILQ_INSERT_TAIL(&s->list, source, link);
		}
	}
	out->room += sizeof(struct es__record);
	if (st == PATHS_OK && more && out->used == 0)
		return paths_log_fail(PATHS_EINVAL,
		    "a batch of %zu bytes is too small", out->room);
	if (more)
		(void)es__batch_put(out, ES__RECORD_MORE, 0);
	return st;
}

static enum paths_pass
spaces_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct spaces *s = self;
	struct es__batch_out out = { .base = op->tuple,
		.room = op->bytes & ~7u };
	struct es__source_sum sum = { .tuples = 0 };
	paths_status st = PATHS_OK;

	(void)slot;
	if (!es__gather_takes(op))
		return es__gather_refuse(op);
	if (s->scanned == 0 ||
	    paths_clock_ticks_to_ns(paths_clock_ticks() - s->scanned) >
		SPACES_SCAN_NS)
		st = spaces_scan(s);
	if (st == PATHS_OK && out.room >= sizeof(struct es__record))
		st = spaces_fill(s, &out, &sum);
	if (st != PATHS_OK)
		return paths_op_fail(op, st, "%s", paths_log_last());
	es__gather_end(op, out.used, s->varies);
	/* Relaxed: totals. */
	atomic_fetch_add_explicit(&s->batches, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&s->tuples, sum.tuples, memory_order_relaxed);
	atomic_fetch_add_explicit(&s->lost, sum.lost, memory_order_relaxed);
	return PATHS_PASS_TURN;
}

/* Closes all spaces.  After a reopen everything is sent again. */
static void
spaces_lost(void *self, const char *why)
{
	struct spaces *s = self;
	struct es__source *source;

	(void)why;
	while ((source = TAILQ_FIRST(&s->list)) != NULL) {
		TAILQ_REMOVE(&s->list, source, link);
		es__source_close(source);
	}
	s->count = 0;
	s->scanned = 0;
}

static paths_status
spaces_reopen(void *self)
{
	(void)self;
	return PATHS_OK;
}

static void
spaces_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct spaces *s = self;

	emit(to, 0, atomic_load_explicit(&s->batches, memory_order_relaxed));
	emit(to, 1, atomic_load_explicit(&s->tuples, memory_order_relaxed));
	emit(to, 2, atomic_load_explicit(&s->lost, memory_order_relaxed));
	emit(to, 3, atomic_load_explicit(&s->open, memory_order_relaxed));
}

static void
spaces_close(void *self)
{
	struct spaces *s = self;

	/* A stage that was never opened has no list. */
	if (s->dir != NULL)
		spaces_lost(self, NULL);
}

static const struct paths_option spaces_options[] = {
	[SPACES_DIR] = {
		.name = "dir",
		.kind = PATHS_OPTION_WORD,
		.about = "directory of the event spaces",
	},
	[SPACES_PROCESS] = {
		.name = "-process",
		.kind = PATHS_OPTION_WORD,
		.about = "pattern of the names of the processes",
	},
	[SPACES_EXCEPT] = {
		.name = "-except",
		.kind = PATHS_OPTION_WORD,
		.about = "names of processes that are left out, with commas "
			 "between them",
	},
	[SPACES_BATCH] = {
		.name = "-batch",
		.kind = PATHS_OPTION_BYTES,
		.default_text = "128K",
		.about = "size of the greatest batch",
	},
	{ .name = NULL },
};

const struct paths_stage_ops es__stage_spaces = {
	.abi = PATHS_STAGE_ABI,
	.name = "spaces",
	.about = "read the event spaces of a directory",
	.example = "spaces -batch 64",
	.flags = PATHS_STAGE_END,
	.size = sizeof(struct spaces),
	.options = spaces_options,
	.types = spaces_types,
	.open = spaces_open,
	.down = spaces_down,
	.lost = spaces_lost,
	.reopen = spaces_reopen,
	.stat = spaces_stat,
	.close = spaces_close,
	.kinds = PATHS_KIND_BIT(PATHS_READ),
};
