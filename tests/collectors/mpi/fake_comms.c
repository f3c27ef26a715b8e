/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/fake_comms.c - an MPI of groups and communicators for
 * tests
 */

#include "tests/collectors/mpi/fake_comms.h"

#include "collectors/mpi/abi/abi_private.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define FAKE_UNDEFINED (-32766)
#define FAKE_WORLD 0x1000 /* handle */

struct fake_group {
	int count;
	int members[];
};

/* Handles count from 0x1000, which is the world. */
struct fake_communicator {
	struct fake_group *members, *others;
};

static struct fake_communicator *communicators;
static size_t communicator_count;
static int self;
static struct fake_process *writer;

struct mpi_abi mpi_abi;
uint64_t fake_comparisons;
unsigned fake_groups;

static struct fake_group *
group_create(int count)
{
	struct fake_group *g =
	    calloc(1, sizeof(*g) + (size_t)count * sizeof(g->members[0]));

	EXPECT_TRUE(g != NULL);
	g->count = count;
	return g;
}

static struct fake_group *
group_copy(const struct fake_group *from)
{
	struct fake_group *g = group_create(from->count);

	memcpy(g->members, from->members,
	    (size_t)from->count * sizeof(g->members[0]));
	return g;
}

static int
group_place(const struct fake_group *g, int member)
{
	for (int n = 0; n < g->count; n++)
		if (g->members[n] == member)
			return n;
	return FAKE_UNDEFINED;
}

static int
group_give(struct fake_group *g, mpi_handle *handle)
{
	fake_groups++;
	*handle = (mpi_handle)g;
	return 0;
}

static int
fake_group_free(mpi_handle *group)
{
	free((void *)*group);
	fake_groups--;
	return 0;
}

static int
fake_group_size(mpi_handle group, int *size)
{
	*size = ((struct fake_group *)group)->count;
	return 0;
}

static int
fake_group_translate_ranks(mpi_handle from, int n, const int *ranks,
    mpi_handle to, int *found)
{
	const struct fake_group *a = (struct fake_group *)from;
	const struct fake_group *b = (struct fake_group *)to;

	for (int i = 0; i < n; i++) {
		found[i] = group_place(b, a->members[ranks[i]]);
		fake_comparisons +=
		    (uint64_t)(found[i] < 0 ? b->count : found[i] + 1);
	}
	return 0;
}

static int
fake_group_incl(mpi_handle group, int n, const int *ranks, mpi_handle *some)
{
	const struct fake_group *from = (struct fake_group *)group;
	struct fake_group *g = group_create(n);

	for (int i = 0; i < n; i++)
		g->members[i] = from->members[ranks[i]];
	return group_give(g, some);
}

static int
fake_group_union(mpi_handle first, mpi_handle second, mpi_handle *both)
{
	const struct fake_group *a = (struct fake_group *)first;
	const struct fake_group *b = (struct fake_group *)second;
	struct fake_group *g = group_create(a->count + b->count);

	memcpy(g->members, a->members,
	    (size_t)a->count * sizeof(g->members[0]));
	g->count = a->count;
	for (int i = 0; i < b->count; i++)
		if (group_place(a, b->members[i]) < 0)
			g->members[g->count++] = b->members[i];
	return group_give(g, both);
}

static bool
communicator_is(mpi_handle handle)
{
	return handle >= FAKE_WORLD && handle < FAKE_WORLD + communicator_count;
}

static struct fake_communicator *
communicator_of(mpi_handle handle)
{
	EXPECT_TRUE(communicator_is(handle));
	return &communicators[handle - FAKE_WORLD];
}

static int
fake_comm_test_inter(mpi_handle comm, int *inter)
{
	if (!communicator_is(comm))
		return 1;
	*inter = communicator_of(comm)->others != NULL;
	return 0;
}

/* Returns a side of an intercommunicator, as the caller sees it. */
static struct fake_group *
communicator_side(mpi_handle comm, bool remote)
{
	const struct fake_communicator *c = communicator_of(comm);
	bool in_members = group_place(c->members, self) >= 0;

	return c->others != NULL && in_members == remote ? c->others :
							   c->members;
}

static int
fake_comm_rank(mpi_handle comm, int *rank)
{
	*rank = group_place(communicator_side(comm, false), self);
	return 0;
}

static int
fake_comm_group(mpi_handle comm, mpi_handle *group)
{
	return group_give(group_copy(communicator_side(comm, false)), group);
}

static int
fake_comm_remote_group(mpi_handle comm, mpi_handle *group)
{
	return group_give(group_copy(communicator_side(comm, true)), group);
}

static mpi_handle
communicator_add(struct fake_group *members, struct fake_group *others)
{
	size_t n = communicator_count++;

	communicators =
	    realloc(communicators, communicator_count * sizeof(*communicators));
	EXPECT_TRUE(communicators != NULL);
	communicators[n] = (struct fake_communicator){ members, others };
	return FAKE_WORLD + n;
}

static struct fake_group *
group_of_range(struct fake_range range)
{
	struct fake_group *g = group_create(range.count);

	for (int n = 0; n < range.count; n++)
		g->members[n] = range.first + n * range.stride;
	return g;
}

mpi_handle
fake_comm(struct fake_range members)
{
	return communicator_add(group_of_range(members), NULL);
}

mpi_handle
fake_intercomm(struct fake_range members, struct fake_range others)
{
	return communicator_add(group_of_range(members),
	    group_of_range(others));
}

mpi_handle
fake_comm_list(const int *members, int count)
{
	struct fake_group *g = group_create(count);

	memcpy(g->members, members, (size_t)count * sizeof(*members));
	return communicator_add(g, NULL);
}

void
fake_begin(int size)
{
	for (size_t n = 0; n < communicator_count; n++) {
		free(communicators[n].members);
		free(communicators[n].others);
	}
	communicator_count = 0;
	fake_groups = 0;
	mpi_abi = (struct mpi_abi){
		.handle_bytes = 8,
		.comm_world = FAKE_WORLD,
		.comm_self = 2,
		.comm_null = 1,
		.win_null = 1,
		.undefined = FAKE_UNDEFINED,
		.call = { .group_free = fake_group_free,
		    .group_size = fake_group_size,
		    .group_translate_ranks = fake_group_translate_ranks,
		    .group_incl = fake_group_incl,
		    .group_union = fake_group_union,
		    .comm_test_inter = fake_comm_test_inter,
		    .comm_rank = fake_comm_rank,
		    .comm_group = fake_comm_group,
		    .comm_remote_group = fake_comm_remote_group },
	};
	fake_comm((struct fake_range){ 0, 1, size });
}

void
fake_be(struct fake_process *p, int number, int first, int size)
{
	struct fake_communicator *world = communicator_of(FAKE_WORLD);

	self = number;
	writer = p;
	/* Each world has another MPI_COMM_WORLD. */
	free(world->members);
	world->members = group_of_range((struct fake_range){ first, 1, size });
	if (p->process.world != NULL)
		return;
	p->number = number;
	p->process.rank = number - first;
	p->process.world_size = size;
	p->thread.process = &p->process;
	EXPECT_OK(
	    mpi_world_open(false, size, &p->process.log, &p->process.world));
	EXPECT_OK(mpi_comms_open(p->process.world, &p->thread.comms));
}

void
fake_end(struct fake_process *p)
{
	mpi_comms_close(p->thread.comms);
	mpi_world_close(p->process.world);
	memset(p, 0, sizeof(*p));
}

/* Keeps the entry in place of the log of a space. */
void
mpi_log_append(struct mpi_log *log, uint32_t kind, const struct iovec *parts,
    size_t count)
{
	size_t most = sizeof(writer->last_runs);

	EXPECT_TRUE(log == &writer->process.log);
	EXPECT_EQ(ES_MPI_ENTRY_COMM, kind);
	EXPECT_EQ(4, count);
	writer->entries++;
	memcpy(&writer->last, parts[0].iov_base, sizeof(writer->last));
	memcpy(writer->last_runs, parts[1].iov_base,
	    parts[1].iov_len < most ? parts[1].iov_len : most);
}
