/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/source.c - the symbols of the operations of a thread
 */

#include "scopes/phase/source_private.h"

#include "scopes/mpi.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

static bool
known_used(const void *item)
{
	return ((const struct es__phase_known *)item)->key != 0;
}

static uint64_t
known_hash(const void *item)
{
	uint64_t key = ((const struct es__phase_known *)item)->key;

	key *= UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 32;
}

static bool
known_equal(const void *a, const void *b)
{
	return ((const struct es__phase_known *)a)->key ==
	    ((const struct es__phase_known *)b)->key;
}

static const struct paths__hash_kind known_kind = {
	sizeof(struct es__phase_known), known_used, known_hash, known_equal
};

/* Returns the words of a tuple that tell its symbol. */
static uint64_t
tuple_key(const struct es__phase_feed *feed, const struct es_operation *tuple)
{
	if (feed->calls) {
		const struct es_tuple_mpi *call = (const void *)tuple;

		return (uint64_t)call->site << 32 | (uint32_t)call->op << 16 |
		    call->comm;
	}
	return (uint64_t)((const struct es_tuple_path *)(const void *)tuple)
		   ->element
	    << 32 |
	    (uint32_t)tuple->op << 16 | 0xffff;
}

static struct es__phase_key
tuple_meaning(const struct es__phase_reader *r,
    const struct es__phase_feed *feed, const struct es_operation *tuple)
{
	const struct es_tuple_mpi *call = (const void *)tuple;

	if (!feed->calls || r->mpi == NULL)
		return (struct es__phase_key){
			((const struct es_tuple_path *)(const void *)tuple)
			    ->element,
			PATHS_NONE, tuple->op
		};
	return (struct es__phase_key){ es_mpi_find_site(r->mpi, r->rank,
					   call->site),
		es_mpi_find_comm(r->mpi, r->rank, call->comm).comm, call->op };
}

/* Returns the symbol of a key of a tuple; ES__PHASE_NONE: no memory. */
static uint32_t
reader_find(struct es__phase_reader *r, const struct es__phase_feed *feed,
    const struct es_operation *tuple, uint64_t key)
{
	struct es__phase_known known = { .key = key,
		.symbol = (uint32_t)r->key_count };
	const struct es__phase_known *found =
	    paths__hash_put(&r->known, &known_kind, &known);

	if (found == NULL)
		return ES__PHASE_NONE;
	if (found->symbol < r->key_count)
		return found->symbol;
	if (!paths__array_grow(&r->keys, r->key_count, &r->key_room,
		sizeof(*r->keys)))
		return ES__PHASE_NONE;
	r->keys[r->key_count++] = tuple_meaning(r, feed, tuple);
	return found->symbol;
}

/* Returns the symbol of a tuple; ES__PHASE_NONE: no memory. */
static uint32_t
reader_symbol(struct es__phase_reader *r, const struct es__phase_feed *feed,
    const struct es_operation *tuple)
{
	uint64_t key = tuple_key(feed, tuple) + 1;
	struct es__phase_known *cached =
	    &r->cache[(key >> 32 ^ key >> 16) & (ES__PHASE_KNOWN - 1)];
	uint32_t symbol;

	if (cached->key == key)
		return cached->symbol;
	symbol = reader_find(r, feed, tuple, key);
	if (symbol != ES__PHASE_NONE)
		*cached = (struct es__phase_known){ key, symbol };
	return symbol;
}

/* Returns the collector whose next operation starts first; NULL: all are
   read. */
static struct es__phase_feed *
reader_feed(struct es__phase_reader *r)
{
	struct es__phase_feed *first = NULL;
	uint64_t start = 0;

	for (uint32_t n = 0; n < r->feed_count; n++) {
		struct es__phase_feed *feed = &r->feeds[n];
		const struct es_operation *tuple;

		if (feed->at >= feed->collector->count)
			continue;
		if (r->feed_count == 1)
			return feed;
		tuple = es_operation_get(feed->collector, feed->at);
		if (first == NULL || tuple->start < start) {
			first = feed;
			start = tuple->start;
		}
	}
	return first;
}

/* Returns the ticks of an operation that count. */
static uint64_t
reader_ticks(const struct es__phase_reader *r,
    const struct es__phase_feed *feed, const struct es_operation *tuple)
{
	uint64_t from = tuple->start, to = tuple->stop;

	if (feed->calls) {
		from = from > r->from ? from : r->from;
		to = to < r->to ? to : r->to;
	}
	return to > from ? to - from : 0;
}

/* Reads the next operation that has a symbol; NULL: there is none. */
static const struct es_operation *
reader_read(struct es__phase_reader *r, const struct es__phase_feed **from)
{
	struct es__phase_feed *feed;

	while ((feed = reader_feed(r)) != NULL) {
		const struct es_operation *tuple =
		    es_operation_get(feed->collector, feed->at);
		bool whole = !feed->calls ||
		    es_operation_is_call(feed->collector, feed->at);

		feed->at++;
		if (!whole)
			continue;
		*from = feed;
		r->last = reader_ticks(r, feed, tuple);
		r->ticks += r->last;
		r->stop =
		    tuple->stop > tuple->start ? tuple->stop : tuple->start;
		if (!feed->calls ||
		    (tuple->op < r->function_count && !r->polls[tuple->op]))
			return tuple;
	}
	return NULL;
}

const struct es_operation *
es__phase_reader_next(struct es__phase_reader *reader)
{
	const struct es__phase_feed *feed;

	return reader_read(reader, &feed);
}

static void
reader_rewind(struct es__phase_source *source)
{
	struct es__phase_reader *r = (void *)source;

	for (uint32_t n = 0; n < r->feed_count; n++)
		r->feeds[n].at = 0;
	r->ticks = r->last = r->stop = 0;
}

static size_t
reader_symbols(struct es__phase_source *source, uint32_t *symbols, size_t room)
{
	struct es__phase_reader *r = (void *)source;
	const struct es__phase_feed *feed;
	const struct es_operation *tuple;
	size_t count = 0;

	while (count < room && (tuple = reader_read(r, &feed)) != NULL) {
		symbols[count] = reader_symbol(r, feed, tuple);
		if (symbols[count++] == ES__PHASE_NONE) {
			r->failed = true;
			return 0;
		}
	}
	return count;
}

/* Returns the rank of a thread. */
static uint32_t
thread_rank(const struct es_mpi *mpi, uint32_t thread)
{
	const struct es_mpi_rank *rank;
	uint32_t n = 0;

	while ((rank = es_mpi_rank(mpi, n)) != NULL &&
	    thread - rank->thread_first >= rank->thread_count)
		n++;
	return n;
}

paths_status
es__phase_reader_open(struct es__phase_reader *reader,
    const struct es_analysis *a, uint32_t thread,
    const struct es__phase_rules *rules)
{
	uint32_t process = a->map->threads[thread].process;
	const struct es__list *heads = &a->graph.heads[thread];
	const struct es_mpi *mpi = es_run_mpi(a->run);

	*reader = (struct es__phase_reader){ .source = { reader_rewind,
						 reader_symbols },
		.mpi = mpi,
		.rank = mpi == NULL ? 0 : thread_rank(mpi, thread),
		.polls = rules->polls,
		.function_count = rules->function_count,
		.to = UINT64_MAX };
	if (rules->intervals != NULL) {
		const struct es__mpi_interval *in =
		    &rules->intervals->of[process];

		reader->from = es_time_ticks(&a->bases[process], in->from_ns);
		reader->to = es_time_ticks(&a->bases[process], in->to_ns);
	}
	reader->feeds =
	    calloc(heads->count + (size_t)1, sizeof(*reader->feeds));
	if (reader->feeds == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	for (uint32_t n = 0; n < heads->count; n++) {
		const struct es_collector *collector =
		    &a->run->collectors[heads->ids[n]];

		reader->feeds[reader->feed_count++] =
		    (struct es__phase_feed){ .collector = collector,
			    .calls = es__collector_calls(collector) };
	}
	return PATHS_OK;
}

void
es__phase_reader_close(struct es__phase_reader *reader)
{
	free(reader->feeds);
	free(reader->known.slots);
	free(reader->keys);
	*reader = (struct es__phase_reader){ .feed_count = 0 };
}
