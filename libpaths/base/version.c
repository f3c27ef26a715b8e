/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/version.c - the version of eventspace
 */

#include "libpaths/version.h"

const char *
paths_version(void)
{
	return PACKAGE_VERSION;
}
