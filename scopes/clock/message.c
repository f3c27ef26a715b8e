/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/message.c - the messages of MPI between two clocks
 *
 * A receive ends after its send began.  A late receive makes this bound wide,
 * but not wrong, and the narrowest bounds count.  A synchronous send also ends
 * after its receive began; other sends may be buffered.
 *
 * In a collective, data passes from each member that gives some to each that
 * gets some.  Of the members on one clock, the last to enter and the first to
 * leave have the narrowest bound, so each pair of clocks gets one message from
 * a collective; with many clocks, each one sends to those that are a power of
 * two away, so that there are not too many pairs.  Left out are scans,
 * collectives in which a member may give or get nothing (Alltoallv), and those
 * on intercommunicators.
 */

#include "scopes/clock/message_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/match/trace_private.h"
#include "scopes/mpi.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Collectives that a thread takes at a time. */
#define COLLECTIVES_BLOCK 1024u
/* All pairs of so many clocks get messages. */
#define CLOCKS_ALL 8u

/* Messages that a piece of work found. */
struct message_list {
	struct es__clock_message *list;
	size_t count, room;
};

/* The members of a collective on one clock. */
struct message_side {
	uint64_t begin; /* of the last member that gives */
	uint64_t end;	/* of the first member that gets */
	uint32_t bytes; /* that this member gives or gets */
	bool gives, gets;
};

struct message_find {
	const struct es_analysis *a;
	const struct es_mpi_trace *trace;
	uint32_t *domain_of; /* of each rank */
	bool *sync;	     /* of each function: a send that waits */
	struct message_list *lists;
	size_t ranks; /* the first lists; then blocks of collectives */
};

/* A collective, and its members on each clock. */
struct message_collective {
	const struct message_find *f;
	const struct es_mpi_trace_comm *comm;
	const struct es_mpi_part_taken *parts;
	struct message_side *sides;
	struct message_list *list;
};

static paths_status
list_add(struct message_list *list, const struct es__clock_message *m)
{
	if (!paths__array_grow(&list->list, list->count, &list->room,
		sizeof(*m)))
		return PATHS_ENOMEM;
	list->list[list->count++] = *m;
	return PATHS_OK;
}

static uint32_t
bytes_of(const struct es_tuple_mpi *tuple)
{
	return tuple->bytes < UINT32_MAX ? (uint32_t)tuple->bytes : UINT32_MAX;
}

/* ---- messages of a rank */

/* Adds a message, and its answer if its send waited for the receive. */
static paths_status
rank_message(const struct message_find *f, struct message_list *list,
    const struct es_mpi_message *m, uint32_t to)
{
	const struct es_mpi_trace_input *in = &f->trace->input;
	uint32_t from = f->domain_of[m->source];
	const struct es_tuple_mpi *send, *end;
	struct es__clock_message message = { .from = from, .to = to };
	paths_status st = PATHS_OK;

	if (es__mpi_at_none(m->send) || from == to || from == PATHS_NONE)
		return PATHS_OK;
	send = es_mpi_trace_tuple(in, m->send);
	if (!es__mpi_at_none(m->recv_end)) {
		end = es_mpi_trace_tuple(in, m->recv_end);
		message.sent = send->start;
		message.received = end->stop;
		message.bytes = bytes_of(end);
		st = end->stop == 0 ? PATHS_OK : list_add(list, &message);
	}
	if (st != PATHS_OK || es__mpi_at_none(m->send_end) ||
	    send->op >= f->trace->kind_count || !f->sync[send->op])
		return st;
	end = es_mpi_trace_tuple(in, m->send_end);
	message = (struct es__clock_message){ .from = to,
		.to = from,
		.sent = es_mpi_trace_tuple(in, m->recv)->start,
		.received = end->stop };
	return end->stop == 0 ? PATHS_OK : list_add(list, &message);
}

static paths_status
rank_messages(const struct message_find *f, uint32_t rank)
{
	uint32_t first, count, to = f->domain_of[rank];
	const struct es_mpi_message *m =
	    es_mpi_trace_messages(f->trace, rank, &first, &count);
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count && to != PATHS_NONE;
	     n++)
		st = rank_message(f, &f->lists[rank], &m[n], to);
	return st;
}

/* ---- messages of a collective */

static const struct es_tuple_mpi *
member_begin(const struct message_collective *c, uint32_t member)
{
	return es_mpi_trace_tuple(&c->f->trace->input, c->parts[member].begin);
}

static struct message_side *
member_side(const struct message_collective *c, uint32_t member)
{
	uint32_t domain = c->f->domain_of[c->comm->members[member]];

	return domain == PATHS_NONE ? NULL : &c->sides[domain];
}

static void
member_gives(const struct message_collective *c, uint32_t member)
{
	const struct es_tuple_mpi *begin = member_begin(c, member);
	struct message_side *side = member_side(c, member);

	if (side == NULL || (side->gives && begin->start <= side->begin))
		return;
	side->begin = begin->start;
	side->gives = true;
	side->bytes = bytes_of(begin);
}

static void
member_gets(const struct message_collective *c, uint32_t member)
{
	struct message_side *side = member_side(c, member);
	const struct es_tuple_mpi *end;

	if (side == NULL || es__mpi_at_none(c->parts[member].end))
		return;
	end = es_mpi_trace_tuple(&c->f->trace->input, c->parts[member].end);
	if (end->stop == 0 || (side->gets && end->stop >= side->end))
		return;
	side->end = end->stop;
	side->gets = true;
	side->bytes = bytes_of(end);
}

/* Adds a message between two clocks, if it passes data. */
static paths_status
sides_message(const struct message_collective *c, uint32_t from, uint32_t to,
    uint32_t bytes)
{
	const struct message_side *a = &c->sides[from], *b = &c->sides[to];

	if (from == to || !a->gives || !b->gets)
		return PATHS_OK;
	return list_add(c->list,
	    &(struct es__clock_message){ .sent = a->begin,
		.received = b->end,
		.from = from,
		.to = to,
		.bytes = bytes });
}

/* Adds messages between all clocks, of unknown size: each one passes data to
   each other one, but on ways that are not known. */
static paths_status
sides_all(const struct message_collective *c)
{
	uint32_t count = c->f->a->clocks.domain_count;
	paths_status st = PATHS_OK;

	for (uint32_t from = 0; from < count; from++)
		for (uint32_t away = 1;
		     st == PATHS_OK && away<count; away = count> CLOCKS_ALL ?
			 2 * away :
			 away + 1)
			st = sides_message(c, from, (from + away) % count, 0);
	return st;
}

/* Adds the messages from or to the clock of the root. */
static paths_status
sides_root(const struct message_collective *c, uint32_t root, bool to_all)
{
	uint32_t count = c->f->a->clocks.domain_count;
	paths_status st = PATHS_OK;

	for (uint32_t d = 0; st == PATHS_OK && d < count; d++)
		st = to_all ? sides_message(c, root, d, c->sides[d].bytes) :
			      sides_message(c, d, root, c->sides[d].bytes);
	return st;
}

/* Finds the member that is the root of a collective of one group; false: it is
   not known. */
static bool
collective_root(const struct message_collective *c, uint32_t *root)
{
	uint32_t member = c->comm->members[0];
	const struct es_mpi_trace_rank *rank =
	    &c->f->trace->input.ranks[member];
	uint32_t peer = (uint32_t)member_begin(c, 0)->peer;

	if (peer >= rank->peer_count)
		return false;
	for (*root = 0; *root < c->comm->count; (*root)++)
		if (c->comm->members[*root] == rank->peers[peer])
			return c->f->domain_of[c->comm->members[*root]] !=
			    PATHS_NONE;
	return false;
}

static paths_status
collective_rooted(const struct message_collective *c, bool to_all)
{
	uint32_t root;

	if (!collective_root(c, &root))
		return PATHS_OK;
	for (uint32_t n = 0; n < c->comm->count; n++) {
		if (n == root || member_begin(c, n)->bytes == 0)
			continue;
		if (to_all)
			member_gets(c, n);
		else
			member_gives(c, n);
	}
	if (to_all)
		member_gives(c, root);
	else
		member_gets(c, root);
	return sides_root(c, c->f->domain_of[c->comm->members[root]], to_all);
}

static paths_status
collective_all(const struct message_collective *c)
{
	for (uint32_t n = 0; n < c->comm->count; n++) {
		member_gives(c, n);
		member_gets(c, n);
	}
	return sides_all(c);
}

/* Returns whether all members of an all-to-all collective give and get. */
static bool
collective_is_dense(const struct message_collective *c, uint32_t function)
{
	static const char *const names[] = { "MPI_Allreduce", "MPI_Iallreduce",
		"MPI_Allgather", "MPI_Iallgather", "MPI_Alltoall",
		"MPI_Ialltoall", "MPI_Reduce_scatter_block",
		"MPI_Ireduce_scatter_block", "MPI_Allreduce_init",
		"MPI_Allgather_init", "MPI_Alltoall_init",
		"MPI_Reduce_scatter_block_init" };
	const char *name = es_mpi_function(function)->name;

	for (uint32_t n = 0; n < c->comm->count; n++)
		if (member_begin(c, n)->bytes == 0)
			return false;
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		if (strcmp(name, names[n]) == 0)
			return true;
	return false;
}

static paths_status
collective_messages(struct message_collective *c,
    const struct es_mpi_trace_collective *collective)
{
	const struct es_mpi_trace *trace = c->f->trace;

	if (collective->kind != ES_MPI_TRACE_COLLECTIVE)
		return PATHS_OK;
	c->comm = &trace->input.comms[collective->comm];
	c->parts = es_mpi_trace_parts(trace, collective);
	if (c->comm->first != c->comm->count)
		return PATHS_OK;
	memset(c->sides, 0, c->f->a->clocks.domain_count * sizeof(*c->sides));
	switch (es__mpi_kind(trace, collective->function)->role) {
	case ES_MPI_ROLE_BARRIER:
		return collective_all(c);
	case ES_MPI_ROLE_N_TO_N:
		return collective_is_dense(c, collective->function) ?
		    collective_all(c) :
		    PATHS_OK;
	case ES_MPI_ROLE_ONE_TO_N:
		return collective_rooted(c, true);
	case ES_MPI_ROLE_N_TO_ONE:
		return collective_rooted(c, false);
	default:
		return PATHS_OK;
	}
}

static paths_status
block_messages(const struct message_find *f, size_t block)
{
	struct message_collective c = { .f = f,
		.list = &f->lists[f->ranks + block] };
	const struct es_mpi_trace_collective *collective;
	paths_status st = PATHS_OK;

	c.sides = calloc(f->a->clocks.domain_count, sizeof(*c.sides));
	if (c.sides == NULL)
		return PATHS_ENOMEM;
	for (uint64_t n = 0; st == PATHS_OK && n < COLLECTIVES_BLOCK; n++) {
		collective = es_mpi_trace_collective(f->trace,
		    block * COLLECTIVES_BLOCK + n);
		if (collective == NULL)
			break;
		st = collective_messages(&c, collective);
	}
	free(c.sides);
	return st;
}

/* ---- all messages */

static paths_status
find_work(void *context, size_t item, void *result)
{
	const struct message_find *f = context;

	(void)result;
	return item < f->ranks ? rank_messages(f, (uint32_t)item) :
				 block_messages(f, item - f->ranks);
}

/* Returns the first ring of a rank, or of the next one that has rings. */
static uint32_t
find_ring(const struct es_mpi_trace_input *in, size_t rank)
{
	uint32_t low = 0, high = in->ring_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (in->rings[middle].rank < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns tuples that an item reads; a block of collectives reads those of all
   ranks. */
static const void *
find_reads(const void *context, size_t item)
{
	const struct message_find *f = context;
	const struct es_mpi_trace_input *in = &f->trace->input;
	uint32_t ring = item < f->ranks ? find_ring(in, item) : in->ring_count;

	return ring < in->ring_count && in->rings[ring].rank == item &&
		in->rings[ring].count > 0 ?
	    es_mpi_trace_tuple(in, (struct es_mpi_at){ .ring = ring }) :
	    NULL;
}

static void
find_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct message_find *f = context;

	es__pack_put_array(pack, f->lists[item].list, f->lists[item].count,
	    sizeof(*f->lists[item].list));
}

static void
find_unpack(void *context, size_t item, struct es__pack *pack)
{
	const struct message_find *f = context;
	struct message_list *l = &f->lists[item];

	l->list = es__pack_get_array(pack, &l->count, sizeof(*l->list));
	l->room = l->count;
}

/* Returns the key of a message by which a pass sorts: its receiver, or its
   sender. */
static uint32_t
message_key(const struct es__clock_message *m, bool by_sender)
{
	return by_sender ? m->from : m->to;
}

/* Sorts messages by a key, and keeps the order of those with the same one;
   starts: room for the domains, and one more. */
static void
messages_sort(const struct es__clock_message *messages, size_t count,
    bool by_sender, size_t *starts, struct es__clock_message *sorted)
{
	for (size_t n = 0; n < count; n++)
		starts[message_key(&messages[n], by_sender) + 1]++;
	for (uint32_t d = 1; starts[d - 1] < count; d++)
		starts[d] += starts[d - 1];
	for (size_t n = 0; n < count; n++)
		sorted[starts[message_key(&messages[n], by_sender)]++] =
		    messages[n];
}

paths_status
es__clock_message_sort(struct es__clock_message *messages, size_t count,
    uint32_t domains)
{
	struct es__clock_message *other =
	    malloc((count + 1) * sizeof(*messages));
	size_t *starts = calloc(2 * ((size_t)domains + 2), sizeof(*starts));
	bool done = other != NULL && starts != NULL;

	if (done) {
		messages_sort(messages, count, false, starts, other);
		messages_sort(other, count, true, starts + domains + 2,
		    messages);
	}
	free(starts);
	free(other);
	return done ? PATHS_OK : PATHS_ENOMEM;
}

/* Moves the messages of all lists to the clocks. */
static paths_status
find_take(const struct message_find *f, size_t lists, struct es__clocks *clocks)
{
	size_t count = 0;

	for (size_t n = 0; n < lists; n++)
		count += f->lists[n].count;
	clocks->messages = malloc((count + 1) * sizeof(*clocks->messages));
	if (clocks->messages == NULL)
		return PATHS_ENOMEM;
	for (size_t n = 0; n < lists; n++) {
		const struct message_list *l = &f->lists[n];

		for (size_t m = 0; m < l->count; m++)
			clocks->messages[clocks->message_count++] = l->list[m];
	}
	return es__clock_message_sort(clocks->messages, clocks->message_count,
	    clocks->domain_count);
}

static paths_status
find_open(struct message_find *f, size_t lists)
{
	const struct es_mpi *mpi = es_run_mpi(f->a->run);
	uint32_t count = f->trace->input.rank_count;

	f->ranks = count;
	f->domain_of = calloc((size_t)count + 1, sizeof(*f->domain_of));
	f->sync = calloc((size_t)f->trace->kind_count + 1, sizeof(*f->sync));
	f->lists = calloc(lists + 1, sizeof(*f->lists));
	if (f->domain_of == NULL || f->sync == NULL || f->lists == NULL)
		return PATHS_ENOMEM;
	for (uint32_t r = 0; r < count; r++)
		f->domain_of[r] =
		    f->a->clocks.domain_of[es_mpi_rank(mpi, r)->process];
	for (uint32_t n = 0; n < f->trace->kind_count; n++)
		f->sync[n] =
		    strncmp(es_mpi_function(n)->name, "MPI_Ssend", 9) == 0 ||
		    strcmp(es_mpi_function(n)->name, "MPI_Issend") == 0;
	return PATHS_OK;
}

paths_status
es__clock_message_find(struct es_analysis *a)
{
	struct message_find f = { .a = a };
	struct es__work work = { .context = &f,
		.work = find_work,
		.reads = find_reads,
		.pack = find_pack,
		.unpack = find_unpack };
	struct es__matched *matched;
	size_t blocks;
	paths_status st;

	if (a->clocks.domain_count < 2)
		return PATHS_OK;
	st = es__matched_whole(a, &matched);
	if (st != PATHS_OK || matched == NULL)
		return st;
	f.trace = matched->trace;
	blocks = (f.trace->collective_count + COLLECTIVES_BLOCK - 1) /
	    COLLECTIVES_BLOCK;
	work.count = f.trace->input.rank_count + blocks;
	st = find_open(&f, work.count);
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	if (st == PATHS_OK)
		st = find_take(&f, work.count, &a->clocks);
	for (size_t n = 0; f.lists != NULL && n < work.count; n++)
		free(f.lists[n].list);
	free(f.lists);
	free(f.sync);
	free(f.domain_of);
	es__matched_drop_whole(matched);
	return st;
}
