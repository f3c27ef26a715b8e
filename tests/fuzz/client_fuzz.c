/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/client_fuzz.c - a process survives any bytes from its tuple server
 *
 * Process p0 opens two connections to p1: one that its thread reads, and one
 * that its loop reads, below a buffer.  A thread of this program is p1, and
 * answers each frame as the input says.  Nothing may hang: p1 closes the
 * connections when the input ends.  With OTHER, p1 is on another host by the
 * map, so both sides time operations, with stamps of the kernel.
 *
 * Input	flags, below; u32 with 2 bits for each operation; then the
 *		answers of p1, each a byte of enum answer with its arguments
 */

#include "libpaths/clock.h"
#include "libpaths/log.h"
#include "libpaths/net/conn_private.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/path.h"
#include "libpaths/thread.h"
#include "tests/fuzz/fuzz.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define VIA(flags) ((flags)&3u) /* unix, shm, tcp, tcp */
#define RAW 4u			/* the handshake is the input */
#define DEADLINE 8u		/* operations end after a short time */
#define MEMORY(flags) ((flags) >> 4 & 3u) /* enum memory */
#define ENCRYPT 16u			  /* of sealed tcp */
#define OTHER 32u			  /* of tcp: p1 is on another host */
#define WELCOME 64u			  /* the welcome has a wrong byte */

#define LINKS_MOST 4
#define SILENCE_MS 20 /* of p0, which may wait for the rest of an answer */
#define SILENCE_LAST_MS 2000 /* of p0, after which p1 closes all */
#define OPERATIONS 6u
#define DEADLINE_NS 5000000u

enum memory { MEMORY_RIGHT, MEMORY_NONE, MEMORY_OPEN, MEMORY_TWICE };

enum answer {
	ANSWER_RIGHT,  /* 8 bytes: the tuple */
	ANSWER_STATUS, /* u16: the status; u8: bytes of its reason */
	ANSWER_HEADER, /* u8: place in the header; u32: its value */
	ANSWER_RAW,    /* u8: count; bytes without a frame */
	ANSWER_CLOSE,  /* the connection */
	ANSWER_TWICE,  /* 8 bytes: the tuple */
	ANSWER_LENGTH, /* u8: bytes of the tuple */
	ANSWER_CHANGED /* u8: place; u32: of counters in shared memory, else
			   of a sealed frame that is changed on the way */
};

/* Frames ahead of an answer of another host: bits of its enum answer. */
#define BEFORE_TIMES 8u	   /* u64, u64: times of the operation, added to now */
#define BEFORE_LEFT 16u	   /* u64: when an earlier answer left, added to now */
#define BEFORE_LENGTH 32u  /* u8: bytes of these frames */
#define BEFORE_ANOTHER 64u /* u8, u8: added to hop and serial of these frames */

/* Kinds of connection, and the words of their map that trust. */
static const struct {
	const char *via, *words;
	bool other; /* two hosts */
} kinds[] = { { "unix", "", false }, { "shm", "", false },
	{ "tcp", " -trust network", false }, { "tcp", "", false },
	{ "tcp", " -encrypt yes", false }, { "tcp", " -trust network", true },
	{ "tcp", "", true }, { "tcp", " -encrypt yes", true } };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))
#define OTHER_KINDS 3 /* from a kind to that with two hosts */

struct side {
	struct paths_program program; /* p1, as the handshake needs it */
	int listener;
	char map[300];
};

/* A connection that p1 has accepted. */
struct link {
	struct paths__conn conn;
	struct paths__frame last;
	uint8_t *memory; /* of the ring; NULL */
	bool open;
	bool wrong; /* the last answer may be none for p0 */
};

/* One input, as p1 sees it. */
struct serving {
	struct side *side;
	uint8_t flags;
	const uint8_t *at;
	size_t left;
	struct link links[LINKS_MOST];
	int accepted;
	int stop; /* readable when p0 has closed */
};

static const char secret[] = "thirty-two bytes that are secret";
static char run[] = "/tmp/client-fuzz-XXXXXX";
static struct side sides[KINDS];

/* --- set up -------------------------------------------------------------- */

static void
setup_file(const char *file, const char *bytes, size_t count)
{
	FILE *f = fopen(file, "w");

	MUST(f && fwrite(bytes, count, 1, f) == 1 && fclose(f) == 0);
}

static int
setup_unix(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/p1.sock", run);
	MUST(bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0);
	MUST(listen(fd, 16) == 0);
	return fd;
}

static int
setup_tcp(unsigned *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t bytes = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	MUST(bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0);
	MUST(listen(fd, 16) == 0);
	MUST(getsockname(fd, (struct sockaddr *)&at, &bytes) == 0);
	*port = ntohs(at.sin_port);
	return fd;
}

static void
setup_side(size_t kind, unsigned port)
{
	struct side *side = &sides[kind];
	const char *via = kinds[kind].via;
	char text[600];
	int bytes = snprintf(text, sizeof(text),
	    "pathmap 1%s\n"
	    "host h -address 127.0.0.1\n"
	    "host g -address 127.0.0.1\n"
	    "process p0 -host h\n"
	    "process p1 -host %c -listen tcp:%u\n"
	    "thread t0 -process p0\n"
	    "element e -process p1 -type u64*..4 -keep 4\n"
	    "element b -process p1 -type u64*1 -keep 4\n"
	    "path t0 e {{proxy p1 -via %s} {element e}}\n"
	    "path t0 b {{buffer} {proxy p1 -via %s} {element b}}\n",
	    kinds[kind].words, kinds[kind].other ? 'g' : 'h', port, via, via);

	snprintf(side->map, sizeof(side->map), "%s/map.%zu", run, kind);
	setup_file(side->map, text, (size_t)bytes);
	side->program.process = 1;
	memcpy(side->program.secret, secret, sizeof(side->program.secret));
	MUST(paths_map_load(side->map, &side->program.map) == PATHS_OK);
}

static void
setup_remove(void)
{
	char file[300];

	for (size_t n = 0; n < KINDS; n++) {
		paths_map_close(sides[n].program.map);
		(void)unlink(sides[n].map);
	}
	snprintf(file, sizeof(file), "%s/p1.sock", run);
	(void)unlink(file);
	snprintf(file, sizeof(file), "%s/p0.sock", run);
	(void)unlink(file);
	snprintf(file, sizeof(file), "%s/secret", run);
	(void)unlink(file);
	snprintf(file, sizeof(file), "%s/p0.topology", run);
	(void)unlink(file);
	snprintf(file, sizeof(file), "%s/p0.clock", run);
	(void)unlink(file);
	(void)rmdir(run);
}

static void
setup(void)
{
	char file[300];
	unsigned port;

	MUST(paths__handshake_init() == PATHS_OK);
	MUST(mkdtemp(run) != NULL);
	MUST(setenv("PATHS_RUN", run, 1) == 0);
	snprintf(file, sizeof(file), "%s/secret", run);
	setup_file(file, secret, 32);
	MUST(setenv("PATHS_SECRET_FILE", file, 1) == 0);
	sides[0].listener = sides[1].listener = setup_unix();
	sides[2].listener = setup_tcp(&port);
	for (size_t n = 3; n < KINDS; n++)
		sides[n].listener = sides[2].listener;
	for (size_t n = 0; n < KINDS; n++)
		setup_side(n, port);
	/* A server that is full, or gone, is tried for this time. */
	MUST(setenv("PATHS_CONNECT_SECONDS", "5 ms", 1) == 0);
	MUST(atexit(setup_remove) == 0);
}

/* --- the handshake of p1 ------------------------------------------------- */

/* Takes bytes off the input, and zeros past its end. */
static void
serve_take(struct serving *s, void *to, size_t count)
{
	size_t there = count < s->left ? count : s->left;

	memset(to, 0, count);
	if (there > 0)
		memcpy(to, s->at, there);
	s->at += there;
	s->left -= there;
}

static bool
serve_send(const struct link *link, const void *bytes, size_t count)
{
	return send(link->conn.fd, bytes, count, MSG_NOSIGNAL) ==
	    (ssize_t)count;
}

static bool
serve_receive(int fd, void *bytes, size_t count)
{
	return recv(fd, bytes, count, MSG_WAITALL) == (ssize_t)count;
}

/* Makes the descriptors that go with the welcome.  Returns their count. */
static int
welcome_descriptors(const struct serving *s, struct link *link, int fds[2])
{
	size_t bytes;

	switch (MEMORY(s->flags)) {
	case MEMORY_NONE:
		return 0;
	case MEMORY_OPEN:
		fds[0] = memfd_create("open", MFD_CLOEXEC);
		MUST(fds[0] >= 0);
		return 1;
	default:
		MUST(paths__ring_create(&link->conn.ring, &fds[0]) == PATHS_OK);
		bytes = (size_t)lseek(fds[0], 0, SEEK_END);
		link->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fds[0], 0);
		MUST(link->memory != MAP_FAILED);
		fds[1] = fds[0];
		return MEMORY(s->flags) == MEMORY_TWICE ? 2 : 1;
	}
}

static bool
welcome_send(const struct serving *s, struct link *link,
    struct paths__welcome *welcome)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = { 0 };
	struct iovec iov = { welcome, sizeof(*welcome) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c = &control.align;
	int fds[2];
	int count = VIA(s->flags) == 1 ? welcome_descriptors(s, link, fds) : 0;
	bool sent;

	if (count > 0) {
		msg.msg_control = control.bytes;
		msg.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
		memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
	}
	sent = sendmsg(link->conn.fd, &msg, MSG_NOSIGNAL) > 0;
	if (count > 0)
		(void)close(fds[0]);
	return sent;
}

static bool
serve_handshake(struct serving *s, struct link *link)
{
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	uint8_t change[2], keys[2][PATHS__SEAL_KEY_BYTES];
	enum paths_map_via via =
	    VIA(s->flags) < 2 ? PATHS_MAP_VIA_UNIX : PATHS_MAP_VIA_TCP;

	paths__handshake_hello(PATHS_OK, &hello);
	if (!serve_send(link, &hello, sizeof(hello)) ||
	    !serve_receive(link->conn.fd, &proof, sizeof(proof)))
		return false;
	paths__handshake_welcome(&s->side->program, &hello, &proof, PATHS_OK,
	    &welcome);
	if (s->flags & WELCOME) {
		serve_take(s, change, sizeof(change));
		((uint8_t *)&welcome)[change[0] % sizeof(welcome)] ^= change[1];
	}
	if (paths__handshake_seals(&s->side->program, via)) {
		paths__handshake_keys(&s->side->program, &hello, &proof, true,
		    keys);
		MUST(paths__conn_seal(&link->conn, keys,
			 s->side->program.map->encrypt) == PATHS_OK);
	}
	return welcome_send(s, link, &welcome);
}

static void
serve_close(struct link *link)
{
	if (!link->open)
		return;
	link->open = false;
	if (link->memory != NULL)
		(void)munmap(link->memory, 4096);
	paths__conn_fini(&link->conn);
}

static void
serve_accept(struct serving *s)
{
	struct link *link = &s->links[s->accepted];
	int fd = accept4(s->side->listener, NULL, NULL, SOCK_CLOEXEC);

	MUST(fd >= 0);
	if (s->accepted == LINKS_MOST) {
		(void)close(fd);
		return;
	}
	s->accepted++;
	paths__conn_init(&link->conn, fd, 1u << 16);
	link->open = true;
	if (s->flags & RAW) {
		(void)serve_send(link, s->at, s->left);
		s->left = 0;
		serve_close(link);
	} else if (!serve_handshake(s, link)) {
		serve_close(link);
	}
}

/* --- the answers of p1 --------------------------------------------------- */

static void
answer_put(struct link *link, struct paths__frame frame, const void *payload,
    size_t bytes)
{
	MUST(paths__conn_put(&link->conn, &frame, payload, bytes));
	(void)paths__conn_flush(&link->conn);
}

static void
answer_raw(struct link *link, const void *bytes, size_t count)
{
	bool wake;

	if (link->conn.ring == NULL)
		(void)serve_send(link, bytes, count);
	else if (paths__ring_put(link->conn.ring, bytes, count, &wake) > 0)
		(void)serve_send(link, "", 1);
}

/* Seals a frame and changes a byte of it. */
static void
answer_sealed(struct link *link, const struct paths__frame *frame,
    uint8_t place, int32_t by)
{
	uint8_t bytes[sizeof(*frame) + sizeof(struct paths__seal_end)] = { 0 };
	uint32_t count = sizeof(bytes);

	if (link->conn.seals == NULL)
		return;
	memcpy(bytes, frame, sizeof(*frame));
	memcpy(bytes, &count, sizeof(count));
	paths__seal_close(&link->conn.seals[0], bytes, sizeof(bytes));
	bytes[place % sizeof(bytes)] ^= (uint8_t)by;
	(void)serve_send(link, bytes, sizeof(bytes));
}

static void
answer_changed(struct serving *s, struct link *link,
    const struct paths__frame *frame)
{
	/* Counters and sleepers of the first half of the memory. */
	static const size_t places[] = { 0, 64, 128, 132 };
	uint8_t place;
	int32_t by;
	uint64_t word;

	serve_take(s, &place, sizeof(place));
	serve_take(s, &by, sizeof(by));
	if (link->memory == NULL) {
		answer_sealed(link, frame, place, by);
		return;
	}
	memcpy(&word, link->memory + places[place % 4], sizeof(word));
	word += (uint64_t)(int64_t)by;
	memcpy(link->memory + places[place % 4], &word, sizeof(word));
	(void)serve_send(link, "", 1);
}

static void
answer_status(struct serving *s, struct link *link, struct paths__frame frame)
{
	uint8_t count, why[255];

	serve_take(s, &frame.status, sizeof(frame.status));
	serve_take(s, &count, sizeof(count));
	serve_take(s, why, count);
	answer_put(link, frame, why, count);
}

static void
answer_header(struct serving *s, struct link *link, struct paths__frame frame)
{
	uint64_t tuple = 1;
	uint8_t place;
	uint32_t word;

	serve_take(s, &place, sizeof(place));
	serve_take(s, &word, sizeof(word));
	place = (uint8_t)(place % (sizeof(frame) / sizeof(word)));
	memcpy((uint8_t *)&frame + place * sizeof(word), &word, sizeof(word));
	answer_put(link, frame, &tuple,
	    frame.kind == PATHS_READ || frame.kind == PATHS_EXCHANGE ?
		sizeof(tuple) :
		0);
}

/* Puts a frame of times, whose size, hop and serial may be wrong. */
static void
before_put(struct serving *s, struct link *link, enum paths__frame_type type,
    uint8_t kind, const uint64_t times[2])
{
	struct paths__frame frame = { .type = (uint8_t)type,
		.hop = link->last.hop,
		.serial = link->last.serial };
	uint8_t bytes[255] = { 0 }, add[2] = { 0 };
	uint8_t count = type == PATHS__FRAME_TIMES ? 16 : 8;

	memcpy(bytes, times, 2 * sizeof(times[0]));
	if (kind & BEFORE_LENGTH)
		serve_take(s, &count, sizeof(count));
	if (kind & BEFORE_ANOTHER)
		serve_take(s, add, sizeof(add));
	frame.hop += add[0];
	frame.serial -= add[1];
	answer_put(link, frame, bytes, count);
}

/* Puts the times of another host ahead of an answer. */
static void
serve_times(struct serving *s, struct link *link, uint8_t kind)
{
	uint64_t times[2];

	if (!kinds[s->side - sides].other)
		return;
	if (kind & BEFORE_LEFT) {
		serve_take(s, times, sizeof(times[0]));
		times[0] += paths_clock_ticks();
		times[1] = 0;
		before_put(s, link, PATHS__FRAME_LEFT, kind, times);
	}
	if (kind & BEFORE_TIMES) {
		serve_take(s, times, sizeof(times));
		times[0] += paths_clock_ticks();
		times[1] += paths_clock_ticks();
		before_put(s, link, PATHS__FRAME_TIMES, kind, times);
	}
}

/* Answers the last frame of a connection as the input says. */
static void
serve_answer(struct serving *s, struct link *link)
{
	struct paths__frame frame = link->last;
	uint8_t kind, count, bytes[255] = { 0 };
	size_t back =
	    frame.kind == PATHS_READ || frame.kind == PATHS_EXCHANGE ? 8 : 0;

	if (s->left == 0) {
		serve_close(link);
		return;
	}
	frame.type = PATHS__FRAME_ANSWER;
	frame.status = PATHS_OK;
	serve_take(s, &kind, sizeof(kind));
	serve_times(s, link, kind);
	kind %= 8;
	link->wrong = kind == ANSWER_HEADER || kind == ANSWER_RAW ||
	    kind == ANSWER_CHANGED;
	switch ((enum answer)kind) {
	case ANSWER_TWICE:
	case ANSWER_RIGHT:
		serve_take(s, bytes, 8);
		answer_put(link, frame, bytes, back);
		if (kind == ANSWER_TWICE)
			answer_put(link, frame, bytes, back);
		break;
	case ANSWER_STATUS:
		answer_status(s, link, frame);
		break;
	case ANSWER_HEADER:
		answer_header(s, link, frame);
		break;
	case ANSWER_RAW:
		serve_take(s, &count, sizeof(count));
		serve_take(s, bytes, count);
		answer_raw(link, bytes, count);
		break;
	case ANSWER_CLOSE:
		serve_close(link);
		break;
	case ANSWER_LENGTH:
		serve_take(s, &count, sizeof(count));
		answer_put(link, frame, bytes, count);
		break;
	case ANSWER_CHANGED:
		answer_changed(s, link, &frame);
	}
}

/* Reads and answers frames.  Returns true when p0 asked for something. */
static bool
serve_read(struct serving *s, struct link *link)
{
	const uint8_t *payload;
	bool some = false;

	if (link->conn.ring != NULL && !paths__conn_take_wakeups(&link->conn))
		paths__conn_lose(&link->conn, "closed");
	while (link->open && paths__conn_fill(&link->conn))
		while (link->open &&
		    paths__conn_next(&link->conn, &link->last, &payload))
			if (link->last.type == PATHS__FRAME_OPEN ||
			    link->last.type == PATHS__FRAME_OP) {
				serve_answer(s, link);
				some = true;
			}
	if (link->open && link->conn.broken)
		serve_close(link);
	return some;
}

/* Returns true if a connection has a ring, which poll does not watch. */
static bool
serve_has_ring(const struct serving *s)
{
	for (int n = 0; n < s->accepted; n++)
		if (s->links[n].open && s->links[n].conn.ring != NULL)
			return true;
	return false;
}

/* Sleeps until something happens, at most for a time. */
static void
serve_wait(struct serving *s, int ms, bool *accept, bool *stop)
{
	struct pollfd fds[LINKS_MOST + 2] = { { .fd = s->stop,
						  .events = POLLIN },
		{ .fd = s->side->listener, .events = POLLIN } };
	int count = 2, found;

	for (int n = 0; n < s->accepted; n++)
		if (s->links[n].open)
			fds[count++] =
			    (struct pollfd){ .fd = s->links[n].conn.fd,
				    .events = POLLIN };
	found = poll(fds, (nfds_t)count, ms);
	*stop = found > 0 && fds[0].revents != 0;
	*accept = found > 0 && fds[1].revents != 0;
}

/* Goes on if p0 has asked for nothing for a time. */
static void
serve_silence(struct serving *s, uint64_t ms)
{
	if (ms < SILENCE_MS)
		return;
	for (int n = 0; n < s->accepted; n++) {
		if (ms >= SILENCE_LAST_MS)
			serve_close(&s->links[n]);
		if (s->links[n].open && s->links[n].wrong)
			serve_answer(s, &s->links[n]);
	}
}

static void *
serve_run(void *to)
{
	struct serving *s = to;
	uint64_t asked = paths_clock_ticks();
	bool accept, stop = false;

	while (!stop) {
		uint64_t now;

		serve_wait(s, serve_has_ring(s) ? 1 : SILENCE_MS, &accept,
		    &stop);
		now = paths_clock_ticks();
		if (accept) {
			serve_accept(s);
			asked = now;
		}
		for (int n = 0; n < s->accepted; n++)
			if (s->links[n].open && serve_read(s, &s->links[n]))
				asked = now;
		/* Beats of p0 are no requests. */
		serve_silence(s, (now - asked) * 1000 / paths_clock_hz());
	}
	for (int n = 0; n < s->accepted; n++)
		serve_close(&s->links[n]);
	return NULL;
}

/* --- p0 ------------------------------------------------------------------ */

static void
client_operate(struct paths_path *path, unsigned kind)
{
	const struct paths_type *type = paths_path_type(path);
	uint64_t tuple[4] = { 7 };
	paths_status st;

	switch (kind % 4) {
	case 0:
		st = paths_path_write(path, tuple, sizeof(tuple[0]));
		break;
	case 1:
		st = paths_path_read(path, tuple, type->bytes);
		break;
	case 2:
		st = paths_path_exchange(path, tuple, sizeof(tuple[0]));
		break;
	default:
		st = paths_path_delete(path, 1);
	}
	MUST(st <= PATHS_OK);
	MUST(st == PATHS_OK ?
		kind % 4 == 3 || paths_type_fits(type, paths_path_bytes(path)) :
		strlen(paths_path_why(path)) < PATHS_OP_WHY_BYTES);
}

static void
client_run(struct paths_program *program, bool deadline, uint32_t operations)
{
	static const char *const elements[] = { "e", "b" };
	struct paths_path *paths[2];
	struct paths_thread *thread;

	MUST(paths_thread_open(program, "t0", &thread) == PATHS_OK);
	for (int n = 0; n < 2; n++) {
		MUST(paths_path_open(thread, elements[n], &paths[n]) ==
		    PATHS_OK);
		if (deadline)
			paths_path_deadline(paths[n], DEADLINE_NS);
	}
	for (unsigned n = 0; n < OPERATIONS; n++)
		client_operate(paths[operations >> (16 + n) & 1],
		    operations >> 2 * n & 3);
	paths_thread_close(thread);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct serving serving = { 0 };
	struct paths_program *program;
	uint32_t operations;
	pthread_t server;
	paths_status st;

	if (size < 5)
		return 0;
	if (sides[0].map[0] == '\0')
		setup();
	memcpy(&operations, data + 1, sizeof(operations));
	serving.flags = data[0];
	serving.side = &sides[VIA(data[0])];
	if (VIA(data[0]) == 3 && (data[0] & ENCRYPT))
		serving.side++;
	if (VIA(data[0]) >= 2 && (data[0] & OTHER))
		serving.side += OTHER_KINDS;
	serving.at = data + 5;
	serving.left = size - 5;
	serving.stop = eventfd(0, EFD_CLOEXEC);
	MUST(serving.stop >= 0);
	MUST(pthread_create(&server, NULL, serve_run, &serving) == 0);
	st = paths_program_open(serving.side->map, "p0", &program);
	MUST(st <= PATHS_OK);
	if (st == PATHS_OK) {
		client_run(program, (data[0] & DEADLINE) != 0, operations);
		paths_program_close(program);
	}
	MUST(eventfd_write(serving.stop, 1) == 0);
	MUST(pthread_join(server, NULL) == 0);
	(void)close(serving.stop);
	return 0;
}
