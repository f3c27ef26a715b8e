/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_api.c - the table of SQLite's functions in
 * eventspace.so
 */

#include "scopes/store/extension_api_private.h"

SQLITE_EXTENSION_INIT1
