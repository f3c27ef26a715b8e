/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/array.h - grows arrays by doubling
 *
 * For all floors; not installed.
 */

#ifndef LIBPATHS_BASE_ARRAY_H
#define LIBPATHS_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The first room of an array. */
#define PATHS__ARRAY_ROOM_FIRST 16u

/*
 * paths__array_reserve - give an array room for a count of items
 *
 * array	address of the pointer to heap memory; NULL there at first
 * count	items that the array must have room for
 * room		in and out: items that it has room for; 0 at first
 * bytes	of an item
 *
 * Returns	true; false: no memory, and the array is unchanged
 */
static inline bool
paths__array_reserve(void *array, size_t count, size_t *room, size_t bytes)
{
	size_t larger = *room == 0 ? PATHS__ARRAY_ROOM_FIRST : *room * 2;
	void *items;

	if (count <= *room)
		return true;
	if (larger < count)
		larger = count;
	/* The type of the pointer is the caller's, so it is only copied. */
	memcpy(&items, array, sizeof(items));
	items = reallocarray(items, larger, bytes);
	if (items == NULL)
		return false;
	memcpy(array, &items, sizeof(items));
	*room = larger;
	return true;
}

/* Gives an array room for one item more than it has, as paths__array_reserve
   does. */
static inline bool
paths__array_grow(void *array, size_t count, size_t *room, size_t bytes)
{
	return paths__array_reserve(array, count + 1, room, bytes);
}

#endif
