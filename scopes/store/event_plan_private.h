/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_plan_private.h - plans of queries on the table `event`
 */

#ifndef SCOPES_STORE_EVENT_PLAN_PRIVATE_H
#define SCOPES_STORE_EVENT_PLAN_PRIVATE_H

#include "scopes/store/extension_api_private.h"

#include <stdbool.h>
#include <stdint.h>

/* The columns on which constraints and orders are pushed down. */
#define EVENT_COLLECTOR 0
#define EVENT_SEQ 1
#define EVENT_START 2
#define EVENT_KEYS 3
#define EVENT_OP_COLUMN 5

/* Bits of idxNum. */
#define EVENT_BY_OP 1 /* rows come op by op */

/* From lo to hi, both included; empty if hi < lo. */
struct es__event_range {
	int64_t lo;
	int64_t hi;
};

/* The sizes that costs are estimated from. */
struct es__event_sizes {
	uint64_t tuples;
	uint32_t collectors;
	bool ascends[EVENT_KEYS]; /* in each collector; orders only */
	bool by_op;		  /* rows can come op by op */
};

/* Returns true if a query compares, orders or groups by a column. */
bool es__event_plan_uses(const sqlite3_index_info *info, int column);

/*
 * Chooses a plan: the constraints that xFilter gets, their cost, and whether
 * rows come in the wanted order.  Returns SQLITE_OK or SQLITE_NOMEM.
 */
int es__event_plan(sqlite3_index_info *info,
    const struct es__event_sizes *sizes);

/* Fills the ranges of a plan.  They include every row that the constraints
   allow.  Sets *op to the value that op must be equal to, or to NULL. */
void es__event_plan_ranges(const char *plan, sqlite3_value **values,
    struct es__event_range ranges[EVENT_KEYS], sqlite3_value **op);

#endif
