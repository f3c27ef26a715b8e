/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/model_private.h - parts of the model of a machine
 */

#ifndef SCOPES_MODEL_MODEL_PRIVATE_H
#define SCOPES_MODEL_MODEL_PRIVATE_H

#include "scopes/model.h"

#include "libpaths/map.h"

/* Returns the word for the means of a proxy, the name of its locality inside of
   a host. */
static inline const char *
es__model_via(enum paths_map_via via)
{
	return via == PATHS_MAP_VIA_SHM ? "shm" :
	    via == PATHS_MAP_VIA_UNIX	? "unix" :
					  "tcp";
}

/* Reports that there is no memory for a model, and returns PATHS_ENOMEM. */
paths_status es__model_no_memory(void);

/* Returns whether a text can be the name of a locality or protocol. */
bool es__model_is_word(const char *word);

#endif
