/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/version_test.c - proves libpaths/base/version.c
 */

#include "libpaths/version.h"

#include "tests/test.h"

static void
the_version_is_that_of_configure(void)
{
	EXPECT_STR_EQ(PACKAGE_VERSION, paths_version());
}

TEST_MAIN(the_version_is_that_of_configure)
