/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi.h - an MPI program controls and reads its own recording
 *
 * A program that runs under `eventspace mpi` can switch recording on and off,
 * name its phases, and read its own profile and matrix while it runs.  Nothing
 * needs to be linked: the interposer is looked up at the first call.  Without
 * an interposer every function here returns PATHS_ENOENT, and costs a
 * comparison from the second call on.
 *
 * Each function affects the process of the calling thread alone, and
 * communicates with no other.  A setting made before MPI_Init holds from
 * MPI_Init on.  Any thread may call at any time; MPI calls in progress end in
 * the mode in which they began.
 */

#ifndef COLLECTORS_MPI_H
#define COLLECTORS_MPI_H

#include "collectors/mpi_space.h"

#include <dlfcn.h>

PATHS_BEGIN_DECLS

#define ES_MPI_MONITOR_ABI 1u

/* Functions of the interposer, which its symbol es_mpi_monitor returns. */
struct es_mpi_monitor {
	uint32_t abi; /* ES_MPI_MONITOR_ABI; grows with new members */
	paths_status (*mode)(uint32_t mode);
	paths_status (*start)(void);
	paths_status (*reset)(void);
	paths_status (*phase)(const char *name);
	paths_status (*rows)(uint32_t n, struct es_space_rows *rows);
};

/*
 * es_mpi_monitor_find - finds the interposer of this process
 *
 * Returns	its functions; NULL when no interposer is loaded
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
static inline const struct es_mpi_monitor *
es_mpi_monitor_find(void)
{
	static PATHS_ATOMIC(const struct es_mpi_monitor *) found;
	static PATHS_ATOMIC(bool) asked;
	const struct es_mpi_monitor *(*get)(void);

	/* Both atomic, sequentially consistent: threads that call at the same
	   time may all look it up. */
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
 * es_mpi_start - starts recording, in the modes given to `eventspace mpi`
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no interposer is loaded
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
 * es_mpi_mode - sets the modes of recording; after MPI_Finalize without effect
 *
 * mode		a set of ES_MODE_
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	an unknown mode
 *		PATHS_ENOENT	no interposer is loaded
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
 * es_mpi_stop - stops recording
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no interposer is loaded
 * Threads	any
 * Since	0.1
 */
static inline paths_status
es_mpi_stop(void)
{
	return es_mpi_mode(ES_MODE_OFF);
}

/*
 * es_mpi_reset - discards everything that was recorded so far
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	before MPI_Init, or the process is not recorded
 *		PATHS_ENOENT	no interposer is loaded
 *		PATHS_ENOMEM, PATHS_EIO	the space cannot be mapped again;
 *				the rows are reset, but the tuples remain
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
 * es_mpi_phase - begins a phase of the program
 *
 * The phase lasts until the next one.  MPI_Pcontrol with a level above 2 begins
 * the phase of that number, and with a level below 0 ends the phase.  Phases of
 * the same name are one phase, in all ranks.
 *
 * name		at most 255 bytes, copied; NULL or "": no phase
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	a longer name
 *		PATHS_ENOENT	no interposer is loaded
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
 * es_mpi_rows - reads the rows that this process has recorded so far
 *
 * As es_space_rows with the space of this process.  The rows are those of
 * mpi_space.h; other threads continue to count in them.  A call with n 0 opens
 * the space again, with the parts that were added since the last such call.
 *
 * n	number of the part, from 0
 * rows	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	before MPI_Init, or the process is not recorded
 *		PATHS_ENOENT	past the last; no interposer is loaded
 *		PATHS_ENOMEM, PATHS_EIO	the space cannot be mapped again
 * Ownership	the interposer's, until the next call with n 0
 * Threads	one at a time
 * Since	0.1
 */
static inline paths_status
es_mpi_rows(uint32_t n, struct es_space_rows *rows)
{
	const struct es_mpi_monitor *m = es_mpi_monitor_find();

	return m == NULL ? PATHS_ENOENT : m->rows(n, rows);
}

PATHS_END_DECLS

#endif
