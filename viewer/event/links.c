/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/links.c - intervals on rows, and arrows between rows
 */

#include "viewer/event/links.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

paths_status
esv_links_add(struct esv_links *links, size_t most, const struct esv_link *link)
{
	links->all++;
	if (links->count >= most)
		return PATHS_OK;
	if (!paths__array_grow(&links->links, links->count, &links->capacity,
		sizeof(*links->links)))
		return paths_log_fail(PATHS_ENOMEM, "links");
	links->links[links->count++] = *link;
	return PATHS_OK;
}

void
esv_links_fini(struct esv_links *links)
{
	free(links->links);
	*links = (struct esv_links){ NULL, 0, 0, 0 };
}
