/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/export_private.h - the data of a run that all formats use
 *
 * A format is one file scopes/export/NAME.c and one line in exports.def.  It
 * takes the tuples of each collector in their order (lane_private.h), or the
 * events of each track, ordered by time and nested (walk_private.h).  Both keep
 * one tuple of each collector at a time.
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

/* The meaning of a field of a tuple. */
enum es__export_means {
	ES__EXPORT_NUMBER,
	ES__EXPORT_STAMP, /* ticks; 0: the operation never reached it */
	ES__EXPORT_OP,
	ES__EXPORT_ELEMENT,
	/* Numbers of a process, which are replaced by those of the run. */
	ES__EXPORT_PEER,
	ES__EXPORT_COMM,
	ES__EXPORT_SITE,
	ES__EXPORT_SEQ /* see es_collector_seq */
};

struct es__export_field {
	const struct es_tuple_field *field;
	enum es__export_means means;
	bool arg;   /* an argument: not part of the name or the time */
	bool usual; /* an argument that is always shown */
};

struct es__export_type {
	const struct es_tuple_type *type;
	struct es__export_field fields[ES_TUPLE_FIELDS_MAX];
	uint32_t field_count;
	const struct es_tuple_field *stop; /* u64; NULL: there is none */
	const struct es_tuple_field *op;   /* NULL: there is none */
	const struct es_tuple_field *element;
	bool paths; /* the type "path" */
	bool calls; /* the type "mpi" */
};

/* The place in the source of a call site. */
struct es__export_source {
	uint32_t line;	 /* 0: not known */
	uint32_t number; /* among those whose file is known, from 0 */
};

struct es__export_track {
	uint32_t process;
	uint32_t thread;       /* NONE: part of a path or a chain */
	const char *name;      /* of the thread, or of a stage */
	uint32_t first, count; /* of export->by_track: its collectors */
	bool discarded;	       /* its oldest tuples were discarded */
};

struct es__export {
	struct es_run *run;
	struct es_analysis *analysis;
	const struct paths_map *map;
	const struct es_mpi *mpi;	  /* NULL: not an MPI run */
	const struct es_mpi_trace *trace; /* NULL: no arrows */
	struct es__export_type *types;
	uint32_t type_count;
	uint32_t *type_of; /* of each collector; NONE: its space is missing */
	uint32_t *track_of;
	uint32_t *by_track; /* collectors in the order of their tracks */
	struct es__export_track *tracks;
	uint32_t track_count;
	uint32_t line_count; /* number of the next line */
	int64_t shift_ns;    /* added in formats without negative times */
	int64_t last_ns;     /* last stamp of the run */

	struct es__export_texts names; /* of events */
	void *name_keys;	       /* for tsearch */
	struct es__export_texts comms, sites;
	struct es__export_texts files;	   /* of the sites; "": not known */
	struct es__export_source *sources; /* of the sites */
	size_t source_room;
	uint32_t source_count; /* of those that are known */

	struct es__export_arrows *arrows; /* NULL: none */
	bool requests; /* events have the marks of requests and collectives */
	bool all_args; /* perfetto: all arguments, not just the usual ones */

	paths_status st;       /* failure that the next beat returns */
	uint64_t tuples, done; /* for the progress */
	uint64_t backward, overlapping;
	/* Called after at most ES__EXPORT_BEAT tuples; a failure ends the
	   export. */
	paths_status (*beat)(struct es__export *export, void *to);
	void *beat_to;
};

/* The requests and collectives of an MPI run that begin or end with a tuple.
   Messages have the numbers of arrows; 0: none. */
struct es__export_marks {
	uint32_t posted; /* message whose receive is posted, to end later */
	uint32_t ended;	 /* message whose send was begun earlier, and ends */
	uint32_t begun;	 /* part of a collective, + 1 */
	uint32_t done;	 /* the same, at its end */
};

/* A tuple, with its times and names of the run. */
struct es__export_event {
	const struct es__export_type *type;
	const void *tuple;
	uint64_t n; /* number among the retained tuples of the collector */
	uint32_t collector;
	uint32_t process;
	uint32_t name;		   /* number of its name */
	uint32_t line;		   /* set by es__export_walk */
	bool part;		   /* it belongs to the MPI call before it */
	bool open;		   /* it never ended */
	int64_t start_ns, stop_ns; /* of the run; stop_ns of an open event:
				      INT64_MAX, or the start of the next event
				      of its collector */
	uint64_t out, in;	   /* arrows that leave and arrive; 0: none */
	struct es__export_marks marks;
};

/* Returns true for an event without a duration of its own. */
static inline bool
es__export_is_point(const struct es__export_event *event)
{
	return event->part || event->type->stop == NULL;
}

/* Returns the time of a point.  A completed request, and a point at which an
   arrow arrives, have the end of their call. */
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
 * arrows	true: match messages and passes between processes
 * requests	true: mark the requests and collectives of MPI, too
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; as es_mpi_trace_get
 * Ownership	borrows the analysis and its run; the caller calls
 *		es__export_close, also after a failure
 */
paths_status es__export_open(struct es__export *export,
    struct es_analysis *analysis, bool arrows, bool requests) PATHS_CHECKED;
void es__export_close(struct es__export *export);

/* Counts exported tuples.  A failure ends the export. */
paths_status es__export_beat(struct es__export *export, uint64_t tuples)
    PATHS_CHECKED;

/* Adds diagnostics about tuples that could not be exported unchanged. */
void es__export_tell(struct es__export *export, const char *format);

/* The number of tuples between two beats. */
#define ES__EXPORT_BEAT 8192u

/* Returns the name of an event, "exchange total" or "MPI_Send". */
static inline const char *
es__export_name(const struct es__export *export, uint32_t name)
{
	return export->names.texts[name];
}

#endif
