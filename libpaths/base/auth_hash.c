/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/auth_hash.c - computes the hash of a map
 */

#include "libpaths/base/auth_hash_private.h"

#include <sodium.h>

void
paths__auth_hash(const void *text, size_t bytes,
    uint8_t hash[PATHS__AUTH_HASH_BYTES])
{
	crypto_generichash(hash, PATHS__AUTH_HASH_BYTES, text, bytes, NULL, 0);
}
