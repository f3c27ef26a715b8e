/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/ends.c - tells of a compared run that it died or hung
 */

#include "viewer/model/ends.h"

#include "libpaths/log.h"
#include "scopes/finding.h"

#include <stdio.h>
#include <stdlib.h>

struct ends {
	FILE *to;
	const char *name;
	bool any;
};

static paths_status
ends_take(void *to, const struct es_finding *finding)
{
	struct ends *ends = to;

	if (!ends->any)
		fprintf(ends->to, "%s:", ends->name);
	fprintf(ends->to, " %s", finding->text);
	ends->any = true;
	return PATHS_OK;
}

paths_status
esv_ends_read(struct esv_model *model, const char *name, char **text)
{
	struct ends ends = { .name = name };
	char *buffer = NULL;
	size_t bytes;
	bool whole;
	paths_status st;

	*text = NULL;
	ends.to = open_memstream(&buffer, &bytes);
	if (ends.to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a text");
	st = es_finding_ends(model->store, ends_take, &ends);
	if (ends.any)
		fprintf(ends.to,
		    " %s did not end by itself: it is compared up to then.",
		    name);
	whole = ferror(ends.to) == 0;
	if (fclose(ends.to) != 0)
		whole = false;
	if (st == PATHS_OK && !whole)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a text");
	if (st != PATHS_OK || !ends.any) {
		free(buffer);
		return st;
	}
	*text = buffer;
	return PATHS_OK;
}
