/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/recorded.c - the hosts and bindings of a run
 */

#include "scopes/cluster/recorded_private.h"

#include "libpaths/log.h"
#include "scopes/mpi.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t
es__recorded_processes(const struct es_run *run)
{
	const struct es_mpi *mpi = es_run_mpi(run);
	const struct es_mpi_rank *rank;
	uint32_t count = 0;

	if (mpi == NULL)
		return es_run_map(run)->process_count;
	/* Ranks of the world of the run come first. */
	while ((rank = es_mpi_rank(mpi, count)) != NULL && rank->world == 0)
		count++;
	return count;
}

/* Finds the file that --topology names for a host; NULL: none. */
static const char *
host_named_file(const char *host, const char *const *files, size_t count)
{
	size_t length = strlen(host);
	const char *all = NULL;

	for (size_t n = 0; n < count; n++) {
		if (strncmp(files[n], host, length) == 0 &&
		    files[n][length] == '=')
			return files[n] + length + 1;
		if (strchr(files[n], '=') == NULL)
			all = files[n];
	}
	return all;
}

/* Opens a file of the run directory. */
static paths_status
topology_open(const struct es_run *run, const char *file,
    struct paths_topology *topology)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", es_run_dir(run), file);
	return paths_topology_read(path, topology);
}

paths_status
es__recorded_topology(const struct es_run *run, uint32_t host,
    es__topology_open *open, struct paths_topology *topology)
{
	const struct paths_map *map = es_run_map(run);
	char file[NAME_MAX + sizeof(".topology")];
	paths_status st;

	snprintf(file, sizeof(file), "%s.topology", map->hosts[host].name);
	st = open(run, file, topology);
	for (uint32_t n = 0; st == PATHS_ENOENT && n < map->process_count;
	     n++) {
		if (map->processes[n].host != host)
			continue;
		snprintf(file, sizeof(file), "%s.topology",
		    map->processes[n].name);
		st = open(run, file, topology);
	}
	if (st == PATHS_ENOENT)
		return paths_log_fail(PATHS_ENOENT,
		    "the run has no topology of host %s",
		    map->hosts[host].name);
	return st;
}

/* Refuses a topology of a host that the run does not have. */
static paths_status
files_check(const struct es__cluster *cluster, const char *const *files,
    size_t count)
{
	for (size_t n = 0; n < count; n++) {
		const char *equals = strchr(files[n], '=');
		char *host;
		bool found;

		if (equals == NULL)
			continue;
		host = strndup(files[n], (size_t)(equals - files[n]));
		if (host == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for hosts");
		found = es__cluster_find(cluster, host) < cluster->count;
		free(host);
		if (!found)
			return paths_log_fail(PATHS_ENOENT,
			    "%s: the run has no such host", files[n]);
	}
	return PATHS_OK;
}

/* Returns whether each host has a process that is placed; NULL: there is no
   memory. */
static bool *
hosts_used(const struct es_run *run)
{
	const struct paths_map *map = es_run_map(run);
	uint32_t count = es__recorded_processes(run);
	bool *used = calloc(map->host_count + (size_t)1, sizeof(*used));

	for (uint32_t n = 0; used != NULL && n < count; n++)
		used[map->processes[n].host] = true;
	return used;
}

paths_status
es__recorded_hosts(struct es__cluster *cluster, const struct es_run *run,
    const char *const *files, size_t file_count)
{
	const struct paths_map *map = es_run_map(run);
	bool *used = hosts_used(run);
	paths_status st = PATHS_OK;

	if (used == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for hosts");
	for (uint32_t n = 0; st == PATHS_OK && n < map->host_count; n++) {
		const char *name = map->hosts[n].name;
		const char *file = host_named_file(name, files, file_count);
		struct paths_topology topology = { 0 };

		if (!used[n])
			continue;
		st = file != NULL ?
		    paths_topology_read(file, &topology) :
		    es__recorded_topology(run, n, topology_open, &topology);
		if (st == PATHS_OK)
			st = es__cluster_add(cluster, name, &topology, "");
	}
	free(used);
	return st == PATHS_OK ? files_check(cluster, files, file_count) : st;
}

bool
es__binding_next(struct es__mpi_log *log, struct es_mpi_binding *head)
{
	while (es__mpi_log_next(log)) {
		if (log->kind != ES_MPI_ENTRY_BINDING ||
		    log->count < sizeof(*head))
			continue;
		memcpy(head, log->bytes, sizeof(*head));
		if (head->words > 0 && head->words <= ES_MPI_BINDING_WORDS &&
		    head->words * sizeof(uint64_t) <=
			log->count - sizeof(*head))
			return true;
	}
	return false;
}

paths_status
es__binding_take(const struct es__mpi_log *log,
    const struct es_mpi_binding *head, struct es__binding *binding)
{
	size_t bytes = head->words * sizeof(*binding->mask);

	if (binding->words > 0)
		return PATHS_OK;
	binding->mask = malloc(bytes);
	if (binding->mask == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for bindings");
	memcpy(binding->mask, log->bytes + sizeof(*head), bytes);
	binding->words = head->words;
	return PATHS_OK;
}

/* Takes the binding of the first thread of a rank from its log. */
static paths_status
binding_of_rank(const struct es_space *space, struct es__binding *binding)
{
	struct es__mpi_log log = { .space = space };
	struct es_mpi_binding head;
	paths_status st = PATHS_OK;

	while (space != NULL && st == PATHS_OK && binding->words == 0 &&
	    es__binding_next(&log, &head))
		if (head.thread == 0)
			st = es__binding_take(&log, &head, binding);
	return st;
}

/* Returns bindings without cores; NULL: there is no memory. */
static struct es__binding *
bindings_open(uint32_t count)
{
	struct es__binding *all = calloc(count + (size_t)1, sizeof(*all));

	for (uint32_t n = 0; all != NULL && n < count; n++)
		all[n].core = PATHS_NONE;
	if (all == NULL)
		(void)paths_log_fail(PATHS_ENOMEM, "no memory for bindings");
	return all;
}

/* Takes the core of the first thread of each process that has one. */
static void
bindings_cores(const struct paths_map *map, struct es__binding *all)
{
	for (uint32_t n = map->thread_count; n-- > 0;) {
		if (map->threads[n].core >= 0)
			all[map->threads[n].process].core =
			    (uint32_t)map->threads[n].core;
	}
}

paths_status
es__recorded_bindings(const struct es_run *run, struct es__binding **out,
    uint32_t *count)
{
	const struct paths_map *map = es_run_map(run);
	const struct es_mpi *mpi = es_run_mpi(run);
	uint32_t processes = es__recorded_processes(run);
	struct es__binding *all = bindings_open(processes);
	paths_status st = PATHS_OK;

	if (all == NULL)
		return PATHS_ENOMEM;
	if (mpi == NULL)
		bindings_cores(map, all);
	for (uint32_t n = 0; st == PATHS_OK && n < processes; n++) {
		all[n].host = map->hosts[map->processes[n].host].name;
		if (mpi != NULL)
			st = binding_of_rank(es_mpi_rank(mpi, n)->space,
			    &all[n]);
	}
	if (st != PATHS_OK) {
		es__recorded_bindings_free(all, processes);
		return st;
	}
	*out = all;
	*count = processes;
	return PATHS_OK;
}

paths_status
es__recorded_threads(const struct es_run *run, struct es__binding **out,
    uint32_t *count)
{
	const struct paths_map *map = es_run_map(run);
	struct es__binding *all = bindings_open(map->thread_count);

	if (all == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < map->thread_count; n++) {
		const struct paths_map_thread *thread = &map->threads[n];

		all[n].host =
		    map->hosts[map->processes[thread->process].host].name;
		if (thread->core >= 0)
			all[n].core = (uint32_t)thread->core;
	}
	*out = all;
	*count = map->thread_count;
	return PATHS_OK;
}

void
es__recorded_bindings_free(struct es__binding *bindings, uint32_t count)
{
	for (uint32_t n = 0; bindings != NULL && n < count; n++)
		free(bindings[n].mask);
	free(bindings);
}
