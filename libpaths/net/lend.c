/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/lend.c - payloads that are sent from the memory of their owner
 */

#include "libpaths/net/lend_private.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void
paths__lend_init(struct paths__lends *lends)
{
	lends->first = NULL;
	lends->last = &lends->first;
}

bool
paths__lend_add(struct paths__lends *lends, const void *payload, size_t bytes,
    size_t at, _Atomic bool *until)
{
	struct paths__lend *l = calloc(1, sizeof(*l));

	if (!l)
		return false;
	l->payload = l->bytes = payload;
	l->left = bytes;
	l->at = at;
	l->until = until;
	/* Relaxed: this thread has the payload. */
	if (until)
		atomic_store_explicit(until, true, memory_order_relaxed);
	*lends->last = l;
	lends->last = &l->next;
	return true;
}

void
paths__lend_count(struct paths__lend *lend, size_t bytes)
{
	lend->bytes += bytes;
	lend->left -= bytes;
	lend->ready -= bytes;
}

void
paths__lend_move(struct paths__lends *lends, size_t bytes)
{
	for (struct paths__lend *l = lends->first; l; l = l->next)
		l->at -= bytes;
}

/* Returns the payload to its owner. */
static void
lend_return(struct paths__lend *lend)
{
	lend->payload = NULL;
	/* Release: the owner may write to the payload. */
	if (lend->until)
		atomic_store_explicit(lend->until, false, memory_order_release);
	lend->until = NULL;
}

void
paths__lend_end(struct paths__lends *lends)
{
	struct paths__lend *l = lends->first;

	lends->first = l->next;
	if (!l->next)
		lends->last = &lends->first;
	lend_return(l);
	free(l->copy);
	free(l);
}

void
paths__lend_end_all(struct paths__lends *lends)
{
	while (lends->first)
		paths__lend_end(lends);
}

void
paths__lend_drop(struct paths__lends *lends)
{
	for (struct paths__lend *l = lends->first; l; l = l->next)
		l->until = NULL;
	paths__lend_end_all(lends);
}

bool
paths__lend_keep(struct paths__lends *lends, const void *payload)
{
	for (struct paths__lend *l = lends->first; l; l = l->next) {
		if (l->payload != payload)
			continue;
		l->copy = malloc(l->left);
		if (!l->copy)
			return false;
		memcpy(l->copy, l->bytes, l->left);
		l->bytes = l->copy;
		lend_return(l);
	}
	return true;
}
