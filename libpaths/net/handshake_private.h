/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/handshake_private.h - both ends prove that they know the secret
 *
 *	server	hello: a number used once
 *	client	proof: another one, who it is, the hash of its map, and
 *		HMAC(secret, "client", hello, proof)
 *	server	welcome: a status and HMAC(secret, "server", both, status)
 *
 * Nothing else is read from a peer before its code is right.  All three have
 * a fixed size.  The door to libsodium.
 */

#ifndef LIBPATHS_NET_HANDSHAKE_PRIVATE_H
#define LIBPATHS_NET_HANDSHAKE_PRIVATE_H

#include "libpaths/engine/program_private.h"

#define PATHS__NONCE_BYTES 32
#define PATHS__MAC_BYTES 32

struct paths__hello {
	uint64_t magic; /* wrong in another byte order or version */
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

void paths__handshake_hello(struct paths__hello *hello);
void paths__handshake_prove(const struct paths_program *program,
    const struct paths__hello *hello, enum paths_map_via via,
    struct paths__proof *proof);

/* Numbers nobody can guess; before anything else here. */
paths_status paths__handshake_init(void);

/* A secret that is not needed any more. */
void paths__handshake_forget(struct paths_program *program);

/* PATHS_EAUTH: not to be answered at all. */
paths_status paths__handshake_check(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof);
void paths__handshake_welcome(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    paths_status st, struct paths__welcome *welcome);
paths_status paths__handshake_welcomed(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    const struct paths__welcome *welcome);

#endif
