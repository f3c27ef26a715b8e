/* SPDX-License-Identifier: MIT */
/*
 * scopes/run.h - a run directory, opened for reading
 *
 * A run is a path map and the event spaces of its processes.  Each collector
 * has a place in the map and the tuples that it retains.  The processes may
 * still run: the tuples of a live space are copied when the run is opened.  A
 * missing or damaged event space becomes a diagnostic, and the rest is read.
 *
 * MPI processes leave event spaces without a map, so a map is made for them.
 * Each process rN has an element rN.mpi; each of its threads rN, rN.1 and so on
 * has a path to the element with one collector.  Ranks of the world of the run
 * come first, in their order, also those without an event space; spawned
 * processes follow.
 *
 * Views and programs use indices of the map as ids: of hosts, processes,
 * threads, elements, paths, and instances, which views call stages.  The id of
 * a collector is its index here, in the order of its items in the map.
 */

#ifndef SCOPES_RUN_H
#define SCOPES_RUN_H

#include "collectors/space.h"
#include "libpaths/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

struct es_run;

enum es_severity {
	ES_NOTE,    /* every number is right */
	ES_WARNING, /* numbers do not cover the whole run */
	ES_ERROR    /* something could not be read */
};

struct es_diagnostic {
	enum es_severity severity;
	const char *subject; /* "p0", "sum1", "view arrival", "deadlock" */
	const char *text;
};

struct es_collector {
	uint32_t process;
	uint32_t item;	/* of the map */
	uint32_t stage; /* of the map: an instance */
	uint32_t chain;
	uint32_t path;	 /* PATHS_NONE: on the chain of a join or of a buffer */
	uint32_t thread; /* of the path, or PATHS_NONE */
	uint32_t position; /* on the chain */
	uint32_t entry;	   /* number in the space of the process */
	const struct es_tuple_type *type; /* NULL: there is no space */
	uint64_t first;	    /* number of the first tuple retained */
	uint64_t count;	    /* tuples retained */
	uint64_t discarded; /* tuples recorded and not retained */
	uint64_t seq;	    /* of the first tuple; see es_collector_seq */

	/* The tuples retained: the older ones, then the newer. */
	const uint8_t *older;
	const uint8_t *newer;
	uint64_t older_count;
};

/*
 * es_run_open - open a run directory
 *
 * Nothing that the run names is loaded: its map is read by paths_map_read, and
 * stages of plugins are shown as unknown kinds.
 *
 * dir	holds `map`, and a file NAME.space for each process that ran; a run of
 *	MPI processes has no `map`
 * run	out
 *
 * Returns	PATHS_OK	also when spaces are missing or damaged
 *		PATHS_ENOENT	there is neither a map nor an event space
 *		PATHS_EINVAL	two MPI processes have the same name
 *		a status of paths_map_read
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_run_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_run_open(const char *dir, struct es_run **run)
    PATHS_CHECKED;

/*
 * es_run_use_copies - take copies of event spaces from another directory
 *
 * Several event scopes may copy the event spaces of other hosts at the same
 * time.  A run that is opened later has, in place of a copy in its directory,
 * the one with the same name in this directory, if there is one.
 *
 * dir	directory of copies; NULL: none any more
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 * Threads	one, while no run is opened
 * Since	0.1
 */
ES_API paths_status es_run_use_copies(const char *dir) PATHS_CHECKED;

/*
 * es_run_close - close a run and free everything that it lent
 *
 * run	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, when no other uses the run any more
 * Since	0.1
 */
ES_API void es_run_close(struct es_run *run);

/*
 * es_run_is - find whether a directory is that of a run
 *
 * Returns	true: it holds a path map or an event space
 * Threads	any
 * Since	0.1
 */
ES_API bool es_run_is(const char *dir);

/*
 * es_run_dir, es_run_map - the directory and the map as opened
 *
 * Returns	the path; the map
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_run_dir(const struct es_run *run);
ES_API const struct paths_map *es_run_map(const struct es_run *run);

/*
 * es_run_others - the event spaces in the directory that are not those of the
 * run's processes
 *
 * They are a run of their own: a process for each space, with the name of its
 * file, and for each of its collectors a thread with a path and that collector.
 * Its type is that of the tuples; see es_record_open.  A directory that has
 * only such spaces is opened as this run.
 *
 * Returns	the run, which may be the same one; NULL: there are none
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API struct es_run *es_run_others(const struct es_run *run);

/*
 * es_run_live - find whether a process of the run was recording
 *
 * Returns	true when at least one recorded when the run was opened
 * Threads	any
 * Since	0.1
 */
ES_API bool es_run_live(const struct es_run *run);

/*
 * es_run_collector - a collector by its id
 *
 * Returns	the collector; NULL past the last
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_collector *es_run_collector(const struct es_run *run,
    uint32_t collector);

/*
 * es_run_collector_count - the number of collectors in the map
 *
 * Returns	the count, including collectors without tuples
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_run_collector_count(const struct es_run *run);

/*
 * es_collector_tuple - a retained tuple
 *
 * n	from 0, below collector->count
 *
 * Returns	the tuple, of collector->type
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
static inline const void *
es_collector_tuple(const struct es_collector *collector, uint64_t n)
{
	if (n < collector->older_count)
		return collector->older + n * collector->type->bytes;
	return collector->newer +
	    (n - collector->older_count) * collector->type->bytes;
}

/*
 * es_collector_seq - the seq of a tuple in 64 bits
 *
 * Tuples have the lower 32 bits.  The result ascends within a collector also
 * when these wrap around, and it is the same for an operation in all collectors
 * that it passes, unless one of them was off for 2^31 operations or more.  The
 * numbers of MPI calls count from those of the first tuple that is retained.
 *
 * seq	of a tuple that the collector retains
 *
 * Returns	the number
 * Threads	any
 * Since	0.1
 */
static inline uint64_t
es_collector_seq(const struct es_collector *collector, uint32_t seq)
{
	return collector->seq + (uint32_t)(seq - (uint32_t)collector->seq);
}

/*
 * es_run_space - the event space of a process
 *
 * Returns	the space; NULL when it is missing or cannot be read
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_space *es_run_space(const struct es_run *run,
    uint32_t process);

/*
 * es_collector_seek - the first retained tuple with at least this seq
 *
 * seq	in 64 bits; see es_collector_seq
 *
 * Returns	its n; collector->count when there is none
 * Threads	any
 * Since	0.1
 */
ES_API uint64_t es_collector_seek(const struct es_collector *collector,
    uint64_t seq);

/*
 * es_collector_seek_start - the first retained tuple that starts at or after a
 * stamp
 *
 * Returns	its n; collector->count when there is none
 * Threads	any
 * Since	0.1
 */
ES_API uint64_t es_collector_seek_start(const struct es_collector *collector,
    uint64_t ticks);

/*
 * es_run_diagnose - add a diagnostic to a run
 *
 * A diagnostic that the run has already is not added again.
 *
 * subject	a process, stage, view, or other thing that it is about
 * fmt		as for printf: one sentence without a full stop
 *
 * Returns	nothing; out of memory the diagnostic is lost
 * Threads	any
 * Since	0.1
 */
ES_API void es_run_diagnose(struct es_run *run, enum es_severity severity,
    const char *subject, const char *fmt, ...) PATHS_PRINTF(4, 5);

/*
 * es_run_diagnostic - the n-th diagnostic, in the order of their addition
 *
 * Returns	the diagnostic; NULL past the last
 * Ownership	the run's
 * Threads	any, while none adds a diagnostic
 * Since	0.1
 */
ES_API const struct es_diagnostic *es_run_diagnostic(const struct es_run *run,
    size_t n);

PATHS_END_DECLS

#endif
