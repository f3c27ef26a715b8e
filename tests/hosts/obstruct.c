/* SPDX-License-Identifier: MIT */
/*
 * tests/hosts/obstruct.c - a file that is slow to execute, or cannot be opened
 *
 *	obstruct exec FILE MS	nobody executes FILE until MS after the first
 *				attempt
 *	obstruct open FILE	nobody opens FILE, not even root
 *
 * Prints a line when the file is obstructed, which lasts until this process is
 * killed.  Needs root, and a kernel with permission events of fanotify.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <time.h>
#include <unistd.h>

/* Answers an attempt. */
static void
obstruct_answer(int fd, const struct fanotify_event_metadata *event,
    uint32_t response)
{
	const struct fanotify_response answer = { event->fd, response };

	if (write(fd, &answer, sizeof(answer)) != (ssize_t)sizeof(answer))
		exit(1);
	close(event->fd);
}

int
main(int argc, char **argv)
{
	const int executes = argc == 4 && strcmp(argv[1], "exec") == 0;
	struct fanotify_event_metadata event;
	long ms = executes ? strtol(argv[3], NULL, 10) : 0;
	int fd;

	if (!executes && (argc != 3 || strcmp(argv[1], "open") != 0))
		return 2;
	fd = fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC, O_RDONLY);
	if (fd < 0 ||
	    fanotify_mark(fd, FAN_MARK_ADD,
		executes ? FAN_OPEN_EXEC_PERM : FAN_OPEN_PERM, AT_FDCWD,
		argv[2]) != 0) {
		fprintf(stderr, "obstruct: %s: %s\n", argv[2], strerror(errno));
		return 77;
	}
	printf("ready\n");
	fflush(stdout);
	/* Reads one event, because there is room for no more. */
	while (read(fd, &event, sizeof(event)) == (ssize_t)sizeof(event)) {
		const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

		nanosleep(&time, NULL);
		ms = 0;
		obstruct_answer(fd, &event, executes ? FAN_ALLOW : FAN_DENY);
	}
	return 1;
}
