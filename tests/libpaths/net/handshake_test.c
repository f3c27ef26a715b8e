/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/handshake_test.c - proves libpaths/net/handshake.c
 */

#include "libpaths/net/handshake_private.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <string.h>

static struct paths_map map = { .process_count = 2, .hash = { 7 } };
static struct paths_program program = { .map = &map, .secret = { 1, 2, 3 } };
static struct paths__hello hello;
static struct paths__proof proof;
static struct paths__welcome welcome;

static void
shake(void)
{
	EXPECT_OK(paths__handshake_init());
	paths__handshake_hello(PATHS_OK, &hello);
	paths__handshake_prove(&program, &hello, PATHS_MAP_VIA_TCP, &proof);
	paths__handshake_welcome(&program, &hello, &proof, PATHS_OK, &welcome);
}

static paths_status
check(void)
{
	return paths__handshake_check(&program, &hello, &proof);
}

static paths_status
welcomed(void)
{
	return paths__handshake_welcomed(&program, &hello, &proof, &welcome);
}

/* Changes each byte of a message in turn, and expects that it is refused. */
static void
expect_each_byte(void *message, size_t bytes, paths_status (*accept)(void))
{
	uint8_t *at = message;

	for (size_t i = 0; i < bytes; i++) {
		EXPECT_OK(accept());
		at[i] ^= (uint8_t)(1u << i % 8);
		EXPECT_EQ(PATHS_EAUTH, accept());
		at[i] ^= (uint8_t)(1u << i % 8);
	}
}

static void
a_changed_byte_is_refused_by_the_server(void)
{
	shake();
	expect_each_byte(&hello, sizeof(hello), check);
	expect_each_byte(&proof, sizeof(proof), check);
}

static void
a_changed_byte_is_refused_by_the_client(void)
{
	shake();
	expect_each_byte(&hello, sizeof(hello), welcomed);
	expect_each_byte(&welcome, sizeof(welcome), welcomed);
}

static void
another_version_and_byte_order_are_named(void)
{
	uint64_t magic;

	shake();
	magic = hello.magic;
	EXPECT_OK(paths__handshake_magic(magic));
	EXPECT_EQ(PATHS_EABI,
	    paths__handshake_magic(magic - PATHS__WIRE_VERSION + 1));
	EXPECT_STR_EQ(
	    "the peer has version 1 of the protocol, this is version 2",
	    paths_log_last());
	EXPECT_EQ(PATHS_EABI, paths__handshake_magic(__builtin_bswap64(magic)));
	EXPECT_STR_EQ("the peer has the other byte order", paths_log_last());
	EXPECT_EQ(PATHS_EPROTO, paths__handshake_magic(0));
	EXPECT_STR_EQ("the peer is no process of a path map", paths_log_last());
}

/* The keys of the server are those of the client, in the other order. */
static void
keys_differ_by_direction_and_session(void)
{
	uint8_t server[2][PATHS__SEAL_KEY_BYTES];
	uint8_t client[2][PATHS__SEAL_KEY_BYTES];
	uint8_t later[2][PATHS__SEAL_KEY_BYTES];
	const size_t bytes = PATHS__SEAL_KEY_BYTES;

	shake();
	paths__handshake_keys(&program, &hello, &proof, true, server);
	paths__handshake_keys(&program, &hello, &proof, false, client);
	EXPECT_EQ(0, memcmp(server[0], client[1], bytes));
	EXPECT_EQ(0, memcmp(server[1], client[0], bytes));
	EXPECT_TRUE(memcmp(server[0], server[1], bytes) != 0);
	shake();
	paths__handshake_keys(&program, &hello, &proof, true, later);
	EXPECT_TRUE(memcmp(server[0], later[0], bytes) != 0);
	EXPECT_TRUE(memcmp(server[1], later[1], bytes) != 0);
}

TEST_MAIN(a_changed_byte_is_refused_by_the_server,
    a_changed_byte_is_refused_by_the_client,
    another_version_and_byte_order_are_named,
    keys_differ_by_direction_and_session)
