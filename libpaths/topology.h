/* SPDX-License-Identifier: MIT */
/*
 * libpaths/topology.h - the processing units of a host, from hwloc's XML
 *
 * A topology is a flat list: for each processing unit (PU) of the host, the
 * groups that it belongs to.  Files hold hwloc's XML of version 2, which
 * `lstopo FILE.xml` and other tools read too.
 */

#ifndef LIBPATHS_TOPOLOGY_H
#define LIBPATHS_TOPOLOGY_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

/* A processing unit.  Groups are numbered from 0 on the host, in the order in
   which its PUs come. */
struct paths_topology_pu {
	uint32_t package;
	uint32_t numa;	/* NUMA nodes that are nearest to it */
	uint32_t cache; /* last shared cache: L3, or package without L3 */
	uint32_t core;
	uint32_t kernel; /* number of the PU in the operating system */
	bool allowed;	 /* by the container or control group of the reader */
};

/* The processing units of a host, in hwloc's order. */
struct paths_topology {
	struct paths_topology_pu *pus;
	uint32_t count;
	char host[256]; /* name of the host; "": the file does not tell it */
};

/*
 * paths_topology_save - write the topology of this host to a file
 *
 * Reads processors, caches and memory from the operating system, but no
 * devices, unless HWLOC_COMPONENTS in the environment asks for more.  The file
 * appears with its whole content.
 *
 * file		its path; a file of that name stays as it is
 *
 * Returns	PATHS_OK	also when the file exists
 *		PATHS_EIO	the topology or the directory cannot be used
 * Threads	one, while no other thread uses the environment
 * Since	0.1
 */
PATHS_API paths_status paths_topology_save(const char *file) PATHS_CHECKED;

/*
 * paths_topology_read - read a file of hwloc's XML
 *
 * topology	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such file
 *		PATHS_EIO	it cannot be read
 *		PATHS_EDAMAGED	it is not hwloc's XML, or has no PU
 *		PATHS_ENOMEM
 * Ownership	the caller calls paths_topology_fini
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_topology_read(const char *file,
    struct paths_topology *topology) PATHS_CHECKED;

/*
 * paths_topology_here - read the topology of this host
 *
 * Reads the same parts as paths_topology_save.
 *
 * topology	out
 *
 * Returns	PATHS_OK
 *		PATHS_EIO	it cannot be read
 *		PATHS_EDAMAGED	it has no PU
 *		PATHS_ENOMEM
 * Ownership	the caller calls paths_topology_fini
 * Threads	one, while no other thread uses the environment
 * Since	0.1
 */
PATHS_API paths_status paths_topology_here(struct paths_topology *topology)
    PATHS_CHECKED;

/*
 * paths_topology_fini - free what the functions above made
 *
 * topology	all zeros: nothing happens
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
PATHS_API void paths_topology_fini(struct paths_topology *topology);

PATHS_END_DECLS

#endif
