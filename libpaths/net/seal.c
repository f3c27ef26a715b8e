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

void
paths__seal_init(struct paths__seal *seal,
    const uint8_t key[PATHS__SEAL_KEY_BYTES], bool encrypts)
{
	memset(seal, 0, sizeof(*seal));
	memcpy(seal->key, key, sizeof(seal->key));
	seal->encrypts = encrypts;
}

void
paths__seal_fini(struct paths__seal *seal)
{
	sodium_memzero(seal, sizeof(*seal));
}

/* Returns the key of the MAC of the next frame. */
static const uint8_t *
seal_once(struct paths__seal *seal)
{
	static const uint8_t nonce[crypto_stream_chacha20_NONCEBYTES];
	uint64_t at = seal->number % PATHS__SEAL_AHEAD;

	if (at == 0) {
		memset(seal->once, 0, sizeof(seal->once));
		crypto_stream_chacha20_xor_ic(seal->once[0], seal->once[0],
		    sizeof(seal->once), nonce,
		    seal->number * PATHS__SEAL_KEY_BYTES / SEAL_BLOCK_BYTES,
		    seal->key);
	}
	return seal->once[at];
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
	    frame, SEAL_LENGTH_BYTES, NULL, nonce, seal->key);
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
		   mac, frame, SEAL_LENGTH_BYTES, nonce, seal->key) == 0;
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
		crypto_onetimeauth_poly1305(end.mac, at,
		    inner + sizeof(end.number), seal_once(seal));
	memcpy(at + inner, &end, sizeof(end));
	seal->number++;
}

bool
paths__seal_open(struct paths__seal *seal, void *frame, size_t bytes,
    char why[96])
{
	struct paths__seal_end end;
	size_t inner = bytes - sizeof(end);
	uint8_t *at = frame;
	bool right;

	memcpy(&end, at + inner, sizeof(end));
	if (end.number != seal->number) {
		snprintf(why, 96,
		    "frame %" PRIu64 " came in place of frame %" PRIu64
		    ": repeated, lost or inserted on the way",
		    end.number, seal->number);
		return false;
	}
	if (seal->encrypts)
		right = seal_decrypt(seal, at, inner, end.mac);
	else
		right = crypto_onetimeauth_poly1305_verify(end.mac, at,
			    inner + sizeof(end.number), seal_once(seal)) == 0;
	if (!right)
		snprintf(why, 96, "frame %" PRIu64 " was changed on the way",
		    end.number);
	seal->number += right;
	return right;
}
