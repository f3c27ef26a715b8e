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
 * es__array_grow - let an array have room for one item more
 *
 * array	address of the pointer to heap memory; NULL there at first
 * count	items that the array has
 * room		in and out: items that it has room for; 0 at first
 * bytes	of an item
 *
 * Returns	true; false: no memory, and the array is as it was
 */
bool es__array_grow(void *array, size_t count, size_t *room, size_t bytes);

/*
 * es__array_find - find a number in an array that ascends by it
 *
 * array, count, bytes	items, their number, and the size of an item
 * offset		of a uint32_t in an item, the number to search by
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
