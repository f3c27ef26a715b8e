/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/known.c - the spaces and tuple types that a stage of a gather
 * tree has seen
 */

#include "scopes/gather/known_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Spaces of a tree, at most. */
#define KNOWN_SPACES 65536

/* Types of a space, at most: more are not registered either. */
#define KNOWN_TYPES 64

struct es__known_space *
es__known_space(const struct es__known *known, uint64_t number)
{
	/* Consecutive records are mostly of the space used last. */
	for (size_t n = known->count; n-- > 0;)
		if (known->spaces[n].number == number)
			return &known->spaces[n];
	return NULL;
}

struct es__known_type *
es__known_type(const struct es__known *known, uint64_t space, uint16_t type)
{
	struct es__known_space *s = es__known_space(known, space);

	return s != NULL && type < s->type_count &&
		s->types[type].type != NULL ?
	    &s->types[type] :
	    NULL;
}

/* Returns the entry of a space, a new one if there is none; NULL: no memory. */
static struct es__known_space *
known_add(struct es__known *known, uint64_t number)
{
	struct es__known_space *s = es__known_space(known, number);

	if (s != NULL)
		return s;
	if (known->count >= KNOWN_SPACES ||
	    !paths__array_grow(&known->spaces, known->count, &known->room,
		sizeof(*known->spaces)))
		return NULL;
	s = &known->spaces[known->count++];
	*s = (struct es__known_space){ .number = number, .ns_per_tick = 1 };
	return s;
}

static bool
known_learn_type(struct es__known_space *s, const struct es__record *r)
{
	const struct es_space_type *from = es__batch_payload(r);
	size_t bytes =
	    sizeof(*from) + from->field_count * sizeof(struct es_space_field);
	struct es__known_type *t;

	if (r->type >= KNOWN_TYPES)
		return true;
	if (s->types == NULL) {
		s->types = calloc(KNOWN_TYPES, sizeof(*s->types));
		s->type_count = s->types == NULL ? 0 : KNOWN_TYPES;
	}
	if (s->types == NULL)
		return false;
	t = &s->types[r->type];
	free(t->type);
	*t = (struct es__known_type){ .type = malloc(bytes) };
	if (t->type == NULL)
		return false;
	memcpy(t->type, from, bytes);
	return true;
}

paths_status
es__known_learn(struct es__known *known, const struct es__record *r)
{
	const struct es__batch_space *space = es__batch_payload(r);
	struct es__known_space *s;

	if (r->kind != ES__RECORD_SPACE && r->kind != ES__RECORD_TYPE)
		return PATHS_OK;
	s = known_add(known, r->space);
	if (s != NULL && r->kind == ES__RECORD_SPACE) {
		s->start = space->start;
		s->ns_per_tick = 1e9 / (double)(space->hz == 0 ? 1 : space->hz);
		return PATHS_OK;
	}
	if (s == NULL || !known_learn_type(s, r))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a space");
	return PATHS_OK;
}

void
es__known_fini(struct es__known *known)
{
	for (size_t n = 0; n < known->count; n++) {
		for (size_t t = 0; t < known->spaces[n].type_count; t++)
			free(known->spaces[n].types[t].type);
		free(known->spaces[n].types);
	}
	free(known->spaces);
	*known = (struct es__known){ .spaces = NULL };
}
