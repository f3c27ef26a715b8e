/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/launch/channel_test.c - proves libpaths/launch/channel.c, and
 * the handshake before it
 */

#include "libpaths/launch/channel_private.h"
#include "libpaths/launch/meet_private.h"

#include "tests/test.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Both ends of a connection. */
static struct launch_channel agent, launcher;

static void
open_both(void)
{
	int fds[2];

	EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	launch_channel_open(&agent, fds[0], fds[0]);
	launch_channel_open(&launcher, fds[1], fds[1]);
}

static void
close_both(void)
{
	launch_channel_close(&agent);
	launch_channel_close(&launcher);
}

/* Does the handshake.  Each side has a secret. */
static bool
shake(const char *of_agent, const char *of_launcher)
{
	struct paths__launch a = { .secret = { 0 } }, l = { .secret = { 0 } };
	uint8_t keys[2][PATHS__SEAL_KEY_BYTES];

	EXPECT_TRUE(paths__launch_init());
	memcpy(a.secret, of_agent, strlen(of_agent));
	memcpy(l.secret, of_launcher, strlen(of_launcher));
	paths__launch_begin(&l);
	a.offer = l.offer;
	EXPECT_TRUE(paths__launch_prove(&a));
	l.proof = a.proof;
	if (!paths__launch_check(&l))
		return false;
	a.answer = l.answer;
	EXPECT_TRUE(paths__launch_answered(&a));
	a.answer.mac[0] ^= 1;
	EXPECT_TRUE(!paths__launch_answered(&a));
	paths__launch_keys(&a, true, keys);
	EXPECT_TRUE(launch_channel_seal(&agent, keys));
	paths__launch_keys(&l, false, keys);
	EXPECT_TRUE(launch_channel_seal(&launcher, keys));
	return true;
}

/* Receives the next frame of a channel. */
static bool
receive(struct launch_channel *c, struct launch_frame *frame)
{
	return launch_channel_fill(c) && launch_channel_next(c, frame);
}

static void
frames_arrive_in_both_directions(void)
{
	struct launch_frame frame;

	open_both();
	EXPECT_TRUE(shake("secret", "secret"));
	launch_channel_send_text(&agent, LAUNCH_FAILED, "why");
	launch_channel_send_number(&launcher, LAUNCH_SIGNAL, 15);
	EXPECT_TRUE(launch_channel_flush(&agent));
	EXPECT_TRUE(launch_channel_flush(&launcher));
	EXPECT_TRUE(receive(&launcher, &frame));
	EXPECT_EQ(LAUNCH_FAILED, frame.kind);
	EXPECT_STR_EQ("why", launch_get_text(&frame.content));
	EXPECT_TRUE(launch_get_ends(&frame.content));
	EXPECT_TRUE(receive(&agent, &frame));
	EXPECT_EQ(15, launch_get_number(&frame.content));
	EXPECT_TRUE(launch_get_ends(&frame.content));
	EXPECT_TRUE(!launch_channel_next(&agent, &frame));
	EXPECT_STR_EQ("", agent.why);
	close_both();
}

static void
another_secret_is_no_proof(void)
{
	open_both();
	EXPECT_TRUE(!shake("secret", "secreT"));
	close_both();
}

/* The bytes of a sealed frame do not contain its text, and none of them may be
   changed. */
static void
a_frame_that_was_changed_is_refused(void)
{
	static const char text[] = "a text of the run";
	struct launch_frame frame;
	size_t count = 1;

	for (size_t at = 0; at < count; at++) {
		open_both();
		EXPECT_TRUE(shake("secret", "secret"));
		launch_channel_send_text(&agent, LAUNCH_FAILED, text);
		count = launch_channel_queued(&agent);
		EXPECT_TRUE(memmem(launch_bytes_first(&agent.output), count,
				text, 4) == NULL);
		launch_bytes_first(&agent.output)[at] ^= 4;
		EXPECT_TRUE(launch_channel_flush(&agent));
		EXPECT_TRUE(!receive(&launcher, &frame));
		/* After a length that is too large, more may come. */
		EXPECT_TRUE(launcher.why[0] != '\0' || at < 4);
		close_both();
	}
	EXPECT_TRUE(count > sizeof(text));
}

static void
a_frame_that_comes_twice_is_refused(void)
{
	struct launch_frame frame;
	uint8_t copy[256];
	size_t count;

	open_both();
	EXPECT_TRUE(shake("secret", "secret"));
	launch_channel_send_number(&agent, LAUNCH_SIGNAL, 1);
	count = launch_channel_queued(&agent);
	EXPECT_TRUE(count <= sizeof(copy));
	memcpy(copy, launch_bytes_first(&agent.output), count);
	launch_channel_send_raw(&agent, copy, count);
	EXPECT_TRUE(launch_channel_flush(&agent));
	EXPECT_TRUE(receive(&launcher, &frame));
	EXPECT_TRUE(!launch_channel_next(&launcher, &frame));
	EXPECT_TRUE(launcher.why[0] != '\0');
	close_both();
}

static void
silence_has_a_limit_and_beats_end_it(void)
{
	struct launch_frame frame;

	open_both();
	launcher.silence_ns = 1;
	EXPECT_TRUE(launch_channel_is_silent(&launcher));
	EXPECT_TRUE(strncmp(launcher.why, "silent for ", 11) == 0);
	launcher.silence_ns = 0;
	launcher.why[0] = '\0';
	EXPECT_TRUE(!launch_channel_is_silent(&launcher));
	/* A beat comes only when nothing else was sent for a while. */
	agent.silence_ns = UINT64_MAX;
	launch_channel_beat(&agent);
	EXPECT_EQ(0, launch_channel_queued(&agent));
	agent.sent_ns = 0;
	launch_channel_beat(&agent);
	EXPECT_TRUE(launch_channel_flush(&agent));
	EXPECT_TRUE(receive(&launcher, &frame));
	EXPECT_EQ(LAUNCH_BEAT, frame.kind);
	close_both();
}

/* This side was busy for longer than the other one may be silent. */
static void
unread_bytes_are_no_silence(void)
{
	struct launch_frame frame;

	open_both();
	launch_channel_send(&agent, LAUNCH_BEAT, NULL, 0);
	EXPECT_TRUE(launch_channel_flush(&agent));
	launcher.silence_ns = 1;
	EXPECT_TRUE(!launch_channel_is_silent(&launcher));
	EXPECT_TRUE(receive(&launcher, &frame));
	EXPECT_TRUE(launch_channel_is_silent(&launcher));
	close_both();
}

static void
the_secret_of_a_launch_has_64_digits(void)
{
	static const char *const wrong[] = {
		"", "00", "g0",
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde",
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDEF ",
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	};
	uint8_t secret[PATHS__LAUNCH_SECRET_BYTES];

	for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++)
		EXPECT_TRUE(launch_meet_secret(wrong[n], secret) == NULL);
	EXPECT_STR_EQ("::1 7",
	    launch_meet_secret("000102030405060708090a0b0c0d0e0f"
			       "101112131415161718191a1b1c1d1eff ::1 7",
		secret));
	EXPECT_EQ(1, secret[1]);
	EXPECT_EQ(0xff, secret[31]);
}

TEST_MAIN(frames_arrive_in_both_directions, another_secret_is_no_proof,
    a_frame_that_was_changed_is_refused, a_frame_that_comes_twice_is_refused,
    silence_has_a_limit_and_beats_end_it, unread_bytes_are_no_silence,
    the_secret_of_a_launch_has_64_digits)
