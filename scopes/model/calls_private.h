/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/calls_private.h - the time of a rank in calls for its messages
 */

#ifndef SCOPES_MODEL_CALLS_PRIVATE_H
#define SCOPES_MODEL_CALLS_PRIVATE_H

#include "scopes/match/trace_private.h"

#include "scopes/model/locality_private.h"
#include "scopes/model_run.h"

/* A burst of a rank in time. */
struct es__burst_span {
	uint64_t start, stop; /* ticks */
	size_t row;	      /* to which it counts */
};

/* The bursts of a rank, in order. */
struct es__burst_spans {
	uint32_t rank;
	const struct es__burst_span *list;
	size_t count;
};

/* Adds the time in calls, before senders began, and before receives were posted
   that a send waits for, to rows. */
void es__burst_calls(const struct es_mpi_trace *trace,
    const struct es__burst_spans *spans,
    const struct es__localities *localities, struct es_model_run_row *rows);

#endif
