/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/client_test.c - proves libpaths/net/client.c
 *
 * The server is a forked process that sends the frames of the case itself.
 */

#include "libpaths/net/client_private.h"
#include "libpaths/net/handshake_private.h"
#include "tests/libpaths/stages/help.h"
#include "tests/team.h"

#include <fcntl.h>
#include <sys/socket.h>

static const char client_map[] =
    "pathmap 1 -trust network\n"
    "host h0\n"
    "process p0 -host h0\n"
    "process p1 -host h0 -listen tcp:0\n"
    "thread t0 -process p0\n"
    "element e -process p1 -type u64*1 -keep 4\n"
    "path t0 e {{proxy p1 -via tcp} {element e}} -use read\n";

static bool
receive(int fd, void *bytes, size_t count)
{
	return recv(fd, bytes, count, MSG_WAITALL) == (ssize_t)count;
}

static bool
answer(int fd, uint32_t serial, const uint64_t *tuple)
{
	struct paths__frame f = { .bytes = sizeof(f),
		.type = PATHS__FRAME_ANSWER,
		.kind = PATHS_READ,
		.serial = serial };

	if (tuple != NULL)
		f.bytes += sizeof(*tuple);
	return send(fd, &f, sizeof(f), 0) == sizeof(f) &&
	    (tuple == NULL ||
		send(fd, tuple, sizeof(*tuple), 0) == sizeof(*tuple));
}

/* Accepts the connection of p0 and answers its OPEN frame; -1 on failure. */
static int
serve_handshake(void)
{
	static struct paths_program p = { .process = 1 };
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	struct paths__frame f;
	char type[5];
	int secret = open(getenv("PATHS_SECRET_FILE"), O_RDONLY), fd = -1;

	if (paths_map_load(getenv("PATHS_MAP"), &p.map) != PATHS_OK ||
	    read(secret, p.secret, sizeof(p.secret)) != sizeof(p.secret) ||
	    sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%*d=%d", &fd) != 1)
		return -1;
	close(secret);
	fd = accept(fd, NULL, NULL);
	paths__handshake_hello(PATHS_OK, &hello);
	if (send(fd, &hello, sizeof(hello), 0) != sizeof(hello) ||
	    !receive(fd, &proof, sizeof(proof)) ||
	    paths__handshake_check(&p, &hello, &proof) != PATHS_OK)
		return -1;
	paths__handshake_welcome(&p, &hello, &proof, PATHS_OK, &welcome);
	paths_map_close(p.map);
	return send(fd, &welcome, sizeof(welcome), 0) == sizeof(welcome) &&
		receive(fd, &f, sizeof(f)) && f.type == PATHS__FRAME_OPEN &&
		receive(fd, type, sizeof(type)) && answer(fd, 0, NULL) ?
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

	if (fd < 0 || !receive(fd, &first, sizeof(first)) ||
	    !receive(fd, &cancel, sizeof(cancel)) ||
	    cancel.type != PATHS__FRAME_CANCEL ||
	    cancel.serial != first.serial ||
	    !receive(fd, &second, sizeof(second)) ||
	    second.type != PATHS__FRAME_OP)
		return 1;
	if (!answer(fd, first.serial, &tuples[0]) ||
	    !answer(fd, second.serial, &tuples[1]))
		return 2;
	while (recv(fd, &first, sizeof(first), 0) > 0)
		;
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
	    !receive(fd, &proof, sizeof(proof)))
		return 2;
	close(fd);
	return 0;
}

/* Opens p0, whose peer hangs up.  Returns 0 when that is reported. */
static int
opens_in_vain(void)
{
	struct paths_program *p0;

	return paths_program_open(NULL, NULL, &p0) == PATHS_EAUTH &&
		strstr(paths_log_last(), "ended the handshake") != NULL ?
	    0 :
	    1;
}

static void
a_peer_that_hangs_up_in_the_handshake_is_reported(void)
{
	struct team *team = team_open(client_map);
	pid_t p1 = team_fork(team, "p1", hangs_up);

	EXPECT_EQ(0, team_wait(team_fork(team, "p0", opens_in_vain)));
	EXPECT_EQ(0, team_wait(p1));
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

TEST_MAIN(an_answer_to_an_earlier_operation_is_dropped,
    a_peer_that_hangs_up_in_the_handshake_is_reported,
    a_connect_time_that_is_no_duration_is_refused)
