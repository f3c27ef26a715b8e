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
	/* double halo::reduce<double>(std::vector<double> const&) */
	expect_name("halo::reduce<double>",
	    "_ZN4halo6reduceIdEET_RKSt6vectorIS1_SaIS1_EE");
	expect_name("halo::(anonymous namespace)::hidden",
	    "_ZN4halo12_GLOBAL__N_16hiddenEv");
	expect_name("halo::operator<< <int>", "_ZN4halolsIiEEvT_");
	expect_name("halo::cell::operator unsigned int", "_ZNK4halo4cellcvjEv");
	expect_name("operator new", "_Znwm");
	expect_name("main::{lambda}::operator()", "_ZZ4mainENKUliE_clEi");
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
