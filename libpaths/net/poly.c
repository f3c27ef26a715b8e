/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/poly.c - Poly1305 of large messages
 */

#include "libpaths/net/poly_private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sodium.h>

_Static_assert(sizeof(crypto_onetimeauth_poly1305_state) <=
	PATHS__POLY_STATE_BYTES,
    "the state of Poly1305 has another size");

/*
 * The functions, and their library context.  A context of its own does not read
 * the configuration of the system, which may forbid Poly1305, and is not freed
 * at the exit of the program.
 *
 * Source	EVP_MAC(3), OSSL_LIB_CTX(3) of OpenSSL 3.0
 */
static struct {
	void *(*new_context)(void *method);
	void (*free_context)(void *context);
	int (*init)(void *context, const uint8_t *key, size_t bytes,
	    const void *params);
	int (*update)(void *context, const uint8_t *part, size_t bytes);
	int (*final)(void *context, uint8_t *mac, size_t *bytes, size_t room);
	void *method; /* NULL: without OpenSSL */
} poly_openssl;	      /* written once, by poly_find */
static pthread_once_t poly_once = PTHREAD_ONCE_INIT;

static bool
poly_find_function(void *library, const char *name, void *function)
{
	*(void **)function = dlsym(library, name);
	return *(void **)function != NULL;
}

static void
poly_find(void)
{
	void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
	void *(*new_library)(void) = NULL;
	void *(*fetch)(void *library, const char *name, const char *properties);

	if (library &&
	    poly_find_function(library, "EVP_MAC_CTX_new",
		&poly_openssl.new_context) &&
	    poly_find_function(library, "EVP_MAC_CTX_free",
		&poly_openssl.free_context) &&
	    poly_find_function(library, "EVP_MAC_init", &poly_openssl.init) &&
	    poly_find_function(library, "EVP_MAC_update",
		&poly_openssl.update) &&
	    poly_find_function(library, "EVP_MAC_final", &poly_openssl.final) &&
	    poly_find_function(library, "OSSL_LIB_CTX_new", &new_library) &&
	    poly_find_function(library, "EVP_MAC_fetch", &fetch))
		poly_openssl.method = fetch(new_library(), "POLY1305", NULL);
}

static void *
poly_new_context(void)
{
	pthread_once(&poly_once, poly_find);
	return poly_openssl.method ?
	    poly_openssl.new_context(poly_openssl.method) :
	    NULL;
}

void
paths__poly_fini(struct paths__poly *poly)
{
	if (poly->fast)
		poly_openssl.free_context(poly->fast);
	poly->fast = NULL;
}

static crypto_onetimeauth_poly1305_state *
poly_state(struct paths__poly *poly)
{
	return (crypto_onetimeauth_poly1305_state *)(void *)poly->state;
}

void
paths__poly_begin(struct paths__poly *poly,
    const uint8_t key[PATHS__POLY_KEY_BYTES])
{
	if (!poly->tried)
		poly->fast = poly_new_context();
	poly->tried = true;
	poly->failed = false;
	if (!poly->fast)
		crypto_onetimeauth_poly1305_init(poly_state(poly), key);
	else if (poly_openssl.init(poly->fast, key, PATHS__POLY_KEY_BYTES,
		     NULL) != 1)
		poly->failed = true;
}

void
paths__poly_add(struct paths__poly *poly, const void *part, size_t bytes)
{
	if (!poly->fast)
		crypto_onetimeauth_poly1305_update(poly_state(poly), part,
		    bytes);
	else if (poly_openssl.update(poly->fast, part, bytes) != 1)
		poly->failed = true;
}

void
paths__poly_end(struct paths__poly *poly, uint8_t mac[PATHS__POLY_MAC_BYTES])
{
	size_t bytes;

	if (!poly->fast)
		crypto_onetimeauth_poly1305_final(poly_state(poly), mac);
	else if (poly->failed ||
	    poly_openssl.final(poly->fast, mac, &bytes,
		PATHS__POLY_MAC_BYTES) != 1)
		randombytes_buf(mac, PATHS__POLY_MAC_BYTES);
}
