/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/export_private.h - a run as its exports see it
 *
 * A format is one file scopes/export/NAME.c and one line in exports.def.  It
 * takes the tuples of each collector in their order (lane_private.h), or the
 * events of each track, ordered by time and nested (walk_private.h).  Both keep
 * one tuple of each collector.
 *
 * A *track* is a thread, with all collectors of its paths in its own process;
 * or the part of a path, or of the chain below a join, that another process
 * carries out.  Events that do not nest are on different *lines* of the track.
 */

#ifndef SCOPES_EXPORT_EXPORT_PRIVATE_H
#define SCOPES_EXPORT_EXPORT_PRIVATE_H

#include "scopes/analysis.h"
#include "scopes/export/texts_private.h"
#include "scopes/mpi.h"
#include "scopes/mpi_trace.h"
#include "scopes/run.h"

/* What a field of a tuple means, besides being a number. */
enum es__export_means {
	ES__EXPORT_NUMBER,
	ES__EXPORT_STAMP, /* ticks; 0: not yet */
	ES__EXPORT_OP,
	ES__EXPORT_ELEMENT,
	/* Numbers of the process, which become those of the run. */
	ES__EXPORT_PEER,
	ES__EXPORT_COMM,
	ES__EXPORT_SITE
};

struct es__export_field {
	const struct es_tuple_field *field;
	enum es__export_means means;
	bool arg;   /* neither part of the name nor of the time */
	bool usual; /* an argument that is shown to all */
};

struct es__export_type {
	const struct es_tuple_type *type;
	struct es__export_field fields[ES_TUPLE_FIELDS_MAX];
	uint32_t field_count;
	const struct es_tuple_field *stop; /* u64; NULL: it takes no time */
	const struct es_tuple_field *op;   /* NULL */
	const struct es_tuple_field *element;
	bool paths; /* the type "path" */
	bool calls; /* the type "mpi" */
};

struct es__export_track {
	uint32_t process;
	uint32_t thread;       /* NONE: not the thread's own */
	const char *name;      /* of the thread, path or join */
	uint32_t first, count; /* of export->by_track: its collectors */
	bool discarded;	       /* its oldest tuples are not there */
};

struct es__export {
	struct es_run *run;
	struct es_analysis *analysis;
	const struct paths_map *map;
	const struct es_mpi *mpi;	  /* NULL */
	const struct es_mpi_trace *trace; /* NULL: no arrows */
	struct es__export_type *types;
	uint32_t type_count;
	uint32_t *type_of; /* of each collector; NONE: it has no tuples */
	uint32_t *track_of;
	uint32_t *by_track; /* collectors, those of a track side by side */
	struct es__export_track *tracks;
	uint32_t track_count;
	uint32_t line_count; /* given out so far */
	int64_t shift_ns;    /* to be added where times must not be negative */
	int64_t last_ns;     /* the last stamp of the run */

	struct es__export_texts names; /* of events */
	void *name_keys;	       /* for tsearch */
	struct es__export_texts comms, sites;

	struct es__export_arrows *arrows; /* NULL: none */
	bool all_args; /* perfetto: every field, not only the usual ones */

	paths_status st; /* of what cannot answer: seen by the next beat */
	uint64_t tuples, done; /* for who waits */
	uint64_t backward, overlapping;
	/* Called now and then; a failure ends the export. */
	paths_status (*beat)(struct es__export *export, void *to);
	void *beat_to;
};

/* A tuple and what it says. */
struct es__export_event {
	const struct es__export_type *type;
	const void *tuple;
	uint64_t n; /* among those that its collector retains */
	uint32_t collector;
	uint32_t process;
	uint32_t name;		   /* number of its name */
	uint32_t line;		   /* where es__export_walk puts it */
	bool part;		   /* it belongs to the call of MPI before it */
	bool open;		   /* it had not come back */
	int64_t start_ns, stop_ns; /* of the run; of what is open INT64_MAX, or
				      the next start of its collector */
	uint64_t out, in;	   /* arrows that leave and arrive; 0: none */
};

/* Whether it is drawn as a point: its time is that of another, or none. */
static inline bool
es__export_is_point(const struct es__export_event *event)
{
	return event->part || event->type->stop == NULL;
}

/* The time of a point: a request that was completed ends with its call. */
static inline int64_t
es__export_point_ns(const struct es__export_event *event)
{
	return event->in != 0 ||
		(event->part &&
		    ((const struct es_tuple_mpi *)event->tuple)->op ==
			ES_MPI_COMPLETED &&
		    !event->open) ?
	    event->stop_ns :
	    event->start_ns;
}

/*
 * es__export_open - prepare to export a run
 *
 * analysis	of the run; borrowed, as the run is
 * arrows	whether to match messages and passes
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; what es_mpi_trace_get answers
 * Ownership	the caller calls es__export_close, also on failure
 */
paths_status es__export_open(struct es__export *export,
    struct es_analysis *analysis, bool arrows) PATHS_CHECKED;
void es__export_close(struct es__export *export);

/* Count what was exported, and see whether to go on. */
paths_status es__export_beat(struct es__export *export, uint64_t tuples)
    PATHS_CHECKED;

/* Diagnose what could not be shown as it is recorded. */
void es__export_tell(struct es__export *export, const char *format);

/* How many tuples go by between two beats. */
#define ES__EXPORT_BEAT 8192u

/* Returns the name of an event, "exchange total" or "MPI_Send". */
static inline const char *
es__export_name(const struct es__export *export, uint32_t name)
{
	return export->names.texts[name];
}

#endif
