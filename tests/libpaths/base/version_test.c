/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/version_test.c - proves libpaths/base/version.c
 */

#include "libpaths/version.h"

#include "tests/test.h"

static void
version_is_the_one_configured(void)
{
	EXPECT_STR_EQ(PACKAGE_VERSION, paths_version());
}

TEST_MAIN(version_is_the_one_configured)
