/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/checksum.c - the checksum of the definitions
 *
 * Source	IEEE 802.3, section 3.2.9: CRC-32, bit-reflected
 */

#include "collectors/space/checksum_private.h"

static uint32_t
checksum_of_byte(uint32_t byte)
{
	for (int bit = 0; bit < 8; bit++)
		byte = byte & 1 ? byte >> 1 ^ 0xedb88320u : byte >> 1;
	return byte;
}

uint32_t
es__checksum(const void *bytes, size_t count)
{
	const uint8_t *p = bytes;
	uint32_t table[256];
	uint32_t sum = ~0u;

	for (uint32_t i = 0; i < 256; i++)
		table[i] = checksum_of_byte(i);
	for (size_t i = 0; i < count; i++)
		sum = sum >> 8 ^ table[(sum ^ p[i]) & 255];
	return ~sum;
}
