/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/ends.c - writes down how the processes of a run ended
 */

#include "libpaths/run/ends_private.h"

#include "libpaths/clock.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

void
run_ends_add(const struct run *run, const struct run_end *end)
{
	uint64_t ticks = end->here ? paths_clock_ticks_ordered() : 0;
	char file[PATH_MAX + sizeof(RUN_ENDS_FILE) + 1];
	int fd;

	snprintf(file, sizeof(file), "%s/%s", run->dir->name, RUN_ENDS_FILE);
	fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	dprintf(fd, "%s %u %s %" PRIu64 " %s %s\n",
	    end->signalled ? "signal" : "status", end->number,
	    run->ends_all ? "run" : "self", ticks, paths_clock_domain(),
	    end->name);
	close(fd);
}
