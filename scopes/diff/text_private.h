/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/text_private.h - the sentence of a comparison
 */

#ifndef SCOPES_DIFF_TEXT_PRIVATE_H
#define SCOPES_DIFF_TEXT_PRIVATE_H

#include "scopes/diff/diff_private.h"

/* Writes the sentence, when the causes are known. */
paths_status es__diff_write(struct es_diff *d) PATHS_CHECKED;

#endif
