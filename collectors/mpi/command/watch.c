/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/watch.c - notes when and how a rank ends
 *
 * SIGKILL and _exit(2) leave no note of a rank, and the ranks that a launcher
 * ends after the first failure end within milliseconds of it.  So a process
 * outside of the rank, the watcher, sleeps in poll(2) on a file descriptor of
 * the rank.  It is in a session of its own, because launchers send signals to
 * the process group of a rank, blocks all signals, has no descriptor of the
 * launcher, and is no child of the rank, which may wait for its children.
 *
 * A watcher may get a core late.  The kernel counts the time that it was
 * runnable, which is subtracted, so the order of ends does not depend on it.
 *
 * The line is of the form in libpaths/net/gone_private.h.  As long as a watcher
 * has its line to write, it holds a shared lock of the file (flock(2)), so that
 * readers of a run that has ended can wait for it.  The rank takes the lock
 * before it goes on and leaves it to the watcher: it closes its descriptor of
 * the file, so that its children do not hold the lock.
 */

#include "collectors/mpi/command/watch_private.h"

#include "collectors/mpi/base/runnable_private.h"
#include "libpaths/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(SYS_pidfd_open) && defined(SYS_pidfd_send_signal) && \
    defined(SYS_close_range)

/* Descriptors of the watcher: of the rank, and of the file. */
#define WATCH_RANK 3
#define WATCH_FILE 4
#define WATCH_FREE 5

/* The launcher takes the status of a rank soon after its end. */
#define WATCH_TAKEN_MS 1000

/* PIDFD_GET_INFO of Linux 6.15 and later, which headers may lack. */
struct watch_info {
	uint64_t mask, group;
	uint32_t ids[11];
	int32_t status;
};
#define WATCH_INFO _IOWR(0xFF, 11, struct watch_info)
#define WATCH_INFO_EXIT 8u

/* Reads the wait status of a process that has ended from /proc, as long as
   nobody has taken it.  A 0 may be that of a reader who is not permitted. */
static bool
watch_zombie(pid_t pid, int *status)
{
	char name[64], text[1024];
	ssize_t n = -1;
	char *last;
	int fd;

	snprintf(name, sizeof(name), "/proc/%ld/stat", (long)pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	/* Afterwards another process may have the number. */
	if (n <= 0 ||
	    syscall(SYS_pidfd_send_signal, WATCH_RANK, 0, NULL, 0) != 0)
		return false;
	text[n] = '\0';
	last = strrchr(text, ' ');
	return last != NULL && sscanf(last, "%d", status) == 1 && *status != 0;
}

/* Asks the kernel for the wait status, which it keeps with the descriptor after
   somebody has taken it. */
static bool
watch_taken(int *status)
{
	struct watch_info info = { .mask = WATCH_INFO_EXIT };
	struct pollfd taken = { .fd = WATCH_RANK };

	if (poll(&taken, 1, WATCH_TAKEN_MS) != 1 ||
	    ioctl(WATCH_RANK, WATCH_INFO, &info) != 0 ||
	    !(info.mask & WATCH_INFO_EXIT))
		return false;
	*status = info.status;
	return true;
}

static void
watch_write(pid_t pid, long rank, uint64_t ticks)
{
	const char *kind = "gone";
	int status = 0, number = 0;
	char line[512];

	if (watch_zombie(pid, &status) || watch_taken(&status)) {
		kind = WIFSIGNALED(status) ? "signal" : "status";
		number = WIFSIGNALED(status) ? WTERMSIG(status) :
					       WEXITSTATUS(status);
	}
	snprintf(line, sizeof(line), "%s %d rank %" PRIu64 " %s %ld@%ld\n",
	    kind, number, ticks, paths_clock_domain(), (long)pid, rank);
	(void)!write(WATCH_FILE, line, strlen(line));
}

/* Opens the file of a run directory; -1: it cannot. */
static int
watch_open(const char *directory)
{
	char file[PATH_MAX + 8];

	snprintf(file, sizeof(file), "%s/ends", directory);
	return open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Leaves everything of the launcher: keeps two descriptors, and opens the
   standard streams anew.  Returns false if that fails. */
static bool
watch_leave(int process, int file)
{
	/* Copies above those that are set, which may be the same. */
	int null = fcntl(open("/dev/null", O_RDWR), F_DUPFD, WATCH_FREE);
	int from[] = { null, null, null, fcntl(process, F_DUPFD, WATCH_FREE),
		fcntl(file, F_DUPFD, WATCH_FREE) };
	sigset_t all;

	/* Batch systems may send a signal to all processes of a job. */
	sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	for (int fd = 0; fd < WATCH_FREE; fd++)
		if (from[fd] < 0 || dup2(from[fd], fd) < 0)
			return false;
	return syscall(SYS_close_range, (unsigned)WATCH_FREE, ~0U, 0) == 0 &&
	    chdir("/") == 0;
}

static void
watch_run(int process, int file, pid_t pid, long rank)
{
	struct pollfd ended = { .fd = WATCH_RANK, .events = POLLIN };
	uint64_t before_ns, after_ns, ticks;

	(void)prctl(PR_SET_NAME, "es-mpi-watch");
	if (!watch_leave(process, file))
		return;
	/* The rank does not wait for a reader that has the lock. */
	(void)flock(WATCH_FILE, LOCK_SH);
	before_ns = mpi_runnable_ns();
	while (poll(&ended, 1, -1) < 0)
		if (errno != EINTR)
			return;
	ticks = paths_clock_ticks_ordered();
	after_ns = mpi_runnable_ns();
	/* Without /proc it is 0. */
	if (after_ns > before_ns)
		ticks -= paths_clock_ns_to_ticks(after_ns - before_ns);
	watch_write(pid, rank, ticks);
}

void
watch_start(const char *directory, long rank)
{
	pid_t pid = getpid(), child = -1;
	int process = -1, file = -1;

	/* Without close_range(2) the watcher would keep what the launcher waits
	   for; with it this call has wrong arguments. */
	if (syscall(SYS_close_range, ~0U, 0U, 0) == 0 || errno != EINVAL)
		return;
	process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process >= 0)
		file = watch_open(directory);

	if (file >= 0) {
		(void)flock(file, LOCK_SH | LOCK_NB);
		child = fork();
	}
	if (child == 0) {
		if (setsid() >= 0 && fork() == 0)
			watch_run(process, file, pid, rank);
		_exit(0);
	}
	if (process >= 0)
		close(process);
	if (file >= 0)
		close(file);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

#else

void
watch_start(const char *directory, long rank)
{
	(void)directory;
	(void)rank;
}

#endif
