/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/version.c - which eventspace this is
 */

#include "libpaths/version.h"

const char *
paths_version(void)
{
	return PACKAGE_VERSION;
}
