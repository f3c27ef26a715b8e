/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/send.c - the stage that sends what its process records to a
 * server
 *
 * A thread reads the event space of the process in batches, as a gather tree
 * does, and writes them along a chain of its own, which ends at a stage keep in
 * another process.  Operations only pass.  Those that record neither wait for
 * the thread nor notice it: they write to the rings of the process, which are a
 * buffer.  Tuples that are overwritten before they are sent are counted, and
 * the space at the server has their number.
 *
 * When the program closes, the thread sends the rest.  When the process is
 * killed, the server has what was sent until then, and the rest is in the
 * buffer, PROCESS.buffer in the run directory.
 *
 * Arguments	CHAIN		the chain to the server
 *		-tuples		room of the buffer; see session.c
 *		-interval	time between two looks at the buffer
 * Counters	0	batches
 *		1	tuples that were sent
 *		2	tuples that were overwritten before they were sent
 * Errors	PATHS_EINVAL	the process has two such stages
 *		PATHS_ENOMEM
 *		none for operations: a server that is lost is a warning
 */

#include "scopes/gather/send_private.h"

#include "scopes/gather/gather_private.h"
#include "scopes/gather/source_private.h"

#include "collectors/space_format.h"
#include "libpaths/clock.h"
#include "libpaths/inner.h"
#include "libpaths/log.h"
#include "libpaths/program.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SEND_NS_PER_S UINT64_C(1000000000)

/* Time between two looks for changes besides tuples. */
#define SEND_UPDATE_NS UINT64_C(200000000)

enum { SEND_CHAIN, SEND_TUPLES, SEND_INTERVAL };

struct send {
	/* Written by open. */
	struct paths_path *path; /* NULL: nothing is sent */
	const char *process, *dir;
	uint64_t interval_ns;
	size_t room; /* for a batch */
	pthread_t thread;
	bool started;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool made;	/* lock and changed exist */
	bool stop;	/* under lock */
	bool under_way; /* under lock: an operation */

	/* Used by the thread alone. */
	struct es__source *source; /* NULL: the space is not there yet */
	uint64_t updated;	   /* ticks */
	uint32_t seq;
	_Atomic uint64_t batches, tuples, lost;
};

/* --- the thread ---------------------------------------------------------- */

/* Is called at the end of each write. */
static void
send_done(void *to, struct paths_op *op)
{
	struct send *s = to;

	(void)op;
	pthread_mutex_lock(&s->lock);
	s->under_way = false;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

/* Writes a batch, which is in the memory of the path.  Returns false if it
   failed. */
static bool
send_write(struct send *s, size_t bytes)
{
	struct paths_op *op = paths_inner_op(s->path);

	op->bytes = (uint32_t)bytes;
	pthread_mutex_lock(&s->lock);
	s->under_way = true;
	pthread_mutex_unlock(&s->lock);
	paths_inner_start(s->path, PATHS_WRITE, s->seq++, 0);
	pthread_mutex_lock(&s->lock);
	while (s->under_way)
		pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
	if (op->status == PATHS_OK)
		return true;
	if (op->status != PATHS_ECANCELED)
		paths_log_warn("process %s: what its collectors record is not "
			       "sent any more: %s",
		    s->process, op->why);
	return false;
}

/* Opens the space as soon as it is there.  Returns false if it is not. */
static bool
send_open_source(struct send *s)
{
	char name[PATHS_MAP_NAME_BYTES_MAX + 16], file[PATH_MAX + 512];

	snprintf(name, sizeof(name), "%s" ES_SPACE_BUFFER, s->process);
	snprintf(file, sizeof(file), "%s/%s", s->dir, name);
	if (access(file, R_OK) != 0 ||
	    es__source_open(s->dir, name, &s->source) != PATHS_OK)
		return false;
	s->updated = paths_clock_ticks();
	return true;
}

static void
send_update(struct send *s, bool last)
{
	uint64_t now = paths_clock_ticks();

	if (last ||
	    paths_clock_ticks_to_ns(now - s->updated) > SEND_UPDATE_NS) {
		es__source_update(s->source);
		s->updated = now;
	}
	if (last)
		es__source_end(s->source);
}

/* Sends what was recorded.  last: nothing is recorded any more.  Returns false
   when no more can be sent. */
static bool
send_all(struct send *s, bool last)
{
	bool more = true;

	if (s->source == NULL && !send_open_source(s))
		return true;
	send_update(s, last);
	while (more) {
		struct es__batch_out out = {
			.base = paths_inner_op(s->path)->tuple,
			.room = s->room,
		};
		struct es__source_sum sum = { .tuples = 0 };

		more = false;
		if (es__source_fill(s->source, &out, &sum, &more) != PATHS_OK ||
		    (more && out.used == 0)) {
			paths_log_warn("process %s: %s", s->process,
			    more ? "a batch is too small" : paths_log_last());
			return false;
		}
		if (out.used > 0 && !send_write(s, out.used))
			return false;
		/* Relaxed: totals. */
		atomic_fetch_add_explicit(&s->batches, out.used > 0,
		    memory_order_relaxed);
		atomic_fetch_add_explicit(&s->tuples, sum.tuples,
		    memory_order_relaxed);
		atomic_fetch_add_explicit(&s->lost, sum.lost,
		    memory_order_relaxed);
	}
	return true;
}

/* Sleeps for an interval.  Returns false if the thread is to stop. */
static bool
send_sleep(struct send *s)
{
	struct timespec until;
	bool stop;

	(void)clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(s->interval_ns / SEND_NS_PER_S);
	until.tv_nsec += (long)(s->interval_ns % SEND_NS_PER_S);
	if (until.tv_nsec >= (long)SEND_NS_PER_S) {
		until.tv_nsec -= (long)SEND_NS_PER_S;
		until.tv_sec++;
	}
	pthread_mutex_lock(&s->lock);
	if (!s->stop)
		(void)pthread_cond_timedwait(&s->changed, &s->lock, &until);
	stop = s->stop;
	pthread_mutex_unlock(&s->lock);
	return !stop;
}

/* Removes the buffer: the server has all that is in it. */
static void
send_remove_buffer(const struct send *s)
{
	char file[PATH_MAX + 512];

	snprintf(file, sizeof(file), "%s/%s" ES_SPACE_BUFFER, s->dir,
	    s->process);
	unlink(file);
}

static void *
send_run(void *self)
{
	struct send *s = self;
	enum paths_inner_phase phase;
	bool more = true;

	do {
		phase = paths_inner_phase(s->path);
		if (phase == PATHS_INNER_OPEN || phase == PATHS_INNER_ENDING)
			more = send_all(s, phase == PATHS_INNER_ENDING);
	} while (more && phase < PATHS_INNER_ENDING && send_sleep(s));
	if (more && phase == PATHS_INNER_ENDING && s->source != NULL)
		send_remove_buffer(s);
	paths_inner_end(s->path);
	return NULL;
}

/* --- the stage ----------------------------------------------------------- */

/* Returns true if the process has another stage of the kind, before this. */
static bool
send_is_second(const struct paths_map *map, const struct paths_stage_env *env)
{
	for (uint32_t n = 0; n < env->instance; n++)
		if (map->instances[n].ops == &es__stage_send &&
		    map->instances[n].process ==
			map->instances[env->instance].process)
			return true;
	return false;
}

/* Starts the thread, which takes no signals of the program. */
static paths_status
send_start(struct send *s)
{
	sigset_t all, before;

	/* The program does not close before the rest was sent. */
	paths_inner_drain(s->path);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	s->started = pthread_create(&s->thread, NULL, send_run, s) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (s->started)
		return PATHS_OK;
	paths_inner_undrain(s->path);
	return paths_log_fail(PATHS_ENOMEM, "send: no thread");
}

static paths_status
send_open(void *self, const struct paths_stage_env *env)
{
	struct send *s = self;
	const struct paths_map *map;
	paths_status st;

	if (env->program == NULL)
		return PATHS_OK;
	map = paths_program_map(env->program);
	if (send_is_second(map, env))
		return paths_log_fail(PATHS_EINVAL,
		    "a process has two stages send");
	s->process = map->processes[map->instances[env->instance].process].name;
	s->dir = paths_program_run(env->program);
	s->interval_ns = env->item->values[SEND_INTERVAL].number;
	if (s->dir == NULL)
		return PATHS_OK;
	if (pthread_mutex_init(&s->lock, NULL) != 0 ||
	    pthread_cond_init(&s->changed, NULL) != 0)
		return paths_log_fail(PATHS_ENOMEM, "send: no lock");
	s->made = true;
	st = paths_inner_open(env->program, map->instances[env->instance].tail,
	    send_done, s, &s->path);
	if (st != PATHS_OK)
		return st;
	s->room = paths_inner_op(s->path)->bytes & ~(size_t)7;
	return send_start(s);
}

static enum paths_pass
send_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)op;
	(void)slot;
	return PATHS_PASS_ON;
}

/* Paths leave the stage out. */
static bool
send_rests(const void *self, const paths_atomic_u32 **word)
{
	static paths_atomic_u32 constant;

	(void)self;
	*word = &constant;
	return true;
}

static void
send_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct send *s = self;

	emit(to, 0, atomic_load_explicit(&s->batches, memory_order_relaxed));
	emit(to, 1, atomic_load_explicit(&s->tuples, memory_order_relaxed));
	emit(to, 2, atomic_load_explicit(&s->lost, memory_order_relaxed));
}

static void
send_close(void *self)
{
	struct send *s = self;
	bool under_way;

	if (s->started) {
		pthread_mutex_lock(&s->lock);
		s->stop = true;
		under_way = s->under_way;
		pthread_cond_signal(&s->changed);
		pthread_mutex_unlock(&s->lock);
		/* The program was stopped; operations at its connections have
		   ended. */
		if (under_way)
			(void)paths_inner_cancel(s->path,
			    "the program is closed");
		pthread_join(s->thread, NULL);
	}
	es__source_close(s->source);
	paths_inner_close(s->path);
	if (s->made) {
		pthread_cond_destroy(&s->changed);
		pthread_mutex_destroy(&s->lock);
	}
}

static const struct paths_option send_options[] = {
	[SEND_CHAIN] = {
		.name = "chain",
		.kind = PATHS_OPTION_CHAIN,
		.flags = PATHS_OPTION_REQUIRED,
		.about = "chain to the server, which ends at a stage keep",
	},
	[SEND_TUPLES] = {
		.name = "-tuples",
		.kind = PATHS_OPTION_COUNT,
		.default_text = "16384",
		.about = "tuples of each collector that the process holds",
	},
	[SEND_INTERVAL] = {
		.name = "-interval",
		.kind = PATHS_OPTION_TIME,
		.default_text = "20ms",
		.about = "time between two looks at what was recorded",
	},
	{ .name = NULL },
};

const struct paths_stage_ops es__stage_send = {
	.abi = PATHS_STAGE_ABI,
	.name = "send",
	.about = "send what the process records to a server",
	.example = "send {{keep -batch 64}}",
	.flags =
	    PATHS_STAGE_SIDE | PATHS_STAGE_OWN_TYPE | PATHS_STAGE_ANY_BYTES,
	.size = sizeof(struct send),
	.options = send_options,
	.open = send_open,
	.down = send_down,
	.rests = send_rests,
	.stat = send_stat,
	.close = send_close,
};
