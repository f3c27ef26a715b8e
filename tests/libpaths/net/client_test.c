/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/client_test.c - proves libpaths/net/client.c
 *
 * The server is a forked process that sends the frames of the case itself.
 */

#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/socket_file_private.h"
#include "tests/libpaths/net/frames.h"
#include "tests/libpaths/stages/help.h"
#include "tests/team.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define CLIENT_MAP(options) \
	"pathmap 1 -trust network " options "\n" \
	"host h0\n" \
	"process p0 -host h0\n" \
	"process p1 -host h0 -listen tcp:0\n" \
	"thread t0 -process p0\n" \
	"element e -process p1 -type u64*1 -keep 4\n" \
	"path t0 e {{proxy p1 -via tcp} {element e}} -use read\n"

static const char client_map[] = CLIENT_MAP("");
static const char silent_map[] = CLIENT_MAP("-silence 2s");
static const char patient_map[] = CLIENT_MAP("-silence off");

/* Accepts the connection of p0 and answers its OPEN frame; -1 on failure. */
static int
serve_handshake(void)
{
	struct paths__frame f;
	int fd = frames_accept();

	return fd >= 0 && frames_receive_open(fd, &f) &&
		frames_answer(fd, f.hop, 0, PATHS_OK, NULL) ?
	    fd :
	    -1;
}

/* Answers the first operation after the second has arrived, then the second. */
static int
answers_late(void)
{
	static const uint64_t tuples[] = { 11, 22 };
	int fd = serve_handshake();
	struct paths__frame first, cancel, second;

	if (fd < 0 || !frames_next(fd, &first) || !frames_next(fd, &cancel) ||
	    cancel.type != PATHS__FRAME_CANCEL ||
	    cancel.serial != first.serial || !frames_next(fd, &second) ||
	    second.type != PATHS__FRAME_OP)
		return 1;
	if (!frames_answer(fd, first.hop, first.serial, PATHS_OK, &tuples[0]) ||
	    !frames_answer(fd, second.hop, second.serial, PATHS_OK, &tuples[1]))
		return 2;
	frames_drain(fd);
	return 0;
}

static void
an_answer_to_an_earlier_operation_is_dropped(void)
{
	struct team *team = team_open(client_map);
	pid_t p1 = team_fork(team, "p1", answers_late);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_path *path = help_path(p0, "t0", "e");
	uint64_t value = 0;

	paths_path_deadline(path, 1000000);
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    paths_path_read(path, &value, sizeof(value)));
	paths_path_deadline(path, 0);
	EXPECT_OK(paths_path_read(path, &value, sizeof(value)));
	EXPECT_EQ(22, value);
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

/* Reads an operation, does not answer, and sends signals to p0 meanwhile. */
static int
is_silent(void)
{
	static const struct timespec pause = { 0, 3000000 };
	pid_t p0 = getppid();
	int fd = serve_handshake();
	struct paths__frame f;

	if (fd < 0 || !frames_next(fd, &f))
		return 1;
	while (recv(fd, &f, sizeof(f), MSG_DONTWAIT) != 0) {
		kill(p0, SIGUSR1);
		nanosleep(&pause, NULL);
	}
	return 0;
}

static void
on_signal(int signal)
{
	(void)signal;
}

/* Reads from a silent server.  Returns the status, and checks the reason. */
static paths_status
read_of_silent(const char *map, uint64_t deadline_ns, const char *why)
{
	struct sigaction action = { .sa_handler = on_signal,
		.sa_flags = SA_RESTART };
	struct team *team = team_open(map);
	pid_t p1;
	struct paths_program *p0;
	struct paths_path *path;
	uint64_t value;
	paths_status st;

	sigaction(SIGUSR1, &action, NULL);
	p1 = team_fork(team, "p1", is_silent);
	p0 = team_join(team, "p0");
	path = help_path(p0, "t0", "e");
	paths_path_deadline(path, deadline_ns);
	st = paths_path_read(path, &value, sizeof(value));
	EXPECT_TRUE(help_reason_has(path, why));
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
	return st;
}

/* A signal ends the read in which the thread sleeps, before its step of 250
   ms is over. */
static void
a_silent_server_is_lost_while_signals_arrive(void)
{
	EXPECT_EQ(PATHS_ELOST, read_of_silent(silent_map, 0, "silent for 2 s"));
}

/* The deadline is farther than the first steps, and nearer than the limit. */
static void
a_deadline_is_kept_by_a_thread_that_sleeps_in_steps(void)
{
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    read_of_silent(silent_map, 600000000, "deadline"));
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    read_of_silent(patient_map, 100000000, "deadline"));
}

/* Opens p0 with wrong texts for PATHS_CONNECT_SECONDS.  Returns 0 when all are
   refused. */
static int
opens_with_wrong_durations(void)
{
	static const char *const wrong[] = { "", "-1", "soon", "1ns", "5 x",
		"99999999999999999999" };
	struct paths_program *p0;
	char why[64];

	for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
		setenv("PATHS_CONNECT_SECONDS", wrong[n], 1);
		snprintf(why, sizeof(why),
		    "PATHS_CONNECT_SECONDS=%s: ", wrong[n]);
		if (paths_program_open(NULL, NULL, &p0) != PATHS_EINVAL ||
		    strstr(paths_log_last(), why) == NULL)
			return (int)n + 1;
	}
	return 0;
}

/* Accepts the connection of p0, and closes it before the welcome. */
static int
hangs_up(void)
{
	struct paths__hello hello;
	struct paths__proof proof;
	int fd = -1;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%*d=%d", &fd) != 1)
		return 1;
	fd = accept(fd, NULL, NULL);
	paths__handshake_hello(PATHS_OK, &hello);
	if (send(fd, &hello, sizeof(hello), 0) != sizeof(hello) ||
	    !frames_receive(fd, &proof, sizeof(proof)))
		return 2;
	close(fd);
	return 0;
}

/* Opens p0.  Returns 0 when that fails with a status and a reason. */
static int
open_in_vain(paths_status st, const char *why)
{
	struct paths_program *p0;

	return paths_program_open(NULL, NULL, &p0) == st &&
		strstr(paths_log_last(), why) != NULL ?
	    0 :
	    1;
}

static int
opens_while_it_hangs_up(void)
{
	return open_in_vain(PATHS_EAUTH, "ended the handshake");
}

static void
a_peer_that_hangs_up_in_the_handshake_is_reported(void)
{
	struct team *team = team_open(client_map);
	pid_t p1 = team_fork(team, "p1", hangs_up);

	EXPECT_EQ(0, team_wait(team_fork(team, "p0", opens_while_it_hangs_up)));
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

/* Accepts a connection and sends the hello and, if asked, that it is full.
   Returns the connection; -1 on failure. */
static int
accept_one(bool full)
{
	struct paths__hello hello;
	struct paths__welcome welcome;
	int fd = -1;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%*d=%d", &fd) != 1)
		return -1;
	fd = accept(fd, NULL, NULL);
	paths__handshake_hello(PATHS_OK, &hello);
	paths__handshake_full(&welcome);
	if (send(fd, &hello, sizeof(hello), 0) != sizeof(hello) ||
	    (full && send(fd, &welcome, sizeof(welcome), 0) < 0))
		return -1;
	return fd;
}

/* Ends connections in each way in which a full server does, then serves one. */
static int
has_no_room_at_first(void)
{
	struct pollfd unread = { .events = POLLIN };
	int fd = -1;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%*d=%d", &fd) != 1)
		return 1;
	close(accept(fd, NULL, NULL));
	close(accept_one(true));
	unread.fd = accept_one(true);
	poll(&unread, 1, -1);
	close(unread.fd);
	unread.fd = accept_one(false);
	poll(&unread, 1, -1);
	close(unread.fd);
	fd = serve_handshake();
	if (fd < 0)
		return 2;
	frames_drain(fd);
	return 0;
}

static void
a_client_tries_again_when_the_server_was_full(void)
{
	struct team *team = team_open(client_map);
	pid_t p1 = team_fork(team, "p1", has_no_room_at_first);
	struct paths_program *p0 = team_join(team, "p0");

	help_path(p0, "t0", "e");
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

static int
is_always_full(void)
{
	int fd;

	while ((fd = accept_one(true)) >= 0)
		close(fd);
	return 1;
}

static int
opens_while_it_is_full(void)
{
	setenv("PATHS_CONNECT_SECONDS", "0.2", 1);
	return open_in_vain(PATHS_ELOST,
	    "process p1 cannot be reached in 200 ms: its tuple server is full");
}

static void
a_server_that_stays_full_is_reported(void)
{
	struct team *team = team_open(client_map);
	pid_t p1 = team_fork(team, "p1", is_always_full);

	EXPECT_EQ(0, team_wait(team_fork(team, "p0", opens_while_it_is_full)));
	kill(p1, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, team_wait(p1));
	team_close(team);
}

static void
a_connect_time_that_is_no_duration_is_refused(void)
{
	struct team *team = team_open(client_map);

	EXPECT_EQ(0,
	    team_wait(team_fork(team, "p0", opens_with_wrong_durations)));
	team_close(team);
}

/* --- a ring -------------------------------------------------------------- */

static const char ring_map[] =
    "pathmap 1 -silence off\n"
    "host h0\n"
    "process p0 -host h0\n"
    "process p1 -host h0\n"
    "thread t0 -process p0\n"
    "element e -process p1 -type u64*1 -keep 4\n"
    "path t0 e {{buffer} {proxy p1 -via shm} {element e}} -use write\n";

/* Sends the welcome with the memory of a ring. */
static bool
ring_welcome(int fd, struct paths__welcome *welcome, int memory)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { { 0 } };
	struct iovec iov = { welcome, sizeof(*welcome) };
	struct msghdr msg = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };

	control.align.cmsg_level = SOL_SOCKET;
	control.align.cmsg_type = SCM_RIGHTS;
	control.align.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.align), &memory, sizeof(memory));
	return sendmsg(fd, &msg, 0) == sizeof(*welcome);
}

/* Accepts the connection of p0.  memory: out, that of the ring. */
static bool
ring_accept(struct paths__conn *conn, uint8_t **memory)
{
	struct paths_program p;
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	struct paths__socket_file file;
	int listener, fd, shared;

	if (!frames_program(&p) ||
	    paths__socket_file_listen(&p, "p1.sock", &file, &listener) !=
		PATHS_OK)
		return false;
	while ((fd = accept(listener, NULL, NULL)) < 0)
		sched_yield();
	paths__conn_init(conn, fd, 4096);
	paths__handshake_hello(PATHS_OK, &hello);
	if (send(fd, &hello, sizeof(hello), 0) != sizeof(hello) ||
	    !frames_receive(fd, &proof, sizeof(proof)))
		return false;
	paths__handshake_welcome(&p, &hello, &proof, PATHS_OK, &welcome);
	if (paths__ring_create(&conn->ring, &shared) != PATHS_OK ||
	    !ring_welcome(fd, &welcome, shared))
		return false;
	*memory =
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
	return *memory != MAP_FAILED;
}

/* Reads frames up to one of a type; leaves the bytes on the socket. */
static void
ring_await(struct paths__conn *conn, enum paths__frame_type type,
    struct paths__frame *f)
{
	const uint8_t *payload;

	do {
		while (!paths__conn_next(conn, f, &payload))
			if (!paths__conn_fill(conn))
				sched_yield();
	} while (f->type != type);
}

/*
 * Ends while p0 sleeps and waits for an answer: with bytes on the socket that
 * are not read, which makes an error of the end, and with a frame in the ring
 * that p0 was not woken for.
 */
static int
ends_with_a_frame_in_the_ring(void)
{
	struct paths__conn conn;
	struct paths__frame f;
	uint8_t *memory;
	uint64_t head;

	if (!ring_accept(&conn, &memory))
		return 1;
	ring_await(&conn, PATHS__FRAME_OPEN, &f);
	f.type = PATHS__FRAME_ANSWER;
	if (!paths__conn_put(&conn, &f, NULL, 0) || !paths__conn_flush(&conn))
		return 2;
	(void)paths__ring_sleep(conn.ring, true, false);
	ring_await(&conn, PATHS__FRAME_OP, &f);
	/* The word that p0 sets before it sleeps, and then the next head. */
	while (memory[128] == 0)
		sched_yield();
	f = (struct paths__frame){ .bytes = sizeof(f),
		.type = PATHS__FRAME_BEAT };
	memcpy(&head, memory, sizeof(head));
	memcpy(memory + 192 + head, &f, sizeof(f));
	head += sizeof(f);
	memcpy(memory, &head, sizeof(head));
	return 0;
}

/* The end was an error, after which libuv reports nothing, and was taken for
   the news of the frame: the tuple of the buffer was waited for, for ever. */
static void
a_server_that_ends_with_a_frame_in_the_ring_is_lost(void)
{
	struct team *team = team_open(ring_map);
	pid_t p1 = team_fork(team, "p1", ends_with_a_frame_in_the_ring);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_path *path = help_path(p0, "t0", "e");
	uint64_t value = 1;

	EXPECT_OK(paths_path_write(path, &value, sizeof(value)));
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

TEST_MAIN(an_answer_to_an_earlier_operation_is_dropped,
    a_silent_server_is_lost_while_signals_arrive,
    a_deadline_is_kept_by_a_thread_that_sleeps_in_steps,
    a_peer_that_hangs_up_in_the_handshake_is_reported,
    a_client_tries_again_when_the_server_was_full,
    a_server_that_stays_full_is_reported,
    a_connect_time_that_is_no_duration_is_refused,
    a_server_that_ends_with_a_frame_in_the_ring_is_lost)
