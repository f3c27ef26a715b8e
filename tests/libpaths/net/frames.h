/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/frames.h - a server of tests that sends its frames itself
 *
 * It is process p1 of a map, in a process of its own, and p0 connects to it.
 * Frames over TCP have no MAC, so the map has `-trust network`.
 */

#ifndef TESTS_LIBPATHS_NET_FRAMES_H
#define TESTS_LIBPATHS_NET_FRAMES_H

#include "libpaths/net/conn_private.h"
#include "libpaths/net/handshake_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static inline bool
frames_receive(int fd, void *bytes, size_t count)
{
	return recv(fd, bytes, count, MSG_WAITALL) == (ssize_t)count;
}

/* Receives a frame other than a beat, which p0 may send at any time. */
static inline bool
frames_next(int fd, struct paths__frame *f)
{
	do
		if (!frames_receive(fd, f, sizeof(*f)))
			return false;
	while (f->type == PATHS__FRAME_BEAT);
	return true;
}

/* Receives a request for a hop. */
static inline bool
frames_receive_open(int fd, struct paths__frame *f)
{
	char type[48];

	return frames_next(fd, f) && f->type == PATHS__FRAME_OPEN &&
	    f->bytes - sizeof(*f) <= sizeof(type) &&
	    frames_receive(fd, type, f->bytes - sizeof(*f));
}

static inline bool
frames_answer(int fd, uint32_t hop, uint32_t serial, paths_status st,
    const uint64_t *tuple)
{
	struct paths__frame f = { .bytes = sizeof(f),
		.type = PATHS__FRAME_ANSWER,
		.kind = PATHS_READ,
		.status = (int16_t)st,
		.hop = hop,
		.serial = serial };

	if (tuple != NULL)
		f.bytes += sizeof(*tuple);
	return send(fd, &f, sizeof(f), 0) == sizeof(f) &&
	    (tuple == NULL ||
		send(fd, tuple, sizeof(*tuple), 0) == sizeof(*tuple));
}

/* Reads what p1 has of a program.  Close its map after use. */
static inline bool
frames_program(struct paths_program *p)
{
	int secret = open(getenv("PATHS_SECRET_FILE"), O_RDONLY);
	bool got;

	*p = (struct paths_program){ .process = 1, .run = getenv("PATHS_RUN") };
	got = secret >= 0 &&
	    read(secret, p->secret, sizeof(p->secret)) == sizeof(p->secret) &&
	    paths_map_load(getenv("PATHS_MAP"), &p->map) == PATHS_OK;
	close(secret);
	return got;
}

/* Accepts the connection of p0 on a socket; -1 on failure. */
static inline int
frames_accept_on(struct paths_program *p, int listener)
{
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	int fd = accept(listener, NULL, NULL);

	paths__handshake_hello(PATHS_OK, &hello);
	if (send(fd, &hello, sizeof(hello), 0) != sizeof(hello) ||
	    !frames_receive(fd, &proof, sizeof(proof)) ||
	    paths__handshake_check(p, &hello, &proof) != PATHS_OK)
		return -1;
	paths__handshake_welcome(p, &hello, &proof, PATHS_OK, &welcome);
	return send(fd, &welcome, sizeof(welcome), 0) == sizeof(welcome) ? fd :
									   -1;
}

/* Accepts the connection of p0 over TCP; -1 on failure. */
static inline int
frames_accept(void)
{
	struct paths_program p;
	int fd = -1;

	if (!frames_program(&p) ||
	    sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%*d=%d", &fd) != 1)
		return -1;
	fd = frames_accept_on(&p, fd);
	paths_map_close(p.map);
	return fd;
}

/* Reads until p0 ends the connection. */
static inline void
frames_drain(int fd)
{
	struct paths__frame f;

	while (recv(fd, &f, sizeof(f), 0) > 0)
		;
}

#endif
