/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_part_private.h - adds parts to a space that is being
 * recorded
 */

#ifndef COLLECTORS_SPACE_RECORD_PART_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_PART_PRIVATE_H

#include "collectors/space/record_private.h"

/* Unmaps and frees all parts that were added. */
void es__record_part_free(struct es_record *record);

#endif
