/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/topology.c - finds the neighbours that a neighbourhood
 * collective sends to and receives from
 *
 * Neighbours are in the order of the blocks of the buffers: on a Cartesian
 * grid, for each dimension the lower neighbour and then the upper one.  MPI is
 * asked at the first neighbourhood collective on a communicator.
 */

#include "collectors/mpi/object/topology_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/object/comm_private.h"

#include <stdlib.h>
#include <string.h>

static struct mpi_neighbors *
neighbors_create(int targets, int sources)
{
	size_t count = (size_t)targets + (size_t)sources;
	struct mpi_neighbors *n =
	    calloc(1, sizeof(*n) + count * sizeof(n->storage[0]));

	if (n == NULL)
		return NULL;
	n->target_count = targets;
	n->source_count = sources;
	n->targets = n->storage;
	n->sources = n->storage + targets;
	return n;
}

/* Sets the sources of a topology whose neighbours both send and receive. */
static struct mpi_neighbors *
neighbors_both(struct mpi_neighbors *n)
{
	memcpy(n->sources, n->targets,
	    (size_t)n->target_count * sizeof(*n->targets));
	return n;
}

static struct mpi_neighbors *
neighbors_of_cart(mpi_handle handle)
{
	struct mpi_neighbors *n;
	int dimensions = 0;

	if (mpi_abi.call.cartdim_get(handle, &dimensions) != 0)
		return NULL;
	n = neighbors_create(2 * dimensions, 2 * dimensions);
	if (n == NULL)
		return NULL;
	for (int d = 0; d < dimensions; d++)
		if (mpi_abi.call.cart_shift(handle, d, 1, &n->targets[2 * d],
			&n->targets[2 * d + 1]) != 0)
			n->targets[2 * d] = n->targets[2 * d + 1] =
			    mpi_abi.proc_null;
	return neighbors_both(n);
}

static struct mpi_neighbors *
neighbors_of_graph(mpi_handle handle, int rank)
{
	struct mpi_neighbors *n;
	int count = 0;

	if (mpi_abi.call.graph_neighbors_count(handle, rank, &count) != 0)
		return NULL;
	n = neighbors_create(count, count);
	if (n == NULL)
		return NULL;
	if (mpi_abi.call.graph_neighbors(handle, rank, count, n->targets) == 0)
		return neighbors_both(n);
	free(n);
	return NULL;
}

static struct mpi_neighbors *
neighbors_of_dist_graph(mpi_handle handle)
{
	struct mpi_neighbors *n;
	int sources = 0, targets = 0, weighted = 0, *weights;
	bool ok = false;

	if (mpi_abi.call.dist_graph_neighbors_count(handle, &sources, &targets,
		&weighted) != 0)
		return NULL;
	n = neighbors_create(targets, sources);
	/* Room for all weights, which are not needed. */
	weights =
	    calloc((size_t)sources + (size_t)targets + 1, sizeof(*weights));
	if (n != NULL && weights != NULL)
		ok = mpi_abi.call.dist_graph_neighbors(handle, sources,
			 n->sources, weights, targets, n->targets,
			 weights + sources) == 0;
	free(weights);
	if (ok)
		return n;
	free(n);
	return NULL;
}

/* Asks MPI for the neighbours, as ranks of the communicator. */
static struct mpi_neighbors *
neighbors_ask(const struct mpi_comm *comm, mpi_handle handle)
{
	int kind = mpi_abi.undefined;

	if (mpi_abi.call.topo_test(handle, &kind) != 0)
		return NULL;
	if (kind == mpi_abi.topo_cart)
		return neighbors_of_cart(handle);
	if (kind == mpi_abi.topo_graph)
		return neighbors_of_graph(handle, comm->rank);
	if (kind == mpi_abi.topo_dist_graph)
		return neighbors_of_dist_graph(handle);
	return neighbors_create(0, 0);
}

/* Translates the ranks that MPI gave. */
static void
neighbors_translate(const struct mpi_comm *comm, struct mpi_neighbors *all)
{
	for (int32_t n = 0; n < all->target_count; n++)
		all->targets[n] = all->targets[n] == mpi_abi.proc_null ?
		    ES_MPI_PEER_PROC_NULL :
		    mpi_comm_peer(comm, all->targets[n]);
	for (int32_t n = 0; n < all->source_count; n++)
		if (all->sources[n] == mpi_abi.proc_null)
			all->sources[n] = ES_MPI_PEER_PROC_NULL;
}

const struct mpi_neighbors *
mpi_comm_neighbors(struct mpi_comm *comm)
{
	/* Acquire: the partner is the exchange below. */
	struct mpi_neighbors *n =
	    atomic_load_explicit(&comm->neighbors, memory_order_acquire);
	struct mpi_neighbors *other = NULL;

	if (n != NULL)
		return n;
	/* The key of a communicator is its handle. */
	n = neighbors_ask(comm, (mpi_handle)comm->key);
	if (n == NULL)
		return NULL;
	neighbors_translate(comm, n);
	if (atomic_compare_exchange_strong_explicit(&comm->neighbors, &other, n,
		memory_order_acq_rel, memory_order_acquire))
		return n;
	free(n);
	return other;
}
