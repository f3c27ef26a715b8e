/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_ops_private.h - groups of tuples with the same op
 */

#ifndef SCOPES_STORE_EVENT_OPS_PRIVATE_H
#define SCOPES_STORE_EVENT_OPS_PRIVATE_H

#include "scopes/store/event_columns_private.h"
#include "scopes/store/event_run_private.h"

/* Most groups; each one costs a pass over the tuples of a query. */
#define EVENT_GROUPS 32

/* A value of the column op. */
struct es__event_op {
	const char *name; /* NULL: the value is the number */
	int64_t number;
	bool none; /* the value is NULL, of tuples that have no op */
};

/* The values of the column op in a run, in the order of SQL. */
struct es__event_ops {
	enum { EVENT_OPS_NEW, EVENT_OPS_FOUND, EVENT_OPS_TOO_MANY } state;
	unsigned count;
	struct es__event_op ops[EVENT_GROUPS];
	uint8_t **group_of; /* of each type: of each number of an op */
	unsigned type_count;
	uint32_t *groups; /* of each collector: bit set of its groups */
};

/* Finds the groups; reads all tuples at the first call.  Returns false if there
   are too many, an op is no u16, or memory is short. */
bool es__event_ops_find(struct es__event_ops *ops,
    const struct es__event_columns *columns, const struct es_run *run);
void es__event_ops_fini(struct es__event_ops *ops);

/* Returns the group of the rows with op = value, compared as SQL does; count if
   there are none, and -1 if only SQL can tell. */
int es__event_ops_group(const struct es__event_ops *ops, sqlite3_value *value);

#endif
