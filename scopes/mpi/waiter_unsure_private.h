/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waiter_unsure_private.h - keeps calls with sends for which it is
 * decided later whether they are matched
 */

#ifndef SCOPES_MPI_WAITER_UNSURE_PRIVATE_H
#define SCOPES_MPI_WAITER_UNSURE_PRIVATE_H

#include "scopes/mpi/waiter_private.h"

/* Keeps the current call, by its first tuple, because it is not decided for
   some of its sends whether they are matched.  PATHS_OK; PATHS_ENOMEM.  The
   caller calls es__waiter_unsure_fini in the end. */
paths_status es__waiter_unsure(struct es__waiter *w, struct es_mpi_at call)
    PATHS_CHECKED;

/* Takes the sends of kept calls that are decided in the window. */
void es__waiter_unsure_decide(struct es__waiter *w);

void es__waiter_unsure_fini(struct es__waiter *w);

#endif
