/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/diagnose_private.h - frees the diagnostics of a run
 */

#ifndef SCOPES_RUN_DIAGNOSE_PRIVATE_H
#define SCOPES_RUN_DIAGNOSE_PRIVATE_H

struct es_run;

/* Frees all diagnostics. */
void es__diagnose_fini(struct es_run *run);

#endif
