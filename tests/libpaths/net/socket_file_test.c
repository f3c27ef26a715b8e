/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/socket_file_test.c - proves libpaths/net/socket_file.c
 */

#include "libpaths/net/socket_file_private.h"

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "tests/team.h"
#include "tests/test.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct paths_map_process process_of_map = { .name = "p" };
static struct paths_map map = { .processes = &process_of_map,
	.process_count = 1 };
static char run[64];
static const struct paths_program program = { .map = &map, .run = run };

/* Makes a run directory. */
static void
begin(void)
{
	strcpy(run, "/tmp/paths-socket-XXXXXX");
	EXPECT_TRUE(mkdtemp(run) != NULL);
	EXPECT_EQ(0, chdir(run));
}

/* Removes it.  It must be empty, so no temporary file was left. */
static void
end(void)
{
	EXPECT_EQ(0, chdir("/"));
	EXPECT_EQ(0, rmdir(run));
}

static int
listening(struct paths__socket_file *made)
{
	int fd = -1;

	EXPECT_OK(paths__socket_file_listen(&program, "p.sock", made, &fd));
	return fd;
}

/* Returns true when a process accepts connections at the file. */
static bool
is_live(void)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX,
		.sun_path = "p.sock" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	bool live = connect(fd, (struct sockaddr *)&sun, sizeof(sun)) == 0;

	close(fd);
	return live;
}

/* Makes a socket file at which nobody listens. */
static void
make_dead(void)
{
	struct paths__socket_file made;
	int fd = listening(&made);

	close(fd);
	close(made.dir);
}

/* Tries to listen at p.sock.  Expects that the file there is refused and
   stays. */
static void
expect_refused(const char *why)
{
	struct paths__socket_file made;
	struct stat before, after;
	char text[128];
	int fd;

	EXPECT_EQ(0, lstat("p.sock", &before));
	EXPECT_EQ(PATHS_EBUSY,
	    paths__socket_file_listen(&program, "p.sock", &made, &fd));
	snprintf(text, sizeof(text), "socket p.sock: %s", why);
	EXPECT_STR_EQ(text, paths_log_last());
	EXPECT_EQ(0, lstat("p.sock", &after));
	EXPECT_EQ(before.st_ino, after.st_ino);
	EXPECT_EQ(before.st_mode, after.st_mode);
}

static void
make_file(const char *name)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	EXPECT_EQ(4, write(fd, "mine", 4));
	close(fd);
}

static void
expect_file(const char *name)
{
	char text[8];
	int fd = open(name, O_RDONLY);

	EXPECT_EQ(4, read(fd, text, sizeof(text)));
	EXPECT_MEM_EQ("mine", text, 4);
	close(fd);
	EXPECT_EQ(0, unlink(name));
}

static void
an_ordinary_file_is_left_alone(void)
{
	begin();
	make_file("p.sock");
	expect_refused("an ordinary file is in its place");
	expect_file("p.sock");
	end();
}

static void
a_directory_is_left_alone(void)
{
	begin();
	EXPECT_EQ(0, mkdir("p.sock", 0700));
	expect_refused("a directory is in its place");
	EXPECT_EQ(0, rmdir("p.sock"));
	end();
}

static void
a_symbolic_link_is_not_followed(void)
{
	begin();
	make_file("file");
	EXPECT_EQ(0, symlink("file", "p.sock"));
	expect_refused("a symbolic link is in its place");
	expect_file("file");
	EXPECT_EQ(0, unlink("p.sock"));
	EXPECT_EQ(0, symlink("nowhere", "p.sock"));
	expect_refused("a symbolic link is in its place");
	EXPECT_EQ(0, unlink("p.sock"));
	end();
}

static void
a_fifo_is_left_alone(void)
{
	begin();
	EXPECT_EQ(0, mkfifo("p.sock", 0600));
	expect_refused("a FIFO is in its place");
	EXPECT_EQ(0, unlink("p.sock"));
	end();
}

static void
a_socket_at_which_nobody_listens_is_replaced(void)
{
	struct paths__socket_file made;
	int fd;

	begin();
	make_dead();
	EXPECT_TRUE(!is_live());
	fd = listening(&made);
	EXPECT_TRUE(is_live());
	paths__socket_file_remove(&made);
	close(fd);
	end();
}

static void
a_socket_at_which_a_process_listens_is_refused(void)
{
	struct paths__socket_file made;
	int fd;

	begin();
	fd = listening(&made);
	expect_refused("another process listens at it");
	EXPECT_TRUE(is_live());
	paths__socket_file_remove(&made);
	close(fd);
	end();
}

/* Processes that find a dead socket at the same time: one takes its place. */
static void
one_of_many_processes_gets_the_place(void)
{
	enum { MANY = 16 };
	struct paths__socket_file made;
	int go[2], status, fd;
	pid_t pid, winner = 0; /* the sum of all, less those that have ended */
	char byte;

	begin();
	make_dead();
	EXPECT_EQ(0, pipe(go));
	for (int n = 0; n < MANY; n++) {
		pid = fork();
		winner += pid;
		if (pid != 0)
			continue;
		/* None stays if this test fails or is killed. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(go[1]);
		/* All begin when the pipe is closed, and end together. */
		if (read(go[0], &byte, 1) != 0)
			_exit(2);
		_exit(paths__socket_file_listen(&program, "p.sock", &made,
			  &fd) == PATHS_OK ?
			(pause(), 0) :
			1);
	}
	close(go[0]);
	close(go[1]);
	for (int n = 0; n < MANY - 1; n++)
		winner -= wait(&status);
	EXPECT_TRUE(is_live());
	kill(winner, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, team_wait(winner));
	EXPECT_EQ(0, unlink("p.sock"));
	end();
}

static void
a_file_that_took_the_place_of_ours_is_left(void)
{
	struct paths__socket_file made;
	int fd;

	begin();
	fd = listening(&made);
	EXPECT_EQ(0, unlink("p.sock"));
	make_file("p.sock");
	paths__socket_file_remove(&made);
	close(fd);
	expect_file("p.sock");
	end();
}

static void
only_this_user_can_connect(void)
{
	struct paths__socket_file made;
	struct stat sb;
	mode_t before = umask(0);
	int fd;

	begin();
	fd = listening(&made);
	umask(before);
	EXPECT_EQ(0, lstat("p.sock", &sb));
	EXPECT_EQ(0600, sb.st_mode & 07777);
	paths__socket_file_remove(&made);
	close(fd);
	end();
}

static void
a_lack_of_descriptors_is_named(void)
{
	struct paths__socket_file made;
	struct rlimit before, none;
	paths_status st;
	int fd;

	EXPECT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = 0;
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	st = paths__socket_file_listen(&program, "/nowhere/p.sock", &made, &fd);
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
	EXPECT_EQ(PATHS_EIO, st);
	EXPECT_STR_EQ("socket /nowhere/p.sock: Too many open files",
	    paths_log_last());
}

static void
a_run_directory_with_a_long_name_leaves_no_descriptor(void)
{
	struct paths__socket_file made;
	char name[128], folder[PATH_MAX];
	const struct paths_program there = { .map = &map, .run = folder };
	int before, fd;

	begin();
	memset(name, 'r', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(folder, sizeof(folder), "%s/%s", run, name);
	EXPECT_EQ(0, mkdir(folder, 0700));
	/* The descriptor that the next open returns. */
	before = dup(0);
	close(before);
	EXPECT_OK(paths__socket_file_listen(&there, "p.sock", &made, &fd));
	paths__socket_file_remove(&made);
	close(fd);
	fd = dup(0);
	EXPECT_EQ(before, fd);
	close(fd);
	EXPECT_EQ(0, rmdir(folder));
	end();
}

/* --- of a program -------------------------------------------------------- */

static const char two_sockets[] =
    "pathmap 1\n"
    "host h0\n"
    "process p0 -host h0\n"
    "process p1 -host h0 -listen {unix:a.sock unix:b.sock}\n"
    "thread t0 -process p0\n"
    "element e -process p1 -type u64*1 -keep 4\n"
    "path t0 e {{proxy p1 -via unix} {element e}}\n";

/* Returns true when the run directory has a file. */
static bool
has(struct team *team, const char *name)
{
	char file[128];
	struct stat sb;

	snprintf(file, sizeof(file), "%s/%s", team_run(team), name);
	return lstat(file, &sb) == 0;
}

static void
the_sockets_are_gone_at_the_end_of_a_program(void)
{
	struct team *team = team_open(two_sockets);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_thread *t0;
	struct paths_path *e;
	uint64_t value = 5;

	EXPECT_OK(paths_thread_open(p0, "t0", &t0));
	EXPECT_OK(paths_path_open(t0, "e", &e));
	EXPECT_OK(paths_path_exchange(e, &value, sizeof(value)));
	EXPECT_TRUE(has(team, "a.sock") && has(team, "b.sock"));
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	EXPECT_TRUE(!has(team, "a.sock") && !has(team, "b.sock"));
	team_close(team);
}

static int
opens_with_a_file_in_the_way(void)
{
	struct paths_program *p1;

	return paths_program_open(NULL, NULL, &p1) == PATHS_EBUSY &&
		strcmp(paths_log_last(),
		    "socket b.sock: an ordinary file is in its place") == 0 ?
	    0 :
	    1;
}

static void
the_sockets_are_gone_when_a_program_does_not_open(void)
{
	struct team *team = team_open(two_sockets);
	char file[128];

	snprintf(file, sizeof(file), "%s/b.sock", team_run(team));
	make_file(file);
	EXPECT_EQ(0,
	    team_wait(team_fork(team, "p1", opens_with_a_file_in_the_way)));
	EXPECT_TRUE(!has(team, "a.sock"));
	expect_file(file);
	team_close(team);
}

TEST_MAIN(an_ordinary_file_is_left_alone, a_directory_is_left_alone,
    a_symbolic_link_is_not_followed, a_fifo_is_left_alone,
    a_socket_at_which_nobody_listens_is_replaced,
    a_socket_at_which_a_process_listens_is_refused,
    one_of_many_processes_gets_the_place,
    a_file_that_took_the_place_of_ours_is_left, only_this_user_can_connect,
    a_lack_of_descriptors_is_named,
    a_run_directory_with_a_long_name_leaves_no_descriptor,
    the_sockets_are_gone_at_the_end_of_a_program,
    the_sockets_are_gone_when_a_program_does_not_open)
