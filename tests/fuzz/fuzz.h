/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/fuzz.h - functions that fuzz programs define and call
 */

#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Ends the search with a finding unless a condition holds. */
#define MUST(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

/* Parses the bytes and frees all it took; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Changes an input, in place, and returns its new size.  A program that defines
   it decides how libFuzzer makes new inputs.  most: size of the buffer. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
    unsigned seed);

/* As LLVMFuzzerCustomMutator, at random; libFuzzer defines it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#endif
