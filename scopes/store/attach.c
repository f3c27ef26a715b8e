/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/attach.c - refuses files that a query may not attach to a
 * view.db
 *
 * SQLite asks an authorizer before it compiles ATTACH.  The authorizer gets the
 * name of the file only if the statement has it as a text.
 */

#include "scopes/store/attach_private.h"

#include "scopes/store/store_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The file can be written and read without a write-ahead log: both bytes of
   the header are 1.  Source: SQLite, Database File Format, section 1.3 */
#define ATTACH_VERSIONS 18
static const char attach_no_wal[2] = { 1, 1 };

/* Refuses a file with a write-ahead log, because SQLite would create the log
   and its index beside a file that is attached for reading. */
static paths_status
attach_check_log(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char versions[sizeof(attach_no_wal)];
	ssize_t got = -1;

	if (fd >= 0) {
		got = pread(fd, versions, sizeof(versions), ATTACH_VERSIONS);
		(void)close(fd);
	}
	if (got != sizeof(versions))
		return paths_log_fail(PATHS_EIO, "%s: %s", file,
		    got < 0 ? strerror(errno) : "too short");
	if (memcmp(versions, attach_no_wal, sizeof(versions)) != 0)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: has a write-ahead log, which ATTACH would change",
		    file);
	return PATHS_OK;
}

static paths_status
attach_check(const struct es_store *store, const char *file)
{
	paths_status st;

	if (file == NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "ATTACH: the name of the file must be a text");
	/* SQLite, too, compares these bytes as they are. */
	if (strncmp(file, "file:", strlen("file:")) == 0)
		return paths_log_fail(PATHS_EINVAL,
		    "ATTACH: %s: must be a path, not a URI", file);
	st = store->check(file);
	return st == PATHS_OK ? attach_check_log(file) : st;
}

/* The callback of SQLite. */
static int
attach_authorize(void *to, int action, const char *file, const char *second,
    const char *database, const char *from)
{
	struct es_store *store = to;

	(void)second;
	(void)database;
	(void)from;
	if (action != SQLITE_ATTACH)
		return SQLITE_OK;
	store->attach_error = attach_check(store, file);
	return store->attach_error == PATHS_OK ? SQLITE_OK : SQLITE_DENY;
}

void
es__attach_only(struct es_store *store, es__attach_check *check)
{
	store->check = check;
	(void)sqlite3_set_authorizer(store->db, attach_authorize, store);
}

paths_status
es__attach_error(const struct es_store *store)
{
	if (store->attach_error != PATHS_OK)
		return store->attach_error;
	return es__store_fail(store, SQLITE_AUTH);
}
