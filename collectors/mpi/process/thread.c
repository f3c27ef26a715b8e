/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/thread.c - the threads that call MPI
 *
 * A thread is known from its first call on and joins its process at the first
 * call that finds one.  When it ends, what it had in the space is the next new
 * thread's, so a program that starts threads for ever takes room for those that
 * live at one time.
 */

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/abi/lines_private.h"
#include "collectors/mpi/object/comm_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi/process/record_private.h"
#include "collectors/mpi/process/thread_private.h"
#include "collectors/mpi/site/callpath_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A thread, and where it writes while it has no place in a space. */
struct thread_state {
	struct mpi_thread thread;
	struct es_mpi_thread row;
	struct es_space_hot hot;   /* only its clock_due is used */
	bool refused;		   /* it found no room in the space */
	bool untraced;		   /* or its ring did not */
	struct thread_state *next; /* of those that ended */
};

__thread struct mpi_thread *mpi_self;

/* Off for ever: for threads that have no process. */
static struct es_mpi_control thread_off;

/* For all that find no memory: they have no process, ever. */
static struct thread_state thread_nobody = {
	.thread = { .control = &thread_off, .row = &thread_nobody.row },
	.refused = true,
};

static pthread_once_t thread_once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;
static bool thread_forked; /* written by the only thread of a new process */

static struct thread_state *
thread_state_of(struct mpi_thread *t)
{
	return (struct thread_state *)t;
}

/* A thread ends.  Destructors that run later may still call MPI. */
static void
thread_end(void *state)
{
	struct thread_state *s = state;
	struct mpi_process *p = s->thread.process;

	mpi_self = NULL;
	if (p == NULL) {
		free(s);
		return;
	}
	s->thread.outermost = 0;
	mpi_cells_settle(s->thread.cells);
	/* Relaxed: what it told of has ended anyway. */
	atomic_store_explicit(&s->thread.row->inside, 0, memory_order_relaxed);
	pthread_mutex_lock(&p->lock);
	s->next = p->idle;
	p->idle = s;
	pthread_mutex_unlock(&p->lock);
}

/* The child of a fork has the parent's space mapped, and is not the parent. */
static void
thread_after_fork(void)
{
	thread_forked = true;
	mpi_self = NULL;
	(void)pthread_setspecific(thread_key, NULL);
}

static void
thread_prepare(void)
{
	paths_log_name("eventspace mpi");
	if (pthread_key_create(&thread_key, thread_end) != 0 ||
	    pthread_atfork(NULL, NULL, thread_after_fork) != 0)
		thread_forked = true;
}

/* What a thread that ended left; NULL: nothing. */
static struct thread_state *
thread_take_idle(void)
{
	struct mpi_process *p = thread_forked ? NULL : mpi_process_first();
	struct thread_state *s;

	if (p == NULL)
		return NULL;
	pthread_mutex_lock(&p->lock);
	s = p->idle;
	if (s != NULL)
		p->idle = s->next;
	pthread_mutex_unlock(&p->lock);
	if (s != NULL) {
		s->thread.row->tid = (uint64_t)syscall(SYS_gettid);
		mpi_paths_move(s->thread.sites->paths);
	}
	return s;
}

struct mpi_thread *
mpi_thread_attach(void)
{
	struct thread_state *s;

	pthread_once(&thread_once, thread_prepare);
	s = thread_take_idle();
	if (s == NULL) {
		s = mpi_lines(1, sizeof(*s));
		if (s == NULL)
			return &thread_nobody.thread;
		s->thread.control = &thread_off;
		s->thread.row = &s->row;
		s->thread.ring.hot = &s->hot;
	}
	(void)pthread_setspecific(thread_key, s);
	mpi_self = &s->thread;
	return mpi_self;
}

/* The row of a thread in the space of its process. */
static paths_status
thread_open_row(struct mpi_thread *t, struct es_mpi_thread **row)
{
	struct es_space_part *part;
	paths_status st = es_record_add_rows(t->process->record,
	    &(struct es_record_part){ .what = ES_MPI_THREAD,
		.owner = t->number,
		.row_bytes = sizeof(**row),
		.room = 1 },
	    &part);

	if (st != PATHS_OK)
		return st;
	*row = (struct es_mpi_thread *)(part + 1);
	(*row)->tid = (uint64_t)syscall(SYS_gettid);
	/* The acquire is in es_space_rows. */
	atomic_store_explicit(&part->used, 1, memory_order_release);
	return PATHS_OK;
}

static void
thread_close_parts(struct mpi_thread *t)
{
	mpi_sites_close(t->sites);
	mpi_cells_close(t->cells);
	t->sites = NULL;
	t->cells = NULL;
}

static paths_status
thread_open_parts(struct mpi_thread *t, struct es_mpi_thread **row)
{
	paths_status st = thread_open_row(t, row);

	if (st == PATHS_OK)
		st = mpi_cells_open(&t->cells);
	if (st == PATHS_OK)
		st = mpi_sites_open(t);
	if (st == PATHS_OK)
		st = mpi_comms_open(t);
	if (st != PATHS_OK)
		thread_close_parts(t);
	return st;
}

/* Only now do calls record, and other threads find this one. */
static void
thread_publish(struct mpi_thread *t, struct es_mpi_thread *row)
{
	struct mpi_process *p = t->process;

	t->row = row;
	t->ring.record = p->record;
	pthread_mutex_lock(&p->lock);
	/* Relaxed: written under the lock. */
	t->next = atomic_load_explicit(&p->threads, memory_order_relaxed);
	/* All of it before the word that leads there; others read without the
	   lock, with acquire. */
	atomic_store_explicit(&p->threads, t, memory_order_release);
	pthread_mutex_unlock(&p->lock);
	t->control = p->control;
}

void
mpi_thread_bind(struct mpi_thread *t, struct mpi_process *p)
{
	struct es_mpi_thread *row;
	paths_status st;

	/* Relaxed: a number, ordered with nothing. */
	t->number = atomic_fetch_add_explicit(&p->thread_count, 1,
	    memory_order_relaxed);
	t->process = p;
	st = thread_open_parts(t, &row);
	if (st == PATHS_OK) {
		thread_publish(t, row);
		return;
	}
	t->process = NULL;
	thread_state_of(t)->refused = true;
	/* Relaxed: a count, ordered with nothing. */
	if (atomic_fetch_add_explicit(&p->control->unrecorded_threads, 1,
		memory_order_relaxed) == 0)
		paths_log_warn("%s; a thread is not recorded",
		    paths_log_last());
}

bool
mpi_is_running(void)
{
	int flag = 0;

	mpi_abi_find();
	if (mpi_abi.row == MPI_ABI_NONE ||
	    mpi_abi.call.initialized(&flag) != 0 || flag == 0)
		return false;
	return mpi_abi.call.finalized(&flag) == 0 && flag == 0;
}

uint32_t
mpi_thread_join(struct mpi_thread *t)
{
	struct mpi_process *p;

	if (thread_forked || thread_state_of(t)->refused || t->outermost != 0)
		return ES_MODE_OFF;
	p = mpi_process_first();
	/* Where ranks are threads, another's process is not this one's. */
	if ((p == NULL || !p->session) && !mpi_is_running())
		return ES_MODE_OFF;
	mpi_process_join(t);
	/* Relaxed, as in mpi_enter. */
	return atomic_load_explicit(&t->control->mode, memory_order_relaxed);
}

uint32_t
mpi_thread_ring(struct mpi_thread *t, uint32_t mode)
{
	struct thread_state *s = thread_state_of(t);
	struct es_record_collector want = {
		.instance = t->number,
		.mode = mode,
		.type = es_tuple_type_find("mpi"),
		.capacity = t->process->keep,
	};

	if (!s->untraced &&
	    es_record_add_ring(t->process->record, &want, t->number,
		&t->ring) == PATHS_OK)
		return mode;
	if (!s->untraced) {
		paths_log_warn("%s; a thread is not traced", paths_log_last());
		/* Relaxed: a count, ordered with nothing. */
		atomic_fetch_add_explicit(&t->control->unrecorded_threads, 1,
		    memory_order_relaxed);
	}
	s->untraced = true;
	return mode & ~ES_MODE_TRACE;
}

bool
mpi_thread_is_forked(void)
{
	return thread_forked;
}

void
mpi_thread_refuse(struct mpi_thread *t)
{
	thread_state_of(t)->refused = true;
}
