/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/findings.c - what checking a space has found, as bytes for
 * another process
 *
 * The bytes are a head, one part for each ring, each followed by the tuples
 * that are read instead of those of the ring, and the lines about damage, each
 * with its 0.
 */

#include "collectors/space/check_private.h"
#include "collectors/space/space_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

struct findings_head {
	uint64_t tuples, unchecked;
	uint64_t ring_count, damage_count;
	uint64_t damaged;
};

struct findings_ring {
	uint64_t kept; /* 0: the tuples of the ring are read */
	uint64_t first, end, reset, left_out;
	uint64_t inside;
	uint64_t bytes; /* of tuples */
};

size_t
es_space_bytes(const struct es_space *space, const void **base)
{
	*base = space->base;
	return space->bytes;
}

static struct findings_ring
findings_of_ring(const struct es__ring *ring)
{
	const struct es__kept *kept = ring->kept;

	if (kept == NULL)
		return (struct findings_ring){ .kept = 0 };
	return (struct findings_ring){ .kept = 1,
		.first = kept->first,
		.end = kept->end,
		.reset = kept->reset,
		.left_out = kept->left_out,
		.inside = kept->inside,
		.bytes = (kept->end - kept->first) * ring->type->bytes };
}

static size_t
findings_bytes(const struct es_space *space)
{
	size_t bytes = sizeof(struct findings_head);

	for (uint32_t n = 0; n < space->ring_count; n++)
		bytes += sizeof(struct findings_ring) +
		    findings_of_ring(&space->rings[n]).bytes;
	for (size_t n = 0; n < space->damage_count; n++)
		bytes += strlen(space->damage[n]) + 1;
	return bytes;
}

static char *
findings_put(char *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return to + bytes;
}

paths_status
es_space_findings(const struct es_space *space, void **data, size_t *bytes)
{
	struct findings_head head = { .tuples = space->tuples,
		.unchecked = space->unchecked,
		.ring_count = space->ring_count,
		.damage_count = space->damage_count,
		.damaged = space->damaged };
	size_t count = findings_bytes(space);
	char *to = malloc(count);

	if (to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space->name);
	*data = to;
	*bytes = count;
	to = findings_put(to, &head, sizeof(head));
	for (uint32_t n = 0; n < space->ring_count; n++) {
		const struct es__ring *ring = &space->rings[n];
		struct findings_ring part = findings_of_ring(ring);

		to = findings_put(to, &part, sizeof(part));
		if (part.bytes > 0)
			to = findings_put(to, ring->kept->tuples, part.bytes);
	}
	for (size_t n = 0; n < space->damage_count; n++)
		to = findings_put(to, space->damage[n],
		    strlen(space->damage[n]) + 1);
	return PATHS_OK;
}

/* Findings that are being taken. */
struct findings_rest {
	const char *at;
	size_t bytes;
};

/* Takes the next bytes; false: there are fewer. */
static bool
findings_get(struct findings_rest *rest, void *to, size_t bytes)
{
	if (bytes > rest->bytes)
		return false;
	memcpy(to, rest->at, bytes);
	rest->at += bytes;
	rest->bytes -= bytes;
	return true;
}

static paths_status
findings_other(const struct es_space *space)
{
	return paths_log_fail(PATHS_EDAMAGED,
	    "%s: the findings are of another space", space->name);
}

static paths_status
findings_take_ring(const struct es_space *space, struct es__ring *ring,
    struct findings_rest *rest)
{
	struct findings_ring part;
	struct es__kept *kept;

	if (!findings_get(rest, &part, sizeof(part)))
		return findings_other(space);
	if (part.kept == 0)
		return PATHS_OK;
	if (part.bytes > rest->bytes || part.end < part.first ||
	    part.bytes % ring->type->bytes != 0 ||
	    part.bytes / ring->type->bytes != part.end - part.first)
		return findings_other(space);
	kept = malloc(sizeof(*kept) + part.bytes);
	if (kept == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space->name);
	*kept = (struct es__kept){ .first = part.first,
		.end = part.end,
		.reset = part.reset,
		.left_out = part.left_out,
		.inside = part.inside != 0 };
	(void)findings_get(rest, kept->tuples, part.bytes);
	ring->kept = kept;
	return PATHS_OK;
}

/* Replaces the lines that reading the definitions has added: the findings have
   these, too. */
static paths_status
findings_take_lines(struct es_space *space, uint64_t count,
    struct findings_rest *rest)
{
	for (size_t n = 0; n < space->damage_count; n++)
		free(space->damage[n]);
	free(space->damage);
	space->damage_count = space->damage_room = 0;
	space->damage = calloc(count + 1, sizeof(*space->damage));
	if (space->damage == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space->name);
	space->damage_room = count + 1;
	while (space->damage_count < count) {
		const char *end = memchr(rest->at, 0, rest->bytes);
		char *line;

		if (end == NULL)
			return findings_other(space);
		line = strdup(rest->at);
		if (line == NULL)
			return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
			    space->name);
		space->damage[space->damage_count++] = line;
		rest->bytes -= (size_t)(end + 1 - rest->at);
		rest->at = end + 1;
	}
	return PATHS_OK;
}

static paths_status
findings_take(struct es_space *space, struct findings_rest rest)
{
	struct findings_head head;
	paths_status st = PATHS_OK;

	if (!findings_get(&rest, &head, sizeof(head)) ||
	    head.ring_count != space->ring_count ||
	    head.damage_count > rest.bytes)
		return findings_other(space);
	space->tuples = head.tuples;
	space->unchecked = head.unchecked;
	space->damaged = (uint32_t)head.damaged;
	for (uint32_t n = 0; st == PATHS_OK && n < space->ring_count; n++)
		st = findings_take_ring(space, &space->rings[n], &rest);
	return st == PATHS_OK ?
	    findings_take_lines(space, head.damage_count, &rest) :
	    st;
}

paths_status
es_space_open_checked(const struct es_space_memory *memory, const char *name,
    struct es_space **space)
{
	struct es_space *s = calloc(1, sizeof(*s));
	paths_status st;

	if (s == NULL || (s->name = strdup(name)) == NULL) {
		free(s);
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory", name);
	}
	s->base = (char *)memory->base;
	s->bytes = memory->bytes;
	s->borrowed = true;
	st = es__space_check(s);
	if (st == PATHS_OK)
		st = findings_take(s,
		    (struct findings_rest){ memory->findings,
			memory->findings_bytes });
	if (st == PATHS_OK)
		*space = s;
	else
		es_space_close(s);
	return st;
}
