/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/array_private.h - grows arrays by doubling
 */

#ifndef SCOPES_RUN_ARRAY_PRIVATE_H
#define SCOPES_RUN_ARRAY_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
