/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/file.c - writes a file through a buffer
 */

#include "scopes/export/file_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

paths_status
es__export_file_fail(const char *name)
{
	bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;

	return paths_log_fail(full ? PATHS_EFULL : PATHS_EIO, "%s: %s", name,
	    strerror(errno));
}

paths_status
es__export_file_open(struct es__export_file *file, const char *name)
{
	*file = (struct es__export_file){ .name = name };
	file->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file->fd < 0)
		return es__export_file_fail(name);
	file->bytes = malloc(ES__EXPORT_FILE_BYTES);
	if (file->bytes != NULL)
		return PATHS_OK;
	close(file->fd);
	file->fd = -1;
	return paths_log_fail(PATHS_ENOMEM, "no memory to write %s", name);
}

void
es__export_file_flush(struct es__export_file *file)
{
	size_t at = 0;

	while (at < file->used && file->st == PATHS_OK) {
		ssize_t wrote =
		    write(file->fd, file->bytes + at, file->used - at);

		if (wrote > 0)
			at += (size_t)wrote;
		else if (wrote < 0 && errno != EINTR)
			file->st = es__export_file_fail(file->name);
	}
	file->written += file->used;
	file->used = 0;
}

paths_status
es__export_file_close(struct es__export_file *file)
{
	es__export_file_flush(file);
	/* Some file systems report a failure only at close. */
	if (close(file->fd) != 0 && file->st == PATHS_OK)
		file->st = es__export_file_fail(file->name);
	free(file->bytes);
	file->bytes = NULL;
	return file->st;
}

void
es__export_file_put(struct es__export_file *file, const void *bytes,
    size_t count)
{
	const char *from = bytes;

	while (count > 0) {
		size_t some = count < ES__EXPORT_ROOM ? count : ES__EXPORT_ROOM;

		memcpy(es__export_file_room(file, some), from, some);
		file->used += some;
		from += some;
		count -= some;
	}
}

void
es__export_file_text(struct es__export_file *file, const char *text)
{
	es__export_file_put(file, text, strlen(text));
}

void
es__export_file_print(struct es__export_file *file, const char *fmt, ...)
{
	char *text;
	va_list args;
	int bytes;

	va_start(args, fmt);
	bytes = vasprintf(&text, fmt, args);
	va_end(args);
	if (bytes < 0) {
		if (file->st == PATHS_OK)
			file->st = paths_log_fail(PATHS_ENOMEM,
			    "no memory to write %s", file->name);
		return;
	}
	es__export_file_put(file, text, (size_t)bytes);
	free(text);
}

char *
es__export_digits(char *to, uint64_t number)
{
	char digits[20];
	unsigned count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0)
		*to++ = digits[--count];
	return to;
}

char *
es__export_signed_digits(char *to, int64_t number)
{
	if (number >= 0)
		return es__export_digits(to, (uint64_t)number);
	*to++ = '-';
	return es__export_digits(to, 0 - (uint64_t)number);
}
