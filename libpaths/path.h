/* SPDX-License-Identifier: MIT */
/*
 * libpaths/path.h - the path from a thread to an element
 *
 * Tuples are given by address and length.  The length is that of the path's
 * type.  If the type varies (type.h), a write and an exchange take any length
 * that the type has, a read takes the greatest, and paths_path_bytes returns
 * the length of the tuple that came back.  An operation returns its status;
 * paths_path_why returns the reason of a failure, such as "host h1 process p1
 * stage sum1: ...".
 *
 * An operation is no cancellation point.  A thread that is canceled in one
 * (pthread_cancel) ends at its next cancellation point after the operation has
 * ended, at its deadline at the latest: the other inputs of a join and the
 * tuple, which may be on the stack, need the thread until then.  Asynchronous
 * cancellation, and longjmp out of a signal handler over an operation, are
 * undefined.
 */

#ifndef LIBPATHS_PATH_H
#define LIBPATHS_PATH_H

#include "libpaths/op.h"
#include "libpaths/program.h"

#include <stdbool.h>

PATHS_BEGIN_DECLS

/*
 * paths_path_open - open the path of a thread to an element
 *
 * thread	of this process, open
 * element	its name in the path line of the map
 * path		out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the map has no such path
 *		PATHS_EBUSY	it is open; or it was closed and cannot be
 *				opened again, see paths_thread_open
 *		PATHS_ELOST	as paths_thread_open
 *		PATHS_EINVAL	the thread is closed, or this process was
 *				forked from the one that opened it
 * Ownership	the caller calls paths_path_close
 * Threads	that of `thread`
 * Since	0.1
 */
PATHS_API paths_status paths_path_open(struct paths_thread *thread,
    const char *element, struct paths_path **path) PATHS_CHECKED;

/*
 * paths_path_close - close a path
 *
 * Cancels an operation that was started and not waited for.  Reports to the
 * stages and the element that no operation follows, until the path is opened
 * again.  Does nothing when the thread waits in an operation of the path.
 *
 * path	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API void paths_path_close(struct paths_path *path);

/*
 * paths_path_write - send one tuple down
 *
 * Returns	PATHS_OK	the element, or a buffer before it, has the
 *				tuple
 *		PATHS_EINVAL	bytes is no length of the path's type; or
 *				the map forbids writing (-use); the path is
 *				closed; or this process was forked from the one
 *				that opened the path
 *		PATHS_EBUSY	an operation is under way on this path
 *		PATHS_ETIMEDOUT	the deadline passed; nothing was written,
 *				unless only the answer of another process was
 *				late
 *		PATHS_EFULL	the element is full and has -full fail
 *		PATHS_ELOST	a process on the path is gone
 *		PATHS_ECLOSED	the operation can never complete, because paths
 *				of other threads have been closed
 *		the status of a stage that failed the operation
 * Ownership	borrows the tuple for the call
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_write(struct paths_path *path,
    const void *tuple, uint32_t bytes);

/*
 * paths_path_read - read the next tuple; wait until there is one
 *
 * tuple	out: written on PATHS_OK only
 * bytes	room of the tuple: the greatest length of the path's type
 *
 * Returns	as paths_path_write
 *		PATHS_ECLOSED	there is no tuple, and no thread is left that
 *				could write one
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_read(struct paths_path *path, void *tuple,
    uint32_t bytes);

/*
 * paths_path_exchange - send a tuple down and get one back in its place
 *
 * The stages make the tuple that is returned: on a path through a reduce with
 * -op sum it is the sum.
 *
 * tuple	in and out; undefined after an error; it has room for the
 *	greatest length of the path's type
 * bytes	of the tuple that is sent
 *
 * Returns	as paths_path_write
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_exchange(struct paths_path *path, void *tuple,
    uint32_t bytes);

/*
 * paths_path_delete - discard the element's tuples before an index
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
 * A thread may have an operation under way on each of its paths.  They make
 * progress while the thread waits for one of them in paths_path_wait.
 *
 * kind	write, read or exchange
 *
 * Returns	PATHS_OK	it is under way or has ended: paths_path_wait
 *				returns its status
 *		PATHS_EINVAL, PATHS_EBUSY	as paths_path_write
 * Ownership	borrows the tuple until paths_path_wait has returned
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_start(struct paths_path *path,
    enum paths_kind kind, void *tuple, uint32_t bytes) PATHS_CHECKED;

/*
 * paths_path_wait - wait for the end of a started operation
 *
 * Returns	the status of the operation
 *		PATHS_EINVAL	no operation was started, or as paths_path_write
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_wait(struct paths_path *path);

/*
 * paths_path_test - test a started operation for its end
 *
 * Runs what the thread can run of it without waiting.
 *
 * ended	out: true: paths_path_wait returns its status at once
 *
 * Returns	PATHS_OK; PATHS_EINVAL as paths_path_wait
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_test(struct paths_path *path, bool *ended)
    PATHS_CHECKED;

/*
 * paths_path_wait_any - wait for the end of one of several started operations
 *
 * Paths without a started operation are passed over.  When several operations
 * have ended, the first in the order of the paths is returned.
 *
 * paths	of one thread
 * count	number of paths
 * which	out: the index of the path whose operation has ended; count if
 *		there is none
 *
 * Returns	the status of that operation
 *		PATHS_EINVAL	and which is count: no operation was started, or
 *				the paths are of several threads
 * Threads	that of the paths' thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_wait_any(struct paths_path *const *paths,
    uint32_t count, uint32_t *which);

/*
 * paths_path_wait_all - wait for the ends of several started operations
 *
 * Paths without a started operation are passed over, with status PATHS_OK.
 *
 * paths	of one thread
 * count	number of paths
 * statuses	out: those of the operations; NULL: not wanted
 *
 * Returns	PATHS_OK, or the first status in the order of the paths that is
 *		not
 *		PATHS_EINVAL	is the status of a path that is closed
 * Threads	that of the paths' thread
 * Since	0.1
 */
PATHS_API paths_status paths_path_wait_all(struct paths_path *const *paths,
    uint32_t count, paths_status *statuses);

/*
 * paths_path_deadline - limit the time of each later operation but deletes
 *
 * ns	time from the start of the operation; 0: no limit, the default
 *
 * Returns	nothing
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API void paths_path_deadline(struct paths_path *path, uint64_t ns);

/*
 * paths_path_why - the reason why the last operation failed
 *
 * The reason of a refusal while an operation is under way (PATHS_EBUSY), and
 * that of a call with several paths, is returned by paths_log_last only.
 *
 * Returns	one line; "" when it succeeded
 * Ownership	the path's, until its next operation
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API const char *paths_path_why(const struct paths_path *path);

/*
 * paths_path_missed - the count of tuples discarded before they were read
 *
 * Returns	the count over all reads of this path
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API uint64_t paths_path_missed(const struct paths_path *path);

/*
 * paths_path_index - the index of the tuple that was written or read last
 *
 * Returns	its number in the element, from 0; undefined after an operation
 *		that failed
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API uint64_t paths_path_index(const struct paths_path *path);

/*
 * paths_path_bytes - the length of the tuple that was written or read last
 *
 * Returns	its bytes; after an exchange those of the tuple that came back;
 *		undefined after an operation that failed
 * Threads	that of the path's thread
 * Since	0.1
 */
PATHS_API uint32_t paths_path_bytes(const struct paths_path *path);

/*
 * paths_path_type - the type of the path's tuples
 *
 * Returns	the type; of kind PATHS_TYPE_NONE if no stage tells it
 * Ownership	of the path
 * Threads	any
 * Since	0.1
 */
PATHS_API const struct paths_type *paths_path_type(
    const struct paths_path *path);

/*
 * paths_path_stat - read the counters of a stage of this process
 *
 * stage	position on the path, from 0; stages below joins count
 * emit		called with `to` and each counter
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no such stage in this process
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_path_stat(const struct paths_path *path,
    uint32_t stage, paths_stat_emit *emit, void *to);

PATHS_END_DECLS

#endif
