/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/space_file.c - opens event spaces, also those of other ranks of a
 * job
 */

#include "scopes/run/space_file_private.h"

#include "scopes/job.h"
#include "scopes/job/files_private.h"
#include "scopes/job/region_private.h"
#include "scopes/job/stream_private.h"
#include "scopes/run.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/program/run_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A space of a job, or why it cannot be opened. */
struct opened {
	char *path; /* of a prepared one */
	struct es_space *space;
	paths_status st;
	char why[PATHS_LOG_BYTES];
	enum es__alive alive;
	size_t bytes;
	void *mapped; /* by this file; NULL: by another */
	bool owned;
	bool closed; /* and kept, because other ranks may still read it */
};

struct opened_list {
	struct opened *list;
	size_t count, room;
};

static struct opened_list prepared, open_now;

/* The directory of es_run_use_copies, or NULL. */
static char *copies_dir;

bool
es__space_file_is(const char *name)
{
	size_t bytes = strlen(name), suffix = strlen(ES__SPACE_SUFFIX);

	return bytes > suffix &&
	    strcmp(name + bytes - suffix, ES__SPACE_SUFFIX) == 0;
}

static struct opened *
list_add(struct opened_list *list, const struct opened *more)
{
	if (!paths__array_grow(&list->list, list->count, &list->room,
		sizeof(*list->list))) {
		(void)paths_log_fail(PATHS_ENOMEM, "no memory for a run");
		return NULL;
	}
	list->list[list->count] = *more;
	return &list->list[list->count++];
}

/* Opens and checks a space of this rank.  Its name in messages begins with the
   directory of rank 0, so that it is the same everywhere. */
static void
owned_open(const char *path, const struct es__file *file, struct opened *opened)
{
	const char *slash = strrchr(path, '/');
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct es_space_info info;
	char *name;

	*opened = (struct opened){ .st = PATHS_ENOMEM };
	if (asprintf(&name, "%s/%s", file->dir, slash ? slash + 1 : path) < 0)
		name = NULL;
	if (name == NULL)
		(void)paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	else if (fd < 0)
		opened->st =
		    paths_log_fail(PATHS_EIO, "%s: %s", name, strerror(errno));
	else
		opened->st = es_space_open_fd(fd, name, &opened->space);
	if (opened->st == PATHS_OK) {
		es_space_info(opened->space, &info);
		opened->alive = info.closed ? ES__ALIVE_NO : es__alive(&info);
	} else {
		snprintf(opened->why, sizeof(opened->why), "%s",
		    paths_log_last());
	}
	if (fd >= 0)
		close(fd);
	free(name);
}

/* Opens a space of this rank before the others ask for it. */
static paths_status
prepare_one(const char *dir, const char *name)
{
	struct es__file file;
	struct opened opened;
	char *path;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	if (!es__files_space(path, &file) || file.owner != es_job_rank()) {
		free(path);
		return PATHS_OK;
	}
	owned_open(path, &file, &opened);
	opened.path = path;
	if (list_add(&prepared, &opened) != NULL)
		return PATHS_OK;
	es_space_close(opened.space);
	free(path);
	return PATHS_ENOMEM;
}

static int
prepare_takes(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && es__space_file_is(entry->d_name);
}

paths_status
es__space_file_prepare(const char *dir)
{
	struct dirent **names;
	paths_status st = es__files_find(dir);
	int count;

	if (st != PATHS_OK || es_job_size() == 1)
		return st;
	count = es__files_scan(dir, &names, prepare_takes, alphasort);
	if (count < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
	for (int n = 0; n < count; n++) {
		if (st == PATHS_OK)
			st = prepare_one(dir, names[n]->d_name);
		free(names[n]);
	}
	free(names);
	return st;
}

/* Takes a space that was prepared, or opens it. */
static void
owned_take(const char *path, const struct es__file *file, struct opened *opened)
{
	for (size_t n = 0; n < prepared.count; n++) {
		if (strcmp(prepared.list[n].path, path) != 0)
			continue;
		*opened = prepared.list[n];
		free(opened->path);
		opened->path = NULL;
		prepared.list[n] = prepared.list[--prepared.count];
		return;
	}
	owned_open(path, file, opened);
}

/* Gives the other ranks a space of this one. */
static paths_status
owned_share(struct opened *opened, const struct es__file *file)
{
	void *findings = NULL;
	const void *base = NULL;
	size_t bytes = 0;
	paths_status st;

	if (opened->st == PATHS_OK) {
		opened->bytes = es_space_bytes(opened->space, &base);
		st = es_space_findings(opened->space, &findings, &bytes);
		if (st != PATHS_OK)
			return st;
	}
	/* First, because the others read it as soon as they can. */
	st = opened->st == PATHS_OK ?
	    es__region_add(file->owner, base, opened->bytes, file->everywhere) :
	    PATHS_OK;
	if (st == PATHS_OK)
		st = es__stream_share(file->owner, opened, sizeof(*opened));
	if (st == PATHS_OK && opened->st == PATHS_OK)
		st = es__stream_share_any(file->owner, &findings, &bytes);
	free(findings);
	return st;
}

/* Maps the same file on this rank. */
static paths_status
other_map(const char *path, struct opened *opened, void **base)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat about;

	*base = MAP_FAILED;
	if (fd >= 0 && fstat(fd, &about) == 0 &&
	    (uint64_t)about.st_size == opened->bytes)
		*base = mmap(NULL, opened->bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (*base == MAP_FAILED)
		return paths_log_fail(PATHS_EIO,
		    "%s: it was changed while it was opened", path);
	opened->mapped = *base;
	return PATHS_OK;
}

/* Opens a space that its owner has checked. */
static paths_status
other_open(const char *path, const struct es__file *file, struct opened *opened)
{
	void *base, *findings = NULL;
	const char *slash = strrchr(path, '/');
	size_t bytes = 0;
	char *name;
	paths_status st = es__stream_share_any(file->owner, &findings, &bytes);

	if (st != PATHS_OK)
		return st;
	st = file->here ? other_map(path, opened, &base) :
			  es__region_map(file->owner, opened->bytes, &base);
	if (st == PATHS_OK && file->here)
		st = es__region_add(file->owner, base, opened->bytes,
		    file->everywhere);
	if (asprintf(&name, "%s/%s", file->dir, slash ? slash + 1 : path) < 0)
		name = NULL;
	if (st == PATHS_OK && name == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	if (st == PATHS_OK)
		st = es_space_open_checked(&(struct es_space_memory){ base,
					       opened->bytes, findings, bytes },
		    name, &opened->space);
	free(name);
	free(findings);
	return st;
}

/* Opens a space that all ranks open now. */
static paths_status
shared_open(const char *path, const struct es__file *file,
    struct opened *opened)
{
	paths_status st;

	if (file->owner == es_job_rank()) {
		owned_take(path, file, opened);
		opened->owned = true;
		return owned_share(opened, file);
	}
	st = es__stream_share(file->owner, opened, sizeof(*opened));
	opened->space = NULL;
	opened->mapped = NULL;
	opened->owned = false;
	if (st == PATHS_OK && opened->st == PATHS_OK)
		st = other_open(path, file, opened);
	return st;
}

/* Fails the job when one rank cannot open a space that others can: ranks with
   other spaces would not compute the same.  Callers take PATHS_ENOMEM for no
   finding about the space. */
static paths_status
open_fail(void)
{
	es__stream_fail(PATHS_EIO, paths_log_last());
	return PATHS_ENOMEM;
}

paths_status
es_run_use_copies(const char *dir)
{
	char *next = dir == NULL ? NULL : strdup(dir);

	if (dir != NULL && next == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	free(copies_dir);
	copies_dir = next;
	return PATHS_OK;
}

const char *
es__space_file_copies(void)
{
	return copies_dir;
}

/* Opens a space, or the copy of it in the directory of copies. */
static paths_status
alone_open(const char *path, struct es_space **space)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	char *file;
	paths_status st;

	if (copies_dir == NULL ||
	    paths__run_copy_find(AT_FDCWD, path) == PATHS__RUN_COPY_NOT)
		return es_space_open(path, space);
	if (asprintf(&file, "%s/%s", copies_dir, name) < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	st = es_space_open(access(file, F_OK) == 0 ? file : path, space);
	free(file);
	return st;
}

paths_status
es__space_file_open(const char *path, struct es_space **space)
{
	struct es__file file;
	struct opened opened;
	paths_status st;

	if (es_job_size() == 1)
		return alone_open(path, space);
	if (!es__files_space(path, &file))
		return paths_log_fail(PATHS_ENOENT, "%s: %s", path,
		    strerror(ENOENT));
	st = shared_open(path, &file, &opened);
	if (st != PATHS_OK)
		return open_fail();
	if (opened.st != PATHS_OK)
		return paths_log_fail(opened.st, "%s", opened.why);
	if (list_add(&open_now, &opened) == NULL)
		return open_fail();
	*space = opened.space;
	return PATHS_OK;
}

static size_t
open_find(const struct es_space *space)
{
	size_t n = 0;

	while (n < open_now.count && open_now.list[n].space != space)
		n++;
	return n;
}

/* Closes a space that is open at an index. */
static void
open_close(size_t n)
{
	struct opened *opened = &open_now.list[n];
	const void *base = NULL;

	(void)es_space_bytes(opened->space, &base);
	es__region_drop(base);
	if (opened->mapped != NULL)
		munmap(opened->mapped, opened->bytes);
	es_space_close(opened->space);
	*opened = open_now.list[--open_now.count];
}

void
es__space_file_close(struct es_space *space)
{
	size_t n = open_find(space);

	if (n == open_now.count)
		es_space_close(space);
	else if (open_now.list[n].owned && es_job_size() > 1)
		open_now.list[n].closed = true;
	else
		open_close(n);
}

void
es__space_file_forget(void)
{
	for (size_t n = 0; n < prepared.count; n++) {
		es_space_close(prepared.list[n].space);
		free(prepared.list[n].path);
	}
	/* Without a job the lists are empty, and many threads read them. */
	if (prepared.list != NULL) {
		free(prepared.list);
		prepared = (struct opened_list){ 0 };
	}
	if (es_job_size() > 1)
		return;
	for (size_t n = open_now.count; n-- > 0;)
		if (open_now.list[n].closed)
			open_close(n);
	if (open_now.count == 0 && open_now.list != NULL) {
		free(open_now.list);
		open_now = (struct opened_list){ 0 };
	}
}

enum es__alive
es__space_file_alive(const struct es_space *space)
{
	size_t n = open_find(space);
	struct es_space_info info;

	if (n < open_now.count)
		return open_now.list[n].alive;
	es_space_info(space, &info);
	return info.closed ? ES__ALIVE_NO : es__alive(&info);
}
