/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/channel_private.h - frames between eventspace run and its
 * agent on a host
 *
 * The launcher and the agent of a process talk over the standard input and
 * output of the agent (ssh, command) or over TCP (srun, mpirun), where frames
 * are encrypted (handshake_launch_private.h).  The agent begins with
 * PATHS__LAUNCH_MAGIC.  A frame is its length, its kind and its content.
 *
 *	launcher	SETUP, VARIABLE..., WORD..., ENDPOINT..., OPEN
 *	agent		READY: its run directory and the ports of the endpoints
 *	launcher	MAP..., START, when all agents are ready
 *	agent		SERVER, if it has started one for event scopes
 *			(agent_host.c)
 *	agent		STARTED, OUTPUT and ERRORS, and EXITED at the end
 *	launcher	ENDED for each program that has ended, or was lost
 *	launcher	SIGNAL at any time; COLLECT when all have exited
 *	agent		for each file FILE, DATA..., FILE_END; then COLLECTED
 *	launcher	END
 *
 * The agent sends FAILED instead when it cannot go on.  Both sides send BEAT
 * when they have sent nothing else for a while, so silence means that the other
 * side is gone.
 */

#ifndef LIBPATHS_LAUNCH_CHANNEL_PRIVATE_H
#define LIBPATHS_LAUNCH_CHANNEL_PRIVATE_H

#include "libpaths/launch/bytes_private.h"
#include "libpaths/net/handshake_launch_private.h"

enum launch_kind {
	LAUNCH_BEAT,
	/* Frames that an agent sends. */
	LAUNCH_HELLO,
	LAUNCH_READY,
	LAUNCH_STARTED,
	LAUNCH_OUTPUT,
	LAUNCH_ERRORS,
	LAUNCH_EXITED,
	LAUNCH_FILE,
	LAUNCH_DATA,
	LAUNCH_FILE_END,
	LAUNCH_COLLECTED,
	LAUNCH_FAILED,
	/* Frames that the launcher sends. */
	LAUNCH_SETUP,
	LAUNCH_VARIABLE,
	LAUNCH_WORD,
	LAUNCH_ENDPOINT,
	LAUNCH_OPEN,
	LAUNCH_MAP,
	LAUNCH_START,
	LAUNCH_SIGNAL,
	LAUNCH_COLLECT,
	LAUNCH_END,
	/* Another one of an agent. */
	LAUNCH_SERVER,
	/* Another one of the launcher. */
	LAUNCH_ENDED,
	LAUNCH_KINDS
};

/* Content of a frame, at most: more than the kernel takes for a variable. */
#define LAUNCH_CONTENT_MAX ((size_t)192 * 1024)

/* Bytes of files, maps and output in a frame, at most. */
#define LAUNCH_PIECE_MAX ((size_t)32 * 1024)

/* A sender of files and output waits while as many bytes are to be sent. */
#define LAUNCH_QUEUE_MAX ((size_t)256 * 1024)

/* Bytes that the shell of a host may write before the agent begins. */
#define LAUNCH_NOISE_MAX ((size_t)64 * 1024)

#define LAUNCH_WHY_BYTES 256

struct launch_seals; /* keys of both directions */

struct launch_channel {
	int in, out; /* -1: closed; the same for a socket */
	bool quiet;  /* the magic of the agent is still to come */
	size_t noise;
	struct launch_bytes input, output;
	struct launch_seals *seals; /* NULL: frames are not sealed */
	uint64_t silence_ns;	    /* 0: no limit */
	uint64_t heard_ns, sent_ns; /* time of the last bytes */
	char why[LAUNCH_WHY_BYTES]; /* reason why it ended; "" before */
};

struct launch_frame {
	enum launch_kind kind;
	struct launch_get content;
};

/* Opens a channel on descriptors, which it owns. */
void launch_channel_open(struct launch_channel *c, int in, int out);
void launch_channel_close(struct launch_channel *c);

/* Encrypts all frames from now on; keys as of paths__launch_keys. */
bool launch_channel_seal(struct launch_channel *c,
    uint8_t keys[2][PATHS__SEAL_KEY_BYTES]);

/* Queues bytes that are no frame. */
void launch_channel_send_raw(struct launch_channel *c, const void *bytes,
    size_t count);

/* Queues a frame. */
void launch_channel_send(struct launch_channel *c, enum launch_kind kind,
    const void *content, size_t count);

/* Queues a frame with the bytes of a queue, which is emptied. */
void launch_channel_send_bytes(struct launch_channel *c, enum launch_kind kind,
    struct launch_bytes *content);

/* Queues a frame with a text. */
void launch_channel_send_text(struct launch_channel *c, enum launch_kind kind,
    const char *text);

/* Queues a frame with a number. */
void launch_channel_send_number(struct launch_channel *c, enum launch_kind kind,
    uint64_t number);

/* Sends and receives bytes without waiting.  Return false, with the reason in
   why, when the channel has ended. */
bool launch_channel_flush(struct launch_channel *c);
bool launch_channel_fill(struct launch_channel *c);

/* Takes the next frame.  Its content is valid until bytes are received.
   Returns false when there is none; then why is set if the bytes are wrong. */
bool launch_channel_next(struct launch_channel *c, struct launch_frame *frame);

/* Queues a beat if it is time for one. */
void launch_channel_beat(struct launch_channel *c);

/* Returns true, with the reason in why, when the other side was silent for too
   long. */
bool launch_channel_is_silent(struct launch_channel *c);

static inline size_t
launch_channel_queued(const struct launch_channel *c)
{
	return launch_bytes_count(&c->output);
}

/* Time between two beats. */
uint64_t launch_channel_beat_ns(const struct launch_channel *c);

#endif
