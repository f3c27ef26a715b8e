/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/process.c - opens and ends the event space of a rank
 *
 * The file is RUN/rRANK.space.  Processes of another world than the first of
 * the job, such as spawned ones, and processes of sessions have
 * RUN/rRANK@HOST.PID.space.  Where ranks are threads of one process, each
 * thread that calls MPI_Init is a process here.
 */

#include "collectors/mpi/process/process_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/base/setting_private.h"
#include "collectors/mpi/object/rank_set_private.h"
#include "collectors/mpi/object/world_private.h"
#include "collectors/mpi/process/cell_private.h"
#include "collectors/mpi/process/phase_private.h"
#include "collectors/mpi/process/thread_private.h"
#include "collectors/mpi/site/site_table_private.h"

#include "libpaths/log.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROCESS_MAP "pathmap 1\n"
/* The longest command line that is kept; a longer one is cut. */
#define PROCESS_COMMAND_BYTES 4096u

static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
static bool process_refused;	  /* under the lock: opening failed */
static uint32_t process_sessions; /* under the lock: open sessions */

/* Returns whether another process started the world of this one. */
static bool
process_is_spawned(void)
{
	mpi_handle parent = 0;

	return mpi_abi.call.comm_get_parent != NULL &&
	    mpi_abi.call.comm_get_parent(&parent) == 0 &&
	    mpi_handle_at(&parent) != mpi_abi.comm_null;
}

/*
 * Makes a name that no other process of the job has.
 *
 * shared	whether the rank is also that of another process
 */
static void
process_name(const struct mpi_process *p, bool shared, const char *directory,
    char name[ES_SPACE_TEXT_BYTES])
{
	char file[PATH_MAX];
	char host[64] = "";

	snprintf(name, ES_SPACE_TEXT_BYTES, "r%d", (int)p->rank);
	snprintf(file, sizeof(file), "%s/%s.space", directory, name);
	if (!shared && access(file, F_OK) != 0)
		return;
	gethostname(host, sizeof(host) - 1);
	snprintf(name, ES_SPACE_TEXT_BYTES, "r%d@%s.%ld", (int)p->rank, host,
	    (long)getpid());
}

static paths_status
process_record(struct mpi_process *p, bool shared)
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
	paths_status st;

	if (directory == NULL)
		return paths_log_fail(PATHS_ENOENT, "%s is not set",
		    MPI_SETTING_RUN);
	process_name(p, shared, directory, name);
	st = es_record_open(&spec, &p->record);
	if (st != PATHS_EBUSY)
		return st;
	/* Another process of the rank has created the file meanwhile. */
	process_name(p, true, directory, name);
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
	p->control->flags = ES_MPI_SOURCES | (spawned ? ES_MPI_SPAWNED : 0);
	p->control->asked = (uint32_t)mpi_setting_number(MPI_SETTING_MODE,
	    ES_MODE_ALL, ES_MODE_ALL);
	mpi_log_init(&p->log, p->record, p->control);
	mpi_phase_begin(p);
	/* The acquire is in es_space_rows. */
	atomic_store_explicit(&part->used, 1, memory_order_release);
	return PATHS_OK;
}

/* Reads the command line, with blanks between its words. */
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
process_log(struct mpi_process *p)
{
	char command[PROCESS_COMMAND_BYTES];
	/* Launchers with PMIx name each world; others cannot spawn. */
	const char *world = getenv("PMIX_NAMESPACE");
	struct es_mpi_process entry = {
		.library_bytes = strlen(mpi_abi.library) + 1,
		.command_bytes = process_command(command),
	};

	world = world == NULL ? "" : world;
	entry.world_bytes = strlen(world) + 1;

	mpi_log_append(&p->log, ES_MPI_ENTRY_PROCESS,
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
	mpi_rank_set_table_close(p->rank_sets);
	es_record_close(p->record);
	pthread_mutex_destroy(&p->lock);
	mpi_log_fini(&p->log);
	free(p);
}

/* Opens all parts of a process but those of its threads. */
static paths_status
process_open_parts(struct mpi_process *p)
{
	bool spawned = !p->session && process_is_spawned();
	paths_status st = process_record(p, spawned || p->session);

	if (st == PATHS_OK)
		st = mpi_phases_open(&p->phases);
	if (st == PATHS_OK)
		st = process_control(p, spawned);
	if (st == PATHS_OK)
		st = mpi_site_table_open(&p->log, &p->sites);
	if (st == PATHS_OK)
		st = mpi_rank_set_table_open(&p->log, &p->rank_sets);
	if (st != PATHS_OK)
		return st;
	process_log(p);
	return mpi_world_open(p->session, p->world_size, &p->log, &p->world);
}

static paths_status
process_make(int32_t rank, int32_t size, struct mpi_process **process)
{
	struct mpi_process *p = calloc(1, sizeof(*p));
	paths_status st;

	if (p == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory");
	pthread_mutex_init(&p->lock, NULL);
	p->session = rank >= 0;
	p->rank = rank;
	p->world_size = size;
	p->keep =
	    mpi_setting_number(MPI_SETTING_KEEP, UINT32_MAX, MPI_KEEP_DEFAULT);
	if (!p->session &&
	    (mpi_abi.call.comm_rank(mpi_abi.comm_world, &p->rank) != 0 ||
		mpi_abi.call.comm_size(mpi_abi.comm_world, &p->world_size) !=
		    0))
		st = paths_log_fail(PATHS_EIO, "MPI does not give the rank");
	else
		st = process_open_parts(p);
	if (st != PATHS_OK) {
		process_destroy(p);
		return st;
	}
	mpi_cpu_wait_begin(&p->cpu_wait);
	*process = p;
	return PATHS_OK;
}

/* Makes a process.  Meanwhile calls by MPI itself count as nested: SMPI calls
   MPI_Initialized inside PMPI procedures, which must not open the process
   again. */
static paths_status
process_make_nested(struct mpi_thread *t, int32_t rank, int32_t size,
    struct mpi_process **process)
{
	uintptr_t outermost = t->outermost;
	paths_status st;

	if (outermost == 0)
		t->outermost = (uintptr_t)&outermost;
	st = process_make(rank, size, process);
	t->outermost = outermost;
	return st;
}

static void
process_open_locked(struct mpi_thread *t, int32_t rank, int32_t size)
{
	struct mpi_process *p = NULL;

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
	if (mpi_thread_first_process() == NULL)
		mpi_thread_set_first_process(p);
}

/*
 * Gives a thread a process: the first one, or a new one.
 *
 * shared	whether the thread may belong to the first process
 */
static void
process_enter(struct mpi_thread *thread, bool shared, int32_t rank,
    int32_t size)
{
	/* In PMPI_Comm_rank, SMPI calls MPI by its public names; these calls
	   return here. */
	static __thread bool inside;

	if (inside)
		return;
	inside = true;
	pthread_mutex_lock(&process_lock);
	if (shared && mpi_thread_first_process() != NULL)
		mpi_thread_bind(thread, mpi_thread_first_process());
	else
		process_open_locked(thread, rank, size);
	pthread_mutex_unlock(&process_lock);
	inside = false;
}

void
mpi_process_open(struct mpi_thread *thread, int32_t rank, int32_t size)
{
	if (thread->process != NULL || mpi_thread_is_forked())
		return;
	mpi_abi_find();
	if (mpi_abi.row != MPI_ABI_NONE)
		process_enter(thread, rank >= 0, rank, size);
}

uint32_t
mpi_process_join(struct mpi_thread *thread)
{
	struct mpi_process *first;

	if (mpi_thread_is_forked() || mpi_thread_is_refused(thread) ||
	    thread->outermost != 0)
		return ES_MODE_OFF;
	first = mpi_thread_first_process();
	/* With SMPI the first process may be that of another thread. */
	if ((first == NULL || !first->session) && !mpi_is_running())
		return ES_MODE_OFF;
	process_enter(thread, true, -1, 0);
	/* Relaxed, as in mpi_enter. */
	return atomic_load_explicit(&thread->control->mode,
	    memory_order_relaxed);
}

static void
process_finish(struct mpi_process *p)
{
	struct es_mpi_control *c = p->control;

	mpi_cpu_wait_end(p);
	/* The program calls MPI_Finalize when no other call is running. */
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
	/* Relaxed: readers may see for a moment that the process has ended. */
	atomic_store_explicit(&p->control->state, ES_MPI_RUNNING,
	    memory_order_relaxed);
	es_record_resume(p->record);
	mpi_cpu_wait_begin(&p->cpu_wait);
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
	struct mpi_process *p = mpi_thread_first_process();

	pthread_mutex_lock(&process_lock);
	if (process_sessions++ == 0 && p != NULL && p->session)
		process_resume(p);
	pthread_mutex_unlock(&process_lock);
}

void
mpi_process_initialised(void)
{
	struct mpi_process *p = mpi_thread_first_process();

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
	struct mpi_process *p = mpi_thread_first_process();

	pthread_mutex_lock(&process_lock);
	/* The process may have called MPI_Init later. */
	if (--process_sessions == 0 && p != NULL && p->session &&
	    !mpi_is_running())
		process_finish(p);
	pthread_mutex_unlock(&process_lock);
}
