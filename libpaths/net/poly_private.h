/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/poly_private.h - Poly1305 of large messages
 *
 * OpenSSL computes it three times as fast as libsodium 1.0.18 on processors
 * with AVX2.  Its library is opened for the first large message, so programs
 * without one do not load it.  Where it is not installed, libsodium computes
 * the same MAC.
 *
 * Source	RFC 8439, section 2.5
 */

#ifndef LIBPATHS_NET_POLY_PRIVATE_H
#define LIBPATHS_NET_POLY_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATHS__POLY_KEY_BYTES 32
#define PATHS__POLY_MAC_BYTES 16
#define PATHS__POLY_STATE_BYTES 256 /* in libsodium */

/* A message.  Zeros: none was begun. */
struct paths__poly {
	void *fast;  /* the context in OpenSSL, kept for the next message */
	bool tried;  /* to make it */
	bool failed; /* this message */
	_Alignas(16) uint8_t state[PATHS__POLY_STATE_BYTES];
};

/* Frees the context. */
void paths__poly_fini(struct paths__poly *poly);

/* Begins a message.  The key must be that of no other message. */
void paths__poly_begin(struct paths__poly *poly,
    const uint8_t key[PATHS__POLY_KEY_BYTES]);
void paths__poly_add(struct paths__poly *poly, const void *part, size_t bytes);

/* Ends the message.  After a failure of OpenSSL, the MAC is random, so the
   message is refused. */
void paths__poly_end(struct paths__poly *poly,
    uint8_t mac[PATHS__POLY_MAC_BYTES]);

#endif
