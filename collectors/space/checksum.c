/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/checksum.c - the checksums of event-space files
 *
 * CRC-32C uses the instruction of the processor where there is one: SSE 4.2 of
 * x86-64, the CRC extension of arm64.  The table is for other processors, and
 * for the CRC-32 of format 2.
 *
 * Source	RFC 3720, appendix B.4: CRC-32C, bit-reflected; IEEE 802.3,
 *		section 3.2.9: CRC-32, bit-reflected
 */

#include "collectors/space/checksum_private.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#define CASTAGNOLI 0x82f63b78u
#define IEEE 0xedb88320u

/* The thread that computes checksums reads tuples that a recording thread may
   be overwriting, and then drops the result. */
#define CHECKSUM_RACES __attribute__((no_sanitize("thread")))

static pthread_once_t checksum_once = PTHREAD_ONCE_INIT;
static uint32_t checksum_castagnoli[256], checksum_ieee[256];
static bool checksum_by_hardware;

static void
checksum_fill(uint32_t table[256], uint32_t polynomial)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t sum = i;

		for (int bit = 0; bit < 8; bit++)
			sum = sum & 1 ? sum >> 1 ^ polynomial : sum >> 1;
		table[i] = sum;
	}
}

static void
checksum_prepare(void)
{
	checksum_fill(checksum_castagnoli, CASTAGNOLI);
	checksum_fill(checksum_ieee, IEEE);
#if defined(__x86_64__)
	__builtin_cpu_init();
	checksum_by_hardware = __builtin_cpu_supports("sse4.2");
#elif defined(__aarch64__)
	checksum_by_hardware = getauxval(AT_HWCAP) & 1u << 7; /* CRC32 */
#endif
}

CHECKSUM_RACES static uint32_t
checksum_by_table(const uint32_t table[256], uint32_t sum, const uint8_t *p,
    size_t count)
{
	for (size_t i = 0; i < count; i++)
		sum = sum >> 8 ^ table[(sum ^ p[i]) & 255];
	return sum;
}

#if defined(__x86_64__)
#define CHECKSUM_TARGET __attribute__((target("sse4.2")))
#define CHECKSUM_8(sum, word) \
	((uint32_t)__builtin_ia32_crc32di((sum), (uint64_t)(word)))
#elif defined(__aarch64__)
#define CHECKSUM_TARGET __attribute__((target("+crc")))
#define CHECKSUM_8(sum, word) __builtin_aarch64_crc32cx((sum), (word))
#endif

#if defined(CHECKSUM_TARGET)
CHECKSUM_TARGET CHECKSUM_RACES static uint32_t
checksum_of_words(uint32_t sum, const uint8_t *p, size_t words)
{
	for (; words > 0; words--, p += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, p, sizeof(word));
		sum = CHECKSUM_8(sum, word);
	}
	return sum;
}
#else
static uint32_t
checksum_of_words(uint32_t sum, const uint8_t *p, size_t words)
{
	return checksum_by_table(checksum_castagnoli, sum, p,
	    words * sizeof(uint64_t));
}
#endif

uint32_t
es__checksum(uint32_t sum, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;
	size_t words = 0;

	pthread_once(&checksum_once, checksum_prepare);
	if (checksum_by_hardware)
		words = count / sizeof(uint64_t);
	sum = checksum_of_words(~sum, p, words);
	words *= sizeof(uint64_t);
	return ~checksum_by_table(checksum_castagnoli, sum, p + words,
	    count - words);
}

uint32_t
es__checksum_2(const void *bytes, size_t count)
{
	pthread_once(&checksum_once, checksum_prepare);
	return ~checksum_by_table(checksum_ieee, ~0u, bytes, count);
}
