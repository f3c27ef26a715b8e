/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/checksum.c - the checksums of event-space files
 *
 * CRC-32C uses the instruction of the processor where there is one: SSE 4.2 of
 * x86-64, the CRC extension of arm64.  The table is for other processors, and
 * for the CRC-32 of format 2.
 *
 * The instruction has a latency of three cycles, and can begin in each cycle.
 * So three pieces of the same length are summed at once.  A CRC is linear: the
 * sum of two pieces is the one of the second, xor that of the first followed by
 * as many zeros as the second has bytes.
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

/* Words in one of the three pieces. */
#define PIECE_WORDS 128u
#define PIECE_BYTES (PIECE_WORDS * sizeof(uint64_t))

/* The sum after PIECE_BYTES zeros, of each byte of the sum before them. */
static uint32_t checksum_shifts[4][256];

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

static uint32_t
checksum_shift(uint32_t sum)
{
	return checksum_shifts[0][sum & 255] ^
	    checksum_shifts[1][sum >> 8 & 255] ^
	    checksum_shifts[2][sum >> 16 & 255] ^ checksum_shifts[3][sum >> 24];
}

/* Sums three pieces. */
CHECKSUM_TARGET CHECKSUM_RACES static uint32_t
checksum_of_pieces(uint32_t sum, const uint8_t *p)
{
	uint32_t second = 0, third = 0;

	for (size_t i = 0; i < PIECE_WORDS; i++, p += sizeof(uint64_t)) {
		uint64_t words[3];

		memcpy(&words[0], p, sizeof(words[0]));
		memcpy(&words[1], p + PIECE_BYTES, sizeof(words[1]));
		memcpy(&words[2], p + 2 * PIECE_BYTES, sizeof(words[2]));
		sum = CHECKSUM_8(sum, words[0]);
		second = CHECKSUM_8(second, words[1]);
		third = CHECKSUM_8(third, words[2]);
	}
	return checksum_shift(checksum_shift(sum) ^ second) ^ third;
}

static void
checksum_prepare_shifts(void)
{
	static const uint8_t zeros[PIECE_BYTES];

	for (uint32_t byte = 0; byte < 4; byte++)
		for (uint32_t i = 0; i < 256; i++)
			checksum_shifts[byte][i] =
			    checksum_of_words(i << 8 * byte, zeros,
				PIECE_WORDS);
}

/* Sums whole words. */
static uint32_t
checksum_by_instruction(uint32_t sum, const uint8_t *p, size_t words)
{
	for (; words >= 3 * PIECE_WORDS; words -= 3 * PIECE_WORDS) {
		sum = checksum_of_pieces(sum, p);
		p += 3 * PIECE_BYTES;
	}
	return checksum_of_words(sum, p, words);
}
#else
static void
checksum_prepare_shifts(void)
{
}

static uint32_t
checksum_by_instruction(uint32_t sum, const uint8_t *p, size_t words)
{
	return checksum_by_table(checksum_castagnoli, sum, p,
	    words * sizeof(uint64_t));
}
#endif

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
	if (checksum_by_hardware)
		checksum_prepare_shifts();
}

uint32_t
es__checksum(uint32_t sum, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;
	size_t words = 0;

	pthread_once(&checksum_once, checksum_prepare);
	if (checksum_by_hardware)
		words = count / sizeof(uint64_t);
	sum = checksum_by_instruction(~sum, p, words);
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
