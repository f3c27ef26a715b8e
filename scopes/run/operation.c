/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/operation.c - finds whether tuples are operations or MPI calls
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
