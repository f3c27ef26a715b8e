/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/files.c - the files of a run directory, on all hosts
 *
 * Event spaces are dealt to the ranks that have them: first to those on the
 * host of the process that wrote the space, then to the one with the fewest
 * bytes so far.  Files of the same name are the same file if they agree in
 * size, time of change and, for a space, in the head.
 */

#include "scopes/job/files_private.h"

#include "scopes/job/member_private.h"
#include "scopes/job/stream_private.h"

#include "collectors/space_format.h"
#include "libpaths/base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that a rank has, as it tells the others. */
struct entry {
	char name[NAME_MAX + 1];
	uint64_t bytes;
	int64_t changed_s, changed_ns;
	uint64_t head;	/* hash of the head of a space */
	uint32_t local; /* the process that wrote it ran on this host */
	uint32_t rank;
};

/* A file of the job. */
struct known {
	struct entry entry; /* the owner's */
	bool here, everywhere;
};

static struct files {
	char *dir;
	struct known *list; /* in order of names */
	size_t count, room;
} files;

/* FNV-1a. */
static uint64_t
head_hash(const struct es_space_head *head)
{
	const uint8_t *bytes = (const uint8_t *)head;
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t n = 0; n < sizeof(*head); n++)
		hash = (hash ^ bytes[n]) * UINT64_C(1099511628211);
	return hash;
}

/* Reads the head of a file, if it is an event space. */
static void
entry_read_head(struct entry *entry, int fd)
{
	struct es_space_head head;
	char host[HOST_NAME_MAX + 1] = "";

	if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
	    memcmp(head.magic, ES_SPACE_MAGIC, sizeof(head.magic)) != 0)
		return;
	(void)gethostname(host, sizeof(host) - 1);
	entry->head = head_hash(&head);
	entry->local =
	    strncmp(host, head.host_name, sizeof(head.host_name)) == 0;
}

/* Reads about a file; false: it is gone. */
static bool
entry_read(struct entry *entry, int folder, const char *name)
{
	struct stat about;
	int fd;

	if (fstatat(folder, name, &about, 0) != 0)
		return false;
	*entry = (struct entry){ .bytes = (uint64_t)about.st_size,
		.changed_s = about.st_mtim.tv_sec,
		.changed_ns = about.st_mtim.tv_nsec,
		.rank = es__member->rank };
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	if (!S_ISREG(about.st_mode))
		return true;
	fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		entry_read_head(entry, fd);
		close(fd);
	}
	return true;
}

/* Lists the files of this rank. */
static paths_status
files_list(const char *path, struct entry **list, size_t *count)
{
	DIR *dir = opendir(path);
	const struct dirent *at;
	size_t room = 0;

	*list = NULL;
	*count = 0;
	while (dir != NULL && (at = readdir(dir)) != NULL) {
		if (at->d_name[0] == '.')
			continue;
		if (!paths__array_grow(list, *count, &room, sizeof(**list))) {
			closedir(dir);
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for the files of a run");
		}
		*count += entry_read(&(*list)[*count], dirfd(dir), at->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	return PATHS_OK;
}

/* Orders by name, with the ranks on the host of the space first. */
static int
entry_order(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strverscmp(a->name, b->name);

	if (order != 0)
		return order;
	if (a->local != b->local)
		return a->local > b->local ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static bool
entry_same(const struct entry *a, const struct entry *b)
{
	return a->bytes == b->bytes && a->changed_s == b->changed_s &&
	    a->changed_ns == b->changed_ns && a->head == b->head;
}

/* Chooses the owner of a file among the ranks that have it. */
static paths_status
files_deal(const struct entry *first, size_t count, uint64_t *dealt)
{
	const struct entry *owner = first;
	struct known *known;
	size_t same = 0;

	for (size_t n = 1; n < count && first[n].local == first->local; n++)
		if (dealt[first[n].rank] < dealt[owner->rank])
			owner = &first[n];
	if (!paths__array_grow(&files.list, files.count, &files.room,
		sizeof(*files.list)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the files of a run");
	known = &files.list[files.count++];
	*known = (struct known){ .entry = *owner };
	for (size_t n = 0; n < count; n++) {
		if (!entry_same(&first[n], owner))
			continue;
		same++;
		known->here |= first[n].rank == es__member->rank;
	}
	known->everywhere = same == es__member->size;
	if (owner->head != 0)
		dealt[owner->rank] += owner->bytes;
	return PATHS_OK;
}

/* Makes one list of the lists of all ranks. */
static paths_status
files_merge(struct entry *all, size_t count)
{
	uint64_t *dealt = calloc(es__member->size, sizeof(*dealt));
	paths_status st = PATHS_OK;
	size_t next;

	if (dealt == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the files of a run");
	qsort(all, count, sizeof(*all), entry_order);
	for (size_t n = 0; st == PATHS_OK && n < count; n = next) {
		next = n + 1;
		while (next < count && strcmp(all[n].name, all[next].name) == 0)
			next++;
		st = files_deal(&all[n], next - n, dealt);
	}
	free(dealt);
	return st;
}

/* Adds the list of a rank to that of all. */
static paths_status
files_gather(uint32_t rank, struct entry **all, size_t *count)
{
	struct entry *list = *all;
	size_t bytes = rank == es__member->rank ? *count * sizeof(*list) : 0;
	void *data = list;
	paths_status st = es__stream_share_any(rank, &data, &bytes);

	*all = data;
	*count = bytes / sizeof(*list);
	return st;
}

static paths_status
files_exchange(struct entry *own, size_t own_count)
{
	struct entry *all = NULL;
	size_t total = 0;
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; st == PATHS_OK && r < es__member->size; r++) {
		struct entry *list = own, *more;
		size_t count = own_count;

		st = files_gather(r, &list, &count);
		if (st != PATHS_OK)
			break;
		more = reallocarray(all, total + count + 1, sizeof(*all));
		if (more == NULL) {
			st = paths_log_fail(PATHS_ENOMEM,
			    "no memory for the files of a run");
		} else {
			all = more;
			if (count > 0)
				memcpy(all + total, list,
				    count * sizeof(*list));
			total += count;
		}
		if (list != own)
			free(list);
	}
	if (st == PATHS_OK)
		st = files_merge(all, total);
	free(all);
	return st;
}

paths_status
es__files_find(const char *dir)
{
	size_t bytes = strlen(dir) + 1, count;
	void *name = (void *)dir;
	struct entry *own;
	paths_status st;

	if (es__member == NULL)
		return PATHS_OK;
	es__files_fini();
	st = es__stream_share_any(0, &name, &bytes);
	if (st != PATHS_OK)
		return st;
	files.dir = name == dir ? strdup(dir) : name;
	st = files_list(dir, &own, &count);
	if (st == PATHS_OK)
		st = files_exchange(own, count);
	free(own);
	return st;
}

void
es__files_fini(void)
{
	free(files.dir);
	free(files.list);
	files = (struct files){ 0 };
}

static const struct known *
files_known(const char *name)
{
	for (size_t n = 0; n < files.count; n++)
		if (strcmp(files.list[n].entry.name, name) == 0)
			return &files.list[n];
	return NULL;
}

bool
es__files_space(const char *path, struct es__file *file)
{
	const char *slash = strrchr(path, '/');
	const struct known *known = files_known(slash ? slash + 1 : path);

	if (es__member == NULL || known == NULL)
		return false;
	*file = (struct es__file){ .dir = files.dir,
		.owner = known->entry.rank,
		.here = known->here,
		.everywhere = known->everywhere };
	return true;
}

typedef int scan_compare(const struct dirent **, const struct dirent **);

static int
scan_order(const void *left, const void *right, void *compare)
{
	return (*(scan_compare **)compare)((const struct dirent **)left,
	    (const struct dirent **)right);
}

static void
scan_free(struct dirent **names, int count)
{
	for (int n = 0; n < count; n++)
		free(names[n]);
	free(names);
}

int
es__files_scan(const char *dir, struct dirent ***names,
    int (*filter)(const struct dirent *),
    int (*compare)(const struct dirent **, const struct dirent **))
{
	struct dirent **found;
	int count = 0;

	if (es__member == NULL)
		return scandir(dir, names, filter, compare);
	found = calloc(files.count + 1, sizeof(struct dirent *));
	for (size_t n = 0; found != NULL && n < files.count; n++) {
		struct dirent *entry = calloc(1, sizeof(*entry));

		if (entry == NULL) {
			scan_free(found, count);
			found = NULL;
			break;
		}
		snprintf(entry->d_name, sizeof(entry->d_name), "%s",
		    files.list[n].entry.name);
		if (filter(entry))
			found[count++] = entry;
		else
			free(entry);
	}
	if (found == NULL) {
		errno = ENOMEM;
		return -1;
	}
	qsort_r(found, (size_t)count, sizeof(struct dirent *), scan_order,
	    &compare);
	*names = found;
	return count;
}

bool
es__files_has(const char *dir, const char *name)
{
	char *path;
	bool has;

	if (es__member != NULL)
		return files_known(name) != NULL;
	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return false;
	has = access(path, F_OK) == 0;
	free(path);
	return has;
}

/* Opens a file of this rank. */
static int
files_open_here(const char *dir, const char *name)
{
	char *path;
	int fd, error;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		errno = ENOMEM;
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	error = errno;
	free(path);
	errno = error;
	return fd;
}

/* Reads a whole regular file; returns an errno. */
static int
files_read(int fd, void **data, size_t *bytes)
{
	struct stat about;
	ssize_t got;

	*data = NULL;
	*bytes = 0;
	if (fstat(fd, &about) != 0)
		return errno;
	if (!S_ISREG(about.st_mode))
		return EISDIR;
	*data = malloc((size_t)about.st_size + 1);
	if (*data == NULL)
		return ENOMEM;
	while (*bytes < (size_t)about.st_size &&
	    (got = pread(fd, (char *)*data + *bytes,
		 (size_t)about.st_size - *bytes, (off_t)*bytes)) > 0)
		*bytes += (size_t)got;
	return 0;
}

/* Makes a file of bytes in memory. */
static int
files_of_memory(const char *name, const void *data, size_t bytes)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	for (size_t at = 0; fd >= 0 && at < bytes;) {
		ssize_t put =
		    pwrite(fd, (const char *)data + at, bytes - at, (off_t)at);

		if (put <= 0) {
			close(fd);
			return -1;
		}
		at += (size_t)put;
	}
	return fd;
}

/* Opens a file of another rank, or gives others one of this rank. */
static int
files_share(const char *dir, const char *name, uint32_t owner)
{
	bool own = owner == es__member->rank;
	int fd = own ? files_open_here(dir, name) : -1;
	int32_t error = own && fd < 0 ? errno : 0;
	size_t bytes = 0;
	void *data = NULL;
	paths_status st;

	if (own && fd >= 0)
		error = files_read(fd, &data, &bytes);
	st = es__stream_share(owner, &error, sizeof(error));
	if (st == PATHS_OK && error == 0)
		st = es__stream_share_any(owner, &data, &bytes);
	if (fd >= 0)
		close(fd);
	if (st != PATHS_OK)
		error = EIO;
	fd = error == 0 ? files_of_memory(name, data, bytes) : -1;
	if (st == PATHS_OK)
		free(data);
	errno = error;
	return fd;
}

int
es__files_open(const char *dir, const char *name)
{
	const struct known *known = files_known(name);

	if (es__member == NULL)
		return files_open_here(dir, name);
	if (known != NULL)
		return files_share(dir, name, known->entry.rank);
	errno = ENOENT;
	return -1;
}
