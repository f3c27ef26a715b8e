/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/ends.c - writes down how the processes of a run ended
 */

#include "libpaths/run/ends_private.h"

#include "libpaths/clock.h"
#include "libpaths/net/gone_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* The agent of a program that has ended may be the one that writes the file of
   its host. */
static void
ends_send(const struct run *run, const char *line)
{
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		struct run_agent *agent = &run->agents[n];

		if ((agent->state == RUN_STATE_STARTED ||
			agent->state == RUN_STATE_EXITED) &&
		    agent->has_channel)
			launch_channel_send_text(&agent->channel, LAUNCH_ENDED,
			    line);
	}
}

void
run_ends_add(const struct run *run, const struct run_end *end)
{
	uint64_t ticks = end->here ? paths_clock_ticks_ordered() : 0;
	char file[PATH_MAX + sizeof(PATHS__ENDS_FILE) + 1];
	char line[PATHS_MAP_NAME_BYTES_MAX + 512];
	int fd;

	snprintf(line, sizeof(line), "%s %u %s %" PRIu64 " %s %s\n", end->how,
	    end->number, run->ends_all ? "run" : "self", ticks,
	    paths_clock_domain(), end->name);
	snprintf(file, sizeof(file), "%s/%s", run->dir->name, PATHS__ENDS_FILE);
	fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd >= 0) {
		(void)!write(fd, line, strlen(line));
		close(fd);
	}
	if (run->agents != NULL)
		ends_send(run, line);
}
