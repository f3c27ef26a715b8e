/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/array_private.h - grows arrays, and searches sorted ones
 */

#ifndef SCOPES_RUN_ARRAY_PRIVATE_H
#define SCOPES_RUN_ARRAY_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * es__array_grow - make room for one more item in an array
 *
 * array	address of the pointer to heap memory, which is NULL at first
 * count	number of items
 * room		in and out: capacity in items; 0 at first
 * bytes	size of an item
 *
 * Returns	true; false: no memory, and the array is unchanged
 */
bool es__array_grow(void *array, size_t count, size_t *room, size_t bytes);

/*
 * es__array_find - find a number in an array that ascends by it
 *
 * array, count, bytes	items, their number, and the size of an item
 * offset		offset in an item of the uint32_t by which they ascend
 *
 * Returns	index of the first item whose number is not below `number`;
 *		count if there is none.  Binary search.
 */
static inline size_t
es__array_find(const void *array, size_t count, size_t bytes, size_t offset,
    uint32_t number)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t at;

		memcpy(&at, (const char *)array + middle * bytes + offset,
		    sizeof(at));
		if (at < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
