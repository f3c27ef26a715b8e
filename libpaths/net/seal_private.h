/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/seal_private.h - numbers and authenticates the frames of a
 * connection
 *
 * A sealed frame ends in a struct paths__seal_end: its number on the connection
 * and in its direction, and a message authentication code (MAC) of 128 bits.
 * Each direction of each connection has its own key.
 *
 * Without encryption the MAC is Poly1305 over the frame and its number.  The
 * key of each MAC is 32 bytes of the ChaCha20 stream under the direction's key,
 * at 32 times the number.  With encryption, ChaCha20-Poly1305 protects the
 * frame behind its length; the nonce is the number.
 *
 * Source	RFC 8439 (ChaCha20 and Poly1305)
 */

#ifndef LIBPATHS_NET_SEAL_PRIVATE_H
#define LIBPATHS_NET_SEAL_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATHS__SEAL_KEY_BYTES 32
#define PATHS__SEAL_MAC_BYTES 16

/* One-time keys that are computed at once. */
#define PATHS__SEAL_AHEAD 32

struct paths__seal_end {
	uint64_t number;
	uint8_t mac[PATHS__SEAL_MAC_BYTES];
};

/* One direction of a connection. */
struct paths__seal {
	bool encrypts;
	uint64_t number; /* of the next frame */
	uint8_t key[PATHS__SEAL_KEY_BYTES];
	uint8_t once[PATHS__SEAL_AHEAD][PATHS__SEAL_KEY_BYTES];
};

/* Sets up a direction; its frames are numbered from 0. */
void paths__seal_init(struct paths__seal *seal,
    const uint8_t key[PATHS__SEAL_KEY_BYTES], bool encrypts);

/* Erases the keys. */
void paths__seal_fini(struct paths__seal *seal);

/* Fills in the end of a frame of `bytes` bytes, its end included, and encrypts
   the frame. */
void paths__seal_close(struct paths__seal *seal, void *frame, size_t bytes);

/* Checks the end of a frame, and decrypts the frame in place.  Returns false
   with the reason in why for a frame that the peer did not send next. */
bool paths__seal_open(struct paths__seal *seal, void *frame, size_t bytes,
    char why[96]);

#endif
