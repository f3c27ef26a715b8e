/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/seal.c - numbers and authenticates the frames of a connection
 */

#include "libpaths/net/seal_private.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define SEAL_LENGTH_BYTES sizeof(uint32_t) /* at the frame's begin */
#define SEAL_BLOCK_BYTES 64		   /* of ChaCha20 */
#define SEAL_NONCE_BYTES crypto_aead_chacha20poly1305_IETF_NPUBBYTES

/* Numbers of the keys that are derived from that of a direction. */
enum { SEAL_SHORT_KEY = 1, SEAL_LONG_KEY, SEAL_ENCRYPTION_KEY };

void
paths__seal_init(struct paths__seal *seal,
    const uint8_t key[PATHS__SEAL_KEY_BYTES], bool encrypts)
{
	static const char context[crypto_kdf_CONTEXTBYTES] = "frames";

	memset(seal, 0, sizeof(*seal));
	seal->encrypts = encrypts;
	crypto_kdf_derive_from_key(seal->short_key, sizeof(seal->short_key),
	    SEAL_SHORT_KEY, context, key);
	crypto_kdf_derive_from_key(seal->long_key, sizeof(seal->long_key),
	    encrypts ? SEAL_ENCRYPTION_KEY : SEAL_LONG_KEY, context, key);
}

void
paths__seal_fini(struct paths__seal *seal)
{
	paths__poly_fini(&seal->poly);
	sodium_memzero(seal, sizeof(*seal));
}

/* Returns the key of Poly1305 for the next frame. */
static const uint8_t *
seal_once(struct paths__seal *seal)
{
	static const uint8_t nonce[crypto_stream_chacha20_NONCEBYTES];
	uint64_t at = seal->number % PATHS__SEAL_AHEAD;
	uint64_t first = seal->number - at;

	if (seal->ahead != first + 1) {
		memset(seal->once, 0, sizeof(seal->once));
		crypto_stream_chacha20_xor_ic(seal->once[0], seal->once[0],
		    sizeof(seal->once), nonce,
		    first * PATHS__SEAL_KEY_BYTES / SEAL_BLOCK_BYTES,
		    seal->long_key);
		seal->ahead = first + 1;
	}
	return seal->once[at];
}

/* Computes the MAC of a frame of `bytes` bytes and of its number, which follows
   it. */
static void
seal_mac(struct paths__seal *seal, const uint8_t *frame, size_t bytes,
    uint8_t mac[PATHS__SEAL_MAC_BYTES])
{
	size_t count = bytes + sizeof(seal->number);

	if (bytes <= PATHS__SEAL_SHORT)
		crypto_shorthash_siphashx24(mac, frame, count, seal->short_key);
	else
		crypto_onetimeauth_poly1305(mac, frame, count, seal_once(seal));
}

/* Compares two MACs in a time that does not depend on them.  sodium_memcmp
   takes as long as a MAC of 36 bytes, because it loads each byte from
   memory. */
static bool
seal_same_mac(const uint8_t a[PATHS__SEAL_MAC_BYTES],
    const uint8_t b[PATHS__SEAL_MAC_BYTES])
{
	uint64_t x[2], y[2];

	_Static_assert(sizeof(x) == PATHS__SEAL_MAC_BYTES, "a MAC is 2 words");
	memcpy(x, a, sizeof(x));
	memcpy(y, b, sizeof(y));
	return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
}

static bool
seal_mac_is_right(struct paths__seal *seal, const uint8_t *frame, size_t bytes,
    const uint8_t mac[PATHS__SEAL_MAC_BYTES])
{
	uint8_t right[PATHS__SEAL_MAC_BYTES];

	seal_mac(seal, frame, bytes, right);
	return seal_same_mac(right, mac);
}

/* Puts the number of the next frame into the nonce of the encryption. */
static void
seal_nonce(const struct paths__seal *seal, uint8_t nonce[SEAL_NONCE_BYTES])
{
	memset(nonce, 0, SEAL_NONCE_BYTES);
	memcpy(nonce, &seal->number, sizeof(seal->number));
}

static void
seal_encrypt(const struct paths__seal *seal, uint8_t *frame, size_t bytes,
    uint8_t mac[PATHS__SEAL_MAC_BYTES])
{
	uint8_t nonce[SEAL_NONCE_BYTES];

	seal_nonce(seal, nonce);
	crypto_aead_chacha20poly1305_ietf_encrypt_detached(frame +
		SEAL_LENGTH_BYTES,
	    mac, NULL, frame + SEAL_LENGTH_BYTES, bytes - SEAL_LENGTH_BYTES,
	    frame, SEAL_LENGTH_BYTES, NULL, nonce, seal->long_key);
}

static bool
seal_decrypt(const struct paths__seal *seal, uint8_t *frame, size_t bytes,
    const uint8_t mac[PATHS__SEAL_MAC_BYTES])
{
	uint8_t nonce[SEAL_NONCE_BYTES];

	seal_nonce(seal, nonce);
	return crypto_aead_chacha20poly1305_ietf_decrypt_detached(frame +
		       SEAL_LENGTH_BYTES,
		   NULL, frame + SEAL_LENGTH_BYTES, bytes - SEAL_LENGTH_BYTES,
		   mac, frame, SEAL_LENGTH_BYTES, nonce, seal->long_key) == 0;
}

void
paths__seal_close(struct paths__seal *seal, void *frame, size_t bytes)
{
	struct paths__seal_end end = { .number = seal->number };
	size_t inner = bytes - sizeof(end);
	uint8_t *at = frame;

	memcpy(at + inner, &end.number, sizeof(end.number));
	if (seal->encrypts)
		seal_encrypt(seal, at, inner, end.mac);
	else
		seal_mac(seal, at, inner, end.mac);
	memcpy(at + inner, &end, sizeof(end));
	seal->number++;
}

/* Returns false with the reason in why when the number is not that of the next
   frame. */
static bool
seal_number_is_next(const struct paths__seal *seal, uint64_t number,
    char why[PATHS__SEAL_WHY_BYTES])
{
	if (number == seal->number)
		return true;
	snprintf(why, PATHS__SEAL_WHY_BYTES,
	    "frame %" PRIu64 " came in place of frame %" PRIu64
	    ": repeated, lost or inserted on the way",
	    number, seal->number);
	return false;
}

/* Counts a frame whose MAC is right, or writes the reason to why. */
static bool
seal_count(struct paths__seal *seal, bool right,
    char why[PATHS__SEAL_WHY_BYTES])
{
	if (!right)
		snprintf(why, PATHS__SEAL_WHY_BYTES,
		    "frame %" PRIu64 " was changed on the way", seal->number);
	seal->number += right;
	return right;
}

bool
paths__seal_open(struct paths__seal *seal, void *frame, size_t bytes,
    char why[PATHS__SEAL_WHY_BYTES])
{
	struct paths__seal_end end;
	size_t inner = bytes - sizeof(end);
	uint8_t *at = frame;
	bool right;

	memcpy(&end, at + inner, sizeof(end));
	if (!seal_number_is_next(seal, end.number, why))
		return false;
	if (seal->encrypts)
		right = seal_decrypt(seal, at, inner, end.mac);
	else
		right = seal_mac_is_right(seal, at, inner, end.mac);
	return seal_count(seal, right, why);
}

/* --- a frame in parts ---------------------------------------------------- */

void
paths__seal_begin(struct paths__seal *seal)
{
	paths__poly_begin(&seal->poly, seal_once(seal));
}

void
paths__seal_add(struct paths__seal *seal, const void *part, size_t bytes)
{
	paths__poly_add(&seal->poly, part, bytes);
}

static void
seal_finish(struct paths__seal *seal, uint8_t mac[PATHS__SEAL_MAC_BYTES])
{
	paths__seal_add(seal, &seal->number, sizeof(seal->number));
	paths__poly_end(&seal->poly, mac);
}

void
paths__seal_end(struct paths__seal *seal, void *end)
{
	struct paths__seal_end e = { .number = seal->number };

	seal_finish(seal, e.mac);
	memcpy(end, &e, sizeof(e));
	seal->number++;
}

bool
paths__seal_check(struct paths__seal *seal, const void *end,
    char why[PATHS__SEAL_WHY_BYTES])
{
	struct paths__seal_end e;
	uint8_t right[PATHS__SEAL_MAC_BYTES];

	memcpy(&e, end, sizeof(e));
	if (!seal_number_is_next(seal, e.number, why))
		return false;
	seal_finish(seal, right);
	return seal_count(seal, seal_same_mac(right, e.mac), why);
}
