/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/process.c - the event space of a rank
 *
 * RUN/rRANK.space; a world that is not the first of its job, as spawned ones
 * are, and processes of sessions have RUN/rRANK@HOST.PID.space.  Where ranks
 * are threads of one process each thread that calls MPI_Init is a process here.
 */

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/object/comm_private.h"
#include "collectors/mpi/process/phase_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi/process/record_private.h"
#include "collectors/mpi/process/setting_private.h"
#include "collectors/mpi/process/thread_private.h"
#include "collectors/mpi/site/site_private.h"

#include "libpaths/log.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROCESS_MAP "pathmap 1\n"
/* Of a command line; longer ones are cut. */
#define PROCESS_COMMAND_BYTES 4096u

static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpi_process *_Atomic process_one; /* set under the lock, once */
static bool process_refused;	  /* under the lock: one could not be made */
static uint32_t process_sessions; /* under the lock: that are open */

struct mpi_process *
mpi_process_first(void)
{
	/* Acquire: all of the process with it. */
	return atomic_load_explicit(&process_one, memory_order_acquire);
}

/* Whether the process belongs to a world that another process started. */
static bool
process_is_spawned(void)
{
	mpi_handle parent = 0;

	return mpi_abi.call.comm_get_parent != NULL &&
	    mpi_abi.call.comm_get_parent(&parent) == 0 &&
	    mpi_handle_at(&parent) != mpi_abi.comm_null;
}

/* A name that no other process of the job has. */
static void
process_name(const struct mpi_process *p, bool alone, const char *directory,
    char name[ES_SPACE_TEXT_BYTES])
{
	char file[PATH_MAX];
	char host[64] = "";

	snprintf(name, ES_SPACE_TEXT_BYTES, "r%d", (int)p->rank);
	snprintf(file, sizeof(file), "%s/%s.space", directory, name);
	if (!alone && access(file, F_OK) != 0)
		return;
	gethostname(host, sizeof(host) - 1);
	snprintf(name, ES_SPACE_TEXT_BYTES, "r%d@%s.%ld", (int)p->rank, host,
	    (long)getpid());
}

static paths_status
process_record(struct mpi_process *p, bool alone)
{
	const char *directory = getenv(MPI_SETTING_RUN);
	char name[ES_SPACE_TEXT_BYTES];
	struct es_record_spec spec = {
		.directory = directory,
		.process_name = name,
		.process = ES_SPACE_MAPLESS,
		.map_text = PROCESS_MAP,
		.map_bytes = strlen(PROCESS_MAP),
		.added = es_tuple_type_find("mpi"),
	};

	if (directory == NULL)
		return paths_log_fail(PATHS_ENOENT, "%s is not set",
		    MPI_SETTING_RUN);
	process_name(p, alone, directory, name);
	return es_record_open(&spec, &p->record);
}

static paths_status
process_control(struct mpi_process *p, bool spawned)
{
	struct es_space_part *part;
	int level = 0;
	paths_status st = es_record_add_rows(p->record,
	    &(struct es_record_part){ .what = ES_MPI_CONTROL,
		.row_bytes = sizeof(*p->control),
		.room = 1 },
	    &part);

	if (st != PATHS_OK)
		return st;
	(void)mpi_abi.call.query_thread(&level);
	p->control = (struct es_mpi_control *)(part + 1);
	p->control->rank = p->rank;
	p->control->world_size = p->world_size;
	p->control->thread_level = (uint32_t)level;
	p->control->abi = mpi_abi.row;
	p->control->flags = spawned ? ES_MPI_SPAWNED : 0;
	p->control->asked = (uint32_t)mpi_setting_number(MPI_SETTING_MODE,
	    ES_MODE_ALL, ES_MODE_ALL);
	mpi_phase_begin(p);
	/* The acquire is in es_space_rows. */
	atomic_store_explicit(&part->used, 1, memory_order_release);
	return PATHS_OK;
}

/* The words of the command line with blanks between them. */
static size_t
process_command(char text[PROCESS_COMMAND_BYTES])
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd >= 0) {
		n = read(fd, text, PROCESS_COMMAND_BYTES - 1);
		close(fd);
	}
	if (n < 0)
		n = 0;
	for (ssize_t i = 0; i + 1 < n; i++) {
		if (text[i] == 0)
			text[i] = ' ';
	}
	text[n] = 0;
	return strlen(text) + 1;
}

static void
process_tell(struct mpi_process *p)
{
	char command[PROCESS_COMMAND_BYTES];
	/* Of the launchers that can spawn, those with PMIx name each world. */
	const char *world = getenv("PMIX_NAMESPACE");
	struct es_mpi_process entry = {
		.library_bytes = strlen(mpi_abi.library) + 1,
		.command_bytes = process_command(command),
	};

	world = world == NULL ? "" : world;
	entry.world_bytes = strlen(world) + 1;

	mpi_log(p, ES_MPI_ENTRY_PROCESS,
	    (const struct iovec[]){ { &entry, sizeof(entry) },
		{ mpi_abi.library, entry.library_bytes },
		{ command, entry.command_bytes },
		{ (void *)(uintptr_t)world, entry.world_bytes } },
	    4);
}

static void
process_destroy(struct mpi_process *p)
{
	mpi_site_table_close(p->sites);
	mpi_phases_close(p->phases);
	es_record_close(p->record);
	pthread_mutex_destroy(&p->lock);
	pthread_mutex_destroy(&p->log_lock);
	free(p);
}

/* All of a process but what its threads have. */
static paths_status
process_open_parts(struct mpi_process *p, struct mpi_thread *t)
{
	bool spawned = !p->session && process_is_spawned();
	paths_status st = process_record(p, spawned || p->session);

	if (st == PATHS_OK)
		st = mpi_phases_open(&p->phases);
	if (st == PATHS_OK)
		st = process_control(p, spawned);
	if (st == PATHS_OK)
		st = mpi_site_table_open(p);
	if (st != PATHS_OK)
		return st;
	process_tell(p);
	t->process = p;
	st = mpi_world_open(t);
	t->process = NULL;
	return st;
}

static paths_status
process_make(struct mpi_thread *t, int32_t rank, int32_t size,
    struct mpi_process **process)
{
	struct mpi_process *p = calloc(1, sizeof(*p));
	paths_status st;

	if (p == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory");
	pthread_mutex_init(&p->lock, NULL);
	pthread_mutex_init(&p->log_lock, NULL);
	p->session = rank >= 0;
	p->rank = rank;
	p->world_size = size;
	p->keep =
	    mpi_setting_number(MPI_SETTING_KEEP, UINT32_MAX, MPI_KEEP_DEFAULT);
	if (!p->session &&
	    (mpi_abi.call.comm_rank(mpi_abi.comm_world, &p->rank) != 0 ||
		mpi_abi.call.comm_size(mpi_abi.comm_world, &p->world_size) !=
		    0))
		st = paths_log_fail(PATHS_EIO, "MPI does not tell its rank");
	else
		st = process_open_parts(p, t);
	if (st != PATHS_OK) {
		process_destroy(p);
		return st;
	}
	mpi_core_begin(&p->core);
	*process = p;
	return PATHS_OK;
}

/* What MPI itself calls while it is asked is nested: SMPI calls MPI_Initialized
   then, which must not come back here. */
static paths_status
process_make_nested(struct mpi_thread *t, int32_t rank, int32_t size,
    struct mpi_process **process)
{
	uintptr_t outermost = t->outermost;
	paths_status st;

	if (outermost == 0)
		t->outermost = (uintptr_t)&outermost;
	st = process_make(t, rank, size, process);
	t->outermost = outermost;
	return st;
}

static void
process_open_locked(struct mpi_thread *t, int32_t rank, int32_t size)
{
	struct mpi_process *p;

	if (process_refused ||
	    process_make_nested(t, rank, size, &p) != PATHS_OK) {
		if (!process_refused)
			paths_log_warn("%s; this process is not recorded",
			    paths_log_last());
		process_refused = true;
		mpi_thread_refuse(t);
		return;
	}
	mpi_thread_bind(t, p);
	if (mpi_process_first() == NULL)
		/* The acquire is in mpi_process_first. */
		atomic_store_explicit(&process_one, p, memory_order_release);
}

/* SMPI calls MPI by its public names while it is asked for the rank. */
static __thread bool process_opening;

void
mpi_process_open(struct mpi_thread *thread, int32_t rank, int32_t size)
{
	if (thread->process != NULL || mpi_thread_is_forked())
		return;
	mpi_abi_find();
	if (mpi_abi.row == MPI_ABI_NONE)
		return;
	if (process_opening)
		return;
	process_opening = true;
	pthread_mutex_lock(&process_lock);
	if (rank >= 0 && mpi_process_first() != NULL)
		mpi_thread_bind(thread, mpi_process_first());
	else
		process_open_locked(thread, rank, size);
	pthread_mutex_unlock(&process_lock);
	process_opening = false;
}

void
mpi_process_join(struct mpi_thread *thread)
{
	if (process_opening)
		return;
	process_opening = true;
	pthread_mutex_lock(&process_lock);
	if (mpi_process_first() != NULL)
		mpi_thread_bind(thread, mpi_process_first());
	else
		process_open_locked(thread, -1, 0);
	pthread_mutex_unlock(&process_lock);
	process_opening = false;
}

static void
process_finish(struct mpi_process *p)
{
	struct es_mpi_control *c = p->control;

	mpi_core_end(p);
	/* The program saw to it that no thread is in a call any more. */
	for (struct mpi_thread *t =
		 atomic_load_explicit(&p->threads, memory_order_acquire);
	     t != NULL; t = t->next)
		mpi_cells_settle(t->cells);
	/* Relaxed: the release is in es_record_end. */
	if (atomic_load_explicit(&c->state, memory_order_relaxed) ==
	    ES_MPI_RUNNING)
		atomic_store_explicit(&c->state, ES_MPI_FINALIZED,
		    memory_order_relaxed);
	es_record_end(p->record);
}

static void
process_resume(struct mpi_process *p)
{
	/* Relaxed: a reader that sees it late sees the process as ended. */
	atomic_store_explicit(&p->control->state, ES_MPI_RUNNING,
	    memory_order_relaxed);
	es_record_resume(p->record);
	mpi_core_begin(&p->core);
}

void
mpi_process_end(struct mpi_process *process)
{
	/* Relaxed, as in mpi_enter. */
	atomic_store_explicit(&process->control->mode, ES_MODE_OFF,
	    memory_order_relaxed);
	process_finish(process);
}

void
mpi_process_session_begun(void)
{
	struct mpi_process *p = mpi_process_first();

	pthread_mutex_lock(&process_lock);
	if (process_sessions++ == 0 && p != NULL && p->session)
		process_resume(p);
	pthread_mutex_unlock(&process_lock);
}

void
mpi_process_initialised(void)
{
	struct mpi_process *p = mpi_process_first();

	pthread_mutex_lock(&process_lock);
	if (process_sessions == 0 && p != NULL && p->session &&
	    /* Relaxed: written with the lock. */
	    atomic_load_explicit(&p->control->state, memory_order_relaxed) ==
		ES_MPI_FINALIZED)
		process_resume(p);
	pthread_mutex_unlock(&process_lock);
}

void
mpi_process_session_ended(void)
{
	struct mpi_process *p = mpi_process_first();

	pthread_mutex_lock(&process_lock);
	/* It may have called MPI_Init later. */
	if (--process_sessions == 0 && p != NULL && p->session &&
	    !mpi_is_running())
		process_finish(p);
	pthread_mutex_unlock(&process_lock);
}
