/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/seal_private.h - numbers and authenticates the frames of a
 * connection
 *
 * A sealed frame ends in a struct paths__seal_end: its number on the connection
 * and in its direction, and a message authentication code (MAC) of 128 bits
 * over the frame and its number.  A frame begins with its length, which selects
 * the MAC.  Each direction of each connection has a key, from which each kind
 * of MAC gets its own.
 *
 *	up to PATHS__SEAL_SHORT bytes
 *		SipHash-2-4 with 128 bits of output
 *	longer frames
 *		Poly1305; the key of each MAC is 32 bytes of the ChaCha20
 *		stream, at 32 times the number of the frame
 *	with encryption
 *		ChaCha20-Poly1305 over the frame behind its length; the nonce
 *		is the number, and the length is authenticated
 *
 * SipHash is a pseudorandom function, and such a function is a MAC.  No two
 * frames of a direction are the same message, because each contains its length
 * and its number, so a MAC tells nothing about that of any other frame.  The
 * key of Poly1305 and the nonce of ChaCha20 are used once, because no number is
 * used twice.
 * The connection ends at the first frame with a wrong MAC, so there is one
 * attempt to forge a frame.  It succeeds with a probability of 2^-128 with
 * SipHash, and of at most 2^-87 in a frame of 1 MiB with Poly1305.
 *
 * Source	Aumasson, Bernstein: SipHash: a fast short-input PRF
 *		RFC 8439 (ChaCha20 and Poly1305)
 */

#ifndef LIBPATHS_NET_SEAL_PRIVATE_H
#define LIBPATHS_NET_SEAL_PRIVATE_H

#include "libpaths/net/poly_private.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATHS__SEAL_KEY_BYTES 32
#define PATHS__SEAL_MAC_BYTES 16
#define PATHS__SEAL_WHY_BYTES 96
#define PATHS__SEAL_SHORT_KEY_BYTES 16

/* Poly1305 takes less time than SipHash for more bytes. */
#define PATHS__SEAL_SHORT 192

/* Keys of Poly1305 that are computed at once. */
#define PATHS__SEAL_AHEAD 32

struct paths__seal_end {
	uint64_t number;
	uint8_t mac[PATHS__SEAL_MAC_BYTES];
};

/* One direction of a connection. */
struct paths__seal {
	bool encrypts;
	uint64_t number; /* of the next frame */
	uint8_t short_key[PATHS__SEAL_SHORT_KEY_BYTES];
	uint8_t long_key[PATHS__SEAL_KEY_BYTES]; /* of ChaCha20 */
	uint64_t ahead; /* number of the first key in `once`, plus 1; or 0 */
	uint8_t once[PATHS__SEAL_AHEAD][PATHS__SEAL_KEY_BYTES];
	struct paths__poly poly; /* of a frame in parts */
};

/* Sets up a direction; its frames are numbered from 0. */
void paths__seal_init(struct paths__seal *seal,
    const uint8_t key[PATHS__SEAL_KEY_BYTES], bool encrypts);

/* Erases the keys. */
void paths__seal_fini(struct paths__seal *seal);

/* Fills in the end of a frame of `bytes` bytes, its end included, and encrypts
   the frame. */
void paths__seal_close(struct paths__seal *seal, void *frame, size_t bytes);

/*
 * Compute the MAC of a frame in parts.  The frame is longer than
 * PATHS__SEAL_SHORT and not encrypted.  begin and add are for both directions.
 * seal_end fills in the end of the frame.  seal_check checks it as
 * paths__seal_open does.
 */
void paths__seal_begin(struct paths__seal *seal);
void paths__seal_add(struct paths__seal *seal, const void *part, size_t bytes);
void paths__seal_end(struct paths__seal *seal, void *end);
bool paths__seal_check(struct paths__seal *seal, const void *end,
    char why[PATHS__SEAL_WHY_BYTES]);

/* Checks the end of a frame, and decrypts the frame in place.  Returns false
   with the reason in why for a frame that the peer did not send next. */
bool paths__seal_open(struct paths__seal *seal, void *frame, size_t bytes,
    char why[PATHS__SEAL_WHY_BYTES]);

#endif
