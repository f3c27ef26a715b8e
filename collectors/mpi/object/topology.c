/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/topology.c - finds the neighbours that a neighbourhood
 * collective sends to
 *
 * Neighbours are in the order of the blocks of the send buffer: on a Cartesian
 * grid, for each dimension the lower neighbour and then the upper one.  MPI is
 * asked at the first neighbourhood collective on a communicator.
 */

#include "collectors/mpi/object/topology_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/object/comm_private.h"

#include <stdlib.h>

static struct mpi_targets *
targets_create(int count)
{
	struct mpi_targets *t =
	    calloc(1, sizeof(*t) + (size_t)count * sizeof(t->peers[0]));

	if (t != NULL)
		t->count = count;
	return t;
}

static struct mpi_targets *
targets_of_cart(mpi_handle handle)
{
	struct mpi_targets *t;
	int dimensions = 0;

	if (mpi_abi.call.cartdim_get(handle, &dimensions) != 0)
		return NULL;
	t = targets_create(2 * dimensions);
	for (int d = 0; t != NULL && d < dimensions; d++)
		if (mpi_abi.call.cart_shift(handle, d, 1, &t->peers[2 * d],
			&t->peers[2 * d + 1]) != 0)
			t->peers[2 * d] = t->peers[2 * d + 1] =
			    mpi_abi.proc_null;
	return t;
}

static struct mpi_targets *
targets_of_graph(mpi_handle handle, int rank)
{
	struct mpi_targets *t;
	int count = 0;

	if (mpi_abi.call.graph_neighbors_count(handle, rank, &count) != 0)
		return NULL;
	t = targets_create(count);
	if (t == NULL ||
	    mpi_abi.call.graph_neighbors(handle, rank, count, t->peers) == 0)
		return t;
	free(t);
	return NULL;
}

static struct mpi_targets *
targets_of_dist_graph(mpi_handle handle)
{
	struct mpi_targets *t;
	int sources = 0, count = 0, weighted = 0, *rest;
	bool ok = false;

	if (mpi_abi.call.dist_graph_neighbors_count(handle, &sources, &count,
		&weighted) != 0)
		return NULL;
	t = targets_create(count);
	/* Room for sources and weights, which are not needed. */
	rest = calloc(2 * (size_t)sources + (size_t)count + 1, sizeof(*rest));
	if (t != NULL && rest != NULL)
		ok = mpi_abi.call.dist_graph_neighbors(handle, sources, rest,
			 rest + sources, count, t->peers,
			 rest + 2 * sources) == 0;
	free(rest);
	if (ok)
		return t;
	free(t);
	return NULL;
}

/* Asks MPI for the neighbours, as ranks of the communicator. */
static struct mpi_targets *
targets_ask(const struct mpi_comm *comm, mpi_handle handle)
{
	int kind = mpi_abi.undefined;

	if (mpi_abi.call.topo_test(handle, &kind) != 0)
		return NULL;
	if (kind == mpi_abi.topo_cart)
		return targets_of_cart(handle);
	if (kind == mpi_abi.topo_graph)
		return targets_of_graph(handle, comm->rank);
	if (kind == mpi_abi.topo_dist_graph)
		return targets_of_dist_graph(handle);
	return targets_create(0);
}

const struct mpi_targets *
mpi_comm_targets(struct mpi_comm *comm)
{
	/* Acquire: the partner is the exchange below. */
	struct mpi_targets *t =
	    atomic_load_explicit(&comm->targets, memory_order_acquire);
	struct mpi_targets *other = NULL;

	if (t != NULL)
		return t;
	/* The key of a communicator is its handle. */
	t = targets_ask(comm, (mpi_handle)comm->key);
	for (int32_t n = 0; t != NULL && n < t->count; n++)
		t->peers[n] = t->peers[n] == mpi_abi.proc_null ?
		    ES_MPI_PEER_PROC_NULL :
		    mpi_comm_peer(comm, t->peers[n]);
	if (t == NULL ||
	    atomic_compare_exchange_strong_explicit(&comm->targets, &other, t,
		memory_order_acq_rel, memory_order_acquire))
		return t;
	free(t);
	return other;
}
