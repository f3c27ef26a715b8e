/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/probe.c - lists the probes of a rank, and the calls that made
 * its partitioned sends complete
 */

#include "scopes/match/probe_private.h"

#include "scopes/match/place_private.h"
#include "scopes/match/trace_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

paths_status
es__mpi_probes_add(struct es__mpi_probes *probes, struct es_mpi_at at,
    uint32_t order)
{
	if (!paths__array_grow(&probes->list, probes->count, &probes->room,
		sizeof(*probes->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for probes");
	probes->list[probes->count++] =
	    (struct es__mpi_probe){ at, order, PATHS_NONE };
	return PATHS_OK;
}

/* Returns the partitioned send that a tuple started; NULL: none of its
   partitions was marked as ready. */
static struct es__mpi_ready *
ready_find(const struct es__mpi_probes *probes,
    const struct es_mpi_trace_input *input, struct es_mpi_at start)
{
	size_t n = es__mpi_place_find(input, probes->ready, probes->ready_count,
	    sizeof(*probes->ready), start);

	return n < probes->ready_count &&
		es__mpi_place_equal(probes->ready[n].start, start) ?
	    &probes->ready[n] :
	    NULL;
}

paths_status
es__mpi_probes_ready(struct es__mpi_probes *probes,
    const struct es_mpi_trace_input *input, struct es_mpi_at start,
    struct es_mpi_at at)
{
	struct es__mpi_ready *known = ready_find(probes, input, start);
	size_t n = probes->ready_count;

	if (known != NULL) {
		known->last = at;
		return PATHS_OK;
	}
	if (!paths__array_grow(&probes->ready, n, &probes->ready_room,
		sizeof(*probes->ready)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for partitions");
	/* Keeps the list sorted by start.  Sends that were started earlier are
	   mostly in the list already. */
	for (; n > 0 &&
	     es__mpi_place_before(input, start, probes->ready[n - 1].start);
	     n--)
		probes->ready[n] = probes->ready[n - 1];
	probes->ready[n] = (struct es__mpi_ready){ start, at };
	probes->ready_count++;
	return PATHS_OK;
}

struct es_mpi_at
es__mpi_message_sent(const struct es_mpi_trace *trace, struct es_mpi_at send)
{
	const struct es__mpi_probes *probes =
	    &trace->scans[trace->input.rings[send.ring].rank].probes;
	const struct es__mpi_ready *ready;

	if (probes->ready_count == 0)
		return send;
	ready = ready_find(probes, &trace->input, send);
	return ready == NULL ? send : ready->last;
}

void
es__mpi_probes_pack(const struct es__mpi_probes *probes, struct es__pack *pack)
{
	es__pack_put_array(pack, probes->list, probes->count,
	    sizeof(*probes->list));
	es__pack_put_array(pack, probes->ready, probes->ready_count,
	    sizeof(*probes->ready));
}

void
es__mpi_probes_unpack(struct es__mpi_probes *probes, struct es__pack *pack)
{
	probes->list =
	    es__pack_get_array(pack, &probes->count, sizeof(*probes->list));
	probes->ready = es__pack_get_array(pack, &probes->ready_count,
	    sizeof(*probes->ready));
	probes->room = probes->count;
	probes->ready_room = probes->ready_count;
}

void
es__mpi_probes_fini(struct es__mpi_probes *probes)
{
	free(probes->list);
	free(probes->ready);
}
