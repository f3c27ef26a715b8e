/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/named.c - the phases that a program begins by MPI_Pcontrol
 *
 * The tag of the tuple is the level: above 2 it begins the phase of that name,
 * below 0 it ends the phase.  The call itself belongs to the phase before.
 */

#include "scopes/model/model_private.h"
#include "scopes/model/named_private.h"

#include "collectors/mpi_function.h"
#include "libpaths/base/array.h"
#include "libpaths/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the number of the phase of a level. */
static uint32_t
named_phase(const struct es_mpi *mpi, int32_t level)
{
	char wanted[16];
	const char *name;

	snprintf(wanted, sizeof(wanted), "%" PRId32, level);
	for (uint32_t n = 0; (name = es_mpi_phase_name(mpi, n)) != NULL; n++)
		if (strcmp(name, wanted) == 0)
			return n;
	return PATHS_NONE;
}

paths_status
es__named_find(const struct es_mpi_trace *trace, const struct es_mpi *mpi,
    uint32_t rank, struct es__named *named)
{
	uint32_t pcontrol = es_mpi_function_find("MPI_Pcontrol");
	uint64_t events = es_mpi_trace_events(trace, rank);

	named->count = 0;
	/* A run without phases has none but that without a name. */
	if (es_mpi_phase_name(mpi, 0) == NULL ||
	    es_mpi_phase_name(mpi, 1) == NULL)
		return PATHS_OK;
	for (uint64_t n = 0; n < events; n++) {
		const struct es_tuple_mpi *tuple =
		    es_mpi_trace_tuple(&trace->input,
			es_mpi_trace_event(trace, rank, n));

		/* Other levels are no phases. */
		if (tuple->op != pcontrol ||
		    (tuple->tag >= 0 && tuple->tag <= 2))
			continue;
		if (!paths__array_grow(&named->list, named->count, &named->room,
			sizeof(*named->list)))
			return es__model_no_memory();
		named->list[named->count++] =
		    (struct es__named_begin){ .ticks = tuple->stop,
			    .phase = tuple->tag < 0 ?
				PATHS_NONE :
				named_phase(mpi, tuple->tag) };
	}
	return PATHS_OK;
}

void
es__named_fini(struct es__named *named)
{
	free(named->list);
}

/* Returns the number of begins up to a time. */
static size_t
named_before(const struct es__named *named, uint64_t ticks)
{
	size_t low = 0, high = named->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (named->list[middle].ticks <= ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t
es__named_at(const struct es__named *named, uint64_t start, uint64_t stop)
{
	size_t at = named_before(named, start);

	if (at == 0 || (at < named->count && named->list[at].ticks < stop))
		return PATHS_NONE;
	return named->list[at - 1].phase;
}
