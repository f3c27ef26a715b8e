/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2_archive_private.h - an archive of OTF2 that is written
 */

#ifndef SCOPES_EXPORT_OTF2_ARCHIVE_PRIVATE_H
#define SCOPES_EXPORT_OTF2_ARCHIVE_PRIVATE_H

#include "scopes/export/access_private.h"
#include "scopes/export/members_private.h"
#include "scopes/export/wait_private.h"
#include "scopes/export/walk_private.h"

#ifdef ES_OTF2

#include <otf2/otf2.h>

struct es__otf2_location {
	char *name;
	uint32_t process;
	uint64_t events;
};

struct es__otf2 {
	struct es__export_sink sink; /* first member: callbacks cast from it */
	struct es__export *export;
	const char *to;
	OTF2_Archive *archive;
	OTF2_GlobalDefWriter *defs;
	OTF2_EvtWriter *writers[ES__EXPORT_LINES]; /* of the track's lines */
	uint64_t waited_ns[ES__EXPORT_LINES];	   /* on them, so far */
	uint32_t line_first, line_count;
	struct es__otf2_location *locations;
	size_t location_room;
	uint32_t location_count;
	uint32_t *first_of; /* of each process: its first location; NONE */
	struct es__export_members members;
	struct es__export_accesses accesses;
	struct es__export_waits waits;
	OTF2_AttributeList *attributes; /* of the next event */
	OTF2_StringRef strings;		/* number of strings defined */
	OTF2_GroupRef groups;
	int64_t last_ns;   /* latest time that was written */
	uint64_t unplaced; /* messages of unknown communicators */
};

/* The number of the first group of an epoch.  The group before it has the
   locations of all ranks. */
#define ES__OTF2_GROUP_FIRST 1u

/* The class of metrics that has the waiting time. */
#define ES__OTF2_WAITING 0u

/* Opens the archive `to` of the struct, for events.  The caller calls
   es__otf2_close, also after a failure. */
paths_status es__otf2_open(struct es__otf2 *o) PATHS_CHECKED;
void es__otf2_close(struct es__otf2 *o);

/* Keeps the first failure of a call of the library. */
void es__otf2_check(struct es__otf2 *o, OTF2_ErrorCode code);

/* Returns the writer of the line of an event; NULL after a failure. */
OTF2_EvtWriter *es__otf2_writer(const struct es__otf2 *o,
    const struct es__export_event *event);

/* Returns a time of the run as a stamp, and keeps the latest one. */
OTF2_TimeStamp es__otf2_time(struct es__otf2 *o, int64_t ns);

/* Defines a string. */
OTF2_StringRef es__otf2_string(struct es__otf2 *o, const char *text);

#endif

#endif
