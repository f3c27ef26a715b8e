/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/file_private.h - what exports are written to
 *
 * A file or a folder appears under its name when it is whole, and never in
 * place of another.
 */

#ifndef SCOPES_EXPORT_FILE_PRIVATE_H
#define SCOPES_EXPORT_FILE_PRIVATE_H

#include "collectors/api.h"
#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the file system says with errno, as a status, and why. */
paths_status es__export_file_fail(const char *name) PATHS_CHECKED;

/* A file that is written from begin to end. */
struct es__export_file {
	int fd;
	const char *name;
	char *bytes;
	size_t used;
	uint64_t written; /* before those */
	paths_status st;  /* the first failure; what follows is dropped */
};

/* No more than that is asked of es__export_file_room at once. */
#define ES__EXPORT_ROOM 65536u

paths_status es__export_file_open(struct es__export_file *file,
    const char *name) PATHS_CHECKED;
/* Write the rest; also after a failure.  The first failure of all. */
paths_status es__export_file_close(struct es__export_file *file) PATHS_CHECKED;

void es__export_file_flush(struct es__export_file *file);

#define ES__EXPORT_FILE_BYTES (1u << 20)

/* Room for that many bytes; who fills it adds them to file->used. */
static inline char *
es__export_file_room(struct es__export_file *file, size_t bytes)
{
	if (file->used + bytes > ES__EXPORT_FILE_BYTES)
		es__export_file_flush(file);
	return file->bytes + file->used;
}

void es__export_file_put(struct es__export_file *file, const void *bytes,
    size_t count);
void es__export_file_text(struct es__export_file *file, const char *text);
void es__export_file_print(struct es__export_file *file, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* A number in decimal digits, for which there is room; the end of it. */
char *es__export_digits(char *to, uint64_t number);
char *es__export_signed_digits(char *to, int64_t number);

#endif
