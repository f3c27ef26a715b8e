/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi.h - an MPI program and those who watch it
 *
 * A program that runs under `eventspace mpi` can say when it is recorded, name
 * its phases, and read its own profile and matrix while it runs.  Nothing needs
 * to be linked: what watches the program is looked up when it is asked, and
 * where nobody does every function here answers PATHS_ENOENT and costs a
 * comparison from the second time on.
 *
 * All speaks of the process of the calling thread alone, and communicates with
 * no other.  What is said before MPI_Init holds from MPI_Init on.  Any thread,
 * at any time; calls that are inside MPI meanwhile end as they began.
 */

#ifndef COLLECTORS_MPI_H
#define COLLECTORS_MPI_H

#include "collectors/mpi_space.h"

#include <dlfcn.h>

#define ES_MPI_MONITOR_ABI 1u

/* Functions of the interposer, which its symbol es_mpi_monitor returns. */
struct es_mpi_monitor {
	uint32_t abi; /* ES_MPI_MONITOR_ABI; grows when there is more */
	paths_status (*mode)(uint32_t mode);
	paths_status (*start)(void);
	paths_status (*reset)(void);
	paths_status (*phase)(const char *name);
	paths_status (*rows)(uint32_t n, struct es_space_rows *rows);
};

/*
 * es_mpi_monitor_find - finds the interposer of this process
 *
 * Returns	NULL: no interposer is loaded
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
static inline const struct es_mpi_monitor *
es_mpi_monitor_find(void)
{
	static const struct es_mpi_monitor *_Atomic found;
	static _Atomic bool asked;
	const struct es_mpi_monitor *(*get)(void);

	/* Both atomic, with the order of the language: threads that come at
	   one time all ask. */
	if (!asked) {
		/* The first argument is RTLD_DEFAULT, which only _GNU_SOURCE
		   names. */
		*(void **)&get = dlsym((void *)0, "es_mpi_monitor");
		if (get != NULL && get()->abi >= ES_MPI_MONITOR_ABI)
			found = get();
		asked = true;
	}
	return found;
}

/*
 * es_mpi_start - record from now on, with all that `eventspace mpi` asked for
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	nobody watches
 * Threads	any
 * Since	0.1
 */
static inline paths_status
es_mpi_start(void)
{
	const struct es_mpi_monitor *m = es_mpi_monitor_find();

	return m == NULL ? PATHS_ENOENT : m->start();
}

/*
 * es_mpi_mode - say what is recorded from now on
 *
 * mode		a set of ES_MODE_
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	an unknown mode
 *		PATHS_ENOENT	nobody watches
 * Threads	any
 * Since	0.1
 */
static inline paths_status
es_mpi_mode(uint32_t mode)
{
	const struct es_mpi_monitor *m = es_mpi_monitor_find();

	return m == NULL ? PATHS_ENOENT : m->mode(mode);
}

/*
 * es_mpi_stop - record nothing from now on
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	nobody watches
 * Threads	any
 * Since	0.1
 */
static inline paths_status
es_mpi_stop(void)
{
	return es_mpi_mode(ES_MODE_OFF);
}

/*
 * es_mpi_reset - begin anew: nothing that was recorded so far counts
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	before MPI_Init, and where it is not recorded
 *		PATHS_ENOENT	nobody watches
 *		PATHS_ENOMEM, PATHS_EIO	the space cannot be mapped once more:
 *				the tuples remain
 * Threads	any
 * Since	0.1
 */
static inline paths_status
es_mpi_reset(void)
{
	const struct es_mpi_monitor *m = es_mpi_monitor_find();

	return m == NULL ? PATHS_ENOENT : m->reset();
}

/*
 * es_mpi_phase - name the phase that begins now
 *
 * It lasts until the next one; MPI_Pcontrol with a level above 2 begins the
 * phase of that number, and one below 0 ends any.  Phases of one name are one
 * phase, in all ranks.
 *
 * name		at most 255 bytes, kept; NULL or "": no phase
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	a longer name
 *		PATHS_ENOENT	nobody watches
 *		PATHS_ENOMEM
 * Threads	any; all threads of the process are in one phase
 * Since	0.1
 */
static inline paths_status
es_mpi_phase(const char *name)
{
	const struct es_mpi_monitor *m = es_mpi_monitor_find();

	return m == NULL ? PATHS_ENOENT : m->phase(name);
}

/*
 * es_mpi_rows - read what this process has recorded so far
 *
 * As es_space_rows of its own space: the rows are those of mpi_space.h, and
 * other threads count in them meanwhile.  0 sees the parts that have come since
 * it was asked last, so the parts are read from 0 on.
 *
 * n	from 0
 * rows	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	before MPI_Init, and where it is not recorded
 *		PATHS_ENOENT	past the last; nobody watches
 *		PATHS_ENOMEM, PATHS_EIO	the space cannot be mapped once more
 * Ownership	the interposer's, until 0 is asked for again
 * Threads	one at a time
 * Since	0.1
 */
static inline paths_status
es_mpi_rows(uint32_t n, struct es_space_rows *rows)
{
	const struct es_mpi_monitor *m = es_mpi_monitor_find();

	return m == NULL ? PATHS_ENOENT : m->rows(n, rows);
}

#endif
