/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/mpi_function.c - the table of MPI procedures
 */

#include "collectors/mpi_function.h"

#include <string.h>

static const struct es_mpi_function functions[] = {
	{ "(completed)", ES_MPI_ROLE_OTHER, 0 },
#include "collectors/space/functions_table.inc"
};

#define FUNCTION_COUNT (sizeof(functions) / sizeof(functions[0]))

const struct es_mpi_function *
es_mpi_function(uint32_t number)
{
	return number < FUNCTION_COUNT ? &functions[number] : NULL;
}

uint32_t
es_mpi_function_find(const char *name)
{
	size_t bytes = strlen(name);

	for (uint32_t n = 0; n < FUNCTION_COUNT; n++) {
		const char *known = functions[n].name;
		size_t length = strlen(known);

		if (strncmp(name, known, length) == 0 &&
		    (bytes == length ||
			(n != 0 && strcmp(name + length, "_c") == 0)))
			return n;
	}
	return UINT32_MAX;
}
