/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/handshake.c - proves to both ends that they share the secret
 *
 * Source	RFC 2104 (HMAC), FIPS 180-4 (SHA-256)
 */

#include "libpaths/net/handshake_private.h"

#include "libpaths/log.h"

#include <sodium.h>
#include <stddef.h>
#include <string.h>

/* A byte for the order, "PATHS", and the version of the protocol in the lowest
   byte. */
#define HANDSHAKE_NAME UINT64_C(0x0100534854415000)
#define HANDSHAKE_MAGIC (HANDSHAKE_NAME | PATHS__WIRE_VERSION)
#define HANDSHAKE_VERSION_MASK UINT64_C(0xff)

paths_status
paths__handshake_init(void)
{
	if (sodium_init() < 0)
		return paths_log_fail(PATHS_EIO, "no random numbers");
	return PATHS_OK;
}

void
paths__handshake_forget(struct paths_program *program)
{
	sodium_memzero(program->secret, sizeof(program->secret));
}

struct handshake_part {
	const void *bytes;
	size_t count;
};

static void
handshake_mac(const struct paths_program *program,
    const struct handshake_part *parts, size_t count,
    uint8_t mac[PATHS__MAC_BYTES])
{
	crypto_auth_hmacsha256_state state;

	crypto_auth_hmacsha256_init(&state, program->secret,
	    sizeof(program->secret));
	for (size_t i = 0; i < count; i++)
		crypto_auth_hmacsha256_update(&state, parts[i].bytes,
		    parts[i].count);
	crypto_auth_hmacsha256_final(&state, mac);
}

static void
handshake_client_mac(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    uint8_t mac[PATHS__MAC_BYTES])
{
	struct handshake_part parts[] = {
		{ "client", 6 },
		{ hello, sizeof(*hello) },
		{ proof, offsetof(struct paths__proof, mac) },
	};

	handshake_mac(program, parts, 3, mac);
}

static void
handshake_server_mac(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    const struct paths__welcome *welcome, uint8_t mac[PATHS__MAC_BYTES])
{
	struct handshake_part parts[] = {
		{ "server", 6 },
		{ hello, sizeof(*hello) },
		{ proof, offsetof(struct paths__proof, mac) },
		{ welcome, offsetof(struct paths__welcome, mac) },
	};

	handshake_mac(program, parts, 4, mac);
}

paths_status
paths__handshake_magic(uint64_t magic)
{
	if (magic == HANDSHAKE_MAGIC)
		return PATHS_OK;
	if ((magic & ~HANDSHAKE_VERSION_MASK) == HANDSHAKE_NAME)
		return paths_log_fail(PATHS_EABI,
		    "the peer has version %u of the protocol, this is version "
		    "%u",
		    (unsigned)(magic & HANDSHAKE_VERSION_MASK),
		    PATHS__WIRE_VERSION);
	magic = __builtin_bswap64(magic);
	if ((magic & ~HANDSHAKE_VERSION_MASK) == HANDSHAKE_NAME)
		return paths_log_fail(PATHS_EABI,
		    "the peer has the other byte order");
	return paths_log_fail(PATHS_EPROTO,
	    "the peer is no process of a path map");
}

void
paths__handshake_hello(paths_status st, struct paths__hello *hello)
{
	memset(hello, 0, sizeof(*hello));
	hello->magic = HANDSHAKE_MAGIC;
	hello->status = st;
	randombytes_buf(hello->nonce, sizeof(hello->nonce));
}

void
paths__handshake_prove(const struct paths_program *program,
    const struct paths__hello *hello, enum paths_map_via via,
    struct paths__proof *proof)
{
	memset(proof, 0, sizeof(*proof));
	proof->magic = HANDSHAKE_MAGIC;
	randombytes_buf(proof->nonce, sizeof(proof->nonce));
	proof->process = program->process;
	proof->via = via;
	memcpy(proof->map_hash, program->map->hash, sizeof(proof->map_hash));
	handshake_client_mac(program, hello, proof, proof->mac);
}

paths_status
paths__handshake_check(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof)
{
	uint8_t mac[PATHS__MAC_BYTES];

	handshake_client_mac(program, hello, proof, mac);
	if (sodium_memcmp(mac, proof->mac, sizeof(mac)) != 0)
		return paths_log_fail(PATHS_EAUTH,
		    "a peer does not know this run's secret");
	if (memcmp(proof->map_hash, program->map->hash,
		sizeof(proof->map_hash)) != 0)
		return paths_log_fail(PATHS_EINVAL, "a peer has another map");
	if (proof->process >= program->map->process_count)
		return paths_log_fail(PATHS_EPROTO, "a peer is process %u",
		    proof->process);
	return PATHS_OK;
}

void
paths__handshake_welcome(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    paths_status st, struct paths__welcome *welcome)
{
	memset(welcome, 0, sizeof(*welcome));
	welcome->status = st;
	handshake_server_mac(program, hello, proof, welcome, welcome->mac);
}

void
paths__handshake_keys(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    bool server, uint8_t keys[2][PATHS__SEAL_KEY_BYTES])
{
	static const char *const names[2] = { "to server", "to client" };

	for (int i = 0; i < 2; i++) {
		const char *name = names[server ? 1 - i : i];
		struct handshake_part parts[] = {
			{ name, strlen(name) },
			{ hello, sizeof(*hello) },
			{ proof, sizeof(*proof) },
		};

		handshake_mac(program, parts, 3, keys[i]);
	}
}

void
paths__handshake_full(struct paths__welcome *welcome)
{
	memset(welcome, 0, sizeof(*welcome));
	welcome->status = PATHS_EFULL;
}

static bool
handshake_is_full(const struct paths__welcome *welcome)
{
	return welcome->status == PATHS_EFULL &&
	    sodium_is_zero(welcome->mac, sizeof(welcome->mac));
}

paths_status
paths__handshake_welcomed(const struct paths_program *program,
    const struct paths__hello *hello, const struct paths__proof *proof,
    const struct paths__welcome *welcome)
{
	uint8_t mac[PATHS__MAC_BYTES];

	handshake_server_mac(program, hello, proof, welcome, mac);
	if (sodium_memcmp(mac, welcome->mac, sizeof(mac)) != 0 &&
	    !handshake_is_full(welcome))
		return paths_log_fail(PATHS_EAUTH,
		    "the peer does not know this run's secret");
	if (welcome->status == PATHS_EFULL)
		return paths_log_fail(PATHS_EFULL, "its tuple server is full");
	if (welcome->status == PATHS_EINVAL)
		return paths_log_fail(PATHS_EINVAL, "the peer has another map");
	if (welcome->status == PATHS_EPROTO)
		return paths_log_fail(PATHS_EPROTO,
		    "the peer got the connection at another kind of socket");
	return welcome->status;
}
