/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/polish_private.h - repairs single messages
 */

#ifndef SCOPES_ALIGN_POLISH_PRIVATE_H
#define SCOPES_ALIGN_POLISH_PRIVATE_H

#include "scopes/align/align_private.h"

/* Moves the corners near messages that are received before they are sent. */
paths_status es__align_polish(struct es__align *align) PATHS_CHECKED;

#endif
