/* SPDX-License-Identifier: MIT */
/*
 * libpaths/status.h - the status that a call returns
 *
 * There is one table for all libraries.  PATHS_OK is 0, errors are negative,
 * and a number never changes its meaning.
 */

#ifndef LIBPATHS_STATUS_H
#define LIBPATHS_STATUS_H

#include "libpaths/language.h"

PATHS_BEGIN_DECLS

#if defined(__GNUC__)
#define PATHS_API __attribute__((visibility("default")))
#define PATHS_CHECKED __attribute__((warn_unused_result))
#define PATHS_PRINTF(fmt, arg) __attribute__((format(printf, fmt, arg)))
#else
#define PATHS_API
#define PATHS_CHECKED
#define PATHS_PRINTF(fmt, arg)
#endif

/* clang-format off */
#define PATHS_STATUS_TABLE(X) \
	X(PATHS_OK,		0,	"done") \
	X(PATHS_EINVAL,		-1,	"invalid argument") \
	X(PATHS_ENOMEM,		-2,	"out of memory") \
	X(PATHS_EBUSY,		-3,	"already in use") \
	X(PATHS_ETIMEDOUT,	-4,	"deadline passed") \
	X(PATHS_ECLOSED,	-5,	"closed") \
	X(PATHS_ELOST,		-6,	"peer lost") \
	X(PATHS_EFULL,		-7,	"full") \
	X(PATHS_ETYPE,		-8,	"types differ") \
	X(PATHS_ENOENT,		-9,	"no such thing") \
	X(PATHS_ESYNTAX,	-10,	"cannot be parsed") \
	X(PATHS_EAUTH,		-11,	"not authenticated") \
	X(PATHS_EPROTO,		-12,	"protocol violated") \
	X(PATHS_EIO,		-13,	"input or output failed") \
	X(PATHS_ERANGE,		-14,	"out of range") \
	X(PATHS_EABI,		-15,	"made for another version") \
	X(PATHS_EDAMAGED,	-16,	"damaged") \
	X(PATHS_ECANCELED,	-17,	"canceled")
/* clang-format on */

enum paths_status_code {
#define PATHS_STATUS_ENUM(name, number, about) name = number,
	PATHS_STATUS_TABLE(PATHS_STATUS_ENUM)
#undef PATHS_STATUS_ENUM
};

typedef int paths_status;

/*
 * paths_status_name - the name of a status, as in this header
 *
 * Returns	"PATHS_EINVAL" and the like; "PATHS_E?" for an unknown number
 * Ownership	a constant
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_status_name(paths_status st);

/*
 * paths_status_about - describe a status in a few words
 *
 * Returns	"deadline passed" and the like; "unknown status" otherwise
 * Ownership	a constant
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_status_about(paths_status st);

PATHS_END_DECLS

#endif
