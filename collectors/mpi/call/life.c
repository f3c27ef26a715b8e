/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/life.c - hooks of MPI_Init, MPI_Finalize, MPI_Abort,
 * MPI_Pcontrol and MPI_Session_finalize
 *
 * MPI_Init is recorded after it returned, with the time when it began.  Calls
 * that MPI makes inside MPI_Init and MPI_Finalize are nested, also if these two
 * are not recorded.
 */

#include "collectors/mpi/call/life_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/process/fatal_private.h"
#include "collectors/mpi/process/phase_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi/process/record_private.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <unistd.h>

/* Makes this the outermost call.  Returns false if it is nested itself. */
static bool
life_take(struct mpi_call *call)
{
	struct mpi_thread *t = call->thread;

	if (call->mode != ES_MODE_OFF)
		return true;
	if ((uintptr_t)call->here < t->outermost)
		return false;
	t->outermost = (uintptr_t)call->here;
	t->function = call->function;
	return true;
}

static bool
life_is_outermost(const struct mpi_call *call)
{
	return call->mode != ES_MODE_OFF ||
	    call->thread->outermost == (uintptr_t)call->here;
}

/* Logs the time of an event, from which readers know the part of the run
   between MPI_Init and MPI_Finalize, also without a trace. */
static void
life_log(struct mpi_process *process, enum es_mpi_life_event event,
    uint64_t ticks)
{
	struct es_mpi_life life = { .event = event, .ticks = ticks };

	if (process != NULL)
		mpi_log_append(&process->log, ES_MPI_ENTRY_LIFE,
		    &(const struct iovec){ &life, sizeof(life) }, 1);
}

void
mpi_init_before(struct mpi_call *call, struct mpi_args *args)
{
	(void)args;
	if (!life_take(call))
		return;
	mpi_fatal_look();
	call->start = paths_clock_ticks();
}

/* Records the call as if recording had been on when it began. */
static void
life_recorded_late(struct mpi_call *call)
{
	struct mpi_thread *t = call->thread;
	/* Relaxed, as in mpi_enter. */
	uint32_t mode =
	    atomic_load_explicit(&t->control->mode, memory_order_relaxed);

	if (mode & ES_MODE_TRACE)
		mode = mpi_thread_ring(t, mode);
	call->mode = mode;
	if (mode & MPI_MODE_STAMPED)
		call->site = mpi_site_find(t, call->address);
	else
		call->start = call->stop = 0;
	if ((mode & ES_MODE_TRACE) == 0)
		return;
	call->tuple = es_record_reserve(&t->ring);
	*call->tuple = (struct es_tuple_mpi){
		.start = call->start,
		.seq = t->seq,
		.op = call->function,
		.site = call->site,
	};
	es_record_fill(&t->ring);
}

void
mpi_init_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_thread *t = call->thread;

	(void)args;
	if (!life_is_outermost(call))
		return;
	call->stop = paths_clock_ticks_ordered();
	t->outermost = 0;
	if (result != 0)
		return;
	mpi_process_open(t, -1, 0);
	mpi_process_initialised();
	if (t->process != NULL)
		mpi_fatal_watch(t->process->control);
	if (call->mode == ES_MODE_OFF && t->process != NULL)
		life_recorded_late(call);
	/* Not the end of the call: making the event space takes time. */
	life_log(t->process, ES_MPI_LIFE_INITIALIZED, paths_clock_ticks());
}

void
mpi_finalize_before(struct mpi_call *call, struct mpi_args *args)
{
	uint64_t ticks = paths_clock_ticks();

	(void)args;
	if (life_take(call))
		life_log(call->thread->process, ES_MPI_LIFE_FINALIZING, ticks);
}

void
mpi_finalize_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_thread *t = call->thread;

	(void)args;
	(void)result;
	if (!life_is_outermost(call))
		return;
	/* Before the end: nothing is written to a space that has ended. */
	mpi_leave(call);
	call->mode = ES_MODE_OFF;
	t->outermost = 0;
	if (t->process != NULL)
		mpi_process_end(t->process);
}

void
mpi_session_end_before(struct mpi_call *call, struct mpi_args *args)
{
	(void)call;
	(void)args;
}

void
mpi_session_end_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	(void)args;
	if (result != 0)
		return;
	/* Before the end, so that a reader that sees the end sees this call. */
	mpi_leave(call);
	call->mode = ES_MODE_OFF;
	mpi_process_session_ended();
}

void
mpi_abort_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_thread *t = call->thread;

	(void)args;
	if (t->process == NULL)
		return;
	/* Relaxed: if the call is recorded, the release of `inside` in
	   mpi_begin comes later. */
	atomic_store_explicit(&t->control->state, ES_MPI_ABORTED,
	    memory_order_relaxed);
	es_record_clock(&t->ring);
}

/* Does nothing: an MPI_Abort that returns has failed. */
void
mpi_abort_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	(void)call;
	(void)args;
	(void)result;
}

/* Keeps the level in the tuple, so that a trace tells when a phase begins. */
void
mpi_pcontrol_before(struct mpi_call *call, struct mpi_args *args)
{
	call->tag = (int32_t)args->number;
}

/* Sets mode or phase after the call, which belongs to the previous ones. */
void
mpi_pcontrol_after(struct mpi_call *call, struct mpi_args *args, int result)
{
	struct mpi_process *p = call->thread->process;
	int64_t level = args->number;
	char name[24] = "";

	(void)result;
	if (level == 0 || level == 1) {
		if (level == 0)
			mpi_mode_set(p, ES_MODE_OFF);
		else
			mpi_mode_on(p);
		return;
	}
	if (level == 2) {
		/* Readers of the space report a failing disk. */
		if (p != NULL)
			(void)fdatasync(es_record_fd(p->record));
		return;
	}
	if (level > 2)
		snprintf(name, sizeof(name), "%lld", (long long)level);
	if (mpi_phase_set(p, name) != PATHS_OK)
		paths_log_warn("%s; phase %s is not set", paths_log_last(),
		    name);
}
