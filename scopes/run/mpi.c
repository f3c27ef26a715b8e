/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi.c - reads the definitions of an MPI run from the logs of its
 * processes
 */

#include "scopes/run/mpi_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/run/mpi_comms_private.h"
#include "scopes/run/mpi_meet_private.h"
#include "scopes/run/mpi_ranks_private.h"
#include "scopes/run/mpi_sites_private.h"
#include "scopes/run/run_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static paths_status
mpi_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for definitions");
}

/* Keeps the text of an MPI library.  That of MPICH has a tab, for which
   calibrated models have a blank.  NULL: no memory. */
static const char *
mpi_library(struct es_mpi *mpi, const char *text)
{
	char *copy = strdup(text);
	const char *name;

	for (char *c = copy; c != NULL && *c != '\0'; c++)
		if (*c == '\t')
			*c = ' ';
	name = copy == NULL ? NULL : es__intern_name(&mpi->texts, copy);
	free(copy);
	return name;
}

static paths_status
mpi_take_process(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	struct es_mpi_rank *r = &mpi->ranks[rank];
	struct es_mpi_process head;
	const char *library, *command;

	if (log->count < sizeof(head))
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	if (head.library_bytes > log->count - sizeof(head))
		return PATHS_EDAMAGED;
	library = es__mpi_log_text(log, sizeof(head));
	command = es__mpi_log_text(log, sizeof(head) + head.library_bytes);
	if (library == NULL || command == NULL)
		return PATHS_EDAMAGED;
	r->library = mpi_library(mpi, library);
	r->command = es__intern_name(&mpi->texts, command);
	return r->library != NULL && r->command != NULL ? PATHS_OK :
							  PATHS_ENOMEM;
}

/* Phases of several ranks with the same name are one. */
static paths_status
mpi_take_phase(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	struct es_mpi_name head;
	const char *name = es__mpi_log_text(log, sizeof(head));
	uint32_t number;
	paths_status st;

	if (name == NULL)
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	name = es__intern_name(&mpi->texts, name);
	if (name == NULL)
		return PATHS_ENOMEM;
	st = es__intern_put(&mpi->phase_keys, name, strlen(name), &number);
	return st == PATHS_OK ?
	    es__mpi_pairs_add(&mpi->locals[rank].phases, head.id, number) :
	    st;
}

static paths_status
mpi_take_plan(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	struct es__mpi_local *local = &mpi->locals[rank];

	if (log->count < sizeof(*local->plans))
		return PATHS_EDAMAGED;
	if (!paths__array_grow(&local->plans, local->plan_count,
		&local->plan_room, sizeof(*local->plans)))
		return mpi_no_memory();
	memcpy(&local->plans[local->plan_count++], log->bytes,
	    sizeof(*local->plans));
	return PATHS_OK;
}

static paths_status
mpi_take_life(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	struct es_mpi_rank *r = &mpi->ranks[rank];
	struct es_mpi_life life;

	if (log->count < sizeof(life))
		return PATHS_EDAMAGED;
	memcpy(&life, log->bytes, sizeof(life));
	if (life.event == ES_MPI_LIFE_INITIALIZED)
		r->initialized = life.ticks;
	else if (life.event == ES_MPI_LIFE_FINALIZING)
		r->finalizing = life.ticks;
	return PATHS_OK;
}

static int
mpi_plan_order(const void *left, const void *right)
{
	const struct es_mpi_plan *a = left, *b = right;

	return (a->request > b->request) - (a->request < b->request);
}

static paths_status
mpi_take_set(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	struct es__mpi_local *local = &mpi->locals[rank];
	struct es_mpi_rank_set head, *set;
	uint64_t bytes;

	if (log->count < sizeof(head))
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	bytes =
	    sizeof(head) + (uint64_t)head.runs * sizeof(struct es_mpi_ranks);
	if (bytes > log->count)
		return PATHS_EDAMAGED;
	set = malloc(bytes);
	if (set == NULL ||
	    !paths__array_grow(&local->sets, local->set_count, &local->set_room,
		sizeof(struct es_mpi_rank_set *))) {
		free(set);
		return mpi_no_memory();
	}
	memcpy(set, log->bytes, bytes);
	/* The head may have changed meanwhile. */
	*set = head;
	local->sets[local->set_count++] = set;
	return PATHS_OK;
}

static int
mpi_set_order(const void *left, const void *right)
{
	const struct es_mpi_rank_set *a =
					 *(struct es_mpi_rank_set *const *)left,
				     *b = *(
					 struct es_mpi_rank_set *const *)right;

	return (a->id > b->id) - (a->id < b->id);
}

static paths_status
mpi_take_note(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	const char *text = es__mpi_log_text(log, 0);

	if (text == NULL)
		return PATHS_EDAMAGED;
	es_run_diagnose(mpi->run, ES_WARNING,
	    mpi->run->map->processes[mpi->ranks[rank].process].name, "%s",
	    text);
	return PATHS_OK;
}

/* Takes the definitions that others refer to. */
static paths_status
mpi_take_first(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	switch (log->kind) {
	case ES_MPI_ENTRY_PROCESS:
		return mpi_take_process(mpi, rank, log);
	case ES_MPI_ENTRY_COMM:
		return es__mpi_comms_take(mpi, rank, log);
	case ES_MPI_ENTRY_MODULE:
		return es__mpi_sites_take_module(mpi, rank, log);
	case ES_MPI_ENTRY_SOURCE:
		return es__mpi_sites_take_source(mpi, rank, log);
	case ES_MPI_ENTRY_PHASE:
		return mpi_take_phase(mpi, rank, log);
	case ES_MPI_ENTRY_NOTE:
		return mpi_take_note(mpi, rank, log);
	case ES_MPI_ENTRY_PLAN:
		return mpi_take_plan(mpi, rank, log);
	case ES_MPI_ENTRY_RANK_SET:
		return mpi_take_set(mpi, rank, log);
	case ES_MPI_ENTRY_LIFE:
		return mpi_take_life(mpi, rank, log);
	default:
		/* Passes over the kinds of a later version. */
		return PATHS_OK;
	}
}

/* Takes the definitions that refer to others. */
static paths_status
mpi_take_second(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	switch (log->kind) {
	case ES_MPI_ENTRY_COMM:
		return es__mpi_comms_take_parent(mpi, rank, log);
	case ES_MPI_ENTRY_COMM_NAME:
		return es__mpi_comms_take_name(mpi, rank, log);
	case ES_MPI_ENTRY_SITE:
		return es__mpi_sites_take(mpi, rank, log);
	default:
		return PATHS_OK;
	}
}

typedef paths_status mpi_take(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log);

static paths_status
mpi_take_log(struct es_mpi *mpi, uint32_t rank, mpi_take *take)
{
	struct es__mpi_log log = { .space = mpi->ranks[rank].space };
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && es__mpi_log_next(&log)) {
		st = take(mpi, rank, &log);
		if (st == PATHS_EDAMAGED) {
			log.damaged = true;
			st = PATHS_OK;
		}
	}
	if (log.damaged)
		es_run_diagnose(mpi->run, ES_WARNING,
		    mpi->run->map->processes[mpi->ranks[rank].process].name,
		    "its log of definitions is damaged");
	return st;
}

static paths_status
mpi_take_rank(struct es_mpi *mpi, uint32_t rank)
{
	struct es__mpi_local *local = &mpi->locals[rank];
	paths_status st = PATHS_OK;

	if (mpi->ranks[rank].space != NULL)
		st = mpi_take_log(mpi, rank, mpi_take_first);
	es__mpi_pairs_sort(&local->comms);
	es__mpi_pairs_sort(&local->modules);
	es__mpi_pairs_sort(&local->sources);
	es__mpi_pairs_sort(&local->phases);
	if (local->plan_count > 0)
		qsort(local->plans, local->plan_count, sizeof(*local->plans),
		    mpi_plan_order);
	if (local->set_count > 0)
		qsort(local->sets, local->set_count,
		    sizeof(struct es_mpi_rank_set *), mpi_set_order);
	if (st == PATHS_OK && mpi->ranks[rank].space != NULL)
		st = mpi_take_log(mpi, rank, mpi_take_second);
	es__mpi_pairs_sort(&local->sites);
	mpi->ranks[rank].outside_first = mpi->rank_count + mpi->outside_count;
	mpi->outside_count += mpi->ranks[rank].outside_count;
	return st;
}

/* Warns of what a process could not record. */
static void
mpi_diagnose(struct es_mpi *mpi, uint32_t rank)
{
	const struct es_mpi_control *control = mpi->ranks[rank].control;
	const char *name =
	    mpi->run->map->processes[mpi->ranks[rank].process].name;

	if (control == NULL)
		return;
	if (control->lost > 0)
		es_run_diagnose(mpi->run, ES_WARNING, name,
		    "%" PRIu64
		    " rows or definitions were lost: no room on the disk",
		    (uint64_t)control->lost);
	if (control->unrecorded_threads > 0)
		es_run_diagnose(mpi->run, ES_WARNING, name,
		    "%" PRIu32 " threads were not recorded: no room for them",
		    (uint32_t)control->unrecorded_threads);
	if (control->flags & ES_MPI_PHASES)
		es_run_diagnose(mpi->run, ES_WARNING, name,
		    "only phases of --trace-phases were traced: all other time "
		    "in calls counts as computation");
	if (control->requests_unknown > 0)
		es_run_diagnose(mpi->run, ES_NOTE, name,
		    "%" PRIu64 " completed requests were not seen when they "
		    "were made",
		    (uint64_t)control->requests_unknown);
}

static paths_status
mpi_read(struct es_mpi *mpi)
{
	uint32_t none;
	paths_status st = es__mpi_ranks_open(mpi);

	if (st == PATHS_OK)
		st = es__mpi_comms_open(mpi, es__mpi_ranks_world_size(mpi));
	if (st == PATHS_OK)
		st = es__mpi_sites_open(mpi);
	if (st == PATHS_OK)
		st = es__intern_put(&mpi->phase_keys, "", 0, &none);
	for (uint32_t n = 0; st == PATHS_OK && n < mpi->rank_count; n++) {
		st = mpi_take_rank(mpi, n);
		mpi_diagnose(mpi, n);
	}
	return st == PATHS_OK && mpi->outside_count > 0 ? es__mpi_meet(mpi) :
							  st;
}

paths_status
es__mpi_open(struct es_run *run, struct es_mpi **out)
{
	struct es_mpi *mpi = calloc(1, sizeof(*mpi));
	paths_status st;

	if (mpi == NULL)
		return mpi_no_memory();
	mpi->run = run;
	st = mpi_read(mpi);
	if (st == PATHS_OK)
		*out = mpi;
	else
		es__mpi_close(mpi);
	return st;
}

void
es__mpi_close(struct es_mpi *mpi)
{
	if (mpi == NULL)
		return;
	for (uint32_t n = 0; n < mpi->rank_count; n++) {
		struct es__mpi_local *local = &mpi->locals[n];

		es__mpi_pairs_fini(&local->comms);
		es__mpi_pairs_fini(&local->sites);
		es__mpi_pairs_fini(&local->modules);
		es__mpi_pairs_fini(&local->sources);
		es__mpi_pairs_fini(&local->phases);
		free(local->plans);
		for (size_t s = 0; s < local->set_count; s++)
			free(local->sets[s]);
		free(local->sets);
		free(local->members);
		free(local->outside);
		free(local->threads);
	}
	es__mpi_comms_close(mpi);
	es__mpi_sites_close(mpi);
	es__intern_fini(&mpi->comm_keys);
	es__intern_fini(&mpi->module_keys);
	es__intern_fini(&mpi->source_keys);
	es__intern_fini(&mpi->site_keys);
	es__intern_fini(&mpi->phase_keys);
	es__intern_fini(&mpi->texts);
	free(mpi->by_world);
	free(mpi->locals);
	free(mpi->ranks);
	free(mpi);
}

const struct es_mpi *
es_run_mpi(const struct es_run *run)
{
	return run->mpi;
}

const char *
es_mpi_phase_name(const struct es_mpi *mpi, uint32_t n)
{
	return n < mpi->phase_keys.count ? mpi->phase_keys.all[n].bytes : NULL;
}

uint32_t
es_mpi_find_phase(const struct es_mpi *mpi, uint32_t rank, uint32_t id)
{
	return id == 0 ? 0 : es__mpi_pairs_find(&mpi->locals[rank].phases, id);
}
