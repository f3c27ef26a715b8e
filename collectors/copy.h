/* SPDX-License-Identifier: MIT */
/*
 * collectors/copy.h - writes a copy of an event space that is elsewhere
 *
 * A copy is a file of the same format: definitions are at their places, tuples
 * at their numbers in rings of the same size.  All that reads event spaces
 * reads it, also while it is written.  Its head says that it is a copy, and
 * es_space_info when the process was heard of last.
 *
 * What is copied comes from another host and is not trusted: places and sizes
 * are checked, and what does not fit is refused.
 */

#ifndef COLLECTORS_COPY_H
#define COLLECTORS_COPY_H

#include "collectors/space.h"

PATHS_BEGIN_DECLS

struct es_copy;

/*
 * es_copy_open - creates a copy from the head and definitions of a space
 *
 * The file is DIRECTORY/PROCESS.space.  A copy with this name is replaced; a
 * space that a process wrote is not.  It is locked, as flock(2) does, until the
 * copy is closed: so others know that it is kept up to date.
 *
 * directory	in which the copy is made
 * kept		the copy is the event space of the process, which has no other:
 *		it replaces one of the process that was kept before, and is not
 *		replaced by copies
 * definitions	the first bytes of the space, to the end of its definitions
 * bytes	their number
 * copy		out
 *
 * Returns	PATHS_OK
 *		PATHS_EBUSY	the space itself is in the directory
 *		PATHS_EDAMAGED	they are no definitions
 *		PATHS_EABI	of an unknown format version, or of another byte
 *				order
 *		PATHS_EFULL, PATHS_EIO	the file cannot be written
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_copy_close
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_copy_open(const char *directory, bool kept,
    const void *definitions, size_t bytes, struct es_copy **copy) PATHS_CHECKED;

/*
 * es_copy_publish - gives a copy a name in another directory, too
 *
 * A copy that has this name is replaced if it is not kept up to date any more.
 *
 * directory	on the same file system
 * replace	false: no copy is replaced
 *
 * Returns	PATHS_OK	also if the name is that of another copy
 *		PATHS_EBUSY	the space itself is in the directory
 *		PATHS_EFULL, PATHS_EIO	the name cannot be made
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_copy_publish(const struct es_copy *copy,
    const char *directory, bool replace) PATHS_CHECKED;

/*
 * es_copy_bytes - writes bytes of es_change_next
 *
 * offset	their place in the file
 * from		the bytes
 * bytes	their number
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	nothing of a space is there that may change
 *		PATHS_EFULL, PATHS_EIO	the file cannot be written
 *		PATHS_ENOMEM
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_copy_bytes(struct es_copy *copy, uint64_t offset,
    const void *from, size_t bytes) PATHS_CHECKED;

/*
 * es_copy_tuples - appends tuples of a collector
 *
 * collector	its number
 * tuples	count tuples of tuple_bytes bytes each
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	no such collector, or its tuples have another
 *				size
 *		PATHS_EFULL, PATHS_EIO	the file cannot be written
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_copy_tuples(struct es_copy *copy, uint32_t collector,
    const void *tuples, uint64_t count, uint32_t tuple_bytes) PATHS_CHECKED;

/*
 * es_copy_skip - counts tuples that were discarded before they were copied
 *
 * The copy retains only those that follow.
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	no such collector, or too many tuples
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_copy_skip(struct es_copy *copy, uint32_t collector,
    uint64_t count) PATHS_CHECKED;

/*
 * es_copy_reset - discards the tuples of a collector, which was reset
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	no such collector
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_copy_reset(struct es_copy *copy, uint32_t collector)
    PATHS_CHECKED;

/*
 * es_copy_leave_out - counts tuples that are not copied, by intention
 *
 * Returns	nothing
 * Threads	one at a time
 * Since	0.1
 */
ES_API void es_copy_leave_out(struct es_copy *copy, uint64_t count);

/*
 * es_copy_state - notes that the process was heard of
 *
 * state	its state: ES_COPY_LIVE, ES_COPY_KILLED or ES_COPY_CLOSED
 * latest	its clocks
 * exit_status	-1: unknown
 *
 * Returns	nothing
 * Threads	one at a time
 * Since	0.1
 */
ES_API void es_copy_state(struct es_copy *copy, enum es_space_copy state,
    const struct paths_clock_pair *latest, int32_t exit_status);

/*
 * es_copy_seal - adds the checksums of the tuples and logs that have none
 *
 * Returns	nothing
 * Threads	one at a time
 * Since	0.1
 */
ES_API void es_copy_seal(struct es_copy *copy);

/*
 * es_copy_close - adds the checksums and closes the file, which stays
 *
 * copy		NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one at a time
 * Since	0.1
 */
ES_API void es_copy_close(struct es_copy *copy);

PATHS_END_DECLS

#endif
