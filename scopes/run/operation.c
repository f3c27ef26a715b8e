/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/operation.c - the type and the group of operations and calls
 */

#include "scopes/operation.h"

enum es_operation_type
es_operation_type(const struct es_collector *collector)
{
	const struct es_tuple_type *type = collector->type;

	if (type == NULL)
		return ES_OPERATION_NONE;
	if (es_tuple_type_equal(type, es_tuple_type_find("path")))
		return ES_OPERATION_PATH;
	if (es_tuple_type_equal(type, es_tuple_type_find("mpi")))
		return ES_OPERATION_MPI;
	return ES_OPERATION_NONE;
}

static enum es_operation_group
group_of_call(enum es_mpi_role role)
{
	switch (role) {
	case ES_MPI_ROLE_SEND ... ES_MPI_ROLE_READY:
	case ES_MPI_ROLE_PROBE:
	case ES_MPI_ROLE_IPROBE:
		return ES_GROUP_POINT_TO_POINT;
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
	case ES_MPI_ROLE_TEST:
	case ES_MPI_ROLE_REQUEST:
		return ES_GROUP_COMPLETION;
	case ES_MPI_ROLE_BARRIER ... ES_MPI_ROLE_NEIGHBOR:
		return ES_GROUP_COLLECTIVE;
	case ES_MPI_ROLE_PUT:
	case ES_MPI_ROLE_GET:
	case ES_MPI_ROLE_WINDOW:
		return ES_GROUP_ONE_SIDED;
	case ES_MPI_ROLE_FILE:
		return ES_GROUP_FILE;
	default:
		return ES_GROUP_MANAGEMENT;
	}
}

enum es_operation_group
es_operation_group(enum es_operation_type type, uint32_t op)
{
	const struct es_mpi_function *function;

	if (type != ES_OPERATION_MPI)
		return op >= PATHS_WRITE && op <= PATHS_DELETE ?
		    ES_GROUP_WRITE + (op - PATHS_WRITE) :
		    ES_GROUP_WRITE;
	function = es_mpi_function(op);
	return group_of_call(
	    function == NULL ? ES_MPI_ROLE_OTHER : function->role);
}

const char *
es_operation_group_name(uint32_t group)
{
	static const char *const names[ES_GROUPS] = {
		[ES_GROUP_POINT_TO_POINT] = "point-to-point",
		[ES_GROUP_COLLECTIVE] = "collective",
		[ES_GROUP_ONE_SIDED] = "one-sided",
		[ES_GROUP_FILE] = "file",
		[ES_GROUP_COMPLETION] = "completion",
		[ES_GROUP_MANAGEMENT] = "management",
		[ES_GROUP_WRITE] = "write",
		[ES_GROUP_READ] = "read",
		[ES_GROUP_EXCHANGE] = "exchange",
		[ES_GROUP_DELETE] = "delete",
	};

	return group < ES_GROUPS ? names[group] : NULL;
}
