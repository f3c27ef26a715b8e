/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/seal_test.c - proves libpaths/net/seal.c, and that a
 * connection accepts only the frames that its peer sent, in their order
 *
 * The sender puts frames into one socket pair.  The test takes their bytes out,
 * changes them, and gives them to the receiver through another socket pair.
 */

#include "libpaths/net/conn_private.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FRAME_MAX 512
#define WIRE_MAX 8192

static const uint8_t keys[2][PATHS__SEAL_KEY_BYTES] = { { 1 }, { 2 } };
static const uint8_t back[2][PATHS__SEAL_KEY_BYTES] = { { 2 }, { 1 } };
static const uint8_t foreign[2][PATHS__SEAL_KEY_BYTES] = { { 3 }, { 3 } };

static struct paths__conn from, to;
static int from_wire, to_wire;

/* A frame of each type, with and without a payload. */
static const struct {
	uint8_t type;
	uint8_t kind;
	const char *payload;
} kinds[] = {
	{ PATHS__FRAME_OPEN, 0, "f64*1024" },
	{ PATHS__FRAME_OP, PATHS_WRITE,
	    "a tuple of 36 bytes, as collectors do" },
	{ PATHS__FRAME_OP, PATHS_READ, "" },
	{ PATHS__FRAME_OP, PATHS_EXCHANGE, "both ways" },
	{ PATHS__FRAME_OP, PATHS_DELETE, "" },
	{ PATHS__FRAME_ANSWER, PATHS_READ, "a tuple" },
	{ PATHS__FRAME_ANSWER, PATHS_WRITE, "" },
	{ PATHS__FRAME_CANCEL, 0, "" },
	{ PATHS__FRAME_CLOSE, 0, "the thread has ended" },
	{ PATHS__FRAME_BEAT, 0, "" },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static void
open_one(struct paths__conn *conn, int *wire)
{
	int fds[2];

	EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	paths__conn_init(conn, fds[0], FRAME_MAX);
	*wire = fds[1];
}

static void
open_both(const uint8_t sender[2][PATHS__SEAL_KEY_BYTES], bool encrypts)
{
	open_one(&from, &from_wire);
	open_one(&to, &to_wire);
	EXPECT_OK(paths__conn_seal(&from, sender, encrypts));
	EXPECT_OK(paths__conn_seal(&to, back, encrypts));
}

static void
close_both(void)
{
	paths__conn_fini(&from);
	paths__conn_fini(&to);
	close(from_wire);
	close(to_wire);
}

/* Sends a frame; returns its bytes on the wire. */
static size_t
sent(size_t n, uint8_t *bytes)
{
	struct paths__frame f = { .type = kinds[n].type,
		.kind = kinds[n].kind,
		.hop = 7,
		.serial = (uint32_t)n };
	ssize_t count;

	if (f.type == PATHS__FRAME_BEAT) {
		paths__conn_beat(&from);
	} else {
		EXPECT_TRUE(paths__conn_put(&from, &f, kinds[n].payload,
		    strlen(kinds[n].payload)));
		EXPECT_TRUE(paths__conn_flush(&from));
	}
	count = recv(from_wire, bytes, WIRE_MAX, MSG_DONTWAIT);
	EXPECT_TRUE(count > 0);
	return (size_t)count;
}

static void
deliver(const uint8_t *bytes, size_t count)
{
	EXPECT_EQ((ssize_t)count, send(to_wire, bytes, count, 0));
	while (paths__conn_fill(&to))
		;
}

/* Expects that the next frame is kinds[n], as it was sent. */
static void
expect_frame(size_t n)
{
	struct paths__frame f;
	const uint8_t *payload;
	size_t bytes = strlen(kinds[n].payload);

	EXPECT_TRUE(paths__conn_next(&to, &f, &payload));
	EXPECT_EQ(kinds[n].type, f.type);
	EXPECT_EQ(kinds[n].kind, f.kind);
	EXPECT_EQ(sizeof(f) + bytes, f.bytes);
	EXPECT_EQ(0, memcmp(kinds[n].payload, payload, bytes));
}

/* Expects that no frame is accepted, and that the connection broke. */
static void
expect_broken(const char *why)
{
	struct paths__frame f;
	const uint8_t *payload;

	EXPECT_TRUE(!paths__conn_next(&to, &f, &payload));
	EXPECT_TRUE(to.broken);
	if (why)
		EXPECT_STR_EQ(why, to.why);
}

/* Seals the bytes of a message, which end in the number of the frame, and
   expects a MAC. */
static void
expect_mac(struct paths__seal *seal, const void *message, size_t count,
    const uint8_t mac[PATHS__SEAL_MAC_BYTES])
{
	uint8_t bytes[FRAME_MAX];
	size_t inner = count - sizeof(seal->number);

	memcpy(bytes, message, count);
	memcpy(&seal->number, bytes + inner, sizeof(seal->number));
	seal->ahead = seal->number - seal->number % PATHS__SEAL_AHEAD + 1;
	paths__seal_close(seal, bytes, inner + sizeof(struct paths__seal_end));
	EXPECT_EQ(0, memcmp(message, bytes, count));
	EXPECT_EQ(0, memcmp(mac, bytes + count, PATHS__SEAL_MAC_BYTES));
}

/* Source	SipHash, reference implementation, vectors.h (128 bits) */
static void
the_mac_of_a_short_frame_is_siphash(void)
{
	static const uint8_t macs[][PATHS__SEAL_MAC_BYTES] = {
		[8] = { 0x3b, 0x62, 0xa9, 0xba, 0x62, 0x58, 0xf5, 0x61, 0x0f,
		    0x83, 0xe2, 0x64, 0xf3, 0x14, 0x97, 0xb4 },
		[16] = { 0x6e, 0xe2, 0xa4, 0xca, 0x67, 0xb0, 0x54, 0xbb, 0xfd,
		    0x33, 0x15, 0xbf, 0x85, 0x23, 0x05, 0x77 },
		[63] = { 0x51, 0x50, 0xd1, 0x77, 0x2f, 0x50, 0x83, 0x4a, 0x50,
		    0x3e, 0x06, 0x9a, 0x97, 0x3f, 0xbd, 0x7c },
	};
	struct paths__seal seal;
	uint8_t message[64];

	paths__seal_init(&seal, keys[0], false);
	for (uint8_t i = 0; i < sizeof(message); i++)
		message[i] = i;
	memcpy(seal.short_key, message, sizeof(seal.short_key));
	expect_mac(&seal, message, 8, macs[8]);
	expect_mac(&seal, message, 16, macs[16]);
	expect_mac(&seal, message, 63, macs[63]);
}

/* Source	RFC 8439, A.3, test vector 3 */
static void
the_mac_of_a_long_frame_is_poly1305(void)
{
	static const char text[] =
	    "Any submission to the IETF intended by the Contributor for "
	    "publication as all or part of an IETF Internet-Draft or RFC and "
	    "any statement made within the context of an IETF activity is "
	    "considered an \"IETF Contribution\". Such statements include "
	    "oral statements in IETF sessions, as well as written and "
	    "electronic communications made at any time or place, which are "
	    "addressed to";
	static const uint8_t key[PATHS__SEAL_KEY_BYTES] = { 0x36, 0xe5, 0xf6,
		0xb5, 0xc5, 0xe0, 0x60, 0x70, 0xf0, 0xef, 0xca, 0x96, 0x22,
		0x7a, 0x86, 0x3e };
	static const uint8_t mac[] = { 0xf3, 0x47, 0x7e, 0x7c, 0xd9, 0x54, 0x17,
		0xaf, 0x89, 0xa6, 0xb8, 0x79, 0x4c, 0x31, 0x0c, 0xf0 };
	struct paths__seal seal;

	paths__seal_init(&seal, keys[0], false);
	for (int i = 0; i < PATHS__SEAL_AHEAD; i++)
		memcpy(seal.once[i], key, sizeof(key));
	expect_mac(&seal, text, sizeof(text) - 1, mac);
}

/* Source	RFC 8439, A.1, test vectors 1 and 2 */
static void
the_keys_of_long_frames_are_a_stream_of_chacha20(void)
{
	static const uint8_t stream[][8] = {
		[0] = { 0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90 },
		[1] = { 0xda, 0x41, 0x59, 0x7c, 0x51, 0x57, 0x48, 0x8d },
		[2] = { 0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a },
	};
	uint8_t frame[2 * PATHS__SEAL_SHORT] = { 0 };
	struct paths__seal seal;

	paths__seal_init(&seal, keys[0], false);
	memset(seal.long_key, 0, sizeof(seal.long_key));
	paths__seal_close(&seal, frame, sizeof(frame));
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, memcmp(stream[i], seal.once[i], 8));
}

static void
each_frame_arrives(void)
{
	uint8_t bytes[WIRE_MAX];

	for (int encrypts = 0; encrypts < 2; encrypts++) {
		open_both(keys, encrypts);
		/* More frames than keys are computed at once. */
		for (size_t i = 0; i < 10 * PATHS__SEAL_AHEAD; i++) {
			deliver(bytes, sent(i % KINDS, bytes));
			expect_frame(i % KINDS);
		}
		close_both();
	}
}

/* Frames of a broken length are only noticed when so many bytes have come. */
static void
a_changed_byte_is_noticed(void)
{
	uint8_t bytes[WIRE_MAX], more[WIRE_MAX];
	struct paths__frame f;
	const uint8_t *payload;

	for (size_t n = 0; n < 2 * KINDS; n++) {
		size_t count = SIZE_MAX;

		for (size_t at = 0; at < count; at++) {
			open_both(keys, n >= KINDS);
			count = sent(n % KINDS, bytes);
			bytes[at] ^= (uint8_t)(1u << at % 8);
			deliver(bytes, count);
			while (
			    !paths__conn_next(&to, &f, &payload) && !to.broken)
				deliver(more, sent(1, more));
			expect_broken(NULL);
			close_both();
		}
	}
}

static void
the_reason_names_the_frame(void)
{
	uint8_t bytes[WIRE_MAX];
	size_t count;

	open_both(keys, false);
	deliver(bytes, sent(0, bytes));
	expect_frame(0);
	count = sent(1, bytes);
	bytes[sizeof(struct paths__frame)] ^= 1;
	deliver(bytes, count);
	expect_broken("frame 1 was changed on the way");
	close_both();
}

static void
a_repeated_frame_is_refused(void)
{
	uint8_t bytes[WIRE_MAX];
	size_t count;

	for (size_t n = 0; n < KINDS; n++) {
		open_both(keys, false);
		count = sent(n, bytes);
		deliver(bytes, count);
		expect_frame(n);
		deliver(bytes, count);
		expect_broken("frame 0 came in place of frame 1: repeated, "
			      "lost or inserted on the way");
		close_both();
	}
}

static void
a_lost_frame_is_noticed(void)
{
	uint8_t bytes[WIRE_MAX];

	open_both(keys, false);
	(void)sent(1, bytes);
	deliver(bytes, sent(2, bytes));
	expect_broken("frame 1 came in place of frame 0: repeated, lost or "
		      "inserted on the way");
	close_both();
}

/* Frames of another session have another key. */
static void
a_frame_of_another_session_is_refused(void)
{
	uint8_t bytes[WIRE_MAX];

	for (int encrypts = 0; encrypts < 2; encrypts++) {
		open_both(foreign, encrypts);
		deliver(bytes, sent(1, bytes));
		expect_broken("frame 0 was changed on the way");
		close_both();
	}
}

/* The sender's own frames, sent back to it, are not those of its peer. */
static void
a_reflected_frame_is_refused(void)
{
	uint8_t bytes[WIRE_MAX];
	size_t count;
	struct paths__frame f;
	const uint8_t *payload;

	open_both(keys, false);
	count = sent(1, bytes);
	EXPECT_EQ((ssize_t)count, send(from_wire, bytes, count, 0));
	EXPECT_TRUE(paths__conn_fill(&from));
	EXPECT_TRUE(!paths__conn_next(&from, &f, &payload));
	EXPECT_TRUE(from.broken);
	close_both();
}

static void
a_frame_that_was_put_back_is_accepted_again(void)
{
	uint8_t bytes[WIRE_MAX];
	struct paths__frame f;
	const uint8_t *payload;

	for (int encrypts = 0; encrypts < 2; encrypts++) {
		open_both(keys, encrypts);
		deliver(bytes, sent(1, bytes));
		for (int i = 0; i < 3; i++) {
			EXPECT_TRUE(paths__conn_next(&to, &f, &payload));
			paths__conn_unread(&to, &f);
		}
		expect_frame(1);
		deliver(bytes, sent(2, bytes));
		expect_frame(2);
		close_both();
	}
}

static void
only_encryption_hides_a_tuple(void)
{
	uint8_t bytes[WIRE_MAX];
	size_t count;

	for (int encrypts = 0; encrypts < 2; encrypts++) {
		open_both(keys, encrypts);
		count = sent(1, bytes);
		EXPECT_EQ(encrypts == 0,
		    memmem(bytes, count, "36 bytes", 8) != NULL);
		close_both();
	}
}

/* The same frame again and again: a nonce that came back would encrypt it to
   the same bytes. */
static void
no_nonce_of_the_encryption_is_used_twice(void)
{
	enum { FRAMES = 300, BYTES = 128 };
	static uint8_t frames[FRAMES][BYTES];
	uint8_t bytes[WIRE_MAX];
	size_t inner = 0;

	open_both(keys, true);
	for (int n = 0; n < FRAMES; n++) {
		inner = sent(1, bytes) - sizeof(struct paths__seal_end);
		EXPECT_TRUE(inner <= BYTES);
		memcpy(frames[n], bytes, inner);
		for (int before = 0; before < n; before++)
			EXPECT_TRUE(
			    memcmp(frames[before], frames[n], inner) != 0);
	}
	close_both();
}

/* The beat waits until the bytes before it are sent. */
static void
a_beat_never_cuts_a_frame(void)
{
	struct paths__frame f = { .type = PATHS__FRAME_OP,
		.kind = PATHS_WRITE };
	static const char tuple[FRAME_MAX / 2];
	uint8_t bytes[WIRE_MAX];
	ssize_t count;
	unsigned frames = 0, sent_frames = 0;
	const uint8_t *payload;

	open_both(keys, false);
	while (!from.stuck) {
		EXPECT_TRUE(paths__conn_put(&from, &f, tuple, sizeof(tuple)));
		sent_frames++;
		(void)paths__conn_flush(&from);
		paths__conn_beat(&from);
	}
	while (
	    (count = recv(from_wire, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0) {
		deliver(bytes, (size_t)count);
		while (paths__conn_next(&to, &f, &payload))
			frames += f.type == PATHS__FRAME_OP;
		(void)paths__conn_flush(&from);
		if (frames < sent_frames)
			paths__conn_beat(&from);
	}
	EXPECT_TRUE(!to.broken);
	EXPECT_EQ(sent_frames, frames);
	close_both();
}

/* paths__silence_count takes a peer that only sends beats for silent. */
static void
beats_do_not_complete_a_frame_of_a_wrong_length(void)
{
	uint8_t bytes[WIRE_MAX];
	struct paths__frame f;
	const uint8_t *payload;
	size_t count;

	open_both(keys, false);
	count = sent(1, bytes);
	deliver(bytes, count);
	expect_frame(1);
	EXPECT_TRUE(paths__conn_heard(&to));
	EXPECT_TRUE(!paths__conn_heard(&to));
	count = sent(1, bytes);
	bytes[1] = 1;
	deliver(bytes, count);
	deliver(bytes, sent(KINDS - 1, bytes));
	EXPECT_TRUE(!paths__conn_next(&to, &f, &payload));
	EXPECT_TRUE(!to.broken && !paths__conn_heard(&to));
	close_both();
}

TEST_MAIN(the_mac_of_a_short_frame_is_siphash,
    the_mac_of_a_long_frame_is_poly1305,
    the_keys_of_long_frames_are_a_stream_of_chacha20, each_frame_arrives,
    a_changed_byte_is_noticed, the_reason_names_the_frame,
    a_repeated_frame_is_refused, a_lost_frame_is_noticed,
    a_frame_of_another_session_is_refused, a_reflected_frame_is_refused,
    a_frame_that_was_put_back_is_accepted_again, only_encryption_hides_a_tuple,
    no_nonce_of_the_encryption_is_used_twice,
    beats_do_not_complete_a_frame_of_a_wrong_length, a_beat_never_cuts_a_frame)
