/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/handshake_launch_private.h - proves that eventspace run and its
 * agent on a host share the secret of the launch
 *
 *	launcher	offer: the magic and a nonce
 *	agent		proof: another nonce and HMAC(secret, "agent", nonces)
 *	launcher	answer: HMAC(secret, "launcher", nonces)
 *
 * All messages have a fixed size, and no other byte of an agent is read before
 * its HMAC is verified.  The frames that follow are encrypted (seal_private.h)
 * with the keys HMAC(secret, "to agent" or "to launcher", nonces).
 */

#ifndef LIBPATHS_NET_HANDSHAKE_LAUNCH_PRIVATE_H
#define LIBPATHS_NET_HANDSHAKE_LAUNCH_PRIVATE_H

#include "libpaths/net/seal_private.h"

/* Name and version of the protocol: 16 bytes. */
#define PATHS__LAUNCH_MAGIC "\nEVENTSPACE RUN1"

#define PATHS__LAUNCH_SECRET_BYTES 32
#define PATHS__LAUNCH_MAC_BYTES 32

struct paths__launch_offer {
	uint8_t magic[16];
	uint8_t nonce[32];
};

struct paths__launch_proof {
	uint8_t nonce[32];
	uint8_t mac[PATHS__LAUNCH_MAC_BYTES];
};

struct paths__launch_answer {
	uint8_t mac[PATHS__LAUNCH_MAC_BYTES];
};

/* The messages and the secret, as one side knows them. */
struct paths__launch {
	uint8_t secret[PATHS__LAUNCH_SECRET_BYTES];
	struct paths__launch_offer offer;
	struct paths__launch_proof proof;
	struct paths__launch_answer answer;
};

/* Sets up libsodium; called before the functions below. */
bool paths__launch_init(void);

/* Fills in random bytes. */
void paths__launch_random(void *bytes, size_t count);

/* Launcher: fills in the offer, checks the proof and fills in the answer. */
void paths__launch_begin(struct paths__launch *launch);
bool paths__launch_check(struct paths__launch *launch);

/* Agent: fills in the proof, or returns false for a wrong offer; checks the
   answer. */
bool paths__launch_prove(struct paths__launch *launch);
bool paths__launch_answered(const struct paths__launch *launch);

/* Derives the keys that a side sends and receives with. */
void paths__launch_keys(const struct paths__launch *launch, bool agent,
    uint8_t keys[2][PATHS__SEAL_KEY_BYTES]);

#endif
