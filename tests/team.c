/* SPDX-License-Identifier: MIT */
/*
 * tests/team.c - several processes of one map, forked by a test
 */

#include "tests/team.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <arpa/inet.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEAM_PORTS 8

struct team {
	char run[64];
	char map[96];
	char secret[96];
	char fds[TEAM_PORTS * 32];
	int fd[TEAM_PORTS];
	int fd_count;
};

static int
team_port(struct team *team)
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t bytes = sizeof(sin);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	size_t used = strlen(team->fds);

	EXPECT_TRUE(team->fd_count < TEAM_PORTS);
	EXPECT_EQ(0, bind(fd, (struct sockaddr *)&sin, sizeof(sin)));
	EXPECT_EQ(0, listen(fd, 4096));
	EXPECT_EQ(0, getsockname(fd, (struct sockaddr *)&sin, &bytes));
	team->fd[team->fd_count++] = fd;
	snprintf(team->fds + used, sizeof(team->fds) - used, "tcp:%d=%d ",
	    ntohs(sin.sin_port), fd);
	return ntohs(sin.sin_port);
}

static void
team_write_map(struct team *team, const char *map)
{
	FILE *f = fopen(team->map, "w");
	const char *at;

	EXPECT_TRUE(f != NULL);
	while ((at = strstr(map, "tcp:0")) != NULL) {
		fprintf(f, "%.*stcp:%d", (int)(at - map), map, team_port(team));
		map = at + strlen("tcp:0");
	}
	fputs(map, f);
	EXPECT_EQ(0, fclose(f));
}

static void
team_write_secret(struct team *team)
{
	char secret[32];
	FILE *f = fopen(team->secret, "w");

	EXPECT_TRUE(f != NULL);
	EXPECT_EQ(sizeof(secret), getrandom(secret, sizeof(secret), 0));
	EXPECT_EQ(1, fwrite(secret, sizeof(secret), 1, f));
	EXPECT_EQ(0, fclose(f));
}

struct team *
team_open(const char *map)
{
	struct team *team = calloc(1, sizeof(*team));

	EXPECT_TRUE(team != NULL);
	strcpy(team->run, "/tmp/paths-team-XXXXXX");
	EXPECT_TRUE(mkdtemp(team->run) != NULL);
	snprintf(team->map, sizeof(team->map), "%s/map", team->run);
	snprintf(team->secret, sizeof(team->secret), "%s/secret", team->run);
	team_write_map(team, map);
	team_write_secret(team);
	return team;
}

static void
team_environment(struct team *team, const char *process)
{
	setenv("PATHS_MAP", team->map, 1);
	setenv("PATHS_RUN", team->run, 1);
	setenv("PATHS_SECRET_FILE", team->secret, 1);
	setenv("PATHS_LISTEN_FDS", team->fds, 1);
	setenv("PATHS_PROCESS", process, 1);
}

pid_t
team_fork(struct team *team, const char *process, int (*body)(void))
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	EXPECT_TRUE(pid >= 0);
	if (pid != 0)
		return pid;
	alarm(100);
	team_environment(team, process);
	_exit(body());
}

static team_main *team_body; /* of the child about to be forked */

static int
team_child(void)
{
	const char *process = getenv("PATHS_PROCESS");
	struct paths_program *program;
	int status;

	if (paths_program_open(NULL, NULL, &program) != PATHS_OK) {
		fprintf(stderr, "# %s: %s\n", process, paths_log_last());
		return 99;
	}
	/* A process without a body only serves. */
	status = team_body ? team_body(program, process) : 0;
	paths_program_close(program);
	return status;
}

pid_t
team_start(struct team *team, const char *process, team_main *body)
{
	team_body = body;
	return team_fork(team, process, team_child);
}

struct paths_program *
team_join(struct team *team, const char *process)
{
	struct paths_program *program = NULL;

	team_environment(team, process);
	EXPECT_OK(paths_program_open(NULL, NULL, &program));
	return program;
}

struct paths_thread *
team_thread(struct paths_program *program, const char *thread)
{
	struct paths_thread *t = NULL;

	EXPECT_OK(paths_thread_open(program, thread, &t));
	return t;
}

struct paths_path *
team_path(struct paths_thread *thread, const char *element)
{
	struct paths_path *path = NULL;

	EXPECT_OK(paths_path_open(thread, element, &path));
	return path;
}

int
team_wait(pid_t pid)
{
	int status;

	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

const char *
team_run(const struct team *team)
{
	return team->run;
}

static int
team_remove(const char *file, const struct stat *sb, int type, struct FTW *ftw)
{
	(void)sb;
	(void)type;
	(void)ftw;
	return remove(file);
}

void
team_close(struct team *team)
{
	for (int i = 0; i < team->fd_count; i++)
		close(team->fd[i]);
	nftw(team->run, team_remove, 8, FTW_DEPTH | FTW_PHYS);
	free(team);
}
