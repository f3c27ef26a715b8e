/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/typical_private.h - finds the typical lengths of activities and
 * messages
 */

#ifndef SCOPES_GRAPH_TYPICAL_PRIVATE_H
#define SCOPES_GRAPH_TYPICAL_PRIVATE_H

#include "scopes/graph/pass_private.h"
#include "scopes/path/histogram_private.h"

/* The instances of an activity. */
struct es__graph_typical_activity {
	int64_t ns; /* their sum */
	uint64_t count;
};

/* Number of classes of message sizes: up to 64 bytes, then one for each power
   of two. */
#define ES__TYPICAL_SIZES 59u
#define ES__TYPICAL_BITS 6u /* the first class has sizes up to 1 << 6 */

static inline uint32_t
es__graph_typical_size(uint64_t bytes)
{
	return bytes <= UINT64_C(1) << ES__TYPICAL_BITS ?
	    0 :
	    64u - ES__TYPICAL_BITS - (uint32_t)__builtin_clzll(bytes - 1);
}

/* Returns the largest size of a class. */
static inline uint64_t
es__graph_typical_bytes(uint32_t size)
{
	return ES__TYPICAL_BITS + size < 64 ?
	    UINT64_C(1) << (ES__TYPICAL_BITS + size) :
	    UINT64_MAX;
}

struct es__graph_typical_work;

struct es__graph_typical {
	struct es__graph_typical_activity *activities;
	/* Times of messages in ns, by class of size; NULL: there are none.
	   [0]: inside a host; [1]: between hosts. */
	struct es__histogram *messages[ES__TYPICAL_SIZES][2];
};

/*
 * es__graph_typical_begin - begin to measure the activities and messages of a
 * graph, in a pass that shares its reading with others
 *
 * The time of a message is that from the begin of its send to the end of the
 * operation that receives it.  It is measured only if the begin of the send
 * ended the wait of that operation.
 *
 * hosts	host of each thread
 * typical	out; known when the pass has read the graph
 * work		out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	borrows all; the caller calls es__graph_typical_end, and
 *		es__graph_typical_fini, also on failure
 */
paths_status es__graph_typical_begin(const struct es__graph *graph,
    const uint32_t *hosts, struct es__graph_typical *typical,
    struct es__graph_typical_work **work) PATHS_CHECKED;

struct es__graph_pass es__graph_typical_pass(
    struct es__graph_typical_work *work);

/* work	NULL: nothing happens */
void es__graph_typical_end(struct es__graph_typical_work *work);
void es__graph_typical_fini(struct es__graph_typical *typical);

/* The median time of messages of about one size. */
struct es__graph_message {
	int64_t ns;
	uint64_t bytes; /* the largest size of its class */
	uint64_t count;
};

/*
 * es__graph_typical_message - get the typical time of a message
 *
 * Takes the class of the size.  If this has no messages, takes the nearest
 * class with messages, at most two classes away.
 *
 * between	the message passes between hosts
 *
 * Returns	false: no such message was measured
 */
bool es__graph_typical_message(const struct es__graph_typical *typical,
    uint64_t bytes, bool between, struct es__graph_message *message);

#endif
