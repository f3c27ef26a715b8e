/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/fuzz.h - entry point that each fuzz program defines
 */

#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Parses the bytes and frees all it took; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
