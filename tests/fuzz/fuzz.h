/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/fuzz.h - what a fuzz program defines
 */

#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Parse these bytes and let go of everything; 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
