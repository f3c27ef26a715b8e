/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/array.c - grows arrays by doubling
 */

#include "scopes/run/array_private.h"

#include <stdlib.h>

/* Initial capacity of an array. */
#define ARRAY_ROOM_FIRST 16u

bool
es__array_grow(void *array, size_t count, size_t *room, size_t bytes)
{
	void **at = array;
	size_t more = *room == 0 ? ARRAY_ROOM_FIRST : *room * 2;
	void *larger;

	if (count < *room)
		return true;
	larger = reallocarray(*at, more, bytes);
	if (larger == NULL)
		return false;
	*at = larger;
	*room = more;
	return true;
}
