/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/collect.c - copies the files of a run directory to the
 * launcher
 *
 * Holes of files and bytes that are zero are left out: the rings of event
 * spaces have many.  Only ordinary files are copied.
 */

#include "libpaths/launch/collect_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pieces of a step: between two steps the agent sends beats and receives. */
#define COLLECT_PIECES 64

bool
launch_collect_begin(struct launch_collect *collect,
    const struct launch_folder *folder, char why[LAUNCH_WHY_BYTES])
{
	collect->fd = -1;
	collect->dir = opendir(folder->own);
	if (collect->dir != NULL)
		return true;
	snprintf(why, LAUNCH_WHY_BYTES, "%.150s: %.90s", folder->own,
	    strerror(errno));
	return false;
}

void
launch_collect_fini(struct launch_collect *collect)
{
	if (collect->dir == NULL)
		return;
	closedir(collect->dir);
	collect->dir = NULL;
	if (collect->fd >= 0)
		close(collect->fd);
}

static void
collect_end_file(struct launch_collect *collect, struct launch_channel *c,
    int error)
{
	launch_channel_send_text(c, LAUNCH_FILE_END,
	    error == 0 ? "" : strerror(error));
	close(collect->fd);
	collect->fd = -1;
}

/* Reports a file that cannot be read: it is not copied, and stays. */
static void
collect_refuse(struct launch_channel *c, const char *name, int error)
{
	struct launch_bytes content = { .memory = NULL };

	launch_put_text(&content, name);
	launch_put_number(&content, 0600);
	launch_put_number(&content, 0);
	launch_channel_send_bytes(c, LAUNCH_FILE, &content);
	launch_channel_send_text(c, LAUNCH_FILE_END, strerror(error));
}

/* Opens a file, unless it is not to be copied. */
static void
collect_open(struct launch_collect *collect, struct launch_channel *c,
    const char *name)
{
	const int dir = dirfd(collect->dir);
	struct stat status;
	const bool found =
	    fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0;

	if (found && !S_ISREG(status.st_mode))
		return;
	if (found)
		collect->fd = openat(dir, name,
		    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (collect->fd < 0 && errno != ENOENT)
		collect_refuse(c, name, errno);
}

/* Opens the next file of the directory.  Returns false when there is none. */
static bool
collect_next(struct launch_collect *collect, struct launch_channel *c)
{
	struct launch_bytes content = { .memory = NULL };
	const struct dirent *entry;
	struct stat status;

	do {
		errno = 0;
		entry = readdir(collect->dir);
		if (entry == NULL && errno != 0)
			launch_channel_send_text(c, LAUNCH_FAILED,
			    strerror(errno));
		if (entry == NULL)
			return false;
		if (launch_folder_copies(entry->d_name))
			collect_open(collect, c, entry->d_name);
	} while (collect->fd < 0);
	if (fstat(collect->fd, &status) != 0) {
		launch_channel_send_text(c, LAUNCH_FAILED, strerror(errno));
		return false;
	}
	collect->at = 0;
	collect->size = status.st_size;
	launch_put_text(&content, entry->d_name);
	launch_put_number(&content, status.st_mode & 0777);
	launch_put_number(&content, (uint64_t)status.st_size);
	launch_channel_send_bytes(c, LAUNCH_FILE, &content);
	return true;
}

static bool
collect_is_zero(const uint8_t *bytes, size_t count)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

/* Queues the next bytes of a file, if they are not all zero. */
static void
collect_piece(struct launch_collect *collect, struct launch_channel *c)
{
	uint8_t piece[sizeof(uint64_t) + LAUNCH_PIECE_MAX];
	const off_t data = lseek(collect->fd, collect->at, SEEK_DATA);
	const uint64_t at = data < 0 ? (uint64_t)collect->at : (uint64_t)data;
	size_t count = LAUNCH_PIECE_MAX;
	ssize_t n;

	/* ENXIO: there is only a hole. */
	if ((data < 0 && errno == ENXIO) || (off_t)at >= collect->size) {
		collect_end_file(collect, c, 0);
		return;
	}
	if (collect->size - (off_t)at < (off_t)count)
		count = (size_t)(collect->size - (off_t)at);
	n = pread(collect->fd, piece + sizeof(at), count, (off_t)at);
	if (n <= 0) {
		collect_end_file(collect, c, n == 0 ? 0 : errno);
		return;
	}
	memcpy(piece, &at, sizeof(at));
	if (!collect_is_zero(piece + sizeof(at), (size_t)n))
		launch_channel_send(c, LAUNCH_DATA, piece,
		    sizeof(at) + (size_t)n);
	collect->at = (off_t)at + n;
}

bool
launch_collect_step(struct launch_collect *collect, struct launch_channel *c)
{
	for (int n = 0;
	     n < COLLECT_PIECES && launch_channel_queued(c) < LAUNCH_QUEUE_MAX;
	     n++) {
		if (collect->fd >= 0)
			collect_piece(collect, c);
		else if (!collect_next(collect, c)) {
			launch_channel_send(c, LAUNCH_COLLECTED, NULL, 0);
			return true;
		}
	}
	return false;
}
