/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/rank_set.c - the sets of ranks that calls name
 *
 * The table of a process owns the sets, which exist until the process ends, so
 * that threads may keep pointers to them.
 */

#include "collectors/mpi/object/rank_set_private.h"

#include "collectors/mpi/object/members_private.h"
#include "libpaths/base/hash.h"
#include "libpaths/base/lines.h"

#include "libpaths/log.h"

struct mpi_rank_set_table {
	pthread_mutex_t lock; /* protects the members after log */
	struct mpi_log *log;
	struct paths__hash sets; /* of pointers to struct mpi_rank_set */
	uint64_t bytes;		 /* of all runs in the log */
};

/* The last set of a thread that has used none. */
static const struct mpi_rank_set rank_set_none;

static bool
rank_set_used(const void *item)
{
	return *(struct mpi_rank_set *const *)item != NULL;
}

static uint64_t
rank_set_hash(const void *item)
{
	return (*(struct mpi_rank_set *const *)item)->hash;
}

static bool
rank_set_same(const struct mpi_rank_set *a, const struct mpi_rank_set *b)
{
	return a->hash == b->hash && a->kind == b->kind &&
	    a->count == b->count &&
	    memcmp(a->runs, b->runs, a->count * sizeof(*a->runs)) == 0;
}

static bool
rank_set_equal(const void *a, const void *b)
{
	return rank_set_same(*(struct mpi_rank_set *const *)a,
	    *(struct mpi_rank_set *const *)b);
}

static const struct paths__hash_kind rank_set_kind = {
	.bytes = sizeof(struct mpi_rank_set *),
	.used = rank_set_used,
	.hash = rank_set_hash,
	.equal = rank_set_equal,
};

paths_status
mpi_rank_set_table_open(struct mpi_log *log, struct mpi_rank_set_table **table)
{
	struct mpi_rank_set_table *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	pthread_mutex_init(&t->lock, NULL);
	t->log = log;
	*table = t;
	return PATHS_OK;
}

void
mpi_rank_set_table_close(struct mpi_rank_set_table *table)
{
	struct mpi_rank_set **sets;

	if (table == NULL)
		return;
	sets = table->sets.slots;
	for (size_t n = 0; n < table->sets.room; n++)
		free(sets[n]);
	free(sets);
	pthread_mutex_destroy(&table->lock);
	free(table);
}

paths_status
mpi_rank_sets_open(struct mpi_rank_set_table *table,
    struct mpi_rank_sets **sets)
{
	struct mpi_rank_sets *s = paths__lines_zero(1, sizeof(*s));

	if (s == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	s->table = table;
	s->last = &rank_set_none;
	*sets = s;
	return PATHS_OK;
}

void
mpi_rank_sets_close(struct mpi_rank_sets *sets)
{
	if (sets == NULL)
		return;
	free(sets->runs);
	free(sets);
}

bool
mpi_rank_sets_reserve(struct mpi_rank_sets *sets, uint32_t ranks)
{
	uint32_t room = ranks / 2 + 1;
	struct es_mpi_ranks *runs =
	    reallocarray(sets->runs, room, sizeof(*runs));

	if (runs == NULL)
		return false;
	sets->runs = runs;
	sets->room = room;
	return true;
}

/* Copies the present set of a thread; NULL: there is no memory. */
static struct mpi_rank_set *
rank_set_copy(const struct mpi_rank_sets *sets, uint64_t hash)
{
	size_t bytes = sets->count * sizeof(*sets->runs);
	struct mpi_rank_set *set = malloc(sizeof(*set) + bytes);

	if (set == NULL)
		return NULL;
	set->hash = hash;
	set->id = 0;
	set->kind = sets->kind;
	set->count = sets->count;
	/* There are no runs before the first rank. */
	if (bytes > 0)
		memcpy(set->runs, sets->runs, bytes);
	return set;
}

/* Logs a set with the next number, and keeps it in the table; false: there is
   no memory or no room for it. */
static bool
rank_set_add_locked(struct mpi_rank_set_table *t, struct mpi_rank_set *set)
{
	uint64_t bytes = set->count * sizeof(*set->runs);
	struct es_mpi_rank_set entry = { .id = (uint32_t)t->sets.count + 1,
		.kind = set->kind,
		.runs = set->count };

	if (t->bytes + bytes + sizeof(entry) > MPI_RANK_SETS_BYTES_MAX ||
	    paths__hash_put(&t->sets, &rank_set_kind, &set) == NULL)
		return false;
	t->bytes += bytes + sizeof(entry);
	mpi_log_append(t->log, ES_MPI_ENTRY_RANK_SET,
	    (const struct iovec[]){ { &entry, sizeof(entry) },
		{ set->runs, bytes } },
	    2);
	set->id = entry.id;
	return true;
}

/* Returns the set of the table that is equal to `set`, which the table now
   owns if it is the first; NULL: it was not added. */
static const struct mpi_rank_set *
rank_set_intern(struct mpi_rank_set_table *t, struct mpi_rank_set *set)
{
	const struct mpi_rank_set *known = set;
	struct mpi_rank_set **slot;
	bool added = false;

	pthread_mutex_lock(&t->lock);
	slot = paths__hash_find(&t->sets, &rank_set_kind, &set);
	if (slot != NULL)
		known = *slot;
	else
		added = rank_set_add_locked(t, set);
	pthread_mutex_unlock(&t->lock);
	if (added)
		return set;
	free(set);
	return slot != NULL ? known : NULL;
}

uint32_t
mpi_rank_sets_find(struct mpi_rank_sets *sets)
{
	uint64_t hash = mpi_mix(sets->kind, sets->count);
	const struct mpi_rank_set **kept, *known;
	struct mpi_rank_set *set;

	for (uint32_t n = 0; n < sets->count; n++) {
		const struct es_mpi_ranks *run = &sets->runs[n];

		hash = mpi_mix(hash,
		    (uint32_t)run->first | (uint64_t)run->count << 32);
		hash = mpi_mix(hash, (uint32_t)run->stride);
	}
	kept = &sets->kept[hash % MPI_RANK_SETS_KEPT];
	if (*kept != NULL && (*kept)->hash == hash &&
	    (*kept)->kind == sets->kind && (*kept)->count == sets->count &&
	    memcmp((*kept)->runs, sets->runs,
		sets->count * sizeof(*sets->runs)) == 0) {
		sets->last = *kept;
		return sets->last->id;
	}
	set = rank_set_copy(sets, hash);
	known = set == NULL ? NULL : rank_set_intern(sets->table, set);
	if (known == NULL)
		return 0;
	*kept = sets->last = known;
	return known->id;
}
