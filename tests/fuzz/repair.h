/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/repair.h - corrects the checksums of an event space that a fuzz
 * program changed
 */

#ifndef TESTS_FUZZ_REPAIR_H
#define TESTS_FUZZ_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/* Corrects the beginning of the header, and every checksum whose bytes are
   inside the file.  A space of format 2 stays one. */
void fuzz_repair(uint8_t *bytes, size_t size);

#endif
