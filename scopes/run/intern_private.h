/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/intern_private.h - numbers strings of bytes: equal ones get one
 * number
 */

#ifndef SCOPES_RUN_INTERN_PRIVATE_H
#define SCOPES_RUN_INTERN_PRIVATE_H

#include "libpaths/base/hash.h"
#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>

struct es__interned {
	void *bytes; /* 8-byte aligned, followed by a 0 */
	size_t count;
	uint64_t hash;
	uint32_t number;
};

/* All zeros when it is empty. */
struct es__intern {
	struct es__interned *all; /* by number, from 0 */
	size_t room;
	uint32_t count;
	struct paths__hash table; /* the same strings, found by bytes */
};

/*
 * es__intern_put - the number of a string of bytes, which is added when new
 *
 * number	out: for a new string, intern->count before the call
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	copies the bytes
 */
paths_status es__intern_put(struct es__intern *intern, const void *bytes,
    size_t count, uint32_t *number) PATHS_CHECKED;

/* Returns a copy of a text that is kept until es__intern_fini; NULL: no
   memory. */
const char *es__intern_text(struct es__intern *intern, const char *text);

/* The same with what cannot be shown replaced, by paths_utf8_plain. */
const char *es__intern_name(struct es__intern *intern, const char *text);

void es__intern_fini(struct es__intern *intern);

#endif
