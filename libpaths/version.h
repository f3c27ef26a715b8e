/* SPDX-License-Identifier: MIT */
/*
 * libpaths/version.h - the version of eventspace
 */

#ifndef LIBPATHS_VERSION_H
#define LIBPATHS_VERSION_H

#include "libpaths/status.h"

PATHS_BEGIN_DECLS

/*
 * paths_version - the version of the library that is running
 *
 * Returns	"major.minor.micro", as in configure.ac
 * Threads	any; no shared state
 * Since	0.1
 */
PATHS_API const char *paths_version(void);

PATHS_END_DECLS

#endif
