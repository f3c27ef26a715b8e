/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/seq_private.h - extends the sequence numbers of a run to 64 bits
 */

#ifndef SCOPES_RUN_SEQ_PRIVATE_H
#define SCOPES_RUN_SEQ_PRIVATE_H

#include "scopes/run/run_private.h"

/*
 * es__seq_extend - set the seq of each collector
 *
 * run	with the tuples of all its spaces
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__seq_extend(struct es_run *run) PATHS_CHECKED;

#endif
