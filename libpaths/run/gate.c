/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/gate.c - takes the connections of agents that srun or mpirun
 * starts
 *
 * Anybody can connect.  A visitor has to prove within some seconds that it
 * knows the secret of the launch, and to send the name of its process.  There
 * are few visitors; when more come, the oldest of the source that has the most
 * is sent away.
 */

#include "libpaths/run/gate_private.h"

#include "libpaths/launch/descendants_private.h"
#include "libpaths/launch/meet_private.h"
#include "libpaths/run/fail_private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Time that a visitor has. */
#define GATE_PATIENCE_NS UINT64_C(5000000000)

/* Connections that are accepted at once. */
#define GATE_ACCEPTS 64

/* Returns the visitor of an entry of the list. */
static struct run_visitor *
gate_visitor(struct paths__unproven *entry)
{
	return (struct run_visitor *)entry;
}

/* ---- opening */

/* Prints an address of this machine, if other hosts might use it. */
static bool
gate_print(FILE *to, const struct ifaddrs *at, uint16_t port)
{
	char text[INET6_ADDRSTRLEN];
	union {
		const struct sockaddr *any;
		const struct sockaddr_in *in;
		const struct sockaddr_in6 *in6;
	} address = { .any = at->ifa_addr };
	const void *bytes;

	if (address.any == NULL || (at->ifa_flags & IFF_UP) == 0)
		return false;
	if (address.any->sa_family == AF_INET)
		bytes = &address.in->sin_addr;
	else if (address.any->sa_family == AF_INET6 &&
	    !IN6_IS_ADDR_LINKLOCAL(&address.in6->sin6_addr))
		bytes = &address.in6->sin6_addr;
	else
		return false;
	if (inet_ntop(address.any->sa_family, bytes, text, sizeof(text)) ==
	    NULL)
		return false;
	fprintf(to, " %s %u", text, port);
	return true;
}

/* Prints the addresses of this machine; those of the loopback come first. */
static bool
gate_print_all(const struct run_gate *gate, FILE *to)
{
	struct ifaddrs *list;
	int count = 0;

	if (getifaddrs(&list) != 0)
		return false;
	for (unsigned loop = 0; loop < 2; loop++) {
		for (const struct ifaddrs *at = list; at != NULL;
		     at = at->ifa_next) {
			const bool loopback =
			    (at->ifa_flags & IFF_LOOPBACK) != 0;

			if (loopback == (loop == 0) &&
			    count < LAUNCH_MEET_ADDRESSES)
				count += gate_print(to, at, gate->port);
		}
	}
	freeifaddrs(list);
	return count > 0;
}

/* Sets the variables by which agents find the gate. */
static bool
gate_export(const struct run_gate *gate)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	bool done = to != NULL;

	for (size_t n = 0; done && n < sizeof(gate->secret); n++)
		fprintf(to, "%02x", gate->secret[n]);
	done = done && gate_print_all(gate, to);
	done = to != NULL && fclose(to) == 0 && done &&
	    setenv(LAUNCH_MEET_VARIABLE, text, 1) == 0 &&
	    setenv(LAUNCH_MEET_OMPI_VARIABLE, text, 1) == 0;
	if (text != NULL)
		explicit_bzero(text, bytes);
	free(text);
	return done ||
	    run_fail("addresses of this machine: %s", strerror(errno));
}

bool
run_gate_listen(struct run_gate *gate, const char *address,
    const struct launch_ports *ports,
    const uint8_t secret[PATHS__LAUNCH_SECRET_BYTES],
    char why[LAUNCH_WHY_BYTES])
{
	*gate = (struct run_gate){ .fd = -1 };
	memcpy(gate->secret, secret, sizeof(gate->secret));
	gate->fd = launch_socket_listen(address, ports, &gate->port, why,
	    LAUNCH_WHY_BYTES);
	if (gate->fd < 0)
		return false;
	launch_socket_unblock(gate->fd);
	return true;
}

bool
run_gate_open(struct run_gate *gate, const struct launch_ports *ports)
{
	uint8_t secret[PATHS__LAUNCH_SECRET_BYTES];
	char why[LAUNCH_WHY_BYTES];
	bool done;

	paths__launch_random(secret, sizeof(secret));
	done = run_gate_listen(gate, NULL, ports, secret, why);
	explicit_bzero(secret, sizeof(secret));
	return done ? gate_export(gate) :
		      run_fail("socket for the hosts: %s", why);
}

void
run_gate_free(struct run_visitor *visitor, bool moved)
{
	if (!moved)
		launch_channel_close(&visitor->channel);
	explicit_bzero(visitor, sizeof(*visitor));
	free(visitor);
}

/* Puts a visitor into a list. */
static void
gate_list(struct run_visitor *visitor, struct paths__unproven_list *list)
{
	if (visitor->in != NULL)
		paths__unproven_remove(visitor->in, &visitor->entry);
	paths__unproven_add(list, &visitor->entry);
	visitor->in = list;
}

static void
gate_send_away(struct run_visitor *visitor)
{
	paths__unproven_remove(visitor->in, &visitor->entry);
	run_gate_free(visitor, false);
}

void
run_gate_close(struct run_gate *gate)
{
	while (gate->visitors.oldest != NULL)
		gate_send_away(gate_visitor(gate->visitors.oldest));
	while (gate->proven.oldest != NULL)
		gate_send_away(gate_visitor(gate->proven.oldest));
	if (gate->fd >= 0)
		close(gate->fd);
	gate->fd = -1;
}

/* ---- visitors */

static void
gate_add(struct run_gate *gate, int fd)
{
	struct run_visitor *visitor = calloc(1, sizeof(*visitor));
	const int one = 1;

	if (visitor == NULL) {
		close(fd);
		return;
	}
	if (gate->visitors.count == PATHS__UNPROVEN_MAX)
		gate_send_away(
		    gate_visitor(paths__unproven_next_out(&gate->visitors)));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	launch_channel_open(&visitor->channel, fd, fd);
	memcpy(visitor->launch.secret, gate->secret, sizeof(gate->secret));
	paths__launch_begin(&visitor->launch);
	launch_channel_send_raw(&visitor->channel, &visitor->launch.offer,
	    sizeof(visitor->launch.offer));
	visitor->entry.source = paths__unproven_source(fd);
	visitor->entry.since = run_now_ns();
	gate_list(visitor, &gate->visitors);
}

/* Reads the proof, and nothing behind it.  Returns false when the visitor is to
   be sent away. */
static bool
gate_prove(struct run_gate *gate, struct run_visitor *visitor)
{
	struct paths__launch *launch = &visitor->launch;
	uint8_t keys[2][PATHS__SEAL_KEY_BYTES];
	ssize_t n =
	    read(visitor->channel.in, (uint8_t *)&launch->proof + visitor->got,
		sizeof(launch->proof) - visitor->got);
	bool done;

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	visitor->got += (size_t)n;
	if (visitor->got < sizeof(launch->proof))
		return true;
	if (!paths__launch_check(launch))
		return false;
	launch_channel_send_raw(&visitor->channel, &launch->answer,
	    sizeof(launch->answer));
	paths__launch_keys(launch, false, keys);
	done = launch_channel_seal(&visitor->channel, keys);
	explicit_bzero(keys, sizeof(keys));
	gate_list(visitor, &gate->proven);
	return done;
}

static bool
gate_is_late(const struct run_visitor *visitor)
{
	return run_now_ns() - visitor->entry.since > GATE_PATIENCE_NS;
}

static void
gate_serve_visitors(struct run_gate *gate)
{
	struct paths__unproven *next;

	for (struct paths__unproven *at = gate->visitors.oldest; at != NULL;
	     at = next) {
		struct run_visitor *visitor = gate_visitor(at);

		next = at->newer;
		if (gate_is_late(visitor) || !gate_prove(gate, visitor) ||
		    !launch_channel_flush(&visitor->channel))
			gate_send_away(visitor);
	}
}

static void
gate_serve_proven(struct run_gate *gate)
{
	struct paths__unproven *next;

	for (struct paths__unproven *at = gate->proven.oldest; at != NULL;
	     at = next) {
		struct run_visitor *visitor = gate_visitor(at);

		next = at->newer;
		if (gate_is_late(visitor) ||
		    !launch_channel_fill(&visitor->channel) ||
		    !launch_channel_flush(&visitor->channel))
			gate_send_away(visitor);
	}
}

void
run_gate_serve(struct run_gate *gate)
{
	int fd = gate->fd;

	for (int n = 0; n < GATE_ACCEPTS && fd >= 0; n++) {
		fd = accept4(gate->fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0)
			gate_add(gate, fd);
	}
	gate_serve_visitors(gate);
	gate_serve_proven(gate);
}

size_t
run_gate_poll(const struct run_gate *gate, struct pollfd *fds,
    uint32_t processes)
{
	const struct paths__unproven *firsts[] = { gate->visitors.oldest,
		gate->proven.oldest };
	size_t count = 0;

	if (gate->fd < 0)
		return 0;
	fds[count++] = (struct pollfd){ gate->fd, POLLIN, 0 };
	for (int n = 0; n < 2; n++) {
		for (const struct paths__unproven *at = firsts[n];
		     at != NULL && count < RUN_GATE_FDS(processes);
		     at = at->newer)
			fds[count++] = (struct pollfd){
				((const struct run_visitor *)at)->channel.in,
				POLLIN, 0
			};
	}
	return count;
}

struct run_visitor *
run_gate_take(struct run_gate *gate, struct launch_frame *frame)
{
	struct paths__unproven *next;

	for (struct paths__unproven *at = gate->proven.oldest; at != NULL;
	     at = next) {
		struct run_visitor *visitor = gate_visitor(at);

		next = at->newer;
		if (launch_channel_next(&visitor->channel, frame)) {
			paths__unproven_remove(&gate->proven, at);
			return visitor;
		}
		if (visitor->channel.why[0] != '\0')
			gate_send_away(visitor);
	}
	return NULL;
}
