/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/array_private.h - searches sorted arrays
 */

#ifndef SCOPES_RUN_ARRAY_PRIVATE_H
#define SCOPES_RUN_ARRAY_PRIVATE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * es__array_find - find a number in an array that is sorted by it
 *
 * array, count, bytes	items, their number, and the size of an item
 * offset		offset, in an item, of the uint32_t that is its number
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
