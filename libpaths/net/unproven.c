/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/unproven.c - list of the connections of a server that are in the
 * handshake
 */

#include "libpaths/net/unproven_private.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Bytes of an IPv6 address before an IPv4 address that it stands for. */
#define UNPROVEN_MAPPED_BYTES 12

static struct paths__source
unproven_source_in6(const struct in6_addr *address)
{
	struct paths__source source = { .family = AF_INET6 };

	if (IN6_IS_ADDR_V4MAPPED(address)) {
		source.family = AF_INET;
		memcpy(&source.key, address->s6_addr + UNPROVEN_MAPPED_BYTES,
		    sizeof(struct in_addr));
	} else {
		/* A host may choose the other half itself. */
		memcpy(&source.key, address->s6_addr, sizeof(source.key));
	}
	return source;
}

struct paths__source
paths__unproven_source(int fd)
{
	struct paths__source source = { .family = AF_UNIX };
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} at = { .any = { .sa_family = AF_UNIX } };
	struct ucred user = { .uid = 0 };
	socklen_t bytes = sizeof(at);

	/* The connection may be lost already: its source does not matter. */
	if (getpeername(fd, &at.any, &bytes) != 0)
		return source;
	if (at.any.sa_family == AF_INET6)
		return unproven_source_in6(&at.in6.sin6_addr);
	source.family = at.any.sa_family;
	bytes = sizeof(user);
	if (at.any.sa_family == AF_INET)
		source.key = at.in.sin_addr.s_addr;
	else if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &bytes) == 0)
		source.key = user.uid;
	return source;
}

void
paths__unproven_add(struct paths__unproven_list *list,
    struct paths__unproven *entry)
{
	entry->newer = NULL;
	entry->older = list->newest;
	if (list->newest)
		list->newest->newer = entry;
	else
		list->oldest = entry;
	list->newest = entry;
	list->count++;
}

void
paths__unproven_remove(struct paths__unproven_list *list,
    struct paths__unproven *entry)
{
	if (entry->older)
		entry->older->newer = entry->newer;
	else
		list->oldest = entry->newer;
	if (entry->newer)
		entry->newer->older = entry->older;
	else
		list->newest = entry->older;
	list->count--;
}

/* Counts the entries of the same source, from this one to the newest. */
static uint32_t
unproven_count(const struct paths__unproven *entry)
{
	const struct paths__source *source = &entry->source;
	uint32_t count = 0;

	for (; entry; entry = entry->newer)
		if (entry->source.family == source->family &&
		    entry->source.key == source->key)
			count++;
	return count;
}

struct paths__unproven *
paths__unproven_next_out(const struct paths__unproven_list *list)
{
	struct paths__unproven *out = NULL;
	uint32_t count, most = 0;

	/* The count at the oldest entry of a source is that of the source. */
	for (struct paths__unproven *e = list->oldest; e; e = e->newer) {
		count = unproven_count(e);
		if (count > most) {
			most = count;
			out = e;
		}
	}
	return out;
}
