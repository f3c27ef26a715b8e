/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/handshake_private.h - proves to both ends that they share the
 * secret
 *
 *	server	hello: a nonce, and whether it has room for the client
 *	client	proof: another nonce, its process, the kind of connection, the
 *		hash of its map, and HMAC(secret, "client", hello, proof)
 *	server	welcome: a status and
 *		HMAC(secret, "server", hello, proof, status); or at any time
 *		the status PATHS_EFULL and zeros: try again
 *
 * All three messages have a fixed size, and no other byte of a peer is read
 * before its HMAC is verified.  Hello and proof begin with a number that tells
 * the version of the protocol and the byte order of its sender.
 * Over TCP the frames that follow are sealed (seal_private.h).  Their keys are
 * HMAC(secret, "to server" or "to client", hello, proof).  Only handshake.c,
 * seal.c and base/auth_hash.c use libsodium.
 */

#ifndef LIBPATHS_NET_HANDSHAKE_PRIVATE_H
#define LIBPATHS_NET_HANDSHAKE_PRIVATE_H

#include "libpaths/engine/program_private.h"
#include "libpaths/net/seal_private.h"

#define PATHS__WIRE_VERSION 2

#define PATHS__NONCE_BYTES 32
#define PATHS__MAC_BYTES 32

struct paths__hello {
	uint64_t magic;
	int32_t status; /* PATHS_EFULL: the server takes no client now */
	uint32_t zero;
	uint8_t nonce[PATHS__NONCE_BYTES];
};

struct paths__proof {
	uint64_t magic;
	uint8_t nonce[PATHS__NONCE_BYTES];
	uint32_t process;
	uint32_t via; /* enum paths_map_via */
	uint8_t map_hash[PATHS_MAP_HASH_BYTES];
	uint8_t mac[PATHS__MAC_BYTES];
};

struct paths__welcome {
	int32_t status;
	uint32_t zero;
	uint8_t mac[PATHS__MAC_BYTES];
};

/* Sets up libsodium; called before the functions below. */
paths_status paths__handshake_init(void);

/* Erases the secret. */
void paths__handshake_forget(struct paths_program *program);

/* Checks the first number of a message.  Returns PATHS_EABI for another
   version or byte order, PATHS_EPROTO for anything else. */
paths_status paths__handshake_magic(uint64_t magic);

/* Server: fills in a hello. */
void paths__handshake_hello(paths_status st, struct paths__hello *hello);

/* Client: answers a hello. */
void paths__handshake_prove(const struct paths_program *program,
    const struct paths__hello *hello, enum paths_map_via via,
    struct paths__proof *proof);

/* Server: checks a proof.  After PATHS_EAUTH the peer gets no answer, after
   another status it gets a welcome with that status. */
paths_status paths__handshake_check(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof);
void paths__handshake_welcome(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    paths_status st, struct paths__welcome *welcome);

/* Returns true when the frames of a connection of a kind are sealed. */
static inline bool
paths__handshake_seals(const struct paths_program *program,
    enum paths_map_via via)
{
	return via == PATHS_MAP_VIA_TCP &&
	    program->map->trust == PATHS_MAP_TRUST_SECRET;
}

/* Derives the keys of a connection: those that the server, or the client, sends
   and receives with. */
void paths__handshake_keys(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    bool server, uint8_t keys[2][PATHS__SEAL_KEY_BYTES]);

/*
 * Server: fills in the welcome of a peer that the server has no room for.  It
 * has no HMAC, because the peer may not have sent its proof.  All that it can
 * make a client do is to try again.
 */
void paths__handshake_full(struct paths__welcome *welcome);

/* Client: checks a welcome.  Returns its status; PATHS_EFULL for that of
   paths__handshake_full. */
paths_status paths__handshake_welcomed(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    const struct paths__welcome *welcome);

#endif
