/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/file_private.h - writes a file through a buffer
 */

#ifndef SCOPES_EXPORT_FILE_PRIVATE_H
#define SCOPES_EXPORT_FILE_PRIVATE_H

#include "collectors/api.h"
#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Logs errno with the name of the file, and returns it as a status. */
paths_status es__export_file_fail(const char *name) PATHS_CHECKED;

/* A file that is written from begin to end. */
struct es__export_file {
	int fd;
	const char *name;
	char *bytes;
	size_t used;
	uint64_t written; /* number of bytes that left the buffer */
	paths_status st;  /* first failure; later bytes are dropped */
};

/* The greatest number of bytes for es__export_file_room. */
#define ES__EXPORT_ROOM 65536u

paths_status es__export_file_open(struct es__export_file *file,
    const char *name) PATHS_CHECKED;
/* Writes the rest and closes the file.  Returns the first failure of all. */
paths_status es__export_file_close(struct es__export_file *file) PATHS_CHECKED;

void es__export_file_flush(struct es__export_file *file);

#define ES__EXPORT_FILE_BYTES (1u << 20)

/* Returns room for a number of bytes.  The caller adds those that it fills to
   file->used. */
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

/* Writes a number in decimal digits, at most 20.  Returns their end. */
char *es__export_digits(char *to, uint64_t number);
char *es__export_signed_digits(char *to, int64_t number);

#endif
