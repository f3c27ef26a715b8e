/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/monitor.c - functions of the interposer that
 * collectors/mpi.h calls
 */

#include "collectors/mpi.h"

#include "collectors/mpi/process/phase_private.h"
#include "collectors/mpi/process/record_private.h"
#include "collectors/mpi/process/thread_private.h"

#include "libpaths/log.h"

/* Returns the process of this thread; NULL: MPI_Init was not called, or the
   process is not recorded. */
static struct mpi_process *
monitor_process(void)
{
	if (mpi_thread_is_forked())
		return NULL;
	if (mpi_self != NULL && mpi_self->process != NULL)
		return mpi_self->process;
	return mpi_thread_first_process();
}

static paths_status
monitor_mode(uint32_t mode)
{
	if (mode > ES_MODE_ALL)
		return PATHS_EINVAL;
	mpi_mode_set(monitor_process(), mode);
	return PATHS_OK;
}

static paths_status
monitor_start(void)
{
	mpi_mode_on(monitor_process());
	return PATHS_OK;
}

static paths_status
monitor_reset(void)
{
	struct mpi_process *p = monitor_process();

	return p == NULL ? PATHS_EINVAL : mpi_rows_reset(p);
}

static paths_status
monitor_phase(const char *name)
{
	return mpi_phase_set(monitor_process(), name);
}

static paths_status
monitor_rows(uint32_t n, struct es_space_rows *rows)
{
	struct mpi_process *p = monitor_process();
	struct es_space *space;
	paths_status st;

	if (p == NULL)
		return PATHS_EINVAL;
	if (n == 0 || p->seen == NULL) {
		st = es_space_open_fd(es_record_fd(p->record), "own space",
		    &space);
		if (st != PATHS_OK)
			return st;
		es_space_close(p->seen);
		p->seen = space;
	}
	return es_space_rows(p->seen, n, rows);
}

const struct es_mpi_monitor *es_mpi_monitor(void)
    __attribute__((visibility("default")));

const struct es_mpi_monitor *
es_mpi_monitor(void)
{
	static const struct es_mpi_monitor monitor = {
		.abi = ES_MPI_MONITOR_ABI,
		.mode = monitor_mode,
		.start = monitor_start,
		.reset = monitor_reset,
		.phase = monitor_phase,
		.rows = monitor_rows,
	};

	return &monitor;
}
