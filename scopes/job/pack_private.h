/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/pack_private.h - bytes of a result on its way to other ranks
 *
 * One side puts parts, the other gets the same parts in the same order.  The
 * first error is kept in `st`, and later parts are left out.
 */

#ifndef SCOPES_JOB_PACK_PRIVATE_H
#define SCOPES_JOB_PACK_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>

struct es__pack {
	uint8_t *data;
	size_t bytes, room;
	size_t at; /* next byte to get */
	paths_status st;
};

/* Puts, or gets, bytes. */
void es__pack_put(struct es__pack *pack, const void *from, size_t bytes);
void es__pack_get(struct es__pack *pack, void *to, size_t bytes);

/* As these, for a result that is zero in most places. */
void es__pack_put_sparse(struct es__pack *pack, const void *from, size_t bytes);
void es__pack_get_sparse(struct es__pack *pack, void *to, size_t bytes);

/* Puts an array; gets one as heap memory with room for one item more, which may
   be NULL after an error. */
void es__pack_put_array(struct es__pack *pack, const void *from, size_t count,
    size_t item_bytes);
void *es__pack_get_array(struct es__pack *pack, size_t *count,
    size_t item_bytes);

void es__pack_fini(struct es__pack *pack);

#endif
