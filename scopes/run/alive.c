/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/alive.c - finds whether the process of a space is alive
 *
 * A process of this host and this boot is alive if its id belongs to a process
 * that started before the space was made and that has a thread left.
 *
 * Source: proc_pid_stat(5)
 */

#include "scopes/run/alive_private.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

/* The kernel counts starts in hundredths of a second. */
#define START_SLACK_NS NS_PER_S

/* A line of /proc/PID/stat. */
struct process_stat {
	char state;
	unsigned threads;
	uint64_t start_clock_ticks; /* since the boot */
};

static bool
stat_read(uint64_t pid, struct process_stat *stat)
{
	char file[64], text[1024];
	const char *name_end;
	size_t bytes;
	FILE *from;

	snprintf(file, sizeof(file), "/proc/%" PRIu64 "/stat", pid);
	from = fopen(file, "re");
	if (from == NULL)
		return false;
	bytes = fread(text, 1, sizeof(text) - 1, from);
	fclose(from);
	text[bytes] = '\0';
	/* The name of the program may contain anything; state, threads and
	   start are the third, twentieth and twenty-second of all words. */
	name_end = strrchr(text, ')');
	return name_end != NULL &&
	    sscanf(name_end,
		") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		"%*s %*s %u %*s %" SCNu64,
		&stat->state, &stat->threads, &stat->start_clock_ticks) == 3;
}

static int64_t
clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Returns true if a process started after a space was made.  The kernel counts
   its start from the boot; the time that the host was suspended is not part of
   the space's clock. */
static bool
started_later(const struct process_stat *stat, const struct es_space_info *info)
{
	int64_t suspended =
	    clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	int64_t start = (int64_t)(stat->start_clock_ticks *
	    (uint64_t)(NS_PER_S / sysconf(_SC_CLK_TCK)));

	return start - suspended >
	    (int64_t)info->start.monotonic_ns + START_SLACK_NS;
}

/* Returns true if PATHS_CLOCK moved the clock of a process: its domain has
   three parts. */
static bool
clock_is_moved(const char *domain)
{
	const char *slash = strchr(domain, '/');

	return slash != NULL && strchr(slash + 1, '/') != NULL;
}

/* Returns true if a clock domain, "BOOTID/...", is of this boot. */
static bool
boot_is_ours(const char *domain)
{
	const char *own = paths_clock_domain();
	size_t bytes = strcspn(own, "/");

	return strncmp(own, domain, bytes) == 0 && domain[bytes] == '/';
}

static bool
host_is_ours(const char *name)
{
	char host[HOST_NAME_MAX + 1] = "";

	gethostname(host, sizeof(host) - 1);
	return strcmp(host, name) == 0;
}

int64_t
es__alive_silence_ns(const struct es_space_info *info)
{
	return (int64_t)((uint64_t)clock_ns(CLOCK_REALTIME) - info->heard_ns);
}

/* Returns what the copy of a space tells about its process.  One that was
   updated in the future was made by another clock. */
static enum es__alive
alive_by_copy(const struct es_space_info *info)
{
	const int64_t silence_ns = es__alive_silence_ns(info);

	if (info->copy == ES_COPY_KILLED || info->copy == ES_COPY_CLOSED)
		return ES__ALIVE_NO;
	return info->copy == ES_COPY_LIVE &&
		silence_ns > -ES__ALIVE_SILENCE_NS &&
		silence_ns < ES__ALIVE_SILENCE_NS ?
	    ES__ALIVE_YES :
	    ES__ALIVE_UNKNOWN;
}

enum es__alive
es__alive(const struct es_space_info *info)
{
	struct process_stat stat;

	if (info->copy != ES_COPY_NONE)
		return alive_by_copy(info);
	if (info->exit_status >= 0 || info->pid == 0 || info->pid > INT_MAX)
		return ES__ALIVE_NO;
	if (!host_is_ours(info->host_name) || !boot_is_ours(info->clock_domain))
		return ES__ALIVE_UNKNOWN;
	if (kill((pid_t)info->pid, 0) != 0 && errno == ESRCH)
		return ES__ALIVE_NO;
	if (!stat_read(info->pid, &stat))
		return ES__ALIVE_YES;
	if (stat.state == 'Z' && stat.threads <= 1)
		return ES__ALIVE_NO;
	return !clock_is_moved(info->clock_domain) &&
		started_later(&stat, info) ?
	    ES__ALIVE_NO :
	    ES__ALIVE_YES;
}
