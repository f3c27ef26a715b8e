/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/gate_private.h - takes the connections of agents that srun or
 * mpirun starts
 */

#ifndef LIBPATHS_RUN_GATE_PRIVATE_H
#define LIBPATHS_RUN_GATE_PRIVATE_H

#include "libpaths/net/unproven_private.h"
#include "libpaths/run/run_private.h"

#include <poll.h>

/* A connection until its agent has proven itself and told its name. */
struct run_visitor {
	struct paths__unproven entry; /* first member */
	struct launch_channel channel;
	struct paths__launch launch;
	size_t got;			 /* bytes of the proof */
	struct paths__unproven_list *in; /* the list that has it */
};

struct run_gate {
	int fd; /* -1: closed */
	uint16_t port;
	uint8_t secret[PATHS__LAUNCH_SECRET_BYTES];
	struct paths__unproven_list visitors;
	struct paths__unproven_list proven; /* their first frame is to come */
};

/* Listens, and sets the variables by which agents find the gate. */
bool run_gate_open(struct run_gate *gate, const struct launch_ports *ports);

/* Listens, for those who know a secret, at an address; NULL: at all.  Returns
   false with the reason in why. */
bool run_gate_listen(struct run_gate *gate, const char *address,
    const struct launch_ports *ports,
    const uint8_t secret[PATHS__LAUNCH_SECRET_BYTES],
    char why[LAUNCH_WHY_BYTES]);

void run_gate_close(struct run_gate *gate);

/* Descriptors that run_gate_poll fills in, at most. */
#define RUN_GATE_FDS(processes) (PATHS__UNPROVEN_MAX + 1 + (processes))

/* Fills in the descriptors of the gate.  Returns their count. */
size_t run_gate_poll(const struct run_gate *gate, struct pollfd *fds,
    uint32_t processes);

/* Accepts connections, and goes on with those that are there. */
void run_gate_serve(struct run_gate *gate);

/* Takes the next agent that has proven itself, and its first frame.  The
   caller frees the visitor with run_gate_free. */
struct run_visitor *run_gate_take(struct run_gate *gate,
    struct launch_frame *frame);

/* Frees a visitor; its channel is closed unless it was moved. */
void run_gate_free(struct run_visitor *visitor, bool moved);

#endif
