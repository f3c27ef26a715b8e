/* SPDX-License-Identifier: MIT */
/*
 * libpaths/path.h - a path: how a thread reaches an element
 *
 * Tuples are handed over by address and length; the length must be that of
 * the path's type.  An operation returns its status; what happened where is
 * in paths_path_why, "process p1: stage sum1 of path t0 total: ...".
 */

#ifndef LIBPATHS_PATH_H
#define LIBPATHS_PATH_H

#include "libpaths/op.h"
#include "libpaths/program.h"

/*
 * paths_path_open - take up the path of a thread to an element
 *
 * thread	of this process, open
 * element	as the map's path line has it
 * path		out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the map has no such path
 *		PATHS_EBUSY	it is open already
 * Ownership	the caller calls paths_path_close
 * Threads	that of `thread`
 * Since	0.1
 */
PATHS_API paths_status paths_path_open(struct paths_thread *thread,
    const char *element, struct paths_path **path) PATHS_CHECKED;

/*
 * paths_path_close - leave a path; its element counts it as gone
 *
 * path	NULL: nothing happens; an operation started and not waited for is
 *	canceled
 *
 * Returns	nothing
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API void paths_path_close(struct paths_path *path);

/*
 * paths_path_write - send one tuple down
 *
 * Returns	PATHS_OK	it is in the element, or where the path ends
 *		PATHS_EINVAL	bytes is not the length of the path's type, or
 *				the map says this path is not written
 *		PATHS_EBUSY	an operation is under way on this path
 *		PATHS_ETIMEDOUT	the deadline passed; nothing was written,
 *				unless the answer was lost on its way
 *		PATHS_EFULL	the element is full, and full means failure
 *		PATHS_ELOST	a process on the way is gone
 *		PATHS_ECLOSED	the element cannot take it any more
 *		what a stage answers
 * Ownership	borrows the tuple for the call
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_write(struct paths_path *path,
    const void *tuple, uint32_t bytes);

/*
 * paths_path_read - get the next tuple; wait until there is one
 *
 * tuple	out: written on PATHS_OK only
 *
 * Returns	as paths_path_write
 *		PATHS_ECLOSED	there is none, and nobody is left to write one
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_read(struct paths_path *path, void *tuple,
    uint32_t bytes);

/*
 * paths_path_exchange - send a tuple down and get one back in its place
 *
 * What comes back is what the stages make of it: the sum where the path leads
 * through a sum.
 *
 * tuple	in and out; undefined after an error
 *
 * Returns	as paths_path_write
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_exchange(struct paths_path *path, void *tuple,
    uint32_t bytes);

/*
 * paths_path_delete - drop the element's tuples before an index
 *
 * Returns	PATHS_OK; as paths_path_write otherwise
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_delete(struct paths_path *path,
    uint64_t index);

/*
 * paths_path_start - begin an operation and do not wait for its end
 *
 * Operations started on several paths of a thread are under way together.
 * They make progress while the thread waits in paths_path_wait for any.
 *
 * kind	write, read or exchange
 *
 * Returns	PATHS_OK	it is under way, or done: ask paths_path_wait
 *		PATHS_EINVAL, PATHS_EBUSY	as paths_path_write
 * Ownership	borrows the tuple until paths_path_wait has returned
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_start(struct paths_path *path,
    enum paths_kind kind, void *tuple, uint32_t bytes) PATHS_CHECKED;

/*
 * paths_path_wait - wait for the end of what paths_path_start began
 *
 * Returns	as the operation
 *		PATHS_EINVAL	nothing was started
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_wait(struct paths_path *path);

/*
 * paths_path_deadline - how long each later operation may take
 *
 * ns	from its start; 0: as long as it needs, the default
 *
 * Returns	nothing
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API void paths_path_deadline(struct paths_path *path, uint64_t ns);

/*
 * paths_path_why - what ended the last operation of this path
 *
 * Returns	one line; "" when it ended well
 * Ownership	the path's, until its next operation
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API const char *paths_path_why(const struct paths_path *path);

/*
 * paths_path_missed - how many tuples were discarded before they were read
 *
 * Returns	the count over all reads of this path
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API uint64_t paths_path_missed(const struct paths_path *path);

/*
 * paths_path_index - which tuple of the element the last operation was about
 *
 * Returns	its number, from 0
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API uint64_t paths_path_index(const struct paths_path *path);

/*
 * paths_path_type - the type of the path's tuples
 *
 * Returns	the type
 * Ownership	the path's
 * Threads	any
 * Since	0.1
 */
PATHS_API const struct paths_type *paths_path_type(
    const struct paths_path *path);

/*
 * paths_path_stat - ask a stage of this process for its counters
 *
 * stage	position on the path, from 0, joins' tails included
 * emit		is called with each counter
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no such stage in this process
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_path_stat(const struct paths_path *path,
    uint32_t stage, paths_stat_emit *emit, void *to);

#endif
