/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/bound.c - the processors that the threads of a run were bound
 * to
 *
 * This file is part of the library, unlike others of the room, because it reads
 * the files of a run as ranks of a job do.
 */

#include "scopes/cluster/bound_private.h"

#include "libpaths/log.h"
#include "scopes/cluster/walk_private.h"
#include "scopes/job/files_private.h"
#include "scopes/run/mapless_private.h"
#include "scopes/run/run_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static paths_status
bound_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for bindings");
}

/* Reads a topology, whichever rank of a job has the file. */
static paths_status
topology_open(const struct es_run *run, const char *file,
    struct paths_topology *topology)
{
	char path[64];
	paths_status st;
	int fd;

	if (!es__files_has(es_run_dir(run), file))
		return PATHS_ENOENT;
	fd = es__files_open(es_run_dir(run), file);
	if (fd < 0)
		return paths_log_fail(errno == ENOMEM ? PATHS_ENOMEM :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	st = paths_topology_read(path, topology);
	(void)close(fd);
	return st == PATHS_EDAMAGED ?
	    paths_log_fail(st, "%s: not a file of hwloc's XML", file) :
	    st;
}

/* Numbers the PUs that a topology allows. */
static paths_status
host_fill(struct es__bound_host *host, const struct paths_topology *topology)
{
	struct es__walk walk = { .before = NULL };

	host->pus = calloc(topology->count + (size_t)1, sizeof(*host->pus));
	if (host->pus == NULL)
		return bound_no_memory();
	for (uint32_t n = 0; n < topology->count; n++) {
		const struct paths_topology_pu *pu = &topology->pus[n];

		if (!pu->allowed)
			continue;
		(void)es__walk_to(&walk, pu);
		host->pus[host->count++] =
		    (struct es__bound_pu){ .kernel = pu->kernel,
			    .package = walk.package,
			    .core = walk.host_core,
			    .numa = pu->numa,
			    .cache = pu->cache };
	}
	return PATHS_OK;
}

static paths_status
host_find(struct es_run *run, uint32_t n, struct es__bound_host *host)
{
	struct paths_topology topology = { 0 };
	paths_status st =
	    es__recorded_topology(run, n, topology_open, &topology);

	if (st == PATHS_OK) {
		st = host_fill(host, &topology);
		paths_topology_fini(&topology);
	} else if (st != PATHS_ENOMEM) {
		if (st != PATHS_ENOENT)
			es_run_diagnose(run, ES_WARNING, "topology", "%s",
			    paths_log_last());
		st = PATHS_OK;
	}
	return st;
}

/* Takes the bindings of all threads of an MPI process from its log. */
static paths_status
process_bindings(const struct es_run *run, uint32_t process,
    struct es__binding *all)
{
	struct es__mpi_log log = { .space = run->spaces[process] };
	struct es_mpi_binding head;
	paths_status st = PATHS_OK;

	while (log.space != NULL && st == PATHS_OK &&
	    es__binding_next(&log, &head)) {
		uint32_t thread =
		    es__mapless_collector(&run->mapless[process], head.thread);

		if (thread != PATHS_NONE)
			st = es__binding_take(&log, &head, &all[thread]);
	}
	return st;
}

/* Puts the PUs of the core of a map into the mask. */
static paths_status
binding_of_core(const struct es__bound_host *host, struct es__binding *binding)
{
	uint32_t words = 0;

	for (uint32_t n = 0; n < host->count; n++)
		if (host->pus[n].core == binding->core &&
		    host->pus[n].kernel / 64 >= words)
			words = host->pus[n].kernel / 64 + 1;
	if (words == 0 || words > ES_MPI_BINDING_WORDS)
		return PATHS_OK;
	binding->mask = calloc(words, sizeof(*binding->mask));
	if (binding->mask == NULL)
		return bound_no_memory();
	binding->words = words;
	for (uint32_t n = 0; n < host->count; n++)
		if (host->pus[n].core == binding->core)
			binding->mask[host->pus[n].kernel / 64] |= UINT64_C(1)
			    << host->pus[n].kernel % 64;
	return PATHS_OK;
}

static bool
binding_has(const struct es__binding *binding, uint32_t kernel)
{
	return kernel / 64 < binding->words &&
	    (binding->mask[kernel / 64] >> kernel % 64 & 1) != 0;
}

/* Adds a group to the only one so far. */
static void
group_join(uint32_t *group, uint32_t other, bool first)
{
	*group = first || *group == other ? other : PATHS_NONE;
}

/* Finds the package and the core that have all PUs of a binding. */
static void
bound_place(const struct es__bound_host *host,
    const struct es__binding *binding, struct es__bound *bound)
{
	uint32_t taken = 0;

	for (uint32_t n = 0; n < host->count; n++) {
		const struct es__bound_pu *pu = &host->pus[n];

		if (!binding_has(binding, pu->kernel))
			continue;
		group_join(&bound->package, pu->package, taken == 0);
		group_join(&bound->core, pu->core, taken == 0);
		taken++;
	}
	if (taken > 0)
		bound->state =
		    taken == host->count ? ES__BOUND_FREE : ES__BOUND_PART;
}

static paths_status
thread_find(const struct es_run *run, struct es__bounds *bounds, uint32_t n)
{
	const struct paths_map *map = es_run_map(run);
	struct es__binding *binding = &bounds->bindings[n];
	struct es__bound *bound = &bounds->threads[n];
	const struct es__bound_host *host =
	    &bounds->hosts[map->processes[map->threads[n].process].host];
	paths_status st = PATHS_OK;

	*bound =
	    (struct es__bound){ .package = PATHS_NONE, .core = PATHS_NONE };
	if (es_run_mpi(run) == NULL && binding->core != PATHS_NONE)
		st = binding_of_core(host, binding);
	if (st == PATHS_OK)
		bound_place(host, binding, bound);
	if (es_run_mpi(run) != NULL)
		return st;
	/* The map says so, also where the host has one core only, or its
	   topology is not known. */
	bound->state =
	    binding->core == PATHS_NONE ? ES__BOUND_FREE : ES__BOUND_PART;
	bound->core = binding->core;
	return st;
}

paths_status
es__bounds_find(struct es_run *run, struct es__bounds *bounds)
{
	const struct paths_map *map = es_run_map(run);
	paths_status st;

	*bounds = (struct es__bounds){ .host_count = map->host_count,
		.hosts =
		    calloc(map->host_count + (size_t)1, sizeof(*bounds->hosts)),
		.threads = calloc(map->thread_count + (size_t)1,
		    sizeof(*bounds->threads)) };
	if (bounds->hosts == NULL || bounds->threads == NULL)
		return bound_no_memory();
	st =
	    es__recorded_threads(run, &bounds->bindings, &bounds->thread_count);
	for (uint32_t n = 0; st == PATHS_OK && n < map->host_count; n++)
		st = host_find(run, n, &bounds->hosts[n]);
	for (uint32_t n = 0; st == PATHS_OK && es_run_mpi(run) != NULL &&
	     n < map->process_count;
	     n++)
		st = process_bindings(run, n, bounds->bindings);
	for (uint32_t n = 0; st == PATHS_OK && n < bounds->thread_count; n++)
		st = thread_find(run, bounds, n);
	return st;
}

void
es__bounds_fini(struct es__bounds *bounds)
{
	for (uint32_t n = 0; bounds->hosts != NULL && n < bounds->host_count;
	     n++)
		free(bounds->hosts[n].pus);
	es__recorded_bindings_free(bounds->bindings, bounds->thread_count);
	free(bounds->hosts);
	free(bounds->threads);
	*bounds = (struct es__bounds){ .hosts = NULL };
}

const char *
es__bound_text(const struct es__binding *binding,
    char text[ES__BOUND_TEXT_BYTES])
{
	uint32_t bits = 64 * binding->words;
	size_t at = 0;

	*text = '\0';
	for (uint32_t n = 0; n < bits; n++) {
		uint32_t first = n;

		if (!binding_has(binding, n))
			continue;
		while (n + 1 < bits && binding_has(binding, n + 1))
			n++;
		at += (size_t)snprintf(text + at, ES__BOUND_TEXT_BYTES - at,
		    "%s%u", at == 0 ? "" : ",", first);
		if (n > first)
			at += (size_t)snprintf(text + at,
			    ES__BOUND_TEXT_BYTES - at, "-%u", n);
	}
	return text;
}

uint32_t
es__bound_count(const struct es__binding *binding)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < binding->words; n++)
		count += (uint32_t)__builtin_popcountll(binding->mask[n]);
	return count;
}
