/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/labels.c - labels the output of processes of this machine
 *
 * A child process reads the pipes of all processes and writes their lines.  It
 * may wait for a terminal or a pipe without delaying the starter.
 */

#include "libpaths/run/labels_private.h"

#include "libpaths/run/fail_private.h"
#include "libpaths/run/lines_private.h"
#include "libpaths/run/listen_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pieces that are read from a pipe at the end: more than it holds. */
#define LABELS_LAST 64

/* ---- the child */

/* Passes on what a process has written.  Returns false when there was
   nothing. */
static bool
labels_read(struct pollfd *fd, struct run_lines *lines)
{
	char piece[LAUNCH_PIECE_MAX];
	ssize_t n;

	if (fd->fd < 0 || poll(fd, 1, 0) <= 0)
		return false;
	n = read(fd->fd, piece, sizeof(piece));
	if (n <= 0) {
		fd->fd = -1;
		return false;
	}
	run_lines_add(lines, piece, (size_t)n);
	run_lines_write_all(lines->to);
	return true;
}

/* Reads until the starter closes the control pipe.  The last descriptor is that
   pipe. */
static void
labels_loop(struct pollfd *fds, struct run_lines *lines, size_t count)
{
	while (fds[count].revents == 0) {
		if (poll(fds, count + 1, -1) < 0)
			continue;
		for (size_t n = 0; n < count; n++) {
			if (fds[n].revents != 0)
				labels_read(&fds[n], &lines[n]);
		}
	}
	for (size_t n = 0; n < count; n++) {
		for (int piece = 0;
		     piece < LABELS_LAST && labels_read(&fds[n], &lines[n]);
		     piece++)
			;
		run_lines_end(&lines[n]);
		run_lines_write_all(lines[n].to);
	}
}

static void
labels_child(struct run *run, const struct run_labels *labels, int control)
{
	const size_t count = 2 * (size_t)run->map->process_count;
	struct pollfd *fds = calloc(count + 1, sizeof(*fds));
	struct run_lines *lines = calloc(count, sizeof(*lines));

	prctl(PR_SET_NAME, "run-labels");
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	/* A port is closed when its process has ended. */
	run_listen_close(run);
	if (fds == NULL || lines == NULL)
		_exit(1);
	for (size_t n = 0; n < count; n++) {
		fds[n] = (struct pollfd){ labels->pipes[n][0], POLLIN, 0 };
		lines[n].label = run->map->processes[n / 2].name;
		lines[n].to = &run->outputs[n % 2];
		close(labels->pipes[n][1]);
	}
	fds[count] = (struct pollfd){ control, POLLIN, 0 };
	labels_loop(fds, lines, count);
	_exit(0);
}

/* ---- the starter */

static bool
labels_pipes(struct run_labels *labels, size_t count, int control[2])
{
	labels->pipes = calloc(count, sizeof(*labels->pipes));
	if (labels->pipes == NULL || pipe2(control, O_CLOEXEC) != 0)
		return run_fail("%s", strerror(errno));
	for (size_t n = 0; n < count; n++) {
		if (pipe2(labels->pipes[n], O_CLOEXEC) != 0)
			return run_fail("pipes for the output: %s",
			    strerror(errno));
	}
	return true;
}

bool
run_labels_open(struct run *run, struct run_labels *labels)
{
	const size_t count = 2 * (size_t)run->map->process_count;
	sigset_t none;
	int control[2];

	if (!run->label)
		return true;
	for (int n = 0; n < 2; n++)
		run->outputs[n].fd = n == 0 ? STDOUT_FILENO : STDERR_FILENO;
	if (!labels_pipes(labels, count, control)) {
		free(labels->pipes);
		labels->pipes = NULL;
		return false;
	}
	labels->control = control[1];
	labels->pid = fork();
	if (labels->pid == 0) {
		close(control[1]);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		labels_child(run, labels, control[0]);
	}
	close(control[0]);
	for (size_t n = 0; n < count; n++)
		close(labels->pipes[n][0]);
	return labels->pid > 0 || run_fail("fork: %s", strerror(errno));
}

void
run_labels_started(const struct run *run, struct run_labels *labels)
{
	for (size_t n = 0;
	     labels->pipes != NULL && n < 2 * (size_t)run->map->process_count;
	     n++)
		close(labels->pipes[n][1]);
	free(labels->pipes);
	labels->pipes = NULL;
}

void
run_labels_close(struct run_labels *labels)
{
	sigset_t set;

	if (labels->pid <= 0)
		return;
	close(labels->control);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	while (waitpid(labels->pid, NULL, WNOHANG) == 0) {
		if (sigwaitinfo(&set, NULL) != SIGCHLD)
			kill(labels->pid, SIGTERM);
	}
	labels->pid = 0;
}
