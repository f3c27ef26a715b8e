/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/relay_test.c - a relay between two processes changes,
 * repeats, inserts, drops or delays a frame
 *
 * The client connects to the port of the map, where the relay listens.  The
 * server listens on a socket of its own.  Each of the three is a process.
 */

#include "libpaths/log.h"
#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "tests/libpaths/stages/help.h"
#include "tests/team.h"
#include "tests/test.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define WRITES 4
#define CLIENT 0 /* index of the side that sends */
#define SERVER 1
#define RELAY_BYTES 4096
#define BATCH 15 /* cases at once */
#define WAIT_NS UINT64_C(60000000000)
#define CANCEL_NS 1000000

static const uint64_t tuple = UINT64_C(0x1122334455667788);

/* Changes of one frame.  INSERT: a changed copy comes before it.  SWAP: the
   next frame comes before it.  REPLAY: the frames of the session before come in
   its place. */
enum relay_action { PASS, CHANGE, REPEAT, INSERT, DROP, SWAP, REPLAY };

/* The action of the relay, on one frame of a type and kind from a side. */
struct relay_case {
	enum relay_action action;
	int side;
	uint8_t type;
	uint8_t kind;
	unsigned skip; /* such frames before it */
};

/* Results of the processes of one case. */
struct relay_result {
	paths_status st; /* of the client's first operation that failed */
	char why[512];
	paths_status server_st; /* of the server's read after the last tuple */
	char server_why[512];
	uint64_t value;	 /* read by the client */
	unsigned tuples; /* read by the server */
	bool strange;	 /* one of them is not what was written there */
	bool saw;	 /* the relay saw the tuple */
	bool answered;	 /* the server answered a session that was replayed */
};

/* One side of the relay. */
struct relay_side {
	int fd;
	unsigned count; /* messages that passed */
	size_t have;
	uint8_t bytes[RELAY_BYTES];
	size_t held; /* bytes of a frame that waits for the next one */
	uint8_t hold[RELAY_BYTES];
};

static struct relay_result *results; /* of a batch */
static struct relay_result *result;
static struct relay_case now;
static unsigned sessions; /* of the client */
static bool sealed;
static int behind;  /* the server's listening socket */
static int done[2]; /* pipe: the relay has ended */

/* All bytes that the client has sent in the first of two sessions. */
static bool recording;
static uint8_t record[2 * RELAY_BYTES];
static size_t recorded;

/* --- the relay ----------------------------------------------------------- */

/* Returns the size of the next message of a side; 0 before it is known. */
static size_t
relay_size(const struct relay_side *side, int which)
{
	static const size_t hello = sizeof(struct paths__hello);
	uint32_t bytes;

	if (side->count == 0)
		return which == CLIENT ? sizeof(struct paths__proof) : hello;
	if (side->count == 1 && which == SERVER)
		return sizeof(struct paths__welcome);
	if (side->have < sizeof(bytes))
		return 0;
	memcpy(&bytes, side->bytes, sizeof(bytes));
	return bytes;
}

static void
relay_put(int fd, const uint8_t *bytes, size_t count)
{
	/* The receiver may have closed the connection. */
	if (send(fd, bytes, count, MSG_NOSIGNAL) < 0)
		return;
}

/* Returns the place of a byte that only the MAC protects. */
static size_t
relay_place(size_t count)
{
	return count - 1 - (sealed ? sizeof(struct paths__seal_end) : 0);
}

static void
relay_hold(struct relay_side *from, const uint8_t *bytes, size_t count)
{
	memcpy(from->hold, bytes, count);
	from->held = count;
}

/* Passes a frame on, after its action. */
static void
relay_act(struct relay_side *from, int to, enum relay_action action,
    size_t count)
{
	uint8_t *bytes = from->bytes;
	size_t place = relay_place(count);
	size_t held = from->held;

	if (action == INSERT || action == CHANGE)
		bytes[place] ^= 1;
	if (action == REPLAY)
		relay_put(to, record + sizeof(struct paths__proof),
		    recorded - sizeof(struct paths__proof));
	else if (action == SWAP)
		relay_hold(from, bytes, count);
	else if (action != DROP)
		relay_put(to, bytes, count);
	if (action == INSERT)
		bytes[place] ^= 1;
	if (action == REPEAT || action == INSERT)
		relay_put(to, bytes, count);
	if (held > 0) {
		relay_put(to, from->hold, held);
		from->held = 0;
	}
}

/* Returns the action on the first frame of a side. */
static enum relay_action
relay_action(const struct relay_side *from, int which)
{
	enum relay_action action = now.action;
	struct paths__frame f;

	memcpy(&f, from->bytes, sizeof(f));
	if (which != now.side || f.type != now.type || f.kind != now.kind ||
	    recording || now.skip-- > 0)
		return PASS;
	now.action = PASS;
	return action;
}

/* Passes on the first message of a side. */
static void
relay_message(struct relay_side *from, int which, int to, size_t size)
{
	if (memmem(from->bytes, size, &tuple, sizeof(tuple)))
		result->saw = true;
	if (which == CLIENT && recording && recorded + size <= sizeof(record)) {
		memcpy(record + recorded, from->bytes, size);
		recorded += size;
	}
	if (from->count > (unsigned)which)
		relay_act(from, to, relay_action(from, which), size);
	else
		relay_put(to, from->bytes, size);
	from->count++;
	from->have -= size;
	memmove(from->bytes, from->bytes + size, from->have);
}

/* Passes on the whole messages of a side.  Returns false at its end. */
static bool
relay_pass(struct relay_side sides[2], int which)
{
	struct relay_side *from = &sides[which];
	ssize_t n = recv(from->fd, from->bytes + from->have,
	    sizeof(from->bytes) - from->have, 0);
	size_t size;

	if (n <= 0)
		return false;
	from->have += (size_t)n;
	while ((size = relay_size(from, which)) > 0 && size <= from->have)
		relay_message(from, which, sides[1 - which].fd, size);
	return true;
}

static int
relay_connect(void)
{
	struct sockaddr_in sin;
	socklen_t bytes = sizeof(sin);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (getsockname(behind, (struct sockaddr *)&sin, &bytes) != 0 ||
	    connect(fd, (struct sockaddr *)&sin, bytes) != 0)
		_exit(3);
	return fd;
}

/* Relays one connection until either side closes it. */
static void
relay_session(int listening)
{
	static struct relay_side sides[2];
	struct pollfd p[2];
	bool open = true;

	memset(sides, 0, sizeof(sides));
	sides[CLIENT].fd = accept(listening, NULL, NULL);
	sides[SERVER].fd = relay_connect();
	while (open) {
		for (int i = 0; i < 2; i++)
			p[i] = (struct pollfd){ sides[i].fd, POLLIN, 0 };
		if (poll(p, 2, -1) < 0)
			_exit(2);
		for (int i = 0; i < 2 && open; i++)
			open = !p[i].revents || relay_pass(sides, i);
	}
	for (int i = 0; i < 2; i++)
		close(sides[i].fd);
}

/* Sends the recorded session to the server. */
static void
relay_replay(void)
{
	struct paths__hello hello;
	int fd = relay_connect();
	char byte;

	if (recv(fd, &hello, sizeof(hello), MSG_WAITALL) !=
	    (ssize_t)sizeof(hello))
		_exit(4);
	relay_put(fd, record, recorded);
	result->answered = recv(fd, &byte, 1, 0) > 0;
	close(fd);
}

static int
relay(void)
{
	int fd = -1;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%*d=%d", &fd) != 1)
		return 1;
	recording = sessions > 1;
	if (recording) {
		relay_session(fd);
		relay_replay();
		recording = false;
	}
	relay_session(fd);
	return write(done[1], "", 1) == 1 ? 0 : 5;
}

/* --- the two processes --------------------------------------------------- */

/* Reads all tuples when the relay has ended. */
static void
serve_read(struct paths_program *program)
{
	struct paths_path *path = help_path(program, "t1", "e");
	uint64_t value;
	char byte;

	if (read(done[0], &byte, 1) != 1)
		_exit(3);
	while ((result->server_st = paths_path_read(path, &value,
		    sizeof(value))) == PATHS_OK)
		if (value != tuple + result->tuples++)
			result->strange = true;
	snprintf(result->server_why, sizeof(result->server_why), "%s",
	    paths_path_why(path));
}

static int
serve(void)
{
	struct paths_program *program;
	char fds[64];
	int port;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%d=", &port) != 1)
		return 1;
	snprintf(fds, sizeof(fds), "tcp:%d=%d", port, behind);
	setenv("PATHS_LISTEN_FDS", fds, 1);
	if (paths_program_open(NULL, NULL, &program) != PATHS_OK)
		return 2;
	serve_read(program);
	paths_program_close(program);
	return 0;
}

/* The client's paths.  Nothing is ever written to `never` and `late`. */
struct use {
	struct paths_path *e, *x, *never, *late;
};

/* Returns true for PATHS_OK.  The first failure is the client's result. */
static bool
use_ok(paths_status st, const struct paths_path *path)
{
	if (st == PATHS_OK)
		return true;
	result->st = st;
	snprintf(result->why, sizeof(result->why), "%s",
	    path ? paths_path_why(path) : paths_log_last());
	return false;
}

static bool
use_write(const struct use *u, uint64_t value)
{
	return use_ok(paths_path_write(u->e, &value, sizeof(value)), u->e);
}

static bool
use_cancel(const struct use *u)
{
	uint64_t value;
	paths_status st;

	paths_path_deadline(u->late, CANCEL_NS);
	st = paths_path_read(u->late, &value, sizeof(value));
	if (st != PATHS_ETIMEDOUT && !use_ok(st, u->late))
		return false;
	paths_path_close(u->late);
	return true;
}

/* Sends frames of all kinds, until an operation fails. */
static bool
use_all(const struct use *u)
{
	static uint64_t value;
	uint64_t back = tuple;

	paths_path_deadline(u->never, WAIT_NS);
	if (!use_ok(paths_path_start(u->never, PATHS_READ, &value, 8), NULL))
		return false;
	for (unsigned i = 0; i < WRITES; i++)
		if (!use_write(u, tuple + i))
			return false;
	return use_ok(paths_path_read(u->e, &result->value, 8), u->e) &&
	    use_ok(paths_path_exchange(u->x, &back, 8), u->x) &&
	    use_ok(paths_path_delete(u->x, 1), u->x) && use_cancel(u) &&
	    use_write(u, tuple + WRITES);
}

static struct paths_path *
use_path(struct paths_thread *thread, const char *element)
{
	struct paths_path *path = NULL;

	EXPECT_OK(paths_path_open(thread, element, &path));
	return path;
}

/* waits: for the frame that the relay acts on. */
static bool
use_session(bool waits)
{
	struct paths_program *program;
	struct paths_thread *t;
	struct use u;
	bool ok;

	if (!use_ok(paths_program_open(NULL, NULL, &program), NULL))
		return false;
	EXPECT_OK(paths_thread_open(program, "t0", &t));
	u.e = use_path(t, "e");
	u.x = use_path(t, "x");
	u.never = use_path(t, "never");
	u.late = use_path(t, "late");
	ok = use_all(&u) &&
	    (!waits || use_ok(paths_path_wait(u.never), u.never));
	paths_program_close(program);
	return ok;
}

static int
use(void)
{
	while (sessions-- > 1)
		if (!use_session(false))
			return 1;
	use_session(sealed && now.action != PASS);
	return 0;
}

/* Runs the three processes of a case.  Returns the sum of their statuses. */
static int
run(const char *options)
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	char map[1024];
	struct team *team;
	pid_t pids[3];
	int failed = 0;

	snprintf(map, sizeof(map),
	    "pathmap 1 %s\n"
	    "host h0\n"
	    "process p0 -host h0\n"
	    "process p1 -host h0 -listen tcp:0\n"
	    "thread t0 -process p0\n"
	    "thread t1 -process p1\n"
	    "element e -process p1 -type u64*1 -keep 16\n"
	    "element x -process p1 -type u64*1\n"
	    "element never -process p1 -type u64*1\n"
	    "element late -process p1 -type u64*1\n"
	    "path t1 e -use read {{element e}}\n"
	    "path t0 e {{proxy p1 -via tcp} {element e}}\n"
	    "path t0 x {{proxy p1 -via tcp} {element x}}\n"
	    "path t0 never {{proxy p1 -via tcp} {element never}}\n"
	    "path t0 late {{proxy p1 -via tcp} {element late}}\n",
	    options);
	behind = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(behind, (struct sockaddr *)&sin, sizeof(sin)) != 0 ||
	    listen(behind, 8) != 0 || pipe(done) != 0)
		return -1;
	team = team_open(map);
	pids[0] = team_fork(team, "p1", serve);
	pids[1] = team_fork(team, "relay", relay);
	pids[2] = team_fork(team, "p0", use);
	for (int i = 2; i >= 0; i--)
		failed += team_wait(pids[i]);
	team_close(team);
	return failed;
}

/* Runs at most BATCH cases at once, each from a process of its own. */
static void
run_batch(const char *options, const struct relay_case *cases, size_t count)
{
	pid_t pids[BATCH];

	sealed = strstr(options, "-trust network") == NULL;
	sessions = 1;
	memset(results, 0, BATCH * sizeof(*results));
	for (size_t i = 0; i < count; i++) {
		result = &results[i];
		now = cases[i];
		if (now.action == REPLAY)
			sessions = 2;
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(run(options) != 0);
	}
	for (size_t i = 0; i < count; i++)
		EXPECT_EQ(0, team_wait(pids[i]));
}

/* --- cases --------------------------------------------------------------- */

/* The frames of a connection that lives. */
static const struct relay_case frames[] = {
	{ PASS, CLIENT, PATHS__FRAME_OPEN, 0, 0 },
	{ PASS, CLIENT, PATHS__FRAME_OPEN, 0, 3 },
	{ PASS, CLIENT, PATHS__FRAME_OP, PATHS_WRITE, 0 },
	{ PASS, CLIENT, PATHS__FRAME_OP, PATHS_WRITE, 2 },
	{ PASS, CLIENT, PATHS__FRAME_OP, PATHS_READ, 0 },
	{ PASS, CLIENT, PATHS__FRAME_OP, PATHS_EXCHANGE, 0 },
	{ PASS, CLIENT, PATHS__FRAME_OP, PATHS_DELETE, 0 },
	{ PASS, CLIENT, PATHS__FRAME_CANCEL, 0, 0 },
	{ PASS, CLIENT, PATHS__FRAME_CLOSE, 0, 0 },
	{ PASS, CLIENT, PATHS__FRAME_BEAT, 0, 0 },
	{ PASS, SERVER, PATHS__FRAME_ANSWER, PATHS_WRITE, 1 },
	{ PASS, SERVER, PATHS__FRAME_ANSWER, PATHS_READ, 0 },
	{ PASS, SERVER, PATHS__FRAME_ANSWER, PATHS_EXCHANGE, 0 },
	{ PASS, SERVER, PATHS__FRAME_ANSWER, PATHS_DELETE, 0 },
	{ PASS, SERVER, PATHS__FRAME_BEAT, 0, 0 },
};
#define FRAMES (sizeof(frames) / sizeof(*frames))
_Static_assert(FRAMES <= BATCH, "one batch has all frames");

#define CAME "repeated, lost or inserted on the way"
#define CHANGED "was changed on the way"

static bool
has(const char *why, const char *text)
{
	if (strstr(why, text))
		return true;
	fprintf(stderr, "# \"%s\" does not contain \"%s\"\n", why, text);
	return false;
}

/* Both sides know the reason, and no tuple but those that were sent before
   arrived. */
static void
expect_noticed(const struct relay_case *one, const struct relay_result *r,
    const char *reason)
{
	unsigned most = WRITES + 1;

	EXPECT_EQ(PATHS_ELOST, r->st);
	EXPECT_TRUE(has(r->why, "process p1") && has(r->why, reason));
	EXPECT_EQ(PATHS_ELOST, r->server_st);
	EXPECT_TRUE(has(r->server_why, "lost process p0 on host h0"));
	EXPECT_TRUE(has(r->server_why, reason));
	EXPECT_TRUE(r->value == 0 || r->value == tuple);
	if (one->type == PATHS__FRAME_OP && one->kind == PATHS_WRITE)
		most = one->skip + (one->action == REPEAT);
	if (one->type == PATHS__FRAME_OPEN && one->action != REPEAT)
		most = 0;
	EXPECT_TRUE(!r->strange && r->tuples <= most);
}

static void
each_frame(enum relay_action action, const char *reason)
{
	struct relay_case cases[FRAMES];

	for (size_t i = 0; i < FRAMES; i++) {
		cases[i] = frames[i];
		cases[i].action = action;
	}
	run_batch("", cases, FRAMES);
	for (size_t i = 0; i < FRAMES; i++)
		expect_noticed(&cases[i], &results[i], reason);
}

static void
a_changed_frame_is_noticed(void)
{
	each_frame(CHANGE, CHANGED);
}

static void
a_repeated_frame_is_noticed(void)
{
	each_frame(REPEAT, CAME);
}

static void
an_inserted_frame_is_noticed(void)
{
	each_frame(INSERT, CHANGED);
}

/* The next frame shows it, which may be a beat. */
static void
a_lost_frame_is_noticed(void)
{
	each_frame(DROP, CAME);
}

static void
frames_in_another_order_are_noticed(void)
{
	each_frame(SWAP, CAME);
}

/* The proof of the first session is none for the second.  Neither are its
   frames, behind the handshake of the second. */
static void
a_replayed_session_is_refused(void)
{
	static const struct relay_case replay = { REPLAY, CLIENT,
		PATHS__FRAME_OPEN, 0, 0 };

	run_batch("", &replay, 1);
	EXPECT_TRUE(!results->answered);
	EXPECT_EQ(PATHS_ELOST, results->st);
	EXPECT_TRUE(has(results->why, "frame 0 was changed on the way"));
	EXPECT_EQ(WRITES + 1, results->tuples);
	EXPECT_TRUE(!results->strange);
}

static void
a_trusted_network_may_change_a_tuple(void)
{
	static const struct relay_case change = { CHANGE, CLIENT,
		PATHS__FRAME_OP, PATHS_WRITE, 0 };

	run_batch("-trust network", &change, 1);
	EXPECT_EQ(PATHS_OK, results->st);
	EXPECT_EQ(tuple ^ UINT64_C(1) << 56, results->value);
}

static void
only_encryption_hides_a_tuple(void)
{
	static const char *const options[] = { "", "-trust network",
		"-encrypt yes" };
	static const struct relay_case nothing = { .action = PASS };

	for (int i = 0; i < 3; i++) {
		run_batch(options[i], &nothing, 1);
		EXPECT_EQ(PATHS_OK, results->st);
		EXPECT_EQ(tuple, results->value);
		EXPECT_EQ(i < 2, results->saw);
		EXPECT_EQ(WRITES + 1, results->tuples);
	}
}

/* Maps the results before the cases run, each in a process of its own. */
static void __attribute__((constructor)) relay_shared(void)
{
	results = mmap(NULL, BATCH * sizeof(*results), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (results == MAP_FAILED)
		abort();
}

TEST_MAIN(a_changed_frame_is_noticed, a_repeated_frame_is_noticed,
    an_inserted_frame_is_noticed, a_lost_frame_is_noticed,
    frames_in_another_order_are_noticed, a_replayed_session_is_refused,
    a_trusted_network_may_change_a_tuple, only_encryption_hides_a_tuple)
