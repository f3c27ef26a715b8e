/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/links.h - intervals on rows, and arrows between rows
 */

#ifndef VIEWER_EVENT_LINKS_H
#define VIEWER_EVENT_LINKS_H

#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>

/* An interval of one row, or an arrow from one row to another. */
struct esv_link {
	uint32_t from_row, to_row; /* indices of model->rows */
	int64_t from_ns, to_ns;
};

struct esv_links {
	struct esv_link *links;
	size_t count, capacity;
	uint64_t all; /* links found; more than count if too many */
};

/*
 * esv_links_add - add a link; beyond `most` links it is only counted
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status esv_links_add(struct esv_links *links, size_t most,
    const struct esv_link *link) PATHS_CHECKED;
void esv_links_fini(struct esv_links *links);

#endif
