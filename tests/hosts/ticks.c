/* SPDX-License-Identifier: MIT */
/*
 * tests/hosts/ticks.c - prints the raw ticks of this machine and their rate, as
 * PATHS_CLOCK has them: "@base,hz"
 */

#include "libpaths/clock.h"

#include <stdio.h>

int
main(void)
{
	return printf("@%llu,%llu\n", (unsigned long long)paths_clock_ticks(),
		   (unsigned long long)paths_clock_hz()) < 0;
}
