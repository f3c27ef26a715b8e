/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/fail_private.h - reports failures of eventspace-run
 */

#ifndef LIBPATHS_RUN_FAIL_PRIVATE_H
#define LIBPATHS_RUN_FAIL_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>

/* Prints "eventspace run: ..." on standard error.  Returns false. */
bool run_fail(const char *fmt, ...) PATHS_PRINTF(1, 2);

#endif
