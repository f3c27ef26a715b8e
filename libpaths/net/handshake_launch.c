/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/handshake_launch.c - proves that eventspace run and its agent on
 * a host share the secret of the launch
 *
 * Source	RFC 2104 (HMAC), FIPS 180-4 (SHA-256)
 */

#include "libpaths/net/handshake_launch_private.h"

#include <sodium.h>
#include <string.h>

bool
paths__launch_init(void)
{
	return sodium_init() >= 0;
}

void
paths__launch_random(void *bytes, size_t count)
{
	randombytes_buf(bytes, count);
}

static void
launch_mac(const struct paths__launch *launch, const char *name,
    uint8_t mac[PATHS__LAUNCH_MAC_BYTES])
{
	crypto_auth_hmacsha256_state state;

	crypto_auth_hmacsha256_init(&state, launch->secret,
	    sizeof(launch->secret));
	crypto_auth_hmacsha256_update(&state, (const uint8_t *)name,
	    strlen(name) + 1);
	crypto_auth_hmacsha256_update(&state, launch->offer.magic,
	    sizeof(launch->offer.magic));
	crypto_auth_hmacsha256_update(&state, launch->offer.nonce,
	    sizeof(launch->offer.nonce));
	crypto_auth_hmacsha256_update(&state, launch->proof.nonce,
	    sizeof(launch->proof.nonce));
	crypto_auth_hmacsha256_final(&state, mac);
}

static bool
launch_mac_is(const struct paths__launch *launch, const char *name,
    const uint8_t mac[PATHS__LAUNCH_MAC_BYTES])
{
	uint8_t right[PATHS__LAUNCH_MAC_BYTES];

	launch_mac(launch, name, right);
	return sodium_memcmp(right, mac, sizeof(right)) == 0;
}

void
paths__launch_begin(struct paths__launch *launch)
{
	memcpy(launch->offer.magic, PATHS__LAUNCH_MAGIC,
	    sizeof(launch->offer.magic));
	randombytes_buf(launch->offer.nonce, sizeof(launch->offer.nonce));
}

bool
paths__launch_prove(struct paths__launch *launch)
{
	if (memcmp(launch->offer.magic, PATHS__LAUNCH_MAGIC,
		sizeof(launch->offer.magic)) != 0)
		return false;
	randombytes_buf(launch->proof.nonce, sizeof(launch->proof.nonce));
	launch_mac(launch, "agent", launch->proof.mac);
	return true;
}

bool
paths__launch_check(struct paths__launch *launch)
{
	if (!launch_mac_is(launch, "agent", launch->proof.mac))
		return false;
	launch_mac(launch, "launcher", launch->answer.mac);
	return true;
}

bool
paths__launch_answered(const struct paths__launch *launch)
{
	return launch_mac_is(launch, "launcher", launch->answer.mac);
}

void
paths__launch_keys(const struct paths__launch *launch, bool agent,
    uint8_t keys[2][PATHS__SEAL_KEY_BYTES])
{
	_Static_assert(PATHS__SEAL_KEY_BYTES == PATHS__LAUNCH_MAC_BYTES,
	    "a key is a MAC");
	launch_mac(launch, "to launcher", keys[agent ? 0 : 1]);
	launch_mac(launch, "to agent", keys[agent ? 1 : 0]);
}
