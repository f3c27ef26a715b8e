/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/hop_private.h - hops of other processes that lead here
 *
 * The hops that end in this process are known from the map, so their paths are
 * built when the program opens, before a peer opens a hop.  The functions but
 * init and fini run on the loop's thread; an operation may end on the thread
 * that resumes it.
 */

#ifndef LIBPATHS_NET_HOP_PRIVATE_H
#define LIBPATHS_NET_HOP_PRIVATE_H

#include "libpaths/engine/path_private.h"
#include "libpaths/net/conn_private.h"

/* A hop and the path behind it. */
struct paths__hop {
	struct paths_path *path;
	struct paths__hops *hops;
	struct paths__conn *conn; /* that opened the hop; NULL: not open */
	uint32_t item;		  /* of the proxy in the map */
	uint32_t serial;
	uint64_t arrived; /* ticks, of a timed operation; or 0 */
	bool next;	  /* the next operation is timed; used by the loop */
	uint8_t *tuple;
	_Atomic bool busy; /* an operation is under way; cleared by its end */
	_Atomic bool lent; /* the tuple is being sent */
	bool ending;
	bool ended;
	bool lost;	      /* ends because its process is gone */
	paths_status refused; /* of the last paths__hop_reopen, or PATHS_OK */
	char why[PATHS_OP_WHY_BYTES]; /* reason when lost or refused */
};

/* All hops of a server. */
struct paths__hops {
	struct paths_program *program;
	struct paths__loop *loop;
	struct paths__hop *hop; /* in the order of the map */
	uint32_t count;
	struct paths__hop **by_item; /* of the map; NULL: no hop ends here */
	uint32_t ending;	     /* count: ending and not ended */
	uint32_t awaited;	     /* count: not opened and not ending */
	_Atomic uint32_t ended;	     /* count; program close sleeps on it */
};

/* Builds the paths.  Call paths__hop_fini_all also after a failure. */
paths_status paths__hop_init_all(struct paths__hops *hops,
    struct paths_program *program, struct paths__loop *loop);
void paths__hop_fini_all(struct paths__hops *hops);

/* Returns the hop of an item of the map; NULL when it does not end here. */
struct paths__hop *paths__hop_find(const struct paths__hops *hops,
    uint32_t item);

/* Returns the memory for the tuple of the next operation; NULL while another
   one uses it.  The operation that is run next may have its payload there. */
uint8_t *paths__hop_place(struct paths__hop *hop);

/* Runs an operation that a peer has sent.  Returns false when the hop is
   busy with another one: the frame must wait. */
bool paths__hop_run(struct paths__hop *hop, const struct paths__frame *frame,
    const uint8_t *payload);

/* Cancels the operation with this serial; does nothing for another. */
void paths__hop_cancel(struct paths__hop *hop, uint32_t serial);

/* Gives a hop to the connection that opens it first. */
void paths__hop_open(struct paths__hop *hop, struct paths__conn *conn);

/* Ends a hop: cancels its operation, then calls `lost` of the stages.  why:
   NULL when the hop was closed, else the reason why its process is gone. */
void paths__hop_end(struct paths__hop *hop, const char *why);

/* Opens a hop again that has ended, by calling `reopen` of the stages.  When it
   fails, the hop keeps status and reason for its operations. */
paths_status paths__hop_reopen(struct paths__hop *hop) PATHS_CHECKED;

/* Ends the hops of a process whose connection has ended: those that the
   connection has opened, and those that no connection has opened. */
void paths__hop_lose(struct paths__hops *hops, const struct paths__conn *conn,
    const char *why);

/* Sends the beats of a step to the peers that wait for an operation. */
void paths__hop_beat_all(struct paths__hops *hops, uint32_t step);

/* Ends the hops whose operation could not be canceled before.  Returns true
   when some ended. */
bool paths__hop_retry_all(struct paths__hops *hops);

#endif
