/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/meet.c - connects an agent to its launcher
 *
 * The launcher does not know which of its addresses a host can reach, so the
 * agent tries all of them.  The handshake shows whether it is the launcher that
 * has answered.
 */

#include "libpaths/launch/meet_private.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Time for a connection and for each message. */
#define MEET_MS 5000

/* Others may keep the launcher busy with connections, so that it closes this
   one: the agent comes again. */
#define MEET_TRIES 10
#define MEET_PAUSE_NS 100000000

static int
meet_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c == '\0' ? NULL : strchr(digits, c);

	return at == NULL ? -1 : (int)(at - digits);
}

const char *
launch_meet_secret(const char *text, uint8_t secret[PATHS__LAUNCH_SECRET_BYTES])
{
	for (size_t n = 0; n < PATHS__LAUNCH_SECRET_BYTES; n++, text += 2) {
		const int high = meet_digit(text[0]);
		const int low = high < 0 ? -1 : meet_digit(text[1]);

		if (low < 0)
			return NULL;
		secret[n] = (uint8_t)(high * 16 + low);
	}
	return *text == ' ' ? text + 1 : NULL;
}

/* Waits until a socket is connected.  Returns 0 or the error. */
static int
meet_wait(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };
	socklen_t bytes = sizeof(int);
	int error = 0;
	int n;

	do
		n = poll(&poll_fd, 1, MEET_MS);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n == 0 ? ETIMEDOUT : errno;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0)
		return errno;
	return error;
}

static int
meet_connect_to(const struct addrinfo *at, int *fd)
{
	const struct timeval patience = { MEET_MS / 1000, 0 };
	const int one = 1;
	int error = 0;

	*fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    0);
	if (*fd < 0)
		return errno;
	if (connect(*fd, at->ai_addr, at->ai_addrlen) != 0)
		error = errno == EINPROGRESS ? meet_wait(*fd) : errno;
	if (error != 0) {
		close(*fd);
		return error;
	}
	(void)setsockopt(*fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	(void)setsockopt(*fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
	    sizeof(patience));
	/* Messages of the handshake are waited for. */
	(void)fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) & ~O_NONBLOCK);
	return 0;
}

static bool
meet_connect(const char *address, const char *port, int *fd,
    char why[LAUNCH_WHY_BYTES])
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	struct addrinfo *found;
	int error = getaddrinfo(address, port, &hints, &found);

	if (error != 0) {
		snprintf(why, LAUNCH_WHY_BYTES, "%s: %s", address,
		    gai_strerror(error));
		return false;
	}
	error = meet_connect_to(found, fd);
	freeaddrinfo(found);
	if (error != 0)
		snprintf(why, LAUNCH_WHY_BYTES, "%s port %s: %s", address, port,
		    strerror(error));
	return error == 0;
}

static bool
meet_receive(int fd, void *bytes, size_t count)
{
	size_t done = 0;

	while (done < count) {
		ssize_t n = recv(fd, (char *)bytes + done, count - done, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static bool
meet_shake(int fd, struct paths__launch *launch)
{
	return meet_receive(fd, &launch->offer, sizeof(launch->offer)) &&
	    paths__launch_prove(launch) &&
	    send(fd, &launch->proof, sizeof(launch->proof), MSG_NOSIGNAL) ==
	    (ssize_t)sizeof(launch->proof) &&
	    meet_receive(fd, &launch->answer, sizeof(launch->answer)) &&
	    paths__launch_answered(launch);
}

/* Tries one address. */
static bool
meet_at(struct launch_channel *c, struct paths__launch *launch,
    const char *address, const char *port)
{
	uint8_t keys[2][PATHS__SEAL_KEY_BYTES];
	char why[LAUNCH_WHY_BYTES];
	bool done = false;
	int fd;

	if (!meet_connect(address, port, &fd, why)) {
		snprintf(c->why, sizeof(c->why), "%s", why);
		return false;
	}
	if (meet_shake(fd, launch)) {
		launch_channel_open(c, fd, fd);
		paths__launch_keys(launch, true, keys);
		done = launch_channel_seal(c, keys);
		explicit_bzero(keys, sizeof(keys));
	}
	if (!done) {
		close(fd);
		snprintf(c->why, sizeof(c->why),
		    "%.60s port %.10s: not the launcher", address, port);
	}
	return done;
}

/* Tries all addresses of a list, "ADDRESS PORT ...". */
static bool
meet_one_of(struct launch_channel *c, struct paths__launch *launch,
    const char *list)
{
	char *words = strdup(list);
	char *rest, *address, *port;
	bool done = false;

	address = words == NULL ? NULL : strtok_r(words, " ", &rest);
	for (int n = 0; !done && address != NULL && n < LAUNCH_MEET_ADDRESSES;
	     n++) {
		port = strtok_r(NULL, " ", &rest);
		if (port == NULL)
			break;
		done = meet_at(c, launch, address, port);
		address = strtok_r(NULL, " ", &rest);
	}
	free(words);
	return done;
}

bool
launch_meet_once(struct launch_channel *c, const char *text)
{
	struct paths__launch launch = { .secret = { 0 } };
	const char *list = launch_meet_secret(text, launch.secret);
	bool done = list != NULL && meet_one_of(c, &launch, list);

	explicit_bzero(&launch, sizeof(launch));
	return done;
}

bool
launch_meet(struct launch_channel *c, const char *text)
{
	const struct timespec pause = { 0, MEET_PAUSE_NS };
	struct paths__launch launch = { .secret = { 0 } };
	const char *list = launch_meet_secret(text, launch.secret);
	bool done = false;

	snprintf(c->why, sizeof(c->why), LAUNCH_MEET_VARIABLE " is wrong");
	for (int n = 0; list != NULL && !done && n < MEET_TRIES; n++) {
		if (n > 0)
			nanosleep(&pause, NULL);
		done = meet_one_of(c, &launch, list);
	}
	explicit_bzero(&launch, sizeof(launch));
	return done;
}
