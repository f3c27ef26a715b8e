/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/size_private.h - the time that a byte takes on a link
 */

#ifndef SCOPES_ALIGN_SIZE_PRIVATE_H
#define SCOPES_ALIGN_SIZE_PRIVATE_H

#include "scopes/align/align_private.h"

/* Finds the time of a byte on a link, if its sizes tell. */
void es__align_size_find(struct es__align_link *link);

#endif
