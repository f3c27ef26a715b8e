/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/receive.c - writes the files that agents send
 *
 * A file goes into the run directory when it is whole.  A file that is there
 * already stays as it is, unless it is a copy that an event scope has made.
 * The bytes come from another host: names, sizes and places are checked.
 */

#include "libpaths/run/receive_private.h"

#include "libpaths/program/run_copy.h"
#include "libpaths/run/fail_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files with these permissions at most are made. */
#define RECEIVE_MODE 0700u

#define RECEIVE_FILE_BYTES (PATH_MAX + NAME_MAX + 2)

static bool
receive_is_name(const char *name)
{
	return name[0] != '\0' && strlen(name) <= NAME_MAX &&
	    strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
	    strcmp(name, "..") != 0;
}

static void
receive_fails(const struct run *run, struct run_agent *agent,
    const char *reason)
{
	agent->incomplete = true;
	run_fail("%s: host %s: file %s is not copied: %s", agent->name,
	    run->map->hosts[run->map->processes[agent->process].host].name,
	    agent->receive.name, reason);
}

static void
receive_name(const struct run *run, const char *name,
    char file[RECEIVE_FILE_BYTES])
{
	snprintf(file, RECEIVE_FILE_BYTES, "%s/%s", run->dir->name, name);
}

/* Gives a file its name; one that is not whole does not replace a copy.
   Returns the error.  The lock of the directory is also that of event scopes,
   which replace copies. */
static int
receive_publish(const struct run *run, const struct run_receive *receive,
    bool whole)
{
	char file[RECEIVE_FILE_BYTES];
	const int lock = paths__run_copy_lock(run->dir->name);
	int error = 0;

	receive_name(run, receive->name, file);
	if (lock < 0)
		error = errno;
	else if (paths__run_copy_find(lock, receive->name) ==
	    PATHS__RUN_COPY_IS)
		error = !whole || rename(receive->made, file) == 0 ? 0 : errno;
	else if (link(receive->made, file) != 0)
		error = errno;
	if (lock >= 0)
		close(lock);
	unlink(receive->made);
	return error;
}

bool
run_receive_file(const struct run *run, struct run_agent *agent,
    struct launch_get *get)
{
	struct run_receive *receive = &agent->receive;
	const char *name = launch_get_text(get);
	const uint64_t mode = launch_get_number(get);
	const uint64_t size = launch_get_number(get);
	char file[RECEIVE_FILE_BYTES];
	int fd = -1;

	if (!launch_get_ends(get) || receive->begun || !receive_is_name(name) ||
	    size > INT64_MAX)
		return false;
	*receive = (struct run_receive){ .size = size, .begun = true };
	memcpy(receive->name, name, strlen(name) + 1);
	receive_name(run, name, file);
	/* clean.c removes it when this process is killed. */
	snprintf(receive->made, sizeof(receive->made), "%s/.%s.XXXXXX",
	    run->dir->name, agent->name);
	if (paths__run_copy_find(AT_FDCWD, file) == PATHS__RUN_COPY_NOT)
		errno = EEXIST;
	else
		fd = mkostemp(receive->made, O_CLOEXEC);
	if (fd >= 0)
		receive->file = fdopen(fd, "w");
	if (receive->file == NULL) {
		receive_fails(run, agent, strerror(errno));
		if (fd >= 0) {
			close(fd);
			unlink(receive->made);
		}
		return true;
	}
	fchmod(fd, (mode_t)(mode & RECEIVE_MODE));
	return true;
}

bool
run_receive_data(struct run_agent *agent, struct launch_get *get)
{
	struct run_receive *receive = &agent->receive;
	const uint64_t at = launch_get_number(get);

	if (get->wrong || !receive->begun || get->left == 0 ||
	    at < receive->at || at > receive->size ||
	    get->left > receive->size - at)
		return false;
	/* An error is reported at the end of the file. */
	if (receive->file != NULL &&
	    ((at != receive->at &&
		 fseeko(receive->file, (off_t)at, SEEK_SET) != 0) ||
		fwrite(get->at, 1, get->left, receive->file) != get->left))
		receive->error = receive->error != 0 ? receive->error : errno;
	receive->at = at + get->left;
	return true;
}

/* Closes a file with the length that it has on its host.  Returns the error. */
static int
receive_close(struct run_receive *receive)
{
	int error = receive->error;

	if ((fflush(receive->file) != 0 ||
		ftruncate(fileno(receive->file), (off_t)receive->size) != 0) &&
	    error == 0)
		error = errno;
	if (fclose(receive->file) != 0 && error == 0)
		error = errno;
	receive->file = NULL;
	return error;
}

bool
run_receive_end(const struct run *run, struct run_agent *agent,
    struct launch_get *get)
{
	struct run_receive *receive = &agent->receive;
	const char *reason = launch_get_text(get);
	int error;

	if (!launch_get_ends(get) || !receive->begun)
		return false;
	receive->begun = false;
	if (receive->file == NULL)
		return true;
	error = receive_close(receive);
	/* Nothing was read of a file that could not be opened. */
	if (error == 0 && (reason[0] == '\0' || receive->at > 0))
		error = receive_publish(run, receive, reason[0] == '\0');
	else
		unlink(receive->made);
	if (error != 0)
		receive_fails(run, agent, strerror(error));
	else if (reason[0] != '\0')
		receive_fails(run, agent, reason);
	return true;
}

void
run_receive_stop(struct run_agent *agent)
{
	if (agent->receive.file != NULL) {
		(void)receive_close(&agent->receive);
		unlink(agent->receive.made);
		agent->incomplete = true;
	}
	agent->receive.begun = false;
}
