/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/recorded_private.h - the hosts and bindings of a run
 */

#ifndef SCOPES_CLUSTER_RECORDED_PRIVATE_H
#define SCOPES_CLUSTER_RECORDED_PRIVATE_H

#include "scopes/cluster/cluster_private.h"
#include "scopes/run.h"
#include "scopes/run/mpi_log_private.h"

/*
 * es__recorded_hosts - add the hosts of the processes of a run
 *
 * files	"HOST=FILE" or "FILE", with topologies that replace those of the
 *		run; the latter is that of all hosts that no other names
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the topology of a host is nowhere, or files
 *				names a host that the run does not have
 *		a status of paths_topology_read and es__cluster_add
 */
paths_status es__recorded_hosts(struct es__cluster *cluster,
    const struct es_run *run, const char *const *files, size_t file_count)
    PATHS_CHECKED;

/* Reads a file of the run directory as a topology. */
typedef paths_status es__topology_open(const struct es_run *run,
    const char *file, struct paths_topology *topology);

/*
 * es__recorded_topology - the topology of a host that was saved with a run
 *
 * MPI runs have one for each host, other runs one for each process.
 *
 * host		of the map
 * open		is given the names of files, and returns a status as
 *		paths_topology_read
 * topology	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the run has none
 *		another status of open
 * Ownership	the caller calls paths_topology_fini
 */
paths_status es__recorded_topology(const struct es_run *run, uint32_t host,
    es__topology_open *open, struct paths_topology *topology) PATHS_CHECKED;

/* The processors that a process may run on. */
struct es__binding {
	const char *host; /* lent by the run */
	/* Bit n of word m: the processor that the kernel numbers 64 m + n. */
	uint64_t *mask;
	uint32_t words; /* 0: not recorded */
	uint32_t core;	/* of the host, in the path map; PATHS_NONE: none */
};

/* Goes to the next binding in a log; false: there are no more. */
bool es__binding_next(struct es__mpi_log *log, struct es_mpi_binding *head);

/* Takes the processors of the binding that a log is at; a binding that has some
   keeps them. */
paths_status es__binding_take(const struct es__mpi_log *log,
    const struct es_mpi_binding *head, struct es__binding *binding)
    PATHS_CHECKED;

/*
 * es__recorded_bindings - the bindings of the processes of a run
 *
 * In an MPI run, a process is a rank of the world of the run, and the binding
 * is that of the thread that called MPI_Init.  In other runs it is the core of
 * the first thread of the process in the map.
 *
 * bindings	out: of each process
 * count	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__recorded_bindings_free
 */
paths_status es__recorded_bindings(const struct es_run *run,
    struct es__binding **bindings, uint32_t *count) PATHS_CHECKED;

/*
 * es__recorded_threads - the bindings of the threads of a path map
 *
 * Returns	as es__recorded_bindings
 */
paths_status es__recorded_threads(const struct es_run *run,
    struct es__binding **bindings, uint32_t *count) PATHS_CHECKED;

void es__recorded_bindings_free(struct es__binding *bindings, uint32_t count);

/* Returns the number of processes that are placed: of the world of an MPI run,
   or of the map. */
uint32_t es__recorded_processes(const struct es_run *run);

#endif
