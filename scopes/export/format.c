/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/format.c - the list of the formats of events
 */

#include "scopes/export/format_private.h"

#include "libpaths/nearest.h"

#include <string.h>

#define ES__EXPORT(name) \
	extern const struct es__export_format es__export_##name;
#include "scopes/export/exports.def"
#undef ES__EXPORT

#define ES__EXPORT(name) &es__export_##name,
static const struct es__export_format *const formats[] = {
#include "scopes/export/exports.def"
};
#undef ES__EXPORT

const struct es__export_format *
es__export_format_find(const char *name)
{
	for (size_t n = 0; n < sizeof(formats) / sizeof(formats[0]); n++)
		if (strcmp(formats[n]->name, name) == 0)
			return formats[n];
	return NULL;
}

void
es__export_format_try(struct paths_nearest *nearest)
{
	for (size_t n = 0; n < sizeof(formats) / sizeof(formats[0]); n++)
		paths_nearest_try(nearest, formats[n]->name);
}
