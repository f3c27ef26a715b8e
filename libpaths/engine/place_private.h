/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/place_private.h - binds threads to cores, saves the topology
 */

#ifndef LIBPATHS_ENGINE_PLACE_PRIVATE_H
#define LIBPATHS_ENGINE_PLACE_PRIVATE_H

#include "libpaths/engine/program_private.h"

/* Writes the topology of this host to PROCESS.topology in the run directory. */
void paths__place_save(const struct paths_program *program);

/* Binds the calling thread to a core of hwloc's numbering. */
paths_status paths__place_bind(uint32_t core);

#endif
