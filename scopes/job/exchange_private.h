/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/exchange_private.h - what a job needs of MPI, and the plugins that
 * provide it
 *
 * A plugin is a shared object that is linked to one MPI and exports the table
 * `es__exchange`.  All its functions are called by one thread, the one that
 * called `open`.
 */

#ifndef SCOPES_JOB_EXCHANGE_PRIVATE_H
#define SCOPES_JOB_EXCHANGE_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Version of struct es__exchange. */
#define ES__EXCHANGE_ABI 1u

/* The name of the table in a plugin. */
#define ES__EXCHANGE_TABLE "es__exchange"

/* Messages of a kind from one rank to another arrive in order. */
enum es__exchange_kind {
	ES__EXCHANGE_STREAM, /* a piece of a stream */
	ES__EXCHANGE_CONTROL /* begins with a struct es__control */
};

#define ES__EXCHANGE_ANY UINT32_MAX

/* A message that has arrived. */
struct es__exchange_message {
	uint32_t from;
	size_t bytes;
	void *handle; /* the plugin's; until it is received */
};

struct es__exchange {
	uint32_t abi;
	/* Joins the job.  PATHS_OK; PATHS_EIO: MPI could not be started. */
	paths_status (*open)(uint32_t *rank, uint32_t *size);
	/* Starts to send.  The bytes must not change until `sent`, which is
	   called again and again with the request, returns true.  A piece of a
	   stream is sent when its receiver has begun to receive it. */
	void *(*send)(const void *data, size_t bytes, uint32_t to,
	    enum es__exchange_kind kind);
	bool (*sent)(void *request);
	/* Returns whether a message has arrived. */
	bool (*probe)(uint32_t from, enum es__exchange_kind kind,
	    struct es__exchange_message *message);
	void (*receive)(struct es__exchange_message *message, void *to);
	/* Ends the processes of all ranks. */
	void (*abort)(void);
	/* Leaves the job; waits for the other ranks. */
	void (*close)(void);
};

#endif
