/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/handshake_private.h - proves to both ends that they share the
 * secret
 *
 *	server	hello: a nonce
 *	client	proof: another nonce, its process, the kind of connection, the
 *		hash of its map, and HMAC(secret, "client", hello, proof)
 *	server	welcome: a status and
 *		HMAC(secret, "server", hello, proof, status)
 *
 * All three messages have a fixed size, and no other byte of a peer is read
 * before its HMAC is verified.  Only handshake.c and base/auth_hash.c use
 * libsodium.
 */

#ifndef LIBPATHS_NET_HANDSHAKE_PRIVATE_H
#define LIBPATHS_NET_HANDSHAKE_PRIVATE_H

#include "libpaths/engine/program_private.h"

#define PATHS__NONCE_BYTES 32
#define PATHS__MAC_BYTES 32

struct paths__hello {
	uint64_t magic; /* differs in another byte order or version */
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

/* Server: fills in a hello. */
void paths__handshake_hello(struct paths__hello *hello);

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

/* Client: checks a welcome.  Returns its status. */
paths_status paths__handshake_welcomed(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    const struct paths__welcome *welcome);

#endif
