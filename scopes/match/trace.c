/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/trace.c - matches the messages and collectives of an MPI run
 *
 * All threads work on ranks: first on the tuples of each rank, then on the
 * receives.  One thread gathers the collectives, which takes little time.
 */

#include "scopes/match/trace_private.h"

#include "scopes/match/gather_private.h"
#include "scopes/match/match_private.h"
#include "scopes/match/scan_private.h"
#include "scopes/run/work_private.h"

#include "libpaths/log.h"

#include <string.h>

/* Returns true for a table of peers that the rank before has, too. */
static bool
input_peers_shared(const struct es_mpi_trace_input *in, uint32_t r)
{
	const struct es_mpi_trace_rank *rank = &in->ranks[r];

	return r > 0 && rank->peers == rank[-1].peers &&
	    rank->peer_count <= rank[-1].peer_count;
}

static bool
input_ranks_hold(const struct es_mpi_trace_input *in)
{
	for (uint32_t r = 0; r < in->rank_count; r++) {
		const struct es_mpi_trace_rank *rank = &in->ranks[r];

		for (uint32_t c = 0; c < rank->comm_count; c++)
			if (rank->comms[c] != PATHS_NONE &&
			    rank->comms[c] >= in->comm_count)
				return false;
		if (input_peers_shared(in, r))
			continue;
		for (uint32_t p = 0; p < rank->peer_count; p++)
			if (rank->peers[p] != PATHS_NONE &&
			    rank->peers[p] >= in->rank_count)
				return false;
	}
	return true;
}

static bool
input_comms_hold(const struct es_mpi_trace_input *in)
{
	if (in->comm_count >= ES__MPI_PARTITIONED / 4)
		return false;
	for (uint32_t c = 0; c < in->comm_count; c++) {
		const struct es_mpi_trace_comm *comm = &in->comms[c];

		if (comm->first > comm->count)
			return false;
		for (uint32_t n = 0; n < comm->count; n++)
			if (comm->members[n] != PATHS_NONE &&
			    comm->members[n] >= in->rank_count)
				return false;
	}
	return true;
}

static bool
input_rings_hold(const struct es_mpi_trace_input *in)
{
	for (uint32_t r = 0; r < in->ring_count; r++) {
		const struct es_mpi_trace_ring *ring = &in->rings[r];

		if (ring->rank >= in->rank_count ||
		    ring->older_count > ring->count ||
		    (r > 0 && ring->rank < ring[-1].rank))
			return false;
	}
	return true;
}

static paths_status
trace_check(const struct es_mpi_trace_input *in)
{
	if (!input_ranks_hold(in) || !input_comms_hold(in) ||
	    !input_rings_hold(in))
		return paths_log_fail(PATHS_EDAMAGED,
		    "an index in the input of a trace is out of range");
	for (uint32_t r = 0; r < in->ring_count; r++)
		if (in->rings[r].count >= PATHS_NONE)
			return paths_log_fail(PATHS_EFULL,
			    "a thread has %llu tuples",
			    (unsigned long long)in->rings[r].count);
	return PATHS_OK;
}

/* Returns whether members of a communicator call a function in the same
   order. */
static bool
kind_collective(const struct es_mpi_function *function)
{
	switch (function->role) {
	case ES_MPI_ROLE_BARRIER:
	case ES_MPI_ROLE_N_TO_N:
	case ES_MPI_ROLE_ONE_TO_N:
	case ES_MPI_ROLE_N_TO_ONE:
	case ES_MPI_ROLE_SCAN:
	case ES_MPI_ROLE_NEIGHBOR:
		return true;
	default:
		return false;
	}
}

/* Returns whether some members may not wait for each other: in Alltoallv and
   Alltoallw, a pair that passes no bytes. */
static bool
kind_some(const char *name)
{
	const char *all = strstr(name, "lltoall");

	return all != NULL && (all[7] == 'v' || all[7] == 'w');
}

static struct es__mpi_kind
kind_of(const struct es_mpi_function *f)
{
	return (struct es__mpi_kind){
		.role = (uint8_t)f->role,
		.nonblocking = (f->flags & ES_MPI_NONBLOCKING) != 0,
		.persistent = (f->flags & ES_MPI_PERSISTENT) != 0,
		.collective = kind_collective(f),
		.some = kind_some(f->name),
		.partitioned = strcmp(f->name, "MPI_Psend_init") == 0 ||
		    strcmp(f->name, "MPI_Precv_init") == 0,
		.completes_none = strcmp(f->name, "MPI_Parrived") == 0 ||
		    strncmp(f->name, "MPI_Request_get_status", 22) == 0,
	};
}

static paths_status
trace_kinds(struct es_mpi_trace *t)
{
	while (es_mpi_function(t->kind_count) != NULL)
		t->kind_count++;
	t->kinds = calloc(t->kind_count + 1, sizeof(*t->kinds));
	if (t->kinds == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < t->kind_count; n++)
		t->kinds[n] = kind_of(es_mpi_function(n));
	return PATHS_OK;
}

static paths_status
trace_links(struct es_mpi_trace *t)
{
	for (uint32_t r = 0; r < t->input.ring_count; r++) {
		const struct es_mpi_trace_ring *ring = &t->input.rings[r];
		struct es__mpi_scan *scan = &t->scans[ring->rank];

		if (scan->ring_count++ == 0)
			scan->ring_first = r;
		scan->events += ring->count;
		t->links[r] = malloc((ring->count + 1) * sizeof(**t->links));
		if (t->links[r] == NULL)
			return PATHS_ENOMEM;
		memset(t->links[r], 0xff, ring->count * sizeof(**t->links));
	}
	return PATHS_OK;
}

static paths_status
trace_prepare(struct es_mpi_trace *t)
{
	paths_status st = PATHS_ENOMEM;

	t->scans = calloc((size_t)t->input.rank_count + 1, sizeof(*t->scans));
	t->links = calloc((size_t)t->input.ring_count + 1, sizeof(*t->links));
	t->message_first =
	    calloc((size_t)t->input.rank_count + 1, sizeof(*t->message_first));
	if (t->scans != NULL && t->links != NULL && t->message_first != NULL)
		st = trace_kinds(t);
	if (st == PATHS_OK)
		st = trace_links(t);
	return st == PATHS_OK ? st :
				paths_log_fail(st, "no memory for a trace");
}

static paths_status
trace_scan(void *context, size_t item, void *result)
{
	(void)result;
	return es__mpi_scan(context, (uint32_t)item);
}

static paths_status
trace_scanned(void *context, size_t item, void *result)
{
	struct es_mpi_trace *t = context;
	uint64_t next =
	    t->message_first[item] + (uint64_t)t->scans[item].receives.count;

	(void)result;
	if (next >= PATHS_NONE)
		return paths_log_fail(PATHS_EFULL, "over 2^32 messages");
	t->message_first[item + 1] = (uint32_t)next;
	return PATHS_OK;
}

/* Returns tuples of a rank. */
static const void *
trace_reads(const void *context, size_t item)
{
	const struct es_mpi_trace *t = context;
	const struct es__mpi_scan *scan = &t->scans[item];

	return scan->events == 0 ?
	    NULL :
	    es_mpi_trace_tuple(&t->input,
		(struct es_mpi_at){ scan->ring_first, 0 });
}

static void
halves_pack(const struct es__mpi_halves *halves, struct es__pack *pack)
{
	es__pack_put_array(pack, halves->list, halves->count,
	    sizeof(*halves->list));
}

static void
halves_unpack(struct es__mpi_halves *halves, struct es__pack *pack)
{
	halves->list =
	    es__pack_get_array(pack, &halves->count, sizeof(*halves->list));
	halves->room = halves->count;
}

static void
trace_scan_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct es__mpi_scan *scan =
	    &((const struct es_mpi_trace *)context)->scans[item];

	es__pack_put(pack, scan, sizeof(*scan));
	es__pack_put_array(pack, scan->order,
	    scan->order != NULL ? scan->events : 0, sizeof(*scan->order));
	halves_pack(&scan->sends, pack);
	halves_pack(&scan->receives, pack);
	halves_pack(&scan->open, pack);
	es__pack_put_array(pack, scan->entries.list, scan->entries.count,
	    sizeof(*scan->entries.list));
	es__pack_put_array(pack, scan->pending, scan->pending_count,
	    sizeof(*scan->pending));
}

static void
trace_scan_unpack(void *context, size_t item, struct es__pack *pack)
{
	struct es__mpi_scan *scan =
	    &((struct es_mpi_trace *)context)->scans[item];
	struct es_mpi_at *order;
	size_t count;

	es__pack_get(pack, scan, sizeof(*scan));
	order = es__pack_get_array(pack, &count, sizeof(*order));
	if (scan->order == NULL)
		free(order);
	else
		scan->order = order;
	halves_unpack(&scan->sends, pack);
	halves_unpack(&scan->receives, pack);
	halves_unpack(&scan->open, pack);
	scan->entries.list = es__pack_get_array(pack, &scan->entries.count,
	    sizeof(*scan->entries.list));
	scan->entries.room = scan->entries.count;
	scan->pending =
	    es__pack_get_array(pack, &count, sizeof(*scan->pending));
}

static paths_status
trace_match(void *context, size_t item, void *result)
{
	(void)result;
	es__mpi_match(context, (uint32_t)item);
	return PATHS_OK;
}

/* Frees the receives of a rank, which are messages now, and counts the matched
   sends. */
static paths_status
trace_matched(void *context, size_t item, void *result)
{
	struct es_mpi_trace *t = context;

	(void)result;
	for (uint32_t m = t->message_first[item];
	     m < t->message_first[item + 1]; m++) {
		struct es_mpi_message *message = &t->messages[m];

		message->comm &= ~ES__MPI_PARTITIONED;
		if (!es__mpi_at_none(message->send))
			t->scans[message->source].account.sends_matched++;
	}
	free(t->scans[item].receives.list);
	t->scans[item].receives.list = NULL;
	return PATHS_OK;
}

/* Counts of a rank that matching its receives changes; those of its sends are
   counted when the receives of other ranks are finished. */
struct matched_counts {
	uint64_t receives, empty, discarded, differing, undecided;
};

static void
trace_match_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct es_mpi_trace *t = context;
	const struct es_mpi_trace_account *account = &t->scans[item].account;

	es__pack_put(pack,
	    &(struct matched_counts){ account->receives_matched, account->empty,
		account->discarded, account->differing, account->undecided },
	    sizeof(struct matched_counts));
	es__pack_put_array(pack, &t->messages[t->message_first[item]],
	    t->message_first[item + 1] - t->message_first[item],
	    sizeof(*t->messages));
}

/* Takes the messages of a rank, and links their tuples to them. */
static void
trace_match_unpack(void *context, size_t item, struct es__pack *pack)
{
	struct es_mpi_trace *t = context;
	struct es_mpi_trace_account *account = &t->scans[item].account;
	uint32_t first = t->message_first[item];
	struct matched_counts counts;
	struct es_mpi_message *messages;
	size_t count;

	es__pack_get(pack, &counts, sizeof(counts));
	account->receives_matched = counts.receives;
	account->empty = counts.empty;
	account->discarded = counts.discarded;
	account->differing = counts.differing;
	account->undecided = counts.undecided;
	messages = es__pack_get_array(pack, &count, sizeof(*messages));
	for (uint32_t n = 0; n < count; n++) {
		t->messages[first + n] = messages[n];
		es__mpi_match_link(t, first + n);
	}
	free(messages);
}

static paths_status
trace_work(struct es_mpi_trace *t)
{
	struct es__work scan = { .count = t->input.rank_count,
		.context = t,
		.work = trace_scan,
		.done = trace_scanned,
		.reads = trace_reads,
		.pack = trace_scan_pack,
		.unpack = trace_scan_unpack };
	struct es__work match = { .count = t->input.rank_count,
		.context = t,
		.work = trace_match,
		.done = trace_matched,
		.reads = trace_reads,
		.pack = trace_match_pack,
		.unpack = trace_match_unpack };
	paths_status st = es__work_run(&scan, t->threads);

	if (st != PATHS_OK)
		return st;
	t->messages =
	    malloc(((size_t)t->message_first[t->input.rank_count] + 1) *
		sizeof(*t->messages));
	if (t->messages == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for messages");
	st = es__work_run(&match, t->threads);
	return st == PATHS_OK ? es__mpi_gather(t) : st;
}

paths_status
es_mpi_trace_open(const struct es_mpi_trace_input *input, unsigned threads,
    struct es_mpi_trace **out)
{
	struct es_mpi_trace *t;
	paths_status st = trace_check(input);

	if (st != PATHS_OK)
		return st;
	t = calloc(1, sizeof(*t));
	if (t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a trace");
	t->input = *input;
	t->threads = threads > 0 ? threads : 1;
	st = trace_prepare(t);
	if (st == PATHS_OK)
		st = trace_work(t);
	if (st != PATHS_OK) {
		es_mpi_trace_close(t);
		return st;
	}
	*out = t;
	return PATHS_OK;
}

static void
scan_fini(struct es__mpi_scan *scan)
{
	free(scan->order);
	free(scan->sends.list);
	free(scan->receives.list);
	free(scan->open.list);
	free(scan->entries.list);
	free(scan->pending);
}

void
es_mpi_trace_close(struct es_mpi_trace *t)
{
	if (t == NULL)
		return;
	for (uint32_t r = 0; t->scans != NULL && r < t->input.rank_count; r++)
		scan_fini(&t->scans[r]);
	for (uint32_t r = 0; t->links != NULL && r < t->input.ring_count; r++)
		free(t->links[r]);
	free(t->scans);
	free(t->links);
	free(t->message_first);
	free(t->messages);
	free(t->collectives);
	free(t->parts);
	free(t->kinds);
	free(t);
}

const struct es_mpi_trace_input *
es_mpi_trace_input(const struct es_mpi_trace *trace)
{
	return &trace->input;
}

const struct es_mpi_message *
es_mpi_trace_messages(const struct es_mpi_trace *trace, uint32_t rank,
    uint32_t *first, uint32_t *count)
{
	*first = trace->message_first[rank];
	*count = trace->message_first[rank + 1] - *first;
	return &trace->messages[*first];
}

const struct es_mpi_message *
es_mpi_trace_message(const struct es_mpi_trace *trace, uint32_t message)
{
	return &trace->messages[message];
}

const struct es_mpi_trace_collective *
es_mpi_trace_collective(const struct es_mpi_trace *trace, uint64_t n)
{
	return n < trace->collective_count ? &trace->collectives[n] : NULL;
}

const struct es_mpi_part_taken *
es_mpi_trace_parts(const struct es_mpi_trace *trace,
    const struct es_mpi_trace_collective *collective)
{
	return &trace->parts[collective->first];
}

const struct es_mpi_trace_collective *
es_mpi_trace_collective_of(const struct es_mpi_trace *trace, uint32_t part)
{
	uint64_t low = 0, high = trace->collective_count;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (trace->collectives[middle].first <= part)
			low = middle;
		else
			high = middle;
	}
	return &trace->collectives[low];
}

const struct es_mpi_trace_link *
es_mpi_trace_link(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return es__mpi_link(trace, at);
}

const struct es_mpi_trace_account *
es_mpi_trace_account(const struct es_mpi_trace *trace, uint32_t rank)
{
	return &trace->scans[rank].account;
}
