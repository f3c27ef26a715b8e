/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2_defs.c - the definitions of an archive of OTF2
 *
 * Hosts are nodes of the system tree, processes are location groups, lines of
 * tracks are locations, and names of events are regions.
 */

#include "scopes/export/otf2_defs_private.h"

#ifdef ES_OTF2

#include "libpaths/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static OTF2_RegionRole
role_of(const char *name)
{
	static const OTF2_RegionRole roles[] = {
		[ES_MPI_ROLE_SEND] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_RECV] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_SENDRECV] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_ISEND] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_IRECV] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_ISENDRECV] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_SEND_INIT] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_RECV_INIT] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_START] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_WAIT] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_WAIT_MANY] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_TEST] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_PROBE] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_IPROBE] = OTF2_REGION_ROLE_POINT2POINT,
		[ES_MPI_ROLE_BARRIER] = OTF2_REGION_ROLE_BARRIER,
		[ES_MPI_ROLE_N_TO_N] = OTF2_REGION_ROLE_COLL_ALL2ALL,
		[ES_MPI_ROLE_ONE_TO_N] = OTF2_REGION_ROLE_COLL_ONE2ALL,
		[ES_MPI_ROLE_N_TO_ONE] = OTF2_REGION_ROLE_COLL_ALL2ONE,
		[ES_MPI_ROLE_SCAN] = OTF2_REGION_ROLE_COLL_OTHER,
		[ES_MPI_ROLE_NEIGHBOR] = OTF2_REGION_ROLE_COLL_OTHER,
		[ES_MPI_ROLE_PUT] = OTF2_REGION_ROLE_RMA,
		[ES_MPI_ROLE_GET] = OTF2_REGION_ROLE_RMA,
		[ES_MPI_ROLE_WINDOW] = OTF2_REGION_ROLE_RMA,
		[ES_MPI_ROLE_FILE] = OTF2_REGION_ROLE_FILE_IO,
		[ES_MPI_ROLE_FINALIZE] = OTF2_REGION_ROLE_UNKNOWN,
	};
	const struct es_mpi_function *function =
	    es_mpi_function(es_mpi_function_find(name));
	OTF2_RegionRole role =
	    function == NULL ? OTF2_REGION_ROLE_UNKNOWN : roles[function->role];

	return role == OTF2_REGION_ROLE_UNKNOWN ? OTF2_REGION_ROLE_FUNCTION :
						  role;
}

static void
regions_define(struct es__otf2 *o)
{
	for (uint32_t n = 0; n < o->export->names.count; n++) {
		const char *name = es__export_name(o->export, n);
		bool mpi = o->export->mpi != NULL &&
		    es_mpi_function_find(name) != UINT32_MAX;
		OTF2_StringRef ref = es__otf2_string(o, name);

		es__otf2_check(o,
		    OTF2_GlobalDefWriter_WriteRegion(o->defs, n, ref, ref, 0,
			mpi ? role_of(name) : OTF2_REGION_ROLE_DATA_TRANSFER,
			mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
			OTF2_REGION_FLAG_NONE, 0, 0, 0));
	}
}

/* Defines the places in the source that events refer to: those of call sites,
   numbered without gaps. */
static void
sources_define(struct es__otf2 *o)
{
	const struct es__export_texts *files = &o->export->files;

	if (o->export->mpi == NULL)
		return;
	es__otf2_check(o,
	    OTF2_GlobalDefWriter_WriteAttribute(o->defs, 0,
		es__otf2_string(o, "call site"),
		es__otf2_string(o, "place in the source that calls MPI"),
		OTF2_TYPE_SOURCE_CODE_LOCATION));
	for (uint32_t n = 1; n < files->count; n++)
		if (*files->texts[n] != '\0')
			es__otf2_check(o,
			    OTF2_GlobalDefWriter_WriteSourceCodeLocation(
				o->defs, o->export->sources[n].number,
				es__otf2_string(o, files->texts[n]),
				o->export->sources[n].line));
}

/* Defines the waiting time, in ns. */
static void
metrics_define(struct es__otf2 *o)
{
	OTF2_MetricMemberRef member = 0;

	es__otf2_check(o,
	    OTF2_GlobalDefWriter_WriteMetricMember(o->defs, member,
		es__otf2_string(o, "waiting"),
		es__otf2_string(o,
		    "time spent waiting for other threads, since the start"),
		OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START,
		OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, -9,
		es__otf2_string(o, "seconds")));
	es__otf2_check(o,
	    OTF2_GlobalDefWriter_WriteMetricClass(o->defs, ES__OTF2_WAITING, 1,
		&member, OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
}

/* Defines a node for the run, below it one for each host, and the processes. */
static void
tree_define(struct es__otf2 *o)
{
	const struct paths_map *map = o->export->map;

	es__otf2_check(o,
	    OTF2_GlobalDefWriter_WriteSystemTreeNode(o->defs, 0,
		es__otf2_string(o, es_run_dir(o->export->run)),
		es__otf2_string(o, "machine"),
		OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t n = 0; n < map->host_count; n++)
		es__otf2_check(o,
		    OTF2_GlobalDefWriter_WriteSystemTreeNode(o->defs, n + 1,
			es__otf2_string(o, map->hosts[n].name),
			es__otf2_string(o, "node"), 0));
	for (uint32_t n = 0; n < map->process_count; n++)
		es__otf2_check(o,
		    OTF2_GlobalDefWriter_WriteLocationGroup(o->defs, n,
			es__otf2_string(o, map->processes[n].name),
			OTF2_LOCATION_GROUP_TYPE_PROCESS,
			map->processes[n].host + 1,
			OTF2_UNDEFINED_LOCATION_GROUP));
	for (uint32_t n = 0; n < o->location_count; n++)
		es__otf2_check(o,
		    OTF2_GlobalDefWriter_WriteLocation(o->defs, n,
			es__otf2_string(o, o->locations[n].name),
			OTF2_LOCATION_TYPE_CPU_THREAD, o->locations[n].events,
			o->locations[n].process));
}

static OTF2_GroupRef
group_define(struct es__otf2 *o, OTF2_GroupType type, const uint64_t *members,
    uint32_t count)
{
	es__otf2_check(o,
	    OTF2_GlobalDefWriter_WriteGroup(o->defs, o->groups, 0, type,
		OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, members));
	return o->groups++;
}

static void
comm_define(struct es__otf2 *o, uint32_t n, uint64_t *members)
{
	const struct es_mpi_trace_comm *comm =
	    &es_mpi_trace_input(o->export->trace)->comms[n];
	OTF2_StringRef name = es__otf2_string(o, o->export->comms.texts[n]);
	OTF2_CommRef ref = o->members.comms[n].number;
	OTF2_GroupRef group, other;

	for (uint32_t m = 0; m < comm->count; m++)
		members[m] = comm->members[m];
	group = group_define(o,
	    n == ES_MPI_RUN_SELF ? OTF2_GROUP_TYPE_COMM_SELF :
				   OTF2_GROUP_TYPE_COMM_GROUP,
	    members, comm->first);
	if (comm->first == comm->count) {
		es__otf2_check(o,
		    OTF2_GlobalDefWriter_WriteComm(o->defs, ref, name, group,
			OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
		return;
	}
	other = group_define(o, OTF2_GROUP_TYPE_COMM_GROUP,
	    members + comm->first, comm->count - comm->first);
	es__otf2_check(o,
	    OTF2_GlobalDefWriter_WriteInterComm(o->defs, ref, name, group,
		other, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

/* Defines the groups of epochs, behind that of all locations. */
static void
epochs_define(struct es__otf2 *o)
{
	const struct es__export_windows *windows = &o->accesses.windows;

	for (size_t n = 0; n < windows->group_count; n++)
		(void)group_define(o, OTF2_GROUP_TYPE_COMM_GROUP,
		    windows->groups[n].members, windows->groups[n].count);
}

static void
windows_define(struct es__otf2 *o)
{
	const struct es__export_windows *windows = &o->accesses.windows;

	for (size_t n = 0; n < windows->count; n++) {
		const struct es__export_window *w = &windows->list[n];
		char name[300];

		snprintf(name, sizeof(name), "window %" PRIu32 " of %s",
		    w->number, o->export->comms.texts[w->comm]);
		es__otf2_check(o,
		    OTF2_GlobalDefWriter_WriteRmaWin(o->defs, (uint32_t)n,
			es__otf2_string(o, name),
			o->members.comms[w->comm].number,
			w->lives ? OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS :
				   OTF2_RMA_WIN_FLAG_NONE));
	}
}

/* Defines the communicators, windows and groups of epochs.  Groups refer to
   ranks by the index in the first group, which has the locations of all
   ranks. */
static paths_status
comms_define(struct es__otf2 *o)
{
	uint32_t ranks;
	uint64_t *members;

	if (o->export->trace == NULL)
		return PATHS_OK;
	ranks = es_mpi_trace_input(o->export->trace)->rank_count;
	members = calloc(es_mpi_rank_count(o->export->mpi) + (size_t)1,
	    sizeof(*members));
	if (members == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for communicators");
	for (uint32_t rank = 0; rank < ranks; rank++)
		members[rank] = o->first_of[rank];
	(void)group_define(o, OTF2_GROUP_TYPE_COMM_LOCATIONS, members, ranks);
	epochs_define(o);
	for (uint32_t n = 0; n < o->members.count; n++)
		if (o->members.comms[n].known)
			comm_define(o, n, members);
	windows_define(o);
	free(members);
	return PATHS_OK;
}

paths_status
es__otf2_defs_write(struct es__otf2 *o)
{
	paths_status st;

	es__otf2_check(o, OTF2_Archive_OpenDefFiles(o->archive));
	for (uint32_t n = 0; n < o->location_count; n++) {
		OTF2_DefWriter *writer =
		    OTF2_Archive_GetDefWriter(o->archive, n);

		es__otf2_check(o,
		    OTF2_Archive_CloseDefWriter(o->archive, writer));
	}
	es__otf2_check(o, OTF2_Archive_CloseDefFiles(o->archive));
	o->defs = OTF2_Archive_GetGlobalDefWriter(o->archive);
	if (o->defs == NULL)
		return paths_log_fail(PATHS_EIO, "otf2: no definition writer");
	es__otf2_check(o,
	    OTF2_GlobalDefWriter_WriteClockProperties(o->defs, 1000000000, 0,
		(uint64_t)(o->last_ns + o->export->shift_ns) + 1,
		OTF2_UNDEFINED_TIMESTAMP));
	(void)es__otf2_string(o, "");
	regions_define(o);
	sources_define(o);
	tree_define(o);
	metrics_define(o);
	st = comms_define(o);
	es__otf2_check(o,
	    OTF2_Archive_CloseGlobalDefWriter(o->archive, o->defs));
	return st;
}

#endif
