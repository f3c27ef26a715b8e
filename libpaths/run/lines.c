/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/lines.c - the output of processes, each line with the name of
 * its process
 *
 * The output of eventspace-run may be a terminal that is stopped, or a pipe
 * that nobody reads for a while.  The descriptor is shared with other programs
 * and stays blocking: it is written to in small pieces, and only when poll(2)
 * reports that there is room.
 */

#include "libpaths/run/lines_private.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A longer line is passed on before its end has come. */
#define LINES_PART_MAX ((size_t)64 * 1024)

/* Time between two looks for a signal. */
#define LINES_LOOK_MS 200

static void
lines_put(struct run_lines *lines, const uint8_t *line, size_t count)
{
	struct launch_bytes *queue = &lines->to->queue;

	if (lines->label != NULL) {
		launch_put_bytes(queue, lines->label, strlen(lines->label));
		launch_put_bytes(queue, ": ", 2);
	}
	launch_put_bytes(queue, line, count);
}

/* Queues the whole lines of a part. */
static void
lines_take(struct run_lines *lines)
{
	struct launch_bytes *part = &lines->part;
	const uint8_t *end;
	size_t count;

	while (launch_bytes_count(part) > 0 &&
	    (end = memchr(launch_bytes_first(part), '\n',
		 launch_bytes_count(part))) != NULL) {
		count = (size_t)(end - launch_bytes_first(part)) + 1;
		lines_put(lines, launch_bytes_first(part), count);
		launch_bytes_take(part, count);
	}
}

void
run_lines_add(struct run_lines *lines, const void *bytes, size_t count)
{
	if (lines->to->closed)
		return;
	if (lines->label == NULL) {
		lines_put(lines, bytes, count);
		return;
	}
	launch_put_bytes(&lines->part, bytes, count);
	lines_take(lines);
	if (launch_bytes_count(&lines->part) > LINES_PART_MAX)
		run_lines_end(lines);
}

void
run_lines_end(struct run_lines *lines)
{
	struct launch_bytes *part = &lines->part;

	if (launch_bytes_count(part) > 0) {
		lines_put(lines, launch_bytes_first(part),
		    launch_bytes_count(part));
		launch_put_bytes(&lines->to->queue, "\n", 1);
	}
	launch_bytes_fini(part);
}

void
run_lines_write(struct run_output *output)
{
	size_t count = launch_bytes_count(&output->queue);
	ssize_t n;

	if (count == 0)
		return;
	n = write(output->fd, launch_bytes_first(&output->queue),
	    count < PIPE_BUF ? count : PIPE_BUF);
	if (n >= 0) {
		launch_bytes_take(&output->queue, (size_t)n);
	} else if (errno != EAGAIN && errno != EINTR) {
		output->closed = true;
		launch_bytes_fini(&output->queue);
	}
}

/* Returns true when a signal is to end the run. */
static bool
lines_is_ended(void)
{
	sigset_t set;

	return sigpending(&set) == 0 &&
	    (sigismember(&set, SIGINT) == 1 ||
		sigismember(&set, SIGTERM) == 1 ||
		sigismember(&set, SIGHUP) == 1);
}

void
run_lines_write_all(struct run_output *output)
{
	struct pollfd fd = { output->fd, POLLOUT, 0 };

	while (launch_bytes_count(&output->queue) > 0 && !lines_is_ended()) {
		if (poll(&fd, 1, LINES_LOOK_MS) > 0)
			run_lines_write(output);
	}
	launch_bytes_fini(&output->queue);
}
