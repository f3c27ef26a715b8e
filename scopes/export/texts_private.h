/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/texts_private.h - growable array of formatted strings
 */

#ifndef SCOPES_EXPORT_TEXTS_PRIVATE_H
#define SCOPES_EXPORT_TEXTS_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>

/* Strings by number; zeroed, it is empty. */
struct es__export_texts {
	char **texts;
	size_t room;
	uint32_t count;
};

/* Appends a string.  Returns it, or NULL if there is no memory. */
const char *es__export_texts_add(struct es__export_texts *texts,
    const char *fmt, ...) PATHS_PRINTF(2, 3);

void es__export_texts_free(struct es__export_texts *texts);

#endif
