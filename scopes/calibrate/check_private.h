/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/check_private.h - compares models with irregular phases
 */

#ifndef SCOPES_CALIBRATE_CHECK_PRIVATE_H
#define SCOPES_CALIBRATE_CHECK_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* The models that are compared. */
enum es__check_kind {
	ES__CHECK_POSTAL, /* sum of the messages, segments */
	ES__CHECK_PAPER,  /* the paper's fit, with gamma*n^2 */
	ES__CHECK_STREAM,
	ES__CHECK_KINDS
};

/* Relative errors of each model. */
struct es__check {
	uint32_t phases; /* number of measured phases */
	double median[ES__CHECK_KINDS], p90[ES__CHECK_KINDS];
};

/* Returns the name of a model. */
const char *es__check_name(enum es__check_kind kind);

/* Draws random phases, as many as the caller has asked for.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__check_open(struct es__calibrate *c) PATHS_CHECKED;

/*
 * es__check_round - measure the phases in the closest locality once, in random
 * order; called by all ranks
 *
 * late		leave out phases that were measured at the level
 * measured	the number of measured phases is added
 *
 * Returns	false: the step is over
 */
bool es__check_round(struct es__calibrate *c, bool late, uint32_t *measured)
    PATHS_CHECKED;

/* Compares the phases that were measured with a model. */
void es__check_compare(struct es__calibrate *c, const struct es_model *model,
    struct es__check *check);

void es__check_close(struct es__calibrate *c);

#endif
