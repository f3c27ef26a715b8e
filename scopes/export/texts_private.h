/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/texts_private.h - growable array of formatted strings
 */

#ifndef SCOPES_EXPORT_TEXTS_PRIVATE_H
#define SCOPES_EXPORT_TEXTS_PRIVATE_H

#include "libpaths/status.h"

#include <stdint.h>

/* Strings by number; zeroed, it is empty. */
struct es__export_texts {
	char **texts;
	uint32_t count, room;
};

/* Appends a string.  Returns it, or NULL if there is no memory. */
const char *es__export_texts_add(struct es__export_texts *texts,
    const char *fmt, ...) PATHS_PRINTF(2, 3);

void es__export_texts_free(struct es__export_texts *texts);

#endif
