/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/checksum_private.h - the checksums of event-space files
 */

#ifndef COLLECTORS_SPACE_CHECKSUM_PRIVATE_H
#define COLLECTORS_SPACE_CHECKSUM_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC-32C of bytes.  sum: that of the bytes before them, or 0. */
uint32_t es__checksum(uint32_t sum, const void *bytes, size_t count);

/* Returns the CRC-32 of IEEE 802.3, which the definitions of format 2 have. */
uint32_t es__checksum_2(const void *bytes, size_t count);

#endif
