/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/layout_private.h - computes all offsets of an
 * event-space file
 */

#ifndef COLLECTORS_SPACE_LAYOUT_PRIVATE_H
#define COLLECTORS_SPACE_LAYOUT_PRIVATE_H

#include "collectors/record.h"

struct es__layout {
	const struct es_record_spec *spec;
	struct es_space_head head;	    /* without magic and checksum */
	const struct es_tuple_type **types; /* each type once */
	struct es_space_ring *rings;	    /* one for each collector */
	uint64_t rings_offset;
	uint64_t end; /* size of the file so far */
	bool too_large;
};

/* Call es__layout_fini also after a failed init. */
paths_status es__layout_init(struct es__layout *l,
    const struct es_record_spec *spec) PATHS_CHECKED;
void es__layout_fini(struct es__layout *l);

#endif
