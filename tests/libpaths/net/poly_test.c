/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/poly_test.c - proves libpaths/net/poly.c
 */

#include "libpaths/net/poly_private.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

/* RFC 8439, section 2.5.2 */
static const uint8_t key[PATHS__POLY_KEY_BYTES] = { 0x85, 0xd6, 0xbe, 0x78,
	0x57, 0x55, 0x6d, 0x33, 0x7f, 0x44, 0x52, 0xfe, 0x42, 0xd5, 0x06, 0xa8,
	0x01, 0x03, 0x80, 0x8a, 0xfb, 0x0d, 0xb2, 0xfd, 0x4a, 0xbf, 0xf6, 0xaf,
	0x41, 0x49, 0xf5, 0x1b };
static const uint8_t tag[PATHS__POLY_MAC_BYTES] = { 0xa8, 0x06, 0x1d, 0xc1,
	0x30, 0x51, 0x36, 0xc6, 0xc2, 0x2b, 0x8b, 0xaf, 0x0c, 0x01, 0x27,
	0xa9 };
static const char text[] = "Cryptographic Forum Research Group";

static void
expect_tag(struct paths__poly *poly)
{
	uint8_t mac[PATHS__POLY_MAC_BYTES];

	for (size_t cut = 0; cut < sizeof(text); cut++) {
		paths__poly_begin(poly, key);
		paths__poly_add(poly, text, cut);
		paths__poly_add(poly, text + cut, sizeof(text) - 1 - cut);
		paths__poly_end(poly, mac);
		EXPECT_TRUE(memcmp(tag, mac, sizeof(mac)) == 0);
	}
}

static void
openssl_computes_the_tag_of_the_rfc(void)
{
	struct paths__poly poly = { 0 };

	expect_tag(&poly);
	if (!poly.fast)
		TEST_SKIP("no OpenSSL 3");
	paths__poly_fini(&poly);
}

/* As where OpenSSL is not installed. */
static void
libsodium_computes_the_tag_of_the_rfc(void)
{
	struct paths__poly poly = { .tried = true };

	expect_tag(&poly);
	EXPECT_TRUE(!poly.fast);
	paths__poly_fini(&poly);
}

static void
both_compute_the_same_of_parts_of_any_size(void)
{
	enum { BYTES = 300000 };
	uint8_t *bytes = malloc(BYTES);
	struct paths__poly fast = { 0 }, slow = { .tried = true };
	uint8_t macs[2][PATHS__POLY_MAC_BYTES];
	size_t part;

	srand(1);
	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)rand();
	for (int n = 0; n < 50; n++) {
		paths__poly_begin(&fast, bytes);
		paths__poly_begin(&slow, bytes);
		for (size_t at = 0; at < BYTES; at += part) {
			part = (size_t)rand() % (n % 2 ? 100000 : 1000);
			part = part < BYTES - at ? part : BYTES - at;
			paths__poly_add(&fast, bytes + at, part);
			paths__poly_add(&slow, bytes + at, part);
		}
		paths__poly_end(&fast, macs[0]);
		paths__poly_end(&slow, macs[1]);
		EXPECT_TRUE(memcmp(macs[0], macs[1], sizeof(macs[0])) == 0);
	}
	paths__poly_fini(&fast);
	free(bytes);
}

static void
a_failure_of_openssl_gives_another_mac(void)
{
	struct paths__poly poly = { 0 };
	uint8_t mac[PATHS__POLY_MAC_BYTES];

	paths__poly_begin(&poly, key);
	if (!poly.fast)
		TEST_SKIP("no OpenSSL 3");
	paths__poly_add(&poly, text, sizeof(text) - 1);
	poly.failed = true;
	paths__poly_end(&poly, mac);
	EXPECT_TRUE(memcmp(tag, mac, sizeof(mac)) != 0);
	expect_tag(&poly);
	paths__poly_fini(&poly);
}

TEST_MAIN(openssl_computes_the_tag_of_the_rfc,
    libsodium_computes_the_tag_of_the_rfc,
    both_compute_the_same_of_parts_of_any_size,
    a_failure_of_openssl_gives_another_mac)
