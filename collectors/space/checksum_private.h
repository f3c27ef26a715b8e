/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/checksum_private.h - the checksum of the definitions
 */

#ifndef COLLECTORS_SPACE_CHECKSUM_PRIVATE_H
#define COLLECTORS_SPACE_CHECKSUM_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC-32 of IEEE 802.3, bit-reflected. */
uint32_t es__checksum(const void *bytes, size_t count);

#endif
