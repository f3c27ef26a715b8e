/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/typical.c - finds the typical lengths of activities and messages
 */

#include "scopes/graph/typical_private.h"

#include "collectors/mpi_function.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Largest distance of the class that is taken in place of an empty one. */
#define TYPICAL_APART 2u

struct es__graph_typical_work {
	struct es__graph_typical *of;
	const struct es__graph *graph;
	const uint32_t *hosts;
	uint32_t *posters; /* thread of each slot */
	/* The current operation waited for a send; the size of the message, and
	   the thread that sent it. */
	bool waited;
	uint64_t bytes;
	uint32_t sender;
};

/* Adds a message that took ns from the begin of its send to the end of the
   operation of `thread` that received it. */
static paths_status
typical_message(struct es__graph_typical_work *u, uint32_t thread, int64_t ns)
{
	bool between = u->hosts[thread] != u->hosts[u->sender];
	struct es__histogram **times =
	    &u->of->messages[es__graph_typical_size(u->bytes)][between];

	if (*times == NULL)
		*times = calloc(1, sizeof(**times));
	if (*times == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for messages");
	es__histogram_add(*times, ns);
	return PATHS_OK;
}

static void
typical_add(struct es__graph_typical_work *u, const struct es__graph_step *step)
{
	struct es__graph_typical_activity *a = &u->of->activities[step->at];

	a->ns += step->ns;
	a->count++;
}

/* Returns whether an operation is a probe, which receives no message. */
static bool
typical_probes(const struct es__graph_typical_work *u,
    const struct es__graph_step *step)
{
	const struct es_mpi_function *function =
	    es_mpi_function(u->graph->names.list[step->at].function);

	return function != NULL && function->role == ES_MPI_ROLE_PROBE;
}

static paths_status
typical_leave(struct es__graph_typical_work *u,
    const struct es__graph_step *step)
{
	bool message = u->waited && step->ns >= 0 && !typical_probes(u, step);

	typical_add(u, step);
	u->waited = false;
	return message ? typical_message(u, step->thread, step->ns) : PATHS_OK;
}

/* Notes the send that ended the wait of an operation. */
static void
typical_receive(struct es__graph_typical_work *u,
    const struct es__graph_step *step)
{
	if (!(step->flags & ES__GRAPH_BINDS))
		return;
	u->waited = true;
	u->bytes = (uint64_t)step->ns;
	u->sender = u->posters[step->at];
}

static paths_status
typical_step(struct es__graph_typical_work *u,
    const struct es__graph_step *step)
{
	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_ENTER:
		typical_add(u, step);
		break;
	case ES__GRAPH_POST:
		u->posters[step->at] = step->thread;
		break;
	case ES__GRAPH_AWAIT_SEND:
		typical_receive(u, step);
		break;
	case ES__GRAPH_LEAVE:
		return typical_leave(u, step);
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
	case ES__GRAPH_AWAIT_CALL:
	case ES__GRAPH_JOIN:
	case ES__GRAPH_WAITED:
		break;
	}
	return PATHS_OK;
}

static paths_status
typical_take(void *self, const struct es__graph_step *steps, uint32_t count)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = typical_step(self, &steps[n]);
	return st;
}

paths_status
es__graph_typical_begin(const struct es__graph *graph, const uint32_t *hosts,
    struct es__graph_typical *typical, struct es__graph_typical_work **work)
{
	struct es__graph_typical_work *u = calloc(1, sizeof(*u));

	*typical = (struct es__graph_typical){ .activities = NULL };
	if (u != NULL) {
		*u = (struct es__graph_typical_work){ .of = typical,
			.graph = graph,
			.hosts = hosts };
		typical->activities = calloc((size_t)graph->names.count + 1,
		    sizeof(*typical->activities));
		u->posters =
		    calloc((size_t)graph->slot_count + 1, sizeof(*u->posters));
	}
	if (u == NULL || typical->activities == NULL || u->posters == NULL) {
		es__graph_typical_end(u);
		return paths_log_fail(PATHS_ENOMEM, "no memory for activities");
	}
	*work = u;
	return PATHS_OK;
}

struct es__graph_pass
es__graph_typical_pass(struct es__graph_typical_work *work)
{
	return (struct es__graph_pass){ work, typical_take };
}

void
es__graph_typical_end(struct es__graph_typical_work *work)
{
	if (work == NULL)
		return;
	free(work->posters);
	free(work);
}

void
es__graph_typical_fini(struct es__graph_typical *typical)
{
	for (uint32_t n = 0; n < ES__TYPICAL_SIZES; n++) {
		free(typical->messages[n][0]);
		free(typical->messages[n][1]);
	}
	free(typical->activities);
}

/* Finds the median of the messages of a class. */
static bool
message_median(const struct es__graph_typical *typical, uint32_t class,
    bool between, struct es__graph_message *message)
{
	const struct es__histogram *times = typical->messages[class][between];

	if (times == NULL)
		return false;
	*message = (struct es__graph_message){
		.ns = es__histogram_at(times, 0.5),
		.bytes = es__graph_typical_bytes(class),
		.count = times->count,
	};
	return true;
}

bool
es__graph_typical_message(const struct es__graph_typical *typical,
    uint64_t bytes, bool between, struct es__graph_message *message)
{
	uint32_t class = es__graph_typical_size(bytes);

	for (uint32_t apart = 0; apart <= TYPICAL_APART; apart++) {
		if (class >= apart &&
		    message_median(typical, class - apart, between, message))
			return true;
		if (class + apart < ES__TYPICAL_SIZES &&
		    message_median(typical, class + apart, between, message))
			return true;
	}
	return false;
}
