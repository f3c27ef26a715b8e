/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/reorder/treematch_bind.c - a preload: processes seem to be bound
 * to cores that this machine does not have
 *
 * Open MPI gives up to reorder ranks where it cannot bind them.
 */

#include <hwloc.h>

int
hwloc_get_cpubind(hwloc_topology_t topology, hwloc_cpuset_t set, int flags)
{
	(void)topology;
	(void)flags;
	hwloc_bitmap_fill(set); /* not bound */
	return 0;
}

int
hwloc_set_cpubind(hwloc_topology_t topology, hwloc_const_cpuset_t set,
    int flags)
{
	(void)topology;
	(void)set;
	(void)flags;
	return 0;
}
