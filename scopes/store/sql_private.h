/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/sql_private.h - declares the statements of .sql files
 *
 * A statement under "-- name: NAME" in a .sql file is compiled in as the string
 * es__sql_NAME (scopes/store/sql.awk).
 */

#ifndef SCOPES_STORE_SQL_PRIVATE_H
#define SCOPES_STORE_SQL_PRIVATE_H

/* Declares a statement in the source that uses it. */
#define ES__SQL(name) extern const char es__sql_##name[]

#endif
