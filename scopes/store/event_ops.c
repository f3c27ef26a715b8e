/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_ops.c - groups the tuples of a run by their op
 *
 * A query that groups by op, or selects one op, reads the tuples once for each
 * op, and no sorter is needed.  A pass over tuples costs about 1 ns for each
 * tuple, and sorting them by a text 200 ns.
 */

#include "scopes/store/event_ops_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPS_NUMBERS 65536u /* of an op, which is a u16 */

/* Compares two values of op as SQL orders them: NULL, numbers, texts. */
static int
ops_compare(const struct es__event_op *a, const struct es__event_op *b)
{
	if (a->none || b->none)
		return b->none - a->none;
	if (a->name != NULL && b->name != NULL)
		return strcmp(a->name, b->name);
	if (a->name != NULL || b->name != NULL)
		return a->name != NULL ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Adds the value of a type and a number.  Returns false if it is one too
   many. */
static bool
ops_add(struct es__event_ops *ops, const struct es__event_type *type,
    uint32_t number)
{
	struct es__event_op op = { .number = number };
	unsigned at = 0;

	if (type->op == NULL)
		op.none = true;
	else
		op.name = es__event_columns_op(type, number);
	while (at < ops->count && ops_compare(&ops->ops[at], &op) < 0)
		at++;
	if (at < ops->count && ops_compare(&ops->ops[at], &op) == 0)
		return true;
	if (ops->count == EVENT_GROUPS)
		return false;
	memmove(&ops->ops[at + 1], &ops->ops[at],
	    (ops->count - at) * sizeof(op));
	ops->ops[at] = op;
	ops->count++;
	return true;
}

/* Marks the ops of a collector as seen, and adds their values.  Returns false
   if there are too many. */
static bool
ops_mark(struct es__event_ops *ops, const struct es__event_type *type,
    uint8_t *seen, const struct es_collector *c)
{
	if (type->op == NULL)
		return c->count == 0 || ops_add(ops, type, 0);
	for (uint64_t n = 0; n < c->count; n++) {
		uint16_t number = es__event_op_of(type, c, n);

		if (seen[number] != 0)
			continue;
		if (!ops_add(ops, type, number))
			return false;
		seen[number] = 1;
	}
	return true;
}

/* Fills the groups of the numbers of a type that were seen. */
static void
ops_number(struct es__event_ops *ops, const struct es__event_type *type,
    uint8_t *groups)
{
	for (uint32_t number = 0; number < OPS_NUMBERS; number++) {
		struct es__event_op op = { .number = number };
		unsigned g = 0;

		if (groups[number] == 0)
			continue;
		op.name = es__event_columns_op(type, number);
		while (ops_compare(&ops->ops[g], &op) != 0)
			g++;
		groups[number] = (uint8_t)g;
	}
}

/* Returns the set of the groups of a collector. */
static uint32_t
ops_groups(const struct es__event_type *type, const uint8_t *group_of,
    const struct es_collector *c)
{
	uint32_t set = 0;

	if (type->op == NULL)
		return 1; /* NULL comes first */
	for (uint64_t n = 0; n < c->count; n++)
		set |= UINT32_C(1) << group_of[es__event_op_of(type, c, n)];
	return set;
}

static bool
ops_allocate(struct es__event_ops *ops, const struct es__event_columns *columns,
    uint32_t collectors)
{
	ops->type_count = columns->type_count;
	ops->group_of = calloc(columns->type_count + 1, sizeof(uint8_t *));
	ops->groups = calloc(collectors + 1, sizeof(*ops->groups));
	if (ops->group_of == NULL || ops->groups == NULL)
		return false;
	for (unsigned t = 0; t < columns->type_count; t++) {
		const struct es_tuple_field *op = columns->types[t].op;

		if (op != NULL && op->kind != PATHS_TYPE_U16)
			return false;
		ops->group_of[t] = calloc(OPS_NUMBERS, 1);
		if (ops->group_of[t] == NULL)
			return false;
	}
	return true;
}

static bool
ops_fill(struct es__event_ops *ops, const struct es__event_columns *columns,
    const struct es_run *run)
{
	uint32_t collectors = run == NULL ? 0 : es_run_collector_count(run);
	const struct es_collector *c;
	unsigned t;

	if (!ops_allocate(ops, columns, collectors))
		return false;
	for (uint32_t i = 0; i < collectors; i++) {
		c = es_run_collector(run, i);
		t = columns->type_of[i];
		if (t != PATHS_NONE &&
		    !ops_mark(ops, &columns->types[t], ops->group_of[t], c))
			return false;
	}
	for (t = 0; t < columns->type_count; t++)
		ops_number(ops, &columns->types[t], ops->group_of[t]);
	for (uint32_t i = 0; i < collectors; i++) {
		c = es_run_collector(run, i);
		t = columns->type_of[i];
		if (t != PATHS_NONE)
			ops->groups[i] =
			    ops_groups(&columns->types[t], ops->group_of[t], c);
	}
	return true;
}

bool
es__event_ops_find(struct es__event_ops *ops,
    const struct es__event_columns *columns, const struct es_run *run)
{
	if (ops->state == EVENT_OPS_NEW)
		ops->state = ops_fill(ops, columns, run) ? EVENT_OPS_FOUND :
							   EVENT_OPS_TOO_MANY;
	return ops->state == EVENT_OPS_FOUND;
}

void
es__event_ops_fini(struct es__event_ops *ops)
{
	for (unsigned t = 0; ops->group_of != NULL && t < ops->type_count; t++)
		free(ops->group_of[t]);
	free(ops->group_of);
	free(ops->groups);
}

int
es__event_ops_group(const struct es__event_ops *ops, sqlite3_value *value)
{
	const char *text;
	unsigned g;

	if (sqlite3_value_type(value) != SQLITE_TEXT)
		return -1;
	text = (const char *)sqlite3_value_text(value);
	for (g = 0; text != NULL && g < ops->count; g++) {
		const struct es__event_op *op = &ops->ops[g];
		char number[24];

		snprintf(number, sizeof(number), "%lld", (long long)op->number);
		if (!op->none &&
		    strcmp(op->name != NULL ? op->name : number, text) == 0)
			break;
	}
	return text == NULL ? -1 : (int)g;
}
