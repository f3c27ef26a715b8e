/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/descendants.c - ends the descendants of this process
 *
 * This process is a subreaper: when a descendant ends, its children become
 * children of this process, also when they have called setsid.  So the search
 * in /proc finds all of them, and waitpid reports when none is left.
 */

#include "libpaths/launch/descendants_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time between two searches for processes. */
#define DESCENDANTS_AGAIN_NS 20000000

/* Attempts to begin a search: there may be no descriptor or no memory. */
#define DESCENDANTS_TRIES 100

/* Searches for processes that get SIGTERM.  The second one finds those that
   were forked, or became children of this process, during the first. */
#define DESCENDANTS_TERMS 2

uint64_t
run_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Returns the parent of a process; 0 if the process is gone. */
static pid_t
descendants_parent(pid_t pid)
{
	char name[64], text[512];
	ssize_t n = -1;
	const char *at;
	pid_t parent;
	int fd;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n < 0 ? 0 : n] = '\0';
	/* The name in parentheses may contain any character. */
	at = strrchr(text, ')');
	return at != NULL && sscanf(at + 1, " %*c %d", &parent) == 1 ? parent :
								       0;
}

static bool
descendants_has(pid_t pid)
{
	const pid_t self = getpid();

	do
		pid = descendants_parent(pid);
	while (pid > 1 && pid != self);
	return pid == self;
}

/* Returns a descriptor of a process, or -1. */
static int
descendants_open(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

static bool
descendants_send(int fd, pid_t pid, int signal)
{
#ifdef SYS_pidfd_send_signal
	if (fd >= 0)
		return syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0;
#endif
	(void)fd;
	return kill(pid, signal) == 0;
}

/* Sends a signal to a process that is a descendant.  The process is opened
   before it is tested, so a later process of the same pid is safe. */
static bool
descendants_signal_one(pid_t pid, int signal)
{
	int fd = descendants_open(pid);
	bool sent = descendants_has(pid) && descendants_send(fd, pid, signal);

	if (fd >= 0)
		close(fd);
	return sent;
}

/* Sleeps until a child ends, at most for a time. */
static void
descendants_sleep(uint64_t ns)
{
	const struct timespec time = { (time_t)(ns / 1000000000),
		(long)(ns % 1000000000) };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigtimedwait(&set, NULL, &time);
}

static DIR *
descendants_search(void)
{
	DIR *dir = opendir("/proc");

	for (int n = 1; dir == NULL && n < DESCENDANTS_TRIES; n++) {
		descendants_sleep(DESCENDANTS_AGAIN_NS);
		dir = opendir("/proc");
	}
	return dir;
}

/* Sends a signal to all descendants.  Returns false if no process got it. */
static bool
descendants_signal(int signal)
{
	DIR *dir = descendants_search();
	const struct dirent *entry;
	bool sent = false;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 1 && descendants_signal_one(pid, signal))
			sent = true;
	}
	if (dir != NULL)
		closedir(dir);
	return sent;
}

/* Reaps the children that have ended.  Returns true when others are left. */
static bool
descendants_reap(void)
{
	pid_t pid;

	do
		pid = waitpid(-1, NULL, WNOHANG);
	while (pid > 0);
	return pid == 0;
}

void
run_descendants_end(uint64_t grace_ns)
{
	const uint64_t due = run_now_ns() + grace_ns;

	for (int n = 1; descendants_reap(); n++) {
		uint64_t now = run_now_ns();
		uint64_t ns = now < due ? due - now : DESCENDANTS_AGAIN_NS;

		if (n <= DESCENDANTS_TERMS)
			descendants_signal(SIGTERM);
		if (now >= due && !descendants_signal(SIGKILL))
			return;
		descendants_sleep(
		    n < DESCENDANTS_TERMS && ns > DESCENDANTS_AGAIN_NS ?
			DESCENDANTS_AGAIN_NS :
			ns);
	}
}
