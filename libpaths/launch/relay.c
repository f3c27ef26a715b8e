/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/relay.c - passes bytes between two descriptors and a channel
 *
 * The frame DATA has bytes, the frame END tells that no more will come.
 */

#include "libpaths/launch/relay_private.h"

#include "libpaths/launch/descendants_private.h"
#include "libpaths/launch/socket_private.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { RELAY_READ, RELAY_WRITE, RELAY_RECEIVE, RELAY_SEND, RELAY_FDS };

struct relay {
	struct launch_channel *channel;
	int in, out;		   /* -1: closed */
	struct launch_bytes queue; /* to be written to out */
	bool ended;		   /* nothing more comes over the channel */
};

/* Reads bytes and queues them for the channel. */
static void
relay_read(struct relay *r)
{
	char piece[LAUNCH_PIECE_MAX];
	const ssize_t n = read(r->in, piece, sizeof(piece));

	if (n > 0) {
		launch_channel_send(r->channel, LAUNCH_DATA, piece, (size_t)n);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		close(r->in);
		r->in = -1;
		launch_channel_send(r->channel, LAUNCH_END, NULL, 0);
	}
}

static void
relay_close_out(struct relay *r)
{
	if (r->out >= 0)
		close(r->out);
	r->out = -1;
	launch_bytes_fini(&r->queue);
}

static void
relay_write(struct relay *r)
{
	ssize_t n = write(r->out, launch_bytes_first(&r->queue),
	    launch_bytes_count(&r->queue));

	if (n > 0)
		launch_bytes_take(&r->queue, (size_t)n);
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		relay_close_out(r);
}

/* Takes the frames that have come.  Returns false when one is wrong. */
static bool
relay_take(struct relay *r)
{
	struct launch_frame frame;

	while (launch_channel_next(r->channel, &frame)) {
		if (frame.kind == LAUNCH_DATA && r->out >= 0)
			launch_put_bytes(&r->queue, frame.content.at,
			    frame.content.left);
		else if (frame.kind == LAUNCH_END)
			r->ended = true;
	}
	return r->channel->why[0] == '\0' && !r->queue.lost;
}

static void
relay_poll(struct relay *r, struct pollfd fds[RELAY_FDS])
{
	struct launch_channel *c = r->channel;
	const size_t queued = launch_bytes_count(&r->queue);
	const bool full = launch_channel_queued(c) >= LAUNCH_QUEUE_MAX;

	fds[RELAY_READ] = (struct pollfd){ full ? -1 : r->in, POLLIN, 0 };
	fds[RELAY_WRITE] =
	    (struct pollfd){ queued > 0 ? r->out : -1, POLLOUT, 0 };
	fds[RELAY_RECEIVE] =
	    (struct pollfd){ queued < LAUNCH_QUEUE_MAX ? c->in : -1, POLLIN,
		    0 };
	fds[RELAY_SEND] =
	    (struct pollfd){ launch_channel_queued(c) > 0 ? c->out : -1,
		    POLLOUT, 0 };
	if (poll(fds, RELAY_FDS,
		(int)(launch_channel_beat_ns(c) / 1000000 + 1)) < 0) {
		for (int n = 0; n < RELAY_FDS; n++)
			fds[n].revents = 0;
	}
}

/* Passes on what there is.  Returns false when the channel is lost. */
static bool
relay_step(struct relay *r)
{
	struct launch_channel *c = r->channel;
	struct pollfd fds[RELAY_FDS];
	bool more = true;

	relay_poll(r, fds);
	if (fds[RELAY_READ].revents != 0)
		relay_read(r);
	if (fds[RELAY_RECEIVE].revents != 0)
		more = launch_channel_fill(c);
	/* Frames that came before the end are taken. */
	if (!relay_take(r) || (!more && !r->ended))
		return false;
	if (r->out >= 0 && launch_bytes_count(&r->queue) > 0)
		relay_write(r);
	if (r->ended && launch_bytes_count(&r->queue) == 0)
		relay_close_out(r);
	launch_channel_beat(c);
	return launch_channel_flush(c) && !launch_channel_is_silent(c);
}

bool
launch_relay(struct launch_channel *c, int in, int out)
{
	struct relay r = { .channel = c, .in = in, .out = out };
	bool whole = true;

	launch_socket_unblock(in);
	launch_socket_unblock(out);
	while (whole &&
	    (r.in >= 0 || r.out >= 0 || !r.ended ||
		launch_channel_queued(c) > 0))
		whole = relay_step(&r);
	if (r.in >= 0)
		close(r.in);
	relay_close_out(&r);
	return whole;
}
