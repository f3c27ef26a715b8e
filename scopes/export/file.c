/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/file.c - what exports are written to
 */

#include "scopes/export/file_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

paths_status
es__export_fail(const char *name)
{
	bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;

	return paths_log_fail(full ? PATHS_EFULL : PATHS_EIO, "%s: %s", name,
	    strerror(errno));
}

static paths_status
target_taken(const struct es__export_target *target)
{
	return paths_log_fail(PATHS_EBUSY, "%s: it exists already",
	    target->name);
}

/* A name is made by mkstemp for its owner alone; what it becomes is for whom
   the user lets read. */
static void
target_permit(const struct es__export_target *target)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	(void)chmod(target->temporary, (target->folder ? 0777 : 0666) & ~mask);
}

paths_status
es__export_target_open(struct es__export_target *target, const char *name,
    bool folder)
{
	struct stat known;
	size_t bytes = strlen(name);
	bool made;
	int fd = -1;

	*target = (struct es__export_target){ .name = name, .folder = folder };
	if (lstat(name, &known) == 0)
		return target_taken(target);
	/* A slash at the end is of a folder that is to be made. */
	while (bytes > 1 && name[bytes - 1] == '/')
		bytes--;
	if (asprintf(&target->temporary, "%.*s.XXXXXX", (int)bytes, name) < 0) {
		target->temporary = NULL;
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	}
	if (folder)
		made = mkdtemp(target->temporary) != NULL;
	else
		made = (fd = mkostemp(target->temporary, O_CLOEXEC)) >= 0;
	if (!made) {
		paths_status st = es__export_fail(name);

		free(target->temporary);
		target->temporary = NULL;
		return st;
	}
	if (fd >= 0)
		close(fd);
	target_permit(target);
	return PATHS_OK;
}

paths_status
es__export_target_commit(struct es__export_target *target)
{
	struct stat known;
	int rc = renameat2(AT_FDCWD, target->temporary, AT_FDCWD, target->name,
	    RENAME_NOREPLACE);

	/* Not every file system can do that. */
	if (rc != 0 && (errno == EINVAL || errno == ENOSYS)) {
		if (lstat(target->name, &known) == 0)
			return target_taken(target);
		rc = rename(target->temporary, target->name);
	}
	if (rc != 0)
		return errno == EEXIST ? target_taken(target) :
					 es__export_fail(target->name);
	free(target->temporary);
	target->temporary = NULL;
	return PATHS_OK;
}

static int
target_remove(const char *path, const struct stat *known, int flag,
    struct FTW *ftw)
{
	(void)known;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void
es__export_target_close(struct es__export_target *target)
{
	if (target->temporary == NULL)
		return;
	(void)nftw(target->temporary, target_remove, 16, FTW_DEPTH | FTW_PHYS);
	free(target->temporary);
	target->temporary = NULL;
}

paths_status
es__export_file_open(struct es__export_file *file, const char *name)
{
	*file = (struct es__export_file){ .name = name };
	file->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file->fd < 0)
		return es__export_fail(name);
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
			file->st = es__export_fail(file->name);
	}
	file->written += file->used;
	file->used = 0;
}

paths_status
es__export_file_close(struct es__export_file *file)
{
	es__export_file_flush(file);
	/* Some file systems tell only now. */
	if (close(file->fd) != 0 && file->st == PATHS_OK)
		file->st = es__export_fail(file->name);
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
