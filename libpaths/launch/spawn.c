/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/spawn.c - starts a program in a process group of its own
 */

#include "libpaths/launch/spawn_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sets the standard descriptors and those that are kept.  Returns the error. */
static int
spawn_descriptors(const struct launch_spawn *spawn)
{
	int input = spawn->standard[0];

	if (input < 0)
		input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (input < 0 || dup2(input, STDIN_FILENO) < 0)
		return errno;
	for (int n = STDOUT_FILENO; n <= STDERR_FILENO; n++) {
		if (spawn->standard[n] >= 0 && dup2(spawn->standard[n], n) < 0)
			return errno;
	}
	for (size_t n = 0; n < spawn->kept_count; n++) {
		if (fcntl(spawn->kept[n], F_SETFD, 0) != 0)
			return errno;
	}
	return 0;
}

/* Turns the child into the program.  Returns the error when that fails. */
static int
spawn_become(const struct launch_spawn *spawn, pid_t parent)
{
	sigset_t none;
	int error;

	/* Its own group: a signal reaches it and its children, once. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		return ECHILD;
	error = spawn_descriptors(spawn);
	if (error != 0)
		return error;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	execvp(spawn->words[0], (char *const *)(uintptr_t)spawn->words);
	return errno;
}

/* The pipe from the child is closed by the exec of the program, or contains
   the error. */
int
launch_spawn_begin(const struct launch_spawn *spawn, pid_t *pid, int *report)
{
	const pid_t self = getpid();
	int ends[2];
	int error = 0;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	*pid = fork();
	if (*pid == 0) {
		error = spawn_become(spawn, self);
		_exit(write(ends[1], &error, sizeof(error)) < 0 ? 126 : 127);
	}
	if (*pid < 0)
		error = errno;
	close(ends[1]);
	if (*pid > 0) {
		setpgid(*pid, *pid); /* the child does the same */
		*report = ends[0];
	} else {
		close(ends[0]);
	}
	return error;
}

int
launch_spawn_end(pid_t pid, int report)
{
	int error = 0;

	if (read(report, &error, sizeof(error)) > 0)
		waitpid(pid, NULL, 0);
	close(report);
	return error;
}

int
launch_spawn(const struct launch_spawn *spawn, pid_t *pid)
{
	int report;
	int error = launch_spawn_begin(spawn, pid, &report);

	return error == 0 ? launch_spawn_end(*pid, report) : error;
}

void
launch_beside(const char *name, char file[PATH_MAX])
{
	char self[PATH_MAX / 2];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *own, *above;

	self[n < 0 ? 0 : n] = '\0';
	own = strrchr(self, '/');
	if (own != NULL)
		*own = '\0';
	snprintf(file, PATH_MAX, "%s/%s", self, name);
	above = strrchr(self, '/');
	if (access(file, X_OK) == 0 || above == NULL)
		return;
	*above = '\0';
	snprintf(file, PATH_MAX, "%s/%s", self, name);
	if (access(file, X_OK) == 0)
		return;
	*above = '/';
	snprintf(file, PATH_MAX, "%s/%s", self, name);
}
