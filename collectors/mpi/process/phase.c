/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/phase.c - sets the mode and phase of a process, and
 * resets its rows
 *
 * A phase is a name; its number in this process is logged when it is first
 * set.  A mode or phase that the program sets before MPI_Init holds from
 * MPI_Init on.
 */

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/base/setting_private.h"
#include "collectors/mpi/base/traced_private.h"
#include "collectors/mpi/process/phase_private.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program has set no mode; the settings hold. */
#define PHASE_MODE_AS_SET UINT32_MAX
#define PHASE_NAME_BYTES 256u

/* The phases of a process: number n + 1 is names[n]. */
struct mpi_phases {
	pthread_mutex_t lock;
	char **names;
	uint32_t count;
	struct mpi_traced *traced; /* NULL: all */
	bool muted; /* the phase is not traced, so the mode lacks trace */
};

/* Mode and phase that the program set before there was a process. */
static struct {
	pthread_mutex_t lock;
	uint32_t mode;
	char name[PHASE_NAME_BYTES];
} phase_early = { PTHREAD_MUTEX_INITIALIZER, PHASE_MODE_AS_SET, "" };

paths_status
mpi_phases_open(struct mpi_phases **phases)
{
	struct mpi_phases *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	if (mpi_traced_open(getenv(MPI_SETTING_TRACED), &p->traced) != PATHS_OK)
		paths_log_warn("%s; all phases are traced", paths_log_last());
	pthread_mutex_init(&p->lock, NULL);
	*phases = p;
	return PATHS_OK;
}

void
mpi_phases_close(struct mpi_phases *phases)
{
	if (phases == NULL)
		return;
	for (uint32_t i = 0; i < phases->count; i++)
		free(phases->names[i]);
	free(phases->names);
	mpi_traced_close(phases->traced);
	pthread_mutex_destroy(&phases->lock);
	free(phases);
}

void
mpi_phase_begin(struct mpi_process *process)
{
	struct es_mpi_control *c = process->control;
	char name[PHASE_NAME_BYTES];
	uint32_t mode;

	pthread_mutex_lock(&phase_early.lock);
	mode = phase_early.mode;
	memcpy(name, phase_early.name, sizeof(name));
	pthread_mutex_unlock(&phase_early.lock);
	if (process->phases->traced != NULL)
		c->flags |= ES_MPI_PHASES;
	if (mode == PHASE_MODE_AS_SET)
		mode = (uint32_t)mpi_setting_number(MPI_SETTING_START,
		    ES_MODE_ALL, c->asked);
	mpi_mode_set(process, mode);
	if (mpi_phase_set(process, name) != PATHS_OK)
		paths_log_warn("%s; phase %s is not set", paths_log_last(),
		    name);
}

void
mpi_mode_set(struct mpi_process *process, uint32_t mode)
{
	if (process != NULL &&
	    atomic_load_explicit(&process->control->state,
		memory_order_relaxed) != ES_MPI_FINALIZED) {
		/* Relaxed: other threads may see the mode later. */
		atomic_store_explicit(&process->control->mode, mode,
		    memory_order_relaxed);
	}
	if (process != NULL)
		return;
	pthread_mutex_lock(&phase_early.lock);
	phase_early.mode = mode;
	pthread_mutex_unlock(&phase_early.lock);
}

void
mpi_mode_on(struct mpi_process *process)
{
	/* Ignores MPI_SETTING_START, which may be off. */
	mpi_mode_set(process,
	    process != NULL ? process->control->asked :
			      (uint32_t)mpi_setting_number(MPI_SETTING_MODE,
				  ES_MODE_ALL, ES_MODE_ALL));
}

paths_status
mpi_rows_reset(struct mpi_process *process)
{
	struct es_space *space;
	paths_status st;
	uint32_t n = 0;

	/* Relaxed: a reset may take effect one call later. */
	atomic_fetch_add_explicit(&process->control->epoch, 1,
	    memory_order_relaxed);
	st = es_space_open_fd(es_record_fd(process->record), "own space",
	    &space);
	if (st != PATHS_OK)
		return st;
	while (es_space_reset(space, n) == PATHS_OK)
		n++;
	es_space_close(space);
	return PATHS_OK;
}

/* Returns the number of a phase, which is added if it is new; 0: there is no
   memory. */
static uint32_t
phase_number_locked(struct mpi_process *p, const char *name)
{
	struct mpi_phases *phases = p->phases;
	struct es_mpi_name entry = { .bytes = (uint32_t)strlen(name) + 1 };
	char **names;
	char *copy;

	for (uint32_t i = 0; i < phases->count; i++) {
		if (strcmp(phases->names[i], name) == 0)
			return i + 1;
	}
	copy = strdup(name);
	names = realloc(phases->names, (phases->count + 1) * sizeof(*names));
	if (names != NULL)
		phases->names = names;
	if (copy == NULL || names == NULL) {
		free(copy);
		return 0;
	}
	names[phases->count++] = copy;
	entry.id = phases->count;
	mpi_log_append(&p->log, ES_MPI_ENTRY_PHASE,
	    (const struct iovec[]){ { &entry, sizeof(entry) },
		{ copy, entry.bytes } },
	    2);
	return entry.id;
}

static void
phase_set_early(const char *name)
{
	pthread_mutex_lock(&phase_early.lock);
	snprintf(phase_early.name, sizeof(phase_early.name), "%s", name);
	pthread_mutex_unlock(&phase_early.lock);
}

/* Switches mode trace for a phase that begins.  A process whose recording the
   program has stopped stays so. */
static void
phase_trace(struct mpi_process *process, const char *name)
{
	struct mpi_phases *p = process->phases;
	/* Relaxed: only a program that sets modes in other threads at the same
	   time changes it meanwhile. */
	uint32_t mode =
	    atomic_load_explicit(&process->control->mode, memory_order_relaxed);
	uint32_t asked = process->control->asked;
	bool traces, stopped;

	if (p->traced == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	traces = mpi_traced_begin(p->traced, name);
	stopped = mode == ES_MODE_OFF && !p->muted;
	p->muted = !stopped && !traces;
	pthread_mutex_unlock(&p->lock);
	if (!stopped)
		mpi_mode_set(process,
		    traces ? asked : asked & ~(uint32_t)ES_MODE_TRACE);
}

paths_status
mpi_phase_set(struct mpi_process *process, const char *name)
{
	uint32_t number = 0;

	if (name == NULL)
		name = "";
	if (strlen(name) >= PHASE_NAME_BYTES)
		return paths_log_fail(PATHS_EINVAL,
		    "the name of a phase has %zu bytes", strlen(name));
	if (process == NULL) {
		phase_set_early(name);
		return PATHS_OK;
	}
	if (name[0] != 0) {
		pthread_mutex_lock(&process->phases->lock);
		number = phase_number_locked(process, name);
		pthread_mutex_unlock(&process->phases->lock);
		if (number == 0)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a phase");
	}
	/* Relaxed, as the mode. */
	atomic_store_explicit(&process->control->phase, number,
	    memory_order_relaxed);
	phase_trace(process, name);
	return PATHS_OK;
}
