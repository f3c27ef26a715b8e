/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/overload.h - sentences about a machine that was overloaded
 *
 * Compiled into eventspace whatif, advise and model.  The sentences are
 * findings of the view cpu_time, as eventspace show prints them.
 */

#ifndef SCOPES_SHOW_OVERLOAD_H
#define SCOPES_SHOW_OVERLOAD_H

#include "scopes/store.h"

struct es_overload {
	char *load; /* how far it was overloaded; NULL: it was not */
	char *most; /* which thread computes most by its time on a core; NULL:
		       it is not known, or noise */
};

/* Reads the sentences.  The caller calls es_overload_fini, also on
   failure. */
paths_status es_overload_read(struct es_store *store,
    struct es_overload *overload) PATHS_CHECKED;

void es_overload_fini(struct es_overload *overload);

#endif
