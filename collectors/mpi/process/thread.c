/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/thread.c - registers the threads that call MPI
 *
 * A thread is registered at its first call, and joins its process at the first
 * call that finds one.  When a thread ends, the next new thread reuses its rows
 * and ring.  So a program that keeps starting threads takes room only for as
 * many threads as exist at the same time.
 */

#include "collectors/mpi/process/thread_private.h"

#include "collectors/mpi/object/comm_find_private.h"
#include "collectors/mpi/object/rank_set_private.h"
#include "collectors/mpi/process/binding_private.h"
#include "collectors/mpi/process/cell_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi/site/site_private.h"
#include "libpaths/base/lines.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A thread, with the row that it writes while it has none in a space. */
struct mpi_thread_state {
	struct mpi_thread thread;
	struct es_mpi_thread row;
	struct es_space_hot hot;       /* only its clock_due is used */
	bool refused;		       /* no process, or no room for its row */
	bool untraced;		       /* no room for its ring */
	struct mpi_thread_state *next; /* among those that ended */
};

__thread struct mpi_thread *mpi_self;

/* Always off; the control row of threads without a process. */
static struct es_mpi_control thread_off;

/* Stands for all threads without memory, which never have a process. */
static struct mpi_thread_state thread_nobody = {
	.thread = { .control = &thread_off, .row = &thread_nobody.row },
	.refused = true,
};

static pthread_once_t thread_once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;
/* This is the child of a fork, or thread_prepare failed.  Written in the child
   by its only thread. */
static bool thread_forked;
static struct mpi_process *_Atomic thread_first_process; /* set once */

static struct mpi_thread_state *
thread_state_of(struct mpi_thread *t)
{
	return (struct mpi_thread_state *)t;
}

/* Ends a thread.  Destructors that run later may still call MPI. */
static void
thread_end(void *state)
{
	struct mpi_thread_state *s = state;
	struct mpi_process *p = s->thread.process;

	mpi_self = NULL;
	if (p == NULL) {
		free(s);
		return;
	}
	s->thread.outermost = 0;
	es__cpu_pause(&s->thread.cpu);
	mpi_cells_settle(s->thread.cells);
	/* Relaxed: the call has ended. */
	atomic_store_explicit(&s->thread.row->inside, 0, memory_order_relaxed);
	pthread_mutex_lock(&p->lock);
	s->next = p->idle;
	p->idle = s;
	pthread_mutex_unlock(&p->lock);
}

/* Stops recording in the child of a fork, which shares the parent's space. */
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

/* Takes the state of a thread that ended; NULL: there is none. */
static struct mpi_thread_state *
thread_take_idle(void)
{
	struct mpi_process *p =
	    thread_forked ? NULL : mpi_thread_first_process();
	struct mpi_thread_state *s;

	if (p == NULL)
		return NULL;
	pthread_mutex_lock(&p->lock);
	s = p->idle;
	if (s != NULL)
		p->idle = s->next;
	pthread_mutex_unlock(&p->lock);
	if (s != NULL) {
		s->thread.row->tid = (uint64_t)syscall(SYS_gettid);
		mpi_callpaths_move(s->thread.sites->callpaths);
	}
	return s;
}

struct mpi_thread *
mpi_thread_attach(void)
{
	struct mpi_thread_state *s;

	pthread_once(&thread_once, thread_prepare);
	s = thread_take_idle();
	if (s == NULL) {
		s = paths__lines_zero(1, sizeof(*s));
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

/* Adds the row of a thread to the space of its process. */
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
	mpi_rank_sets_close(t->rank_sets);
	t->rank_sets = NULL;
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
		st = mpi_sites_open(t->process->sites, &t->sites);
	if (st == PATHS_OK)
		st = mpi_rank_sets_open(t->process->rank_sets, &t->rank_sets);
	if (st == PATHS_OK)
		st = mpi_comms_open(t->process->world, &t->comms);
	if (st != PATHS_OK)
		thread_close_parts(t);
	return st;
}

/* Makes the thread visible to other threads, and starts its recording. */
static void
thread_publish(struct mpi_thread *t, struct es_mpi_thread *row)
{
	struct mpi_process *p = t->process;

	t->row = row;
	t->ring.record = p->record;
	pthread_mutex_lock(&p->lock);
	/* Relaxed: written under the lock. */
	t->next = atomic_load_explicit(&p->threads, memory_order_relaxed);
	/* Release: the thread is complete; readers without the lock acquire. */
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
		mpi_binding_log(&p->log, t->number);
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

uint32_t
mpi_thread_ring(struct mpi_thread *t, uint32_t mode)
{
	struct mpi_thread_state *s = thread_state_of(t);
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

bool
mpi_thread_is_refused(const struct mpi_thread *t)
{
	return ((const struct mpi_thread_state *)t)->refused;
}

struct mpi_process *
mpi_thread_first_process(void)
{
	/* Acquire: the process is complete; the partner is
	   mpi_thread_set_first_process. */
	return atomic_load_explicit(&thread_first_process,
	    memory_order_acquire);
}

void
mpi_thread_set_first_process(struct mpi_process *process)
{
	atomic_store_explicit(&thread_first_process, process,
	    memory_order_release);
}
