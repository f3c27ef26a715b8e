/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/inherit.c - reads PATHS_LISTEN_FDS, the sockets that the
 * launcher has opened
 */

#include "libpaths/net/inherit_private.h"

#include "libpaths/log.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define INHERIT_LIST "PATHS_LISTEN_FDS"
#define INHERIT_BLANKS " "

/* Reads digits up to the byte at `end`. */
static bool
inherit_number(const char *at, const char *end, unsigned long most,
    unsigned long *number)
{
	*number = 0;
	if (at == end)
		return false;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9')
			return false;
		*number = *number * 10 + (unsigned long)(*at - '0');
		if (*number > most)
			return false;
	}
	return true;
}

/* Reads one entry.  The port is the number after the last colon. */
static bool
inherit_entry(const char *entry, size_t bytes, unsigned long *port,
    unsigned long *fd)
{
	const char *equals = memchr(entry, '=', bytes);
	const char *colon =
	    equals ? memrchr(entry, ':', (size_t)(equals - entry)) : NULL;

	return colon && strncmp(entry, "tcp:", strlen("tcp:")) == 0 &&
	    inherit_number(colon + 1, equals, UINT16_MAX, port) &&
	    inherit_number(equals + 1, entry + bytes, INT_MAX, fd);
}

paths_status
paths__inherit_parse(const char *list, uint16_t port, int *fd)
{
	unsigned long number, found;
	size_t bytes;

	*fd = -1;
	for (; *list; list += bytes) {
		list += strspn(list, INHERIT_BLANKS);
		bytes = strcspn(list, INHERIT_BLANKS);
		if (bytes == 0)
			break;
		if (!inherit_entry(list, bytes, &number, &found))
			return paths_log_fail(PATHS_ESYNTAX,
			    "expected tcp:PORT=FD or tcp:ADDRESS:PORT=FD, "
			    "not \"%.*s\"",
			    (int)(bytes < 80 ? bytes : 80), list);
		if (number == port && *fd < 0)
			*fd = (int)found;
	}
	return PATHS_OK;
}

static bool
inherit_listens(int fd)
{
	int listens = 0;
	socklen_t bytes = sizeof(listens);

	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &bytes) ==
	    0 &&
	    listens;
}

paths_status
paths__inherit_find(uint16_t port, int *fd)
{
	const char *list = getenv(INHERIT_LIST);
	int found;

	if (!list)
		list = "";
	if (paths__inherit_parse(list, port, &found) != PATHS_OK)
		return paths_log_fail(PATHS_EINVAL, INHERIT_LIST ": %s",
		    paths_log_last());
	if (found >= 0 && !inherit_listens(found))
		return paths_log_fail(PATHS_EINVAL,
		    INHERIT_LIST ": descriptor %d of port %u is not a socket "
				 "that listens",
		    found, port);
	*fd = found;
	return PATHS_OK;
}
