/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/place.c - binds threads to cores, saves the topology
 */

#include "libpaths/engine/place_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <hwloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Read once, because that takes tens of milliseconds. */
static hwloc_topology_t place_topology;
static bool place_known;
static pthread_once_t place_once = PTHREAD_ONCE_INIT;

static void
place_read(void)
{
	if (hwloc_topology_init(&place_topology) != 0)
		return;
	place_known = hwloc_topology_load(place_topology) == 0;
}

static bool
place_open(void)
{
	pthread_once(&place_once, place_read);
	return place_known;
}

paths_status
paths__place_bind(uint32_t core)
{
	hwloc_obj_t obj;

	if (!place_open())
		return paths_log_fail(PATHS_EIO,
		    "the topology of this host cannot be read");
	obj = hwloc_get_obj_by_type(place_topology, HWLOC_OBJ_CORE, core);
	if (!obj)
		return paths_log_fail(PATHS_ERANGE, "core %u: this host has %d",
		    core,
		    hwloc_get_nbobjs_by_type(place_topology, HWLOC_OBJ_CORE));
	if (hwloc_set_cpubind(place_topology, obj->cpuset,
		HWLOC_CPUBIND_THREAD) != 0)
		return paths_log_fail(PATHS_EIO, "core %u: %s", core,
		    strerror(errno));
	return PATHS_OK;
}

void
paths__place_save(const struct paths_program *program)
{
	const char *name = program->map->processes[program->process].name;
	char file[4096];

	if (!program->run)
		return;
	snprintf(file, sizeof(file), "%s/%s.topology", program->run, name);
	if (!place_open())
		paths_log_warn("%s: no topology", file);
	else if (hwloc_topology_export_xml(place_topology, file, 0) != 0)
		paths_log_warn("%s: %s", file, strerror(errno));
}
