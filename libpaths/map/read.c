/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/read.c - reads the file of a path map
 */

#include "libpaths/map/read_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES ((size_t)64 << 10)

/* A file while it is read. */
struct reading {
	const char *file;
	int fd;
	char *text;
	size_t bytes;
	size_t room;
	size_t line; /* offset of the line that has not ended yet */
};

static paths_status
read_reserve(struct reading *r)
{
	if (paths__array_reserve(&r->text, r->bytes + READ_BYTES, &r->room, 1))
		return PATHS_OK;
	return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
	    r->file);
}

/* Refuses a line or a map that is too long, before more of it is read. */
static paths_status
read_bound(const struct reading *r)
{
	uint32_t number = 1;

	if (r->bytes <= PATHS_MAP_BYTES_MAX &&
	    r->bytes - r->line <= PATHS_MAP_LINE_BYTES_MAX)
		return PATHS_OK;
	for (size_t n = 0; n < r->line; n++)
		number += r->text[n] == '\n';
	if (r->bytes - r->line > PATHS_MAP_LINE_BYTES_MAX)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s:%u: line: expected at most %u bytes", r->file, number,
		    PATHS_MAP_LINE_BYTES_MAX);
	return paths_log_fail(PATHS_ESYNTAX,
	    "%s:%u: map: expected at most %u bytes", r->file, number,
	    PATHS_MAP_BYTES_MAX);
}

/* Reads once; sets *end at the end of the file. */
static paths_status
read_some(struct reading *r, bool *end)
{
	const char *newline;
	ssize_t got;
	paths_status st = read_reserve(r);

	if (st != PATHS_OK)
		return st;
	do
		got = read(r->fd, r->text + r->bytes, READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return paths_log_fail(PATHS_EIO, "%s: %s", r->file,
		    strerror(errno));
	*end = got == 0;
	newline = memrchr(r->text + r->bytes, '\n', (size_t)got);
	if (newline != NULL)
		r->line = (size_t)(newline + 1 - r->text);
	r->bytes += (size_t)got;
	return read_bound(r);
}

paths_status
paths__read_file(const char *file, char **text, size_t *bytes)
{
	struct reading r = { .file = file };
	paths_status st = PATHS_OK;
	bool end = false;

	r.fd = open(file, O_RDONLY | O_CLOEXEC);
	if (r.fd < 0)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	while (st == PATHS_OK && !end)
		st = read_some(&r, &end);
	close(r.fd);
	if (st != PATHS_OK) {
		free(r.text);
		return st;
	}
	/* The last read returned 0 bytes, so there is room for the 0. */
	r.text[r.bytes] = '\0';
	*text = r.text;
	*bytes = r.bytes;
	return PATHS_OK;
}
