/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/monitor.c - reads and switches collectors in a program
 *
 * A monitor opens the space of its own process as a reader, and keeps the names
 * of the collectors.
 */

#include "collectors/monitor.h"

#include "collectors/stage/session_private.h"

#include "libpaths/log.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct es_monitor {
	struct es_space *space;
	pid_t pid; /* process that opened it */
	uint32_t count;
	char **names; /* by collector */
};

static paths_status
monitor_names(struct es_monitor *m, const struct paths_map *map)
{
	struct es_space_info info;

	es_space_info(m->space, &info);
	m->names = calloc(info.collector_count, sizeof(*m->names));
	if (m->names == NULL)
		return PATHS_ENOMEM;
	while (m->count < info.collector_count) {
		struct es_space_collector c;
		paths_status st = es_space_collector(m->space, m->count, &c);

		if (st != PATHS_OK)
			return st;
		m->names[m->count] = strdup(map->instances[c.instance].name);
		if (m->names[m->count] == NULL)
			return PATHS_ENOMEM;
		m->count++;
	}
	return PATHS_OK;
}

paths_status
es_monitor_open(struct paths_program *program, struct es_monitor **monitor)
{
	struct es_monitor *m = calloc(1, sizeof(*m));
	paths_status st;

	if (m == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a monitor");
	m->pid = getpid();
	st = es__session_space(program, &m->space);
	if (st == PATHS_OK) {
		st = monitor_names(m, paths_program_map(program));
		if (st != PATHS_OK)
			(void)paths_log_fail(st, "no memory for a monitor");
	}
	if (st == PATHS_OK)
		*monitor = m;
	else
		es_monitor_close(m);
	return st;
}

void
es_monitor_close(struct es_monitor *monitor)
{
	if (monitor == NULL)
		return;
	for (uint32_t i = 0; i < monitor->count; i++)
		free(monitor->names[i]);
	free(monitor->names);
	es_space_close(monitor->space);
	free(monitor);
}

uint32_t
es_monitor_find(const struct es_monitor *monitor, const char *pattern,
    uint32_t from)
{
	for (uint32_t i = from; i < monitor->count; i++) {
		if (fnmatch(pattern, monitor->names[i], 0) == 0)
			return i;
	}
	return UINT32_MAX;
}

paths_status
es_monitor_mode(struct es_monitor *monitor, const char *pattern, uint32_t mode,
    uint32_t *matched)
{
	uint32_t n = 0;

	if ((mode & ~ES_MODE_ALL) != 0)
		return paths_log_fail(PATHS_EINVAL, "mode %u is unknown", mode);
	if (monitor->pid != getpid())
		return paths_log_fail(PATHS_EINVAL,
		    "the collectors are those of process %ld",
		    (long)monitor->pid);
	for (uint32_t i = es_monitor_find(monitor, pattern, 0); i != UINT32_MAX;
	     i = es_monitor_find(monitor, pattern, i + 1)) {
		paths_status st = es_space_switch(monitor->space, i, mode);

		if (st != PATHS_OK)
			return st;
		n++;
	}
	if (matched != NULL)
		*matched = n;
	return PATHS_OK;
}

void
es_monitor_reset(struct es_monitor *monitor, const char *pattern,
    uint32_t *matched)
{
	bool own = monitor->pid == getpid();
	uint32_t n = 0;

	for (uint32_t i = es_monitor_find(monitor, pattern, 0);
	     own && i != UINT32_MAX;
	     i = es_monitor_find(monitor, pattern, i + 1)) {
		if (es_space_reset(monitor->space, i) == PATHS_OK)
			n++;
	}
	if (matched != NULL)
		*matched = n;
}

const char *
es_monitor_name(const struct es_monitor *monitor, uint32_t n)
{
	return n < monitor->count ? monitor->names[n] : NULL;
}

struct es_space *
es_monitor_space(struct es_monitor *monitor)
{
	return monitor->space;
}
