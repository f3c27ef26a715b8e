/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waiter_unsure_private.h - sends that are decided after their call
 * was taken
 */

#ifndef SCOPES_MPI_WAITER_UNSURE_PRIVATE_H
#define SCOPES_MPI_WAITER_UNSURE_PRIVATE_H

#include "scopes/mpi/waiter_private.h"

/* Keeps the current call, by its first tuple, because some of its sends are not
   decided.  PATHS_OK; PATHS_ENOMEM.  The caller calls es__waiter_unsure_fini in
   the end. */
paths_status es__waiter_unsure(struct es__waiter *w, struct es_mpi_at call)
    PATHS_CHECKED;

/* Takes the sends of earlier calls that are decided in the window. */
void es__waiter_unsure_decide(struct es__waiter *w);

void es__waiter_unsure_fini(struct es__waiter *w);

#endif
