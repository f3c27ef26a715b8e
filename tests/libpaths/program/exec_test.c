/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/program/exec_test.c - a program that a process executes has
 * none of the process's descriptors
 *
 * It would keep connections and ports open that the process has closed.
 */

#include "libpaths/path.h"
#include "libpaths/program.h"
#include "tests/team.h"
#include "tests/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#define DESCRIPTORS 1024

static const char links_map[] =
    "pathmap 1\n"
    "host h\n"
    "process q -host h -listen tcp:0\n"
    "process r -host h\n"
    "thread u -process q\n"
    "thread v -process r\n"
    "element tcp -process q -type u32*1 -keep 8\n"
    "element unix -process q -type u32*1 -keep 8\n"
    "element shm -process q -type u32*1 -keep 8\n"
    "element checked -process q -type u32*1 -keep 1\n"
    "path u checked {{element checked}}\n"
    "path v checked {{proxy q -via tcp} {element checked}}\n"
    "path u tcp {{element tcp}}\n"
    "path u unix {{element unix}}\n"
    "path u shm {{element shm}}\n"
    "path v tcp {{proxy q -via tcp} {element tcp}}\n"
    "path v unix {{proxy q -via unix} {element unix}}\n"
    "path v shm {{proxy q -via shm} {element shm}}\n";

static const char *const links[] = { "tcp", "unix", "shm" };

#define LINKS (sizeof(links) / sizeof(links[0]))

static bool
is_socket(int fd)
{
	struct stat found;

	return fstat(fd, &found) == 0 && S_ISSOCK(found.st_mode);
}

/* Opens a process.  others: returned: the descriptors that were open before,
   without sockets if it inherits that of its port. */
static struct paths_program *
process_open(bool others[DESCRIPTORS], bool inherits)
{
	struct paths_program *program = NULL;

	for (int fd = 0; fd < DESCRIPTORS; fd++)
		others[fd] =
		    fcntl(fd, F_GETFD) >= 0 && !(inherits && is_socket(fd));
	EXPECT_OK(paths_program_open(NULL, NULL, &program));
	return program;
}

/* Writes to all elements, or reads from them. */
static void
use_links(struct paths_thread *thread, bool writes)
{
	for (size_t i = 0; i < LINKS; i++) {
		struct paths_path *path = team_path(thread, links[i]);
		uint32_t value = 1;

		if (writes)
			EXPECT_OK(
			    paths_path_write(path, &value, sizeof(value)));
		else
			EXPECT_OK(paths_path_read(path, &value, sizeof(value)));
	}
}

/* Returns the number of descriptors that exec(3) hands on, apart from others.
   own: returned: the number of those that it does not. */
static int
count_handed_on(const bool others[DESCRIPTORS], int *own)
{
	int handed_on = 0;

	*own = 0;
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags < 0 || others[fd])
			continue;
		*own += 1;
		if (flags & FD_CLOEXEC)
			continue;
		fprintf(stderr, "# descriptor %d is handed on\n", fd);
		handed_on++;
	}
	return handed_on;
}

/* The sockets of three listeners and three connections, the memory of one
   connection, and what the loop has. */
#define OWN_MIN 8

static int
server_main(void)
{
	bool others[DESCRIPTORS];
	struct paths_program *q = process_open(others, true);
	struct paths_thread *u = team_thread(q, "u");
	uint32_t value = 1;
	int own;

	use_links(u, false);
	EXPECT_EQ(0, count_handed_on(others, &own));
	EXPECT_TRUE(own >= OWN_MIN);
	EXPECT_OK(
	    paths_path_write(team_path(u, "checked"), &value, sizeof(value)));
	paths_program_close(q);
	return 0;
}

static int
client_main(void)
{
	bool others[DESCRIPTORS];
	struct paths_program *r = process_open(others, false);
	struct paths_thread *v = team_thread(r, "v");
	uint32_t value;
	int own;

	use_links(v, true);
	EXPECT_EQ(0, count_handed_on(others, &own));
	EXPECT_TRUE(own >= (int)LINKS);
	/* The connections of q are open until q has looked at them. */
	EXPECT_OK(
	    paths_path_read(team_path(v, "checked"), &value, sizeof(value)));
	paths_program_close(r);
	return 0;
}

static void
a_program_that_is_executed_gets_no_descriptor(void)
{
	struct team *team = team_open(links_map);
	pid_t q = team_fork(team, "q", server_main);
	pid_t r = team_fork(team, "r", client_main);

	EXPECT_EQ(0, team_wait(r));
	EXPECT_EQ(0, team_wait(q));
	team_close(team);
}

TEST_MAIN(a_program_that_is_executed_gets_no_descriptor)
