/* SPDX-License-Identifier: MIT */
/*
 * collectors/control/mode.c - names of modes on the command line
 */

#include "collectors/control/mode_private.h"

#include "collectors/space.h"
#include "libpaths/log.h"

#include <string.h>

paths_status
mode_parse(const char *text, uint32_t *modes)
{
	static const struct {
		const char *name;
		uint32_t mode;
	} all[] = { { "trace", ES_MODE_TRACE }, { "profile", ES_MODE_PROFILE },
		{ "matrix", ES_MODE_MATRIX } };
	const char *at = text;
	size_t n, length;

	for (*modes = 0; *at != 0; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		for (n = 0; n < 3; n++) {
			if (strlen(all[n].name) == length &&
			    strncmp(all[n].name, at, length) == 0)
				break;
		}
		if (n == 3)
			break;
		*modes |= all[n].mode;
	}
	if (*at == 0 && *modes != 0)
		return PATHS_OK;
	return paths_log_fail(PATHS_ESYNTAX,
	    "expected trace, profile or matrix, with commas between them");
}
