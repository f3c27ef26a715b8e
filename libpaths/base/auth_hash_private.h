/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/auth_hash_private.h - computes the hash of a map
 *
 * Two processes whose hashes are equal have the same map.
 */

#ifndef LIBPATHS_BASE_AUTH_HASH_PRIVATE_H
#define LIBPATHS_BASE_AUTH_HASH_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#define PATHS__AUTH_HASH_BYTES 32

/* Computes BLAKE2b with 32 bytes and no key. */
void paths__auth_hash(const void *text, size_t bytes,
    uint8_t hash[PATHS__AUTH_HASH_BYTES]);

#endif
