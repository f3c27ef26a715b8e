/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/type_private.h - the names that maps and types allow
 */

#ifndef LIBPATHS_BASE_TYPE_PRIVATE_H
#define LIBPATHS_BASE_TYPE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true when a name is 1 to bytes_max of A-Z a-z 0-9 . _ - and does not
   begin with "-". */
bool paths__type_is_word(const char *name, size_t bytes_max);

#endif
