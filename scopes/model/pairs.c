/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/pairs.c - the time of a message between two ranks of a run
 */

#include "scopes/model_run.h"

#include "scopes/model/locality_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

struct es_model_pairs {
	const struct es_model *model;
	struct es_model_question how;
	struct es__localities localities;
	uint32_t *ppn; /* ranks of each host */
	uint32_t rank_count;
};

static paths_status
pairs_find(struct es_model_pairs *p, const struct es_run *run,
    const struct es_model_place *places)
{
	const struct es_mpi *mpi = es_run_mpi(run);
	paths_status st;

	while (es_mpi_rank(mpi, p->rank_count) != NULL)
		p->rank_count++;
	st = es__localities_find(run, p->rank_count, p->model, &p->localities);
	if (st != PATHS_OK)
		return st;
	if (places != NULL)
		es__localities_move(&p->localities, places, p->rank_count);
	p->ppn = calloc(p->localities.host_count, sizeof(*p->ppn));
	if (p->ppn == NULL)
		return es__model_no_memory();
	for (uint32_t rank = 0; rank < p->rank_count; rank++)
		p->ppn[p->localities.hosts[rank]]++;
	return PATHS_OK;
}

paths_status
es_model_pairs_open(const struct es_run *run, const struct es_model *model,
    const struct es_model_run_options *options, enum es_model_kind kind,
    struct es_model_pairs **pairs)
{
	struct es_model_pairs *p = calloc(1, sizeof(*p));
	paths_status st = p == NULL ? es__model_no_memory() : PATHS_OK;

	if (st == PATHS_OK && model->locality_count == 0)
		st = paths_log_fail(PATHS_EINVAL, "the model has no locality");
	if (st == PATHS_OK) {
		p->model = model;
		p->how.fit = options->fit;
		p->how.kind = kind;
		st = pairs_find(p, run, options->places);
	}
	if (st == PATHS_OK)
		*pairs = p;
	else
		es_model_pairs_close(p);
	return st;
}

void
es_model_pairs_close(struct es_model_pairs *pairs)
{
	if (pairs == NULL)
		return;
	es__localities_fini(&pairs->localities);
	free(pairs->ppn);
	free(pairs);
}

double
es_model_pairs_s(const struct es_model_pairs *p, uint32_t source,
    uint32_t target, uint64_t bytes)
{
	struct es_model_question how = p->how;

	if (source >= p->rank_count || target >= p->rank_count)
		return NAN;
	how.locality = es__locality_of(&p->localities, source, target);
	how.bytes = bytes;
	how.ppn = p->ppn[p->localities.hosts[source]];
	return es_model_total(es_model_message(p->model, how));
}
