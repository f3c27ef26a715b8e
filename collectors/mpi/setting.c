/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/setting.c - read what `eventspace mpi` set
 */

#include "collectors/mpi/setting_private.h"

#include <stdlib.h>

uint64_t
mpi_setting_number(const char *name, uint64_t most, uint64_t otherwise)
{
	const char *text = getenv(name);
	unsigned long long number;
	char *end;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return otherwise;
	number = strtoull(text, &end, 10);
	return *end == 0 && number <= most ? number : otherwise;
}
