/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/demangle_test.c - proves scopes/run/demangle.c
 */

#include "scopes/run/demangle_private.h"

#include "tests/test.h"

#include <stdlib.h>

/* Expects the readable name; NULL: the name is not mangled. */
static void
expect_name(const char *want, const char *mangled)
{
	char *name = es__demangle(mangled);

	if (want == NULL)
		EXPECT_TRUE(name == NULL);
	else
		EXPECT_STR_EQ(want, name);
	free(name);
}

static void
procedures_of_fortran_modules(void)
{
	expect_name("halo_mod::exchange", "__halo_mod_MOD_exchange");
	expect_name("halo_mod::exchange", "_QMhalo_modPexchange");
}

static void
functions_of_cpp(void)
{
	expect_name("halo::exchange", "_ZN4halo8exchangeEi");
	expect_name("std::vector<int, std::allocator<int> >::size",
	    "_ZNKSt6vectorIiSaIiEE4sizeEv");
}

static void
other_names(void)
{
	expect_name(NULL, NULL);
	expect_name(NULL, "");
	expect_name(NULL, "exchange_");
	expect_name(NULL, "main");
	expect_name(NULL, "__MOD_exchange");
	expect_name(NULL, "__halo_mod_MOD_");
	expect_name(NULL, "advance_mp_step_");
	expect_name(NULL, "_QMhalo_mod");
	expect_name(NULL, "_Z");
}

TEST_MAIN(procedures_of_fortran_modules, functions_of_cpp, other_names)
