/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/setting.c - reads the settings of `eventspace mpi`
 */

#include "collectors/mpi/base/setting_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <stdlib.h>

uint64_t
mpi_setting_number(const char *name, uint64_t most, uint64_t otherwise)
{
	const char *text = getenv(name);
	uint64_t number = otherwise;

	if (text != NULL &&
	    paths_unit_parse(PATHS_UNIT_COUNT, text, 0, most, &number) !=
		PATHS_OK)
		paths_log_warn("%s=%s: %s; %llu is used", name, text,
		    paths_log_last(), (unsigned long long)otherwise);
	return number;
}
