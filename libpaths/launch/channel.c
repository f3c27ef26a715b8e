/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/channel.c - frames between eventspace run and its agent on a
 * host
 */

#include "libpaths/launch/channel_private.h"

#include "libpaths/launch/descendants_private.h"
#include "libpaths/launch/socket_private.h"
#include "libpaths/net/seal_private.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Beats within the time of silence, and the longest time between two. */
#define CHANNEL_BEATS 4
#define CHANNEL_BEAT_NS UINT64_C(1000000000)

#define CHANNEL_READ_BYTES ((size_t)64 * 1024)

/* The begin of a frame. */
struct channel_head {
	uint32_t bytes; /* of the frame, with this head and the seal */
	uint32_t kind;
};

struct launch_seals {
	struct paths__seal out, in;
};

void
launch_channel_open(struct launch_channel *c, int in, int out)
{
	*c = (struct launch_channel){ .in = in, .out = out };
	launch_socket_unblock(in);
	launch_socket_unblock(out);
	c->heard_ns = c->sent_ns = run_now_ns();
}

void
launch_channel_close(struct launch_channel *c)
{
	if (c->in >= 0)
		close(c->in);
	if (c->out >= 0 && c->out != c->in)
		close(c->out);
	c->in = c->out = -1;
	launch_bytes_fini(&c->input);
	launch_bytes_fini(&c->output);
	if (c->seals != NULL) {
		paths__seal_fini(&c->seals->out);
		paths__seal_fini(&c->seals->in);
	}
	free(c->seals);
	c->seals = NULL;
}

bool
launch_channel_seal(struct launch_channel *c,
    uint8_t keys[2][PATHS__SEAL_KEY_BYTES])
{
	c->seals = calloc(1, sizeof(*c->seals));
	if (c->seals == NULL)
		return false;
	paths__seal_init(&c->seals->out, keys[0], true);
	paths__seal_init(&c->seals->in, keys[1], true);
	return true;
}

/* ---- sending */

void
launch_channel_send_raw(struct launch_channel *c, const void *bytes,
    size_t count)
{
	launch_put_bytes(&c->output, bytes, count);
}

void
launch_channel_send(struct launch_channel *c, enum launch_kind kind,
    const void *content, size_t count)
{
	const size_t seal =
	    c->seals != NULL ? sizeof(struct paths__seal_end) : 0;
	const struct channel_head head = {
		(uint32_t)(sizeof(head) + count + seal), kind
	};
	uint8_t *frame;

	if (count > LAUNCH_CONTENT_MAX) {
		c->output.lost = true;
		return;
	}
	frame = launch_bytes_add(&c->output, head.bytes);
	if (frame == NULL)
		return;
	memcpy(frame, &head, sizeof(head));
	if (count > 0)
		memcpy(frame + sizeof(head), content, count);
	if (seal > 0)
		paths__seal_close(&c->seals->out, frame, head.bytes);
}

void
launch_channel_send_bytes(struct launch_channel *c, enum launch_kind kind,
    struct launch_bytes *content)
{
	launch_channel_send(c, kind, launch_bytes_first(content),
	    launch_bytes_count(content));
	c->output.lost |= content->lost;
	launch_bytes_fini(content);
}

void
launch_channel_send_text(struct launch_channel *c, enum launch_kind kind,
    const char *text)
{
	struct launch_bytes content = { .memory = NULL };

	launch_put_text(&content, text);
	launch_channel_send_bytes(c, kind, &content);
}

void
launch_channel_send_number(struct launch_channel *c, enum launch_kind kind,
    uint64_t number)
{
	launch_channel_send(c, kind, &number, sizeof(number));
}

uint64_t
launch_channel_beat_ns(const struct launch_channel *c)
{
	const uint64_t ns = c->silence_ns / CHANNEL_BEATS;

	return ns == 0 || ns > CHANNEL_BEAT_NS ? CHANNEL_BEAT_NS : ns;
}

void
launch_channel_beat(struct launch_channel *c)
{
	if (launch_bytes_count(&c->output) == 0 &&
	    run_now_ns() - c->sent_ns >= launch_channel_beat_ns(c))
		launch_channel_send(c, LAUNCH_BEAT, NULL, 0);
}

/* Sets the reason for the end of a channel.  Returns false. */
static bool
channel_ends(struct launch_channel *c, const char *why)
{
	if (c->why[0] == '\0')
		snprintf(c->why, sizeof(c->why), "%s", why);
	return false;
}

bool
launch_channel_flush(struct launch_channel *c)
{
	if (c->output.lost)
		return channel_ends(c, "out of memory");
	while (launch_bytes_count(&c->output) > 0) {
		ssize_t n = write(c->out, launch_bytes_first(&c->output),
		    launch_bytes_count(&c->output));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return true;
		if (n < 0)
			return channel_ends(c,
			    errno == EPIPE ? "connection closed" :
					     strerror(errno));
		launch_bytes_take(&c->output, (size_t)n);
		c->sent_ns = run_now_ns();
	}
	return true;
}

/* ---- receiving */

bool
launch_channel_fill(struct launch_channel *c)
{
	uint8_t bytes[CHANNEL_READ_BYTES];
	ssize_t n;

	do
		n = read(c->in, bytes, sizeof(bytes));
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return true;
	if (n < 0)
		return channel_ends(c, strerror(errno));
	if (n == 0)
		return channel_ends(c, "connection closed");
	c->heard_ns = run_now_ns();
	launch_put_bytes(&c->input, bytes, (size_t)n);
	explicit_bzero(bytes, (size_t)n);
	return !c->input.lost || channel_ends(c, "out of memory");
}

/* Takes the magic of the agent, and all that a shell has written before it.
   Returns true when it has come. */
static bool
channel_skip_noise(struct launch_channel *c)
{
	const size_t magic = sizeof(PATHS__LAUNCH_MAGIC) - 1;
	const size_t count = launch_bytes_count(&c->input);
	const uint8_t *first, *found;
	size_t skip;

	if (count < magic)
		return false;
	first = launch_bytes_first(&c->input);
	found = memmem(first, count, PATHS__LAUNCH_MAGIC, magic);
	skip =
	    found != NULL ? (size_t)(found - first) + magic : count - magic + 1;
	c->quiet = found == NULL;
	c->noise += skip;
	launch_bytes_take(&c->input, skip);
	if (c->noise > LAUNCH_NOISE_MAX + magic)
		return channel_ends(c, "not an agent of this version");
	return found != NULL;
}

/* Checks and decrypts the frame at the begin of the input. */
static bool
channel_open_frame(struct launch_channel *c, uint32_t bytes)
{
	char why[PATHS__SEAL_WHY_BYTES];

	if (c->seals == NULL ||
	    paths__seal_open(&c->seals->in, launch_bytes_first(&c->input),
		bytes, why))
		return true;
	return channel_ends(c, why);
}

bool
launch_channel_next(struct launch_channel *c, struct launch_frame *frame)
{
	const size_t seal =
	    c->seals != NULL ? sizeof(struct paths__seal_end) : 0;
	struct channel_head head;
	size_t count;

	if (c->why[0] != '\0' || (c->quiet && !channel_skip_noise(c)))
		return false;
	count = launch_bytes_count(&c->input);
	if (count < sizeof(head))
		return false;
	memcpy(&head, launch_bytes_first(&c->input), sizeof(head));
	if (head.bytes < sizeof(head) + seal ||
	    head.bytes > sizeof(head) + LAUNCH_CONTENT_MAX + seal)
		return channel_ends(c, "a frame has a wrong length");
	if (count < head.bytes || !channel_open_frame(c, head.bytes))
		return false;
	memcpy(&head, launch_bytes_first(&c->input), sizeof(head));
	if (head.kind >= LAUNCH_KINDS)
		return channel_ends(c, "a frame is of no kind");
	frame->kind = (enum launch_kind)head.kind;
	frame->content =
	    (struct launch_get){ .at = launch_bytes_first(&c->input) +
			sizeof(head),
		    .left = head.bytes - sizeof(head) - seal };
	launch_bytes_take(&c->input, head.bytes);
	return true;
}

bool
launch_channel_is_silent(struct launch_channel *c)
{
	const uint64_t ns = run_now_ns() - c->heard_ns;
	struct pollfd unread = { c->in, POLLIN, 0 };
	char why[64];

	/* Bytes that are not read yet: it was this side that was busy. */
	if (c->silence_ns == 0 || ns < c->silence_ns || poll(&unread, 1, 0) > 0)
		return false;
	snprintf(why, sizeof(why), "silent for %.3g s", (double)ns / 1e9);
	channel_ends(c, why);
	return true;
}
